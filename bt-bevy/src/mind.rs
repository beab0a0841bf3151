//! The components of an entity that runs a tree.

use core::fmt;
use core::marker::PhantomData;

use bevy_ecs::component::Component;
use bt_core::{Memory, NodeShape, Status, Wake};

use crate::behavior::Behavior;

/// The component of entities that run the tree of a [`Behavior`].
///
/// Removing it, or despawning the entity, halts the tree: running leaves are closed while the components are still there.
///
/// `Changed<Mind<Guard>>` matches entities whose status has changed.
#[derive(Component)]
pub struct Mind<G: Behavior> {
    status: Option<Status>,
    wake: Wake,
    of: PhantomData<fn() -> G>,
}

impl<G: Behavior> Mind<G> {
    /// Creates a mind whose tree starts in the next tick.
    pub const fn new() -> Self {
        Self { status: None, wake: Wake::Next, of: PhantomData }
    }

    /// Returns the status of the last tick; `None` before the first one.
    pub fn status(&self) -> Option<Status> {
        self.status
    }

    /// Returns when the tree has to be ticked again. Until then the entity sleeps: it is skipped, because a tick would change nothing.
    pub fn due(&self) -> Wake {
        self.wake
    }

    /// Ends the sleep of the entity: its tree is ticked in the next run of the schedule.
    ///
    /// A tree sleeps only in leaves that sleep, such as `wait`, [`task`](crate::task) and leaves of yours with `SLEEPS`. Call this method when something
    /// happens that the tree has to react to, or see [`TreePlugin::wakes_on`](crate::TreePlugin::wakes_on).
    pub fn wake(&mut self) {
        self.wake = Wake::Next;
    }

    pub(crate) fn sleep(&mut self, until: Wake) {
        self.wake = until;
    }

    pub(crate) fn set_status(&mut self, status: Status) {
        self.status = Some(status);
    }
}

impl<G: Behavior> Default for Mind<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Behavior> fmt::Debug for Mind<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mind").field("status", &self.status).field("wake", &self.wake).finish()
    }
}

/// The memory of an entity. Its type cannot be named by users, so it is a component that a [`Mind`] requires.
#[derive(Component)]
pub(crate) struct MindMemory<G: Behavior, N: NodeShape + 'static> {
    pub(crate) memory: Memory<N>,
    of: PhantomData<fn() -> G>,
}

impl<G: Behavior, N: NodeShape + 'static> Default for MindMemory<G, N> {
    fn default() -> Self {
        Self { memory: Memory::new(), of: PhantomData }
    }
}
