//! The custom composites of a loaded tree.

use bt_core::composite::Children;
use bt_core::{End, Observer, Status};

use crate::custom::Rule;
use crate::error::{MAX_RESTARTS, RunFault};
use crate::run::Run;
use crate::run_composite::Below;
use crate::tree::DynNode;
use bt_core::engine::Slot;
use bt_core::{ContextOf, Contexts};

/// The children of a custom composite. Several may run at once only if the composite declares it.
struct CustomChildren<'b, 'r, 'a, F: Contexts, O> {
    below: &'b mut Below<'r, 'a, F, O>,
    is_one_at_a_time: bool,
    /// The number of times that children were ticked in this tick of the composite.
    ticks: usize,
}

impl<F: Contexts, O: Observer> Children<ContextOf<'_, '_, F>> for CustomChildren<'_, '_, '_, F, O> {
    fn len(&self) -> usize {
        self.below.len()
    }

    fn is_running(&self, child: usize) -> bool {
        child < self.len() && self.below.is_running(child)
    }

    fn running(&self) -> Option<usize> {
        self.below.running()
    }

    fn tick(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        assert!(child < self.len(), "there is no child {child}: the composite has {} children", self.len());
        self.ticks += 1;
        // A rule that ticks its children more often than once repeats them, which a file can make endless.
        if self.ticks > self.len() {
            if self.below.run.restarts == MAX_RESTARTS {
                self.below.run.fail(self.below.node, RunFault::TooManyRestarts, ctx);
                return Status::Error;
            }
            self.below.run.restarts += 1;
        }
        let before = self.running().filter(|before| self.is_one_at_a_time && *before != child);
        let status = self.below.tick(child, ctx);
        if let Some(before) = before.filter(|_| status == Status::Running) {
            self.below.halt(before, ctx);
        }
        status
    }

    fn halt(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) {
        if child < self.len() {
            self.below.halt(child, ctx);
        }
    }

    fn score(&mut self, child: usize, score: f32) {
        if O::ON {
            let tree = self.below.run.tree;
            let Some(child) = tree.children_of(self.below.node).get(child) else { return };
            let at = self.below.run.id(&tree.nodes[*child as usize]);
            self.below.run.observer.score(at, score);
        }
    }
}

/// A slot that is returned to the memory when the rule returns or panics: while the rule runs, its children use the rest
/// of the memory.
struct Borrowed<'b, 'r, 'a, F: Contexts, O> {
    below: &'b mut Below<'r, 'a, F, O>,
    slot: Slot,
}

impl<F: Contexts, O> Borrowed<'_, '_, '_, F, O> {
    fn place(&mut self) -> Option<&mut Slot> {
        let slot = self.below.node.slot?;
        self.below.run.memory.slots.get_mut(slot as usize)
    }
}

impl<F: Contexts, O> Drop for Borrowed<'_, '_, '_, F, O> {
    fn drop(&mut self) {
        let slot = std::mem::take(&mut self.slot);
        if let Some(place) = self.place() {
            *place = slot;
        }
    }
}

impl<'a, F: Contexts, O: Observer> Run<'a, F, O> {
    /// Ticks a custom composite.
    pub(crate) fn custom(
        &mut self,
        opening: bool,
        node: &'a DynNode<F>,
        rule: &dyn Rule<F>,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        let mut below = Below { run: self, node };
        let mut borrowed = Borrowed { below: &mut below, slot: Slot::Empty };
        borrowed.slot = borrowed.place().map(std::mem::take).unwrap_or_default();
        let Borrowed { below, slot } = &mut borrowed;
        let mut children = CustomChildren { below, is_one_at_a_time: rule.is_one_at_a_time(), ticks: 0 };
        let status = rule.tick(opening, &mut children, slot, ctx);
        drop(borrowed);
        let end = match status {
            Status::Success => End::Success,
            Status::Failure => End::Failure,
            Status::Error => End::Error,
            Status::Running => return status,
        };
        self.halt_children(node, ctx);
        self.close_custom(node, rule, ctx, end);
        status
    }

    /// Ends a run of a custom composite, after its children have been halted.
    pub(crate) fn close_custom(
        &mut self,
        node: &DynNode<F>,
        rule: &dyn Rule<F>,
        ctx: &mut ContextOf<'_, '_, F>,
        end: End,
    ) {
        self.in_slot(node.slot, |slot, _| rule.close(slot, ctx, end));
    }
}
