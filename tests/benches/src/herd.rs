//! Herds beside a loop over memories and contexts. No agent sleeps.

use std::fmt::Write;
use std::hint::black_box;

use bt_core::prelude::*;

use crate::agent::{Agent, act, cond};
use crate::clock::side_by_side;
use crate::{count, small};

/// The number of agents. Their data fits the caches.
const AGENTS: u32 = 1000;

/// A way to tick all agents.
pub struct Way {
    /// The name in `counts.txt`.
    pub name: &'static str,
    /// Runs a number of rounds. Returns the trace of all agents.
    pub run: fn(u32) -> u64,
    /// The index of the plain loop over the same tree.
    pub plain: usize,
}

/// Returns a small tree: the smaller a tree, the larger the share of the herd.
fn three() -> impl Node<Agent> {
    tree! { for Agent: selector { sequence { cond::<1>, act::<2> } act::<4> } }
}

/// Defines a function that runs a number of rounds with a herd of a tree.
macro_rules! rounds {
    ($name:ident, $tree:expr, |$herd:ident, $agents:ident, $round:ident| $tick:expr) => {
        fn $name(rounds: u32) -> u64 {
            let mut herd = Herd::new($tree);
            herd.grow(AGENTS as usize);
            let (mut agents, $herd) = (agents(), &mut herd);
            for round in 0..rounds {
                let ($agents, $round) = (black_box(agents.as_mut_slice()), round);
                black_box($tick);
            }
            trace(&agents)
        }
    };
}

rounds!(tick_all, small::patrol(), |herd, agents, _round| herd.tick_all(agents));
rounds!(for_each, small::patrol(), |herd, agents, _round| {
    herd.for_each(|id, tree, memory| {
        black_box(tree.tick(&mut agents[id.index()], memory));
    });
});
rounds!(tick_due, small::patrol(), |herd, agents, round| herd.tick_due(millis(u64::from(round)), agents));
rounds!(for_each_due, small::patrol(), |herd, agents, round| {
    herd.for_each_due(millis(u64::from(round)), |agent| {
        let id = agent.id();
        black_box(agent.tick(&mut agents[id.index()]));
    });
});

rounds!(three_by_tick_all, three(), |herd, agents, _round| herd.tick_all(agents));

/// Defines a loop over memories and agents that counts the statuses, as a herd does.
macro_rules! plain {
    ($name:ident, $tree:expr) => {
        fn $name(rounds: u32) -> u64 {
            let tree = $tree;
            let mut agents = agents();
            let mut memories: Vec<_> = agents.iter().map(|_| tree.memory()).collect();
            for _ in 0..rounds {
                let mut counts = [0_usize; 4];
                for (memory, agent) in
                    black_box(memories.as_mut_slice()).iter_mut().zip(black_box(agents.as_mut_slice()))
                {
                    counts[tree.tick(agent, memory) as usize] += 1;
                }
                black_box(counts);
            }
            trace(&agents)
        }
    };
}

plain!(by_loop, small::patrol());
plain!(three_by_loop, three());

fn agents() -> Vec<Agent> {
    (1..=u64::from(AGENTS)).map(Agent::new).collect()
}

fn trace(agents: &[Agent]) -> u64 {
    agents.iter().fold(0, |trace, agent| trace.rotate_left(1) ^ agent.done)
}

/// All ways: those of the patrol, and those of a tree of three leaves.
pub const WAYS: [Way; 7] = [
    Way { name: "loop", run: by_loop, plain: 0 },
    Way { name: "tick_all", run: tick_all, plain: 0 },
    Way { name: "for_each", run: for_each, plain: 0 },
    Way { name: "tick_due", run: tick_due, plain: 0 },
    Way { name: "for_each_due", run: for_each_due, plain: 0 },
    Way { name: "loop, three leaves", run: three_by_loop, plain: 5 },
    Way { name: "tick_all, three leaves", run: three_by_tick_all, plain: 5 },
];

/// Returns the instructions per agent and tick of a way, or `None` without valgrind.
pub fn per_agent(index: usize) -> Option<f64> {
    const ROUNDS: u32 = 20;
    Some(count::slope(&format!("herd{index}"), ROUNDS)? / f64::from(AGENTS))
}

/// Returns the table of all ways.
pub fn table() -> String {
    let mut table = "| way | instructions per agent | ns per agent |\n|---|---|---|\n".to_owned();
    let runs = WAYS.map(|way| move |rounds| _ = black_box((way.run)(rounds)));
    let times = side_by_side(runs.each_ref().map(|run| run as &dyn Fn(u32)), 1000);
    for (index, (Way { name, .. }, time)) in WAYS.iter().zip(times).enumerate() {
        let count = per_agent(index).map_or("–".to_owned(), |count| format!("{count:.1}"));
        let _ = writeln!(table, "| {name} | {count} | {:.2} |", time / f64::from(AGENTS));
    }
    table
}
