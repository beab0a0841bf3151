//! A herd over several processes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bt_core::{Node, Save, Status, Tree as _};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::carrier::Carrier;
use crate::codec::{Body, TreeCodec};
use crate::fleet::Fleet;
use crate::lock::lock;
use crate::shard::message::{Action, Epoch, State};
use crate::shard::program::{Hosted, Program, ShardEvent};
use crate::{FleetError, ShardConfig, keys};

/// The maximum number of events that wait for [`Sharded::events`]. Later ones are dropped.
const MAX_EVENTS: usize = 65_536;
/// How long a process that ends waits until others have its agents.
const LEAVE_TIMEOUT: Duration = Duration::from_secs(2);

/// A herd of agents over several processes. Each agent is ticked by one process, and moves to another while it runs: its memory, its context and its clock move with it, so that the
/// leaf that is running continues there.
///
/// All processes join with the same tree. A hub that is a [keeper](crate::HubConfig::keeper) decides which process has which agent. Agents move when a process joins, so that all
/// have about the same number; when a process leaves or dies; and when a program [moves](Self::move_to) them.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_fleet::{Config, Fleet, ShardConfig, Sharded};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Cart { position: u32, now: Duration }
/// impl Clock for Cart { fn now(&self) -> Duration { self.now } }
///
/// fn cart() -> impl Node<Cart> + Save {
///     tree! { mem_sequence { |cart: &mut Cart| cart.position += 1, wait(secs(5)) } }
/// }
///
/// let fleet = Fleet::join(Config::new("warehouse", "server-1"))?;
/// let mut carts = Sharded::join(&fleet, ShardConfig::new("carts"), cart())?;
/// carts.add("cart 7", &Cart { position: 0, now: Duration::ZERO })?;
/// loop {
///     carts.tick_all(|cart| {
///         cart.context.now = cart.now();          // the agent's clock, without which `wait` never ends
///         cart.tick();
///     });
///     for event in carts.events() { println!("{event:?}") }
///     std::thread::sleep(millis(50));
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), bt_fleet::FleetError>(())
/// ```
///
/// # Guarantees
///
/// - **One owner.** At no time do two processes tick the same agent, as long as the fleet has one keeper at a time, and the clocks of its machines run at rates that differ by at most
///   10 %. A process ticks while its *lease* holds, which it renews four times per lease; it is checked before each agent. If the process is cut off, it stops first; then the
///   keeper waits for an eighth of the lease, and gives its agents to others. Messages may be lost, repeated, delayed for any time, and arrive in any order.
/// - **A hand-over loses nothing.** A process saves the agent between two ticks and does not tick it afterwards, and the new one continues with the next tick. The old one keeps a
///   copy until the new one has taken it.
/// - **After a crash, an agent continues from its last snapshot**, on another process, 9/8 of a lease later. What it did after the snapshot is lost:
///   [`Arrival::Recovered`](crate::Arrival::Recovered) says how old the snapshot is. Effects outside the fleet are not undone.
/// - **An agent survives one failure**, of its process or of the keeper. A new keeper learns from the processes what they have; they continue to tick, and nothing is lost. With its
///   first messages, a process sends a snapshot of each agent. If the process fails before that, within about 2 s after the keeper has failed, its agents are lost:
///   [`Change::Lost`](crate::Change::Lost) names those that the keeper knows of, and they can be added again.
/// - **A new keeper adds nothing before it knows what is there.** It answers processes without a lease after 9/8 of a lease, when no lease of an earlier keeper holds, and waits 1.5 s
///   more for those that come back. Then it adds, moves and recovers agents. A program that adds agents at its start does not reset those that are there. A process that comes back
///   later, for example after a longer partition, loses an agent that was added meanwhile.
///
/// What it does not guarantee:
///
/// - **A tick that has begun is not stopped.** If a process is suspended within a tick and wakes after its lease, that tick has effects. The same holds for a machine that sleeps,
///   since its clock may stand still. A service outside the fleet excludes both by the [epoch](ShardedAgent::epoch), a fencing token.
/// - **Without the keeper, nothing moves**: a process that ends meanwhile takes its agents with it, which [`leave`](Self::leave) reports. After the lease, nothing is ticked: under a partition, the processes on the keeper's side continue, and the others stand still. The
///   keeper decides alone, and not by a majority. Have it restarted, by systemd or Kubernetes, or let another hub wait for its [lock](crate::HubConfig::etcd).
/// - **Two keepers at a time**, in two parts of a network that do not reach each other, would each recover the agents of the other part. Where that must be excluded, let hubs be the
///   keeper only while they have a [lock of etcd](crate::HubConfig::etcd), which decides by a majority.
///
/// The term of a keeper is the time of its machine's clock; with etcd, it is the revision of the lock. If processes had a keeper with a greater term, because the clock of its machine
/// was ahead or because it used etcd, the new one exceeds that term and begins again. It does so at most once in the time in which a new keeper waits, so that two keepers at a time do
/// not outdo each other without end: until then, [`Change::NotKeeping`](crate::Change::NotKeeping) says so.
///
/// # Pages
///
/// The agents are shown by the fleet's page at the machine that has them. An agent that a page holds is not ticked, and can be handed over.
pub struct Sharded<N: Node<C> + Save, C: Serialize + DeserializeOwned> {
    program: Program<TreeCodec<N, C>>,
    carrier: Carrier,
    events: Vec<ShardEvent>,
    has_left: bool,
}

