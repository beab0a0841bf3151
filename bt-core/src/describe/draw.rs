//! Drawing a description as text.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::describe::{Described, Description};
use crate::node::NodeId;
use crate::observe::{Seen, Statuses};

/// A description drawn as text, with the last statuses where they are known: [`Description::with`].
pub struct Drawing<'a> {
    description: &'a Description,
    statuses: Option<&'a Statuses>,
}

impl Description {
    /// This tree with the statuses that an observer has seen.
    ///
    /// Each line ends with the node's last status; a star marks what the last tick has visited.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// fn near(near: &bool) -> bool { *near }
    /// let tree = tree! { for bool: selector { sequence { near, run }, succeed } };
    ///
    /// let mut statuses = Statuses::default();
    /// tree.tick_with(&mut false, &mut tree.memory(), &mut statuses);
    /// assert_eq!(tree.description().with(&statuses).to_string(), "\
    /// selector      Success *
    /// ├─ sequence   Failure *
    /// │  ├─ near    Failure *
    /// │  └─ run
    /// └─ succeed    Success *
    /// ");
    /// ```
    pub fn with<'a>(&'a self, statuses: &'a Statuses) -> Drawing<'a> {
        Drawing { description: self, statuses: Some(statuses) }
    }

    /// One line per node, in pre-order: branches, name, parameters and label.
    ///
    /// For user interfaces that put their own marks beside it.
    pub fn lines(&self) -> Vec<String> {
        let last_children = self.last_children();
        self.nodes().iter().map(|node| self.line(node, &last_children)).collect()
    }

    /// For each node whether it is its parent's last child.
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
        line += &node.title();
        line
    }
}

impl Described {
    /// Name, parameters, label and arrows in one line: `limit(runs: 3) "once more"`, `idle [herded -> obey]`.
    pub fn title(&self) -> String {
        let mut title = self.heading();
        for (index, arrow) in self.arrows.iter().enumerate() {
            title += if index == 0 { " [" } else { ", " };
            title += arrow.on;
            title += " -> ";
            title += arrow.to;
        }
        if !self.arrows.is_empty() {
            title.push(']');
        }
        title
    }

    /// Name, parameters and label in one line.
    pub(crate) fn heading(&self) -> String {
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
        if let Some(label) = &self.label {
            title += " \"";
            title += label;
            title.push('"');
        }
        title
    }
}

/// Its id, title and place, for error messages: `#3 look(angle: 30) at src/robot.rs:12:24`.
impl fmt::Display for Described {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.id, self.title())?;
        self.location.map_or(Ok(()), |location| write!(out, " at {location}"))
    }
}

impl fmt::Display for Description {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Drawing { description: self, statuses: None }.fmt(out)
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.description.lines();
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 3;
        for (node, line) in self.description.nodes().iter().zip(lines) {
            match self.statuses.and_then(|statuses| statuses.last(node.id)) {
                Some(Seen { last, fresh }) => writeln!(out, "{line:width$}{last}{}", if fresh { " *" } else { "" })?,
                None => writeln!(out, "{line}")?,
            }
        }
        Ok(())
    }
}
