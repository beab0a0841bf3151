//! When a loaded tree has to be ticked again. The answers are those of the static nodes.

use std::time::Duration;

use bt_core::composite::ChildWakes;
use bt_core::decorator::Decorator;
use bt_core::decorator::DecoratorShape;
use bt_core::engine::{ErasedState, Until, foresee_in_order, goes_on, stays};
use bt_core::{Foreseen, Outcome, Status, Wake, WakeVisit};

use crate::built_in::with_policy;
use crate::capabilities::Capable;
use crate::memory::LoadedMemory;
use crate::op::{LoadedNode, LoadedTransition, LoadedWhen, NodeOp};
use crate::owner::MemoryOwner;
use crate::packed::Packed;
use crate::tree::LoadedTreeOf;
use bt_core::{ContextOf, Contexts};

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns when the tree, which is running, has to be ticked again.
    pub(crate) fn wake_running(&self, memory: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        self.sleeping(memory, visit.part(|ctx| ctx)).map_or(Wake::Next, |mut sleeping| sleeping.running(0))
    }

    /// Returns what starting the tree would do.
    pub(crate) fn foresee_start(&self, memory: &LoadedMemory, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        let mut sleeping = self.sleeping(memory, WakeVisit::new(ctx))?;
        sleeping.event = event;
        sleeping.foresee(0)
    }

    /// Returns the tree with a memory; `None` if the memory is converted to this tree in the next tick.
    fn sleeping<'a, 'x, 'y>(
        &'a self,
        memory: &'a LoadedMemory,
        visit: WakeVisit<'a, ContextOf<'x, 'y, F>>,
    ) -> Option<Sleeping<'a, 'x, 'y, F>> {
        let is_own = !memory.loaded && matches!(self.owner_of(memory), MemoryOwner::This);
        is_own.then_some(Sleeping { tree: self, memory, visit, event: false })
    }
}

/// A tree with a memory of that tree.
struct Sleeping<'a, 'x, 'y, F: Contexts> {
    tree: &'a LoadedTreeOf<F>,
    memory: &'a LoadedMemory,
    visit: WakeVisit<'a, ContextOf<'x, 'y, F>>,
    /// Whether conditions are evaluated that could change with time: below `by_event`.
    event: bool,
}

