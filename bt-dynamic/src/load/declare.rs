//! Declares the nodes of a registry for the editor.

use bt_behavior3::{CustomNode, OwnNode, Project};
use bt_core::Outcomes;
use bt_core::describe::{Description, Info, Kind, Name, Param};
use bt_core::file::Properties;
use serde_json::{Map, Value};

use crate::load::known::Known;
use crate::load::stock::Stock;
use crate::nodes::shape::Described;
use crate::write::value;

/// Returns the declarations of all nodes.
pub(crate) fn declarations(known: &Known, stock: &mut dyn Stock) -> Vec<CustomNode> {
    known.nodes.iter().map(|(name, maker, own)| declaration(name, maker, *own, stock)).collect()
}

/// Adds the declarations that a project lacks.
pub(crate) fn declare(known: &Known, stock: &mut dyn Stock, project: &mut Project) {
    let mut missing = declarations(known, stock);
    missing.retain(|node| project.declared().all(|declared| declared.name != node.name));
    match project.trees.as_mut_slice() {
        [tree] => tree.custom_nodes.append(&mut missing),
        _ => project.custom_nodes.append(&mut missing),
    }
}

/// Returns the names of the properties of a node, in the order in which it reads them: that of its parameters.
#[cfg(feature = "text")]
pub(crate) fn parameters(maker: usize, stock: &mut dyn Stock) -> Vec<String> {
    let nothing = Map::new();
    let mut properties = Properties::new(&nothing);
    stock.make(maker, &mut properties);
    properties.names().iter().map(|name| (*name).to_owned()).collect()
}

/// Makes the node without properties: it asks for each of them, and shows its defaults if all have one.
fn declaration(name: &str, maker: usize, own: OwnNode, stock: &mut dyn Stock) -> CustomNode {
    let nothing = Map::new();
    let mut properties = Properties::new(&nothing);
    let made = stock.make(maker, &mut properties);
    let shapes = stock.shapes();
    let (kind, shown) = match own {
        OwnNode::Decorator(..) => {
            (Kind::Decorator, made.map(|policy| with_params(&|show| shapes.policy(policy).params(show))))
        }
        OwnNode::Composite(_) => {
            (Kind::Composite, made.map(|rule| with_params(&|show| shapes.rule(rule).params(show))))
        }
        OwnNode::Leaf(_) | OwnNode::Unknown(_) => {
            let describe = |leaf| Description::of(&Described(&|visitor| shapes.leaf(leaf).describe(visitor)));
            (Kind::Action, made.map(describe))
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

/// Shows the parameters of a node to a function.
type ShowTo<'s> = &'s mut dyn FnMut(&[Param<'_>]);

fn with_params(params: &dyn Fn(ShowTo<'_>)) -> Description {
    Description::of(&Described(&|visitor| {
        params(&mut |params| {
            visitor.enter(&Info { kind: Kind::Decorator, name: Name::Known(""), returns: Outcomes::ANY, params });
        });
        visitor.leave();
    }))
}
