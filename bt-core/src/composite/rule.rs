//! The rules of composites as ordinary code over their children.
//!
//! A rule ticks and halts children by their index and asks whether they are running. It does not know how they are stored, so the same rule runs over the children of a
//! loaded tree and over any other list. The composites of a `tree!` are the same rules unrolled over a tuple of children; the tests run both side by side, word by word.

use crate::composite::draw::draw;
use crate::composite::tally::{Counts, ParallelMode, Tally};
use crate::status::{Outcome, Status};

/// The children of a node, as its rule sees them. A child that is running when the node ends is halted by the node, not by the rule.
#[expect(clippy::len_without_is_empty, reason = "a composite has at least one child")]
pub trait Children<C: ?Sized> {
    /// How many there are.
    fn len(&self) -> usize;
    /// Returns `true` if this child is running.
    fn is_running(&self, child: usize) -> bool;
    /// Ticks this child: resumes its run, or starts one.
    fn tick(&mut self, child: usize, ctx: &mut C) -> Status;
    /// Halts this child if it is running.
    fn halt(&mut self, child: usize, ctx: &mut C);
}

/// Ticks children in order as long as they return `pass`, and returns the first other status. Starts from the first child, or, with memory, at the running one.
///
/// A running child that is not reached again is halted after the child that stopped the tick was ticked.
pub fn sequential<C: ?Sized>(
    pass: Status,
    has_memory: bool,
    opening: bool,
    children: &mut impl Children<C>,
    ctx: &mut C,
) -> Status {
    let len = children.len();
    // In a new run none is running yet.
    let running = if opening { None } else { (0..len).find(|child| children.is_running(*child)) };
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

/// Which children were drawn in the present run.
pub trait Drawn {
    /// Returns `true` if this child was drawn.
    fn is_drawn(&self, child: usize) -> bool;
    /// Marks this child as drawn.
    fn set_drawn(&mut self, child: usize);
    /// Marks all children as not drawn.
    fn clear_drawn(&mut self);
}

/// Draws and ticks children, none twice in a run, as long as they return `pass`, and returns the first other status. Resumes at the running child.
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
    let mut running = if opening { None } else { (0..len).find(|child| children.is_running(*child)) };
    loop {
        let child = match running.take() {
            Some(child) => child,
            None => match draw(len, |child| children.is_drawn(child), &weight, || bits(ctx)) {
                Some(child) => child,
                None => return pass,
            },
        };
        children.set_drawn(child);
        let status = children.tick(child, ctx);
        if status != pass {
            return status;
        }
    }
}

/// How children have ended in the present run of a parallel with memory.
pub trait Results {
    /// The outcome of this child, if it has ended.
    fn result(&self, child: usize) -> Option<Outcome>;
    /// Stores the outcome of this child.
    fn set_result(&mut self, child: usize, outcome: Outcome);
    /// Forgets all outcomes.
    fn clear_results(&mut self);
}

/// Ticks all children in order until a threshold decides. With memory, children that have ended are not ticked again in the same run.
pub fn parallel<C: ?Sized, M: ParallelMode, X: Children<C> + Results>(
    success: usize,
    failure: usize,
    opening: bool,
    children: &mut X,
    ctx: &mut C,
) -> Status {
    let len = children.len();
    // Success is out of reach: no child is ticked.
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
