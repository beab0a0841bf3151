//! The benchmark cases, each as a tree and as hand-written code.

use std::hint::black_box;

use bt_core::prelude::*;

use crate::agent::Agent;
use crate::{choices, custom, generated, machines, melee, mixed, parallels, small, timers};

/// A benchmark case. Its functions run a number of ticks and return the trace of the agent.
pub struct Case {
    /// The name.
    pub name: &'static str,
    /// The number of nodes.
    pub nodes: u32,
    /// The size of an agent's memory, in bytes.
    pub bytes: usize,
    /// Runs the tree.
    pub tree: fn(u32) -> u64,
    /// Runs the hand-written equivalent.
    pub by_hand: fn(u32) -> u64,
    /// Runs a hand-written equivalent that does less than is documented, where that is faster.
    pub less: Option<fn(u32) -> u64>,
}

/// Runs a tick as a call, for trees and hand-written code alike. Otherwise, the optimizer would inline only some ticks into the loop.
#[inline(never)]
pub fn call<S, R>(tick: impl Fn(&mut Agent, &mut S) -> R, agent: &mut Agent, state: &mut S) -> R {
    tick(agent, state)
}

/// Defines a function that runs a number of ticks of one agent.
macro_rules! ticks {
    ($name:ident, $state:expr, |$agent:ident, $memory:ident| $tick:expr) => {
        #[inline(never)]
        pub fn $name(ticks: u32) -> u64 {
            let mut agent = Agent::new(1);
            let mut state = $state;
            for _ in 0..ticks {
                agent.look();
                black_box(call(|$agent, $memory| $tick, &mut agent, black_box(&mut state)));
            }
            agent.done
        }
    };
}

/// The cases without an equivalent that does less. The others have a constant that shadows this one.
const LESS: Option<fn(u32) -> u64> = None;

macro_rules! cases {
    ($(
        $case:ident: $name:literal, $tree:expr, $start:expr, |$agent:ident, $memory:ident| $hand:expr
        $(, less: $less_start:expr, |$less_agent:ident, $less_memory:ident| $less:expr)?;
    )+) => {
        $(
            pub mod $case {
                use super::*;
                ticks!(tree, { let tree = $tree; let memory = tree.memory(); (tree, memory) }, |agent, state| state.0.tick(agent, &mut state.1));
                ticks!(by_hand, $start, |$agent, $memory| $hand);
                $(
                    ticks!(with_less, $less_start, |$less_agent, $less_memory| $less);
                    const LESS: Option<fn(u32) -> u64> = Some(with_less);
                )?
                pub fn case() -> Case {
                    let tree = $tree;
                    Case { name: $name, nodes: tree.count(), bytes: size_of_val(&tree.memory()), tree: self::tree, by_hand, less: LESS }
                }
            }
        )+

        /// Returns all cases.
        pub fn all() -> Vec<Case> {
            vec![$($case::case()),+]
        }
    };
}

cases! {
    reactive: "reactive", small::reactive(), small::Reacting::default(), |agent, running| small::reactive_by_hand(agent, running),
        less: (), |agent, _nothing| small::reactive_with_less(agent);
    patrol: "patrol", small::patrol(), small::Patrol::default(), |agent, at| small::patrol_by_hand(agent, at);
    enemy: "melee enemy", melee::melee(), melee::Enemy::default(), |agent, enemy| melee::melee_by_hand(agent, enemy);
    hundred: "generated", generated::tree_100(), (0, 0), |agent, running| generated::by_hand_100(agent, running);
    recovery: "recovery", custom::recovers(), custom::Recovers::default(), |agent, state| custom::recovers_by_hand(agent, state);
    round_robin: "round robin", custom::circles(), custom::Circles::default(), |agent, state| custom::circles_by_hand(agent, state);
    pipeline: "pipeline sequence", custom::pipes(), custom::Pipes::default(), |agent, state| custom::pipes_by_hand(agent, state);
    chooses: "if and match", choices::chooses(), choices::Chosen::default(), |agent, chosen| choices::chooses_by_hand(agent, chosen),
        less: choices::Walking::default(), |agent, walking| choices::chooses_with_less(agent, walking);
    weighs: "utility selector", choices::weighs(), None, |agent, running| choices::weighs_by_hand(agent, running);
    dares: "chance", choices::dares(), false, |agent, is_running| choices::dares_by_hand(agent, is_running);
    machine3: "machine, plain", machines::plain(), 0, |agent, at| machines::plain_by_hand(agent, at),
        less: 0, |agent, at| machines::plain_with_less(agent, at);
    machine4: "machine, sheep", machines::sheep(), machines::Sheep::default(), |agent, at| machines::sheep_by_hand(agent, at);
    machine12: "machine, circle", machines::circle(), 0, |agent, at| machines::circle_by_hand(agent, at),
        less: 0, |agent, at| machines::circle_with_less(agent, at);
    parallel2: "parallel", parallels::both(), [false; 2], |agent, running| parallels::both_by_hand(agent, running),
        less: (), |agent, _nothing| parallels::both_with_less(agent);
    parallel3: "mem_parallel", parallels::three(), 0, |agent, state| parallels::three_by_hand(agent, state);
    cooldown: "cooldown", timers::cools(), timers::Timer::new(4), |agent, timer| timers::cools_by_hand(agent, timer),
        less: timers::Timed::default(), |agent, state| timers::cools_with_less(agent, state);
    wait: "wait", timers::pauses(), timers::Timer::new(3), |agent, timer| timers::pauses_by_hand(agent, timer),
        less: timers::Pauses::default(), |agent, state| timers::pauses_with_less(agent, state);
    timeout: "timeout", timers::limits(), timers::Timer::new(2), |agent, timer| timers::limits_by_hand(agent, timer),
        less: timers::Timed::default(), |agent, state| timers::limits_with_less(agent, state);
    service: "service", timers::serves(), timers::Timer::new(3), |agent, timer| timers::serves_by_hand(agent, timer),
        less: 0, |agent, due| timers::serves_with_less(agent, due);
    orc: "mixed", mixed::orc(), mixed::Orc::default(), |agent, orc| mixed::orc_by_hand(agent, orc);
    boxed: "boxed patrol", bt_core::boxed(small::patrol()), small::Patrol::default(), |agent, at| small::patrol_by_hand(agent, at);
    thousand: "generated", generated::tree_1000(), (0, 0), |agent, running| generated::by_hand_1000(agent, running);
}

ticks!(looks, (), |agent, _nothing| {
    // Otherwise, the optimizer removes the update and the call.
    black_box(&mut *agent);
    Status::Success
});

/// The baseline of every case: the update of the perception, the call, and the loop.
pub const LOOKS: fn(u32) -> u64 = looks;
