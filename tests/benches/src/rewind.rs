//! The cost of storing a snapshot of each tick, to go back to it.

use std::hint::black_box;

use bt_core::Rewind;
use bt_core::prelude::*;

use crate::agent::Agent;
use crate::count::{TICKS, slope};
use crate::small;

/// A tree of 9 nodes: its name, and what runs ticks and stores each of them or none.
pub type Counted = (&'static str, fn(u32) -> u64, fn(u32) -> u64);

/// All of them. The context has 48 bytes, the memory one.
pub const COUNTED: [Counted; 2] = [
    ("snapshot of reactive", |ticks| stored(&small::reactive(), ticks), |ticks| plain(&small::reactive(), ticks)),
    ("snapshot of patrol", |ticks| stored(&small::patrol(), ticks), |ticks| plain(&small::patrol(), ticks)),
];

/// Returns the instructions of a snapshot, or `None` without valgrind.
pub fn per_snapshot(index: usize) -> Option<f64> {
    Some(slope(&format!("rewind{index}"), TICKS)? - slope(&format!("plain{index}"), TICKS)?)
}

#[inline(never)]
fn stored<N: Node<Agent>>(tree: &N, ticks: u32) -> u64 {
    // It is full soon: each snapshot takes the place of the oldest.
    let mut rewind = Rewind::new(100_000);
    let (mut agent, mut memory) = (Agent::new(1), tree.memory());
    for tick in 0..ticks {
        agent.look();
        rewind.store(tick.into(), Duration::from_secs(tick.into()), || (memory.clone(), agent.clone()));
        black_box(tree.tick(&mut agent, black_box(&mut memory)));
    }
    black_box(&rewind);
    agent.done
}

#[inline(never)]
fn plain<N: Node<Agent>>(tree: &N, ticks: u32) -> u64 {
    let (mut agent, mut memory) = (Agent::new(1), tree.memory());
    for _ in 0..ticks {
        agent.look();
        black_box(tree.tick(&mut agent, black_box(&mut memory)));
    }
    agent.done
}
