//! The children of a node: what is between commas, and what ends with a list.

use std::ops::Range;

use crate::lex::{MAX_DELIMITERS, Token, is_pair, range_of};

/// One child: attributes, then pieces of text and lists, such as `if near { … } else { … }`.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    /// The attributes before it.
    pub(crate) attributes: Vec<Range<usize>>,
    pub(crate) pieces: Vec<Piece<'a>>,
    /// Whether it is the action of a state on entering or leaving it.
    is_action: bool,
    /// The place, without the comma after it.
    pub(crate) range: Range<usize>,
    /// The end, with the comma after it.
    pub(crate) end: usize,
}

/// A part of a child.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// Rust, or the name of a node with its arguments and label.
    Text(&'a [Token]),
    /// The children in braces or angle brackets.
    List { open: Range<usize>, close: Range<usize>, items: Vec<Item<'a>> },
}

/// A list of children; by default, the root of a tree.
#[derive(Clone, Copy, Default)]
pub(crate) struct List {
    pub(crate) is_in_angles: bool,
    /// Whether a pattern is before each child.
    pub(crate) is_match: bool,
    /// The number of lists around it.
    pub(crate) depth: usize,
}

impl Item<'_> {
    /// Returns `true` if it ends with a list, so that no comma follows it. A comma still follows an action of a state (`enter: sequence { … }`).
    pub(crate) fn ends_with_list(&self) -> bool {
        !self.is_action && matches!(self.pieces.last(), Some(Piece::List { .. }))
    }
}

/// The angle brackets around the root of a tree: `< selector < a, b > >`.
pub(crate) struct Angles<'a> {
    pub(crate) open: Range<usize>,
    pub(crate) close: Range<usize>,
    pub(crate) inner: &'a [Token],
    /// The tokens behind them.
    pub(crate) rest: &'a [Token],
}

/// Splits off the angle brackets around a root, which tokens begin with. A path can begin with `<`, too: `<Guard as Leaves>::attack`.
pub(crate) fn angles<'a>(tokens: &'a [Token], source: &str) -> Option<Angles<'a>> {
    let (open, inner) = tokens.split_first().filter(|(open, _)| open.is(source, "<"))?;
    let (_, after) = list(inner, source, List { is_in_angles: true, ..List::default() })?;
    let (close, rest) = after.split_first()?;
    let inner = &inner[..inner.len() - after.len()];
    (!is_pair(rest, source, ":", ":")).then(|| Angles { open: open.range(), close: close.range(), inner, rest })
}

/// Splits the tokens of a list. Returns `None` if they are nothing that is known, or too deep.
pub(crate) fn items<'a>(tokens: &'a [Token], source: &str, of: List) -> Option<Vec<Item<'a>>> {
    let (items, rest) = list(tokens, source, of)?;
    rest.is_empty().then_some(items)
}

/// Splits the tokens of a list, up to its end or the closing angle bracket.
fn list<'a>(mut tokens: &'a [Token], source: &str, list: List) -> Option<(Vec<Item<'a>>, &'a [Token])> {
    let mut items = Vec::new();
    if list.depth > MAX_DELIMITERS {
        return None;
    }
    while let Some(first) = tokens.first()
        && !(list.is_in_angles && first.is(source, ">"))
    {
        let (item, rest) = item(tokens, source, list)?;
        items.push(item);
        tokens = rest;
    }
    Some((items, tokens))
}

/// Returns the place of the attribute that tokens begin with, and the other tokens.
pub(crate) fn attribute<'a>(tokens: &'a [Token], source: &str) -> Option<(Range<usize>, &'a [Token])> {
    match tokens {
        [hash, group @ Token::Group { .. }, rest @ ..] if hash.is(source, "#") => {
            Some((hash.range().start..group.range().end, rest))
        }
        _ => None,
    }
}

