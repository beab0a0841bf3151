//! Documents as sources and texts.

use std::fmt::Write;

use proc_macro2::Literal;

use super::document::Document;
use super::gap::DISABLED;
use super::item::{OFF, is_cfg};
use super::lines::Writer;
use super::node::{Node, Open, Style, Tree};
use crate::format::{self, Plain, comment};

/// The maximum number of characters in a line of a node that is left out.
const WIDTH: usize = 80;

/// Returns a source with its trees and functions, written from the last to the first, so that places stay. Lines that have not changed stay as they
/// are, and so does everything outside of trees.
pub(super) fn source(document: &Document) -> Result<String, String> {
    let plain = Plain::of(&document.source);
    let (mut text, mut writer) = (plain.text.clone().into_owned(), Writer::new(document, &plain.text));
    for tree in document.trees.iter().rev().filter(|tree| !tree.is_as_read()) {
        if let Some(edits) = writer.edits(tree) {
            text = edits.apply(&text, 0..text.len());
            continue;
        }
        let printed = self::tree(tree, Style::Source);
        let content = if printed.is_empty() { printed } else { format!("\n{printed}") };
        let start = match (&tree.around.place, &tree.around.function) {
            (Some(place), _) => {
                text.replace_range(place.clone(), &content);
                place.start
            }
            (None, Some(function)) => {
                let (opening, closing) = (function.opening(), function.closing());
                text.insert_str(function.end, &format!("{opening}{content}{closing}"));
                function.end + opening.len()
            }
            (None, None) => continue,
        };
        text = format::format_at(&text, document.width, start).map_err(|error| error.message)?.text;
    }
    Ok(plain.restore(text))
}

/// Returns a text with its trees, in the same way.
pub(super) fn blocks(document: &Document) -> Result<String, String> {
    let plain = Plain::of(&document.source);
    let (mut text, mut writer) = (plain.text.clone().into_owned(), Writer::new(document, &plain.text));
    // A tree without lines of its own is indented as the others.
    let has_tabs = |tree: &str| {
        let is_indented = |text: &&str| text.contains("\n ") || text.contains("\n\t");
        [tree, &plain.text].into_iter().find(is_indented).is_some_and(|text| text.contains("\n\t"))
    };
    let changed = document.trees.iter().filter(|tree| !tree.is_as_read());
    let changed = changed.filter_map(|tree| Some((tree.around.place.clone()?, Some(tree))));
    let removed = document.removed.iter().map(|place| (place.clone(), None));
    let mut places: Vec<_> = changed.chain(removed).collect();
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    for (place, tree) in places {
        let Some(tree) = tree else {
            let line = text[place.end..].find(|sign: char| !sign.is_whitespace());
            text.replace_range(place.start..line.map_or(text.len(), |line| place.end + line), "");
            continue;
        };
        if let Some(edits) = writer.edits(tree) {
            text = edits.apply(&text, 0..text.len());
            continue;
        }
        let block = formatted(tree, document.width, has_tabs(&plain.text[place.clone()]))?;
        let is_whole = place.end == text.len();
        text.replace_range(place, if is_whole { &block } else { block.trim_end() });
    }
    for tree in document.trees.iter().filter(|tree| tree.around.place.is_none()) {
        let block = formatted(tree, document.width, has_tabs(""))?;
        text = format!("{}\n{}{block}", text.trim_end(), if text.trim().is_empty() { "" } else { "\n" });
    }
    text.replace_range(..text.len() - text.trim_start_matches('\n').len(), "");
    Ok(plain.restore(text))
}

/// Returns a tree of a text, formatted.
fn formatted(tree: &Tree, width: usize, has_tabs: bool) -> Result<String, String> {
    let printed = self::tree(tree, Style::Text);
    // The formatter keeps the tabs that it finds.
    let tab = if has_tabs { "\t" } else { "" };
    let text = match &tree.around.angles {
        _ if tree.name.is_empty() => format!("{tab}{printed}"),
        Some(angles) if angles.are_body => {
            format!("{} {}", header(tree), printed.replacen("<\n", &format!("<\n{tab}"), 1))
        }
        _ => format!("{} {{\n{tab}{printed}}}\n", header(tree)),
    };
    Ok(format::format_edited(&text, width).map_err(|error| error.message)?.text)
}

/// Returns what is before the braces of a tree in a text.
fn header(tree: &Tree) -> String {
    let title = tree.title.as_ref().map(|title| format!(" {}", Literal::string(title))).unwrap_or_default();
    format!("tree {}{}{title}", tree.name, tree.around.properties)
}

/// Returns the nodes of a tree, not formatted.
pub(super) fn tree(tree: &Tree, style: Style) -> String {
    let mut printer = Printer { text: String::new(), style };
    let (angles, mut context) = (tree.around.angles.as_ref(), format!("{} ", tree.around.context));
    if let Some(angles) = angles {
        printer.comments(&angles.above);
        let _ = writeln!(printer.text, "{}<", std::mem::take(&mut context).trim_start());
    }
    if let Some(root) = &tree.root {
        printer.above(root);
        printer.text.push_str(context.trim_start());
        printer.node(root);
        printer.behind(root, "");
    }
    printer.comments(&tree.around.end);
    if let Some(angles) = angles {
        printer.text.push_str(">\n");
        printer.comments(&angles.below);
    }
    printer.text
}

