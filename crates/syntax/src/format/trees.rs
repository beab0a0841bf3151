//! The trees of a source or a text, each formatted in its place.

use std::ops::Range;

use super::compare::{error, has_same_code};
use super::expression::Known;
#[cfg(feature = "edit")]
use super::item;
use super::item::{Angles, angles};
#[cfg(feature = "edit")]
use super::layout;
use super::layout::{Delimiters, Place, write_tree};
use crate::file;
use crate::lex::{NoTokens, Token, place, tokens};

/// A source that is not Rust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRust {
    /// The error, with line and column.
    pub message: String,
}

/// A source with formatted trees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formatted {
    pub text: String,
    /// The reasons for trees that stay unchanged.
    pub left: Vec<Left>,
}

/// The reason why a tree stays unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// The line of the comment or of the syntax, counted from 1.
    pub line: usize,
    /// `true` for a comment in an unexpected place, `false` for unknown syntax, which may belong to another macro.
    pub is_comment: bool,
    /// The syntax error, if it is one of a tree.
    pub error: Option<String>,
}

/// The number of runs after which a source that still changes is returned as it is then.
const MOST_RUNS: usize = 5;

/// Formats all trees in a source. Trees with unknown syntax, and trees in an item or a statement with `#[rustfmt::skip]`, stay unchanged.
/// `width` is the maximum number of characters in a line.
///
/// # Errors
///
/// Returns an error if the source is not Rust.
pub fn format(source: &str, width: usize) -> Result<Formatted, NotRust> {
    format_some(source, width, Trees::WithoutErrors)
}

/// Formats only the tree whose content begins at an index of the source, wherever it is, and also if it has errors.
#[cfg(feature = "edit")]
pub(crate) fn format_at(source: &str, width: usize, content: usize) -> Result<Formatted, NotRust> {
    format_some(source, width, Trees::At(content))
}

/// Formats children of a list, one below the other, with this indentation. Returns `None` if they must stay as they are.
#[cfg(feature = "edit")]
pub(crate) fn format_children(
    nodes: &str,
    of: item::List,
    (indent, has_tabs): (usize, bool),
    width: usize,
) -> Option<String> {
    let known = Known::default();
    let mut text = nodes.to_owned();
    for _ in 0..MOST_RUNS {
        let next = format!("\n{}", layout::write_children(&text, of, (indent, has_tabs), (width, &known))?);
        if next == text {
            break;
        }
        text = next;
    }
    has_same_code(&text, nodes).then_some(text)
}

/// The trees that are formatted.
#[cfg_attr(not(feature = "edit"), expect(dead_code, reason = "only documents that are edited need the others"))]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trees {
    /// Those without syntax errors that are not skipped.
    WithoutErrors,
    /// Those of the text of a file.
    OfText { with_errors: bool },
    /// That whose content begins at an index.
    At(usize),
}

pub(super) fn format_some(source: &str, width: usize, which: Trees) -> Result<Formatted, NotRust> {
    file::on_a_thread(|| format_all(source, width, which))
}

fn format_all(source: &str, width: usize, which: Trees) -> Result<Formatted, NotRust> {
    // Trees are written with plain ends of lines. A file of several kinds keeps them all, and its trees.
    let has_returns = source.contains("\r\n") && source.matches("\r\n").count() == source.matches('\n').count();
    let mut text = if has_returns { source.replace("\r\n", "\n") } else { source.to_owned() };
    // The lines of the source, which the first run sees.
    let mut left = None;
    let known = Known::default();
    for _ in 0..MOST_RUNS {
        let next = format_once(&text, width, which, &known)?;
        left = left.or(Some(next.left));
        if next.text == text {
            break;
        }
        text = next.text;
    }
    if has_returns {
        text = text.replace('\n', "\r\n");
    }
    Ok(Formatted { text, left: left.unwrap_or_default() })
}

fn format_once(source: &str, width: usize, which: Trees, known: &Known) -> Result<Formatted, NotRust> {
    let tokens = tokens(source).map_err(|error| not_rust(source, &error))?;
    let mut output = Output { source, width, which, known, copied: 0, formatted: Formatted::default() };
    match which {
        Trees::OfText { .. } => bodies(&tokens, &mut output),
        Trees::WithoutErrors if is_skipped(&tokens, source) => {}
        Trees::WithoutErrors | Trees::At(_) => find(&tokens, &mut output),
    }
    output.formatted.text.push_str(&source[output.copied..]);
    Ok(output.formatted)
}

fn not_rust(source: &str, error: &NoTokens) -> NotRust {
    NotRust { message: format!("{}: {}", place(source, error.at), error.reason) }
}

/// The output so far.
struct Output<'a> {
    source: &'a str,
    width: usize,
    which: Trees,
    known: &'a Known,
    /// The end of what is in the text.
    copied: usize,
    formatted: Formatted,
}

