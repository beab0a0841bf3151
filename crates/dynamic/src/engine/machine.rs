//! The machines of a loaded tree, for their rule.

use bt_core::engine::{MachineParts, Visited, enter, leave};
use bt_core::machine::{Edge, Target};
use bt_core::{Cause, Observer, Outcome, Status, Step};

use crate::engine::run::Run;
use crate::flat::host::Host;
use crate::flat::node::LoadedNode;
use crate::flat::op::{LoadedTransition, LoadedWhen, NodeOp};

/// A machine of a loaded tree. Its word contains the current state, and in the lowest 2 bits the outcome of that state's node: 0 none, 1 success,
/// 2 failure.
pub(crate) struct Machine<'r, 'a, O> {
    pub(crate) run: &'r mut Run<'a, O>,
    pub(crate) node: &'a LoadedNode,
    /// The indices of the nodes of its states.
    states: &'a [u32],
    /// The transitions from any state.
    any: &'a [LoadedTransition],
    /// The current state, and the outcome of its node.
    current: (usize, Option<Outcome>),
}

impl<'r, 'a, O> Machine<'r, 'a, O> {
    pub(crate) fn new(run: &'r mut Run<'a, O>, node: &'a LoadedNode, any: &'a [LoadedTransition]) -> Self {
        let word = run.memory.words[node.first_word as usize];
        let ended = match word & 3 {
            0 => None,
            1 => Some(Outcome::Success),
            _ => Some(Outcome::Failure),
        };
        let states = run.flat.children_of(node);
        // A save may have been edited.
        let state = usize::try_from(word >> 2).unwrap_or(usize::MAX).min(states.len() - 1);
        Self { run, node, states, any, current: (state, ended) }
    }

    /// Returns the index of a state's node.
    fn index(&self, state: usize) -> usize {
        self.states[state] as usize
    }

    /// Returns the index of a state's node or, without an observer, of the node below, which runs while the state does.
    #[inline(always)]
    fn visible(&self, state: usize) -> usize
    where
        O: Observer,
    {
        self.index(state) + usize::from(!O::ON)
    }

    /// Returns the first result for a transition of a state: one of its own, or an `any` transition that does not lead back to it.
    #[inline(always)]
    fn find<R>(
        &mut self,
        state: usize,
        mut test: impl FnMut(&mut Run<'a, O>, &'a LoadedTransition) -> Option<R>,
    ) -> Option<R> {
        for own in self.run.flat.nodes[self.index(state)].op.transitions() {
            if let Some(found) = test(self.run, own) {
                return Some(found);
            }
        }
        let mut others = self.any.iter().filter(|transition| transition.to != Ok(state));
        others.find_map(|transition| test(self.run, transition))
    }
}

impl LoadedTransition {
    fn target(&self) -> Target {
        match self.to {
            Ok(state) => Target::State(state),
            Err(Status::Success) => Target::End(Outcome::Success),
            Err(_) => Target::End(Outcome::Failure),
        }
    }
}

impl<'h, O: Observer> MachineParts<dyn Host + 'h> for Machine<'_, '_, O> {
    fn current(&self) -> (usize, Option<Outcome>) {
        self.current
    }

    fn set_current(&mut self, state: usize, ended: Option<Outcome>) {
        let bits = match ended {
            None | Some(Outcome::Error) => 0,
            Some(Outcome::Success) => 1,
            Some(Outcome::Failure) => 2,
        };
        self.current = (state, ended);
        self.run.memory.words[self.node.first_word as usize] = (state as u64) << 2 | bits;
    }

    fn report(&mut self, state: usize) {
        if O::ON {
            let at = self.run.id(self.node);
            self.run.observer.state(at, state);
        }
    }

    fn forced(&mut self) -> Option<usize> {
        if !O::ON {
            return None;
        }
        let at = self.run.id(self.node);
        self.run.observer.force_state(at).filter(|state| *state < self.states.len())
    }