impl<N: Node<C> + Save, C: Serialize + DeserializeOwned> Sharded<N, C> {
    /// Takes part in a herd. This function does not wait for the keeper. [Leave](Self::leave) the herd, or drop it, before the fleet ends: then others get its agents at once, without
    /// a loss.
    ///
    /// # Errors
    ///
    /// Returns an error if the name of the herd is invalid, if the network is closed, or if no thread can be started.
    pub fn join(fleet: &Fleet, config: ShardConfig, tree: N) -> Result<Self, FleetError> {
        let ShardConfig { herd, snapshot_interval } = config;
        keys::check_name("herd", &herd)?;
        let codec = TreeCodec::new(Arc::clone(&fleet.inspector), &herd, tree);
        let program = Program::new(codec, snapshot_interval);
        Ok(Self { program, carrier: Carrier::start(fleet, &herd)?, events: Vec::new(), has_left: false })
    }

    /// Adds an agent, which begins at the process that has the fewest. The keeper gets to know it when there is one. If there is an agent with this name,
    /// [`ShardEvent::Refused`] says so; if the keeper was replaced meanwhile, that may be the agent that this call has added.
    ///
    /// # Errors
    ///
    /// Returns an error if the name does not have 1 to 100 characters, or if the context cannot be serialized, or has more
    /// than 4 MiB.
    pub fn add(&self, agent: &str, context: &C) -> Result<(), FleetError> {
        keys::check_agent(agent)?;
        let data = self.program.codec.first(context);
        let data = data.map_err(|reason| FleetError::Agent { agent: agent.to_owned(), reason })?;
        let state = State { ticks: 0, clock: Duration::ZERO, data };
        self.request(Action::Add { agent: agent.to_owned(), state });
        Ok(())
    }

    /// Moves an agent to a machine, or to any process of it, wherever the agent is now. It stays there until that machine leaves. [`ShardEvent::Refused`] says if there is no such agent or machine.
    pub fn move_to(&self, agent: &str, machine: &str) {
        self.request(Action::Move { agent: agent.to_owned(), machine: machine.to_owned() });
    }

    /// Ends an agent of this process: halts its tree, and returns its context. Returns `None` if this process does not have it, which may be because it is
    /// on its way, or if this process is cut off. A cleanup that the halt leaves running is lost.
    pub fn remove(&mut self, agent: &str) -> Option<C> {
        if !self.is_leased() {
            return None;
        }
        let Hosted { value: Body { mut memory, mut context, .. }, .. } =
            self.program.remove(&self.carrier.member, agent)?;
        self.program.codec.tree.halt(&mut context, &mut memory);
        self.carrier.wake();
        Some(context)
    }

    fn request(&self, action: Action) {
        lock(&self.carrier.member).request(action);
        self.carrier.wake();
    }

