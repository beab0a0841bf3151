//! Closures: where they end.

use proc_macro2::{TokenStream, TokenTree};
use syn::Token;
use syn::parse::ParseStream;

use super::List;
use super::tokens::{take, take_until};

/// A closure. Between braces it reaches as far as Rust says; between angle brackets up to the next `,` or `>`.
pub(super) fn closure(input: ParseStream<'_>, list: List) -> TokenStream {
    let ahead = input.fork();
    if list == List::Braces && ahead.parse::<syn::ExprClosure>().is_ok() {
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
                '<' if bars < 2 || returns || before.colon => depth += 1,
                '>' if before.arrow => returns = bars == 2,
                '>' if input.peek(Token![>=]) => {}
                '>' if depth > 0 => depth -= 1,
                '>' if list == List::Angles && !inside => break,
                _ => {}
            }
        } else if let TokenTree::Group(_) = &next {
            returns = false;
        }
        before = Before::of(&next);
        tokens.extend(take(input, 1));
    }
    tokens
}

/// What stood before a token.
#[derive(Default)]
struct Before {
    arrow: bool,
    colon: bool,
}

impl Before {
    fn of(token: &TokenTree) -> Self {
        let punct = if let TokenTree::Punct(punct) = token { Some(punct.as_char()) } else { None };
        Self { arrow: matches!(punct, Some('-' | '=')), colon: punct == Some(':') }
    }
}
