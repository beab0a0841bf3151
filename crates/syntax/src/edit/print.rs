//! Nodes as text, as a source or a text has them.

use std::fmt::Write;

use proc_macro2::Literal;

use super::gap::DISABLED;
use super::item::{OFF, is_cfg};
use super::node::{Node, Open, Style, Tree};
use crate::format::layout::literal_has_lines;
use crate::format::{self, comment};

/// The maximum number of characters in a line of a node that is left out.
const WIDTH: usize = 80;

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

/// Returns what is before the braces of a tree in a text.
pub(super) fn header(tree: &Tree) -> String {
    let title = tree.title.as_ref().map(|title| format!(" {}", Literal::string(title))).unwrap_or_default();
    format!("tree {}{}{title}", tree.name, tree.around.properties)
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
    let reason = if literal_has_lines(&nodes([node], Style::Text)) {
        // They would be indented in the comment.
        "a text in it has several lines"
    } else if !is_one {
        "a text or a comment in it contains `/*` or `*/`"
    } else {
        return Ok(());
    };
    Err(format!("`{}` cannot be a comment: {reason}", node.head))
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
