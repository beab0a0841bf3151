//! What has never happened in an exploration.

use bt_core::Status;
use bt_core::describe::{Described, Description, Kind};

use crate::free::all_of;
use crate::watch::{Seen, To};

/// The nodes, statuses and transitions that occurred in no run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unseen {
    /// The nodes that were never visited, as paths, without those below them.
    pub nodes: Vec<String>,
    /// The statuses that visited nodes can return, but never did. `Error` is left out.
    pub statuses: Vec<(String, Status)>,
    /// The transitions of machines that were never taken: the machine, the state (`any` for a transition of all states), and the target.
    pub transitions: Vec<(String, String, String)>,
}

impl Unseen {
    /// Returns `true` if every node, status and transition has occurred.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.statuses.is_empty() && self.transitions.is_empty()
    }

    pub(crate) fn of(description: &Description, seen: &Seen) -> Self {
        let mut unseen = Self::default();
        for node in description.nodes() {
            let path = || description.path_of(node.id);
            if !seen.visited(node.id) {
                if node.parent.is_none_or(|above| seen.visited(above)) {
                    unseen.nodes.push(path());
                }
                continue;
            }
            let missing =
                all_of(node.returns).filter(|status| *status != Status::Error && !seen.returned(node.id, *status));
            unseen.statuses.extend(missing.map(|status| (path(), status)));
            if node.kind == Kind::Machine {
                unseen.add_transitions(description, node, seen);
            }
        }
        unseen
    }

    fn add_transitions(&mut self, description: &Description, machine: &Described, seen: &Seen) {
        let states: Vec<_> = description.children(machine.id).collect();
        let target = |name: &str| match name {
            "success" => Some(To::Success),
            "failure" => Some(To::Failure),
            _ => states.iter().zip(0..).find(|(state, _)| state.name == name).map(|(_, index)| To::State(index)),
        };
        let mut add = |from: &str, to: &str, is_it: &dyn Fn(u16) -> bool| {
            let taken = |&(of, state, target_of): &(_, u16, To)| {
                of == machine.id && is_it(state) && Some(target_of) == target(to)
            };
            if !seen.transitions.iter().any(taken) {
                self.transitions.push((description.path_of(machine.id), from.to_owned(), to.to_owned()));
            }
        };
        for (state, index) in states.iter().zip(0..) {
            for transition in &state.transitions {
                add(&state.name, &transition.to, &|from| from == index);
            }
        }
        for transition in &machine.transitions {
            add("any", &transition.to, &|_| true);
        }
    }
}
