//! Queries of a machine's state, and forced transitions.

use core::fmt;

use crate::describe::{FromFile, Located, Param, Subtree};
use crate::id::NodeId;
use crate::machine::node::{Machine, Parts};
use crate::machine::rule::MachineParts;
use crate::machine::states::{States, StatesShape};
use crate::machine::transitions::Transitions;
use crate::memory::{Memory, Ticking};
use crate::node::{Node, Visit};
use crate::observer::{Observer, Tick};
use crate::status::{Status, Step};
use crate::visit;

/// The context-independent part of a [`StateMachine`]: the names of its states.
pub trait StateNames {
    /// Returns the name of the state with this index; `None` if there is no such state.
    fn state_name(&self, index: usize) -> Option<&'static str>;
}

/// A tree that is a machine: its states can be listed, queried and forced. (`list`, `name` and `to` in the article on
/// state machines.)
///
/// ```
/// use bt_core::prelude::*;
///
/// #[subtree]
/// fn lamp() -> impl StateMachine<bool> {
///     tree! { machine { state off { run, |on: &bool| *on -> on } state on { run, |on: &bool| !*on -> off } } }
/// }
///
/// let lamp = lamp();
/// let mut memory = lamp.memory();
/// assert_eq!(lamp.states().collect::<Vec<_>>(), ["off", "on"]);
/// assert_eq!(lamp.state(&memory), None);                      // not running yet
/// lamp.tick(&mut true, &mut memory);
/// assert_eq!(lamp.state(&memory), Some("on"));
/// lamp.to("off", &mut true, &mut memory).expect("there is such a state");
/// assert_eq!(lamp.state(&memory), Some("off"));
/// let error = lamp.to("of", &mut true, &mut memory).unwrap_err();
/// assert_eq!(error.to_string(), "unknown state `of`; the states are: off, on");
/// ```
pub trait StateMachine<C: ?Sized>: Node<C> + StateNames + Sized {
    #[doc(hidden)]
    fn index_of(&self, open: &Self::Open, kept: &Self::Kept) -> Option<usize>;

    #[doc(hidden)]
    fn force<O: Observer>(
        &self,
        at: NodeId,
        index: usize,
        open: Option<&mut Self::Open>,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Option<Self::Open>>;

    /// Returns the names of all states, in order. The first state is the initial one.
    fn states(&self) -> impl Iterator<Item = &'static str> {
        (0..).map_while(|index| self.state_name(index))
    }

    /// Returns the name of the state that an agent is in; `None` if the machine is not running.
    fn state(&self, memory: &Memory<Self>) -> Option<&'static str> {
        self.state_name(self.index_of(memory.open.as_ref()?, &memory.kept)?)
    }

    /// Leaves the present state and enters the state with this name, regardless of the transitions. Starts a run if
    /// the machine is not running.
    ///
    /// Returns `Running`. Returns `Error` if an `exit:` or `enter:` action does; the machine has then ended.
    ///
    /// # Errors
    ///
    /// Returns an error if no state has this name.
    fn to<'a>(&'a self, name: &'a str, ctx: &mut C, memory: &mut Memory<Self>) -> Result<Status, UnknownState<'a>> {
        self.to_with(name, ctx, memory, &mut ())
    }

    /// Like [`to`](Self::to), and reports the events to an observer.
    ///
    /// The observer receives a tick that visits only the machine and the nodes above it. Its events are the halts, the
    /// visits of the `exit:` and `enter:` actions, and the new [`state`](Observer::state).
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Default)]
    /// struct States(Vec<usize>);
    /// impl Observer for States {
    ///     fn state(&mut self, _: NodeId, state: usize) { self.0.push(state) }
    /// }
    ///
    /// let lamp = tree! { machine { state off { run, |on: &bool| *on -> on } state on { run, |on: &bool| !*on -> off } } };
    /// let (mut memory, mut states) = (lamp.memory(), States::default());
    /// assert_eq!(lamp.to_with("on", &mut true, &mut memory, &mut states).unwrap(), Status::Running);
    /// assert_eq!(lamp.to_with("off", &mut true, &mut memory, &mut states).unwrap(), Status::Running);
    /// assert_eq!(states.0, [1, 0]);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if no state has this name.
    fn to_with<'a, O: Observer>(
        &'a self,
        name: &'a str,
        ctx: &mut C,
        memory: &mut Memory<Self>,
        observer: &mut O,
    ) -> Result<Status, UnknownState<'a>> {
        let Some(index) = self.states().position(|state| state == name) else {
            return Err(UnknownState { name, machine: self });
        };
        if O::SLEEPS && observer.is_asleep() {
            observer.skipped();
            return self.to_with(name, ctx, memory, &mut ());
        }
        if O::ON {
            observer.begin(Tick::default());
        }
        let Memory { open, kept } = memory;
        let ticking = Ticking::new(open, true);
        let step = self.force(NodeId::ROOT, index, ticking.open.as_mut(), kept, &mut Visit::new(ctx, observer));
        let status = match step {
            Step::Running(None) => Status::Running,
            Step::Running(opened) => {
                *ticking.open = opened;
                Status::Running
            }
            Step::Done(outcome) => {
                *ticking.open = None;
                outcome.into()
            }
        };
        ticking.done();
        if O::ON {
            observer.end(Tick::default(), Some(status));
        }
        Ok(status)
    }
}

