//! Builds a tree from a checked file.

use bt_behavior3::{Args, Checked, Diagnostic, Fault, NodeKind};
use bt_core::Tree;
use bt_core::describe::is_lasting;
use bt_core::engine::Fnv;
use bt_core::file::VariableTypes;
use bt_words::Word;

use crate::flat::code::{Code, LeafStep};
use crate::flat::node::LoadedNode;
use crate::flat::op::{NodeOp, index};
use crate::flat::region::{Place, Places};
use crate::flat::{FlatTree, hash_of};
use crate::load::known::Known;
use crate::load::stock::{Has, Stock};
use crate::load::variables::Variables;
use crate::nodes::shape::{Described, Shapes};

impl FlatTree {
    /// Builds a tree, or returns all errors in the properties of its nodes.
    pub(crate) fn build(checked: Checked, known: &Known, stock: &mut dyn Stock) -> Result<Self, Vec<Diagnostic>> {
        let (mut nodes, mut children) = (Vec::with_capacity(checked.nodes.len()), Vec::new());
        let (mut diagnostics, mut variables) = (Vec::new(), Variables::new(&checked.nodes, known.declared.as_ref()));
        // A hash of the nodes with the types of their leaves.
        let (mut hashes, mut version) = (Vec::with_capacity(checked.nodes.len()), Fnv::new());
        let (mut faults, types) = (Vec::new(), VariableTypes::default());
        for node in &checked.nodes {
            let op = NodeOp::make(node, known, stock, &types, &mut faults);
            if let NodeKind::Word(word, args) = &node.kind {
                missing(*word, args, stock.has(), &mut faults);
            }
            diagnostics.extend(faults.drain(..).map(|fault| node.diagnostic(fault)));
            let Some((op, uses)) = op else { continue };
            let hash = hash_of(node, &op);
            hashes.push(if is_lasting(&node.id) { hash } else { 0 });
            version.write(&hash.to_le_bytes());
            if let NodeOp::Leaf(leaf) = op {
                version.write(&stock.shapes().type_of_leaf(leaf).to_le_bytes());
            }
            variables.add(node, &op, uses, stock.shapes());
            let from = index(children.len());
            for child in node.children.iter().map(|child| index(*child)) {
                version.write(&child.to_le_bytes());
                children.push(child);
            }
            let children = from..index(children.len());
            nodes.push(LoadedNode {
                op,
                place: Place::default(),
                at: 0,
                end: 0,
                children,
                first_word: 0,
                words: 0,
                slot: None,
                cleans_up: false,
            });
        }
        // A node with an error may be the one that writes a variable.
        if diagnostics.is_empty() {
            let (conflicts, conversions) = variables.types();
            diagnostics = conflicts;
            diagnostics.extend(variables.unwritten());
            _ = types.set(conversions);
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let (mut tree, steps) = Self::of(checked, nodes, children, stock.shapes(), stock.leaves());
        tree.hashes = hashes;
        // Even, and never 0, which means no tree.
        tree.version = (version.finish() & !1).max(2);
        for (leaf, step) in steps.into_iter().enumerate() {
            stock.place(leaf, step);
        }
        Ok(tree)
    }

    /// Builds a tree from its nodes, which have no ids and no memory yet, and the lists of their children.
    fn of(
        checked: Checked,
        nodes: Vec<LoadedNode>,
        children: Vec<u32>,
        shapes: &dyn Shapes,
        leaves: usize,
    ) -> (Self, Vec<LeafStep>) {
        let ops = nodes.iter().map(|node| &node.op);
        let places = Places::new(ops.zip(checked.nodes.iter().map(|node| node.parent)));
        let mut tree = Self {
            title: checked.title,
            follows: None,
            header: checked.tree,
            warnings: checked.warnings,
            sources: checked.nodes,
            children,
            code: Code::default(),
            entry: None,
            words: places.words.count(),
            slots: 0,
            run_words: places.words,
            version: 0,
            hashes: Vec::new(),
            structure: 0,
            owners: Vec::with_capacity(nodes.len()),
            nodes,
        };
        for (node, place) in tree.nodes.iter_mut().zip(places.all) {
            node.place = place;
            let words = node.op.words(node.children.len());
            (node.first_word, node.words) = (index(tree.words), index(words));
            tree.words += words;
            let mut new_slot = |is_needed: bool| {
                is_needed.then(|| {
                    tree.slots += 1;
                    index(tree.slots - 1)
                })
            };
            node.slot = new_slot(node.op.has_slot(shapes));
            for attachment in node.op.attachments_mut() {
                let leaf = shapes.leaf(attachment.leaf);
                attachment.slot = new_slot(leaf.has_state());
                attachment.cleans_up = leaf.cleans_up();
            }
        }
        tree.find_cleanups(shapes);
        tree.link_machines();
        tree.number(0, shapes);
        let (code, steps) = Code::new(&tree.nodes, &tree.children, shapes, leaves);
        tree.code = code;
        tree.entry = tree.nodes[0].place.root_of().map(|region| tree.code.start(region, false));
        tree.structure = Described(&|visitor| tree.show(0, shapes, &mut &*tree.warnings, visitor)).fingerprint();
        (tree, steps)
    }

    /// Assigns ids to a node and the nodes below it, in pre-order; last to the attached leaves.
    fn number(&mut self, node: usize, shapes: &dyn Shapes) {
        let next = |owners: &mut Vec<u32>, count: u32| {
            let at = index(owners.len());
            owners.extend(std::iter::repeat_n(index(node), count as usize));
            at
        };
        let this = &mut self.nodes[node];
        let count = if let NodeOp::Leaf(leaf) = &this.op { shapes.leaf(*leaf).count() } else { 1 };
        this.at = next(&mut self.owners, count);
        for child in this.children.clone() {
            self.number(self.children[child as usize] as usize, shapes);
        }
        let last = self.children_of(&self.nodes[node]).last();
        let end = last.map_or(index(node + 1), |last| self.nodes[*last as usize].end);
        self.nodes[node].end = end;
        for attachment in self.nodes[node].op.attachments_mut() {
            let count = u32::from(attachment.negated) + shapes.leaf(attachment.leaf).count();
            attachment.at = next(&mut self.owners, count);
        }
    }

    /// Finds the nodes in which a cleanup can continue after a halt.
    fn find_cleanups(&mut self, shapes: &dyn Shapes) {
        for node in (0..self.nodes.len()).rev() {
            let own = match self.nodes[node].op {
                NodeOp::Finally => true,
                NodeOp::Leaf(leaf) => shapes.leaf(leaf).cleans_up(),
                NodeOp::Sequential { .. }
                | NodeOp::Composite(_)
                | NodeOp::Decorator(_)
                | NodeOp::Policy(_)
                | NodeOp::Service { .. }
                | NodeOp::Machine { .. }
                | NodeOp::State { .. }
                | NodeOp::Nested { .. }
                | NodeOp::Wait { .. }
                | NodeOp::Constant(_) => false,
            };
            let below = self.children_of(&self.nodes[node]).iter().any(|child| self.nodes[*child as usize].cleans_up);
            self.nodes[node].cleans_up = own || below;
        }
    }

    /// Resolves the targets of transitions, after all states have been built.
    fn link_machines(&mut self) {
        for machine in 0..self.nodes.len() {
            if !matches!(self.nodes[machine].op, NodeOp::Machine { .. }) {
                continue;
            }
            let states: Vec<_> = self.children_of(&self.nodes[machine]).iter().map(|state| *state as usize).collect();
            let name = |state: &usize| match &self.nodes[*state].op {
                NodeOp::State { name, .. } => name.clone(),
                _ => String::new(),
            };
            let names: Vec<_> = states.iter().map(name).collect();
            for index in states.into_iter().chain([machine]) {
                for transition in self.nodes[index].op.transitions_mut() {
                    if let Some(to) = names.iter().position(|name| *name == transition.text.to) {
                        transition.to = Ok(to);
                    }
                }
            }
        }
    }
}

/// Adds an error for each capability that a word needs and the registry does not have.
fn missing(word: Word, args: &Args, has: Has, errors: &mut Vec<Fault>) {
    if word.row().needs_clock() && !has.clock {
        errors.push(format!("missing clock; help: {}implement `Clock` for the context", has.help[0]).into());
    }
    if (word.row().needs_random() || args.is_random()) && !has.random {
        errors.push(
            format!("missing random number generator; help: {}implement `Random` for the context", has.help[1]).into(),
        );
    }
}
