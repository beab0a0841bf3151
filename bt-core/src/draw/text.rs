//! Drawings as text: one line per node.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::iter::repeat_n;

use crate::describe::{Described, Description};
use crate::draw::{Drawing, look};
use crate::id::NodeId;
use crate::observe::Last;

impl Description {
    /// Returns one line per node, in pre-order: branches, name, parameters and label.
    ///
    /// User interfaces can add marks of their own to the lines.
    pub fn lines(&self) -> Vec<String> {
        let last_children = self.last_children();
        self.nodes().iter().map(|node| self.line(node, &last_children)).collect()
    }

    /// Returns for each node whether it is the last child of its parent.
    fn last_children(&self) -> Vec<bool> {
        let mut last = vec![false; self.nodes().len()];
        let mut taken = vec![false; self.nodes().len()];
        for node in self.nodes().iter().rev() {
            let parent_taken = node.parent.and_then(|parent| taken.get_mut(parent.index()));
            last[node.id.index()] = parent_taken.is_none_or(|taken| !core::mem::replace(taken, true));
        }
        last
    }

    fn line(&self, node: &Described, last_children: &[bool]) -> String {
        let is_last = |id: NodeId| last_children[id.index()];
        let mut branches: Vec<&str> = Vec::new();
        if node.parent.is_some() {
            branches.push(if is_last(node.id) { "└─ " } else { "├─ " });
        }
        let mut above = node.parent.and_then(|parent| self.node(parent));
        while let Some(Described { id, parent: Some(parent), .. }) = above {
            branches.push(if is_last(*id) { "   " } else { "│  " });
            above = self.node(*parent);
        }
        let mut line: String = branches.into_iter().rev().collect();
        // A file's line breaks and escape sequences would break the drawing, and reach the terminal.
        for sign in node.title().chars() {
            if sign.is_control() { line.extend(sign.escape_default()) } else { line.push(sign) }
        }
        line
    }
}

impl Described {
    /// Returns the name, parameters, label and transitions in one line: `limit(runs: 3) "once more"`,
    /// `idle [herded -> obey]`.
    pub fn title(&self) -> String {
        let mut title = self.heading();
        for (index, transition) in self.transitions.iter().enumerate() {
            title += if index == 0 { " [" } else { ", " };
            title += &transition.on;
            title += " -> ";
            title += &transition.to;
        }
        if !self.transitions.is_empty() {
            title.push(']');
        }
        title
    }

    /// Returns the name, parameters and label in one line.
    pub(crate) fn heading(&self) -> String {
        let mut title = String::from(self.role.prefix());
        title += &self.call();
        if let Some(label) = &self.label {
            title += " \"";
            title += label;
            title.push('"');
        }
        title
    }

    /// Returns the name and the parameters in one line, as in a drawing: `walk_to(post: 3)`.
    #[doc(hidden)]
    pub fn call(&self) -> String {
        let mut title = self.name.clone();
        for (index, param) in self.params.iter().enumerate() {
            title += if index == 0 { "(" } else { ", " };
            title += &param.name;
            title += ": ";
            title += &param.value;
            if let Some(unit) = &param.unit {
                title.push(' ');
                title += unit;
            }
        }
        if !self.params.is_empty() {
            title.push(')');
        }
        title
    }
}

/// Formats the id, title and source location, for error messages: `#3 look(angle: 30) at src/robot.rs:12:24`.
impl fmt::Display for Described {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.id, self.title())?;
        self.location.as_ref().map_or(Ok(()), |location| write!(out, " at {location}"))
    }
}

impl fmt::Display for Description {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw().fmt(out)
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.description.lines();
        let width = |column: &[String]| column.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let nodes = self.description.nodes();
        let statuses: Vec<_> = nodes.iter().map(|node| status(self.last(node))).collect();
        let (first, second) = (width(&lines) + 3, width(&statuses) + 3);
        for ((node, line), status) in nodes.iter().zip(&lines).zip(&statuses) {
            let count = self.count(node).as_ref().map(ToString::to_string).unwrap_or_default();
            let mut row = line.clone();
            for (column, text) in [(first, status), (first + second, &count)] {
                if !text.is_empty() {
                    // A width in a format has a limit, which a line can exceed.
                    row.extend(repeat_n(' ', column - row.chars().count()));
                    row += text;
                }
            }
            let row = row.trim_end();
            match self.last(node) {
                Some((last, is_fresh)) if self.colors => {
                    let (weight, ansi) = (if is_fresh { 1 } else { 2 }, look(last).ansi);
                    writeln!(out, "\u{1b}[{weight};{ansi}m{row}\u{1b}[0m")?;
                }
                _ => writeln!(out, "{row}")?,
            }
        }
        Ok(())
    }
}

fn status(last: Option<(Last, bool)>) -> String {
    last.map(|(last, is_fresh)| format!("{last}{}", if is_fresh { " *" } else { "" })).unwrap_or_default()
}
