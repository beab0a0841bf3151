//! Lines: what fits into one, and what does not.

use std::ops::Range;

use super::expression::{has_comment, in_one_line, is_expression, joined};
use super::item::{Item, Piece, items};
use super::token::{Token, is_pair, range_of};

const INDENT: usize = 4;

/// Where a tree stands in its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The indentation of the line in which `tree!` stands.
    indent: usize,
    /// Whether the line is indented with tabs.
    has_tabs: bool,
    /// The number of characters before the body in this line.
    before: usize,
    /// The number of characters behind the body in its last line.
    behind: usize,
    /// The maximum number of characters in a line.
    width: usize,
}

impl Place {
    /// Returns the place of a body. `text` is what is formatted so far, up to the body, and ends with `tree! ` of `name` bytes.
    pub(super) fn of(source: &str, text: &str, name: usize, body: &Range<usize>, width: usize) -> Self {
        let line = &text[text[..text.len() - name].rfind('\n').map_or(0, |index| index + 1)..];
        let indent = line.chars().take_while(|sign| *sign == ' ').count();
        let has_tabs = line.trim_start_matches(' ').starts_with('\t');
        // The next tree in the line is formatted on its own.
        let behind = source[body.end..].lines().next().unwrap_or_default();
        let behind = behind.split("tree!").next().unwrap_or_default();
        Self { indent, has_tabs, before: line.chars().count(), behind: behind.chars().count(), width }
    }
}

/// Formats the body of a `tree!`, with its delimiters. Returns `None` if it must stay as it is.
pub(super) fn write_tree(tokens: &[Token], source: &str, body: &Range<usize>, place: Place) -> Option<String> {
    let text = &source[body.clone()];
    let (open, close) = (&text[..1], &text[text.len() - 1..]);
    // Tabs have no known width.
    if place.has_tabs || text.contains('\t') || text.contains('\r') {
        return None;
    }
    let (context, tokens) = context(tokens, source)?;
    let items = items(tokens, source)?;
    let [root] = &*items else { return None };
    if root.end != root.range.end || open == "{" && !root.attributes.is_empty() && context.is_some() {
        return None;
    }
    let writer = Writer { source, width: place.width };
    let prefix = match &context {
        Some(context) => format!("{} ", joined(&source[context.clone()])?),
        None => String::new(),
    };
    let gap_before = &source[body.start + 1..context.as_ref().map_or(root.range.start, |context| context.start)];
    let gap_between = context.as_ref().map_or("", |context| &source[context.end..root.range.start]);
    let gap_behind = &source[root.end..body.end - 1];
    if !gap_between.trim().is_empty() {
        return None;
    }
    let space = if open == "{" { " " } else { "" };
    if gap_before.trim().is_empty()
        && gap_behind.trim().is_empty()
        && let Some(line) = writer.flat(root)
    {
        let line = format!("{open}{space}{prefix}{line}{space}{close}");
        if place.before + line.chars().count() + place.behind <= place.width {
            return Some(line);
        }
    }
    let mut lines = Lines::default();
    let inner = place.indent + INDENT;
    lines.comments(gap_before, inner, false)?;
    writer.item(root, inner, &prefix, "", &mut lines)?;
    lines.comments(gap_behind, inner, true)?;
    Some(format!("{open}\n{}{}{close}", lines.0, " ".repeat(place.indent)))
}

/// Splits off `for Context:`.
fn context<'a>(tokens: &'a [Token], source: &str) -> Option<(Option<Range<usize>>, &'a [Token])> {
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

/// Lines of a formatted tree.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, indent: usize, text: &str) {
        self.0.push_str(&" ".repeat(indent));
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// Writes the comments and blank lines between two items. At the end of a list, blank lines before the brace are dropped. Returns `None` for a comment that has something
    /// behind it.
    fn comments(&mut self, gap: &str, indent: usize, at_end: bool) -> Option<()> {
        // The first part is the rest of the line before.
        let (first, rest) = gap.split_once('\n').unwrap_or((gap, ""));
        let first = first.trim();
        if !first.is_empty() {
            if !first.starts_with("//") {
                return None;
            }
            // A comment at the end of the line before.
            if self.0.ends_with('\n') && !self.0.is_empty() {
                self.0.pop();
                self.0.push(' ');
                self.0.push_str(first);
                self.0.push('\n');
            } else {
                self.line(indent, first);
            }
        }
        let lines: Vec<_> = rest.split('\n').map(str::trim).collect();
        // The last part is the indentation of what follows.
        let (last, lines) = lines.split_last()?;
        if !last.is_empty() {
            return None;
        }
        let keep = if at_end {
            lines.iter().rposition(|line| !line.is_empty()).map_or(0, |index| index + 1)
        } else {
            lines.len()
        };
        for line in &lines[..keep] {
            if line.is_empty() {
                self.0.push('\n');
            } else if line.starts_with("//") {
                self.line(indent, line);
            } else {
                return None;
            }
        }
        Some(())
    }
}

struct Writer<'a> {
    source: &'a str,
    width: usize,
}

