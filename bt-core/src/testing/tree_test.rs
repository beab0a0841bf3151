//! A tree under test, with one agent.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::describe::{Described, Description, Kind};
use crate::id::NodeId;
use crate::machine::MachineHandle;
use crate::memory::Memory;
use crate::node::Node;
use crate::observe::{Last, Observer, Statuses};
use crate::status::Status;
use crate::testing::replacements::Replacements;
use crate::testing::script::Script;
use crate::testing::trace::Trace;
use crate::tree::Tree;

/// A tree under test, with the memory and the context of one agent. See [`testing`](crate::testing).
///
/// Nodes are named by a path, as for [`Description::find`]: by their label or name, or by the names of nodes above them,
/// separated by `/`. A path that names no node panics with the names of all nodes.
pub struct TreeTest<N: Tree, C> {
    /// The context of the agent.
    pub ctx: C,
    tree: N,
    memory: Memory<N>,
    description: Description,
    trace: Trace,
    statuses: Statuses,
    replacements: Replacements,
    before_each_tick: Option<BeforeTick<C>>,
}

type BeforeTick<C> = Box<dyn FnMut(&mut C)>;

impl<N: Node<C>, C> TreeTest<N, C> {
    /// Creates a test of a tree with one agent that has not been ticked yet.
    pub fn new(tree: N, ctx: C) -> Self {
        let description = tree.description();
        Self {
            ctx,
            memory: tree.memory(),
            tree,
            trace: Trace::new(&description),
            description,
            statuses: Statuses::default(),
            replacements: Replacements::default(),
            before_each_tick: None,
        }
    }

    /// Continues with this memory, such as a loaded memory.
    ///
    /// The test does not know which nodes are running in it before the next tick: [`is_running`](Self::is_running) of a
    /// path below the root is `false`.
    #[must_use]
    pub fn with_memory(mut self, memory: Memory<N>) -> Self {
        self.memory = memory;
        self.statuses = Statuses::default();
        self
    }

    /// Also logs composites, decorators and machines.
    #[must_use]
    pub fn with_all_nodes(mut self) -> Self {
        self.trace = self.trace.with_all_nodes();
        self
    }

    /// Calls a function with the context before each tick, for example to advance a clock.
    #[must_use]
    pub fn before_each_tick(mut self, call: impl FnMut(&mut C) + 'static) -> Self {
        self.before_each_tick = Some(Box::new(call));
        self
    }

    /// Ticks the tree once and returns its status.
    pub fn tick(&mut self) -> Status {
        self.tick_with(&mut ())
    }

    fn tick_with(&mut self, observer: &mut impl Observer) -> Status {
        if let Some(call) = &mut self.before_each_tick {
            call(&mut self.ctx);
        }
        let observer = &mut (&mut self.trace, &mut self.statuses, &mut self.replacements, observer);
        self.tree.tick_with(&mut self.ctx, &mut self.memory, observer)
    }

    /// Ticks the tree until it is not running, and returns its last status.
    ///
    /// # Panics
    ///
    /// Panics if it is still running after `limit` ticks.
    #[track_caller]
    pub fn tick_to_end(&mut self, limit: usize) -> Status {
        self.ticks(limit, "the tree is still running", |test| !test.memory.is_running());
        self.status_of(NodeId::ROOT).unwrap_or(Status::Running)
    }

    /// Ticks the tree until a condition holds after a tick. Returns the number of ticks.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::testing::TreeTest;
    ///
    /// let tree = tree! { for u32: mem_sequence { wait_until { |n: &u32| *n > 3 }, run "go" } };
    /// let mut test = TreeTest::new(tree, 0).before_each_tick(|n| *n += 1);
    /// assert_eq!(test.tick_until(100, |test| test.is_running("go")), 4);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the condition does not hold after `limit` ticks.
    #[track_caller]
    pub fn tick_until(&mut self, limit: usize, condition: impl FnMut(&Self) -> bool) -> usize {
        self.ticks(limit, "the condition does not hold", condition)
    }

