//! The state of one child, if any number of children may be running.

use core::mem;

use crate::id::NodeId;
use crate::node::{Node, Visit};
use crate::observer::Observer;
use crate::status::{Interrupt, Step};
use crate::visit;

/// The state of one child. (A format such as JSON cannot distinguish the values of an `Option<()>`.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ChildState<Open> {
    /// The child is not running.
    Closed,
    /// The child is running.
    Running(Open),
}

impl<Open> ChildState<Open> {
    /// Returns `true` if the child is running.
    #[inline(always)]
    pub(super) const fn is_running(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    /// Ticks the child: resumes its run, or starts one. `OPENING` is `true` if its parent starts in this tick.
    #[inline(always)]
    pub(super) fn tick<const OPENING: bool, C: ?Sized, N: Node<C, Open = Open>, O: Observer>(
        &mut self,
        child: &N,
        at: NodeId,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        // A node that restarts is not resumed while nothing observes it: then both cases share their code.
        let resumes = O::ON || !N::RESTARTS;
        let step = match self {
            Self::Running(_) if resumes && OPENING => {
                // Moved out, so that no reference to the memory is passed to code that is not inlined.
                let Self::Running(mut open) = mem::replace(self, Self::Closed) else { return Step::Running(()) };
                let step = visit::resume_child::<OPENING, C, N, O>(child, at, &mut open, kept, visit);
                *self = Self::Running(open);
                step
            }
            Self::Running(open) if resumes => visit::resume(child, at, open, kept, visit),
            _ => visit::start(child, at, kept, visit).map(|opened| *self = Self::Running(opened)),
        };
        if let Step::Done(_) = step {
            *self = Self::Closed;
        }
        step
    }

    /// Halts the child if it is running, so that its parent can turn to another.
    #[inline(always)]
    pub(super) fn halt<C: ?Sized, N: Node<C, Open = Open>, O: Observer>(
        &mut self,
        child: &N,
        at: NodeId,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        if let Self::Running(open) = self {
            visit::interrupt(child, at, open, kept, Interrupt::PREEMPTED, visit);
            *self = Self::Closed;
        }
    }
}
