//! Observers, which receive the events of a tick: the trait, tuples of observers, erased observers.

use core::fmt;
use core::time::Duration;

use crate::id::NodeId;
use crate::status::{End, Status};
use crate::visitor::Visitor;

#[cfg_attr(not(feature = "alloc"), allow(dead_code, unreachable_pub, reason = "only boxes erase observers"))]
mod erased;
mod joined;
mod variable;

#[cfg(feature = "alloc")]
pub use erased::{DynObserver, IfAny, WithDyn, as_dyn};
#[cfg(feature = "alloc")]
pub(crate) use joined::tell_nodes;
pub use variable::VariableView;

/// The agent and the time of a tick. [`for_agent`](Observer::for_agent) passes them to an observer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tick {
    /// The number of the agent, chosen by the caller.
    pub agent: u64,
    /// The time of the tick, by any clock.
    pub now: Duration,
}

/// A type that receives the events of a tree while it is ticked with [`tick_with`](crate::Tree::tick_with).
///
/// A tick consists of `begin`, the events of the visit of the root, and `end`. The events of a visit have this order:
///
/// 1. [`enter`](Self::enter)
/// 2. [`open`](Self::open), if a run starts
/// 3. the events of the children
/// 4. [`tick`](Self::tick)
/// 5. [`close`](Self::close), if the run has ended
/// 6. [`exit`](Self::exit)
///
/// A node that is halted receives only `close`, after the nodes below it.
///
/// The observer `()` costs nothing. A tuple of observers is an observer, `&mut (&mut first, &mut second)`, and so is an
/// `Option` of an observer. `observer.for_agent(7, now)` adds the agent and the time of the tick.
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
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Observer {
    /// `false` removes all events from the generated code.
    const ON: bool = true;

    /// `false` compiles the visits that report to this observer out of line: one function for each node, instead of one for the
    /// whole tree. Use `false` for observers whose own work takes longer than a call. A large tree then compiles much faster.
    const INLINE: bool = true;

    /// `true` if the observer can be [asleep](Self::is_asleep).
    const SLEEPS: bool = false;

    /// Returns `true` while the observer needs no events. Called at the beginning of a tick, if the observer [can
    /// sleep](Self::SLEEPS). A tick with a sleeping observer is as fast as an unobserved tick.
    fn is_asleep(&self) -> bool {
        false
    }

    /// Returns this observer for a tick of an agent at a time.
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

    /// Called instead of all other events of a tick, from [`begin`](Self::begin) to [`end`](Self::end), if the observer is
    /// [asleep](Self::is_asleep).
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct Sampled { ticks: u32, visits: u32 }
    ///
    /// impl Observer for Sampled {
    ///     const SLEEPS: bool = true;
    ///     fn is_asleep(&self) -> bool { self.ticks % 10 != 0 }
    ///     fn skipped(&mut self) { self.ticks += 1 }
    ///     fn begin(&mut self, _: bt_core::observe::Tick) { self.ticks += 1 }
    ///     fn enter(&mut self, _: NodeId) { self.visits += 1 }
    /// }
    ///
    /// let (tree, mut sampled) = (tree! { for (): run }, Sampled::default());
    /// let mut memory = tree.memory();
    /// for _ in 0..100 {
    ///     tree.tick_with(&mut (), &mut memory, &mut sampled);
    /// }
    /// assert_eq!((sampled.ticks, sampled.visits), (100, 10));
    /// ```
    #[inline]
    fn skipped(&mut self) {}

    /// Called before [`begin`](Self::begin) in a program in which any tree was edited or replaced. `edits` is the number of such
    /// changes so far. `describe` describes the tree of this tick.
    #[doc(hidden)]
    #[inline]
    fn edited(&mut self, edits: u32, describe: &dyn Fn(&mut dyn Visitor)) {}

    /// Called when a tick of the whole tree begins. Also called when the tree is halted from outside, or a machine is
    /// forced into a state.
    fn begin(&mut self, tick: Tick) {}

    /// Called when the tick ends, with its status; `None` if the tree was halted.
    fn end(&mut self, tick: Tick, status: Option<Status>) {}

    /// Called when a variable of a board has changed, if the program calls
    /// [`Changes::report`](crate::board::Changes::report).
    fn variable(&mut self, tick: Tick, variable: &VariableView<'_>) {}

    /// Called when the visit of a node begins.
    fn enter(&mut self, at: NodeId) {}

    /// Called when a run of the node begins.
    fn open(&mut self, at: NodeId) {}

    /// Called after the node was ticked, with the status that it returns.
    fn tick(&mut self, at: NodeId, status: Status) {}

    /// Called when the node has ended or was halted.
    fn close(&mut self, at: NodeId, end: End) {}

    /// Called when a machine enters the state with this index (in
    /// [`StateMachine::states`](crate::machine::StateMachine::states)), including the first state. The events of the `enter:`
    /// action follow.
    fn state(&mut self, at: NodeId, state: usize) {}

    /// Called when a composite, such as a `utility_selector`, has computed the score of this node, one of its children. The
    /// score includes the bonus `keep`.
    fn score(&mut self, at: NodeId, score: f32) {}

    /// Called when a node returns `Error` because a variable cannot be read or written, with the reason.
    fn error(&mut self, at: NodeId, error: &dyn fmt::Display) {}

    /// Called when a leaf returns `Failure` for a reason: see [`Fails`](crate::leaf::Fails).
    fn failure(&mut self, at: NodeId, reason: &dyn fmt::Display) {}

    /// Called before a node is ticked, after [`enter`](Self::enter) and [`open`](Self::open). If it returns a status, the
    /// node returns this status and is not ticked. A running node is halted if the status ends its run.
    ///
    /// At the start of a run, `Running` is ignored for a node that is not a leaf, and for a leaf that can never be running. A
    /// leaf that starts with the replacement `Running` is opened. See [`TreeTest::replace`](crate::testing::TreeTest::replace).
    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        None
    }

    /// Called when a machine is ticked, before its transitions are considered. If it returns the index of a state, the
    /// machine enters this state, as if it followed a transition. A machine that starts in this tick starts in this state. An
    /// index without a state is ignored. See [`ForceState`](crate::machine::ForceState).
    fn force_state(&mut self, at: NodeId) -> Option<usize> {
        None
    }

    /// Called before a random composite chooses one of its children. `left` is the number of children that were not chosen in
    /// this run, at least 1. If this method returns an index below `left`, the composite takes the remaining child with this
    /// index, and does not use the generator of the context. Other indices are ignored.
    ///
    /// ```
    /// # use bt_core::prelude::*;
    /// # use bt_core::rand_core::SeedableRng;
    /// # struct Npc { rng: rand_pcg::Pcg32, said: Vec<char> }
    /// # impl Random for Npc { type Rng = rand_pcg::Pcg32; fn rng(&mut self) -> &mut rand_pcg::Pcg32 { &mut self.rng } }
    /// struct LastFirst;
    ///
    /// impl Observer for LastFirst {
    ///     fn choose(&mut self, _: NodeId, left: usize) -> Option<usize> { Some(left - 1) }
    /// }
    ///
    /// let say = |word| move |npc: &mut Npc| npc.said.push(word);
    /// let tree = tree! { for Npc: random_sequence { say('a'), say('b'), say('c') } };
    /// # let mut npc = Npc { rng: rand_pcg::Pcg32::seed_from_u64(1), said: vec![] };
    /// tree.tick_with(&mut npc, &mut tree.memory(), &mut LastFirst);
    /// assert_eq!(npc.said, ['c', 'b', 'a']);
    /// ```
    fn choose(&mut self, at: NodeId, left: usize) -> Option<usize> {
        None
    }

    /// Called when the visit of the node ends.
    fn exit(&mut self, at: NodeId, status: Status) {}
}

/// An observer for a tick of one agent, returned by [`Observer::for_agent`].
#[doc(hidden)]
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
