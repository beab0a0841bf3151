//! The rule of `finally`, for any representation of its children.

use crate::status::{Cause, Outcome, Status, Step};

/// What a running `finally` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FinallyPhase {
    /// It waits for the end of the cleanup of an earlier run.
    Waiting,
    /// Its body runs.
    Body,
    /// Its body has ended with this outcome. Its cleanup runs, or waits for those in the body.
    Cleanup(Outcome),
}

/// The parts of a `finally` that its rule uses.
pub trait FinallyParts<C: ?Sized> {
    /// Returns the phase of the run.
    fn phase(&self) -> FinallyPhase;
    /// Stores the phase of the run.
    fn set_phase(&mut self, phase: FinallyPhase);
    /// Returns `true` if the cleanup of an earlier run has not ended: it is running, or waits.
    fn is_left(&self) -> bool;
    /// Ticks the body: resumes its run, or starts one.
    fn tick_body(&mut self, ctx: &mut C) -> Status;
    /// Ticks the cleanup: resumes its run, or starts one.
    fn tick_cleanup(&mut self, ctx: &mut C) -> Status;
    /// Halts the body, which is running.
    fn halt_body(&mut self, why: Cause, ctx: &mut C);
    /// Returns `true` if the cleanup of this run is running.
    fn is_cleanup_running(&self) -> bool;
    /// Returns `true` if a halt has left a cleanup in the body running.
    fn is_body_cleaning_up(&self) -> bool;
    /// Lets the cleanup continue after the end of this run: it is running, or starts when the cleanups in the body have ended. `is_ticked` is `false`
    /// if it was not ticked in this tick, in which the clock may have gone back. It is then due in the next one.
    fn leave_cleanup(&mut self, is_ticked: bool);

    /// Ticks the node.
    #[inline]
    fn tick(&mut self, opening: bool, ctx: &mut C) -> Status {
        if opening {
            self.set_phase(FinallyPhase::Waiting);
        }
        if self.phase() == FinallyPhase::Waiting {
            if self.is_left() {
                return Status::Running;
            }
            self.set_phase(FinallyPhase::Body);
        }
        let outcome = match self.phase() {
            FinallyPhase::Cleanup(outcome) => outcome,
            FinallyPhase::Waiting | FinallyPhase::Body => {
                let Step::Done(outcome) = self.tick_body(ctx).into() else { return Status::Running };
                self.set_phase(FinallyPhase::Cleanup(outcome));
                outcome
            }
        };
        if !self.is_cleanup_running() && self.is_body_cleaning_up() {
            return Status::Running;
        }
        match self.tick_cleanup(ctx) {
            Status::Success | Status::Failure => outcome.into(),
            status @ (Status::Running | Status::Error) => status,
        }
    }

    /// Halts the run.
    #[inline]
    fn halt(&mut self, why: Cause, ctx: &mut C) {
        match self.phase() {
            FinallyPhase::Waiting => {}
            FinallyPhase::Body => {
                self.halt_body(why, ctx);
                if self.is_body_cleaning_up() || self.tick_cleanup(ctx) == Status::Running {
                    self.leave_cleanup(true);
                }
            }
            FinallyPhase::Cleanup(_) => self.leave_cleanup(false),
        }
    }
}
