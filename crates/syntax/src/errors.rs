//! Collects errors: all of them are reported at once, each at its token.

use bt_words::{Lint, nearest};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

#[cfg(feature = "file")]
use crate::location;
use crate::tokens;

/// The errors found so far, and the Rust that they discard.
#[derive(Default)]
pub struct Errors {
    found: Option<syn::Error>,
    /// The errors in a text.
    #[cfg(feature = "file")]
    in_text: Vec<bt_behavior3::Diagnostic>,
    left: Vec<Left>,
    /// Mistakes in valid nodes, if mistakes are not errors.
    mistakes: Option<Vec<Mistake>>,
    /// Whether they are in a file, which cannot contain Rust.
    is_file: bool,
}

/// The help for a leaf that is written as Rust in a file.
pub(crate) const REGISTER: &str =
    "help: register it in the program, `registry.add_leaf(\"name\", …)`, and write its name here";
/// The help for a value that is written as Rust in a file.
pub(crate) const REGISTER_VALUE: &str =
    "help: register a value that the program computes: `registry.add_value(\"name\", |ctx| …)`";

/// The help for a label that is not behind the name of a node.
pub(crate) const LABEL: &str =
    "help: write a label after a keyword or a leaf: `sequence \"label\" { … }`, `leaf \"label\"`";

/// The error for a documentation comment.
pub(crate) const DOCUMENTATION: &str = "expected a node, found documentation\nhelp: write a comment, `//`";

/// A mistake in a valid node, which `#[allow(…)]` can allow.
pub struct Mistake {
    pub lint: Lint,
    pub span: Span,
    pub message: String,
    /// The node at which the analysis of the whole tree also finds the mistake; `None` if only the tokens show the mistake.
    pub node: Option<Span>,
}

/// Part of the user's code that the expansion omits because of an error, and that is kept for editors.
pub enum Left {
    /// The Rust of a leaf.
    Leaf(TokenStream),
    /// Other Rust.
    Rust(TokenStream),
    /// A keyword.
    Keyword(Ident),
    /// One of these, whose names may stand for nothing, such as the variable of a loop. It is only for editors.
    Unbound(Box<Self>),
    /// An unknown word, and the words that are known in its place. There may be no word.
    Unknown(Option<Ident>, Vec<String>),
    /// The names in a machine, which is in the tree or not: nodes have texts instead.
    States(Names),
}

/// The names of a machine's states.
pub struct Names {
    /// The names as declared, each with its documentation.
    pub declared: Vec<(Ident, String)>,
    /// The target of each transition: a state, known or not, or an outcome. `None` if it is missing.
    pub targets: Vec<Option<Ident>>,
}

/// Where an error is.
pub enum Location {
    /// From a token of a macro to another one.
    Macro(Span, Span),
    /// In a text.
    #[cfg(feature = "file")]
    Text(bt_behavior3::Place),
}

impl From<Span> for Location {
    fn from(span: Span) -> Self {
        Self::Macro(span, span)
    }
}

impl From<tokens::Span<'_>> for Location {
    fn from(span: tokens::Span<'_>) -> Self {
        #[cfg(feature = "file")]
        if span.is_in_text() {
            return Self::Text(span.place());
        }
        let (first, last) = span.ends();
        Self::Macro(first, last)
    }
}

impl Errors {
    /// Returns a list in which mistakes are not errors.
    pub fn with_mistakes() -> Self {
        Self { mistakes: Some(Vec::new()), ..Self::default() }
    }

    /// Returns an empty list for a file.
    #[cfg(feature = "file")]
    pub(crate) fn of_file() -> Self {
        Self { is_file: true, ..Self::default() }
    }

    /// Returns an empty list for a part of the same text.
    pub(crate) fn of_part(&self) -> Self {
        Self { is_file: self.is_file, ..Self::default() }
    }

    /// Returns `true` for the text of a file.
    pub(crate) const fn is_file(&self) -> bool {
        self.is_file
    }

    /// Returns the first text for a macro, and the second for a file.
    pub(crate) fn either<'a>(&self, of_macro: &'a str, of_file: &'a str) -> &'a str {
        if self.is_file { of_file } else { of_macro }
    }

    /// Reports a mistake at one token. Returns `true` if mistakes are not errors.
    pub fn mistake(&mut self, mistake: Mistake) -> bool {
        match &mut self.mistakes {
            Some(mistakes) => mistakes.push(mistake),
            None => self.at(mistake.span, mistake.message),
        }
        self.mistakes.is_some()
    }

    /// Removes and returns the mistakes that are not errors.
    pub fn take_mistakes(&mut self) -> Vec<Mistake> {
        self.mistakes.take().unwrap_or_default()
    }