fn item<'a>(mut tokens: &'a [Token], source: &str, around: List) -> Option<(Item<'a>, &'a [Token])> {
    let begin = tokens.first()?.range().start;
    // A documentation comment is an attribute, too; none belongs into a tree.
    if source[begin..].starts_with("//") || source[begin..].starts_with("/*") {
        return None;
    }
    let mut attributes = Vec::new();
    while let Some((attribute, rest)) = attribute(tokens, source) {
        attributes.push(attribute);
        tokens = rest;
    }
    let mut pieces = Vec::new();
    loop {
        // What follows the first list, such as `else`, is behind the pattern.
        let is_arm = around.is_match && pieces.is_empty();
        let (text, rest) = head(tokens, source, List { is_match: is_arm, ..around });
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        tokens = rest;
        let is_match = is_match(text, source);
        let (open, close, items) = match tokens {
            [first, rest @ ..] if first.is(source, "<") => {
                let (items, rest) = list(rest, source, List { is_in_angles: true, is_match, depth: around.depth + 1 })?;
                let (close, rest) = rest.split_first()?;
                tokens = rest;
                (first.range(), close.range(), items)
            }
            [first, rest @ ..] => {
                let Some((open, close, inner)) = first.braces() else { break };
                tokens = rest;
                let (items, _) = list(inner, source, List { is_in_angles: false, is_match, depth: around.depth + 1 })?;
                (open.clone(), close.clone(), items)
            }
            [] => break,
        };
        // A list needs the name of its node.
        if text.is_empty() {
            return None;
        }
        pieces.push(Piece::List { open, close, items });
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
        Some((end, _)) if around.is_in_angles && end.is(source, ">") => {}
        // Only lists need no comma.
        Some(_) if !item.ends_with_list() => return None,
        _ => {}
    }
    Some((item, tokens))
}

/// Returns `true` for the text before the arms of a `match`, which may be the child of another one.
fn is_match(text: &[Token], source: &str) -> bool {
    let arrow = (0..text.len()).find(|index| is_pair(&text[*index..], source, "=", ">"));
    let first = text.get(arrow.map_or(0, |arrow| arrow + 2));
    text.len() > 1 && first.is_some_and(|first| first.is(source, "match") || first.is(source, "mem_match"))
}

/// Splits off the text before a comma, before a list, or before the `>` of the list `around`. The braces of a closure's body belong to the text.
fn head<'a>(tokens: &'a [Token], source: &str, around: List) -> (&'a [Token], &'a [Token]) {
    let is_choice_at =
        |index: usize| tokens.get(index).is_some_and(|first| first.is(source, "if") || first.is(source, "match"));
    let mut is_choice = is_choice_at(0);
    let is_else = tokens.first().is_some_and(|first| first.is(source, "else"));
    // Nodes in a container are an expression.
    let is_spread = is_pair(tokens, source, ".", ".");
    let (mut has_closure, mut in_parameters, mut angles, mut index) = (false, false, 0_usize, 0);
    // In the return type of a closure; in the guard of a pattern.
    let (mut returns, mut is_guard) = (false, false);
    // A pattern is all before its arrow.
    let mut is_pattern = around.is_match;
    while let Some(token) = tokens.get(index) {
        is_pattern &= !is_pair(&tokens[index..], source, "=", ">");
        if is_pattern {
            index += 1;
            continue;
        }
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
        let is_after = |first, second| index > 1 && is_pair(&tokens[index - 2..], source, first, second);
        if token.is(source, "<") {
            // `<T as Trait>::leaf`, `path::<T>`, `|ctx: &Ctx<T>|`; in the body of a closure, it compares.
            let begins = index == 0 || after("!") || after("&") || is_after("=", ">") || is_after(".", ".");
            if begins || after(":") || in_parameters || returns || angles > 0 {
                angles += 1;
            } else if !has_closure && !is_spread && !is_guard {
                break;
            }
        } else if token.is(source, "if") {
            is_guard |= index > 0 && !is_else;
        } else if token.is(source, ">") && !(index > 0 && is_pair(&tokens[index - 1..], source, "-", ">")) {
            let is_arrow = index > 0 && is_pair(&tokens[index - 1..], source, "=", ">");
            if angles > 0 {
                angles -= 1;
            } else if around.is_in_angles && !is_arrow && !in_parameters && !is_pair(&tokens[index..], source, ">", "=")
            {
                break;
            }
        }
        // The weight or score before a child: what follows is the child.
        if is_pair(&tokens[index..], source, "=", ">") && !in_parameters {
            (has_closure, angles, is_guard, is_choice) = (false, 0, false, is_choice_at(index + 2));
            let is_closure = tokens.get(index + 2).is_some_and(|next| next.is(source, "|") || next.is(source, "move"));
            has_closure |= is_closure;
            in_parameters = false;
        }
        returns |= has_closure && !in_parameters && is_pair(&tokens[index..], source, "-", ">");
        returns &= token.braces().is_none();
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
