//! What can be wrong with machines, once all nodes are known.

use crate::check::Node;
use crate::fault::{Fault, Short};
use crate::names::{Arity, Names, did_you_mean, nearest};
use crate::word::{Transition, When, Word, is_end, is_word};

/// Tells all that is wrong with the machines among some nodes.
pub(crate) fn check(nodes: &[Node], names: &Names) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |node: &Node, reason: String| faults.push(node.fault(reason));
    for node in nodes {
        let above = node.parent.map(|parent| &nodes[parent].word);
        match (&node.word, above) {
            (Word::State { .. }, Some(Word::Machine { .. })) => {}
            (Word::State { .. }, _) => fault(node, "a state stands in a machine alone".to_owned()),
            (_, Some(Word::Machine { .. })) => fault(node, "in a machine there are states alone".to_owned()),
            _ => {}
        }
        let Word::Machine { any } = &node.word else { continue };
        let states: Vec<_> = node.children.iter().map(|child| &nodes[*child]).collect();
        let known: Vec<_> = states.iter().filter_map(|state| name(state)).collect();
        for (index, state) in states.iter().enumerate() {
            let Word::State { name, transitions, enter, exit } = &state.word else { continue };
            for (word, leaf) in [("enter", enter), ("exit", exit)] {
                if let Some(leaf) = leaf.as_ref().filter(|leaf| names.takes(leaf) != Some(Arity::Zero)) {
                    let meant = no_leaf(leaf, names);
                    fault(
                        state,
                        format!("the property `{word}` should be the name of a leaf, not `{}`{meant}", Short(leaf)),
                    );
                }
            }
            if is_end(name) {
                fault(state, format!("a state cannot be called `{name}`: `-> {name}` ends the machine"));
            }
            if known[..index.min(known.len())].contains(&name.as_str()) {
                fault(state, format!("there is a state `{}` already", Short(name)));
            }
            transitions
                .iter()
                .filter_map(|transition| wrong(transition, &known, names))
                .for_each(|reason| fault(state, reason));
        }
        any.iter().filter_map(|transition| wrong(transition, &known, names)).for_each(|reason| fault(node, reason));
    }
    faults
}

fn name(node: &Node) -> Option<&str> {
    match &node.word {
        Word::State { name, .. } => Some(name),
        _ => None,
    }
}

/// What to say of a name that is not that of a leaf.
fn no_leaf(name: &str, names: &Names) -> String {
    match names.takes(name) {
        Some(_) => ", which takes children".to_owned(),
        None if is_word(name) => ", which is a keyword".to_owned(),
        None => did_you_mean(names.nearest(name)),
    }
}

fn wrong(transition: &Transition, states: &[&str], names: &Names) -> Option<String> {
    let to = transition.to.as_str();
    if !states.contains(&to) && !is_end(to) {
        let meant = did_you_mean(nearest(to, states.iter().copied()));
        return Some(format!("a transition leads to `{}`, which is no state of the machine{meant}", Short(to)));
    }
    match &transition.on {
        When::Leaf { name, .. } if names.takes(name) != Some(Arity::Zero) => {
            let meant = no_leaf(name, names);
            Some(format!("a transition is followed on `{}`, which is no leaf{meant}", Short(name)))
        }
        _ => None,
    }
}
