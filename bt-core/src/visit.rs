//! Functions that visit a node and report the events of its lifecycle to the observer. All reports of these events go
//! through this module.
//!
//! The order of events is that of Behavior3JS: enter, open (if a run starts), the events of the children, tick, close
//! (if the run is over), exit.

use core::fmt;

use crate::id::NodeId;
use crate::node::{Node, Visit};
use crate::observer::Observer;
use crate::silent;
use crate::status::{CleanUp, Interrupt, Outcome, Step};
use crate::wake::{Wake, WakeVisit};

/// Reports the beginning of a visit, and of a run if `opening` is `true`.
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

/// Visits `node` and starts a run.
#[inline(always)]
pub fn start<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<N::Open> {
    // Without optimization, each copy of a state takes its own place on the stack.
    if !O::ON {
        let step = node.start(at, kept, visit);
        silent::returned(matches!(step, Step::Done(Outcome::Error)), at);
        return step;
    }
    if O::INLINE {
        return observed_start(node, at, kept, visit);
    }
    out_of_line(|| observed_start(node, at, kept, visit))
}

/// Calls a function that is inlined here, and nowhere else.
#[inline(never)]
fn out_of_line<R>(visit: impl FnOnce() -> R) -> R {
    visit()
}

/// Visits `node`, starts a run, and reports it.
#[inline(always)]
fn observed_start<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<N::Open> {
    enter(at, true, visit.observer);
    let step = match replaced_start(node, at, kept, visit) {
        Some(step) => step,
        None => node.start(at, kept, visit),
    };
    leave(&step, at, visit.observer);
    step
}

/// Returns the first step of a run if the observer replaces its status.
#[inline(always)]
fn replaced_start<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Option<Step<N::Open>> {
    if !O::ON {
        return None;
    }
    match visit.observer.replacement(at)?.into() {
        Step::Running(()) => node.open_replaced(at, kept, &mut Visit::new(visit.ctx, &mut ())).map(Step::Running),
        Step::Done(outcome) => Some(Step::Done(outcome)),
    }
}

/// Returns the next step of a run if the observer replaces its status. If the run is over, the node is halted.
#[inline(always)]
fn replaced_resume<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Option<Step<()>> {
    if !O::ON {
        return None;
    }
    let step = visit.observer.replacement(at)?.into();
    if let Step::Done(_) = step {
        node.interrupt(at, open, kept, Interrupt::ENDED, visit);
    }
    Some(step)
}

/// Visits `node` and resumes its run.
#[inline(always)]
pub fn resume<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<()> {
    if !O::ON {
        if N::RESTARTS {
            return start_into(node, at, open, kept, visit);
        }
        let step = node.resume(at, open, kept, visit);
        silent::returned(matches!(step, Step::Done(Outcome::Error)), at);
        return step;
    }
    if O::INLINE {
        return observed_resume(node, at, open, kept, visit);
    }
    out_of_line(|| observed_resume(node, at, open, kept, visit))
}

/// Like [`resume`], for a child. `OPENING` is `true` if its parent starts in this tick. Such a child is running already only if
/// the parent ticks the child twice.
///
/// The code for this case is out of line. Resuming a node contains the code of starting it: with both in each start, the code of
/// a tree would double with each level.
#[inline(always)]
pub(crate) fn resume_child<const OPENING: bool, C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<()> {
    if OPENING { out_of_line(|| resume(node, at, open, kept, visit)) } else { resume(node, at, open, kept, visit) }
}

/// Visits `node`, resumes its run, and reports it.
#[inline(always)]
fn observed_resume<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Step<()> {
    enter(at, false, visit.observer);
    let step = match replaced_resume(node, at, open, kept, visit) {
        Some(step) => step,
        None => node.resume(at, open, kept, visit),
    };
    leave(&step, at, visit.observer);
    step
}

/// Starts a run of `node` and stores its state in place of the state of an earlier run.
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

/// Runs `node`, which cannot be running, and returns its outcome. If it is running nevertheless, it is halted at once,
/// and the outcome is failure.
#[doc(hidden)]
#[inline(always)]
pub fn at_once<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    visit: &mut Visit<'_, C, O>,
) -> Outcome {
    let outcome = match start(node, at, kept, visit) {
        Step::Done(outcome) => outcome,
        Step::Running(mut open) => {
            interrupt(node, at, &mut open, kept, Interrupt::ENDED, visit);
            Outcome::Failure
        }
    };
    // Nothing would go on with them.
    cleanups(node, at, kept, CleanUp::Interrupt(Interrupt::ENDED), visit);
    outcome
}

/// Interrupts `node`. If it is halted, the running nodes below it are closed first.
#[inline(always)]
pub fn interrupt<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    open: &mut N::Open,
    kept: &mut N::Kept,
    how: Interrupt,
    visit: &mut Visit<'_, C, O>,
) {
    if N::RESTARTS && !O::ON {
        return;
    }
    node.interrupt(at, open, kept, how, visit);
    if O::ON
        && let Some(end) = how.end()
    {
        visit.observer.close(at, end);
    }
}

/// Visits the cleanups in the subtree of `node` that a halt has left running, if there can be one.
#[inline(always)]
pub fn cleanups<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    kept: &mut N::Kept,
    how: CleanUp,
    visit: &mut Visit<'_, C, O>,
) {
    if const { N::FACTS.cleans_up } && node.cleans_up(kept) {
        node.visit_cleanups(at, kept, how, visit);
    }
}

/// Returns when one of the cleanups in the subtree of `node` that a halt has left running has to be ticked again.
#[inline(always)]
pub fn wake_of_cleanups<C: ?Sized, N: Node<C>>(node: &N, kept: &N::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
    if const { N::FACTS.cleans_up } && node.cleans_up(kept) { node.wake_cleanups(kept, visit) } else { Wake::Event }
}

/// Reports the end of a visit.
#[doc(hidden)]
#[inline(always)]
pub fn leave<Open, O: Observer>(step: &Step<Open>, at: NodeId, observer: &mut O) {
    if O::ON {
        observer.tick(at, step.status());
        if let Step::Done(outcome) = step {
            observer.close(at, (*outcome).into());
        }
        observer.exit(at, step.status());
    } else {
        silent::returned(matches!(step, Step::Done(Outcome::Error)), at);
    }
}

/// Returns `true` if the reasons of errors are reported: to an observer or, in debug builds, without an observer.
#[doc(hidden)]
pub const fn explains<O: Observer>() -> bool {
    O::ON || silent::ON
}

/// Reports the reason of the error that a node returns.
#[doc(hidden)]
#[inline]
pub fn explain<O: Observer>(at: NodeId, reason: &dyn fmt::Display, observer: &mut O) {
    if O::ON {
        observer.error(at, reason);
    } else {
        silent::explained(at, reason);
    }
}

/// Notes that the context receives the error that a node returns.
#[doc(hidden)]
#[inline(always)]
pub fn received(at: NodeId) {
    silent::received(at);
}
