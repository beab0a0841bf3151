//! The nodes of BehaviorTree.CPP.

use bt_behavior3::xml::Element;
use bt_behavior3::{Diagnostic, variable};
use serde_json::Value;

use super::{Lowering, named, set};
use crate::builtin::{Builtin, Like, Needs};
use crate::document::Tree;
use crate::names::names_variable;
use crate::node::{Given, Meaning, ports};

impl<'d> Lowering<'d> {
    /// Adds a node of BehaviorTree.CPP: a word of this library where it behaves in the same way.
    pub(super) fn builtin(&mut self, tree: &'d Tree, element: &'d Element, builtin: Builtin) -> String {
        let given = ports(tree, element);
        self.check_ports(element, builtin, &given);
        self.check_thresholds(element, builtin, &given);
        if self.program.hides(builtin) {
            let reason = format!(
                "`{0}` is a node of BehaviorTree.CPP; help: give the node `{0}` of the registry another name",
                builtin.name()
            );
            self.errors.push(element.error(reason));
        }
        if let Some(reason) = builtin.takes().fault(element.children.len()) {
            self.errors.push(element.error(format!("{}: {reason}", builtin.name())));
        }
        let word = match builtin.like() {
            Some(Like::Same(word)) => Some(word),
            Some(Like::Unskipped(word)) => Some(word).filter(|_| !self.skips.below(element)),
            Some(Like::Near(_)) | None => None,
        };
        let (mut node, renamed) = match word {
            Some(word) => (named(word.name()), word.row().params.first().map(|param| param.name)),
            None => (named(builtin.registered()), None),
        };
        for port in builtin.ports() {
            let found = given.iter().find(|given| given.name == port.name);
            let value = match (found, port.needs) {
                (Some(given), _) => given.value.as_str(),
                (None, Needs::Default(value)) => value,
                (None, Needs::Required | Needs::Nothing) => continue,
            };
            let is_key = names_variable(Meaning::Builtin(builtin), port.name) && variable(value).is_none();
            let value = if is_key { format!("{{{}}}", value.trim()) } else { value.to_owned() };
            let value = if port.is_script { value } else { self.outer(tree, &value) };
            let place = found.map(|given| given.value_place);
            if port.is_script {
                self.check_script(port.name, &value, place.unwrap_or(element.place));
            }
            set(&mut node, renamed.unwrap_or(port.name), value, place);
        }
        node.set_children(self.children(tree, element));
        // A timeout of 0 is none.
        let is_zero = |time: &Value| time.as_str().is_some_and(|time| time.trim().parse() == Ok(0_u32));
        if builtin == Builtin::Timeout
            && node.properties.get("time").is_some_and(is_zero)
            && let Some(child) = node.children.as_mut().and_then(Vec::pop)
        {
            return child;
        }
        self.add(node, element, true)
    }

    /// Reports a threshold of a parallel node that its children cannot reach.
    fn check_thresholds(&mut self, element: &Element, builtin: Builtin, given: &[Given<'_>]) {
        let count = element.children.len();
        if !matches!(builtin, Builtin::Parallel | Builtin::ParallelAll) || count == 0 {
            return;
        }
        for port in given {
            if port.value.trim().parse().is_ok_and(|threshold: usize| threshold > count) {
                let reason = format!(
                    "port `{}`: expected at most {count}, the number of children, found `{}`",
                    port.name, port.value
                );
                self.errors.push(Diagnostic::at(port.value_place, reason));
            }
        }
    }

    /// Reports ports that a node does not have, and those that are missing.
    fn check_ports(&mut self, element: &Element, builtin: Builtin, given: &[Given<'_>]) {
        let known: Vec<_> = builtin.ports().iter().map(|port| port.name).collect();
        for port in given.iter().filter(|given| !known.contains(&given.name)) {
            self.unknown_port(port, builtin.name(), &known);
        }
        for port in given.iter().filter(|given| variable(&given.value).is_none()) {
            let known = builtin.port(port.name);
            if let Some(expected) = known.and_then(|known| known.value.expected(&port.value)) {
                let reason = format!("port `{}`: expected {expected}, found `{}`", port.name, port.value);
                self.errors.push(Diagnostic::at(port.value_place, reason));
            }
        }
        let is_given = |name: &str| given.iter().any(|given| given.name == name);
        let unknown: Vec<_> = given.iter().map(|given| given.name).filter(|name| !known.contains(name)).collect();
        let is_misspelled = |name: &str| unknown.iter().any(|given| bt_words::nearest(given, [name]).is_some());
        for port in builtin.ports() {
            if port.needs == Needs::Required && !is_given(port.name) && !is_misspelled(port.name) {
                self.errors.push(element.error(format!("missing port `{}` of {}", port.name, builtin.name())));
            }
        }
    }
}
