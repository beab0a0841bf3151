//! Machines as state diagrams for Mermaid.

use alloc::format;
use alloc::string::String;
use core::fmt::Write;

use crate::describe::{Described, Description, Kind, Transition};
use crate::id::NodeId;

impl Description {
    /// Returns the machines of this tree as Mermaid state diagrams. Nested machines are nested in the diagram. Without
    /// machines, the result contains only the heading.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let lamp = tree! { for bool: machine { state off { run, |on: &bool| *on -> on } state on { run, |on: &bool| !*on -> off } } };
    /// assert!(lamp.description().state_diagram().contains("n1 --> n4 : |on: &bool| *on"));
    /// ```
    pub fn state_diagram(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n");
        for machine in self.nodes().iter().filter(|node| node.kind == Kind::Machine) {
            let inside_another = self.machine_above(machine).is_some();
            if !inside_another {
                self.machine_diagram(machine, 1, &mut out);
            }
        }
        out
    }

    fn machine_diagram(&self, machine: &Described, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        let name = machine.label.as_ref().map_or_else(|| "machine".into(), |label| format!("machine {label}"));
        let _ = writeln!(out, "{indent}state \"{}\" as {} {{", entities(&name), key(machine.id));
        for (index, state) in self.children(machine.id).enumerate() {
            if index == 0 {
                let _ = writeln!(out, "{indent}    [*] --> {}", key(state.id));
            }
            let _ = writeln!(out, "{indent}    {} : {}", key(state.id), state.name);
        }
        for (state, transition) in self.transitions(machine) {
            let (from, on) = (key(state.id), entities(&transition.on));
            let _ = match self.state(machine, &transition.to) {
                Some(to) => writeln!(out, "{indent}    {from} --> {} : {on}", key(to.id)),
                None if transition.on == transition.to => writeln!(out, "{indent}    {from} --> [*] : {on}"),
                None => writeln!(out, "{indent}    {from} --> [*] : {on}, then {}", transition.to),
            };
        }
        let inner = self.nodes().iter().filter(|node| node.kind == Kind::Machine);
        for inner in inner.filter(|node| self.machine_above(node) == Some(machine.id)) {
            self.machine_diagram(inner, depth + 1, out);
        }
        let _ = writeln!(out, "{indent}}}");
    }

    /// Returns all transitions of a machine. Transitions from any state are repeated for each state that they apply in.
    pub(crate) fn transitions<'a>(
        &'a self,
        machine: &'a Described,
    ) -> impl Iterator<Item = (&'a Described, &'a Transition)> {
        self.children(machine.id).flat_map(|state| {
            let any = machine.transitions.iter().filter(|transition| transition.to != state.name);
            let own = state.transitions.iter().map(move |transition| (state, transition));
            own.chain(any.map(move |transition| (state, transition)))
        })
    }

    pub(crate) fn state(&self, machine: &Described, name: &str) -> Option<&Described> {
        self.children(machine.id).find(|state| state.name == name)
    }

    /// Returns the innermost machine that contains a node.
    fn machine_above(&self, node: &Described) -> Option<NodeId> {
        let mut above = node.parent;
        while let Some(node) = above.and_then(|id| self.node(id)) {
            if node.kind == Kind::Machine {
                return Some(node.id);
            }
            above = node.parent;
        }
        None
    }
}

pub(super) fn key(id: NodeId) -> String {
    format!("n{}", id.index())
}

/// Escapes the characters that have a meaning in Mermaid.
pub(super) fn entities(text: &str) -> String {
    let entity = |sign| match sign {
        '"' => "#quot;".into(),
        '\n' => "<br/>".into(),
        '#' | ';' | '{' | '}' | '<' | '>' => format!("#{};", u32::from(sign)),
        sign if sign.is_control() => String::from('\u{fffd}'),
        sign => String::from(sign),
    };
    text.chars().map(entity).collect()
}
