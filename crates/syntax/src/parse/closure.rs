//! Parses closures.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{ExprClosure, LitStr, Token};

use super::list::List;
use super::tokens::{skip, take, take_until};
use crate::errors::Errors;

/// Parses a closure. In braces, it ends where Rust ends it; in angle brackets, at the next `,` or `>`; in a state, also at `->`.
pub(super) fn closure(input: ParseStream<'_>, list: List, errors: &mut Errors) -> TokenStream {
    let ahead = input.fork();
    let is_rust = ahead.parse::<ExprClosure>().is_ok();
    if list == List::Braces && is_rust {
        return take_until(input, &ahead);
    }
    let mut tokens = TokenStream::new();
    let mut bars = 0;
    let mut depth = 0_usize;
    let mut before = Before::default();
    let mut returns = false;
    while let Ok(next) = input.fork().parse::<TokenTree>() {
        if let TokenTree::Punct(punct) = &next {
            let inside = bars < 2 || depth > 0;
            match punct.as_char() {
                '|' => bars += 1,
                ',' if !inside => break,
                '-' if !inside
                    && before != Before::Bar
                    && matches!(list, List::Transitions(_))
                    && input.peek(Token![->]) =>
                {
                    break;
                }
                '<' if bars < 2 || returns || before == Before::Colon => depth += 1,
                '>' if before == Before::Arrow => returns = bars == 2,
                '>' if input.peek(Token![>=]) => {}
                '>' if depth > 0 => depth -= 1,
                '>' if list != List::Braces && !inside => {
                    if !is_operator(input, list) {
                        break;
                    }
                    errors.at(
                        punct.span(),
                        "this `>` would end the list in angle brackets\nhelp: put the closure body in braces: `|ctx: &Npc| { … }`",
                    );
                    if is_rust {
                        tokens.extend(take_until(input, &ahead));
                        break;
                    }
                    tokens.extend(take(input, usize::from(input.peek(Token![>>]))));
                }
                _ => {}
            }
        } else if let TokenTree::Group(_) = &next {
            returns = false;
        } else if input.peek(LitStr) && bars >= 2 && depth == 0 && before == Before::Operand {
            // A label.
            break;
        }
        before = Before::of(&next);
        tokens.extend(take(input, 1));
    }
    tokens
}

/// Returns `true` if a `>` in a closure compares or shifts: an operand follows it, and there are more `>` than open lists.
fn is_operator(input: ParseStream<'_>, list: List) -> bool {
    let ahead = input.fork();
    skip(&ahead, 1 + usize::from(input.peek(Token![>>])));
    if ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![>]) || ahead.peek(Token![->]) {
        return false;
    }
    let (mut ends, mut begins) = (0, list.depth());
    let ahead = input.fork();
    while !ahead.is_empty() {
        let is_arrow = ahead.peek(Token![->]) || ahead.peek(Token![=>]);
        let is_other = ahead.peek(Token![<<]) || ahead.peek(Token![<=]) || ahead.peek(Token![>=]);
        if !is_arrow && !is_other {
            ends += usize::from(ahead.peek(Token![>]));
            begins += usize::from(ahead.peek(Token![<]));
        }
        skip(&ahead, 1 + usize::from(is_arrow || is_other));
    }
    ends > begins
}

/// The token before a token.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Before {
    #[default]
    Other,
    /// `-` or `=`, possibly of an arrow.
    Arrow,
    Colon,
    Bar,
    /// The end of an operand: a name, a literal or a group.
    Operand,
}

impl Before {
    fn of(token: &TokenTree) -> Self {
        match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                '-' | '=' => Self::Arrow,
                ':' => Self::Colon,
                '|' => Self::Bar,
                _ => Self::Other,
            },
            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_) => Self::Operand,
        }
    }
}
