//! The composites of a loaded tree, for their rules.

use bt_core::composite::Children;
use bt_core::engine::{ErasedState, check_stated, no_marks};
use bt_core::{Cause, End, Observer, Status, Step};

use crate::engine::run::{Borrowed, Run, SlotOf};
use crate::flat::composites::{CompositeOp, CompositeRule};
use crate::flat::host::{Host, HostContext};
use crate::flat::node::LoadedNode;
use crate::nodes::shape::RuleFlags;

/// The children of a composite, for its rule. If the rule marks children, its words contain a bit for each.
struct Below<'r, 'a, O> {
    run: &'r mut Run<'a, O>,
    node: &'a LoadedNode,
    children: &'a [u32],
    flags: RuleFlags,
    /// The number of times that children were ticked in this tick of the composite.
    ticks: usize,
}

impl<O> Below<'_, '_, O> {
    /// Returns the index of the node of a child.
    fn node_of(&self, child: usize) -> Option<usize> {
        self.children.get(child).map(|node| *node as usize)
    }
}

impl<O: Observer> Children<HostContext<'_>> for Below<'_, '_, O> {
    fn len(&self) -> usize {
        self.children.len()
    }

    fn is_running(&self, child: usize) -> bool {
        self.node_of(child).is_some_and(|node| self.run.is_open(node))
    }

    fn running(&self) -> Option<usize> {
        self.children.iter().position(|child| self.run.is_open(*child as usize))
    }

    fn tick(&mut self, child: usize, HostContext(host): &mut HostContext<'_>) -> Status {
        let children = self.children;
        assert!(child < children.len(), "there is no child {child}: the composite has {} children", children.len());
        self.ticks += 1;
        // A rule that ticks its children more often than once repeats them, which a file can make endless.
        if self.ticks > children.len() && !self.run.may_restart(self.node, *host) {
            return Status::Error;
        }
        let node = children[child] as usize;
        let takes_over = self.flags.is_one_at_a_time && !self.run.is_open(node);
        let status = self.run.child(node, *host);
        if takes_over && status == Status::Running {
            for before in children.iter().map(|child| *child as usize).filter(|before| *before != node) {
                self.run.halt(before, Cause::Preempted, *host);
            }
        }
        status
    }

    fn halt(&mut self, child: usize, HostContext(host): &mut HostContext<'_>) {
        if let Some(node) = self.node_of(child) {
            self.run.halt(node, Cause::Preempted, *host);
        }
    }

    fn is_cleaning_up(&self) -> bool {
        self.node.cleans_up && self.run.is_cleaning_up(self.node)
    }

    fn is_marked(&self, child: usize) -> bool {
        let words = &self.run.memory.words[self.node.first_word as usize..];
        self.flags.has_marks && child < self.children.len() && words[child / 64] >> (child % 64) & 1 == 1
    }

    fn mark(&mut self, child: usize) {
        if !self.flags.has_marks {
            no_marks();
        }
        if child < self.children.len() {
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
        if let Some(node) = self.node_of(child).filter(|_| O::ON) {
            let at = self.run.id(&self.run.flat.nodes[node]);
            self.run.observer.score(at, score);
        }
    }
}

impl<O> SlotOf for Below<'_, '_, O> {
    fn slot(&mut self) -> Option<&mut ErasedState> {
        self.run.slot_of(self.node)
    }
}

impl<'a, O: Observer> Run<'a, O> {
    /// Ticks a composite.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn composite(
        &mut self,
        opening: bool,
        node: &'a LoadedNode,
        composite: &'a CompositeOp,
        host: &mut dyn Host,
    ) -> Status {
        let CompositeOp { rule, flags } = composite;
        let flags = *flags;
        if opening && flags.has_marks {
            self.words(node).fill(0);
        }
        let children = self.flat.children_of(node);
        let mut below = Below { run: self, node, children, flags, ticks: 0 };
        let status = {
            let Borrowed { below, slot } = &mut Borrowed::new(&mut below);
            rule.tick(opening, *below, slot, host)
        };
        // A tree that restarts its nodes too often ends with an error.
        if cfg!(debug_assertions) && opening && status != Status::Error {
            let shape = rule.shape(self.shapes);
            if shape.is_checked() {
                // An observer can replace the statuses of the children.
                let stated = if O::ON { shape.returns().at_most() } else { self.flat.source(node).returns };
                check_stated("composite", || shape.name(), status, stated);
            }
        }
        if flags.has_marks && !flags.keeps_marks {
            self.words(node).fill(0);
        }
        let Step::Done(outcome) = Step::<()>::from(status) else { return status };
        self.halt_children(node, Cause::Ended, host);
        self.close_composite(node, rule, host, outcome.into());
        status
    }

    /// Ends a run of a composite, after its children have been halted.
    pub(crate) fn close_composite(&mut self, node: &LoadedNode, rule: &CompositeRule, host: &mut dyn Host, end: End) {
        self.in_slot(node.slot, |slot, _| rule.close(slot, host, end));
    }
}
