//! Lines: what fits into one, and what does not.

use std::cell::Cell;
use std::ops::Range;

use super::comment::{Comment, INDENT, comments_of, indentation, push_indent};
use super::expression::{Known, has_comment, is_expression, joined};
use super::item::{Item, List, Piece, angles, items};
use super::lines::Lines;
use crate::lex::{Token, is_pair, range_of, ranges};

/// The maximum length of a text that is formatted, in bytes. A longer one fits in no line, and parsing needs stack for each of its operators.
const MAX_TEXT: usize = 1000;

/// What is around the content of a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Delimiters {
    /// Those of `tree!`, which begins so many bytes before them.
    OfMacro { name: usize },
    /// The braces of a tree in a text.
    Braces,
    /// Nothing: the text is one node, or the content has angle brackets.
    None,
}

/// The place of a tree in its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The indentation of the line with `tree!`, in columns.
    indent: usize,
    /// Whether lines are indented with tabs.
    has_tabs: bool,
    /// The number of characters before the body in this line.
    before: usize,
    /// The number of characters after the body in its last line.
    behind: usize,
    /// The maximum number of characters in a line.
    width: usize,
    /// Whether the body has no delimiters.
    is_bare: bool,
}

impl Place {
    /// Returns the place of a body. `text` is what is formatted so far, up to the body.
    pub(super) fn of(source: &str, text: &str, around: Delimiters, body: &Range<usize>, width: usize) -> Self {
        let lines = &source[body.clone()];
        let has_tabs = lines.starts_with('\t') || lines.contains("\n\t");
        let line_at = |end: usize| &text[text[..end].rfind('\n').map_or(0, |index| index + 1)..];
        let Delimiters::OfMacro { name } = around else {
            let before = line_at(text.len()).chars().count();
            return Self { indent: 0, has_tabs, before, behind: 0, width, is_bare: around == Delimiters::None };
        };
        let line = line_at(text.len() - name);
        let (indent, count) = indentation(line);
        let has_tabs = if indent > 0 { line.starts_with('\t') } else { has_tabs };
        // The next tree in the line is formatted on its own.
        let behind = source[body.end..].lines().next().unwrap_or_default();
        let behind = behind.split("tree!").next().unwrap_or_default().chars().count();
        Self { indent, has_tabs, before: indent + line.chars().count() - count, behind, width, is_bare: false }
    }
}

/// Formats the body of a `tree!`, with its delimiters. If it must stay as it is, returns where the reason for that is in the source.
pub(super) fn write_tree(
    tokens: &[Token],
    source: &str,
    body: &Range<usize>,
    place: Place,
    known: &Known,
) -> Result<String, usize> {
    let writer = Writer { source, known, width: place.width, has_tabs: place.has_tabs, unknown: Cell::new(body.start) };
    writer.tree(tokens, body, place).ok_or(writer.unknown.get())
}

/// Formats the children of a list, one below the other. Returns `None` if they must stay as they are.
#[cfg(feature = "edit")]
pub(super) fn write_children(
    source: &str,
    of: List,
    (indent, has_tabs): (usize, bool),
    (width, known): (usize, &Known),
) -> Option<String> {
    let tokens = crate::lex::tokens(source).ok()?;
    let mut lines = Lines { text: String::new(), has_tabs };
    let writer = Writer { source, known, width, has_tabs, unknown: Cell::new(0) };
    writer.list(&items(&tokens, source, of)?, 0..source.len(), indent, &mut lines)?;
    Some(lines.text)
}

/// Splits off `for Context:`.
pub(crate) fn context<'a>(tokens: &'a [Token], source: &str) -> Option<(Option<Range<usize>>, &'a [Token])> {
    if !tokens.first()?.is(source, "for") {
        return Some((None, tokens));
    }
    let mut index = 1;
    while index < tokens.len() {
        if is_pair(&tokens[index..], source, ":", ":") {
            index += 2;
        } else if tokens[index].is(source, ":") {
            return Some((range_of(&tokens[..=index]), &tokens[index + 1..]));
        } else {
            index += 1;
        }
    }
    None
}

struct Writer<'a> {
    source: &'a str,
    known: &'a Known,
    width: usize,
    has_tabs: bool,
    /// Where the comment or the syntax begins that is not known.
    unknown: Cell<usize>,
}

