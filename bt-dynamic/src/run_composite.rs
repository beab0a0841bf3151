//! The composites of a loaded tree, for their rules.

use bt_core::composite::{Reactive, WithMemory};
use bt_core::engine::{Children, Drawn, Position, Results, tick_kept_sequence, tick_parallel, tick_random};
use bt_core::{Observer, Outcome, Status};
use rand_core::Rng;

use crate::capabilities::Capable;
use crate::run::Run;
use crate::tree::DynNode;
use bt_core::{ContextOf, Contexts};

/// The children of a composite, for its rule. Its words contain a bit for each drawn child, two bits for the outcome of each child, or the
/// position.
pub(crate) struct Below<'r, 'a, F: Contexts, O> {
    pub(crate) run: &'r mut Run<'a, F, O>,
    pub(crate) node: &'r DynNode<F>,
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
        // In pre-order, the first running node below is a child.
        let running = self.run.memory.first_open(*children.first()? as usize..self.node.end as usize)?;
        children.iter().position(|child| *child as usize == running)
    }

    fn tick(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.run.child(self.index(child), ctx)
    }

    fn halt(&mut self, child: usize, ctx: &mut ContextOf<'_, '_, F>) {
        self.run.halt(self.index(child), ctx);
    }
}

impl<F: Contexts, O: Observer> Position for Below<'_, '_, F, O> {
    fn position(&self) -> usize {
        usize::try_from(self.run.memory.words[self.node.first_word as usize]).unwrap_or(usize::MAX)
    }

    fn set_position(&mut self, child: usize) {
        self.run.words(self.node)[0] = child as u64;
    }
}

impl<F: Contexts, O: Observer> Drawn for Below<'_, '_, F, O> {
    fn is_drawn(&self, child: usize) -> bool {
        self.run.memory.words[self.node.first_word as usize + child / 64] >> (child % 64) & 1 == 1
    }

    fn set_drawn(&mut self, child: usize) {
        self.run.words(self.node)[child / 64] |= 1 << (child % 64);
    }

    fn clear_drawn(&mut self) {
        let words = self.len().div_ceil(64);
        self.run.words(self.node)[..words].fill(0);
    }

    fn forced(&mut self) -> Option<usize> {
        if !O::ON {
            return None;
        }
        let left = (0..self.len()).filter(|child| !self.is_drawn(*child)).count();
        let at = self.run.id(self.node);
        if left == 0 { None } else { self.run.observer.draw(at, left) }
    }
}

impl<F: Contexts, O: Observer> Results for Below<'_, '_, F, O> {
    fn result(&self, child: usize) -> Option<Outcome> {
        match self.run.memory.words[self.node.first_word as usize + child / 32] >> (2 * (child % 32)) & 3 {
            0 => None,
            1 => Some(Outcome::Success),
            _ => Some(Outcome::Failure),
        }
    }

    fn set_result(&mut self, child: usize, outcome: Outcome) {
        let bits = if outcome == Outcome::Success { 1 } else { 2 };
        self.run.words(self.node)[child / 32] |= bits << (2 * (child % 32));
    }

    fn clear_results(&mut self) {
        let words = self.len().div_ceil(32);
        self.run.words(self.node)[..words].fill(0);
    }
}

impl<F: Contexts, O: Observer> Run<'_, F, O> {
    /// Ticks a sequence that keeps its position.
    #[inline(never)]
    pub(crate) fn kept_sequence(&mut self, opening: bool, node: &DynNode<F>, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        tick_kept_sequence(opening, &mut Below { run: self, node }, ctx)
    }

    /// Ticks a composite in random order.
    #[inline(never)]
    pub(crate) fn random<'x, 'y>(
        &mut self,
        pass: Outcome,
        weights: Option<&[f64]>,
        opening: bool,
        node: &DynNode<F>,
        ctx: &mut ContextOf<'x, 'y, F>,
    ) -> Status {
        let capabilities = self.tree.capabilities;
        let weight = |child: usize| weights.map_or(1.0, |weights| weights[child]);
        let bits = |ctx: &mut ContextOf<'x, 'y, F>| Capable { ctx, capabilities }.next_u64();
        tick_random(pass.into(), weight, bits, opening, &mut Below { run: self, node }, ctx)
    }

    /// Ticks a parallel.
    #[inline(never)]
    pub(crate) fn parallel(
        &mut self,
        has_memory: bool,
        [success, failure]: [usize; 2],
        opening: bool,
        node: &DynNode<F>,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        let mut below = Below { run: self, node };
        let status = if has_memory {
            tick_parallel::<_, WithMemory, _>(success, failure, opening, &mut below, ctx)
        } else {
            tick_parallel::<_, Reactive, _>(success, failure, opening, &mut below, ctx)
        };
        // Other nodes leave no child running when they end.
        if status != Status::Running {
            self.halt_children(node, ctx);
        }
        status
    }
}