    /// Reports an error at one token, or at several in succession.
    pub fn at(&mut self, location: impl Into<Location>, message: impl std::fmt::Display) {
        match location.into() {
            Location::Macro(first, last) => {
                let ends = [first, last].map(|span| TokenTree::from(Ident::new("_end", span)));
                self.add(syn::Error::new_spanned(TokenStream::from_iter(ends), message));
            }
            #[cfg(feature = "file")]
            Location::Text(place) => {
                self.in_text.push(bt_behavior3::Diagnostic::at(place, in_one_line(&message.to_string())));
            }
        }
    }

    /// Reports an error at a sequence of tokens.
    pub fn on(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Reports an error of `syn`.
    pub fn add(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// Keeps an unknown word, and the words that are known in its place.
    pub fn leave_unknown<'a>(&mut self, word: Option<tokens::Ident<'_>>, known: impl IntoIterator<Item = &'a str>) {
        let word = word.map(tokens::Ident::to_macro);
        self.leave(Left::Unknown(word, known.into_iter().map(str::to_owned).collect()));
    }

    /// Keeps Rust.
    pub(crate) fn leave_rust(&mut self, rust: tokens::TokenStream<'_>) {
        self.leave_of(rust.span(), || Left::Rust(rust.to_macro()));
    }

    /// Keeps the Rust of a leaf.
    pub(crate) fn leave_leaf(&mut self, rust: tokens::TokenStream<'_>) {
        self.leave_of(rust.span(), || Left::Leaf(rust.to_macro()));
    }

    /// Keeps a keyword.
    pub(crate) fn leave_keyword(&mut self, keyword: tokens::Ident<'_>) {
        self.leave_of(keyword.span(), || Left::Keyword(keyword.to_macro()));
    }

    /// Keeps discarded code of a macro.
    pub(crate) fn leave_of(&mut self, span: tokens::Span<'_>, left: impl FnOnce() -> Left) {
        if !span.is_in_text() {
            self.leave(left());
        }
    }

    /// Keeps discarded code.
    pub fn leave(&mut self, left: Left) {
        self.left.push(left);
    }

    /// Calls a function with a list whose errors are ignored, and keeps the code that it discards.
    pub(crate) fn quietly<T>(&mut self, call: impl FnOnce(&mut Self) -> T) -> T {
        let mut quiet = self.of_part();
        let result = call(&mut quiet);
        self.left.extend(quiet.left);
        result
    }

    /// Like [`quietly`](Self::quietly), for code whose names may stand for nothing.
    pub(crate) fn quietly_unbound(&mut self, call: impl FnOnce(&mut Self)) {
        let mut quiet = self.of_part();
        call(&mut quiet);
        self.left.extend(quiet.left.into_iter().map(|left| Left::Unbound(Box::new(left))));
    }

    /// Removes the names of states.
    pub fn forget_states(&mut self) {
        self.left.retain(|left| !matches!(left, Left::States(_)));
    }

    /// Returns the discarded code.
    pub fn left(&self) -> &[Left] {
        &self.left
    }

    /// Adds the errors of another list, and its discarded code.
    pub fn extend(&mut self, others: Self) {
        if let Some(errors) = others.found {
            self.add(errors);
        }
        #[cfg(feature = "file")]
        self.in_text.extend(others.in_text);
        self.left.extend(others.left);
        if let Some(mistakes) = &mut self.mistakes {
            mistakes.extend(others.mistakes.into_iter().flatten());
        }
    }

    /// Returns the errors in the order of the text, each as one line.
    #[cfg(feature = "file")]
    pub(crate) fn into_diagnostics(self) -> Vec<bt_behavior3::Diagnostic> {
        let of_macro = self.found.into_iter().flatten();
        let of_macro = of_macro
            .map(|error| bt_behavior3::Diagnostic::at(location::place(error.span()), in_one_line(&error.to_string())));
        let mut found: Vec<_> = of_macro.chain(self.in_text).collect();
        found.sort_by_key(|error| error.place);
        found
    }

    /// Returns `true` if there are no errors.
    pub fn is_empty(&self) -> bool {
        #[cfg(feature = "file")]
        if !self.in_text.is_empty() {
            return false;
        }
        self.found.is_none()
    }

    /// Returns a call of `compile_error!` for each error.
    pub fn to_tokens(&self) -> TokenStream {
        self.found.as_ref().map(syn::Error::to_compile_error).unwrap_or_default()
    }

    /// Returns the messages.
    pub fn messages(&self) -> Vec<String> {
        self.found.iter().flat_map(|errors| errors.clone().into_iter().map(|error| error.to_string())).collect()
    }
}

/// Returns a `help:` line with the nearest known name; `None` if no name is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|meant| format!("\nhelp: did you mean `{meant}`?"))
}

/// Returns the message of an error as one line.
#[cfg(feature = "file")]
pub(crate) fn in_one_line(message: &str) -> String {
    message.replace('\n', "; ")
}
