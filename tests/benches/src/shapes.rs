//! The cost of a visited node in broad and deep trees. All nodes are visited each tick.

use std::fmt::Write;
use std::hint::black_box;

use bt_core::prelude::*;

use crate::agent::Agent;
use crate::clock::side_by_side;

/// A tree of a given shape and size.
pub struct Shape {
    pub word: &'static str,
    pub size: u32,
    pub nodes: fn() -> u32,
    pub bytes: fn() -> usize,
    pub tick: fn(u32),
}

macro_rules! shape {
    ($word:literal, $size:literal, $tree:ident) => {
        Shape {
            word: $word,
            size: $size,
            nodes: || $tree().count(),
            bytes: || size_of_val(&$tree().memory()),
            tick: |ticks| ticking(&$tree(), ticks),
        }
    };
}

/// A leaf that depends on all previous leaves, so that nothing is constant-folded.
#[inline(always)]
fn work<const N: u32>(agent: &mut Agent) -> Status {
    agent.done = agent.done.rotate_left(5) ^ u64::from(N);
    if agent.done == agent.sees { Status::Failure } else { Status::Success }
}

fn stay(_: &mut Agent) -> Status {
    Status::Running
}

#[inline(never)]
fn ticking(tree: &impl Node<Agent>, ticks: u32) {
    let (mut agent, mut memory) = (Agent::new(1), tree.memory());
    for _ in 0..ticks {
        black_box(tree.tick(black_box(&mut agent), black_box(&mut memory)));
    }
}

include!(concat!(env!("OUT_DIR"), "/shapes.rs"));

/// Returns the table of nanoseconds per visited node, by shape.
pub fn table() -> String {
    let mut table =
        String::from("| tree | nodes | bytes per agent | ns per tick | ns per visited node |\n|---|---|---|---|---|\n");
    for Shape { word, size, nodes, bytes, tick } in SHAPES {
        let nodes = nodes();
        let [time] = side_by_side([tick], 1_000_000 / nodes);
        let of = if *word == "deep" {
            format!("{size} levels, one leaf per level")
        } else {
            "9 children per sequence".to_owned()
        };
        let each = time / f64::from(nodes);
        let _ = writeln!(table, "| {of} | {nodes} | {} | {time:.1} | {each:.2} |", bytes());
    }
    table
}
