//! Ticking a tree and looking at what its leaves saw.

use bt_core::prelude::*;
use bt_tests::world::{Event, World};

/// A tree, one agent's memory, and a world whose leaves return given statuses.
pub(crate) struct Run<N: Node<World>> {
    tree: N,
    memory: Memory<N>,
    pub(crate) world: World,
}

pub(crate) fn running<N: Node<World>>(tree: N) -> Run<N> {
    Run { memory: tree.memory(), tree, world: World::default() }
}

impl<N: Node<World>> Run<N> {
    /// Ticks once; the leaves ticked are told these statuses, in order, and no more.
    pub(crate) fn tick(&mut self, told: &[Status]) -> Status {
        self.world.told = told.to_vec();
        self.world.ticked.replace(0);
        self.world.take_seen();
        let status = self.tree.tick(&mut self.world, &mut self.memory);
        assert_eq!(*self.world.ticked.borrow(), told.len(), "how many leaves were ticked");
        status
    }

    pub(crate) fn halt(&mut self) {
        self.world.take_seen();
        self.tree.halt(&mut self.world, &mut self.memory);
    }

    pub(crate) fn is_running(&self) -> bool {
        self.memory.is_running()
    }

    pub(crate) fn reset(&mut self) {
        self.memory.reset();
    }

    /// The leaves that were ticked last time.
    pub(crate) fn ticked(&self) -> Vec<u32> {
        self.seen(|event| match event {
            Event::Tick(number, _) => Some(number),
            _ => None,
        })
    }

    /// The leaves that were opened last time.
    pub(crate) fn opened(&self) -> Vec<u32> {
        self.seen(|event| match event {
            Event::Open(number) => Some(number),
            _ => None,
        })
    }

    /// The leaves that were halted last time, in order.
    pub(crate) fn halted(&self) -> Vec<u32> {
        self.seen(|event| match event {
            Event::Close(number, End::Halted(_)) => Some(number),
            _ => None,
        })
    }

    fn seen(&self, pick: impl Fn(Event) -> Option<u32>) -> Vec<u32> {
        self.world.seen.borrow().iter().copied().filter_map(pick).collect()
    }
}

/// An observer that replaces the status of one node.
pub(crate) struct Replace(pub(crate) NodeId, pub(crate) Status);

impl Observer for Replace {
    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        (at == self.0).then_some(self.1)
    }
}
