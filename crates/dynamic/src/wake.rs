//! When a loaded tree has to be ticked again. The results are those of the static nodes.

use std::time::Duration;

use bt_core::composite::ChildWakes;
use bt_core::decorator::Decorator;
use bt_core::decorator::DecoratorShape;
use bt_core::engine::{ErasedState, Until, foresee_in_order, goes_on, stays};
use bt_core::{Outcome, Status, Wake, protocol::Foreseen};

use crate::flat::FlatTree;
use crate::flat::built_in::with_policy;
use crate::flat::cleanups::{BODY, LEFT, RUNS, WAITS};
use crate::flat::composites::CompositeOp;
use crate::flat::host::{Host, HostContext};
use crate::flat::memory::LoadedMemory;
use crate::flat::node::LoadedNode;
use crate::flat::op::{LoadedTransition, LoadedWhen, NodeOp};
use crate::flat::packed::Packed;
use crate::nodes::shape::Shapes;

/// A tree with a memory of that tree.
pub(crate) struct Sleeping<'a> {
    pub(crate) flat: &'a FlatTree,
    pub(crate) shapes: &'a dyn Shapes,
    pub(crate) memory: &'a LoadedMemory,
    pub(crate) host: &'a mut dyn Host,
    /// Whether conditions are evaluated that could change with time: below `by_event`.
    pub(crate) event: bool,
}

