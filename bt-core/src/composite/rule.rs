//! The rules of composites as ordinary code over their children.
//!
//! A rule ticks and halts children by index, and queries whether they are running. It does not depend on how they are
//! stored. The same rule therefore runs over the children of a loaded tree and over any other list. The composites of
//! `tree!` are the same rules, unrolled over a tuple of children. The tests run both and compare them keyword by
//! keyword.

use crate::composite::draw::draw;
use crate::composite::tally::{Counts, ParallelMode, Tally};
use crate::status::{Outcome, Status};

/// The children of a composite, as its rule sees them: see [`Composite`](crate::Composite).
///
/// A child is identified by its index, from 0. Children that are running when the composite ends or is halted are halted
/// by the composite, in order; the rule does not need to.
#[expect(clippy::len_without_is_empty, reason = "a composite has at least one child")]
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

    /// Halts this child if it is running. If there is no such child, does nothing.
    fn halt(&mut self, child: usize, ctx: &mut C);

    /// Reports the score of a child to observers. Call it in a rule that selects children by scores: tools show them.
    fn score(&mut self, child: usize, score: f32) {
        let _ = (child, score);
    }
}

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

    fn score(&mut self, child: usize, score: f32) {
        (**self).score(child, score);
    }
}

/// Ticks children in order as long as they return `pass`, and returns the first other status. Starts at the first child
/// or, with memory, at the running one.
///
/// A running child that is not reached again is halted, after the child that stopped the tick was ticked.
pub fn sequential<C: ?Sized>(
    pass: Status,
    has_memory: bool,
    opening: bool,
    children: &mut impl Children<C>,
    ctx: &mut C,
) -> Status {
    let len = children.len();
    // At the start of a run, no child is running.
    let running = if opening { None } else { children.running() };
    let first = if has_memory { running.unwrap_or(0) } else { 0 };
    for child in first..len {
        let status = children.tick(child, ctx);
        if status == pass {
            continue;
        }
        if let Some(running) = running.filter(|running| *running != child) {
            children.halt(running, ctx);
        }
        return status;
    }
    pass
}

/// The position of a sequence, which is kept across runs.
pub trait Position {
    /// Returns the index of the child where the next run starts.
    fn position(&self) -> usize;
    /// Sets the position.
    fn set_position(&mut self, child: usize);
}

/// Ticks children in order as long as they succeed, and returns the first other status. Starts at the kept position, and
/// resumes at the running child.
pub fn kept_sequence<C: ?Sized, X: Children<C> + Position>(opening: bool, children: &mut X, ctx: &mut C) -> Status {
    let running = if opening { None } else { children.running() };
    for child in running.unwrap_or_else(|| children.position())..children.len() {
        match children.tick(child, ctx) {
            Status::Success => children.set_position(child + 1),
            status => return status,
        }
    }
    children.set_position(0);
    Status::Success
}

/// The set of children drawn in the current run.
pub trait Drawn {
    /// Returns `true` if this child was drawn.
    fn is_drawn(&self, child: usize) -> bool;
    /// Marks this child as drawn.
    fn set_drawn(&mut self, child: usize);
    /// Marks all children as not drawn.
    fn clear_drawn(&mut self);
    /// Returns the child that an observer takes: its index among those that are not drawn.
    fn forced(&mut self) -> Option<usize>;
}

/// Draws and ticks children as long as they return `pass`, and returns the first other status. No child is drawn twice
/// in a run. Resumes at the running child.
pub fn random<C: ?Sized, X: Children<C> + Drawn>(
    pass: Status,
    weight: impl Fn(usize) -> f64,
    mut bits: impl FnMut(&mut C) -> u64,
    opening: bool,
    children: &mut X,
    ctx: &mut C,
) -> Status {
    let len = children.len();
    if opening {
        children.clear_drawn();
    }
    let mut running = if opening { None } else { children.running() };
    loop {
        let child = match running.take() {
            Some(child) => child,
            None => {
                let forced = children.forced();
                match draw(len, |child| children.is_drawn(child), &weight, |_| forced, || bits(ctx)) {
                    Some(child) => child,
                    None => return pass,
                }
            }
        };
        children.set_drawn(child);
        let status = children.tick(child, ctx);
        if status != pass {
            return status;
        }
    }
}

/// The outcomes of children in the current run of a parallel with memory.
pub trait Results {
    /// Returns the outcome of this child, if it has ended.
    fn result(&self, child: usize) -> Option<Outcome>;
    /// Stores the outcome of this child.
    fn set_result(&mut self, child: usize, outcome: Outcome);
    /// Clears all outcomes.
    fn clear_results(&mut self);
}

/// Ticks all children in order until a threshold decides. With memory, children that have ended are not ticked again in
/// the same run.
pub fn parallel<C: ?Sized, M: ParallelMode, X: Children<C> + Results>(
    success: usize,
    failure: usize,
    opening: bool,
    children: &mut X,
    ctx: &mut C,
) -> Status {
    let len = children.len();
    // Success is out of reach, so no child is ticked.
    if success > len {
        return Status::Failure;
    }
    if M::HAS_MEMORY && opening {
        children.clear_results();
    }
    let mut tally = Tally::<M>::new(Counts::default(), len, success, failure);
    if M::HAS_MEMORY && !opening {
        for child in 0..len {
            if let Some(outcome) = children.result(child)
                && let Some(decided) = tally.count(outcome)
            {
                return decided.into();
            }
        }
    }
    for child in 0..len {
        if M::HAS_MEMORY && children.result(child).is_some() {
            continue;
        }
        let outcome = match children.tick(child, ctx) {
            Status::Running => continue,
            Status::Success => Outcome::Success,
            Status::Failure => Outcome::Failure,
            Status::Error => return Status::Error,
        };
        if M::HAS_MEMORY {
            children.set_result(child, outcome);
        }
        if let Some(decided) = tally.count(outcome) {
            return decided.into();
        }
    }
    Status::Running
}
