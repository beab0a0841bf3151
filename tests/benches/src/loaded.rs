//! Loaded trees of each family of words, and the same trees in Rust.

use std::fmt::Write;

use bt_core::Never;
use bt_core::decorator::{AfterChild, Decorated, decorate};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, NoProperties, Registry};

use crate::agent::{Agent, Walk, act, cond};
use crate::count::{TICKS, slope};
use crate::engines::ticking;
use crate::{cases, choices, custom, small, timers};

/// A decorator of one's own: succeeds only after a failure.
struct Alternates;

#[decorator]
impl<C: ?Sized> Decorator<C> for Alternates {
    type Kept = bool;

    fn end(&self, outcome: Outcome, (): &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
        *succeeded = outcome == Outcome::Success && !*succeeded;
        AfterChild::End(Outcome::from(*succeeded))
    }
}

fn alternates<N>((child,): (N,)) -> Decorated<Alternates, N> {
    decorate(Alternates, child)
}

/// A condition that holds.
fn holds(agent: &Agent) -> bool {
    agent.sees != 0
}

fn registry() -> Registry<Agent> {
    let mut registry = Registry::<Agent>::new().with_clock().with_random();
    registry.add_leaf("cond1", cond::<1>).add_leaf("cond9", cond::<9>).add_leaf("cond23", cond::<23>);
    registry
        .add_leaf("act2", act::<2>)
        .add_leaf("act3", act::<3>)
        .add_leaf("act4", act::<4>)
        .add_leaf("act5", act::<5>)
        .add_leaf("act6", act::<6>);
    registry.add_with("walk3", |_: NoProperties| Walk::<3>).add_with("walk5", |_: NoProperties| Walk::<5>);
    registry.add_leaf("touch", timers::touch).add_leaf("holds", holds);
    registry
        .add_value("score3", choices::score::<3>)
        .add_value("score17", choices::score::<17>)
        .add_value("score31", choices::score::<31>);
    registry.add_decorator("alternates", |_: NoProperties| Alternates);
    registry.add_composite("round_robin", |round_robin: custom::RoundRobin| round_robin);
    registry
}

pub fn load(file: &str) -> LoadedTree<Agent> {
    registry().load(file).expect("valid file")
}

/// A loaded tree whose instructions are counted.
pub struct Loaded {
    /// The name.
    pub name: &'static str,
    /// Ticks the loaded tree.
    pub loaded: fn(u32) -> u64,
    /// Ticks the same tree in Rust.
    pub written: fn(u32) -> u64,
}

// A tree that is also a case is not compiled again: a function that is used twice may not be inlined.
macro_rules! loaded {
    ($($name:literal, $file:expr, $written:expr;)+) => {
        /// The loaded trees whose instructions are counted.
        pub const LOADED: &[Loaded] = &[$(Loaded {
            name: $name,
            loaded: |ticks| ticking(&load($file), ticks),
            written: $written,
        }),+];
    };
}

