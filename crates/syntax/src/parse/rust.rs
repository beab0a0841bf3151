//! Parses paths, their suffixes and expressions, which are passed on unchanged.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, Token, token};

use super::tokens::{take, take_before, take_until};
use crate::ast::Path;

pub(super) fn begins_path(input: ParseStream<'_>) -> bool {
    let of_paths = ["self", "super", "crate", "Self"];
    let is_one = || input.cursor().ident().is_some_and(|(word, _)| of_paths.iter().any(|known| word == known));
    input.peek(Ident) || input.peek(Token![<]) || input.peek(Token![::]) || is_one()
}

/// Parses a path, possibly incomplete: `a`, `a::b`, `a::<T>`, `a::<T>::b`, `<T as Trait>::a`, `a::`.
pub(super) fn path(input: ParseStream<'_>) -> Path {
    let span = input.span();
    let mut tokens = TokenStream::new();
    let mut words = Vec::new();
    if input.peek(Token![<]) {
        angles(input, &mut tokens);
    }
    loop {
        if input.peek(Token![::]) {
            tokens.extend(take(input, 2));
            words.push(None);
            if input.peek(Token![<]) {
                angles(input, &mut tokens);
                // A name after generic arguments without `::` is not part of this path.
                if input.peek(Token![::]) {
                    continue;
                }
                break;
            }
        }
        // The next child is not part of this path: `a::` may be followed by a comma.
        match input.call(Ident::parse_any) {
            Ok(ident) => {
                ident.to_tokens(&mut tokens);
                words.push(Some(ident));
            }
            Err(_) => break,
        }
        if !input.peek(Token![::]) {
            break;
        }
    }
    let word = match words.as_mut_slice() {
        [Some(word)] => Some(word.clone()),
        _ => None,
    };
    Path { tokens, word, span }
}

/// Parses generic arguments, up to the matching `>`.
pub(super) fn angles(input: ParseStream<'_>, tokens: &mut TokenStream) {
    let mut depth = 0_usize;
    let mut arrow = false;
    while let Ok(next) = input.parse::<TokenTree>() {
        if let TokenTree::Punct(punct) = &next {
            match punct.as_char() {
                '<' => depth += 1,
                '>' if !arrow => depth = depth.saturating_sub(1),
                _ => {}
            }
            arrow = punct.as_char() == '-';
        }
        tokens.extend([next]);
        if depth == 0 {
            break;
        }
    }
}

/// Parses the suffixes of an expression: `.field`, `.method(…)`, `?`, possibly incomplete.
pub(super) fn calls(input: ParseStream<'_>, tokens: &mut TokenStream) {
    while input.peek(Token![.]) || input.peek(Token![?]) {
        let dot = input.peek(Token![.]);
        tokens.extend(take(input, 1));
        if dot && (input.peek(Ident::peek_any) || input.peek(syn::LitInt)) {
            tokens.extend(take(input, 1));
        }
        if input.peek(Token![::]) {
            tokens.extend(take(input, 2));
            angles(input, tokens);
        }
        if input.peek(token::Paren) || input.peek(token::Bracket) {
            tokens.extend(take(input, 1));
        }
    }
}

/// Returns the `<` around a root, as in `< selector < a, b > >`. A path can begin with `<`, too: `<Guard as Leaves>::attack`.
pub(super) fn angle(input: ParseStream<'_>) -> Option<Span> {
    let open = input.peek(Token![<]).then(|| input.span())?;
    let mut tokens = TokenStream::new();
    let ahead = input.fork();
    angles(&ahead, &mut tokens);
    (!ahead.peek(Token![::])).then_some(open)
}

/// Parses Rust up to the brace after it: a closure without braces around its body, or another expression.
pub(super) fn rust(input: ParseStream<'_>) -> TokenStream {
    let ahead = input.fork();
    if Expr::parse_without_eager_brace(&ahead).is_ok() {
        return take_until(input, &ahead);
    }
    take_before(input, |input| input.peek(token::Brace))
}

/// Parses one argument of a list, up to its comma. An incomplete expression ends at the next comma.
pub(crate) fn expression(input: ParseStream<'_>) -> TokenStream {
    let ahead = input.fork();
    if ahead.parse::<Expr>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,])) {
        return take_until(input, &ahead);
    }
    take_before(input, |input| input.peek(Token![,]))
}