impl<'a> Sleeping<'a> {
    fn children(&self, node: &LoadedNode) -> impl Iterator<Item = usize> + use<'a> {
        self.flat.children_of(node).iter().map(|child| *child as usize)
    }

    fn words(&self, node: &LoadedNode) -> &'a [u64] {
        &self.memory.words[node.first_word as usize..]
    }

    fn slot(&self, slot: Option<u32>) -> &'a ErasedState {
        slot.and_then(|slot| self.memory.slots.get(slot as usize)).unwrap_or(&ErasedState::Empty)
    }

    /// Returns when the running children of a node have to be ticked again.
    fn running_children(&mut self, node: &LoadedNode) -> Wake {
        let (flat, memory, mut wake) = (self.flat, self.memory, Wake::Event);
        for child in self.children(node).filter(|child| flat.is_open(*child, memory)) {
            wake = wake.earliest(self.running(child));
        }
        wake
    }

    /// Returns when the child of a decorator has to be ticked again; `None` if it is not running.
    fn only_child(&mut self, node: &LoadedNode) -> Option<Wake> {
        let child = self.children(node).find(|child| self.flat.is_open(*child, self.memory))?;
        Some(self.running(child))
    }

    /// Returns when a running node has to be ticked again.
    pub(crate) fn running(&mut self, index: usize) -> Wake {
        let node = &self.flat.nodes[index];
        match &node.op {
            NodeOp::Sequential { pass, has_memory: false } => {
                let (flat, memory) = (self.flat, self.memory);
                let before = self.children(node).take_while(|child| !flat.is_open(*child, memory));
                match foresee_in_order(before, *pass, |child| self.foresee(child)) {
                    Some((outcome, until)) if outcome == *pass => until.earliest(self.running_children(node)),
                    Some(_) | None => Wake::Next,
                }
            }
            NodeOp::Sequential { has_memory: true, .. } | NodeOp::State { .. } | NodeOp::Nested { .. } => {
                self.running_children(node)
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => self.decorator(policy, node)),
            NodeOp::Policy(policy) => {
                let child = self.only_child(node);
                self.shapes.policy(*policy).wake(self.slot(node.slot), child)
            }
            NodeOp::Composite(CompositeOp { rule, .. }) => {
                rule.shape(self.shapes).wake(self.slot(node.slot), &mut Below { sleeping: self, node })
            }
            NodeOp::Service { .. } => {
                let due = Until::<Duration>::unpack(self.words(node));
                self.running_children(node).earliest(Wake::At(due.end.time()))
            }
            NodeOp::Machine { any } => self.machine(node, any),
            NodeOp::Finally => self.finally(node),
            NodeOp::Wait { .. } => Wake::At(Until::<Duration>::unpack(self.words(node)).end.time()),
            NodeOp::Constant(_) => Wake::Event,
            NodeOp::Leaf(leaf) => self.host.wake_leaf(*leaf, self.slot(node.slot)),
        }
    }

    fn decorator<P: DecoratorShape<Open: Packed, Kept: Packed>>(&mut self, policy: &P, node: &LoadedNode) -> Wake {
        let words = self.words(node);
        let (open, kept) = (P::Open::unpack(words), P::Kept::unpack(&words[P::Open::WORDS..]));
        let child = self.only_child(node).or_else(|| goes_on::<P>(|| self.foresee_only_child(node)));
        policy.wake(&open, &kept, child)
    }

    /// A `finally` without a running child waits for its cleanup, or for one in its body: the tick in which that ends is one of this node.
    fn finally(&mut self, node: &'a LoadedNode) -> Wake {
        let child = self.flat.running_children(node, &self.memory.words).next();
        if let Some(child) = child {
            return self.running(child);
        }
        let waits = node.is_left(&self.memory.words) || self.flat.is_left_below(node, self.memory, self.shapes);
        if waits { Wake::Event } else { Wake::Next }
    }

    /// Returns when the cleanups in a node that halts have left running have to be ticked again.
    pub(crate) fn cleanups(&mut self, index: usize) -> Wake {
        let (flat, node) = (self.flat, &self.flat.nodes[index]);
        if !node.cleans_up {
            return Wake::Event;
        }
        // When a tree in a leaf has to be ticked again is not asked.
        if let NodeOp::Leaf(_) = node.op {
            return if flat.is_left_in(index, self.memory, self.shapes) { Wake::Next } else { Wake::Event };
        }
        let mut wake = Wake::Event;
        if let NodeOp::Finally = node.op {
            let body = flat.children_of(node)[BODY] as usize;
            wake = match self.words(node)[LEFT] {
                0 => Wake::Event,
                // Otherwise it starts in the next tick.
                WAITS if flat.is_left_in(body, self.memory, self.shapes) => Wake::Event,
                RUNS => self.running(flat.cleanup_of(node)),
                _ => Wake::Next,
            };
        }
        for child in self.children(node) {
            wake = wake.earliest(self.cleanups(child));
        }
        wake
    }

    /// A machine sleeps until one of its guards holds, or its state's node has to be ticked.
    fn machine(&mut self, node: &LoadedNode, any: &[LoadedTransition]) -> Wake {
        let (flat, memory) = (self.flat, self.memory);
        let Some((here, state)) = self.children(node).enumerate().find(|(_, state)| flat.is_open(*state, memory))
        else {
            return Wake::Next;
        };
        let own = self.flat.nodes[state].op.transitions();
        let mut wake = Wake::Event;
        for transition in own.iter().chain(any.iter().filter(|transition| transition.to != Ok(here))) {
            let LoadedWhen::Leaf(guard) = &transition.on else { continue };
            let foreseen = self.host.foresee_leaf(guard.leaf, self.slot(guard.slot), self.event);
            wake = wake.earliest(stays(foreseen.map(|(outcome, until)| (guard.outcome(outcome), until))));
            if wake == Wake::Next {
                return wake;
            }
        }
        wake.earliest(self.running(state))
    }

    /// Returns what starting a node would do.
    pub(crate) fn foresee(&mut self, index: usize) -> Foreseen {
        let node = &self.flat.nodes[index];
        match &node.op {
            NodeOp::Sequential { pass, .. } => {
                foresee_in_order(self.children(node), *pass, |child| self.foresee(child))
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => self.foresee_decorator(policy, node)),
            NodeOp::Policy(policy) => {
                let policy = self.shapes.policy(*policy);
                policy.foresee(self.slot(node.slot), &mut || self.foresee_only_child(node))
            }
            NodeOp::Composite(CompositeOp { rule, .. }) => {
                rule.shape(self.shapes).foresee(self.slot(node.slot), &mut Below { sleeping: self, node })
            }
            NodeOp::Constant(Status::Success) => Some((Outcome::Success, Wake::Event)),
            NodeOp::Constant(Status::Failure) => Some((Outcome::Failure, Wake::Event)),
            NodeOp::Leaf(leaf) => self.host.foresee_leaf(*leaf, self.slot(node.slot), self.event),
            NodeOp::Nested { .. } => self.foresee_only_child(node),
            NodeOp::Finally
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(Status::Running | Status::Error) => None,
        }
    }

    fn foresee_only_child(&mut self, node: &LoadedNode) -> Foreseen {
        let child = self.children(node).next()?;
        self.foresee(child)
    }

    fn foresee_decorator<P>(&mut self, policy: &P, node: &LoadedNode) -> Foreseen
    where
        P: DecoratorShape<Open: Packed, Kept: Packed> + for<'h> Decorator<HostContext<'h>>,
    {
        let kept = P::Kept::unpack(&self.words(node)[P::Open::WORDS..]);
        if !policy.can_foresee(&kept, &HostContext(&mut *self.host)) {
            return None;
        }
        let event = self.event;
        self.event |= P::BY_EVENT;
        let foreseen = policy.foresee(&kept, &mut || self.foresee_only_child(node));
        self.event = event;
        foreseen
    }
}

/// The children of a composite with a rule.
struct Below<'s, 'a> {
    sleeping: &'s mut Sleeping<'a>,
    node: &'a LoadedNode,
}

impl Below<'_, '_> {
    fn child(&self, child: usize) -> Option<usize> {
        self.sleeping.children(self.node).nth(child)
    }
}

impl ChildWakes for Below<'_, '_> {
    fn len(&self) -> usize {
        self.sleeping.flat.children_of(self.node).len()
    }

    fn running(&mut self) -> Wake {
        self.sleeping.running_children(self.node)
    }

    fn is_running(&self, child: usize) -> bool {
        self.child(child).is_some_and(|child| self.sleeping.flat.is_open(child, self.sleeping.memory))
    }

    fn foresee(&mut self, child: usize) -> Foreseen {
        match self.child(child) {
            Some(child) => self.sleeping.foresee(child),
            None => Some((Outcome::Failure, Wake::Event)),
        }
    }
}
