//! Drawings for Graphviz.

use alloc::format;
use alloc::string::String;
use core::fmt::Write;

use crate::describe::{Described, Kind};
use crate::draw::state_diagram::key;
use crate::draw::{Drawing, look};

/// From left to right: trees are broader than deep, and so are labels.
const HEAD: &str = "digraph tree {
    rankdir=LR; nodesep=0.12; ranksep=0.3;
    node [fontname=\"sans-serif\", fontsize=11, height=0.3, margin=\"0.1,0.04\"];
    edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.6];
    ordering=out;
";

/// The length of the lines of a label, in characters.
const WIDTH: usize = 28;

impl Drawing<'_> {
    /// Returns the tree in the DOT language of Graphviz: nodes to the right of their parents, and dashed transitions between the
    /// states of machines.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let tree = tree! { for (): selector { fail, run } };
    /// assert!(tree.description().draw().dot().contains("n0 -> n1"));
    /// ```
    pub fn dot(&self) -> String {
        let mut out = String::from(HEAD);
        for node in self.description.nodes() {
            let shape = match node.kind {
                Kind::Composite => "shape=box",
                Kind::Decorator => "shape=diamond",
                Kind::Subtree => "shape=folder",
                Kind::Machine => "shape=box, style=\"rounded,bold\"",
                Kind::State => "shape=oval, style=bold",
                Kind::Condition => "shape=hexagon",
                Kind::Action => "shape=box, style=rounded",
            };
            let mut text = wrapped(&node.heading());
            if let Some(count) = self.count(node) {
                let _ = write!(text, "\n{count}");
            }
            let color = self.last(node).map_or_else(String::new, |(last, is_fresh)| {
                let (width, color) = (if is_fresh { 3 } else { 1 }, look(last).color);
                format!(", color=\"{color}\", penwidth={width}")
            });
            let _ = writeln!(out, "    {} [label=\"{}\", {shape}{color}];", key(node.id), escaped(&text));
            if let Some(parent) = node.parent {
                let style = if node.role.is_child() { "" } else { " [style=dotted]" };
                let _ = writeln!(out, "    {} -> {}{style};", key(parent), key(node.id));
            }
        }
        for machine in self.description.nodes().iter().filter(|node| node.kind == Kind::Machine) {
            self.dot_transitions(machine, &mut out);
        }
        out.push_str("}\n");
        out
    }

    fn dot_transitions(&self, machine: &Described, out: &mut String) {
        let leads_out = format!("out{}", machine.id.index());
        let mut any_out = false;
        for (state, transition) in self.description.transitions(machine) {
            let to = self.description.state(machine, &transition.to).map(|to| key(to.id));
            any_out |= to.is_none();
            let (to, on) = (to.unwrap_or_else(|| leads_out.clone()), escaped(&transition.on));
            let _ = writeln!(out, "    {} -> {to} [style=dashed, label=\"{on}\", constraint=false];", key(state.id));
        }
        if any_out {
            let _ = writeln!(out, "    {leads_out} [label=\"\", shape=point];");
        }
    }
}

/// Breaks a text into lines, at spaces.
fn wrapped(text: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        } else if !out.is_empty() {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace(char::is_control, "\u{fffd}")
}