impl Writer<'_> {
    /// Returns an item in one line, without a comma. `None` if it contains comments or blank lines, or text that needs several lines.
    fn flat(&self, item: &Item<'_>) -> Option<String> {
        let mut parts = Vec::new();
        for attribute in &item.attributes {
            parts.push(joined(&self.source[attribute.clone()])?);
        }
        let begin = item.attributes.last().map_or(item.range.start, |attribute| attribute.end);
        let mut last = begin;
        for piece in &item.pieces {
            match piece {
                Piece::Text(tokens) => {
                    let range = range_of(tokens)?;
                    self.blank(last..range.start)?;
                    parts.push(self.text(tokens)?);
                    last = range.end;
                }
                Piece::List { open, close, items } => {
                    self.blank(last..open.start)?;
                    parts.push(self.flat_list(open, close, items)?);
                    last = close.end;
                }
            }
        }
        Some(parts.join(" "))
    }

    fn flat_list(&self, open: &Range<usize>, close: &Range<usize>, items: &[Item<'_>]) -> Option<String> {
        let mut line = "{".to_owned();
        let mut last = open.end;
        for (index, item) in items.iter().enumerate() {
            self.blank(last..item.range.start)?;
            self.blank(item.range.end..item.end)?;
            line.push(' ');
            line.push_str(&self.flat(item)?);
            if !item.ends_with_list() && index + 1 < items.len() {
                line.push(',');
            }
            last = item.end;
        }
        // Blank lines at the end are dropped.
        self.no_comment(last..close.start)?;
        line.push_str(if items.is_empty() { "}" } else { " }" });
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
        if let Some(line) = in_one_line(text) {
            return Some(line);
        }
        // Statements have lines of their own.
        if text.contains('\n') && is_expression(text) {
            return None;
        }
        for keyword in ["if ", "match ", "else if "] {
            if let Some(condition) = text.strip_prefix(keyword).and_then(in_one_line) {
                return Some(format!("{keyword}{condition}"));
            }
        }
        // A weight or a score, and the node behind it.
        let arrow = (0..tokens.len()).find(|index| is_pair(&tokens[*index..], self.source, "=", ">"));
        if let Some(arrow) = arrow.filter(|arrow| *arrow > 0 && *arrow + 2 < tokens.len()) {
            self.no_comment(tokens[arrow - 1].range().end..tokens[arrow].range().start)?;
            self.no_comment(tokens[arrow + 1].range().end..tokens[arrow + 2].range().start)?;
            return Some(format!("{} => {}", self.text(&tokens[..arrow])?, self.text(&tokens[arrow + 2..])?));
        }
        // A label.
        if let [call @ .., label] = tokens
            && !call.is_empty()
            && self.source[label.range()].starts_with('"')
            && !self.source[label.range()].contains('\n')
            && let Some(line) = in_one_line(&self.source[range_of(call)?])
        {
            self.no_comment(range_of(call)?.end..label.range().start)?;
            return Some(format!("{line} {}", &self.source[label.range()]));
        }
        joined(text)
    }

    /// Writes an item in as few lines as possible. `prefix` stands before it, and `comma` behind it.
    fn item(&self, item: &Item<'_>, indent: usize, prefix: &str, comma: &str, lines: &mut Lines) -> Option<()> {
        if let Some(line) = self.flat(item)
            && indent + prefix.chars().count() + line.chars().count() + comma.len() <= self.width
        {
            lines.line(indent, &format!("{prefix}{line}{comma}"));
            return Some(());
        }
        let mut start = prefix.to_owned();
        let mut last = item.range.start;
        for attribute in &item.attributes {
            self.no_comment(last..attribute.start)?;
            lines.line(indent, &joined(&self.source[attribute.clone()])?);
            last = attribute.end;
        }
        for (index, piece) in item.pieces.iter().enumerate() {
            match piece {
                Piece::Text(tokens) => {
                    let range = range_of(tokens)?;
                    self.no_comment(last..range.start)?;
                    match self.text(tokens) {
                        Some(text) => start.push_str(&text),
                        None => start.push_str(&self.verbatim(&range, indent)),
                    }
                    last = range.end;
                }
                Piece::List { open, close, items } => {
                    self.no_comment(last..open.start)?;
                    lines.line(indent, &format!("{start} {{"));
                    self.list(items, open.end..close.start, indent + INDENT, lines)?;
                    last = close.end;
                    start = if index + 1 < item.pieces.len() { "} ".to_owned() } else { "}".to_owned() };
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
            lines.comments(&self.source[last..item.range.start], indent, false)?;
            self.no_comment(item.range.end..item.end)?;
            self.item(item, indent, "", if item.ends_with_list() { "" } else { "," }, lines)?;
            last = item.end;
        }
        lines.comments(&self.source[last..inner.end], indent, true)
    }

    /// Returns `None` if there is a comment in this part.
    fn no_comment(&self, gap: Range<usize>) -> Option<()> {
        self.source[gap].chars().all(|sign| sign.is_whitespace() || sign == ',').then_some(())
    }

    /// Returns a text of several lines as it is, moved to this indentation.
    fn verbatim(&self, range: &Range<usize>, indent: usize) -> String {
        let text = &self.source[range.clone()];
        let begin = self.source[..range.start].rfind('\n').map_or(0, |index| index + 1);
        let old = self.source[begin..].chars().take_while(|sign| *sign == ' ').count();
        // The lines of a literal are its content.
        if text.contains('"') && !has_comment(text) && text.lines().count() > 1 && literal_has_lines(text) {
            return text.to_owned();
        }
        let mut lines = text.split('\n');
        let mut moved = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            moved.push('\n');
            let spaces = line.chars().take_while(|sign| *sign == ' ').count();
            if spaces < line.len() {
                moved.push_str(&" ".repeat((spaces + indent).saturating_sub(old)));
                moved.push_str(&line[spaces..]);
            }
        }
        moved
    }
}

/// Returns `true` if a literal in the text has several lines.
fn literal_has_lines(text: &str) -> bool {
    fn any(stream: proc_macro2::TokenStream) -> bool {
        stream.into_iter().any(|token| match token {
            proc_macro2::TokenTree::Group(group) => any(group.stream()),
            proc_macro2::TokenTree::Literal(literal) => literal.to_string().contains('\n'),
            _ => false,
        })
    }
    text.parse().is_ok_and(any)
}
