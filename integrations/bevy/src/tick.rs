//! The systems that tick and halt trees.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::{QueryData as _, QueryItem};
use bevy_ecs::system::{StaticSystemParam, SystemParamItem};
use bevy_time::Time;
use bt_core::engine::{Due, edits};
use bt_core::{NodeId, Status, Tree as _};

use crate::behavior::{Agent, Behavior, Describe, TreeOf};
use crate::events::{StateNames, States, TreeEnded};
use crate::mind::{Mind, MindMemory, wakes};
use crate::requests::{Owner, Requests};
use crate::shared::SharedParams;
use crate::watch::{IsWatched, Watch, Watcher};

/// The tree of a behavior, and how its plugin was configured.
#[derive(Resource)]
pub(crate) struct Stored<G, N> {
    pub(crate) tree: N,
    pub(crate) seed: u64,
    pub(crate) triggers_ends: bool,
    /// `Some` if changes of states are triggered.
    pub(crate) states: Option<StateNames>,
    /// The time of the last run, in nanoseconds. Saved minds contain it.
    last: AtomicU64,
    of: PhantomData<fn() -> G>,
}

impl<G, N> Stored<G, N> {
    pub(crate) fn new(tree: N, seed: u64, triggers_ends: bool, states: Option<StateNames>) -> Self {
        Self { tree, seed, triggers_ends, states, last: AtomicU64::new(0), of: PhantomData }
    }

    /// Returns the time of the last run.
    #[cfg(feature = "serialize")]
    pub(crate) fn last(&self) -> Duration {
        Duration::from_nanos(self.last.load(Ordering::Relaxed))
    }
}

impl<G: Behavior, N: TreeOf<G>> Describe for Stored<G, N> {
    fn describe(&self, at: NodeId) -> String {
        let description = self.tree.description();
        let Some(node) = description.node(at) else { return at.to_string() };
        let file = node.file.as_ref().map(|file| format!(", node {} of the file", file.id));
        format!("{node}{}", file.unwrap_or_default())
    }
}

/// The components of an entity, in a query.
type AgentData<G, N> = (Entity, &'static mut Mind<G>, &'static mut MindMemory<G, N>, Watch<G>, <G as Behavior>::Data);

/// The item of [`AgentData`].
type AgentItem<'w, 's, G, N> = QueryItem<'w, 's, AgentData<G, N>>;

/// All minds, including those of entities that are disabled or have not all components of their data.
type Minds<'w, 's, G> = Query<'w, 's, (Entity, &'static Mind<G>), Allow<Disabled>>;

/// The minds; the entities with the parameters of the behavior and commands. The set unifies their lifetimes.
pub(crate) type Agents<'w, 's, G, N, F = ()> = ParamSet<
    'w,
    's,
    (
        Minds<'static, 'static, G>,
        (
            Query<'static, 'static, AgentData<G, N>, F>,
            StaticSystemParam<'static, 'static, <G as Behavior>::Params>,
            Commands<'static, 'static>,
        ),
    ),
>;

/// What all agents of a run share.
struct Run<'a> {
    now: Duration,
    delta: Duration,
    /// All entities that are not due later are ticked.
    due: Due,
    /// Whether all entities are due: since the last run the clock has gone back, and their nodes have stored times of before, or a tree was edited.
    all_are_due: bool,
    requests: &'a Requests,
    tree: &'a dyn Describe,
    seed: u64,
}

impl<'a> Run<'a> {
    fn new(time: &Time, requests: &'a Requests, tree: &'a dyn Describe, seed: u64) -> Self {
        let now = time.elapsed();
        Self { now, delta: time.delta(), due: Due::at(now), all_are_due: false, requests, tree, seed }
    }

    /// Returns whether an entity is ticked in this run.
    fn ticks<G: Behavior>(&self, mind: &Mind<G>, watch: &impl Watcher) -> bool {
        (mind.until() <= self.due || self.all_are_due || watch.needs_tick()) && !watch.is_held()
    }

    fn agent<'b, 'w: 'b, 'd: 'b, G: Behavior>(
        &'b self,
        entity: Entity,
        data: QueryItem<'d, 'w, G::Data>,
        params: &'b mut SystemParamItem<'w, 'w, G::Params>,
        commands: Commands<'b, 'b>,
    ) -> Agent<'b, 'w, G> {
        let data = G::Data::shrink(data);
        let Self { now, delta, requests, tree, seed, .. } = *self;
        Agent { entity, data, params, commands, requests, tree, now, delta, seed, rng: None }
    }
}

