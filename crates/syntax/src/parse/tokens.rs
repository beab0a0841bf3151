//! Helpers for single tokens.

use bt_words::Word;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::{ParseBuffer, ParseStream};
use syn::token;

/// Returns the next token, for a message.
pub(crate) fn found(input: ParseStream<'_>) -> String {
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

/// Parses a group in parentheses, braces or brackets, possibly inside a group without delimiters.
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

/// Parses braces, possibly inside a group without delimiters, and their content with a function, which leaves nothing. Returns their span, too.
pub(super) fn braced<T>(input: ParseStream<'_>, read: impl FnOnce(ParseStream<'_>) -> T) -> Option<(Span, T)> {
    fn open<'i>(input: &ParseBuffer<'i>) -> syn::Result<(Span, ParseBuffer<'i>)> {
        let content;
        let braces = syn::braced!(content in input);
        Ok((braces.span.join(), content))
    }
    let (span, content) = open(input).ok()?;
    let found = read(&content);
    skip(&content, usize::MAX);
    Some((span, found))
}

/// Returns the word that follows, if it is a name.
pub(super) fn ident(input: ParseStream<'_>) -> Option<Ident> {
    if input.peek(syn::Ident) { input.cursor().ident().map(|(word, _)| word) } else { None }
}

/// Returns the word that begins here, if it is one of these.
pub(super) fn word<const N: usize>(input: ParseStream<'_>, words: [Word; N]) -> Option<Word> {
    let (found, _) = input.cursor().ident()?;
    words.into_iter().find(|word| found == word.name())
}

/// Returns `true` if one of these signs may follow before the next comma or brace. To find that out is much cheaper than to parse an expression.
pub(super) fn may_precede(signs: &str, input: ParseStream<'_>) -> bool {
    let mut cursor = input.cursor();
    while let Some((token, rest)) = cursor.token_tree() {
        match token {
            TokenTree::Punct(sign) if signs.contains(sign.as_char()) => return true,
            TokenTree::Punct(sign) if sign.as_char() == ',' => return false,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return false,
            // What a macro has inserted can contain anything.
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => return true,
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => cursor = rest,
        }
    }
    false
}

/// Returns the tokens up to the position of `ahead`, a fork of `input`. A group without delimiters around that position is taken whole.
pub(super) fn take_until(input: ParseStream<'_>, ahead: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while input.cursor() < ahead.cursor() {
        tokens.extend(take(input, 1));
    }
    tokens
}

/// Returns the tokens before the first place where `ends` returns `true`, or all.
pub(super) fn take_before(input: ParseStream<'_>, ends: impl Fn(ParseStream<'_>) -> bool) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !(input.is_empty() || ends(input)) {
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

/// Returns `true` for this sign.
pub(super) fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
