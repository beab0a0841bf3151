//! Looking at a machine from outside, and forcing a state.

use core::fmt;

use crate::describe::{Param, Placed, Subtree};
use crate::machine::arrows::Arrows;
use crate::machine::node::Machine;
use crate::machine::states::{States, StatesShape};
use crate::memory::Memory;
use crate::node::{Node, NodeId};

/// A tree that is a machine, apart from the context: its states have names.
pub trait StateNames {
    /// The name of a state, by its index.
    fn state_name(&self, index: usize) -> Option<&'static str>;
}

/// A tree that is a machine: its states can be listed, asked for and forced. (The text's list, name and to.)
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
/// assert_eq!(lamp.state(&memory), None);                      // has not begun
/// lamp.tick(&mut true, &mut memory);
/// assert_eq!(lamp.state(&memory), Some("on"));
/// lamp.to("off", &mut true, &mut memory).expect("there is such a state");
/// assert_eq!(lamp.state(&memory), Some("off"));
/// let error = lamp.to("of", &mut true, &mut memory).unwrap_err();
/// assert_eq!(error.to_string(), "no state `of`; the states are: off, on");
/// ```
pub trait StateMachine<C: ?Sized>: Node<C> + StateNames + Sized {
    #[doc(hidden)]
    fn index_of(&self, open: &Self::Open) -> usize;

    #[doc(hidden)]
    fn force(&self, index: usize, ctx: &mut C, open: &mut Option<Self::Open>, kept: &mut Self::Kept) -> bool;

    /// The index of the state that an agent is in; `None` if the machine is not running.
    fn state_index(&self, memory: &Memory<Self>) -> Option<usize> {
        memory.open.as_ref().map(|open| self.index_of(open))
    }

    /// Leaves the state an agent is in and enters this one, whatever the arrows say; begins a run if there was none. An index that no state
    /// has does nothing and gives `false`.
    fn to_index(&self, index: usize, ctx: &mut C, memory: &mut Memory<Self>) -> bool {
        self.force(index, ctx, &mut memory.open, &mut memory.kept)
    }

    /// The names of all states, in order; the first is the initial one.
    fn states(&self) -> impl Iterator<Item = &'static str> {
        (0..).map_while(|index| self.state_name(index))
    }

    /// The name of the state that an agent is in; `None` if the machine is not running.
    fn state(&self, memory: &Memory<Self>) -> Option<&'static str> {
        self.state_name(self.state_index(memory)?)
    }

    /// Leaves the state an agent is in and enters this one, whatever the arrows say; begins a run if there was none.
    ///
    /// # Errors
    ///
    /// If there is no state of that name.
    fn to<'a>(&'a self, name: &'a str, ctx: &mut C, memory: &mut Memory<Self>) -> Result<(), UnknownState<'a>> {
        let index = self.states().position(|state| state == name);
        if index.is_some_and(|index| self.to_index(index, ctx, memory)) {
            return Ok(());
        }
        Err(UnknownState { name, machine: self })
    }
}

/// There is no state of this name.
#[derive(Clone, Copy)]
pub struct UnknownState<'a> {
    /// The name.
    pub name: &'a str,
    machine: &'a dyn StateNames,
}

impl fmt::Display for UnknownState<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no state `{}`; the states are: ", self.name)?;
        for (index, state) in (0..).map_while(|index| self.machine.state_name(index)).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(out, "{comma}{state}")?;
        }
        Ok(())
    }
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

impl<C: ?Sized, L: States<C>, A: Arrows<C>> StateMachine<C> for Machine<L, A> {
    fn index_of(&self, open: &L::At) -> usize {
        L::phase(open).0
    }

    fn force(&self, index: usize, ctx: &mut C, open: &mut Option<L::At>, kept: &mut L::Kept) -> bool {
        if index >= L::LEN {
            return false;
        }
        match open {
            Some(at) => self.go(NodeId::ROOT, index, at, kept, ctx, &mut ()),
            None => {
                self.states.enter(index, ctx);
                *open = Some(L::idle(index, None));
            }
        }
        true
    }
}

macro_rules! forward {
    ($($node:ty [$($generics:tt)*], $child:ident;)+) => {$(
        impl<N: StateNames, $($generics)*> StateNames for $node {
            fn state_name(&self, index: usize) -> Option<&'static str> {
                self.$child.state_name(index)
            }
        }

        impl<C: ?Sized, N: StateMachine<C>, $($generics)*> StateMachine<C> for $node {
            fn index_of(&self, open: &N::Open) -> usize {
                self.$child.index_of(open)
            }

            fn force(&self, index: usize, ctx: &mut C, open: &mut Option<N::Open>, kept: &mut N::Kept) -> bool {
                self.$child.force(index, ctx, open, kept)
            }
        }
    )+};
}

forward! {
    Placed<N> [], node;
    Subtree<N, P> [P: Fn(&mut dyn FnMut(&[Param<'_>]))], child;
}
