//! Rust sources and texts as documents.

use std::borrow::Cow;
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
use crate::format::item::{Angles, List, angles};
use crate::format::layout::context;
use crate::format::{Plain, error, has_tokens};
use crate::lex::{NoTokens, Token, list, nested, offset, place, tokens};
use crate::live::{Found, find};
use crate::tokens::Token as Flat;

/// Why a tree with such a comment cannot be edited.
const COMMENT: &str = "a comment in an unexpected place; help: move it before or after a node";

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
        } else if let Err((at, reason)) = of_macro(&mut tree, &found.source, start) {
            break_at(&mut tree, start + at, text, reason);
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

/// Reads the content of a `tree!`, which begins at an index of the file.
fn of_macro(tree: &mut Tree, text: &str, start: usize) -> Result<(), (usize, String)> {
    let unread = |error: NoTokens| (error.at, error.reason);
    let list = list(text).map_err(unread)?;
    let tokens = nested(text, &list);
    Content { text, list: &list, tokens: &tokens, place: 0..text.len(), style: Style::Source }.read(tree)?;
    if let Some(root) = &mut tree.root {
        item::shift(Arc::make_mut(root), start);
    }
    Ok(())
}

fn trees_of_text(text: &str) -> Result<Vec<Tree>, Diagnostic> {
    let list = file::limited(text)?;
    let tokens = nested(text, &list);
    let fill = |tree: &mut Tree, tokens: &[Token], place: Range<usize>| {
        let content = Content { text, list: &list, tokens, place, style: Style::Text };
        if let Err((at, reason)) = content.read(tree) {
            break_at(tree, at, text, reason);
        }
    };
    let mut trees = Vec::new();
    let mut rest = &tokens[..];
    let is_tree = |tokens: &[Token]| {
        matches!(tokens, [word, name @ Token::Leaf { .. }, ..]
            if word.is(text, "tree") && text[name.range()].starts_with(|sign: char| sign.is_alphabetic() || sign == '_'))
    };
    if !is_tree(rest) {
        let mut tree = Tree::new(String::new(), Some(0..text.len()));
        fill(&mut tree, rest, 0..text.len());
        return Ok(vec![tree]);
    }
    while is_tree(rest) {
        let (all, start) = (rest, rest[0].range().start);
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
        let header = &all[..all.len() - rest.len() + usize::from(!rest.is_empty())];
        let has_comment = |pair: &&[Token]| !text[pair[0].range().end..pair[1].range().start].trim().is_empty();
        let comment = header.windows(2).find(has_comment).map(|pair| pair[0].range().end);
        match rest.split_first().map(|(body, others)| (body.braces(), others)) {
            Some((Some((open, close, inner)), others)) => {
                tree.around.place = Some(start..close.end);
                fill(&mut tree, inner, open.end..close.start);
                rest = others;
            }
            _ => match angles(rest, text) {
                Some(Angles { open, close, rest: others, .. }) => {
                    tree.around.place = Some(start..close.end);
                    fill(&mut tree, &rest[..rest.len() - others.len()], open.start..close.end);
                    if let Some(angles) = &mut tree.around.angles {
                        angles.are_body = true;
                    }
                    rest = others;
                }
                None => break_at(&mut tree, start, text, "the tree has no braces".to_owned()),
            },
        }
        if let Some(at) = comment {
            break_at(&mut tree, at, text, COMMENT.to_owned());
        }
        trees.push(tree);
    }
    if let Some(token) = rest.first() {
        let reason = "expected another tree; help: write `tree name { node }`".to_owned();
        return Err(Diagnostic::at(place(text, token.range().start), reason));
    }
    Ok(trees)
}

/// What is between the delimiters of a tree, or a text that is one node.
struct Content<'t> {
    text: &'t str,
    /// All tokens of the text.
    list: &'t [Flat],
    /// Those of the content.
    tokens: &'t [Token],
    place: Range<usize>,
    style: Style,
}

impl Content<'_> {
    /// Reads the root of a tree, and what is around it. Returns an index of the text, and why the tree is not understood.
    fn read(&self, tree: &mut Tree) -> Result<(), (usize, String)> {
        let start = self.place.start;
        let syntax = || self.unknown(Unknown { at: start, is_comment: false });
        let split = self.split().ok_or_else(syntax)?;
        (tree.around.context, tree.around.angles) = (split.context, split.angles);
        let read = item::nodes_in(&split.text, split.tokens, List::default(), split.place);
        let Nodes { mut nodes, begin, end, .. } = read.map_err(|unknown| self.unknown(unknown))?;
        let first = Some(begin).filter(|begin| !begin.is_empty());
        if nodes.len() > 1 {
            return Err((start, "the tree has several roots".to_owned()));
        }
        let Some(mut root) = nodes.pop() else {
            tree.around.end = first.into_iter().chain(end).collect();
            return Ok(());
        };
        root.above.splice(0..0, first);
        (tree.root, tree.around.end) = (Some(Arc::new(root)), end);
        // What is not understood must not get lost.
        let index = |at: usize| self.list.partition_point(|token| token.range().start < at);
        let texts = self.list[index(start)..index(self.place.end)].iter().map(|token| &self.text[token.range()]);
        if has_tokens(&print::tree(tree, self.style), texts) { Ok(()) } else { Err(syntax()) }
    }

    /// Returns the place and the reason of what is unknown: a comment, the first error, or else the syntax.
    fn unknown(&self, Unknown { at, is_comment }: Unknown) -> (usize, String) {
        if is_comment {
            return (at, COMMENT.to_owned());
        }
        let found = error(&self.text[self.place.clone()], self.style == Style::Text);
        found.map_or((at, "unknown syntax".to_owned()), |(at, reason)| (self.place.start + at, reason))
    }

    /// Splits off `for Guard:`, which may have comments before it, and angle brackets.
    fn split(&self) -> Option<Split<'_>> {
        let (text, tokens, place) = (self.text, self.tokens, &self.place);
        let mut split = Split { context: String::new(), angles: None, text: text.into(), tokens, place: place.clone() };
        if tokens.is_empty() {
            return Some(split);
        }
        let (of, inner) = context(tokens, text)?;
        split.tokens = inner;
        if let Some(range) = &of {
            text[range.clone()].clone_into(&mut split.context);
            // Spaces in its place keep the places of nodes.
            split.text.to_mut().replace_range(range.clone(), &" ".repeat(range.len()));
        }
        if let Some(Angles { open, close, inner, .. }) = angles(inner, text).filter(|angles| angles.rest.is_empty()) {
            let begin = of.as_ref().map_or(open.start, |range| range.start);
            let comments = |gap: &str| {
                let Gap { behind, above, .. } = gap::split(gap, true)?;
                Some(Some(behind).filter(|text| !text.is_empty()).into_iter().chain(above).collect())
            };
            let (above, below) = (comments(&text[place.start..begin])?, comments(&text[close.end..place.end])?);
            split.angles = Some(node::Angles { above, below, are_body: false });
            (split.tokens, split.place) = (inner, open.end..close.start);
        }
        Some(split)
    }
}

/// The content of a tree without what is around its root.
struct Split<'t> {
    context: String,
    angles: Option<node::Angles>,
    text: Cow<'t, str>,
    tokens: &'t [Token],
    /// The place of the root with its comments.
    place: Range<usize>,
}

fn break_at(tree: &mut Tree, at: usize, text: &str, reason: String) {
    tree.root = None;
    tree.broken = Some(Diagnostic::at(place(text, at), reason));
}