impl Writer<'_> {
    /// Formats the body of a tree. Returns `None` if it must stay as it is.
    fn tree(&self, tokens: &[Token], body: &Range<usize>, place: Place) -> Option<String> {
        let source = self.source;
        let text = &source[body.clone()];
        let inner = if place.is_bare { body.clone() } else { body.start + 1..body.end - 1 };
        let (open, close) = (&source[body.start..inner.start], &source[inner.end..body.end]);
        if text.contains('\r') {
            return None;
        }
        let (context, tokens) = context(tokens, source)?;
        let angles = angles(tokens, source).filter(|angles| angles.rest.is_empty());
        let items = items(angles.as_ref().map_or(tokens, |angles| angles.inner), source, List::default())?;
        let [root] = &*items else { return None };
        if root.end != root.range.end {
            return None;
        }
        let prefix = match &context {
            Some(context) => format!("{} ", joined(&source[context.clone()])?),
            None => String::new(),
        };
        // What is around the root, in angle brackets if there are any, and what is around these.
        let outer = angles.as_ref().map_or(root.range.clone(), |angles| angles.open.start..angles.close.end);
        let before = inner.start..context.as_ref().map_or(outer.start, |context| context.start);
        let behind = outer.end..inner.end;
        let inside = angles.as_ref().map(|angles| [angles.open.end..root.range.start, root.end..angles.close.start]);
        if let Some(context) = &context {
            self.no_comment(context.end..outer.start)?;
        }
        let is_blank = |gap: &Range<usize>| source[gap.clone()].trim().is_empty();
        let is_alone = is_blank(&before) && is_blank(&behind);
        let space = if open == "{" { " " } else { "" };
        if is_alone
            && inside.iter().flatten().all(is_blank)
            && let Some(line) = self.flat(root, place.width)
        {
            let line = if inside.is_some() { format!("< {line} >") } else { line };
            let line = format!("{open}{space}{prefix}{line}{space}{close}");
            if place.before + line.chars().count() + place.behind <= place.width {
                return Some(line);
            }
        }
        let mut lines = Lines { text: String::new(), has_tabs: place.has_tabs };
        let indent = place.indent + if place.is_bare { 0 } else { INDENT };
        let line = if place.is_bare { "" } else { "\n" };
        let Some([first, last]) = inside else {
            lines.comments(&self.comments(before)?, indent, false);
            self.item(root, indent, &prefix, "", &mut lines)?;
            lines.comments(&self.comments(behind)?, indent, true);
            return Some(around(format!("{open}{line}{}", lines.text), &place, close));
        };
        // Angle brackets are in the lines of the braces, if no comment divides them.
        let of_root = INDENT + if is_alone { place.indent } else { indent };
        if !is_alone {
            lines.comments(&self.comments(before)?, indent, false);
            lines.line(indent, &format!("{prefix}<"));
        }
        let mut begin = if is_alone { format!("{open}{space}{prefix}<\n") } else { format!("{open}{line}") };
        lines.comments(&self.comments(first)?, of_root, false);
        self.item(root, of_root, "", "", &mut lines)?;
        lines.comments(&self.comments(last)?, of_root, true);
        if !is_alone {
            lines.line(indent, ">");
            lines.comments(&self.comments(behind)?, indent, true);
        }
        begin.push_str(&lines.text);
        Some(around(begin, &place, &if is_alone { format!(">{space}{close}") } else { close.to_owned() }))
    }

    /// Returns an item in one line of at most `most` characters, without a comma. `None` if it contains comments or blank lines, or text that needs several
    /// lines. What follows the end of a line is not looked at, since each level of a tree would look at all below it.
    fn flat(&self, item: &Item<'_>, most: usize) -> Option<String> {
        let mut line = String::new();
        let left = |line: &str| most.checked_sub(line.chars().count());
        let add = |line: &mut String, part: &str| {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(part);
            left(line).map(|_| ())
        };
        for attribute in &item.attributes {
            add(&mut line, &self.attribute(attribute)?)?;
        }
        let mut last = item.attributes.last().map_or(item.range.start, |attribute| attribute.end);
        for piece in &item.pieces {
            match piece {
                Piece::Text(tokens) => {
                    let range = range_of(tokens)?;
                    self.blank(last..range.start)?;
                    add(&mut line, &self.text(tokens)?)?;
                    last = range.end;
                }
                Piece::List { open, close, items } => {
                    self.blank(last..open.start)?;
                    let list = self.flat_list(open, close, items, left(&line)?)?;
                    add(&mut line, &list)?;
                    last = close.end;
                }
            }
        }
        Some(line)
    }

    fn flat_list(&self, open: &Range<usize>, close: &Range<usize>, items: &[Item<'_>], most: usize) -> Option<String> {
        let mut line = self.source[open.clone()].to_owned();
        let mut last = open.end;
        for (index, item) in items.iter().enumerate() {
            self.blank(last..item.range.start)?;
            self.blank(item.range.end..item.end)?;
            line.push(' ');
            line.push_str(&self.flat(item, most.checked_sub(line.chars().count())?)?);
            if !item.ends_with_list() && index + 1 < items.len() {
                line.push(',');
            }
            last = item.end;
        }
        // Blank lines at the end are dropped.
        self.no_comment(last..close.start)?;
        if !items.is_empty() {
            line.push(' ');
        }
        line.push_str(&self.source[close.clone()]);
        Some(line)
    }

    /// Returns `None` if there is a comment or a blank line in this part.
    fn blank(&self, gap: Range<usize>) -> Option<()> {
        let gap = &self.source[gap];
        let is_blank = gap.chars().all(|sign| sign.is_whitespace() || sign == ',');
        (is_blank && gap.matches('\n').count() < 2).then_some(())
    }

    /// Returns a text in one line, formatted.
    fn text(&self, tokens: &[Token]) -> Option<String> {
        let text = &self.source[range_of(tokens)?];
        if text.len() > MAX_TEXT {
            return (!text.contains('\n')).then(|| text.to_owned());
        }
        if let Some(line) = self.known.in_one_line(text) {
            return Some(line);
        }
        // Statements have lines of their own.
        if text.contains('\n') && is_expression(text) {
            return None;
        }
        let first = |word| tokens.first().is_some_and(|first| first.is(self.source, word));
        if (first("if") || first("match") || first("else")) && tokens.len() > 1 {
            self.no_comment(tokens[0].range().end..tokens[1].range().start)?;
            return Some(format!("{} {}", &self.source[tokens[0].range()], self.text(&tokens[1..])?));
        }
        if let [word, colon, rest @ ..] = tokens
            && (first("enter") || first("exit"))
            && colon.is(self.source, ":")
            && !rest.is_empty()
        {
            self.no_comment(word.range().end..colon.range().start)?;
            self.no_comment(colon.range().end..rest[0].range().start)?;
            return Some(format!("{}: {}", &self.source[word.range()], self.text(rest)?));
        }
        // A label.
        if let [call @ .., label] = tokens
            && !call.is_empty()
            && self.source[label.range()].starts_with('"')
            && !self.source[label.range()].contains('\n')
            && let Some(line) = self.known.in_one_line(&self.source[range_of(call)?])
        {
            self.no_comment(range_of(call)?.end..label.range().start)?;
            return Some(format!("{line} {}", &self.source[label.range()]));
        }
        // A weight or a score, and the node behind it; a condition, and the state behind it.
        for (one, other) in [("=", ">"), ("-", ">")] {
            let is_arrow = |index: &usize| is_pair(&tokens[*index..], self.source, one, other);
            // A condition may be a closure with a return type.
            let arrow = if one == "-" { (0..tokens.len()).rfind(is_arrow) } else { (0..tokens.len()).find(is_arrow) };
            if let Some(arrow) = arrow {
                let (left, right) = (&tokens[..arrow], &tokens[arrow + 2..]);
                let mut parts = Vec::new();
                if let Some(last) = left.last() {
                    self.no_comment(last.range().end..tokens[arrow].range().start)?;
                    parts.push(self.text(left)?);
                }
                parts.push(format!("{one}{other}"));
                if let Some(first) = right.first() {
                    self.no_comment(tokens[arrow + 1].range().end..first.range().start)?;
                    parts.push(self.text(right)?);
                }
                return Some(parts.join(" "));
            }
        }
        joined(text)
    }

    /// Writes an item in as few lines as possible. `prefix` is written before it, and `comma` after it.
    fn item(&self, item: &Item<'_>, indent: usize, prefix: &str, comma: &str, lines: &mut Lines) -> Option<()> {
        let around = indent + prefix.chars().count() + comma.len();
        if let Some(line) = self.width.checked_sub(around).and_then(|most| self.flat(item, most)) {
            lines.line(indent, &format!("{prefix}{line}{comma}"));
            return Some(());
        }
        let mut start = prefix.to_owned();
        let mut last = item.range.start;
        for attribute in &item.attributes {
            self.no_comment(last..attribute.start)?;
            lines.line(indent, &(std::mem::take(&mut start) + &self.attribute(attribute)?));
            last = attribute.end;
        }
        for (index, piece) in item.pieces.iter().enumerate() {
            match piece {
                Piece::Text(tokens) => {
                    let range = range_of(tokens)?;
                    self.no_comment(last..range.start)?;
                    match self.text(tokens) {
                        Some(text) => start.push_str(&text),
                        None => start.push_str(&moved(self.source, &range, indent, self.has_tabs)),
                    }
                    last = range.end;
                }
                Piece::List { open, close, items } => {
                    self.no_comment(last..open.start)?;
                    lines.line(indent, &format!("{start} {}", &self.source[open.clone()]));
                    self.list(items, open.end..close.start, indent + INDENT, lines)?;
                    last = close.end;
                    self.source[close.clone()].clone_into(&mut start);
                    if index + 1 < item.pieces.len() {
                        start.push(' ');
                    }
                }
            }
        }
        lines.line(indent, &format!("{start}{comma}"));
        Some(())
    }

    /// Writes the items of a list, one below the other, with the comments and blank lines between them.
    fn list(&self, items: &[Item<'_>], inner: Range<usize>, indent: usize, lines: &mut Lines) -> Option<()> {
        let mut last = inner.start;
        for item in items {
            lines.comments(&self.comments(last..item.range.start)?, indent, false);
            self.no_comment(item.range.end..item.end)?;
            self.item(item, indent, "", if item.ends_with_list() { "" } else { "," }, lines)?;
            last = item.end;
        }
        lines.comments(&self.comments(last..inner.end)?, indent, true);
        Some(())
    }

    /// Returns `None` if there is a comment in this part.
    fn no_comment(&self, gap: Range<usize>) -> Option<()> {
        let found = self.source[gap.clone()].find(|sign: char| !(sign.is_whitespace() || sign == ','));
        found.inspect(|at| self.unknown.set(gap.start + at)).is_none().then_some(())
    }

    /// Returns the comments between two items.
    fn comments(&self, gap: Range<usize>) -> Option<Vec<Comment<'_>>> {
        self.unknown.set(gap.start);
        comments_of(&self.source[gap])
    }

    /// Returns an attribute in one line.
    fn attribute(&self, attribute: &Range<usize>) -> Option<String> {
        self.unknown.set(attribute.start);
        joined(&self.source[attribute.clone()])
    }
}

