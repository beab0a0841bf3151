//! The children of a node: what stands between commas, and what ends with braces.

use std::ops::Range;

use super::token::{Token, is_pair, range_of};

/// One child: attributes, then pieces of text and lists, such as `if near { … } else { … }`.
#[derive(Debug)]
pub(super) struct Item<'a> {
    /// The attributes before it.
    pub(super) attributes: Vec<Range<usize>>,
    pub(super) pieces: Vec<Piece<'a>>,
    /// Whether it is the action of a state on entering or leaving it.
    is_action: bool,
    /// The place, without the comma behind it.
    pub(super) range: Range<usize>,
    /// The end, with the comma behind it.
    pub(super) end: usize,
}

/// A part of a child.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    /// Rust, or the name of a node with its arguments and label.
    Text(&'a [Token]),
    /// The children in braces.
    List { open: Range<usize>, close: Range<usize>, items: Vec<Item<'a>> },
}

impl Item<'_> {
    /// Returns `true` if it ends with braces, so that no comma follows it. The actions of a state (`enter: sequence { … }`) have one all the same.
    pub(super) fn ends_with_list(&self) -> bool {
        !self.is_action && matches!(self.pieces.last(), Some(Piece::List { .. }))
    }
}

/// Splits the tokens of a list. Returns `None` if they are nothing that is known.
pub(super) fn items<'a>(mut tokens: &'a [Token], source: &str) -> Option<Vec<Item<'a>>> {
    let mut items = Vec::new();
    while !tokens.is_empty() {
        let (item, rest) = item(tokens, source)?;
        items.push(item);
        tokens = rest;
    }
    Some(items)
}

fn item<'a>(mut tokens: &'a [Token], source: &str) -> Option<(Item<'a>, &'a [Token])> {
    let begin = tokens.first()?.range().start;
    // A documentation comment is an attribute, too; none belongs into a tree.
    if source[begin..].starts_with("//") || source[begin..].starts_with("/*") {
        return None;
    }
    let mut attributes = Vec::new();
    while let [hash, group @ Token::Group { .. }, rest @ ..] = tokens
        && hash.is(source, "#")
    {
        attributes.push(hash.range().start..group.range().end);
        tokens = rest;
    }
    let mut pieces = Vec::new();
    loop {
        let (text, rest) = head(tokens, source);
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        tokens = rest;
        let Some((open, close, inner)) = tokens.first().and_then(Token::braces) else { break };
        // A list needs the name of its node.
        if text.is_empty() {
            return None;
        }
        pieces.push(Piece::List { open: open.clone(), close: close.clone(), items: self::items(inner, source)? });
        tokens = &tokens[1..];
        let goes_on = tokens.first().is_some_and(|next| next.is(source, "else")) || is_pair(tokens, source, "-", ">");
        if !goes_on {
            break;
        }
    }
    let end = match pieces.last()? {
        Piece::Text(text) => range_of(text)?.end,
        Piece::List { close, .. } => close.end,
    };
    let is_action = match pieces.first()? {
        Piece::Text([name, colon, ..]) => {
            (name.is(source, "enter") || name.is(source, "exit"))
                && matches!(colon, Token::Leaf { joint: false, .. })
                && colon.is(source, ":")
        }
        _ => false,
    };
    let mut item = Item { attributes, pieces, is_action, range: begin..end, end };
    match tokens.split_first() {
        Some((comma, rest)) if comma.is(source, ",") => {
            item.end = comma.range().end;
            tokens = rest;
        }
        // Only braces need no comma.
        Some(_) if !item.ends_with_list() => return None,
        _ => {}
    }
    Some((item, tokens))
}

/// Splits off the text before a comma, or before the braces of a list. The braces of a closure's body belong to the text.
fn head<'a>(tokens: &'a [Token], source: &str) -> (&'a [Token], &'a [Token]) {
    let is_choice = tokens.first().is_some_and(|first| first.is(source, "if") || first.is(source, "match"));
    let is_else = tokens.first().is_some_and(|first| first.is(source, "else"));
    // Nodes in a container are an expression.
    let is_spread = is_pair(tokens, source, ".", ".");
    let (mut has_closure, mut in_parameters, mut angles, mut index) = (false, false, 0_usize, 0);
    while let Some(token) = tokens.get(index) {
        let after = |text| index > 0 && tokens[index - 1].is(source, text);
        if token.is(source, ",") && !in_parameters && angles == 0 {
            break;
        }
        if token.is(source, "|") {
            let is_or = is_pair(&tokens[index..], source, "|", "|")
                || index > 0 && is_pair(&tokens[index - 1..], source, "|", "|");
            let begins =
                index == 0 || after("move") || after("!") || after("if") || after("match") || after(">") || after("(");
            if in_parameters {
                in_parameters = false;
            } else if begins && !(is_or && index > 0 && !after("move")) {
                (has_closure, in_parameters) = (true, !is_pair(&tokens[index..], source, "|", "|"));
            }
        }
        if token.is(source, "<") && (after(":") || in_parameters || angles > 0) {
            angles += 1;
        } else if token.is(source, ">") && angles > 0 && !after("-") {
            angles -= 1;
        }
        // The weight or score before a child: what follows is the child.
        if is_pair(&tokens[index..], source, "=", ">") && !in_parameters {
            (has_closure, angles) = (false, 0);
            let is_closure = tokens.get(index + 2).is_some_and(|next| next.is(source, "|") || next.is(source, "move"));
            has_closure |= is_closure;
            in_parameters = false;
        }
        if token.braces().is_some() {
            // The input of another macro is not a list of children.
            let is_input = after("!") && index > 1;
            let is_body = is_input
                || is_spread
                || has_closure
                    && match tokens.get(index + 1) {
                        // `if |npc: &Npc| { npc.near } { attack }`
                        Some(next) if is_choice || is_else => next.braces().is_some(),
                        _ => !(is_choice || is_else),
                    };
            if !is_body {
                break;
            }
        }
        index += 1;
    }
    tokens.split_at(index)
}
