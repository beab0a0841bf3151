//! The systems that tick and halt trees.

use core::marker::PhantomData;
use core::time::Duration;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryItem;
use bevy_ecs::system::{StaticSystemParam, SystemParamItem};
use bevy_time::Time;
use bt_core::{Status, Tree as _};

use crate::agent::Agent;
use crate::behavior::{Behavior, TreeOf};
use crate::events::{StateNames, States, TreeEnded};
use crate::mind::{Mind, MindMemory};
use crate::requests::{Owner, Requests};
use crate::shared::SharedParams;
use crate::watch::{Watch, Watcher};

/// The tree of a behavior, and how its plugin was configured.
#[derive(Resource)]
pub(crate) struct Stored<G, N> {
    pub(crate) tree: N,
    pub(crate) seed: u64,
    pub(crate) triggers_ends: bool,
    /// `Some` if changes of states are triggered.
    pub(crate) states: Option<StateNames>,
    pub(crate) of: PhantomData<fn() -> G>,
}

/// The entities, the parameters of the behavior, and commands. The set unifies their lifetimes.
pub(crate) type Agents<'w, 's, G, N, F = ()> = ParamSet<
    'w,
    's,
    ((
        Query<
            'static,
            'static,
            (Entity, &'static mut Mind<G>, &'static mut MindMemory<G, N>, Watch<G>, <G as Behavior>::Data),
            F,
        >,
        StaticSystemParam<'static, 'static, <G as Behavior>::Params>,
        Commands<'static, 'static>,
    ),),
>;

/// What all agents of a run share.
#[derive(Clone, Copy)]
struct Run<'a> {
    now: Duration,
    delta: Duration,
    requests: &'a Requests,
    seed: u64,
}

impl<'a> Run<'a> {
    fn new(time: &Time, requests: &'a Requests, seed: u64) -> Self {
        Self { now: time.elapsed(), delta: time.delta(), requests, seed }
    }

    /// Returns the next run of the system that ticks.
    fn next<G, N>(stored: &Stored<G, N>, time: &Time, requests: &'a Requests, runs: &mut u64) -> Self {
        *runs += 1;
        Self::new(time, requests, mixed(stored.seed ^ mixed(*runs)))
    }

    /// Returns whether an entity is ticked in this run.
    fn ticks<G: Behavior>(&self, mind: &Mind<G>, watch: &impl Watcher) -> bool {
        (mind.due().is_due(self.now) || watch.needs_tick()) && !watch.is_held()
    }

    fn agent<'w, G: Behavior>(
        self,
        entity: Entity,
        data: QueryItem<'w, 'w, G::Data>,
        params: &'a mut SystemParamItem<'w, 'w, G::Params>,
        commands: Commands<'a, 'a>,
    ) -> Agent<'a, 'w, G> {
        let Self { now, delta, requests, seed } = self;
        Agent { entity, data, params, commands, requests, now, delta, seed, rng: None }
    }
}

/// Ticks the trees of all entities that are due.
pub(crate) fn tick<G: Behavior, N: TreeOf<G>>(
    stored: Res<Stored<G, N>>,
    time: Res<Time>,
    requests: Res<Requests>,
    mut agents: Agents<G, N>,
    mut runs: Local<u64>,
) {
    let run = Run::next(&*stored, &time, &requests, &mut runs);
    let (query, params, mut commands) = agents.p0();
    let mut params = params.into_inner();
    let mut states = States::default();
    for (entity, mut mind, mut memory, mut watch, data) in query {
        if run.ticks(&mind, &watch) {
            let agent = run.agent::<G>(entity, data, &mut params, commands.reborrow());
            let status = stored.tick(agent, &mut mind, &mut memory, &mut watch, &mut states);
            stored.trigger(entity, status, &mut states, &mut commands);
        }
    }
}

/// Ticks the trees of all entities that are due, on all threads of the compute pool.
pub(crate) fn tick_parallel<G: Behavior, N: TreeOf<G>>(
    stored: Res<Stored<G, N>>,
    time: Res<Time>,
    requests: Res<Requests>,
    mut agents: Agents<G, N>,
    all_commands: ParallelCommands,
    mut runs: Local<u64>,
) where
    for<'w> SystemParamItem<'w, 'w, G::Params>: SharedParams,
{
    let run = Run::next(&*stored, &time, &requests, &mut runs);
    let (query, params, _) = agents.p0();
    let params = &params.into_inner();
    query.par_iter_inner().for_each_init(
        || (params.share(), States::default()),
        |(params, states), (entity, mut mind, mut memory, mut watch, data)| {
            if run.ticks(&mind, &watch) {
                all_commands.command_scope(|mut commands| {
                    let agent = run.agent::<G>(entity, data, params, commands.reborrow());
                    let status = stored.tick(agent, &mut mind, &mut memory, &mut watch, states);
                    stored.trigger(entity, status, states, &mut commands);
                });
            }
        },
    );
}

impl<G: Behavior, N: TreeOf<G>> Stored<G, N> {
    fn tick(
        &self,
        mut agent: Agent<'_, '_, G>,
        mind: &mut Mut<Mind<G>>,
        memory: &mut Mut<MindMemory<G, N>>,
        watch: &mut impl Watcher,
        states: &mut States,
    ) -> Status {
        let memory = &mut memory.bypass_change_detection().memory;
        let states = self.states.is_some().then_some(states);
        let status = match (watch.observer(agent.now), states) {
            (None, None) => self.tree.tick(&mut agent, memory),
            (watch, states) => self.tree.tick_with(&mut agent, memory, &mut (watch, states)),
        };
        let due = self.tree.due(status, memory, &mut agent);
        mind.bypass_change_detection().sleep(due);
        watch.show_due(due);
        if mind.status() != Some(status) {
            mind.set_status(status);
        }
        status
    }

    fn trigger(&self, entity: Entity, status: Status, states: &mut States, commands: &mut Commands) {
        if let Some(names) = &self.states {
            states.trigger::<G>(entity, names, commands);
        }
        if self.triggers_ends && status != Status::Running {
            commands.trigger(TreeEnded::<G>::new(entity, status));
        }
    }
}

/// Halts the tree of an entity whose mind is being removed.
pub(crate) fn halt<G: Behavior, N: TreeOf<G>>(
    event: On<Remove<Mind<G>>>,
    stored: Res<Stored<G, N>>,
    time: Res<Time>,
    requests: Res<Requests>,
    mut agents: Agents<G, N, Allow<Disabled>>,
) {
    let (query, params, mut commands) = agents.p0();
    let mut params = params.into_inner();
    if let Ok((entity, _, mut memory, mut watch, data)) = query.get_inner(event.entity) {
        let run = Run::new(&time, &requests, stored.seed);
        let mut agent = run.agent::<G>(entity, data, &mut params, commands.reborrow());
        stored.tree.halt_with(&mut agent, &mut memory.memory, &mut watch.observer(run.now));
    } else {
        // Without all components of its data, a tree has no context to be halted with.
        requests.close_all(Owner::new::<G>(event.entity));
    }
    commands.entity(event.entity).try_remove::<MindMemory<G, N>>();
}

/// Mixes the bits of a number, as splitmix64 does.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
