//! Drawings for Mermaid.

use alloc::string::String;
use core::fmt::Write;

use crate::describe::Kind;
use crate::draw::state_diagram::{entities, key};
use crate::draw::{ALL, Drawing, look};

impl Drawing<'_> {
    /// Returns the tree as a Mermaid flowchart. Its root is on the left: from top to bottom, a tree of 50 nodes would be wider than a page.
    /// [`Description::state_diagram`](crate::describe::Description::state_diagram) draws machines.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let tree = tree! { for (): selector { fail, run } };
    /// assert!(tree.description().draw().mermaid().contains("n0 --- n1"));
    /// ```
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart LR\n");
        for node in self.description.nodes() {
            let (open, close) = match node.kind {
                Kind::Composite | Kind::Machine => ("[", "]"),
                Kind::Decorator => ("{{", "}}"),
                Kind::Subtree => ("[[", "]]"),
                Kind::State => ("([", "])"),
                Kind::Condition => ("{", "}"),
                Kind::Action => ("(", ")"),
            };
            let id = key(node.id);
            let mut text = entities(&node.heading());
            if let Some(count) = self.count(node) {
                let _ = write!(text, "<br/>{count}");
            }
            let _ = writeln!(out, "    {id}{open}\"{text}\"{close}");
            if let Some(parent) = node.parent {
                let line = if node.role.is_child() { "---" } else { "-.-" };
                let _ = writeln!(out, "    {} {line} {id}", key(parent));
            }
            if let Some((last, _)) = self.last(node) {
                let _ = writeln!(out, "    class {id} {}", look(last).class);
            }
        }
        if self.statuses.is_some() {
            for last in ALL {
                let look = look(last);
                let _ = writeln!(out, "    classDef {} stroke:{},stroke-width:3px", look.class, look.color);
            }
        }
        out
    }
}
