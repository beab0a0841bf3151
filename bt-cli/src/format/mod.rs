//! Formats the trees in Rust sources: the bodies of `tree!`, which rustfmt leaves alone.
//!
//! What fits stands on one line. A comma follows leaves, none follows braces. Comments, blank lines and everything outside of trees stay as they are.

mod expression;
mod item;
mod layout;
#[cfg(test)]
mod tests;
mod token;

use proc_macro2::{TokenStream, TokenTree};

use layout::{Place, write_tree};
use token::{Token, tokens};

/// A source that is not Rust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NotRust {
    /// What is wrong, with line and column.
    pub(crate) message: String,
}

/// Formats all trees in a source. Trees with syntax that is not known stay as they are, and those in an item or a statement with `#[rustfmt::skip]`.
pub(crate) fn format(source: &str, width: usize) -> Result<String, NotRust> {
    let stream: TokenStream = source.parse().map_err(|error: proc_macro2::LexError| {
        let at = error.span().start();
        let message =
            format!("{}:{}: expected Rust, found a delimiter or a literal that is not closed", at.line, at.column + 1);
        NotRust { message }
    })?;
    let mut edits = Vec::new();
    find(&tokens(stream), source, width, &mut edits);
    let mut formatted = String::with_capacity(source.len());
    let mut copied = 0;
    for (range, text) in edits {
        formatted.push_str(&source[copied..range.start]);
        formatted.push_str(&text);
        copied = range.end;
    }
    formatted.push_str(&source[copied..]);
    Ok(formatted)
}

/// Returns `true` if two texts have the same tokens, but for commas at the end of an item.
fn has_same_tokens(one: &str, other: &str) -> bool {
    fn add(stream: TokenStream, all: &mut Vec<String>) {
        for token in stream {
            match token {
                TokenTree::Group(group) => {
                    all.push(format!("{:?}", group.delimiter()));
                    add(group.stream(), all);
                    all.push("end".to_owned());
                }
                TokenTree::Punct(sign) if sign.as_char() == ',' => {}
                other => all.push(other.to_string()),
            }
        }
    }
    let tokens = |text: &str| {
        let mut all = Vec::new();
        add(text.parse().ok()?, &mut all);
        Some(all)
    };
    tokens(one).is_some_and(|one| tokens(other) == Some(one))
}

type Edit = (std::ops::Range<usize>, String);

/// Returns the index behind an item or a statement.
fn end_of_item(tokens: &[Token], mut index: usize, source: &str) -> usize {
    let is_statement = tokens.get(index).is_some_and(|first| first.is(source, "let"));
    while let Some(token) = tokens.get(index) {
        index += 1;
        if token.is(source, ";") || token.braces().is_some() && !is_statement {
            break;
        }
    }
    index
}

/// Finds all calls of `tree!`, also in other groups, and formats their bodies.
fn find(tokens: &[Token], source: &str, width: usize, edits: &mut Vec<Edit>) {
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if let [hash, group @ Token::Group { .. }, ..] = &tokens[index..]
            && hash.is(source, "#")
            && source[group.range()] == *"[rustfmt::skip]"
        {
            index = end_of_item(tokens, index + 2, source);
            continue;
        }
        if let [name, bang, Token::Group { open, close, inner, .. }, ..] = &tokens[index..]
            && name.is(source, "tree")
            && bang.is(source, "!")
            && source[name.range().end..open.start].trim() == "!"
        {
            let body = open.start..close.end;
            let place = Place::of(source, name.range().start, &body, width);
            if let Some(text) = write_tree(inner, source, &body, place)
                && text != source[body.clone()]
                && has_same_tokens(&text, &source[body.clone()])
            {
                edits.push((body, text));
            }
            index += 3;
            continue;
        }
        if let Token::Group { inner, .. } = token {
            find(inner, source, width, edits);
        }
        index += 1;
    }
}
