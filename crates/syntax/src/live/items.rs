//! The items around a token: `mod::Type::function`.

use proc_macro2::{Delimiter, TokenTree};

use super::flat::is;

/// The items that have begun in a list of tokens, whose braces follow.
#[derive(Default)]
pub(super) struct Items {
    pending: Option<Pending>,
    before: Option<String>,
}

enum Pending {
    /// `fn`, `mod` or `trait`, whose name is next.
    Word,
    /// An item with a name.
    Named(String),
    /// `macro_rules !`, and its name.
    Macro(Option<String>),
    /// `impl`, and the tokens after it.
    Impl(Vec<TokenTree>),
}

/// An item around tokens.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) is_macro: bool,
}

impl Items {
    /// Sees the next token. Returns the item whose content a group is.
    pub(super) fn next(&mut self, token: &TokenTree) -> Option<Item> {
        let word = match token {
            TokenTree::Ident(word) => Some(word.to_string()),
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        let before = std::mem::replace(&mut self.before, word.clone());
        if let TokenTree::Group(group) = token {
            let is_body = group.delimiter() == Delimiter::Brace;
            match self.pending.take() {
                Some(Pending::Macro(Some(name))) => return Some(Item { name, is_macro: true }),
                Some(Pending::Named(name)) if is_body => return Some(Item { name, is_macro: false }),
                Some(Pending::Impl(tokens)) if is_body => {
                    return Some(Item { name: of_impl(&tokens), is_macro: false });
                }
                // A type: `fn(u8)`.
                Some(Pending::Word) => {}
                mut other => {
                    if let Some(Pending::Impl(tokens)) = &mut other {
                        tokens.push(token.clone());
                    }
                    self.pending = other;
                }
            }
            return None;
        }
        match (&mut self.pending, word) {
            (Some(Pending::Word), Some(name)) => self.pending = Some(Pending::Named(name)),
            (Some(Pending::Macro(name @ None)), Some(word)) => *name = Some(word),
            (None, Some(word)) => {
                self.pending = match word.as_str() {
                    "fn" | "mod" | "trait" => Some(Pending::Word),
                    "impl" => Some(Pending::Impl(Vec::new())),
                    _ => None,
                };
            }
            (None, None) if is(token, '!') && before.as_deref() == Some("macro_rules") => {
                self.pending = Some(Pending::Macro(None));
            }
            // `mod name;`, and what is no item.
            (Some(_), _) if is(token, ';') => self.pending = None,
            (Some(Pending::Impl(tokens)), _) => tokens.push(token.clone()),
            _ => {}
        }
        None
    }
}

/// Returns the name of the type in `impl<T> Trait for a::Type<T> where …`.
fn of_impl(tokens: &[TokenTree]) -> String {
    let (mut depth, mut name, mut is_done) = (0_usize, String::new(), false);
    let mut minus = false;
    for token in tokens {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
            TokenTree::Punct(sign) if sign.as_char() == '>' && !minus => depth = depth.saturating_sub(1),
            TokenTree::Ident(word) if depth == 0 => match word.to_string().as_str() {
                "for" => (name, is_done) = (String::new(), false),
                "where" => break,
                "dyn" | "mut" | "const" | "unsafe" => {}
                word if !is_done => word.clone_into(&mut name),
                _ => {}
            },
            _ => {}
        }
        // What is after the arguments of a type is a bound.
        is_done |= depth == 0 && is(token, '+');
        minus = is(token, '-');
    }
    name
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use super::*;

    /// Returns the items around each `here`.
    fn paths(tokens: TokenStream, around: &str, found: &mut Vec<String>) {
        let mut items = Items::default();
        for token in tokens {
            let item = items.next(&token);
            if let TokenTree::Ident(word) = &token
                && word == "here"
            {
                found.push(around.to_owned());
            }
            if let TokenTree::Group(group) = token {
                let inside = item.map_or_else(|| around.to_owned(), |item| format!("{around}/{}", item.name));
                paths(group.stream(), &inside, found);
            }
        }
    }

    #[test]
    fn items_have_names() {
        for (source, expected) in [
            ("mod a { pub fn b(x: fn(u8) -> u8) -> impl Node<C> { here } }", "/a/b"),
            ("impl<T: Fn(u8) -> u8> a::Type<T> where T: Copy { fn b(&self) { here } }", "/Type/b"),
            ("impl<'a> Trait<X> for &'a mut Type<'a> { const fn b() { || { here } } }", "/Type/b"),
            ("unsafe impl Trait for dyn Other + Send { fn b() { here } }", "/Other/b"),
            ("trait Behave { fn b() where Self: Sized { here } }", "/Behave/b"),
            ("mod c; fn a() {} const X: fn() = f; fn d() { { here } }", "/d"),
            ("macro_rules! m { ($x:tt) => { here }; }", "/m"),
            ("static X: u8 = { here };", ""),
            ("extern \"C\" fn f(x: impl Fn() -> u8) -> [u8; { 3 }] { here }", "/f"),
            ("trait A { fn b(); } fn c() { here }", "/c"),
        ] {
            let mut found = Vec::new();
            paths(source.parse().expect(source), "", &mut found);
            assert_eq!(found, [expected], "{source}");
        }
    }
}