impl Output<'_> {
    /// Leaves a tree as it is, because of what is at this place.
    fn leave(&mut self, at: usize, error: Option<String>) {
        let line = self.source[..at].matches('\n').count() + 1;
        let is_comment = self.source[at..].starts_with("//") || self.source[at..].starts_with("/*");
        self.formatted.left.push(Left { line, is_comment, error });
    }

    /// Formats a tree.
    fn tree(&mut self, inner: &[Token], body: &Range<usize>, around: Delimiters) {
        let source = self.source;
        let old = &source[body.clone()];
        let content = match around {
            Delimiters::OfMacro { .. } | Delimiters::Braces => body.start + 1..body.end - 1,
            Delimiters::None => body.clone(),
        };
        let (checks, is_text) = match self.which {
            Trees::WithoutErrors => (true, false),
            Trees::OfText { with_errors } => (!with_errors, true),
            // The trees of a macro have another syntax.
            Trees::At(at) if at != content.start => return,
            Trees::At(_) => (false, false),
        };
        if inner.is_empty() && around != Delimiters::Braces || old.contains('$') {
            return;
        }
        if checks && let Some((at, error)) = error(&source[content.clone()], is_text) {
            return self.leave(content.start + at, Some(error));
        }
        self.formatted.text.push_str(&source[self.copied..body.start]);
        self.copied = body.start;
        let place = Place::of(source, &self.formatted.text, around, body, self.width);
        match write_tree(inner, source, body, place, self.known) {
            Ok(text) if text == old || has_same_code(&text, old) => {
                self.formatted.text.push_str(&text);
                self.copied = body.end;
            }
            Ok(_) => self.leave(body.start, None),
            Err(unknown) => self.leave(unknown, None),
        }
    }
}

/// Returns the index after an item or a statement.
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

/// Returns `true` for a source with `#![rustfmt::skip]`.
fn is_skipped(tokens: &[Token], source: &str) -> bool {
    tokens.windows(3).any(|three| {
        let [hash, bang, group] = three else { return false };
        hash.is(source, "#") && bang.is(source, "!") && source[group.range()] == *"[rustfmt::skip]"
    })
}

/// Returns `true` for an attribute by which rustfmt skips what follows, or its trees.
fn is_skip(attribute: &str) -> bool {
    let attribute: String = attribute.chars().filter(|sign| !sign.is_whitespace()).collect();
    let macros = attribute.strip_prefix("[rustfmt::skip::macros(").and_then(|rest| rest.strip_suffix(")]"));
    matches!(
        &*attribute,
        "[rustfmt::skip]" | "[rustfmt_skip]" | "[cfg_attr(rustfmt,rustfmt_skip)]" | "[cfg_attr(rustfmt,rustfmt::skip)]"
    ) || macros.is_some_and(|macros| macros.split(',').any(|name| name == "tree"))
}

/// Finds all calls of `tree!`, also in other groups, and formats their bodies.
fn find(tokens: &[Token], output: &mut Output<'_>) {
    let source = output.source;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if let [hash, group @ Token::Group { .. }, ..] = &tokens[index..]
            && hash.is(source, "#")
            && is_skip(&source[group.range()])
            && !matches!(output.which, Trees::At(_))
        {
            index = end_of_item(tokens, index + 2, source);
            continue;
        }
        if let [name, bang, Token::Group { open, close, inner, .. }, ..] = &tokens[index..]
            && name.is(source, "tree")
            && bang.is(source, "!")
            && source[name.range().end..open.start].trim() == "!"
        {
            let around = Delimiters::OfMacro { name: open.start - name.range().start };
            output.tree(inner, &(open.start..close.end), around);
            index += 3;
            continue;
        }
        if let Token::Group { inner, .. } = token {
            find(inner, output);
        }
        index += 1;
    }
}

/// Formats the content of each `tree name { node }` and `tree name < node >` of a text, or the whole text.
fn bodies(mut tokens: &[Token], output: &mut Output<'_>) {
    let text = output.source;
    if !matches!(tokens, [tree, Token::Leaf { .. }, ..] if tree.is(text, "tree")) {
        return output.tree(tokens, &(0..text.len()), Delimiters::None);
    }
    // The number of tokens of the head of a tree, and what begins none.
    let (mut head, mut stray) = (0, None);
    while let Some((token, rest)) = tokens.split_first() {
        let begin = tokens;
        tokens = rest;
        if let Some(Angles { open, close, rest, .. }) = angles(begin, text) {
            output.tree(&begin[..begin.len() - rest.len()], &(open.start..close.end), Delimiters::None);
            (head, tokens) = (0, rest);
        } else if let Some((open, close, inner)) = token.braces() {
            output.tree(inner, &(open.start..close.end), Delimiters::Braces);
            head = 0;
        } else {
            let is_stray = head == 0 && !token.is(text, "tree");
            stray = stray.or(Some(token.range().start).filter(|_| is_stray));
            head += 1;
        }
    }
    if let (Some(stray), Trees::OfText { with_errors: false }) = (stray, output.which) {
        output.leave(stray, Some("expected another tree; help: write `tree name { node }`".to_owned()));
    }
}
