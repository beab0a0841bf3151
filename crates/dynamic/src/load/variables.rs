//! The variables that the nodes of a tree read and write.

use std::collections::{BTreeMap, BTreeSet};

use bt_behavior3::{Diagnostic, Fault, Node, NodeKind, Source, local, variable, variables};
use bt_core::board::Convert;
use bt_core::describe::{Info, Name, SourceNode, Visitor};
use bt_core::file::{TypedVariable, VariableUse};
use bt_words::{Word, did_you_mean};

use crate::flat::op::NodeOp;
use crate::load::maker::Uses;
use crate::nodes::shape::{LeafShape, Shapes};

/// The variables of a tree under construction.
pub(crate) struct Variables<'n> {
    /// The variables that the program sets, if the registry names them.
    declared: Option<&'n BTreeSet<String>>,
    /// Whether a variable can be one that no node writes. Otherwise nothing is collected.
    is_needed: bool,
    /// The nodes that must read a variable, with its name.
    reads: Vec<(&'n Node, String)>,
    /// The variables that a node may write.
    written: BTreeSet<String>,
    /// The types of the parameters that name a variable.
    typed: BTreeMap<String, Vec<(&'n Node, TypedVariable)>>,
}

impl<'n> Variables<'n> {
    /// Returns the variables of a tree with these nodes. If the registry does not name the variables that the program sets,
    /// only those of nested trees are known to be missing.
    pub(crate) fn new(nodes: &[Node], declared: Option<&'n BTreeSet<String>>) -> Self {
        let is_needed = declared.is_some() || nodes.iter().any(|node| node.id.contains('/'));
        Self { declared, is_needed, reads: Vec::new(), written: BTreeSet::new(), typed: BTreeMap::new() }
    }

    /// Adds the variables of a node. `uses` are those that its leaf is known to read or write.
    pub(crate) fn add(&mut self, node: &'n Node, op: &NodeOp, uses: Uses, shapes: &dyn Shapes) {
        let Uses { of: uses, typed } = uses;
        for variable in typed {
            self.typed.entry(variable.name.clone()).or_default().push((node, variable));
        }
        if !self.is_needed {
            return;
        }
        if let NodeKind::Word(_, args) = &node.kind {
            let names = args.sources().filter_map(|source| match source {
                Source::Variable(name) => Some(name.clone()),
                Source::Number(_) | Source::Registered(_) => None,
            });
            self.reads.extend(names.map(|name| (node, name)));
        } else if node.kind == NodeKind::Own && uses.is_empty() {
            // Whatever is not known may write.
            self.written.extend(node.properties().values().flat_map(variables).map(str::to_owned));
            if let NodeOp::Leaf(leaf) = op {
                self.show(node, shapes.leaf(*leaf));
            }
        }
        for one in uses {
            match one {
                VariableUse::Read(name) => self.reads.push((node, name)),
                VariableUse::ReadIfSet(_) => {}
                VariableUse::Write(name) => _ = self.written.insert(name),
            }
        }
        for attachment in op.attachments() {
            self.show(node, shapes.leaf(attachment.leaf));
        }
    }

    /// Adds the variables of a registered leaf or subtree.
    fn show(&mut self, node: &'n Node, leaf: &dyn LeafShape) {
        let mut shown = Shown { reads: Vec::new(), written: &mut self.written };
        leaf.describe(&mut shown);
        let reads = shown.reads;
        self.reads.extend(reads.into_iter().map(|name| (node, name)));
    }

    /// Returns the conversions to the types of all variables, and an error for each parameter that names a variable of another type.
    pub(crate) fn types(&mut self) -> (Vec<Diagnostic>, BTreeMap<String, Option<Convert>>) {
        let (mut errors, mut conversions) = (Vec::new(), BTreeMap::new());
        for (name, all) in std::mem::take(&mut self.typed) {
            let mut typed = all.iter().filter(|(_, variable)| variable.type_id.is_some());
            let Some((first, one)) = typed.next() else {
                conversions.insert(name, None);
                continue;
            };
            for (node, other) in typed.filter(|(_, other)| other.type_id != one.type_id) {
                let of = first.shown_title();
                let reason = format!(
                    "variable `{{{name}}}` has type `{}` as `{}` of \"{of}\", not `{}`",
                    one.type_name, one.parameter, other.type_name
                );
                errors.push(node.diagnostic(Fault::of(other.parameter, reason)));
            }
            conversions.insert(name, one.convert.clone());
        }
        (errors, conversions)
    }

    /// Returns an error for each variable that is read but never written: those of nested trees, and all others if
    /// the registry names those that the program sets.
    pub(crate) fn unwritten(self) -> Vec<Diagnostic> {
        let declared = self.declared;
        let is_declared = |name: &String| declared.is_some_and(|declared| declared.contains(name));
        let (mut errors, mut reported) = (Vec::new(), BTreeSet::new());
        for (node, name) in &self.reads {
            let own = local(name, &node.id);
            if self.written.contains(name)
                || is_declared(name)
                || own.is_none() && declared.is_none()
                || !reported.insert((&node.id, name))
            {
                continue;
            }
            let known = self.written.iter().chain(declared.into_iter().flatten());
            let (shown, meant) = match own {
                None => (name.as_str(), did_you_mean(name, known.map(String::as_str))),
                Some((tree, name)) => (name, did_you_mean(name, known.filter_map(|other| other.strip_prefix(tree)))),
            };
            let help = if own.is_none() && meant.is_empty() {
                "; help: if the program sets it, add it to `with_variables`"
            } else {
                ""
            };
            let reason = format!("variable `{{{shown}}}` is read, but no node writes it{meant}{help}");
            errors.push(node.diagnostic(node.fault_of_variable(name, reason)));
        }
        errors
    }
}

/// Finds the variables in the parameters of a registered leaf or subtree, such as `set(TARGET, 3)`.
struct Shown<'v> {
    /// The variables that a word reads.
    reads: Vec<String>,
    /// The variables that may be written.
    written: &'v mut BTreeSet<String>,
}

impl Visitor for Shown<'_> {
    fn place(&mut self, _: &'static SourceNode) {}

    fn enter(&mut self, info: &Info<'_>) -> &'static [SourceNode] {
        let name = match info.name {
            Name::Known(name) => name,
            Name::Type(_) => "",
        };
        let is_word = Word::named(name).next().is_some();
        for param in info.params {
            let Some(variable) = variable(&format!("{:?}", param.value)).map(str::to_owned) else { continue };
            match (name, param.name) {
                _ if is_word => self.reads.push(variable),
                // The ready leaves of the blackboard that succeed or fail if the variable is not set.
                ("is_set" | "compare" | "unset", "variable") | ("copy", "from") => {}
                _ => _ = self.written.insert(variable),
            }
        }
        &[]
    }

    fn leave(&mut self) {}
}
