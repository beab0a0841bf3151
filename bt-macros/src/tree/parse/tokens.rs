//! Single tokens.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::token;

/// What is next, for a message.
pub(super) fn found(input: ParseStream<'_>) -> String {
    match input.fork().parse::<TokenTree>() {
        Ok(TokenTree::Group(group)) => match group.delimiter() {
            Delimiter::Parenthesis => "`(…)`".to_owned(),
            Delimiter::Brace => "`{…}`".to_owned(),
            Delimiter::Bracket => "`[…]`".to_owned(),
            Delimiter::None => group.to_string(),
        },
        Ok(token) => format!("`{token}`"),
        Err(_) => "nothing".to_owned(),
    }
}

/// The group in parentheses, braces or brackets that is next, perhaps inside one without delimiters.
pub(super) fn group(input: ParseStream<'_>) -> Option<Group> {
    match input.fork().parse() {
        Ok(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => {
            skip(input, 1);
            Some(group)
        }
        _ => inner_group(input).ok(),
    }
}

fn inner_group(input: ParseStream<'_>) -> syn::Result<Group> {
    let content;
    let (delimiter, span) = if input.peek(token::Brace) {
        (Delimiter::Brace, syn::braced!(content in input).span)
    } else if input.peek(token::Bracket) {
        (Delimiter::Bracket, syn::bracketed!(content in input).span)
    } else {
        (Delimiter::Parenthesis, syn::parenthesized!(content in input).span)
    };
    let mut group = Group::new(delimiter, content.parse()?);
    group.set_span(span.join());
    Ok(group)
}

/// The tokens up to where `ahead` is, which is a fork of `input`. A group without delimiters that `ahead` stands in is taken as a whole.
pub(super) fn take_until(input: ParseStream<'_>, ahead: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while input.cursor() < ahead.cursor() {
        tokens.extend(take(input, 1));
    }
    tokens
}

pub(super) fn take(input: ParseStream<'_>, count: usize) -> Vec<TokenTree> {
    (0..count).map_while(|_| input.parse().ok()).collect()
}

pub(super) fn skip(input: ParseStream<'_>, count: usize) {
    take(input, count);
}
