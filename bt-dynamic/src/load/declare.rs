//! Declares the nodes of a registry for the editor.

use bt_behavior3::{CustomNode, Project};
use bt_core::describe::{Description, Info, Kind, Name, Param, Visitor};
use bt_core::file::Properties;
use bt_core::{Contexts, Never, NodeShape, Outcomes};
use serde_json::{Map, Value};

use crate::load::maker::{Maker, Makers};
use crate::write::value;

/// Returns the declarations of all nodes.
pub(crate) fn declarations<F: Contexts>(makers: &Makers<F>) -> Vec<CustomNode> {
    makers.iter().map(|(name, maker)| declaration(name, maker)).collect()
}

/// Adds the declarations that a project lacks.
pub(crate) fn declare<F: Contexts>(makers: &Makers<F>, project: &mut Project) {
    let mut missing = declarations(makers);
    missing.retain(|node| project.declared().all(|declared| declared.name != node.name));
    match project.trees.as_mut_slice() {
        [tree] => tree.custom_nodes.append(&mut missing),
        _ => project.custom_nodes.append(&mut missing),
    }
}

/// Makes the node without properties: it asks for each of them, and shows its defaults if all have one.
fn declaration<F: Contexts>(name: &str, maker: &Maker<F>) -> CustomNode {
    let nothing = Map::new();
    let mut properties = Properties::new(&nothing);
    let (kind, shown) = match maker {
        Maker::Leaf(make, _) => {
            let leaf = make(&mut properties);
            (Kind::Action, leaf.map(|leaf| Description::of(&Made(&|visitor| leaf.describe(visitor)))))
        }
        Maker::Decorator(make, ..) => {
            let policy = make(&mut properties);
            (Kind::Decorator, policy.map(|policy| with_params(&|show| policy.params(show))))
        }
        Maker::Composite(make, _) => {
            let rule = make(&mut properties);
            (Kind::Composite, rule.map(|rule| with_params(&|show| rule.params(show))))
        }
    };
    let root = shown.as_ref().and_then(|shown| shown.nodes().first());
    let default = |name: &str| {
        let param = root?.params.iter().find(|param| param.name == name)?;
        Some(value(param.property.as_ref().unwrap_or(&param.value)))
    };
    let properties = properties.names().iter().map(|name| {
        let default = default(name).unwrap_or_else(|| Value::String(String::new()));
        ((*name).to_owned(), default)
    });
    let category = match root.map_or(kind, |root| root.kind) {
        Kind::Condition => "condition",
        _ if kind == Kind::Composite => "composite",
        _ if kind == Kind::Decorator => "decorator",
        _ => "action",
    };
    CustomNode::declare(name, category, "", properties.collect())
}

fn with_params(params: &dyn Fn(Show<'_>)) -> Description {
    Description::of(&Made(&|visitor| {
        params(&mut |params| {
            visitor.enter(&Info { kind: Kind::Decorator, name: Name::Known(""), returns: Outcomes::ANY, params });
        });
        visitor.leave();
    }))
}

/// What receives parameters.
type Show<'s> = &'s mut dyn FnMut(&[Param<'_>]);

/// A node that is only described.
struct Made<'a>(&'a dyn Fn(&mut dyn Visitor));

impl NodeShape for Made<'_> {
    type Open = Never;
    type Kept = ();

    fn describe(&self, visitor: &mut dyn Visitor) {
        (self.0)(visitor);
    }
}
