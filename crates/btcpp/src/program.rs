//! What is known of the nodes of a program.

use std::collections::{BTreeMap, BTreeSet};

use bt_behavior3::Arity;
use bt_behavior3::palette::Type;
use bt_core::Contexts;
use bt_dynamic::RegistryOf;
use bt_words::{did_you_mean, is_file_name};

use crate::builtin::{Builtin, CONDITIONS_NODE, INITIAL_NODE};
use crate::node::registered;
use crate::plugins;

/// What is known of the nodes of a program while XML is read: their names, and which of their ports are outputs.
///
/// The default knows nothing: any name is accepted. A value that is passed to a nested tree which writes it through an unknown output is an error when the
/// tree is loaded.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of the output ports, by the names of the nodes.
    outputs: BTreeMap<String, BTreeSet<String>>,
    /// The decorators that keep what they have seen until their parent resets them.
    latching: BTreeSet<String>,
    /// Whether only these nodes are known.
    names: Option<BTreeSet<String>>,
}

impl Program {
    /// Returns what a registry knows.
    pub fn of<F: Contexts>(registry: &RegistryOf<F>) -> Self {
        let mut program =
            Self { names: Some(registry.names().names().map(str::to_owned).collect()), ..Self::default() };
        for entry in registry.palette() {
            for param in entry.params {
                match param.ty {
                    Type::Variable => program = program.with_output(&entry.name, &param.name),
                    // A node of the user of the same name may have no such property.
                    _ if param.name == plugins::RESET && plugins::is_latching(&entry.name) => {
                        program.latching.insert(entry.name.clone());
                    }
                    _ => {}
                }
            }
        }
        program
    }

    /// Adds an output port of a node.
    #[must_use]
    pub fn with_output(mut self, node: &str, port: &str) -> Self {
        self.outputs.entry(node.to_owned()).or_default().insert(port.to_owned());
        self
    }

    /// Returns `true` if the nodes of the program are known.
    pub(crate) const fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// Returns the output ports of a node.
    pub(crate) fn outputs(&self, node: &str) -> impl Iterator<Item = &str> {
        self.outputs.get(node).into_iter().flatten().map(String::as_str)
    }

    /// Returns `true` if the program has added a node with a name of BehaviorTree.CPP, which a file cannot name.
    pub(crate) fn hides(&self, builtin: Builtin) -> bool {
        let is_added = |names: &BTreeSet<String>| names.contains(builtin.name());
        !is_file_name(builtin.name()) && self.names.as_ref().is_some_and(is_added)
    }

    /// Returns `true` if a port is an output.
    pub(crate) fn is_output(&self, node: &str, port: &str) -> bool {
        plugins::is_output(node, port) || self.outputs.get(node).is_some_and(|ports| ports.contains(port))
    }

    /// Returns `true` if a decorator keeps what it has seen until its parent resets it.
    pub(crate) fn is_latching(&self, node: &str) -> bool {
        self.latching.contains(node)
    }

    /// Returns the error for a node that the program does not have.
    pub(crate) fn unknown(&self, node: &str) -> Option<String> {
        let names = self.names.as_ref().filter(|names| !names.contains(&*registered(node)))?;
        let own = names.iter().map(String::as_str).filter(|name| !name.starts_with("btcpp::"));
        let known = Builtin::ALL.iter().map(|builtin| builtin.name()).chain(own);
        let meant = match node {
            // Its name is that of a word, so that it is not found under it.
            _ if is_file_name(node) => format!("; help: add it to the registry as `{}`", registered(node)),
            _ if plugins::NAMES.contains(&node) => {
                "; help: call `Nav2Nodes::add_to(&mut registry)`, with the feature `nav2`".to_owned()
            }
            _ => did_you_mean(node, known),
        };
        Some(format!("unknown node `{node}`{meant}"))
    }
}

/// Returns the nodes of BehaviorTree.CPP by the names of a registry, with their numbers of children, to check files without a program.
pub fn node_names() -> impl Iterator<Item = (&'static str, Arity)> {
    let builtins = Builtin::ALL.iter().map(|node| (node.registered(), node.category().arity()));
    builtins.chain([(CONDITIONS_NODE, Arity::One), (INITIAL_NODE, Arity::One)])
}