impl<'a, 'x, 'y, F: Contexts> Sleeping<'a, 'x, 'y, F> {
    fn children(&self, node: &LoadedNode<F>) -> impl Iterator<Item = usize> + use<'a, 'x, 'y, F> {
        self.tree.children_of(node).iter().map(|child| *child as usize)
    }

    fn words(&self, node: &LoadedNode<F>) -> &'a [u64] {
        &self.memory.words[node.first_word as usize..]
    }

    fn slot(&self, slot: Option<u32>) -> &'a ErasedState {
        slot.and_then(|slot| self.memory.slots.get(slot as usize)).unwrap_or(&ErasedState::Empty)
    }

    /// Returns when the running children of a node have to be ticked again.
    fn running_children(&mut self, node: &LoadedNode<F>) -> Wake {
        let (tree, memory, mut wake) = (self.tree, self.memory, Wake::Event);
        for child in self.children(node).filter(|child| tree.is_open(*child, memory)) {
            wake = wake.earliest(self.running(child));
        }
        wake
    }

    /// Returns when the child of a decorator has to be ticked again; `None` if it is not running.
    fn only_child(&mut self, node: &LoadedNode<F>) -> Option<Wake> {
        let child = self.children(node).find(|child| self.tree.is_open(*child, self.memory))?;
        Some(self.running(child))
    }

    /// Returns when a running node has to be ticked again.
    fn running(&mut self, index: usize) -> Wake {
        let node = &self.tree.nodes[index];
        match &node.op {
            NodeOp::Sequential { pass, has_memory: false } => {
                let (tree, memory) = (self.tree, self.memory);
                let before = self.children(node).take_while(|child| !tree.is_open(*child, memory));
                match foresee_in_order(before, *pass, |child| self.foresee(child)) {
                    Some((outcome, until)) if outcome == *pass => until.earliest(self.running_children(node)),
                    Some(_) | None => Wake::Next,
                }
            }
            NodeOp::Sequential { has_memory: true, .. } | NodeOp::State { .. } | NodeOp::Nested { .. } => {
                self.running_children(node)
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => self.decorator(policy, node)),
            NodeOp::Policy(policy) => policy.wake(self.slot(node.slot), self.only_child(node)),
            NodeOp::Composite(rule) => rule.rule().wake(self.slot(node.slot), &mut Below { sleeping: self, node }),
            NodeOp::Service { .. } => {
                let due = Until::<Duration>::unpack(self.words(node));
                self.running_children(node).earliest(Wake::At(due.end.time()))
            }
            NodeOp::Machine { any } => self.machine(node, any),
            NodeOp::Wait { .. } => Wake::At(Until::<Duration>::unpack(self.words(node)).end.time()),
            NodeOp::Constant(_) => Wake::Event,
            NodeOp::Leaf(leaf) => leaf.wake(self.slot(node.slot), &mut self.visit),
        }
    }

    fn decorator<P: DecoratorShape<Open: Packed, Kept: Packed>>(&mut self, policy: &P, node: &LoadedNode<F>) -> Wake {
        let words = self.words(node);
        let (open, kept) = (P::Open::unpack(words), P::Kept::unpack(&words[P::Open::WORDS..]));
        let child = self.only_child(node).or_else(|| goes_on::<P>(|| self.foresee_only_child(node)));
        policy.wake(&open, &kept, child)
    }

    /// A machine sleeps until one of its guards holds, or its state's node has to be ticked.
    fn machine(&mut self, node: &LoadedNode<F>, any: &[LoadedTransition<F>]) -> Wake {
        let (tree, memory) = (self.tree, self.memory);
        let Some((here, state)) = self.children(node).enumerate().find(|(_, state)| tree.is_open(*state, memory))
        else {
            return Wake::Next;
        };
        let own = self.tree.nodes[state].op.transitions();
        let mut wake = Wake::Event;
        for transition in own.iter().chain(any.iter().filter(|transition| transition.to != Ok(here))) {
            let LoadedWhen::Leaf(guard) = &transition.on else { continue };
            let foreseen = guard.leaf.foresee(self.slot(guard.slot), self.visit.ctx, self.event);
            wake = wake.earliest(stays(foreseen.map(|(outcome, until)| (guard.outcome(outcome), until))));
            if wake == Wake::Next {
                return wake;
            }
        }
        wake.earliest(self.running(state))
    }

    /// Returns what starting a node would do.
    fn foresee(&mut self, index: usize) -> Foreseen {
        let node = &self.tree.nodes[index];
        match &node.op {
            NodeOp::Sequential { pass, .. } => {
                foresee_in_order(self.children(node), *pass, |child| self.foresee(child))
            }
            NodeOp::Decorator(policy) => with_policy!(policy, policy => self.foresee_decorator(policy, node)),
            NodeOp::Policy(policy) => policy.foresee(self.slot(node.slot), &mut || self.foresee_only_child(node)),
            NodeOp::Composite(rule) => rule.rule().foresee(self.slot(node.slot), &mut Below { sleeping: self, node }),
            NodeOp::Constant(Status::Success) => Some((Outcome::Success, Wake::Event)),
            NodeOp::Constant(Status::Failure) => Some((Outcome::Failure, Wake::Event)),
            NodeOp::Leaf(leaf) => {
                let event = self.event;
                leaf.foresee(self.slot(node.slot), self.visit.ctx, event)
            }
            NodeOp::Nested { .. } => self.foresee_only_child(node),
            NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(Status::Running | Status::Error) => None,
        }
    }

    fn foresee_only_child(&mut self, node: &LoadedNode<F>) -> Foreseen {
        let child = self.children(node).next()?;
        self.foresee(child)
    }

    fn foresee_decorator<P>(&mut self, policy: &P, node: &LoadedNode<F>) -> Foreseen
    where
        P: DecoratorShape<Open: Packed, Kept: Packed> + for<'c> Decorator<Capable<'c, 'x, 'y, F>>,
    {
        let kept = P::Kept::unpack(&self.words(node)[P::Open::WORDS..]);
        let capabilities = self.tree.capabilities;
        if !policy.can_foresee(&kept, &Capable { ctx: &mut *self.visit.ctx, capabilities }) {
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
struct Below<'s, 'a, 'x, 'y, F: Contexts> {
    sleeping: &'s mut Sleeping<'a, 'x, 'y, F>,
    node: &'a LoadedNode<F>,
}

impl<F: Contexts> Below<'_, '_, '_, '_, F> {
    fn child(&self, child: usize) -> Option<usize> {
        self.sleeping.children(self.node).nth(child)
    }
}

impl<F: Contexts> ChildWakes for Below<'_, '_, '_, '_, F> {
    fn len(&self) -> usize {
        self.sleeping.tree.children_of(self.node).len()
    }

    fn running(&mut self) -> Wake {
        self.sleeping.running_children(self.node)
    }

    fn is_running(&self, child: usize) -> bool {
        self.child(child).is_some_and(|child| self.sleeping.tree.is_open(child, self.sleeping.memory))
    }

    fn foresee(&mut self, child: usize) -> Foreseen {
        match self.child(child) {
            Some(child) => self.sleeping.foresee(child),
            None => Some((Outcome::Failure, Wake::Event)),
        }
    }
}
