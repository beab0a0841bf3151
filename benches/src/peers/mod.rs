//! The same work with other crates. Each tree is written as in the documentation of its crate.
//!
//! All benchmarks are single-threaded ticks of one agent whose context is an [`Agent`]. The same leaves run in each tick,
//! which the tests verify by the trace of the agent.

use std::fmt::Write;
use std::hint::black_box;

use allocation_counter::measure;

use crate::agent::Agent;
use crate::clock::side_by_side;

mod behavior_tree;
mod behavior_tree_lite;
mod behaviortree;
mod behaviortree_rs;
mod bhv;
mod bonsai;
mod emergent;
mod ours;
mod simple_bt;

/// Runs a number of ticks of a new agent. Returns its trace.
type Ticks = fn(u32) -> u64;

/// A crate.
pub struct Peer {
    pub name: &'static str,
    /// The condition alternates each tick, and so do two actions that end immediately.
    pub flips: Ticks,
    /// The condition holds, and its action stays running.
    pub stays: Ticks,
    /// 9 nodes without a condition that holds, so the last action runs. It ends immediately.
    pub falls: Ticks,
    /// Returns the allocated bytes and the size of one agent.
    pub agent: fn() -> (u64, usize),
    /// Creates a number of agents, one after the other.
    pub create: fn(u32),
}

/// The leaves of all crates.
mod leaf {
    use crate::agent::Agent;

    #[inline(always)]
    pub fn odd(agent: &Agent) -> bool {
        agent.sees & 1 == 1
    }
    #[inline(always)]
    pub fn never(agent: &Agent) -> bool {
        agent.sees == u64::MAX
    }
    #[inline(always)]
    pub fn first(agent: &mut Agent) {
        agent.done += 1;
    }
    #[inline(always)]
    pub fn second(agent: &mut Agent) {
        agent.done += 1000;
    }
}

/// Runs a number of ticks. The perception alternates each tick if `flips` is `true`.
#[inline(always)]
fn ticking(ticks: u32, flips: bool, mut tick: impl FnMut(&mut Agent)) -> u64 {
    let mut agent = Agent { sees: 1, ..Agent::default() };
    for _ in 0..ticks {
        tick(black_box(&mut agent));
        agent.sees ^= u64::from(flips);
    }
    agent.done
}

/// Creates and drops a value repeatedly.
fn creating<T>(count: u32, make: impl Fn() -> T) {
    for _ in 0..count {
        black_box(make());
    }
}

/// Returns the bytes that a value allocates, and its size.
fn taken<T>(make: impl FnOnce() -> T) -> (u64, usize) {
    let mut value = None;
    let allocated = measure(|| value = Some(make()));
    (allocated.bytes_current.try_into().unwrap_or(0), size_of::<T>())
}

pub fn all() -> Vec<Peer> {
    vec![
        ours::peer(),
        bhv::peer(),
        bonsai::peer(),
        emergent::peer(),
        simple_bt::peer(),
        behavior_tree::peer(),
        behavior_tree_lite::peer(),
        behaviortree_rs::peer(),
        behaviortree::peer(),
    ]
}

/// Returns the table of all crates.
pub fn table() -> String {
    const TICKS: u32 = 200_000;
    let mut table = String::from(
        "| crate | condition alternates, ns | action keeps running, ns | 9 nodes fall through, ns | allocations per tick (in this order) | bytes per agent | creation of an agent, ns |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for peer in all() {
        let run = |ticks: Ticks| {
            move |count: u32| {
                black_box(ticks(count));
            }
        };
        let [flips, stays, falls] = side_by_side([&run(peer.flips), &run(peer.stays), &run(peer.falls)], TICKS);
        let allocations = [peer.flips, peer.stays, peer.falls].map(|ticks| {
            let count = |ticks_run: u32| {
                measure(|| {
                    black_box(ticks(ticks_run));
                })
                .count_total
            };
            (count(2000) - count(1000)) / 1000
        });
        let (allocated, size) = (peer.agent)();
        let [create] = side_by_side([&peer.create], TICKS / 10);
        let [a, b, c] = allocations;
        let _ = writeln!(
            table,
            "| {} | {flips:.1} | {stays:.1} | {falls:.1} | {a}, {b}, {c} | {} | {create:.1} |",
            peer.name,
            allocated + size as u64
        );
    }
    table
}
