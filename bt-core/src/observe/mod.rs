//! Watching a tree think: what happens to which node, as it happens.

use core::time::Duration;

use crate::id::NodeId;
use crate::status::{End, Status};

#[cfg_attr(not(feature = "alloc"), allow(dead_code, unreachable_pub, reason = "only boxes erase observers"))]
mod erased;
#[cfg(feature = "record")]
mod file;
mod joined;
#[cfg(feature = "alloc")]
mod recording;
#[cfg(feature = "alloc")]
mod statistics;
#[cfg(feature = "alloc")]
mod statuses;
#[cfg(feature = "tracing")]
mod tracer;
mod variable;

#[cfg(feature = "record")]
pub use file::{ReadError, RecordFile, Recorded, VariableRecord};

#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use erased::{DynObserver, WithDyn, as_dyn};
#[cfg(feature = "alloc")]
pub use recording::{Event, EventKind, InvalidEvents, Recorder, Recording, TickRecord};
#[cfg(feature = "alloc")]
pub use statistics::{Coverage, NodeCounts, Statistics};
#[cfg(feature = "alloc")]
pub use statuses::{Last, Seen, Statuses};
#[cfg(feature = "tracing")]
pub use tracer::Tracer;
pub use variable::VariableView;

/// Which tick it is: whose, and when. An observer learns it from [`for_agent`](Observer::for_agent).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tick {
    /// The agent's number, whatever you take for it.
    pub agent: u64,
    /// When it is, by whatever clock.
    pub now: Duration,
}

/// Somebody who is told what happens in a tree: [`tick_with`](crate::Tree::tick_with).
///
/// A tick is told as `begin`, the events of the root's visit, `end`. The events of one visit come in this order: `enter`, `open` if a run begins,
/// those of the children, `tick`, `close` if the run is over, `exit`. A node that is halted gets `close` alone, after the nodes below it.
///
/// The observer `()` costs nothing. Several observers are one as a tuple, `&mut (&mut first, &mut second)`, and one that is perhaps there is an `Option`.
/// To say whose tick it is, write `observer.for_agent(7, now)`.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Default)]
/// struct Visits(Vec<usize>);
///
/// impl Observer for Visits {
///     fn enter(&mut self, at: NodeId) { self.0.push(at.index()) }
/// }
///
/// let tree = tree! { for bool: selector { sequence { |dark: &bool| *dark, succeed }, succeed } };
/// let mut visits = Visits::default();
/// tree.tick_with(&mut false, &mut tree.memory(), &mut visits);
/// assert_eq!(visits.0, [0, 1, 2, 4]);
/// ```
pub trait Observer {
    /// Whether anybody is there: `false` removes all of this from the machine code.
    const ON: bool = true;

    /// Whether it may ever be [asleep](Self::is_asleep).
    const SLEEPS: bool = false;

    /// Whether it wants to know nothing at the moment. Asked at the beginning of a tick, if it ever [sleeps](Self::SLEEPS): the tick is then as fast as
    /// one that nobody observes.
    fn is_asleep(&self) -> bool {
        false
    }

    /// This observer for the ticks of an agent, at a time.
    ///
    /// ```
    /// use bt_core::observe::Recorder;
    /// use bt_core::prelude::*;
    ///
    /// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// let mut recorder = Recorder::new(1000);
    /// for agent in [7, 8] {
    ///     tree.tick_with(&mut 0, &mut tree.memory(), &mut recorder.for_agent(agent, secs(3)));
    /// }
    /// assert_eq!(recorder.agents().collect::<Vec<_>>(), [7, 8]);
    /// ```
    fn for_agent(&mut self, agent: u64, now: Duration) -> ForAgent<'_, Self>
    where
        Self: Sized,
    {
        ForAgent::new(self, Tick { agent, now })
    }

    /// A tick of the whole tree begins, or it is halted from outside, or a machine forced into a state.
    fn begin(&mut self, tick: Tick) {
        let _ = tick;
    }

    /// The tick is over: with this status, or `None` if the tree was halted.
    fn end(&mut self, tick: Tick, status: Option<Status>) {
        let _ = (tick, status);
    }

    /// A variable of a board has changed: told by [`Changes`](crate::board::Changes), where you ask for it.
    fn variable(&mut self, tick: Tick, variable: &VariableView<'_>) {
        let _ = (tick, variable);
    }

    /// A node is visited.
    fn enter(&mut self, at: NodeId) {
        let _ = at;
    }

    /// A run of the node begins.
    fn open(&mut self, at: NodeId) {
        let _ = at;
    }

    /// The node has ticked and gives this status.
    fn tick(&mut self, at: NodeId, status: Status) {
        let _ = (at, status);
    }

    /// The run is over: the node ended, or was halted.
    fn close(&mut self, at: NodeId, end: End) {
        let _ = (at, end);
    }

    /// A machine goes to the state of this index (in [`StateMachine::states`](crate::StateMachine::states)), also the first. Told before what is done on entering it.
    fn state(&mut self, at: NodeId, state: usize) {
        let _ = (at, state);
    }

    /// The visit is over.
    fn exit(&mut self, at: NodeId, status: Status) {
        let _ = (at, status);
    }
}

/// An observer for the ticks of one agent at one time: [`Observer::for_agent`].
pub struct ForAgent<'a, O> {
    pub(super) observer: &'a mut O,
    pub(super) tick: Tick,
}

impl<'a, O> ForAgent<'a, O> {
    const fn new(observer: &'a mut O, tick: Tick) -> Self {
        Self { observer, tick }
    }
}

/// The observer that receives no events.
impl Observer for () {
    const ON: bool = false;
}
