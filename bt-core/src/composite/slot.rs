//! The state of one child, if any number of children may be running.

use crate::id::NodeId;
use crate::node::{Node, Visit};
use crate::observe::Observer;
use crate::status::Step;
use crate::visit;

/// The state of one child. (A format such as JSON cannot distinguish the values of an `Option<()>`.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Slot<Open> {
    /// The child is not running.
    Closed,
    /// The child is running.
    Running(Open),
}

impl<Open> Slot<Open> {
    /// Returns `true` if the child is running.
    #[inline(always)]
    pub(super) const fn is_running(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    /// Ticks the child: resumes its run, or starts one.
    #[inline(always)]
    pub(super) fn tick<C: ?Sized, N: Node<C, Open = Open>, O: Observer>(
        &mut self,
        child: &N,
        at: NodeId,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let step = match self {
            Self::Running(open) => visit::resume(child, at, open, kept, visit),
            Self::Closed => visit::start(child, at, kept, visit).map(|opened| *self = Self::Running(opened)),
        };
        if let Step::Done(_) = step {
            *self = Self::Closed;
        }
        step
    }

    /// Halts the child if it is running.
    #[inline(always)]
    pub(super) fn halt<C: ?Sized, N: Node<C, Open = Open>, O: Observer>(
        &mut self,
        child: &N,
        at: NodeId,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        if let Self::Running(open) = self {
            visit::halt(child, at, open, kept, visit);
            *self = Self::Closed;
        }
    }
}