/// Returns nodes as text, one below the other.
pub(super) fn nodes<'n>(nodes: impl IntoIterator<Item = &'n Node>, style: Style) -> String {
    let mut printer = Printer { text: String::new(), style };
    for node in nodes {
        printer.child(node);
    }
    printer.text
}

/// Formats nodes that are in no tree.
pub(super) fn formatted_list(nodes: &str, width: usize) -> String {
    let formatted = format::format_edited(&format!("x {{\n{nodes}}}"), width);
    let text = formatted.map_or_else(|_| nodes.to_owned(), |formatted| formatted.text);
    let inside = text.trim().strip_prefix("x {").and_then(|text| text.strip_suffix('}')).unwrap_or(nodes);
    let lines = inside.trim_matches('\n').lines().map(comment::outdented);
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Returns an error if a node cannot be a comment.
pub(super) fn check_comment(node: &Node) -> Result<(), String> {
    let is_one = comment::comments_of(&disabled(node)).is_some_and(|comments| comments.len() == 2);
    let error = || format!("`{}` cannot be a comment: a text or a comment in it contains `/*` or `*/`", node.head);
    if is_one { Ok(()) } else { Err(error()) }
}

/// Returns a node that is left out, as a comment of a source.
fn disabled(node: &Node) -> String {
    let mut printer = Printer { text: String::new(), style: Style::Source };
    printer.node(node);
    format!("{DISABLED}{} */", formatted_list(&printer.text, WIDTH))
}

struct Printer {
    text: String,
    style: Style,
}

impl Printer {
    fn comments(&mut self, comments: &[String]) {
        let sign = if self.style.is_data() { "// " } else { "" };
        for comment in comments {
            let _ = writeln!(self.text, "{sign}{comment}");
        }
    }

    /// Writes the comments above a node, and those above a node after its `!`, which only files of data have.
    fn above(&mut self, node: &Node) {
        self.comments(&node.above);
        for list in node.lists.iter().filter(|list| list.open == Open::Not) {
            list.children.iter().for_each(|child| self.above(child));
        }
    }

    /// Writes a child with its comments.
    fn child(&mut self, node: &Node) {
        self.above(node);
        if node.disabled && self.style == Style::Source {
            self.text.push_str(&disabled(node));
            return self.behind(node, "");
        }
        self.node(node);
        self.behind(node, if ends_with_list(node) { "" } else { "," });
    }

    /// Writes a node without its comments.
    fn node(&mut self, node: &Node) {
        // Those of the child as a whole are before its value or pattern, those of the node after it.
        let (of_child, of_node): (Vec<_>, Vec<_>) = node.attributes.iter().partition(|attribute| is_cfg(attribute));
        for attribute in of_child {
            let _ = write!(self.text, "{attribute} ");
        }
        if !node.before.is_empty() {
            let _ = write!(self.text, "{} => ", node.before);
        }
        let is_off = node.disabled && self.style != Style::Source;
        if is_off && !of_node.iter().any(|attribute| *attribute == OFF) {
            let _ = write!(self.text, "{OFF} ");
        }
        for attribute in of_node.into_iter().filter(|attribute| is_off || *attribute != OFF) {
            let _ = write!(self.text, "{attribute} ");
        }
        self.text.push_str(&node.head);
        if let Some(label) = &node.label {
            let _ = write!(self.text, " {}", Literal::string(label));
        }
        for list in &node.lists {
            let (open, close) = match list.open {
                Open::Brace => ("{", "}"),
                Open::Angle => ("<", ">"),
                Open::Not => {
                    list.children.iter().for_each(|child| self.node(child));
                    continue;
                }
            };
            self.text.push(' ');
            if !list.before.is_empty() {
                let _ = write!(self.text, "{} ", list.before);
            }
            let _ = writeln!(self.text, "{open} {}", list.begin);
            list.children.iter().for_each(|child| self.child(child));
            self.comments(&list.end);
            self.text.push_str(close);
        }
        if !node.tail.is_empty() {
            let _ = write!(self.text, " {}", node.tail);
        }
    }

    fn behind(&mut self, node: &Node, comma: &str) {
        let _ = writeln!(self.text, "{comma} {}", node.behind);
    }
}

/// Returns `true` if no comma follows a node.
fn ends_with_list(node: &Node) -> bool {
    match node.lists.last() {
        Some(list) if list.open == Open::Not => list.children.last().is_some_and(|child| ends_with_list(child)),
        Some(_) => node.tail.is_empty() && !is_hook(node),
        None => false,
    }
}

/// Returns `true` for the action of a state on entering or leaving it: `enter: shout`.
pub(super) fn is_hook(node: &Node) -> bool {
    node.head
        .split_once(':')
        .is_some_and(|(word, rest)| matches!(word.trim_end(), "enter" | "exit") && !rest.starts_with(':'))
}
