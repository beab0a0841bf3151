//! Scripts of statuses, and leaves that follow them.

use alloc::vec::Vec;

use crate::describe::{Kind, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::status::{Status, Step};

/// The statuses that a node returns, one per tick of the node. The last status is repeated.
///
/// A script is created from a status, an array or a `Vec`. Without statuses, the node succeeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script(Vec<Status>);

impl Script {
    /// Returns the status for a tick of the node, counted from 0.
    #[doc(hidden)]
    pub fn status(&self, tick: usize) -> Status {
        self.0.get(tick).or(self.0.last()).copied().unwrap_or(Status::Success)
    }

    pub(super) fn statuses(&self) -> &[Status] {
        &self.0
    }
}

impl From<Status> for Script {
    fn from(status: Status) -> Self {
        Self([status].into())
    }
}

impl<const N: usize> From<[Status; N]> for Script {
    fn from(statuses: [Status; N]) -> Self {
        Vec::from(statuses).into()
    }
}

impl From<Vec<Status>> for Script {
    fn from(mut statuses: Vec<Status>) -> Self {
        if statuses.is_empty() {
            statuses.push(Status::Success);
        }
        Self(statuses)
    }
}

/// Creates a leaf over any context that returns these statuses, one per tick. The leaf repeats the last status. The
/// position in the script is part of the memory of an agent.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::testing::scripted;
///
/// let tree = tree! {
///     for (): mem_sequence { scripted("aim", [Status::Running, Status::Success]), scripted("shoot", Status::Failure) }
/// };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Failure);
/// ```
pub fn scripted(name: &'static str, script: impl Into<Script>) -> Scripted {
    Scripted { name, script: script.into() }
}

/// The leaf created by [`scripted`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub struct Scripted {
    name: &'static str,
    script: Script,
}

impl Scripted {
    fn next(&self, ticks: &mut u32) -> Step<()> {
        let status = self.script.status(usize::try_from(*ticks).unwrap_or(usize::MAX));
        *ticks = ticks.saturating_add(1);
        status.into()
    }
}

impl NodeShape for Scripted {
    type Open = ();
    /// The number of ticks so far.
    type Kept = u32;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, self.name, &[]);
    }
}

impl<C: ?Sized> Node<C> for Scripted {
    fn start<O: Observer>(&self, _: NodeId, ticks: &mut u32, _: &mut Visit<'_, C, O>) -> Step<()> {
        self.next(ticks)
    }

    fn open_replaced(&self, _: NodeId, _: &mut u32, _: &mut Visit<'_, C, ()>) -> Option<()> {
        Some(())
    }
}
