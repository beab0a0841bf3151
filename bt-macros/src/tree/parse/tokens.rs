//! Single tokens.

use proc_macro2::{Delimiter, Group, TokenTree};
use syn::parse::ParseStream;

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

pub(super) fn group(input: ParseStream<'_>) -> Option<Group> {
    match input.parse() {
        Ok(TokenTree::Group(group)) => Some(group),
        _ => None,
    }
}

pub(super) fn take(input: ParseStream<'_>, count: usize) -> Vec<TokenTree> {
    (0..count).map_while(|_| input.parse().ok()).collect()
}

pub(super) fn skip(input: ParseStream<'_>, count: usize) {
    take(input, count);
}
