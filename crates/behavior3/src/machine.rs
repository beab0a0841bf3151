//! Checks machines, after all nodes are known.

use std::collections::BTreeSet;

use bt_words::{ParamType, Word, did_you_mean};

use crate::checked::Node;
use crate::diagnostic::{Diagnostic, Fault, Short};
use crate::kind::NodeKind;
use crate::names::NodeNames;
use crate::transition::{ENDS, Transition, When, is_end};

/// Returns all errors of the machines among these nodes. Skips machines with an error in `known`, or with a state that has one: one mistake is one error.
pub(crate) fn check(nodes: &[Node], names: &NodeNames, known: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_known = |node: &Node| known.iter().any(|diagnostic| diagnostic.id == node.id);
    let mut diagnostics = Vec::new();
    let mut report = |node: &Node, fault: Fault| diagnostics.push(node.diagnostic(fault));
    for node in nodes {
        let mut above = node.parent.map(|parent| &nodes[parent]);
        // A state in a nested tree is reported once, at the node that nests the tree.
        while let Some(Node { kind: NodeKind::Tree(_), parent, .. }) = above {
            above = parent.map(|parent| &nodes[parent]);
        }
        let above = above.and_then(|above| above.kind.word());
        let is_in_tree = node.parent.is_some_and(|parent| matches!(nodes[parent].kind, NodeKind::Tree(_)));
        match (node.kind.word(), above) {
            (_, Some(Word::Machine)) if is_in_tree => {}
            (Some(Word::State), Some(Word::Machine)) => {}
            (Some(Word::State), _) => report(node, "`state` is only allowed inside a `machine`".to_owned().into()),
            (_, Some(Word::Machine)) => {
                report(node, format!("expected a `state` inside a `machine`, found `{}`", Short(node.name())).into());
            }
            _ => {}
        }
        if node.kind.word() != Some(Word::Machine) {
            continue;
        }
        let states: Vec<_> = node.children.iter().map(|child| &nodes[*child]).collect();
        if is_known(node) || states.iter().any(|state| is_known(state) || state.kind.word() != Some(Word::State)) {
            continue;
        }
        let mut names_of_states = BTreeSet::new();
        for state in &states {
            let name = state.kind.args().name();
            if is_end(name) {
                report(state, format!("a state cannot be named `{name}`; note: `-> {name}` ends the machine").into());
            }
            if !names_of_states.insert(name) {
                report(state, format!("duplicate state `{}`", Short(name)).into());
            }
        }
        for node in states.into_iter().chain([node]) {
            let param = node.kind.word().and_then(|word| word.row().param(ParamType::Transitions));
            let property = param.map_or("", |param| param.name);
            for (index, transition) in node.kind.args().transitions().iter().enumerate() {
                if let Some(reason) = error(transition, &names_of_states, names) {
                    report(node, Fault::of_item(property, index, reason));
                }
            }
        }
    }
    diagnostics
}

fn error(transition: &Transition, states: &BTreeSet<&str>, names: &NodeNames) -> Option<String> {
    let to = transition.to.as_str();
    if !states.contains(to) && !is_end(to) {
        let meant = did_you_mean(to, states.iter().copied().chain(ENDS));
        return Some(format!("unknown state `{}` in a transition{meant}", Short(to)));
    }
    match &transition.on {
        When::Leaf { name, .. } if !names.is_leaf(name) => {
            let help = match names.no_leaf(name) {
                help if help.is_empty() => did_you_mean(name, ENDS),
                help => help,
            };
            Some(format!("expected the name of a leaf in a transition, found `{}`{help}", Short(name)))
        }
        _ => None,
    }
}
