//! Rust sources and texts as documents.

use std::ops::Range;
use std::sync::Arc;

use bt_behavior3::Diagnostic;
use proc_macro2::Delimiter;
use syn::LitStr;

use super::function::Function;
use super::gap::{self, Gap};
use super::item::{self, Nodes, Unknown};
use super::node::{self, Style, Tree};
use super::print;
use crate::file;
use crate::format::item::{Angles, angles};
use crate::format::layout::context;
use crate::format::{Plain, error, has_same_tokens};
use crate::lex::{Token, offset, place, tokens};
use crate::live::{Found, find};

/// Returns all `tree!` of a source that are in no other one.
pub(super) fn of_rust(source: &str) -> Result<Vec<Tree>, Diagnostic> {
    in_lines(source, trees_of_rust)
}

/// Returns each `tree name { node }` of a text, or the tree of a text that is one node.
pub(super) fn of_text(source: &str) -> Result<Vec<Tree>, Diagnostic> {
    in_lines(source, trees_of_text)
}

/// Reads trees of a text with `\n` at the ends of its lines.
fn in_lines(source: &str, read: fn(&str) -> Result<Vec<Tree>, Diagnostic>) -> Result<Vec<Tree>, Diagnostic> {
    let plain = Plain::of(source);
    let mut trees = file::on_a_thread(|| read(&plain.text))?;
    if plain.returns.is_none() {
        let reason = "some lines of the file end with `\\r\\n`, others with `\\n`".to_owned();
        for tree in &mut trees {
            break_at(tree, 0, &plain.text, reason.clone());
        }
    }
    Ok(trees)
}

fn trees_of_rust(text: &str) -> Result<Vec<Tree>, Diagnostic> {
    let mut trees: Vec<Tree> = Vec::new();
    let mut end = 0;
    let mut names = Vec::new();
    // Functions of a file that is too deep are not known.
    let all = tokens(text).unwrap_or_default();
    for found in find(text)? {
        let start = offset(text, found.start);
        if start < end {
            continue;
        }
        end = start + found.source.len();
        let mut tree = Tree::new(name(&found, &mut names), Some(start..end));
        tree.around.function = Function::around(text, &all, start).map(Arc::new);
        if found.is_in_macro || found.source.contains('$') {
            break_at(&mut tree, start, text, "the tree is in the definition of a macro".to_owned());
        } else {
            fill(&mut tree, &found.source, start, text, Style::Source);
        }
        trees.push(tree);
    }
    Ok(trees)
}

/// Names a tree by the items around it; several in one item have numbers.
fn name(found: &Found, names: &mut Vec<String>) -> String {
    let path = if found.path.is_empty() { "tree" } else { &found.path };
    names.push(path.to_owned());
    match names.iter().filter(|name| *name == path).count() {
        1 => path.to_owned(),
        count => format!("{path} {count}"),
    }
}

fn trees_of_text(text: &str) -> Result<Vec<Tree>, Diagnostic> {
    let tokens = file::limited(text)?;
    let mut trees = Vec::new();
    let mut rest = &tokens[..];
    let is_tree = |tokens: &[Token]| {
        matches!(tokens, [word, name @ Token::Leaf { .. }, ..]
            if word.is(text, "tree") && text[name.range()].starts_with(|sign: char| sign.is_alphabetic() || sign == '_'))
    };
    if !is_tree(rest) {
        let mut tree = Tree::new(String::new(), Some(0..text.len()));
        fill(&mut tree, text, 0, text, Style::Text);
        return Ok(vec![tree]);
    }
    while is_tree(rest) {
        let start = rest[0].range().start;
        let mut tree = Tree::new(text[rest[1].range()].to_owned(), Some(start..text.len()));
        rest = &rest[2..];
        if let [group @ Token::Group { delimiter: Delimiter::Parenthesis, .. }, others @ ..] = rest {
            text[group.range()].clone_into(&mut tree.around.properties);
            rest = others;
        }
        if let [title @ Token::Leaf { .. }, others @ ..] = rest
            && let Ok(title) = syn::parse_str::<LitStr>(&text[title.range()])
        {
            tree.title = Some(title.value());
            rest = others;
        }
        match rest.split_first() {
            Some((body, others)) if body.braces().is_some() => {
                let range = body.range();
                tree.around.place = Some(start..range.end);
                let inside = range.start + 1..range.end - 1;
                fill(&mut tree, &text[inside.clone()], inside.start, text, Style::Text);
                rest = others;
            }
            _ => match angles(rest, text) {
                Some(Angles { open, close, rest: others, .. }) => {
                    tree.around.place = Some(start..close.end);
                    fill(&mut tree, &text[open.start..close.end], open.start, text, Style::Text);
                    if let Some(angles) = &mut tree.around.angles {
                        angles.are_body = true;
                    }
                    rest = others;
                }
                None => break_at(&mut tree, start, text, "the tree has no braces".to_owned()),
            },
        }
        trees.push(tree);
    }
    if let Some(token) = rest.first() {
        let reason = "expected another tree; help: write `tree name { node }`".to_owned();
        return Err(Diagnostic::at(place(text, token.range().start), reason));
    }
    Ok(trees)
}

