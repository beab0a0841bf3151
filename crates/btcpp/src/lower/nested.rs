//! Nested trees.

use bt_behavior3::xml::Element;
use bt_behavior3::{Diagnostic, variable};
use bt_words::did_you_mean;
use serde_json::Value;

use super::{Lowering, named, set};
use crate::builtin::INITIAL_NODE;
use crate::document::{REMAPPING, Tree};
use crate::node::{Given, is_true, ports};
use crate::shape::boolean;

impl<'d> Lowering<'d> {
    /// Adds a nested tree.
    pub(super) fn nested(&mut self, tree: &'d Tree, element: &'d Element, id: &'d str) -> String {
        if !element.children.is_empty() {
            self.errors.push(element.error(format!("SubTree: expected no children, found {}", element.children.len())));
        }
        let Some(inner) = self.names.get(id).cloned() else {
            let meant = did_you_mean(id, self.names.keys().copied());
            self.errors.push(element.error(format!("unknown tree `{id}`{meant}")));
            return String::new();
        };
        let node_id = self.id_of_nested(id);
        let mut given = ports(tree, element);
        self.check_remapping(element);
        let has_all = REMAPPING.iter().any(|name| is_true(element, name));
        self.add_defaults(element, id, has_all, &mut given);
        let (mut node, mut initial) = (named(id), named(INITIAL_NODE));
        let (mut variables, mut values) = (Vec::<Value>::new(), Vec::<Value>::new());
        for port in &given {
            let is_fixed = variable(&port.value).is_none();
            let is_changed = inner.written.contains(port.name);
            if is_fixed && (is_changed || inner.scripted.contains(port.name) && port.value.contains('\'')) {
                let own = format!("{{.{node_id}.{}}}", port.name);
                variables.push(own.clone().into());
                values.push(port.value.clone().into());
                node.properties.insert_at(port.name, own, port.value_place);
            } else {
                node.properties.insert_at(port.name, self.outer(tree, &port.value), port.value_place);
            }
        }
        for name in inner.used.iter().filter(|name| has_all && !name.starts_with('_')) {
            if !node.properties.contains_key(name) {
                set(&mut node, name, format!("{{{name}}}"), None);
            }
        }
        let node = self.add_as(node_id, node, element, true);
        if variables.is_empty() {
            return node;
        }
        set(&mut initial, "variables", variables, None);
        set(&mut initial, "values", values, None);
        initial.set_children(vec![node]);
        self.add(initial, element, false)
    }

    /// Reports attributes that are neither true nor false.
    fn check_remapping(&mut self, element: &Element) {
        for attribute in REMAPPING.iter().filter_map(|name| element.attribute(name)) {
            if boolean(&attribute.value).is_none() {
                let (name, found) = (&attribute.name, &attribute.value);
                let reason = format!("attribute `{name}`: expected `true` or `false`, found `{found}`");
                self.errors.push(Diagnostic::at(attribute.value_place, reason));
            }
        }
    }

    /// Returns the id of the next nested tree with this ID. The names of its variables contain it, and last while the file is edited.
    fn id_of_nested(&mut self, id: &'d str) -> String {
        let count = self.nested.entry(id).or_default();
        *count += 1;
        let plain = id.replace(['#', '/', '.', '{', '}', ':'], "_");
        if *count == 1 { plain } else { format!("{plain}:{count}") }
    }

    /// Adds the defaults that the model of a tree states, and reports its ports that are missing.
    fn add_defaults(&mut self, element: &'d Element, id: &str, has_all: bool, given: &mut Vec<Given<'d>>) {
        let Some(model) = self.document.tree_model(id).filter(|_| !has_all) else { return };
        for port in &model.ports {
            if given.iter().any(|given| given.name == port.name) {
                continue;
            }
            match &port.default {
                Some(default) => {
                    let value = if default == "{=}" { format!("{{{}}}", port.name) } else { default.clone() };
                    given.push(Given { name: &port.name, value, place: element.place, value_place: element.place });
                }
                None => {
                    let reason = format!(
                        "missing port `{}` of tree `{id}`, which its model declares without a default",
                        port.name
                    );
                    self.errors.push(element.error(reason));
                }
            }
        }
    }
}