    #[inline(always)]
    fn hook(&mut self, edge: Edge, state: usize, host: &mut (dyn Host + 'h)) -> Outcome {
        let NodeOp::State { hooks, .. } = &self.run.flat.nodes[self.index(state)].op else { return Outcome::Success };
        let Some(hook) = &hooks[edge as usize] else { return Outcome::Success };
        self.run.at_once(hook, host)
    }

    fn first(&mut self, state: usize, ended: Option<Outcome>, host: &mut (dyn Host + 'h)) -> Option<Target> {
        self.find(state, |run, transition| {
            let holds = match &transition.on {
                LoadedWhen::Success => Outcome::from(ended == Some(Outcome::Success)),
                LoadedWhen::Failure => Outcome::from(ended == Some(Outcome::Failure)),
                LoadedWhen::Leaf(condition) => run.at_once(condition, host),
            };
            match holds {
                Outcome::Success => Some(transition.target()),
                Outcome::Failure => None,
                Outcome::Error => Some(Target::End(Outcome::Error)),
            }
        })
    }

    fn on_end(&mut self, state: usize, ended: Outcome) -> Option<Target> {
        self.find(state, |_, transition| {
            let waits = match transition.on {
                LoadedWhen::Success => ended == Outcome::Success,
                LoadedWhen::Failure => ended == Outcome::Failure,
                LoadedWhen::Leaf(_) => false,
            };
            waits.then(|| transition.target())
        })
    }

    fn tick_node(&mut self, state: usize, host: &mut (dyn Host + 'h)) -> Status {
        let node = self.visible(state);
        self.run.child(node, host)
    }

    #[inline(always)]
    fn waits(&mut self) -> bool {
        self.node.cleans_up && !self.run.is_open(self.visible(self.current.0)) && self.run.is_cleaning_up(self.node)
    }

    fn visit(&mut self, host: &mut (dyn Host + 'h)) -> Visited {
        let (state, ended) = self.current();
        self.visit_state(state, ended, host)
    }

    fn halt_node(&mut self, why: Cause, host: &mut (dyn Host + 'h)) {
        let node = self.visible(self.current.0);
        self.run.halt(node, why, host);
    }
}

impl<O: Observer> Run<'_, O> {
    /// Changes the state of a running machine, or starts a run of the root in that state.
    pub(crate) fn enter_state(&mut self, machine: Option<usize>, state: usize, host: &mut dyn Host) -> Status {
        match machine {
            Some(machine) => self.force(machine, state, host),
            None => self.start_in(state, host),
        }
    }

    /// Changes the state of a running machine.
    fn force(&mut self, machine: usize, state: usize, host: &mut dyn Host) -> Status {
        let status = self.change(machine, false, host, |parts, host| parts.go(state, host));
        if status != Status::Running {
            // The error ends the whole tree.
            self.halt(0, Cause::Ended, host);
            self.set_open(0, false);
        }
        status
    }

    /// Starts a run of the root, which is a machine, in a state.
    fn start_in(&mut self, state: usize, host: &mut dyn Host) -> Status {
        self.change(0, true, host, |parts, host| parts.enter(state, host))
    }

    /// Changes the state of a machine, as a visit of it.
    fn change(
        &mut self,
        machine: usize,
        opening: bool,
        host: &mut dyn Host,
        change: impl FnOnce(&mut Machine<'_, '_, O>, &mut dyn Host) -> Status,
    ) -> Status {
        let node = &self.flat.nodes[machine];
        let at = self.id(node);
        enter(at, opening, self.observer);
        let status = change(&mut Machine::new(self, node, node.op.transitions()), host);
        leave(&Step::<()>::from(status), at, self.observer);
        self.set_open(machine, status == Status::Running);
        status
    }
}

impl<'a, O: Observer> Run<'a, O> {
    /// Ticks a machine.
    #[inline(never)]
    pub(crate) fn machine(
        &mut self,
        any: &'a [LoadedTransition],
        opening: bool,
        node: &'a LoadedNode,
        host: &mut dyn Host,
    ) -> Status {
        Machine::new(self, node, any).tick(opening, host)
    }
}