/// The state of the system that ticks.
#[derive(Default)]
pub(crate) struct Past {
    runs: u64,
    /// How often trees were edited before the last run.
    edits: u32,
    /// The time of the last run.
    last: Option<Duration>,
    /// Whether many entities were ticked in the last run. Then all are visited, without looking for those that are due.
    are_many: bool,
    wakes: u64,
    /// The time at which the first entity is due, if none is woken before.
    next: Due,
    /// The entities that are due.
    due: Vec<Entity>,
}

/// Looking up one entity takes about as long as visiting this many in order.
const MANY: usize = 8;

impl Past {
    fn run<'a, G: Behavior, N: TreeOf<G>>(
        &mut self,
        stored: &'a Stored<G, N>,
        time: &Time,
        requests: &'a Requests,
    ) -> Run<'a> {
        self.runs += 1;
        let now = time.elapsed();
        let last = self.last.replace(now);
        let delta = last.map_or(time.delta(), |last| now.saturating_sub(last));
        let edits = edits();
        let is_edited = std::mem::replace(&mut self.edits, edits) != edits;
        let all_are_due = is_edited || last.is_some_and(|last| now < last);
        let run = Run { delta, all_are_due, ..Run::new(time, requests, stored, mixed(stored.seed ^ mixed(self.runs))) };
        stored.last.store(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        run
    }

    /// Finds the entities that are due, unless they are many.
    fn look<G: Behavior>(&mut self, minds: &Minds<'_, '_, G>, run: &Run<'_>, is_watched: bool) {
        let (wakes, now) = (wakes(), run.due);
        self.due.clear();
        self.are_many |= is_watched || run.all_are_due;
        if self.are_many || (self.wakes == wakes && now < self.next) {
            return;
        }
        (self.wakes, self.next) = (wakes, Due::FREE);
        let few = minds.iter().size_hint().1.unwrap_or(0) / MANY;
        for (entity, mind) in minds {
            if mind.until() > now {
                self.next = self.next.min(mind.until());
                continue;
            }
            if self.due.len() > few {
                self.are_many = true;
                return;
            }
            self.due.push(entity);
        }
    }

    /// Notes that all entities were visited, and how many of them were ticked.
    fn visited_all(&mut self, visited: usize, ticked: usize) {
        self.are_many = ticked * MANY > visited;
        self.next = Due::NEXT;
    }
}

/// Ticks the trees of all entities that are due.
pub(crate) fn tick<G: Behavior, N: TreeOf<G>>(
    stored: Res<Stored<G, N>>,
    time: Option<Res<Time>>,
    requests: Res<Requests>,
    is_watched: IsWatched,
    mut agents: Agents<G, N>,
    mut past: Local<Past>,
) {
    let past = &mut *past;
    let run = past.run(&*stored, clock(time.as_deref()), &requests);
    past.look(&agents.p0(), &run, is_watched.is_watched());
    let (mut query, params, mut commands) = agents.p1();
    let (mut params, mut states) = (params.into_inner(), States::default());
    if past.are_many {
        let (mut visited, mut ticked) = (0, 0);
        for agent in &mut query {
            visited += 1;
            let due = stored.visit(&run, agent, &mut params, commands.reborrow(), &mut states);
            ticked += usize::from(due.is_some());
        }
        past.visited_all(visited, ticked);
        return;
    }
    for entity in &past.due {
        let Ok(agent) = query.get_mut(*entity) else {
            // It is disabled, or has not all components of its data.
            past.next = Due::NEXT;
            continue;
        };
        let due = stored.visit(&run, agent, &mut params, commands.reborrow(), &mut states);
        past.next = past.next.min(due.unwrap_or(Due::NEXT));
    }
}

