//! Access to the machines of a loaded tree: their current state, and forced state changes.

use std::fmt;

use bt_core::engine::{self, Ticking, as_dyn};
use bt_core::observe::Tick;
use bt_core::{Memory, NodeId, Observer, Status, protocol::Visit};

use crate::answers::Answers;
use crate::answers::nodes::Nodes;
use crate::engine::run::Run;
use crate::flat::FlatTree;
use crate::flat::memory::LoadedMemory;
use crate::flat::op::NodeOp;
use crate::tree::LoadedTreeOf;
use crate::version::{Form, MemoryOwner, Version};
use bt_core::{ContextOf, Contexts, Single};

/// A machine in a loaded tree: [`LoadedTreeOf::machine`]. Its methods are those of [`LoadedMachineOf`].
pub type LoadedMachine<'a, C> = LoadedMachineOf<'a, Single<C>>;

/// A machine in a loaded tree: [`LoadedTreeOf::machine`].
///
/// ```
/// use bt_dynamic::Registry;
/// use bt_core::prelude::*;
///
/// let mut registry = Registry::<bool>::new();
/// registry.add_leaf("On", |on: &bool| *on);
/// let lamp = registry.load(r#"{ "root": "lamp", "nodes": {
///     "lamp": { "name": "machine", "children": ["off", "on"] },
///     "off": { "name": "state", "properties": { "name": "off", "transitions": ["On -> on"] }, "children": ["3"] },
///     "on": { "name": "state", "properties": { "name": "on", "transitions": ["!On -> off"] }, "children": ["4"] },
///     "3": { "name": "Runner" }, "4": { "name": "Runner" }
/// } }"#)?;
/// let machine = lamp.machine("lamp").expect("there is such a machine");
/// let mut memory = lamp.memory();
/// assert_eq!(machine.states().collect::<Vec<_>>(), ["off", "on"]);
/// assert_eq!(machine.state(&memory), None);
/// lamp.tick(&mut true, &mut memory);
/// assert_eq!(machine.state(&memory), Some("on"));
/// machine.to("off", &mut true, &mut memory).expect("there is such a state");
/// assert_eq!(machine.state(&memory), Some("off"));
/// let error = machine.to("of", &mut true, &mut memory).unwrap_err();
/// assert_eq!(error.to_string(), "unknown state `of`; the states are: off, on");
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
pub struct LoadedMachineOf<'a, F: Contexts> {
    tree: &'a LoadedTreeOf<F>,
    index: usize,
}

/// The error for a state change that is not possible.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StateError {
    /// There is no state of this name.
    Unknown {
        /// The name.
        name: String,
        /// The names of the states.
        states: Vec<String>,
    },
    /// The machine is not running and is not the root, so a node above it would have to start.
    NotRunning,
}

impl fmt::Display for StateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, states } => {
                write!(out, "unknown state `{name}`; the states are: {}", states.join(", "))
            }
            Self::NotRunning => out.write_str("the machine is not running and is not the root of its tree"),
        }
    }
}

impl std::error::Error for StateError {}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns the machine whose node has this id or title in the file.
    pub fn machine(&self, name: &str) -> Option<LoadedMachineOf<'_, F>> {
        let is_machine = |index: &usize| matches!(self.version.flat.nodes[*index].op, NodeOp::Machine { .. });
        let all = || (0..self.version.flat.nodes.len()).filter(is_machine);
        let by_id = all().find(|index| self.version.flat.sources[*index].id == name);
        let index = by_id.or_else(|| all().find(|index| self.version.flat.sources[*index].shown_title() == name))?;
        Some(LoadedMachineOf { tree: self, index })
    }
}