loaded! {
    "reactive", include_str!("../reactive.b3.json"), |ticks| ticking(&small::reactive(), ticks);
    "patrol", include_str!("../patrol.b3.json"), |ticks| ticking(&small::patrol(), ticks);
    "invert",
        r#"{ "root": "0", "nodes": { "0": { "name": "invert", "child": "1" }, "1": { "name": "act4" } } }"#,
        |ticks| ticking(&tree! { for Agent: !act::<4> }, ticks);
    "repeat",
        r#"{ "root": "0", "nodes": { "0": { "name": "repeat", "properties": { "times": 3 }, "child": "1" }, "1": { "name": "act4" } } }"#,
        |ticks| ticking(&tree! { for Agent: repeat(3) { act::<4> } }, ticks);
    "timeout",
        r#"{ "root": "0", "nodes": { "0": { "name": "timeout", "properties": { "time": 2 }, "child": "1" }, "1": { "name": "act4" } } }"#,
        cases::timeout::tree;
    "cooldown",
        r#"{ "root": "0", "nodes": { "0": { "name": "cooldown", "properties": { "time": 4 }, "child": "1" }, "1": { "name": "act2" } } }"#,
        cases::cooldown::tree;
    "service",
        r#"{ "root": "0", "nodes": {
            "0": { "name": "service", "properties": { "every": 3, "action": "touch" }, "child": "1" }, "1": { "name": "act2" }
        } }"#,
        cases::service::tree;
    "machine",
        r#"{ "root": "0", "nodes": {
            "0": { "name": "machine", "children": ["1", "2", "3"] },
            "1": { "name": "state", "properties": { "name": "rest", "transitions": ["cond1 -> look"] }, "child": "4" },
            "2": { "name": "state", "properties": { "name": "look", "transitions": ["cond9 -> go"] }, "child": "5" },
            "3": { "name": "state", "properties": { "name": "go", "transitions": ["cond23 -> rest"] }, "child": "6" },
            "4": { "name": "act2" }, "5": { "name": "act3" }, "6": { "name": "act4" }
        } }"#,
        cases::machine3::tree;
    "parallel",
        r#"{ "root": "0", "nodes": { "0": { "name": "parallel", "children": ["1", "2"] }, "1": { "name": "act2" }, "2": { "name": "act4" } } }"#,
        cases::parallel2::tree;
    "utility selector",
        r#"{ "root": "0", "nodes": {
            "0": { "name": "utility_selector", "properties": { "scores": ["score3", "score17", "score31", 100], "keep": 16 }, "children": ["1", "2", "3", "4"] },
            "1": { "name": "act2" }, "2": { "name": "act3" }, "3": { "name": "act4" }, "4": { "name": "act5" }
        } }"#,
        cases::weighs::tree;
    "random selector",
        r#"{ "root": "0", "nodes": {
            "0": { "name": "random_selector", "children": ["1", "2", "3"] }, "1": { "name": "act2" }, "2": { "name": "act3" }, "3": { "name": "act4" }
        } }"#,
        |ticks| ticking(&tree! { for Agent: random_selector { act::<2>, act::<3>, act::<4> } }, ticks);
    "own decorator",
        r#"{ "root": "0", "nodes": { "0": { "name": "alternates", "child": "1" }, "1": { "name": "act2" } } }"#,
        |ticks| ticking(&tree! { for Agent: alternates { act::<2> } }, ticks);
    "own composite",
        r#"{ "root": "0", "nodes": {
            "0": { "name": "round_robin", "children": ["1", "2", "3"] }, "1": { "name": "act2" }, "2": { "name": "act3" }, "3": { "name": "act4" }
        } }"#,
        cases::round_robin::tree;
}

/// The numbers of leaves of two sequences, whose difference is the cost of a leaf.
const LEAVES: [u32; 2] = [1, 33];

/// Ticks a sequence of conditions that hold.
pub fn conditions(index: usize, ticks: u32) -> u64 {
    let leaves = LEAVES[index];
    let children: Vec<_> = (1..=leaves).map(|leaf| format!("\"{leaf}\"")).collect();
    let mut nodes = format!("\"0\": {{ \"name\": \"Sequence\", \"children\": [{}] }}", children.join(", "));
    for leaf in children {
        let _ = write!(nodes, ", {leaf}: {{ \"name\": \"holds\" }}");
    }
    ticking(&load(&format!("{{ \"root\": \"0\", \"nodes\": {{ {nodes} }} }}")), ticks)
}

/// Returns the instructions of a visited leaf, or `None` without valgrind.
pub fn per_leaf() -> Option<f64> {
    let [few, many] = [0, 1].map(|index| slope(&format!("conditions{index}"), TICKS));
    Some((many? - few?) / f64::from(LEAVES[1] - LEAVES[0]))
}

/// Returns the instructions per tick of a loaded tree and of the same tree in Rust, without the update of the perception and the
/// loop, or `None` without valgrind.
pub fn per_tick(index: usize) -> Option<[f64; 2]> {
    let count = |what: &str| Some(slope(&format!("{what}{index}"), TICKS)? - slope("looks", TICKS)?);
    Some([count("loaded")?, count("written")?])
}

/// Returns the table of instructions per tick.
pub fn table() -> Option<String> {
    let mut table =
        String::from("| loaded tree | instructions, in Rust | instructions, loaded | ratio |\n|---|---|---|---|\n");
    for (index, Loaded { name, .. }) in LOADED.iter().enumerate() {
        let [loaded, written] = per_tick(index)?;
        let _ = writeln!(table, "| {name} | {written:.1} | {loaded:.1} | {:.1} |", loaded / written);
    }
    let _ = writeln!(table, "| each visited condition of a sequence | | {:.1} | |", per_leaf()?);
    Some(table)
}
