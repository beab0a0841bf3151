//! Parses closures.

use syn::ExprClosure;
use syn::parse::Parse;

use super::list::List;
use super::rust::with_syn;
use crate::errors::Errors;
use crate::tokens::{Input, TokenStream, Tree};

/// Parses a closure. In braces, it ends where Rust ends it; in angle brackets, at the next `,` or `>`; in a state, also at `->`.
pub(super) fn closure<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> TokenStream<'t> {
    let begin = input.fork();
    let end = || with_syn(&begin, ExprClosure::parse).map(|(_, end)| end);
    if list == List::Braces
        && let Some(end) = end()
    {
        return input.take_until(&end);
    }
    let mut bars = 0;
    let mut depth = 0_usize;
    let mut before = Before::default();
    let mut returns = false;
    while let Some(next) = input.peek_tree() {
        if let Tree::Punct(punct) = next {
            let inside = bars < 2 || depth > 0;
            match punct.as_char() {
                '|' => bars += 1,
                ',' if !inside => break,
                '-' if !inside && before != Before::Bar && matches!(list, List::Transitions(_)) && input.peek("->") => {
                    break;
                }
                '<' if bars < 2 || returns || before == Before::Colon => depth += 1,
                '>' if before == Before::Arrow => returns = bars == 2,
                '>' if input.peek(">=") => {}
                '>' if depth > 0 => depth -= 1,
                '>' if list != List::Braces && !inside => {
                    if !is_operator(input, list) {
                        break;
                    }
                    errors.at(
                        punct.span(),
                        "this `>` would end the list in angle brackets\nhelp: put the closure body in braces: `|ctx: &Npc| { … }`",
                    );
                    if let Some(end) = end() {
                        input.take_until(&end);
                        break;
                    }
                    input.skip(usize::from(input.peek(">>")));
                }
                _ => {}
            }
        } else if let Tree::Group(_) = next {
            returns = false;
        } else if input.peek_text() && bars >= 2 && depth == 0 && before == Before::Operand {
            // A label.
            break;
        }
        before = Before::of(next);
        input.skip(1);
    }
    input.since(&begin)
}

/// Returns `true` if a `>` in a closure compares or shifts: an operand follows it, and there are more `>` than open lists.
fn is_operator(input: &Input<'_>, list: List) -> bool {
    let ahead = input.fork();
    ahead.skip(1 + usize::from(input.peek(">>")));
    if ahead.is_empty() || ahead.peek(",") || ahead.peek(">") || ahead.peek("->") {
        return false;
    }
    let (mut ends, mut begins) = (0, list.depth());
    let ahead = input.fork();
    while !ahead.is_empty() {
        let is_arrow = ahead.peek("->") || ahead.peek("=>");
        let is_other = ahead.peek("<<") || ahead.peek("<=") || ahead.peek(">=");
        if !is_arrow && !is_other {
            ends += usize::from(ahead.peek(">"));
            begins += usize::from(ahead.peek("<"));
        }
        ahead.skip(1 + usize::from(is_arrow || is_other));
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
    fn of(token: Tree<'_>) -> Self {
        match token {
            Tree::Punct(punct) => match punct.as_char() {
                '-' | '=' => Self::Arrow,
                ':' => Self::Colon,
                '|' => Self::Bar,
                _ => Self::Other,
            },
            Tree::Ident(_) | Tree::Literal(_) | Tree::Group(_) => Self::Operand,
        }
    }
}
