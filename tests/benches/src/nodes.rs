//! The cost of a node of each kind. Without `--release`, that of a debug build.

use std::fmt::Write;
use std::hint::black_box;

use bt_core::prelude::*;

use crate::agent::Agent;
use crate::clock::side_by_side;
use crate::count;

/// A tree with one node of a kind, and a tree with `more` of it.
pub struct Kind {
    name: &'static str,
    more: u32,
    pub one: fn(u32),
    pub many: fn(u32),
}

/// Nests a tree four times in the same words. The code of nested words doubles with each, because each starts or resumes its child.
macro_rules! four {
    ($($word:tt)+) => {
        tree! { $($word)+ { $($word)+ { $($word)+ { $($word)+ { works } } } } }
    };
}

macro_rules! nested {
    ($name:literal, $($word:tt)+) => {
        Kind {
            name: $name,
            more: 3,
            one: |ticks| ticking(&tree! { $($word)+ { works } }, ticks),
            many: |ticks| ticking(&four!($($word)+), ticks),
        }
    };
}

#[inline(never)]
fn ticking(tree: &impl Node<Agent>, ticks: u32) {
    let (mut agent, mut memory) = (Agent::new(1), tree.memory());
    for _ in 0..ticks {
        agent.look();
        black_box(tree.tick(black_box(&mut agent), black_box(&mut memory)));
    }
}

fn is_seen(agent: &Agent) -> bool {
    agent.sees != 0
}

/// An action that succeeds once in eight calls, so that nested loops do not start it again and again.
fn works(agent: &mut Agent) -> Status {
    agent.done = agent.done.wrapping_add(1);
    if agent.done & 7 == 0 { Status::Success } else { Status::Running }
}

fn note(agent: &mut Agent) {
    agent.done ^= 1;
}

pub const KINDS: [Kind; 15] = [
    Kind {
        name: "condition",
        more: 8,
        one: |ticks| ticking(&tree! { sequence { is_seen, works } }, ticks),
        many: |ticks| {
            ticking(
                &tree! {
                    sequence { is_seen, is_seen, is_seen, is_seen, is_seen, is_seen, is_seen, is_seen, is_seen, works }
                },
                ticks,
            );
        },
    },
    Kind {
        name: "action",
        more: 8,
        one: |ticks| ticking(&tree! { sequence { note, works } }, ticks),
        many: |ticks| {
            ticking(&tree! { sequence { note, note, note, note, note, note, note, note, note, works } }, ticks);
        },
    },
    nested!("sequence", sequence),
    nested!("selector", selector),
    nested!("mem_sequence", mem_sequence),
    nested!("parallel", parallel),
    nested!("if, with its condition", if is_seen),
    nested!("invert", invert),
    nested!("force_success", force_success),
    nested!("repeat", repeat(3)),
    nested!("retry", retry(3)),
    nested!("limit", limit(4_000_000_000)),
    nested!("cooldown", cooldown(millis(3))),
    nested!("timeout", timeout(millis(300))),
    nested!("service", service(millis(5), note)),
];

/// Returns the table of nanoseconds and instructions per node.
pub fn table() -> String {
    let mut table = String::from("| node | ns | instructions |\n|---|---|---|\n");
    for (at, Kind { name, more, one, many }) in KINDS.iter().enumerate() {
        let per_node = |one: f64, many: f64| (many - one) / f64::from(*more);
        let [first, all] = side_by_side([one, many], 50_000);
        let counted = |what| count::slope(&format!("{what}{at}"), 2_000);
        let instructions = match (counted("one"), counted("many")) {
            (Some(one), Some(many)) => format!("{:.0}", per_node(one, many)),
            _ => "valgrind?".to_owned(),
        };
        let _ = writeln!(table, "| {name} | {:.1} | {instructions} |", per_node(first, all));
    }
    table
}