    #[track_caller]
    fn ticks(&mut self, limit: usize, fault: &str, mut condition: impl FnMut(&Self) -> bool) -> usize {
        for ticks in 1..=limit {
            self.tick();
            if condition(self) {
                return ticks;
            }
        }
        panic!("{fault} after {limit} ticks; the log of them is\n{}", self.trace.take().join("\n"))
    }

    /// Halts the tree.
    pub fn halt(&mut self) {
        let observer = &mut (&mut self.trace, &mut self.statuses);
        self.tree.halt_with(&mut self.ctx, &mut self.memory, observer);
    }

    /// Returns the lines of the log since the last call. See [`Trace`].
    pub fn log(&mut self) -> Vec<String> {
        self.trace.take()
    }

    /// Replaces every node with this path by a script. The node is not ticked any more; it returns the statuses of the
    /// script, one per tick of the node, and repeats the last one.
    ///
    /// The function of a replaced leaf is not called. A `#[leaf]` that starts with `Running` is opened, because it needs its
    /// state; when it ends, its `close` receives [`End::Halted`](crate::End::Halted). A leaf that ends at once is neither
    /// opened nor closed. A running composite is halted when a status ends it. The log contains each replaced node.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::testing::TreeTest;
    ///
    /// fn knock(_: &mut ()) -> Status { unimplemented!("needs a robot") }
    ///
    /// let mut test = TreeTest::new(tree! { for (): retry(2) { knock } }, ());
    /// test.replace("knock", [Status::Failure, Status::Running, Status::Success]);
    /// assert_eq!(test.tick_to_end(10), Status::Success);
    /// assert_eq!(test.log(), ["knock: failure", "knock: running", "knock: success"]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no node has this path, and if a script contains a status that a leaf cannot return, or `Running` for a
    /// composite or decorator.
    #[track_caller]
    pub fn replace(&mut self, path: &str, script: impl Into<Script>) -> &mut Self {
        let script = script.into();
        for node in self.named(path) {
            self.put(path, node, script.clone());
        }
        self
    }

    /// Replaces the node with this id by a script: like [`replace`](Self::replace), if several nodes have its path.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such node, and where `replace` panics.
    #[track_caller]
    pub fn replace_node(&mut self, node: NodeId, script: impl Into<Script>) -> &mut Self {
        let path = self.path_of(node);
        self.put(&path, node, script.into());
        self
    }

    #[track_caller]
    fn put(&mut self, path: &str, node: NodeId, script: Script) {
        if let Some(refused) = self.refused(path, node, &script) {
            panic!("{refused}");
        }
        self.replacements.set(node, script);
        self.trace.add(node);
    }

