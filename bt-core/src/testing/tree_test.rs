//! A tree under test, with one agent.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::describe::{Described, Description, Kind};
use crate::id::NodeId;
use crate::memory::Memory;
use crate::node::Node;
use crate::observe::Statuses;
use crate::observer::Observer;
use crate::status::Status;
use crate::testing::event_log::EventLog;
use crate::testing::moment::Moment;
use crate::testing::past::{Before, Past};
use crate::testing::replacements::Replacements;
use crate::testing::script::Script;
use crate::tree::Tree;

/// A tree under test, with the memory and the context of one agent. See [`testing`](crate::testing).
///
/// Nodes are named by a path, as for [`Description::find`]: by their label or name, or by the names of nodes above them,
/// separated by `/`. Methods panic, with a description of the tree, if a path names no node.
pub struct TreeTest<N: Tree, C> {
    /// The context of the agent.
    pub ctx: C,
    tree: N,
    memory: Memory<N>,
    description: Description,
    log: EventLog,
    statuses: Statuses,
    replacements: Replacements,
    before_each_tick: Option<BeforeTick<C>>,
    /// The number of ticks so far.
    number: u64,
    past: Option<Past<N, C>>,
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
            log: EventLog::new(&description),
            description,
            statuses: Statuses::default(),
            replacements: Replacements::default(),
            before_each_tick: None,
            number: 0,
            past: None,
        }
    }

    /// Continues with this memory, such as a loaded memory.
    ///
    /// Before the next tick, the test has no statuses of nodes, so [`is_running`](Self::is_running) returns `false` for a path
    /// below the root.
    #[must_use]
    pub fn with_memory(mut self, memory: Memory<N>) -> Self {
        self.memory = memory;
        self.statuses = Statuses::default();
        self
    }

    /// Also logs composites, decorators and machines.
    #[must_use]
    pub fn with_all_nodes(mut self) -> Self {
        self.log = self.log.with_all_nodes();
        self
    }

    /// Stores the context, the memory, the statuses and the scripts before each tick, so that the test can look
    /// [`at`](Self::at) earlier ticks and [go back](Self::rewind_to) to them. The oldest ticks are dropped beyond 64 MiB,
    /// not counting the allocations of contexts and memories.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::testing::TreeTest;
    ///
    /// fn hit(hits: &mut u32) { *hits += 1 }
    /// fn rest(hits: &mut u32) -> Status { if *hits < 3 { Status::Success } else { Status::Running } }
    ///
    /// let mut test = TreeTest::new(tree! { mem_sequence { hit, rest } }, 0).with_rewind();
    /// test.tick_until(10, |test| test.is_running("rest"));
    /// assert_eq!(test.tick_count(), 3);
    /// assert_eq!(*test.at(2).ctx, 2);                         // before tick 2, which is the third
    ///
    /// test.rewind_to(2);
    /// test.ctx = 0;                                           // another future
    /// assert_eq!(test.tick(), Status::Success);
    /// ```
    #[must_use]
    pub fn with_rewind(mut self) -> Self
    where
        C: Clone,
    {
        self.past = Some(Past::new(C::clone));
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
        if let Some(past) = &mut self.past {
            past.store(self.number, &self.ctx, &self.memory, &self.statuses, &self.replacements);
        }
        self.number += 1;
        if let Some(call) = &mut self.before_each_tick {
            call(&mut self.ctx);
        }
        let observer = &mut (&mut self.log, &mut self.statuses, &mut self.replacements, observer);
        self.tree.tick_with(&mut self.ctx, &mut self.memory, observer)
    }

    /// Ticks the tree until it is not running, and returns its last status.
    ///
    /// # Panics
    ///
    /// Panics if the tree is still running after `limit` ticks.
    #[track_caller]
    pub fn tick_to_end(&mut self, limit: usize) -> Status {
        self.ticks(limit, "the tree is still running", |test| !test.memory.is_running());
        self.status("").unwrap_or(Status::Running)
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
        panic!("{fault} after {limit} ticks; the log is:\n{}", self.log.take().join("\n"))
    }

    /// Halts the tree.
    pub fn halt(&mut self) {
        let observer = &mut (&mut self.log, &mut self.statuses, &mut self.replacements);
        self.tree.halt_with(&mut self.ctx, &mut self.memory, observer);
    }

    /// Ticks the cleanups that a halt has left running, and nothing else: see [`Tree::clean_up`](crate::Tree::clean_up).
    pub fn clean_up(&mut self) -> bool {
        let observer = &mut (&mut self.log, &mut self.statuses, &mut self.replacements);
        self.tree.clean_up_with(&mut self.ctx, &mut self.memory, observer)
    }

    /// Notifies the running leaves of a pause: see [`Tree::pause`](crate::Tree::pause).
    pub fn pause(&mut self) {
        self.tree.pause(&mut self.ctx, &mut self.memory);
    }

    /// Notifies the running leaves of the end of a pause: see [`Tree::unpause`](crate::Tree::unpause).
    pub fn unpause(&mut self) {
        self.tree.unpause(&mut self.ctx, &mut self.memory);
    }

    /// Returns the number of ticks so far, which is the number of the next tick: the first tick has the number 0.
    pub const fn tick_count(&self) -> u64 {
        self.number
    }

    /// Returns the state immediately before the tick with this number, before the function of
    /// [`before_each_tick`](Self::before_each_tick) was called. For the number of the next tick, returns the present state.
    ///
    /// # Panics
    ///
    /// Panics if the tick is not stored, because [`with_rewind`](Self::with_rewind) was not called, or because the tick was
    /// dropped or has not happened.
    #[track_caller]
    pub fn at(&self, tick: u64) -> Moment<'_, N, C> {
        if tick == self.number {
            return self.present();
        }
        let Before { ctx, memory, statuses, .. } = Past::<N, C>::of(self.past.as_ref()).at(tick);
        Moment { ctx, memory, statuses, tree: &self.tree, description: &self.description }
    }

    /// Goes back to the state immediately before the tick with this number. The next tick has this number again.
    ///
    /// The context, the memory, the statuses, the nodes that are replaced and the positions in their scripts and choices are
    /// as they were then. Later ticks are forgotten. The log continues, with the line `rewound to tick 2`. The variables
    /// captured by the function of [`before_each_tick`](Self::before_each_tick) are not restored. Running asynchronous actions
    /// start again in the next tick.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::testing::{ManualClock, TreeTest};
    ///
    /// let mut test = TreeTest::new(tree! { for ManualClock: wait(secs(2)) }, ManualClock::default())
    ///     .before_each_tick(|clock| clock.advance(secs(1)))
    ///     .with_rewind();
    /// test.tick_to_end(10);
    /// test.rewind_to(2);
    /// assert_eq!(test.tick(), Status::Success);
    /// assert_eq!(test.log()[2..], ["wait(time: 2s): success", "rewound to tick 2", "wait(time: 2s): success"]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics where [`at`](Self::at) panics.
    #[track_caller]
    pub fn rewind_to(&mut self, tick: u64) {
        if tick != self.number {
            let before = Past::<N, C>::of(self.past.as_mut()).rewind_to(tick);
            let Before { ctx, memory, statuses, replacements } = before;
            (self.ctx, self.memory, self.statuses, self.replacements) = (ctx, memory, statuses, replacements);
            self.number = tick;
        }
        self.log.note(alloc::format!("rewound to tick {tick}"));
    }

    fn present(&self) -> Moment<'_, N, C> {
        let Self { ctx, memory, statuses, tree, description, .. } = self;
        Moment { ctx, memory, statuses, tree, description }
    }

    /// Returns the lines of the log since the last call. See [`EventLog`].
    pub fn log(&mut self) -> Vec<String> {
        self.log.take()
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
    /// Panics if no node has this path, or if the script contains a status that a leaf cannot return, or `Running` for a node
    /// that is not a leaf.
    #[track_caller]
    pub fn replace(&mut self, path: &str, script: impl Into<Script>) -> &mut Self {
        let script = script.into();
        for node in self.present().named(path) {
            self.put(path, node, script.clone());
        }
        self
    }

    /// Replaces the node with this id by a script, like [`replace`](Self::replace). Use this method if several nodes have its
    /// path.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such node, or where `replace` panics.
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
        self.log.add(node);
    }

    /// Sets the children that every `random_selector` and `random_sequence` with this path chooses next. Index 0 is the first
    /// child that was not chosen in the run. After the last index, and for an index without a child, the generator of the
    /// context draws.
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
    /// test.choose("random_selector", [1, 0]);
    /// test.tick();
    /// assert_eq!(test.log(), ["taunt: failure", "attack: failure", "flee: success"]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn choose(&mut self, path: &str, children: impl AsRef<[usize]>) -> &mut Self {
        for node in self.present().named(path) {
            self.replacements.set_choices(node, children.as_ref());
        }
        self
    }

    /// Sets the next choices of the node with this id, like [`choose`](Self::choose). Use this method if several nodes have its
    /// path.
    ///
    /// # Panics
    ///
    /// Panics if the tree has no such node.
    #[track_caller]
    pub fn choose_node(&mut self, node: NodeId, children: impl AsRef<[usize]>) -> &mut Self {
        self.path_of(node);
        self.replacements.set_choices(node, children.as_ref());
        self
    }

    #[track_caller]
    fn path_of(&self, node: NodeId) -> String {
        assert!(self.description.node(node).is_some(), "no node has the id {node} in this tree:\n{}", self.description);
        self.description.path_of(node)
    }

    /// Restores every [replaced](Self::replace) node with this path, so that the node is ticked again.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn restore(&mut self, path: &str) -> &mut Self {
        for node in self.present().named(path) {
            self.replacements.clear(node);
        }
        self
    }

    /// Returns the last status of the first node with this path, in the last tick; `None` if that tick did not visit the node, or
    /// halted it.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn status(&self, path: &str) -> Option<Status> {
        self.present().status(path)
    }

    /// Returns `true` if a node with this path is running. The empty path is the root.
    ///
    /// # Panics
    ///
    /// Panics if no node has this path.
    #[track_caller]
    pub fn is_running(&self, path: &str) -> bool {
        self.present().is_running(path)
    }

    /// Returns the name of the state of a machine; `None` if the machine is not running. See [`Description::machine`].
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path.
    #[track_caller]
    pub fn state(&self, machine: &str) -> Option<&str> {
        self.present().state(machine)
    }

    /// Ticks the tree once, and makes a machine go to a state in this tick. See
    /// [`ForceState`](crate::machine::ForceState).
    ///
    /// # Panics
    ///
    /// Panics if no machine has this path, if the machine has no state of this name, or if the tick does not reach the machine.
    #[track_caller]
    pub fn tick_into(&mut self, machine: &str, state: &str) -> Status {
        let mut force = match self.present().machine(machine).force(state) {
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
    /// Changes of the memory are not logged, and the test has no statuses of nodes until the next tick.
    pub fn parts_mut(&mut self) -> (&N, &mut C, &mut Memory<N>) {
        self.statuses = Statuses::default();
        (&self.tree, &mut self.ctx, &mut self.memory)
    }

    /// Returns the reason why a node cannot follow a script, if there is one.
    fn refused(&self, path: &str, node: NodeId, script: &Script) -> Option<String> {
        let Described { name, kind, returns, .. } = self.description.node(node)?;
        let is_leaf = matches!(kind, Kind::Action | Kind::Condition);
        let refused = |status: &&Status| {
            if is_leaf { !returns.contains((**status).into()) } else { **status == Status::Running }
        };
        let status = script.statuses().iter().find(refused)?;
        Some(if is_leaf {
            alloc::format!("`{path}` cannot be replaced by `{status:?}`: `{name}` only returns {returns}")
        } else {
            alloc::format!(
                "`{path}` cannot be replaced by `Running`, because this `{name}` is not a leaf: replace leaves below it"
            )
        })
    }
}
