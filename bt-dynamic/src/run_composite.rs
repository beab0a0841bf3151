//! The composites of a loaded tree, for their rules.

use bt_core::composite::Children;
use bt_core::engine::{check_stated, no_marks};
use bt_core::{End, Observer, Status, Step};

use crate::error::{MAX_RESTARTS, RunFault};
use crate::op::LoadedNode;
use crate::rule::Rule;
use crate::run::Run;
use bt_core::engine::ErasedState;
use bt_core::{ContextOf, Contexts};

/// The children of a composite, for its rule. If the rule marks children, its words contain a bit for each.
pub(crate) struct Below<'r, 'a, F: Contexts, O> {
    pub(crate) run: &'r mut Run<'a, F, O>,
    pub(crate) node: &'r LoadedNode<F>,
}

impl<F: Contexts, O> Below<'_, '_, F, O> {
    fn index(&self, child: usize) -> usize {
        self.run.tree.children_of(self.node)[child] as usize
    }
}

impl<F: Contexts, O: Observer> Children<ContextOf<'_, '_, F>> for Below<'_, '_, F, O> {
    fn len(&self) -> usize {
        self.run.tree.children_of(self.node).len()
    }

    fn is_running(&self, child: usize) -> bool {
        self.run.is_open(self.index(child))
    }

    fn running(&self) -> Option<usize> {
        let children = self.run.tree.children_of(self.node);
        children.iter().position(|child| self.run.is_open(*child as usize))
    }

    fn tick(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.run.child(self.index(child), ctx)
    }

    fn halt(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) {
        self.run.halt(self.index(child), ctx);
    }

    fn is_marked(&self, child: usize) -> bool {
        child < self.len() && self.run.memory.words[self.node.first_word as usize + child / 64] >> (child % 64) & 1 == 1
    }

    fn mark(&mut self, child: usize) {
        if child < self.len() {
            self.run.words(self.node)[child / 64] |= 1 << (child % 64);
        }
    }

    fn choose(&mut self, number: usize) -> Option<usize> {
        if !O::ON {
            return None;
        }
        let at = self.run.id(self.node);
        self.run.observer.choose(at, number).filter(|chosen| *chosen < number)
    }

    fn score(&mut self, child: usize, score: f32) {
        if O::ON {
            let tree = self.run.tree;
            let Some(child) = tree.children_of(self.node).get(child) else { return };
            let at = self.run.id(&tree.nodes[*child as usize]);
            self.run.observer.score(at, score);
        }
    }
}

/// The children of a composite, for a rule that declares what it does with them.
struct RuleChildren<'b, 'r, 'a, F: Contexts, O> {
    below: &'b mut Below<'r, 'a, F, O>,
    is_one_at_a_time: bool,
    has_marks: bool,
    /// The number of times that children were ticked in this tick of the composite.
    ticks: usize,
}

impl<F: Contexts, O: Observer> Children<ContextOf<'_, '_, F>> for RuleChildren<'_, '_, '_, F, O> {
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

    fn is_marked(&self, child: usize) -> bool {
        self.has_marks && self.below.is_marked(child)
    }

    fn mark(&mut self, child: usize) {
        if !self.has_marks {
            no_marks();
        }
        self.below.mark(child);
    }

    fn choose(&mut self, number: usize) -> Option<usize> {
        self.below.choose(number)
    }

    fn score(&mut self, child: usize, score: f32) {
        self.below.score(child, score);
    }
}

/// A slot that is returned to the memory when the rule returns or panics: while the rule runs, its children use the rest
/// of the memory.
struct Borrowed<'b, 'r, 'a, F: Contexts, O> {
    below: &'b mut Below<'r, 'a, F, O>,
    slot: ErasedState,
}

impl<F: Contexts, O> Borrowed<'_, '_, '_, F, O> {
    fn place(&mut self) -> Option<&mut ErasedState> {
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
    /// Ticks a composite.
    #[inline(never)]
    pub(crate) fn composite(
        &mut self,
        opening: bool,
        node: &'a LoadedNode<F>,
        rule: &dyn Rule<F>,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        if opening {
            self.clear_marks(node);
        }
        let mut below = Below { run: self, node };
        let mut borrowed = Borrowed { below: &mut below, slot: ErasedState::Empty };
        borrowed.slot = borrowed.place().map(std::mem::take).unwrap_or_default();
        let Borrowed { below, slot } = &mut borrowed;
        let (is_one_at_a_time, has_marks) = (rule.is_one_at_a_time(), rule.has_marks());
        let mut children = RuleChildren { below, is_one_at_a_time, has_marks, ticks: 0 };
        let status = rule.tick(opening, &mut children, slot, ctx);
        drop(borrowed);
        // A tree that restarts its nodes too often ends with an error.
        if cfg!(debug_assertions) && opening && rule.is_checked() && status != Status::Error {
            // An observer can replace the statuses of the children.
            let stated = if O::ON { rule.returns().at_most() } else { self.tree.source(node).returns };
            check_stated("composite", || rule.name(), status, stated);
        }
        if has_marks && !rule.keeps_marks() {
            self.clear_marks(node);
        }
        let Step::Done(outcome) = Step::<()>::from(status) else { return status };
        self.halt_children(node, ctx);
        self.close_composite(node, rule, ctx, outcome.into());
        status
    }

    /// Ends a run of a composite, after its children have been halted.
    pub(crate) fn close_composite(
        &mut self,
        node: &LoadedNode<F>,
        rule: &dyn Rule<F>,
        ctx: &mut ContextOf<'_, '_, F>,
        end: End,
    ) {
        self.in_slot(node.slot, |slot, _| rule.close(slot, ctx, end));
    }

    fn clear_marks(&mut self, node: &LoadedNode<F>) {
        let words = node.op.words(node.children.len());
        self.words(node)[..words].fill(0);
    }
}