    /// Determines which children the next draws of every `random_selector` and `random_sequence` with this path take: the first
    /// child that it has not drawn in its run is 0. After them, or if there is no such child, the context's generator draws.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::testing::TreeTest;
    /// # use bt_core::rand_core::SeedableRng;
    /// # struct Npc { rng: rand_pcg::Pcg32 }
    /// # impl Random for Npc { type Rng = rand_pcg::Pcg32; fn rng(&mut self) -> &mut rand_pcg::Pcg32 { &mut self.rng } }
    /// # fn attack(_: &mut Npc) -> bool { false }
    /// # fn taunt(_: &mut Npc) -> bool { false }
    /// # fn flee(_: &mut Npc) {}
    ///
    /// # let npc = Npc { rng: rand_pcg::Pcg32::seed_from_u64(1) };
    /// let mut test = TreeTest::new(tree! { for Npc: random_selector { attack, taunt, flee } }, npc);
    /// test.draw("random_selector", [1, 0]);
    /// test.tick();
    /// assert_eq!(test.log(), ["taunt: failure", "attack: failure", "flee: success"]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn draw(&mut self, path: &str, children: impl AsRef<[usize]>) -> &mut Self {
        for node in self.named(path) {
            self.replacements.set_draws(node, children.as_ref());
        }
        self
    }

    /// Determines the next draws of the node with this id: like [`draw`](Self::draw), if several nodes have its path.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such node.
    #[track_caller]
    pub fn draw_node(&mut self, node: NodeId, children: impl AsRef<[usize]>) -> &mut Self {
        self.path_of(node);
        self.replacements.set_draws(node, children.as_ref());
        self
    }

    #[track_caller]
    fn path_of(&self, node: NodeId) -> String {
        assert!(self.description.node(node).is_some(), "no node has the id {node} in this tree:\n{}", self.description);
        self.description.path_of(node)
    }

    /// Restores every [replaced](Self::replace) node with this path: it is ticked again.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn restore(&mut self, path: &str) -> &mut Self {
        for node in self.named(path) {
            self.replacements.clear(node);
        }
        self
    }

    /// Returns the last status of the first node with this path, in the last tick; `None` if that tick did not visit it.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn status(&self, path: &str) -> Option<Status> {
        self.status_of(self.named(path)[0])
    }

    /// Returns `true` if a node with this path is running. The empty path is the root.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn is_running(&self, path: &str) -> bool {
        let is_running = |node| node == NodeId::ROOT || self.statuses.is_running(node);
        self.named(path).into_iter().any(is_running) && self.memory.is_running()
    }

    /// Returns the name of the state of a machine; `None` if the machine is not running. See [`Description::machine`].
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path.
    #[track_caller]
    pub fn state(&self, machine: &str) -> Option<&str> {
        let machine = self.machine(machine);
        let state = machine.state_index(&self.tree, &self.memory)?;
        self.description.children(machine.id()).nth(state).map(|state| state.name.as_str())
    }

    /// Ticks the tree once, and makes a machine go to a state in this tick. See
    /// [`ForceState`](crate::machine::ForceState).
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path, if it has no state of this name, and if the tick does not reach the machine.
    #[track_caller]
    pub fn tick_into(&mut self, machine: &str, state: &str) -> Status {
        let mut force = match self.machine(machine).force(state) {
            Ok(force) => force,
            Err(error) => panic!("{error}"),
        };
        let status = self.tick_with(&mut force);
        assert!(force.is_done(), "the tick did not reach the machine `{machine}`");
        status
    }

    /// Returns the description of the tree.
    pub const fn description(&self) -> &Description {
        &self.description
    }

    /// Returns the memory of the agent.
    pub const fn memory(&self) -> &Memory<N> {
        &self.memory
    }

    /// Returns the tree, the context and the memory of the agent, for operations that a test does not offer itself.
    /// What happens to the memory there is not part of the log, and the test knows no statuses until the next tick.
    pub fn parts_mut(&mut self) -> (&N, &mut C, &mut Memory<N>) {
        self.statuses = Statuses::default();
        (&self.tree, &mut self.ctx, &mut self.memory)
    }

    /// Returns the status of a node in the last tick.
    fn status_of(&self, node: NodeId) -> Option<Status> {
        match self.statuses.last(node).filter(|seen| seen.fresh)?.last {
            Last::Returned(status) => Some(status),
            Last::Halted => None,
        }
    }

    #[track_caller]
    fn machine(&self, path: &str) -> MachineHandle {
        match self.description.machine(path) {
            Some(machine) => machine,
            None => panic!("no machine is named `{path}` in this tree:\n{}", self.description),
        }
    }

    /// Returns the nodes with this path, of which there is at least one.
    #[track_caller]
    fn named(&self, path: &str) -> Vec<NodeId> {
        let nodes: Vec<_> = self.description.find_all(path).map(|node| node.id).collect();
        assert!(!nodes.is_empty(), "no node is named `{path}` in this tree:\n{}", self.description);
        nodes
    }

    /// Returns why a node cannot follow a script.
    fn refused(&self, path: &str, node: NodeId, script: &Script) -> Option<String> {
        let Described { name, kind, can, .. } = self.description.node(node)?;
        let is_leaf = matches!(kind, Kind::Action | Kind::Condition);
        let refused = |status: &&Status| {
            if is_leaf { !can.meets((**status).into()) } else { **status == Status::Running }
        };
        let status = script.statuses().iter().find(refused)?;
        Some(if is_leaf {
            alloc::format!("`{path}` cannot be replaced by `{status:?}`: `{name}` only returns {can}")
        } else {
            alloc::format!(
                "`{path}` cannot be replaced by `Running`, because this `{name}` is not a leaf: replace leaves below it"
            )
        })
    }
}
