//! What is measured: each case once as a tree and once by hand.

use std::hint::black_box;

use bt_core::prelude::*;

use crate::agent::Agent;
use crate::{generated, melee, small};

/// A case: so many ticks, and what the agent has done in them.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// How many nodes its tree has.
    pub nodes: u32,
    /// What its agent remembers, in bytes.
    pub bytes: usize,
    /// The tree.
    pub tree: fn(u32) -> u64,
    /// The same by hand.
    pub by_hand: fn(u32) -> u64,
}

/// A tick is a call, of a tree and of what is written by hand alike: the optimizer would take some of them into the loop and leave others.
#[inline(never)]
fn call<S, R>(tick: impl Fn(&mut Agent, &mut S) -> R, agent: &mut Agent, state: &mut S) -> R {
    tick(agent, state)
}

/// A function that ticks one agent so many times: looks, ticks, and lets the status be seen.
macro_rules! ticks {
    ($name:ident, $state:expr, |$agent:ident, $memory:ident| $tick:expr) => {
        #[inline(never)]
        fn $name(ticks: u32) -> u64 {
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

macro_rules! cases {
    ($($case:ident: $name:literal, $tree:expr, $start:expr, |$agent:ident, $memory:ident| $hand:expr;)+) => {
        $(
            mod $case {
                use super::*;
                ticks!(tree, { let tree = $tree; let memory = tree.memory(); (tree, memory) }, |agent, state| state.0.tick(agent, &mut state.1));
                ticks!(by_hand, $start, |$agent, $memory| $hand);
                pub fn case() -> Case {
                    let tree = $tree;
                    Case { name: $name, nodes: tree.count(), bytes: size_of_val(&tree.memory()), tree: self::tree, by_hand }
                }
            }
        )+

        /// All cases.
        pub fn all() -> Vec<Case> {
            vec![$($case::case()),+]
        }
    };
}

cases! {
    reactive: "reactive", small::reactive(), (), |agent, _nothing| small::reactive_by_hand(agent);
    patrol: "patrol", small::patrol(), small::Patrol::default(), |agent, at| small::patrol_by_hand(agent, at);
    enemy: "melee enemy", melee::melee(), melee::Enemy::default(), |agent, enemy| melee::melee_by_hand(agent, enemy);
    hundred: "generated", generated::tree_100(), (0, 0), |agent, running| generated::by_hand_100(agent, running);
    thousand: "generated", generated::tree_1000(), (0, 0), |agent, running| generated::by_hand_1000(agent, running);
}

ticks!(looks, (), |_agent, _nothing| Status::Success);

/// What comes with every tick, by hand or not: looking, the call, and the loop.
pub const LOOKS: fn(u32) -> u64 = looks;

#[cfg(test)]
mod tests {
    #[test]
    fn a_tree_and_its_twin_do_the_same() {
        for case in super::all() {
            for ticks in [1, 2, 3, 10, 100, 10_000] {
                assert_eq!((case.tree)(ticks), (case.by_hand)(ticks), "{} of {} nodes", case.name, case.nodes);
            }
        }
    }
}
