//! Single tokens.

use std::fmt;

use proc_macro2::TokenTree;

use super::span::Span;

/// A name, or a word in the place of one.
#[derive(Clone, Copy)]
pub struct Ident<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span<'t>,
    /// Whether the parser has made it. The user's names do not shadow it.
    is_made: bool,
}

impl<'t> Ident<'t> {
    /// Returns a name that stands for another one, at its place.
    pub(crate) const fn new(text: &'t str, span: Span<'t>) -> Self {
        Self { text, span, is_made: false }
    }

    /// Returns a name that the user has not written.
    pub(crate) const fn made(text: &'static str, span: Span<'t>) -> Self {
        Self { text, span, is_made: true }
    }

    pub const fn span(self) -> Span<'t> {
        self.span
    }

    /// Returns the name as written.
    pub const fn text(self) -> &'t str {
        self.text
    }

    /// Returns `true` for a word of Rust that is no name.
    pub(super) fn is_keyword(self) -> bool {
        matches!(
            self.text,
            "_" | "abstract"
                | "as"
                | "async"
                | "await"
                | "become"
                | "box"
                | "break"
                | "const"
                | "continue"
                | "crate"
                | "do"
                | "dyn"
                | "else"
                | "enum"
                | "extern"
                | "false"
                | "final"
                | "fn"
                | "for"
                | "if"
                | "impl"
                | "in"
                | "let"
                | "loop"
                | "macro"
                | "match"
                | "mod"
                | "move"
                | "mut"
                | "override"
                | "priv"
                | "pub"
                | "ref"
                | "return"
                | "Self"
                | "self"
                | "static"
                | "struct"
                | "super"
                | "trait"
                | "true"
                | "try"
                | "type"
                | "typeof"
                | "unsafe"
                | "unsized"
                | "use"
                | "virtual"
                | "where"
                | "while"
                | "yield"
        )
    }

    /// Returns the name without `r#`.
    pub(crate) fn unraw(self) -> &'t str {
        self.text.strip_prefix("r#").unwrap_or(self.text)
    }

    pub fn to_macro(self) -> proc_macro2::Ident {
        let span = self.span.to_macro();
        let span = if self.is_made { proc_macro2::Span::mixed_site().located_at(span) } else { span };
        match self.text.strip_prefix("r#") {
            Some(name) => proc_macro2::Ident::new_raw(name, span),
            None => proc_macro2::Ident::new(self.text, span),
        }
    }
}

impl fmt::Display for Ident<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl PartialEq for Ident<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl PartialEq<str> for Ident<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Ident<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

/// A number, a text or a character.
#[derive(Clone, Copy)]
pub struct Literal<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span<'t>,
}

impl<'t> Literal<'t> {
    /// Returns the literal as written.
    pub(crate) const fn text(self) -> &'t str {
        self.text
    }

    /// Returns `true` for a text, which may be raw.
    pub(crate) fn is_text(self) -> bool {
        let raw = self.text.strip_prefix('r').map(|rest| rest.trim_start_matches('#'));
        raw.unwrap_or(self.text).starts_with('"')
    }

    /// Returns the digits of a number, its type or unit, and whether it is whole as written.
    pub(crate) fn number(self) -> Option<(String, String, bool)> {
        match self.lit()? {
            syn::Lit::Int(number) => Some((number.base10_digits().to_owned(), number.suffix().to_owned(), true)),
            syn::Lit::Float(number) => Some((number.base10_digits().to_owned(), number.suffix().to_owned(), false)),
            _ => None,
        }
    }

    /// Returns the literal as `syn` reads it.
    pub(crate) fn lit(self) -> Option<syn::Lit> {
        self.text.parse().map(syn::Lit::new).ok()
    }
}

/// A label, or another text in quotes.
#[derive(Clone, Copy)]
pub struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span<'t>,
}

impl<'t> Text<'t> {
    pub(super) fn of(literal: Literal<'t>) -> Option<Self> {
        literal.is_text().then_some(Self { text: literal.text, span: literal.span })
    }

    /// Returns a name that is meant as a text.
    pub(crate) const fn of_name(name: Ident<'t>) -> Self {
        Self { text: name.text, span: name.span }
    }

    pub const fn span(self) -> Span<'t> {
        self.span
    }

    pub fn value(self) -> String {
        let inner = self.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        match inner {
            // Rust reads the end of a line as `\n`.
            Some(inner) if !inner.contains(['\\', '\r']) => inner.to_owned(),
            // A name that is meant as a text has no quotes.
            _ => syn::parse_str::<syn::LitStr>(self.text).map_or_else(|_| self.text.to_owned(), |text| text.value()),
        }
    }

    pub fn to_macro(self) -> syn::LitStr {
        let found = match self.span.tokens.of_macro.get(self.span.from as usize) {
            Some(TokenTree::Literal(literal)) => match syn::Lit::new(literal.clone()) {
                syn::Lit::Str(text) => Some(text),
                _ => None,
            },
            _ => None,
        };
        found.unwrap_or_else(|| syn::LitStr::new(&self.value(), self.span.to_macro()))
    }
}

/// A character of an operator.
#[derive(Clone, Copy)]
pub struct Punct<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span<'t>,
}

impl<'t> Punct<'t> {
    pub(crate) fn as_char(self) -> char {
        self.text.chars().next().unwrap_or_default()
    }

    pub(crate) const fn span(self) -> Span<'t> {
        self.span
    }
}
