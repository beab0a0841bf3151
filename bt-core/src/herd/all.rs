//! What is done with all agents of a herd.

use crate::herd::{AgentId, Herd};
use crate::memory::Memory;
use crate::node::Node;
use crate::tree::Tree;

/// What a herd does with an agent.
#[derive(Clone, Copy)]
pub(super) enum Call {
    Halt,
    Pause,
    Unpause,
    CleanUp,
}

/// An agent whose context a herd needs: the argument of the functions that [`Herd::halt_all`] and similar methods call.
///
/// The function passes the context to [`with`](Self::with). It creates the context on demand, or takes it from a collection:
///
/// ```
/// use bt_core::prelude::*;
///
/// let mut herd = Herd::new(tree! { for u32: run });
/// herd.grow(2);
/// let mut contexts = [1, 2];
/// herd.tick_all(&mut contexts);
/// herd.halt_all(|agent| agent.with(&mut contexts[agent.id().index()]));
/// assert!(herd.ids().all(|agent| !herd.memory(agent).unwrap().is_running()));
/// ```
pub struct AgentVisit<'h, N: Tree> {
    pub(super) id: AgentId,
    pub(super) tree: &'h N,
    pub(super) memory: &'h mut Memory<N>,
    pub(super) call: Call,
}

impl<N: Tree> AgentVisit<'_, N> {
    /// Returns the id of the agent.
    pub const fn id(&self) -> AgentId {
        self.id
    }

    /// Does with the agent what the method of the herd says. An agent for which the function does not call this method stays as it is.
    pub fn with<C: ?Sized>(&mut self, ctx: &mut C)
    where
        N: Node<C>,
    {
        let Self { tree, memory, call, .. } = self;
        match call {
            Call::Halt => tree.halt(ctx, memory),
            Call::Pause => tree.pause(ctx, memory),
            Call::Unpause => tree.unpause(ctx, memory),
            Call::CleanUp => _ = tree.clean_up(ctx, memory),
        }
    }
}

impl<N: Tree> Herd<N> {
    /// Halts the running nodes of every agent, in order. The function passes the context of the agent.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Body<'w> { lamps: &'w mut Vec<bool>, me: usize }
    /// fn on(body: &mut Body<'_>) { body.lamps[body.me] = true }
    /// fn off(body: &mut Body<'_>) { body.lamps[body.me] = false }
    ///
    /// let mut herd = Herd::new(tree! { for Body<'_>: finally { mem_sequence { on, run } off } });
    /// herd.grow(2);
    /// let mut lamps = vec![false; 2];
    /// herd.for_each(|agent, tree, memory| {
    ///     tree.tick(&mut Body { lamps: &mut lamps, me: agent.index() }, memory);
    /// });
    /// assert_eq!(lamps, [true, true]);
    ///
    /// herd.halt_all(|agent| agent.with(&mut Body { lamps: &mut lamps, me: agent.id().index() }));
    /// assert_eq!(lamps, [false, false]);
    /// ```
    pub fn halt_all(&mut self, visit: impl FnMut(&mut AgentVisit<'_, N>)) {
        self.wake_all();
        self.call_all(Call::Halt, visit);
    }

    /// Ticks the cleanups that halts of any agents have left running, and nothing else, also those of agents that have
    /// [retired](Self::retire). The function passes the context of the agent. Returns `true` while a cleanup is running: see
    /// [`Tree::clean_up`].
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let release = |left: &mut u32| { *left -= 1; if *left == 0 { Status::Success } else { Status::Running } };
    /// let mut herd = Herd::new(tree! { for u32: finally { run, release } });
    /// herd.grow(2);
    /// let mut contexts = [2, 3];
    /// herd.tick_all(&mut contexts);
    ///
    /// herd.halt_all(|agent| agent.with(&mut contexts[agent.id().index()]));
    /// while herd.clean_up_all(|agent| agent.with(&mut contexts[agent.id().index()])) {}
    /// assert_eq!(contexts, [0, 0]);
    /// ```
    pub fn clean_up_all(&mut self, visit: impl FnMut(&mut AgentVisit<'_, N>)) -> bool {
        self.wake_all();
        self.call_all(Call::CleanUp, visit);
        self.release_retired();
        self.memories.iter().any(|memory| self.tree.is_cleaning_up(memory))
    }

    /// Notifies the running leaves of every agent that its tree will not be ticked for some time: see [`Tree::pause`]. The function
    /// passes the context of the agent.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Drive;
    /// #[leaf]
    /// impl Leaf<i32> for Drive {
    ///     fn open(&self, speed: &mut i32) { *speed = 5 }
    ///     fn tick(&self, (): &mut (), _: &mut i32) -> Status { Status::Running }
    ///     fn pause(&self, (): &mut (), speed: &mut i32) { *speed = 0 }
    ///     fn unpause(&self, (): &mut (), speed: &mut i32) { *speed = 5 }
    ///     fn close(&self, (): &mut (), speed: &mut i32, _: End) { *speed = 0 }
    /// }
    ///
    /// let mut herd = Herd::new(tree! { for i32: Drive });
    /// herd.grow(1);
    /// let mut speeds = [0];
    /// herd.tick_all(&mut speeds);
    /// herd.pause_all(|agent| agent.with(&mut speeds[agent.id().index()]));
    /// assert_eq!(speeds, [0]);
    /// herd.unpause_all(|agent| agent.with(&mut speeds[agent.id().index()]));
    /// assert_eq!(speeds, [5]);
    /// ```
    pub fn pause_all(&mut self, visit: impl FnMut(&mut AgentVisit<'_, N>)) {
        self.call_all(Call::Pause, visit);
    }

    /// Notifies the running leaves of every agent that its tree is ticked again, and makes all agents due: see [`Tree::unpause`]. The
    /// function passes the context of the agent.
    pub fn unpause_all(&mut self, visit: impl FnMut(&mut AgentVisit<'_, N>)) {
        self.wake_all();
        self.call_all(Call::Unpause, visit);
    }

    /// Visits every agent, also those that have retired.
    fn call_all(&mut self, call: Call, mut visit: impl FnMut(&mut AgentVisit<'_, N>)) {
        for ((memory, place), index) in self.memories.iter_mut().zip(&self.places).zip(0..) {
            if !place.is_free() {
                let id = AgentId { index, number: place.number() };
                visit(&mut AgentVisit { id, tree: &self.tree, memory, call });
            }
        }
    }
}
