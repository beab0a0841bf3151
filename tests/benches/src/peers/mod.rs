//! The same work with other crates, and with libraries of other languages. Each tree is written as in the documentation of its library.
//!
//! All benchmarks are single-threaded ticks of one agent whose context is an [`Agent`]. The same leaves run in each tick,
//! which the tests verify by the trace of the agent.

use std::fmt::Write;
use std::hint::black_box;

use allocation_counter::measure;

use crate::agent::Agent;
use crate::clock::side_by_side;
use crate::count;

mod behavior_tree;
mod behavior_tree_lite;
mod behaviortree;
mod behaviortree_rs;
mod bhv;
mod bonsai;
mod emergent;
mod loaded;
mod ours;
mod programs;
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
    use std::hint::black_box;

    use crate::agent::Agent;

    #[inline(always)]
    pub fn odd(agent: &Agent) -> bool {
        agent.sees & 1 == 1
    }
    /// Opaque: the optimizer would ask equal conditions of a tree once.
    #[inline(always)]
    pub fn never(agent: &Agent) -> bool {
        black_box(agent.sees) == u64::MAX
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
fn ticking<R>(ticks: u32, flips: bool, mut tick: impl FnMut(&mut Agent) -> R) -> u64 {
    let mut agent = Agent { sees: 1, ..Agent::default() };
    for _ in 0..ticks {
        black_box(call(&mut tick, black_box(&mut agent)));
        agent.sees ^= u64::from(flips);
    }
    agent.done
}

/// Runs a tick as a call, for all crates alike. Otherwise, the optimizer would inline only some ticks into the loop.
#[inline(never)]
fn call<R>(tick: &mut impl FnMut(&mut Agent) -> R, agent: &mut Agent) -> R {
    tick(agent)
}

/// The baseline of all crates: the call, and the loop.
pub fn none(ticks: u32) -> u64 {
    // Otherwise, the optimizer removes the call.
    ticking(ticks, true, |agent| _ = black_box(agent))
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
        loaded::peer(),
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

/// Returns the table of all crates and programs. The instructions of the loop and the call are subtracted; the time includes them.
pub fn table() -> Result<String, String> {
    const TICKS: u32 = 200_000;
    let mut table = String::from(
        "Three figures in a cell: the condition alternates, the action keeps running, 9 nodes fall through.\n\n\
         | library | instructions per tick | ns per tick | allocations per tick | bytes per agent | creation of an agent, ns |\n\
         |---|---|---|---|---|---|\n",
    );
    for (index, peer) in all().iter().enumerate() {
        let run = |ticks: Ticks| {
            move |count: u32| {
                black_box(ticks(count));
            }
        };
        let cases = [peer.flips, peer.stays, peer.falls];
        let [flips, stays, falls] = cases.map(run);
        let times = side_by_side([&flips, &stays, &falls], TICKS).map(|time| format!("{time:.1}")).join(", ");
        let allocations = cases.map(|ticks| {
            let count = |ticks_run: u32| {
                measure(|| {
                    black_box(ticks(ticks_run));
                })
                .count_total
            };
            ((count(2000) - count(1000)) / 1000).to_string()
        });
        let (allocated, size) = (peer.agent)();
        let [create] = side_by_side([&peer.create], TICKS / 10);
        let counts = CASES.map(|case| instructions(index, case)).join(", ");
        let _ = writeln!(
            table,
            "| {} | {counts} | {times} | {} | {} | {create:.1} |",
            peer.name,
            allocations.join(", "),
            allocated + size as u64
        );
    }
    Ok(table + &programs::rows()?)
}

/// The names of the trees for `run` and for the programs, in the order of the table.
const CASES: [&str; 3] = ["flips", "stays", "falls"];

/// Returns the instructions per tick of a crate, without the loop and the call.
fn instructions(index: usize, case: &str) -> String {
    let per_tick = |what: &str| count::slope(what, 2000);
    let count = per_tick(&format!("{case}{index}")).zip(per_tick("none"));
    count.map_or("–".to_owned(), |(count, none)| format!("{:.0}", count - none))
}
