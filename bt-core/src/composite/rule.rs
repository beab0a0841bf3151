//! The children of a composite, as its rule sees them.
//!
//! A rule ticks and halts children by index, and queries whether they are running. The rule does not depend on how
//! the children are stored. The same rule therefore runs over the children of a loaded tree and over any other list.

use crate::composite::marks::no_marks;
use crate::status::{Outcome, Status, Step};

/// The access of a rule to the children of its composite: see [`Composite`](crate::composite::Composite).
///
/// A child is identified by its index, from 0. Children that are running when the composite ends or is halted are halted
/// by the composite, in order; the rule does not need to.
#[expect(clippy::len_without_is_empty, reason = "whether there are no children decides nothing")]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Children<C: ?Sized> {
    /// Returns the number of children.
    fn len(&self) -> usize;

    /// Returns `true` if this child is running, `false` if there is no such child.
    fn is_running(&self, child: usize) -> bool;

    /// Returns the first running child.
    fn running(&self) -> Option<usize> {
        (0..self.len()).find(|child| self.is_running(*child))
    }

    /// Ticks this child: resumes its run, or starts one.
    ///
    /// # Panics
    ///
    /// Panics if there is no such child.
    fn tick(&mut self, child: usize, ctx: &mut C) -> Status;

    /// Halts this child if it is running, with the cause [`Preempted`](crate::Cause::Preempted). If there is no such child, does nothing.
    fn halt(&mut self, child: usize, ctx: &mut C);

    /// Ticks the first child, a condition, and returns its outcome. A condition that is running, which the compiler rejects in
    /// `tree!`, is halted, and the outcome is failure.
    #[doc(hidden)]
    #[inline(always)]
    fn condition(&mut self, ctx: &mut C) -> Outcome {
        match self.tick(0, ctx).into() {
            Step::Done(outcome) => outcome,
            Step::Running(()) => {
                self.halt(0, ctx);
                Outcome::Failure
            }
        }
    }

    /// Halts the running child if that is another child, and ticks this child. While a halt has left a cleanup in one of the children running,
    /// does not start a child, and returns `Running`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such child.
    #[doc(hidden)]
    #[inline(always)]
    fn switch_to(&mut self, child: usize, ctx: &mut C) -> Status {
        switch_to(self, child, ctx)
    }

    /// Returns `true` if a halt has left a cleanup in one of the children running: see [`finally`](crate::keywords::finally).
    fn is_cleaning_up(&self) -> bool {
        false
    }

    /// Returns `true` if this child is marked, `false` if there is no such child.
    fn is_marked(&self, child: usize) -> bool {
        false
    }

    /// Marks this child until the tick or the run ends, as the composite [declares](crate::composite::CompositeShape::Marks), for
    /// example as a child that is not ticked again. If there is no such child, does nothing.
    ///
    /// # Panics
    ///
    /// Panics if the composite declares no marks.
    fn mark(&mut self, child: usize) {
        no_marks();
    }

    /// Ticks each child that is not marked, in order, and marks it if it ends. Stops at the first child for whose status
    /// `decide` returns a value, and returns that value.
    ///
    /// # Panics
    ///
    /// Panics if the composite declares no marks and a child ends.
    #[inline(always)]
    fn tick_rest<R>(&mut self, ctx: &mut C, decide: impl FnMut(Status) -> Option<R>) -> Option<R>
    where
        Self: Sized,
    {
        tick_rest(self, ctx, decide)
    }

    /// Returns the number that an observer [chooses](crate::Observer::choose) from `0..number`, if it chooses one. Call this
    /// method in a rule that draws at random, before the draw, so that tools can repeat a run and explore all runs.
    fn choose(&mut self, number: usize) -> Option<usize> {
        None
    }

    /// Reports the score of a child to observers. Call this method in a rule that selects children by scores, so that tools show
    /// the scores.
    fn score(&mut self, child: usize, score: f32) {}
}

#[doc(hidden)]
impl<C: ?Sized, X: Children<C> + ?Sized> Children<C> for &mut X {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn is_running(&self, child: usize) -> bool {
        (**self).is_running(child)
    }

    fn running(&self) -> Option<usize> {
        (**self).running()
    }

    fn tick(&mut self, child: usize, ctx: &mut C) -> Status {
        (**self).tick(child, ctx)
    }

    fn halt(&mut self, child: usize, ctx: &mut C) {
        (**self).halt(child, ctx);
    }

    fn is_cleaning_up(&self) -> bool {
        (**self).is_cleaning_up()
    }

    fn is_marked(&self, child: usize) -> bool {
        (**self).is_marked(child)
    }

    fn mark(&mut self, child: usize) {
        (**self).mark(child);
    }

    fn choose(&mut self, number: usize) -> Option<usize> {
        (**self).choose(number)
    }

    fn score(&mut self, child: usize, score: f32) {
        (**self).score(child, score);
    }
}

/// The default of [`Children::switch_to`].
#[inline(always)]
pub(super) fn switch_to<C: ?Sized>(children: &mut (impl Children<C> + ?Sized), child: usize, ctx: &mut C) -> Status {
    let running = children.running();
    if running == Some(child) {
        return children.tick(child, ctx);
    }
    if let Some(other) = running {
        children.halt(other, ctx);
    }
    if children.is_cleaning_up() { Status::Running } else { children.tick(child, ctx) }
}

/// The default of [`Children::tick_rest`].
#[inline(always)]
pub(super) fn tick_rest<C: ?Sized, R>(
    children: &mut impl Children<C>,
    ctx: &mut C,
    mut decide: impl FnMut(Status) -> Option<R>,
) -> Option<R> {
    for child in 0..children.len() {
        if !children.is_marked(child) {
            let status = children.tick(child, ctx);
            if status.is_done() {
                children.mark(child);
            }
            if let Some(decided) = decide(status) {
                return Some(decided);
            }
        }
    }
    None
}
