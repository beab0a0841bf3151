//! What can be wrong with machines, once all nodes are known.

use bt_words::{Arity, Word, did_you_mean};

use crate::checked::Node;
use crate::fault::{Fault, Short};
use crate::names::Names;
use crate::transition::{Transition, When, is_end};

/// Tells all that is wrong with the machines among some nodes.
pub(crate) fn check(nodes: &[Node], names: &Names) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |node: &Node, reason: String| faults.push(node.fault(reason));
    for node in nodes {
        let above = node.parent.and_then(|parent| nodes[parent].kind.word());
        match (node.kind.word(), above) {
            (Some(Word::State), Some(Word::Machine)) => {}
            (Some(Word::State), _) => fault(node, "a state stands in a machine alone".to_owned()),
            (_, Some(Word::Machine)) => fault(node, "in a machine there are states alone".to_owned()),
            _ => {}
        }
        if node.kind.word() != Some(Word::Machine) {
            continue;
        }
        let states: Vec<_> = node.children.iter().map(|child| &nodes[*child]).collect();
        let names_of_states: Vec<_> = states.iter().map(|state| state.kind.args().name()).collect();
        for (index, (state, name)) in states.iter().zip(&names_of_states).enumerate() {
            if is_end(name) {
                fault(state, format!("a state cannot be called `{name}`: `-> {name}` ends the machine"));
            }
            if names_of_states[..index].contains(name) {
                fault(state, format!("there is a state `{}` already", Short(name)));
            }
        }
        for node in states.into_iter().chain([node]) {
            let transitions = node.kind.args().transitions().iter();
            transitions
                .filter_map(|transition| wrong(transition, &names_of_states, names))
                .for_each(|reason| fault(node, reason));
        }
    }
    faults
}

fn wrong(transition: &Transition, states: &[&str], names: &Names) -> Option<String> {
    let to = transition.to.as_str();
    if !states.contains(&to) && !is_end(to) {
        let meant = did_you_mean(to, states.iter().copied());
        return Some(format!("a transition leads to `{}`, which is no state of the machine{meant}", Short(to)));
    }
    match &transition.on {
        When::Leaf { name, .. } if names.takes(name) != Some(Arity::Zero) => {
            let meant = names.no_leaf(name);
            Some(format!("a transition is followed on `{}`, which is no leaf{meant}", Short(name)))
        }
        _ => None,
    }
}
