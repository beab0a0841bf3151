//! The systems that tick and halt trees.

use core::marker::PhantomData;

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
use crate::requests::Requests;

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
            (Entity, &'static mut Mind<G>, &'static mut MindMemory<G, N>, <G as Behavior>::Data),
            F,
        >,
        StaticSystemParam<'static, 'static, <G as Behavior>::Params>,
        Commands<'static, 'static>,
    ),),
>;

/// What all agents of a run share.
#[derive(Clone, Copy)]
struct Run<'a> {
    time: &'a Time,
    requests: &'a Requests,
    seed: u64,
}

impl<'a> Run<'a> {
    fn agent<'w, G: Behavior>(
        self,
        entity: Entity,
        data: QueryItem<'w, 'w, G::Data>,
        params: &'a mut SystemParamItem<'w, 'w, G::Params>,
        commands: Commands<'a, 'a>,
    ) -> Agent<'a, 'w, G> {
        let (now, delta) = (self.time.elapsed(), self.time.delta());
        Agent { entity, data, params, commands, requests: self.requests, now, delta, seed: self.seed, rng: None }
    }
}

/// Ticks the trees of all entities that are due.
pub(crate) fn tick<G: Behavior, N: TreeOf<G>>(
    stored: Res<Stored<G, N>>,
    time: Res<Time>,
    requests: Res<Requests>,
    mut agents: Agents<G, N>,
    mut runs: Local<u64>,
    mut states: Local<States>,
) {
    let now = time.elapsed();
    *runs += 1;
    let run = Run { time: &time, requests: &requests, seed: mixed(stored.seed ^ mixed(*runs)) };
    let (query, params, mut commands) = agents.p0();
    let mut params = params.into_inner();
    for (entity, mut mind, mut memory, data) in query {
        if !mind.due().is_due(now) {
            continue;
        }
        let memory = &mut memory.bypass_change_detection().memory;
        let mut agent = run.agent::<G>(entity, data, &mut params, commands.reborrow());
        let status = match &stored.states {
            None => stored.tree.tick(&mut agent, memory),
            Some(_) => stored.tree.tick_with(&mut agent, memory, &mut *states),
        };
        let due = stored.tree.due(status, memory, &mut agent);
        mind.bypass_change_detection().sleep(due);
        if mind.status() != Some(status) {
            mind.set_status(status);
        }
        if let Some(names) = &stored.states {
            states.trigger::<G>(entity, names, &mut commands);
        }
        if stored.triggers_ends && status != Status::Running {
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
    // Without all components of its data, a tree has no context to be halted with.
    if let Ok((entity, _, mut memory, data)) = query.get_inner(event.entity) {
        let run = Run { time: &time, requests: &requests, seed: stored.seed };
        let mut agent = run.agent::<G>(entity, data, &mut params, commands.reborrow());
        stored.tree.halt(&mut agent, &mut memory.memory);
    }
}

/// Mixes the bits of a number, as splitmix64 does.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
