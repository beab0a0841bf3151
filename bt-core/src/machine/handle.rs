//! Machines anywhere in a tree: their present state, and forced states.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::describe::{Description, Kind};
use crate::id::NodeId;
use crate::machine::control::write_unknown;
use crate::memory::Memory;
use crate::node::NodeShape;
use crate::observer::Observer;
use crate::tree::Tree;
use crate::walk::{OwnState, StateVisitor};

/// A machine anywhere in a tree, found by its name or path: see [`Description::machine`].
///
/// A handle belongs to the tree and not to an agent, so one handle serves all agents. It works for every
/// form of a tree: static, boxed, loaded, in a [`Brain`](crate::Brain) and in a [`Herd`](crate::Herd). It contains the
/// [id](Self::id) of the machine. In another tree, or in a new version of a loaded tree, find the machine again.
///
/// ```
/// use bt_core::prelude::*;
///
/// fn tree() -> impl Node<bool> {
///     tree! {
///         mem_sequence {
///             succeed,
///             machine "lamp" { state off { run, |on: &bool| *on -> on } state on { run, |on: &bool| !*on -> off } }
///         }
///     }
/// }
///
/// let tree = tree();
/// let lamp = tree.description().machine("lamp").expect("there is such a machine");
/// assert_eq!(lamp.states(), ["off", "on"]);
///
/// let mut memory = tree.memory();
/// assert_eq!(lamp.state(&tree, &memory), None);               // not running yet
/// tree.tick(&mut true, &mut memory);
/// assert_eq!(lamp.state(&tree, &memory), Some("on"));
///
/// let mut force = lamp.force("off")?;
/// tree.tick_with(&mut true, &mut memory, &mut force);         // in this tick, `lamp` goes to `off`
/// assert!(force.is_done());
/// assert_eq!(lamp.state(&tree, &memory), Some("off"));
/// assert_eq!(lamp.force("of").unwrap_err().to_string(), "unknown state `of`; the states are: off, on");
/// # Ok::<(), bt_core::machine::UnknownStateName>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineHandle {
    at: NodeId,
    states: Vec<String>,
}

impl Description {
    /// Returns the machine that a path names, as for [`find`](Self::find): the first matching node that is a machine or,
    /// if there is none, the first machine below a matching node.
    pub fn machine(&self, path: &str) -> Option<MachineHandle> {
        let is_machine = |id: &NodeId| self.node(*id).is_some_and(|node| node.kind == Kind::Machine);
        let named = self.find_all(path).map(|node| node.id).find(is_machine);
        let below =
            || self.find_all(path).flat_map(|node| self.descendants(node.id)).map(|node| node.id).find(is_machine);
        let at = named.or_else(below)?;
        let states = self.children(at).map(|state| state.name.clone()).collect();
        Some(MachineHandle { at, states })
    }
}

impl MachineHandle {
    /// Returns the id of the machine.
    pub const fn id(&self) -> NodeId {
        self.at
    }

    /// Returns the names of all states, in order. The first state is the initial one.
    pub fn states(&self) -> &[String] {
        &self.states
    }

    /// Returns the name of the state that an agent is in; `None` if the machine is not running.
    pub fn state<N: NodeShape>(&self, tree: &N, memory: &Memory<N>) -> Option<&str> {
        self.states.get(self.state_index(tree, memory)?).map(String::as_str)
    }

    /// Returns the index of the state that an agent is in; `None` if the machine is not running.
    pub(crate) fn state_index<N: NodeShape>(&self, tree: &N, memory: &Memory<N>) -> Option<usize> {
        let mut found = StateOf { machine: self.at, state: None };
        tree.visit_state(memory, &mut found);
        found.state
    }

    /// Returns an observer for a tick in which the machine goes to this state. See [`ForceState`].
    ///
    /// # Errors
    ///
    /// Returns an error if no state has this name.
    pub fn force(&self, state: &str) -> Result<ForceState, UnknownStateName> {
        match self.states.iter().position(|name| name == state) {
            Some(state) => Ok(ForceState { at: self.at, state, done: false }),
            None => Err(UnknownStateName { name: state.to_owned(), states: self.states.clone() }),
        }
    }
}

/// Finds the present state of a machine.
struct StateOf {
    machine: NodeId,
    state: Option<usize>,
}

impl StateVisitor for StateOf {
    fn node(&mut self, at: NodeId, own: OwnState<'_>) {
        // The box around a machine has the same id.
        if at == self.machine && own.machine.is_some() {
            self.state = own.machine;
        }
    }
}

/// An observer for [`tick_with`](crate::Tree::tick_with) that makes a machine go to a state, regardless of its transitions.
/// Created by [`MachineHandle::force`].
///
/// The machine leaves its present state and enters the other one, as for a transition, and the node of the new state is
/// ticked. A machine that starts in the tick starts in this state. If the tick does not reach the machine, nothing
/// happens, and the next tick with this observer tries again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForceState {
    at: NodeId,
    state: usize,
    done: bool,
}

impl ForceState {
    /// Returns `true` if a tick has reached the machine.
    pub const fn is_done(&self) -> bool {
        self.done
    }
}

impl Observer for ForceState {
    const INLINE: bool = false;
    const SLEEPS: bool = true;

    fn is_asleep(&self) -> bool {
        self.done
    }

    fn force_state(&mut self, at: NodeId) -> Option<usize> {
        let forced = at == self.at && !self.done;
        self.done |= forced;
        forced.then_some(self.state)
    }
}

/// The error of [`MachineHandle::force`] for an unknown state name. It owns the names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStateName {
    /// The unknown name.
    pub name: String,
    /// The names of the states.
    pub states: Vec<String>,
}

impl fmt::Display for UnknownStateName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_unknown(out, &self.name, self.states.iter().map(String::as_str))
    }
}

impl core::error::Error for UnknownStateName {}