    /// Calls a function with each agent of this process, in the order of their names. Before that, agents that others have handed over arrive, and those that are to go are handed
    /// over. Returns the number of agents that were visited: none while the lease is over, and none that a page holds.
    pub fn tick_all(&mut self, mut tick: impl FnMut(&mut ShardedAgent<'_, N, C>)) -> usize {
        self.update();
        let carrier = &self.carrier;
        let mut held = 0;
        let visited = self.program.for_each(
            || carrier.now(),
            |codec, name, hosted, now| {
                if hosted.value.watched.is_held() {
                    held += 1;
                    return;
                }
                let (clock, epoch) = (hosted.now(now), hosted.epoch);
                let Body { memory, context, watched } = &mut hosted.value;
                let (tree, ticks) = (&codec.tree, &mut hosted.ticks);
                tick(&mut ShardedAgent { name, clock, epoch, context, tree, memory, watched, ticks });
            },
        );
        visited - held
    }

    fn update(&mut self) {
        let events = self.program.update(&self.carrier.member, self.carrier.now());
        if !events.is_empty() {
            self.carrier.wake();
        }
        let space = MAX_EVENTS - self.events.len();
        self.events.extend(events.into_iter().take(space));
    }

    /// Ends the part of this process: hands all of its agents over, and waits until the keeper has them. A herd that is dropped does the same, for at most 2 s. Without the keeper, or
    /// with an agent that cannot be saved, this takes the whole time.
    ///
    /// Returns the agents that were not handed over: after a while they continue elsewhere from their last snapshots, if the keeper still has these.
    pub fn leave(mut self, timeout: Duration) -> Vec<String> {
        self.hand_over(timeout);
        let mut left: Vec<_> = self.names().map(str::to_owned).collect();
        left.extend(lock(&self.carrier.member).unconfirmed().map(str::to_owned));
        left
    }

    fn hand_over(&mut self, timeout: Duration) {
        if self.has_left || (self.program.agents().is_empty() && !self.is_leased()) {
            return;
        }
        self.has_left = true;
        self.request(Action::Leave);
        let start = Instant::now();
        loop {
            self.update();
            let is_over = self.program.agents().is_empty() && lock(&self.carrier.member).is_done();
            if is_over || start.elapsed() >= timeout {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns what happened to agents of this process in the ticks since the last call.
    pub fn events(&mut self) -> Vec<ShardEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns the names of the agents of this process.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.program.agents().keys().map(String::as_str)
    }

    /// Returns the context of an agent of this process.
    #[must_use]
    pub fn context(&self, agent: &str) -> Option<&C> {
        self.program.agents().get(agent).map(|hosted| &hosted.value.context)
    }

    /// Returns whether this process may tick its agents: it was in contact with the keeper within its lease.
    #[must_use]
    pub fn is_leased(&self) -> bool {
        self.program.is_leased(self.carrier.now())
    }
}

impl<N: Node<C> + Save, C: Serialize + DeserializeOwned> Drop for Sharded<N, C> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.hand_over(LEAVE_TIMEOUT);
        }
    }
}

/// An agent of a [`Sharded`] herd, while it is visited.
pub struct ShardedAgent<'a, N: Node<C>, C> {
    name: &'a str,
    clock: Duration,
    epoch: Epoch,
    /// Its context.
    pub context: &'a mut C,
    tree: &'a N,
    memory: &'a mut bt_core::Memory<N>,
    watched: &'a mut bt_inspector::Watched,
    ticks: &'a mut u64,
}

impl<N: Node<C>, C: Serialize> ShardedAgent<'_, N, C> {
    /// Returns its name.
    #[must_use]
    pub const fn name(&self) -> &str {
        self.name
    }

    /// Returns the time of its clock, for the context's [`Clock`](bt_core::Clock): how long processes have had it. It stands still while it is handed over, and after a crash it continues from the snapshot.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.clock
    }

    /// Returns the time in which this process owns it, for services that exclude effects of a process that has lost it.
    #[must_use]
    pub const fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Returns the number of its ticks, on all processes.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        *self.ticks
    }

    /// Ticks its tree once, and shows it to the pages that have selected it.
    pub fn tick(&mut self) -> Status {
        let status = self.tree.tick_with(self.context, self.memory, &mut self.watched.at(self.clock));
        *self.ticks += 1;
        let context = &*self.context;
        self.watched.show(|| context);
        status
    }
}