/// The error of [`StateMachine::to`] for an unknown state name. It borrows the name and the machine, so that it needs no heap.
#[derive(Clone, Copy)]
pub struct UnknownState<'a> {
    /// The unknown name.
    pub name: &'a str,
    machine: &'a dyn StateNames,
}

impl fmt::Display for UnknownState<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_unknown(out, self.name, (0..).map_while(|index| self.machine.state_name(index)))
    }
}

/// Writes the message for an unknown state.
pub(super) fn write_unknown<'a>(
    out: &mut fmt::Formatter<'_>,
    name: &str,
    states: impl Iterator<Item = &'a str>,
) -> fmt::Result {
    write!(out, "unknown state `{name}`; the states are: ")?;
    for (index, state) in states.enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(out, "{comma}{state}")?;
    }
    Ok(())
}

impl fmt::Debug for UnknownState<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl core::error::Error for UnknownState<'_> {}

impl<L: StatesShape, A> StateNames for Machine<L, A> {
    fn state_name(&self, index: usize) -> Option<&'static str> {
        self.states.name(index)
    }
}

impl<C: ?Sized, L: States<C>, A: Transitions<C>> StateMachine<C> for Machine<L, A> {
    fn index_of(&self, open: &L::At, _: &Self::Kept) -> Option<usize> {
        Some(L::phase(open).0)
    }

    fn force<O: Observer>(
        &self,
        at: NodeId,
        index: usize,
        open: Option<&mut L::At>,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Option<L::At>> {
        visit::enter(at, open.is_none(), visit.observer);
        let (ctx, observer) = (&mut *visit.ctx, &mut *visit.observer);
        let step: Step<Option<L::At>> = match open {
            Some(here) => {
                let parts = &mut Parts { machine: self, id: at, at: here, kept, observer };
                Step::<()>::from(parts.go(index, ctx)).map(|()| None)
            }
            None => {
                let mut new = L::idle(index, None);
                let parts = &mut Parts { machine: self, id: at, at: &mut new, kept, observer };
                Step::<()>::from(parts.enter(index, ctx)).map(|()| Some(new))
            }
        };
        visit::leave(&step, at, visit.observer);
        step
    }
}

/// Implements the traits for wrappers of a machine that are not nodes of their own.
macro_rules! stands_for_a_machine {
    ($($wrapper:ident),+) => {$(
        impl<N: StateNames> StateNames for $wrapper<N> {
            fn state_name(&self, index: usize) -> Option<&'static str> {
                self.node.state_name(index)
            }
        }

        impl<C: ?Sized, N: StateMachine<C>> StateMachine<C> for $wrapper<N> {
            fn index_of(&self, open: &N::Open, kept: &N::Kept) -> Option<usize> {
                self.node.index_of(open, kept)
            }

            fn force<O: Observer>(
                &self,
                at: NodeId,
                index: usize,
                open: Option<&mut N::Open>,
                kept: &mut N::Kept,
                visit: &mut Visit<'_, C, O>,
            ) -> Step<Option<N::Open>> {
                self.node.force(at, index, open, kept, visit)
            }
        }
    )+};
}

stands_for_a_machine!(Located, FromFile);

impl<N: StateNames, P: Fn(&mut dyn FnMut(&[Param<'_>]))> StateNames for Subtree<N, P> {
    fn state_name(&self, index: usize) -> Option<&'static str> {
        self.child.state_name(index)
    }
}

impl<C: ?Sized, N: StateMachine<C>, P: Fn(&mut dyn FnMut(&[Param<'_>]))> StateMachine<C> for Subtree<N, P> {
    fn index_of(&self, open: &N::Open, kept: &N::Kept) -> Option<usize> {
        self.child.index_of(open, kept)
    }

    fn force<O: Observer>(
        &self,
        at: NodeId,
        index: usize,
        open: Option<&mut N::Open>,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Option<N::Open>> {
        visit::enter(at, open.is_none(), visit.observer);
        let step = self.child.force(at.first_child(), index, open, kept, visit);
        visit::leave(&step, at, visit.observer);
        step
    }
}