/// Ticks the trees of all entities that are due, on all threads of the compute pool.
pub(crate) fn tick_parallel<G: Behavior, N: TreeOf<G>>(
    stored: Res<Stored<G, N>>,
    time: Option<Res<Time>>,
    requests: Res<Requests>,
    is_watched: IsWatched,
    mut agents: Agents<G, N>,
    all_commands: ParallelCommands,
    mut past: Local<Past>,
) where
    for<'w> SystemParamItem<'w, 'w, G::Params>: SharedParams,
{
    let run = past.run(&*stored, clock(time.as_deref()), &requests);
    past.look(&agents.p0(), &run, is_watched.is_watched());
    if !past.are_many && past.due.is_empty() {
        return;
    }
    let (query, params, _) = agents.p1();
    let params = &params.into_inner();
    let (visited, ticked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    query.par_iter_inner().for_each_init(
        || (params.share(), States::default()),
        |(params, states), agent| {
            let due = all_commands.command_scope(|commands| stored.visit(&run, agent, params, commands, states));
            visited.fetch_add(1, Ordering::Relaxed);
            ticked.fetch_add(due.is_some().into(), Ordering::Relaxed);
        },
    );
    past.visited_all(visited.into_inner(), ticked.into_inner());
}

impl<G: Behavior, N: TreeOf<G>> Stored<G, N> {
    /// Ticks an entity if it is due. Returns when it is due again.
    #[inline(always)]
    fn visit<'w>(
        &self,
        run: &Run<'_>,
        (entity, mut mind, mut memory, mut watch, data): AgentItem<'_, 'w, G, N>,
        params: &mut SystemParamItem<'w, 'w, G::Params>,
        mut commands: Commands<'_, '_>,
        states: &mut States,
    ) -> Option<Due> {
        if !run.ticks(&mind, &watch) {
            return None;
        }
        let memory = &mut memory.bypass_change_detection().memory;
        let mut agent = run.agent::<G>(entity, data, params, commands.reborrow());
        if mind.retires() {
            let observer = &mut watch.observer(run.now);
            let is_left = if memory.is_running() {
                self.tree.halt_with(&mut agent, memory, observer);
                self.tree.is_cleaning_up(memory)
            } else {
                self.tree.clean_up_with(&mut agent, memory, observer)
            };
            drop(agent);
            if !is_left {
                commands.entity(entity).try_despawn();
            }
            return Some(Due::NEXT);
        }
        let status = match (watch.observer(run.now), self.states.is_some().then_some(&mut *states)) {
            (None, None) => self.tree.tick(&mut agent, memory),
            (watch, states) => self.tree.tick_with(&mut agent, memory, &mut (watch, states)),
        };
        let due = self.tree.due(status, memory, &mut agent);
        mind.bypass_change_detection().sleep(due);
        drop(agent);
        watch.show_due(due);
        if mind.status() != Some(status) {
            mind.set_status(status);
        }
        if let Some(names) = &self.states {
            states.trigger::<G>(entity, names, &mut commands);
        }
        if self.triggers_ends && status != Status::Running {
            commands.trigger(TreeEnded::<G>::new(entity, status));
        }
        Some(mind.until())
    }
}

/// Halts the tree of an entity whose mind is being removed or replaced.
pub(crate) fn halt<G: Behavior, N: TreeOf<G>>(
    event: On<Discard<Mind<G>>>,
    stored: Res<Stored<G, N>>,
    time: Option<Res<Time>>,
    requests: Res<Requests>,
    mut agents: Agents<G, N, Allow<Disabled>>,
) {
    let (query, params, mut commands) = agents.p1();
    let mut params = params.into_inner();
    if let Ok((entity, _, mut memory, mut watch, data)) = query.get_inner(event.entity) {
        let run = Run::new(&time.as_deref().copied().unwrap_or_default(), &requests, &*stored, stored.seed);
        let mut agent = run.agent::<G>(entity, data, &mut params, commands.reborrow());
        stored.tree.halt_with(&mut agent, &mut memory.memory, &mut watch.observer(run.now));
        drop(agent);
        if stored.tree.is_cleaning_up(&memory.memory) {
            log::warn!(
                "{entity}: a cleanup of {} takes several ticks, and is lost with its mind; help: call `Mind::retire` instead of despawning the entity",
                core::any::type_name::<G>()
            );
        }
        // A mind that replaces this one starts from the beginning.
        memory.memory.reset();
    } else {
        // Without all components of its data, a tree has no context to be halted with.
        for task in requests.close_all(Owner::new::<G>(event.entity)) {
            commands.entity(task).try_despawn();
        }
    }
}

/// Removes what is kept for an entity whose mind is being removed.
pub(crate) fn forget<G: Behavior, N: TreeOf<G>>(event: On<Remove<Mind<G>>>, mut commands: Commands) {
    commands.entity(event.entity).try_remove::<MindMemory<G, N>>();
}

fn clock(time: Option<&Time>) -> &Time {
    time.expect("trees need a clock; help: add `DefaultPlugins`, `MinimalPlugins`, or `bevy_time::TimePlugin`")
}

/// Mixes the bits of a number, as splitmix64 does.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