/// Returns a text of several lines with the closing delimiter of its tree in the last line.
fn around(mut text: String, place: &Place, close: &str) -> String {
    if close.is_empty() {
        return text.trim().to_owned();
    }
    push_indent(&mut text, place.indent, place.has_tabs);
    text + close
}

/// Returns a text of several lines as it is, moved to this indentation.
pub(crate) fn moved(source: &str, range: &Range<usize>, indent: usize, has_tabs: bool) -> String {
    let text = &source[range.clone()];
    if !text.contains('\n') {
        return text.to_owned();
    }
    let begin = source[..range.start].rfind('\n').map_or(0, |index| index + 1);
    let (old, _) = indentation(&source[begin..]);
    // The lines of a literal are its content.
    if text.contains('"') && !has_comment(text) && literal_has_lines(text) {
        return text.to_owned();
    }
    let mut lines = text.split('\n');
    let mut moved = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        moved.push('\n');
        let (columns, count) = indentation(line);
        if count < line.len() {
            push_indent(&mut moved, (columns + indent).saturating_sub(old), has_tabs);
            moved.push_str(&line[count..]);
        }
    }
    moved
}

/// Returns `true` if a literal in the text has several lines.
pub(crate) fn literal_has_lines(text: &str) -> bool {
    let is_literal = |token: &str| token.contains('\n') && !token.starts_with('/');
    ranges(text).is_ok_and(|mut ranges| ranges.any(|range| is_literal(&text[range])))
}