/// Reads the root of a tree, whose content begins at an index of the file.
fn fill(tree: &mut Tree, content: &str, start: usize, text: &str, style: Style) {
    let Some(Split { context, angles, rest }) = split(content) else {
        return unknown(tree, 0, (content, start), text, style);
    };
    (tree.around.context, tree.around.angles) = (context, angles);
    match item::nodes(&rest) {
        Err(Unknown { at, is_comment: true }) => {
            let reason = "a comment in an unexpected place; help: move it before or after a node";
            break_at(tree, start + at, text, reason.to_owned());
        }
        Err(Unknown { at, .. }) => unknown(tree, at, (content, start), text, style),
        Ok(Nodes { mut nodes, begin, end, .. }) => {
            let first = Some(begin).filter(|begin| !begin.is_empty());
            match nodes.len() {
                0 => tree.around.end = first.into_iter().chain(end).collect(),
                1 => {
                    let mut root = nodes.remove(0);
                    root.above.splice(0..0, first);
                    item::shift(&mut root, start);
                    tree.root = Some(Arc::new(root));
                    tree.around.end = end;
                    // What is not understood must not get lost.
                    if !has_same_tokens(&print::tree(tree, style), content) {
                        unknown(tree, 0, (content, start), text, style);
                    }
                }
                _ => break_at(tree, start, text, "the tree has several roots".to_owned()),
            }
        }
    }
}

/// Breaks a tree whose content, which begins at an index of the file, is not understood: at its first error, or else at an index of it.
fn unknown(tree: &mut Tree, at: usize, (content, start): (&str, usize), text: &str, style: Style) {
    let found = error(content, style == Style::Text);
    let (at, reason) = found.unwrap_or_else(|| (at, "unknown syntax".to_owned()));
    break_at(tree, start + at, text, reason);
}

/// The content of a tree without what is around its root.
struct Split {
    context: String,
    angles: Option<node::Angles>,
    /// The root with its comments. Spaces in the place of the rest keep the places of nodes.
    rest: String,
}

/// Splits off `for Guard:`, which may have comments before it, and angle brackets.
fn split(content: &str) -> Option<Split> {
    let tokens = tokens(content).ok()?;
    let mut split = Split { context: String::new(), angles: None, rest: content.to_owned() };
    if tokens.is_empty() {
        return Some(split);
    }
    let (of, inner) = context(&tokens, content)?;
    let mut blank = |range: Range<usize>| split.rest.replace_range(range.clone(), &" ".repeat(range.len()));
    if let Some(range) = &of {
        blank(range.clone());
        content[range.clone()].clone_into(&mut split.context);
    }
    if let Some(Angles { open, close, .. }) = angles(inner, content).filter(|angles| angles.rest.is_empty()) {
        let begin = of.as_ref().map_or(open.start, |range| range.start);
        let comments = |gap: &str| {
            let Gap { behind, above, .. } = gap::split(gap, true)?;
            Some(Some(behind).filter(|text| !text.is_empty()).into_iter().chain(above).collect())
        };
        let (above, below) = (comments(&content[..begin])?, comments(&content[close.end..])?);
        split.angles = Some(node::Angles { above, below, are_body: false });
        for range in [0..begin, open, close.start..content.len()] {
            blank(range);
        }
    }
    Some(split)
}

fn break_at(tree: &mut Tree, at: usize, text: &str, reason: String) {
    tree.root = None;
    tree.broken = Some(Diagnostic::at(place(text, at), reason));
}
