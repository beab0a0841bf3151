//! The same tree written in Rust, compiled from a file, and loaded from that file.

use std::fmt::Write;
use std::hint::black_box;

use allocation_counter::measure;
use bt_core::prelude::*;
use bt_core::tree_from_json;
use bt_dynamic::LoadedTree;

use crate::agent::{Agent, Walk, act, cond};
use crate::cases::call;
use crate::clock::side_by_side;
use crate::loaded::{LOADED, load, per_tick};
use crate::small;

pub fn reactive() -> impl Node<Agent> {
    tree_from_json!(
        "reactive.b3.json",
        for Agent: cond1 => cond::<1>, cond9 => cond::<9>, cond23 => cond::<23>, act2 => act::<2>, act3 => act::<3>, act4 => act::<4>
    )
}

fn walk3() -> Walk<3> {
    Walk
}

fn walk5() -> Walk<5> {
    Walk
}

pub fn patrol() -> impl Node<Agent> {
    tree_from_json!(
        "patrol.b3.json",
        for Agent: cond1 => cond::<1>, act2 => act::<2>, act4 => act::<4>, act6 => act::<6>, walk3, walk5
    )
}

/// Returns the table of nanoseconds per tick by engine, and the allocations of the loaded tree per tick.
pub fn table() -> String {
    let mut table = String::from(
        "| tree of 9 nodes | written in Rust, ns | compiled from the file, ns | loaded from the file, ns | instructions, written | instructions, loaded | loaded / written | allocations per tick, loaded |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    row(&mut table, "reactive", &small::reactive(), &reactive(), &load(include_str!("../reactive.b3.json")));
    row(&mut table, "patrol", &small::patrol(), &patrol(), &load(include_str!("../patrol.b3.json")));
    table
}

fn row(
    table: &mut String,
    name: &str,
    written: &impl Node<Agent>,
    built: &impl Node<Agent>,
    loaded: &LoadedTree<Agent>,
) {
    let run = |ticks| {
        black_box(ticking(loaded, ticks));
    };
    let [written, built, ours] = side_by_side(
        [
            &|ticks| {
                black_box(ticking(written, ticks));
            },
            &|ticks| {
                black_box(ticking(built, ticks));
            },
            &run,
        ],
        500_000,
    );
    let count = |ticks| measure(|| run(ticks)).count_total;
    let allocations = (count(2000) - count(1000)) / 1000;
    let counts = LOADED.iter().position(|loaded| loaded.name == name).and_then(per_tick);
    let counts = counts.map_or("– | – | –".to_owned(), |[loaded, written]| {
        format!("{written:.1} | {loaded:.1} | {:.1}", loaded / written)
    });
    let _ = writeln!(table, "| {name} | {written:.1} | {built:.1} | {ours:.1} | {counts} | {allocations} |");
}

#[inline(never)]
pub fn ticking(tree: &impl Node<Agent>, ticks: u32) -> u64 {
    let (mut agent, mut memory) = (Agent::new(1), tree.memory());
    for _ in 0..ticks {
        agent.look();
        black_box(call(|agent, memory| tree.tick(agent, memory), &mut agent, black_box(&mut memory)));
    }
    agent.done
}
