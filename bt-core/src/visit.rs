//! How a parent visits a child: the one place where the lifecycle is told to the observer.
//!
//! Order of events, as in Behavior3JS: enter, open (only where a run begins), the child's own ticking, tick result,
//! close (only where it ends), exit.

use crate::id::NodeId;
use crate::node::{Node, Visit};
use crate::observe::Observer;
use crate::status::{End, Outcome, Step};

/// A visit begins, and with it a run where it is `opening`.
#[doc(hidden)]
#[inline(always)]
pub fn enter<O: Observer>(at: NodeId, opening: bool, observer: &mut O) {
    if O::ON {
        observer.enter(at);
        if opening {
            observer.open(at);
        }
    }
}

/// Begins a run of `node`.
#[inline(always)]
pub fn start<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<N::Open> {
    enter(at, true, visit.observer);
    let step = node.start(at, kept, visit);
    leave(&step, at, visit.observer);
    step
}

/// Goes on with a run of `node`.
#[inline(always)]
pub fn resume<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<()> {
    if N::RESTARTS && !O::ON {
        return start_into(node, at, open, kept, visit);
    }
    enter(at, false, visit.observer);
    let step = node.resume(at, open, kept, visit);
    leave(&step, at, visit.observer);
    step
}

/// Begins a run of `node` in the place of one that is over.
#[doc(hidden)]
#[inline(always)]
pub fn start_into<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<()> {
    start(node, at, kept, visit).map(|opened| *open = opened)
}

/// Runs `node`, which cannot be running, and returns how it ended. One that is running all the same is halted at once and counts as a failure.
#[doc(hidden)]
#[inline(always)]
pub fn at_once<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Outcome {
    match start(node, at, kept, visit) {
        Step::Done(outcome) => outcome,
        Step::Running(mut open) => {
            halt(node, at, &mut open, kept, visit);
            Outcome::Failure
        }
    }
}

/// Breaks a run of `node` off; whatever is open below it is closed first.
#[inline(always)]
pub fn halt<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) {
    if N::RESTARTS && !O::ON {
        return;
    }
    node.interrupt(at, open, kept, visit);
    if O::ON {
        visit.observer.close(at, End::Halted);
    }
}

/// Tells of a visit that is over.
#[doc(hidden)]
#[inline(always)]
pub fn leave<Open, O: Observer>(step: &Step<Open>, at: NodeId, observer: &mut O) {
    if O::ON {
        observer.tick(at, step.status());
        if let Step::Done(outcome) = step {
            observer.close(at, (*outcome).into());
        }
        observer.exit(at, step.status());
    }
}
