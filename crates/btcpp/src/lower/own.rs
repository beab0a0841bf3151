//! The nodes of a program.

use super::{Lowering, name_of, named, set};
use crate::builtin::Category;
use crate::document::Tree;
use crate::node::{ports, registered};
use crate::plugins;
use bt_behavior3::xml::Element;
use serde_json::Map;

impl<'d> Lowering<'d> {
    /// Adds a node of the user.
    pub(super) fn own(&mut self, tree: &'d Tree, element: &'d Element, name: &str) -> String {
        let category = Category::named(&element.name);
        if category.is_some() && element.attribute("ID").is_none() {
            self.errors.push(element.error(format!("missing attribute `ID` of <{}>", element.name)));
        }
        let is_retained = std::mem::take(&mut self.is_retained);
        if let Some(reason) = self.program.unknown(name).filter(|_| Category::named(name).is_none()) {
            self.errors.push(element.error(reason));
        }
        let mut node = named(registered(name));
        // That of others follows from their children.
        let category = category.filter(|of| matches!(of, Category::Condition | Category::Control));
        let category = category.map(|category| ("category".to_owned(), name_of(category).into()));
        node.more = category.into_iter().collect::<Map<_, _>>().into();
        if self.program.is_latching(name) && !is_retained {
            set(&mut node, plugins::RESET, true, None);
        }
        // A program that is known knows its ports itself.
        let model = self.document.node_model(name).filter(|_| !self.program.has_names());
        let given = ports(tree, element);
        for port in self.program.outputs(&registered(name)).filter(|port| given.iter().all(|given| given.name != *port))
        {
            // The value of an output that the file does not use.
            set(&mut node, port, format!("{{.unused.{name}.{port}}}"), None);
        }
        for port in given {
            if let Some(model) = model.filter(|model| model.ports.iter().all(|known| known.name != port.name)) {
                let known: Vec<_> = model.ports.iter().map(|known| known.name.as_str()).collect();
                self.unknown_port(&port, name, &known);
            }
            node.properties.insert_at(port.name, self.outer(tree, &port.value), port.value_place);
        }
        node.set_children(self.children(tree, element));
        self.add(node, element, true)
    }
}