impl FlatTree {
    /// Returns the names of the states of the machine at this index, in order; none if it is another node.
    pub(crate) fn states_of(&self, machine: usize) -> impl Iterator<Item = &str> {
        self.children_of(&self.nodes[machine]).iter().filter_map(|state| match &self.nodes[*state as usize].op {
            NodeOp::State { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the name of the present state of the machine at this index.
    pub(crate) fn state_name(&self, machine: usize, memory: &LoadedMemory) -> Option<&str> {
        let node = &self.nodes[machine];
        let words = memory.words.get(node.first_word as usize..)?;
        self.states_of(machine).nth(node.op.present_state(words)?)
    }
}

impl<'a, F: Contexts> LoadedMachineOf<'a, F> {
    /// Returns the id of its node.
    pub fn id(&self) -> NodeId {
        NodeId::new(self.tree.version.flat.nodes[self.index].at)
    }

    /// Returns the names of its states in order. The first is the initial state.
    pub fn states(&self) -> impl Iterator<Item = &'a str> {
        self.tree.version.flat.states_of(self.index)
    }

    /// Returns the name of the agent's current state; `None` if the machine is not running, or if the agent has not migrated to this tree yet.
    pub fn state(&self, memory: &Memory<LoadedTreeOf<F>>) -> Option<&'a str> {
        let (_, kept) = engine::parts(memory);
        if !self.is_running(memory) {
            return None;
        }
        self.tree.version.flat.state_name(self.index, kept)
    }

    fn is_running(&self, memory: &Memory<LoadedTreeOf<F>>) -> bool {
        let (open, kept) = engine::parts(memory);
        open.is_some()
            && matches!(self.tree.version.owner_of(kept), MemoryOwner::This)
            && self.tree.version.flat.is_open(self.index, kept)
    }

    /// Leaves the current state of an agent and enters this one, regardless of the transitions. If the machine is the root and not running, starts a run.
    ///
    /// Returns `Running`, or `Error` if `exit:` or `enter:` returns it. An error ends the whole tree.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no state of that name, or if the machine is not running and not the root.
    pub fn to(
        &self,
        state: &str,
        ctx: &mut ContextOf<'_, '_, F>,
        memory: &mut Memory<LoadedTreeOf<F>>,
    ) -> Result<Status, StateError> {
        self.to_with(state, ctx, memory, &mut ())
    }

    /// Does the same as [`to`](Self::to), with an observer.
    ///
    /// # Errors
    ///
    /// As for [`to`](Self::to).
    pub fn to_with<O: Observer>(
        &self,
        state: &str,
        ctx: &mut ContextOf<'_, '_, F>,
        memory: &mut Memory<LoadedTreeOf<F>>,
        observer: &mut O,
    ) -> Result<Status, StateError> {
        let Some(index) = self.states().position(|name| name == state) else {
            let states = self.states().map(ToOwned::to_owned).collect();
            return Err(StateError::Unknown { name: state.to_owned(), states });
        };
        if let MemoryOwner::Before(before) = self.tree.version.owner_of(engine::parts(memory).1) {
            before.reload(self.tree, memory, ctx);
        }
        let was_running = self.is_running(memory);
        if !was_running && self.index > 0 {
            return Err(StateError::NotRunning);
        }
        if O::SLEEPS && observer.is_asleep() {
            observer.skipped();
            return self.to_with(state, ctx, memory, &mut ());
        }
        let (open, kept) = engine::parts_mut(memory);
        let ticking = Ticking::new(open, true);
        if O::ON {
            observer.begin(Tick::default());
        }
        let visit = &mut Visit::new(ctx, observer);
        let status = self.tree.version.change_state::<F, O>(NodeId::ROOT, self.index, index, was_running, kept, visit);
        *ticking.open = (status == Status::Running).then_some(());
        ticking.done();
        if O::ON {
            observer.end(Tick::default(), Some(status));
        }
        Ok(status)
    }
}

impl<T: Form> Version<T> {
    /// Leaves the present state of a machine in a whole tree, and enters another. If the tree does not run, it is the root.
    pub(crate) fn change_state<F: Contexts, O: Observer>(
        &self,
        at: NodeId,
        machine: usize,
        state: usize,
        was_running: bool,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Status
    where
        T::Nodes: Nodes<F>,
    {
        let claimed = self.claim::<F>(at, kept, was_running, visit.ctx);
        let host = &mut Answers::<F, _>::new(&self.nodes, visit.ctx);
        let machine = (was_running && claimed).then_some(machine);
        let mut run_observer = ();
        let mut run = Run::new(&self.flat, &self.nodes, at, kept, &mut run_observer);
        let status = run.change_state(machine, state, host, as_dyn(visit.observer));
        kept.ticked(&self.flat, status == Status::Running);
        status
    }
}
