//! Loading a large file, and replacing its tree while agents run.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

use crate::random::Random;

/// The number of agents that migrate to the new tree.
const AGENTS: usize = 1000;

#[condition]
fn near(seen: &u64, meters: u64) -> bool {
    seen.is_multiple_of(meters + 2)
}

fn walk(seen: &mut u64) -> Status {
    *seen += 1;
    if seen.is_multiple_of(3) { Status::Success } else { Status::Running }
}

fn registry() -> Registry<u64> {
    let mut registry = Registry::new();
    registry.add::<near>("Near").add_leaf("Walk", walk);
    registry
}

pub fn load(file: &str) -> LoadedTree<u64> {
    registry().load(file).expect("valid file")
}

/// Returns the table of milliseconds to load and reload a tree. Best of 5.
pub fn table() -> String {
    let mut table = String::from(
        "| nodes | size, kB | load, ms | allocations per node | reload of the first agent, ms | of 1000 agents, ms |\n|---|---|---|---|---|---|\n",
    );
    for nodes in [100, 1000, 10_000] {
        let text = file(nodes, "Walk");
        let loading = best(|| _ = black_box(load(&text)));
        let allocations = measure(|| _ = black_box(load(&text))).count_total / u64::from(nodes);
        let [first, all] = reload(&load(&text), &load(&file(nodes, "Near")));
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let (load, first, all) = (milliseconds(loading), milliseconds(first), milliseconds(all));
        let size = text.len() / 1000;
        let _ = writeln!(table, "| {nodes} | {size} | {load:.2} | {allocations} | {first:.2} | {all:.2} |");
    }
    table
}

fn best(run: impl Fn()) -> Duration {
    let time = || {
        let began = Instant::now();
        run();
        began.elapsed()
    };
    (0..5).map(|_| time()).min().unwrap_or_default()
}

/// Returns the time to migrate the first agent and all agents to a new tree.
fn reload(old: &LoadedTree<u64>, new: &LoadedTree<u64>) -> [Duration; 2] {
    let (mut seen, mut memories) = (0, vec![old.memory(); AGENTS]);
    for memory in &mut memories {
        old.tick(&mut seen, memory);
    }
    let began = Instant::now();
    old.reload(new, &mut memories[0], &mut seen);
    let first = began.elapsed();
    for memory in &mut memories[1..] {
        old.reload(new, memory, &mut seen);
    }
    [first, began.elapsed()]
}

/// Returns the JSON of a tree as the editor writes it. The last leaf is `last`.
pub fn file(nodes: u32, last: &str) -> String {
    let mut writer = Writer { text: String::new(), random: Random::new(7), next: 0 };
    writer.node(nodes - 1);
    let Writer { text, next, .. } = writer;
    format!(
        "{{\"root\":\"root\",\"nodes\":{{{text}\"root\":{{\"name\":\"Priority\",\"children\":[\"0\",\"{next}\"]}},\"{next}\":{{\"name\":\"{last}\",\"title\":\"last\"}}}}}}"
    )
    .replace("\"Near\",\"title\":\"last\"", "\"Near\",\"properties\":{\"meters\":1}")
}

struct Writer {
    text: String,
    random: Random,
    next: u32,
}

impl Writer {
    /// Writes a node and the nodes below it. Returns its id.
    fn node(&mut self, nodes: u32) -> u32 {
        let id = self.next;
        self.next += 1;
        let about = if nodes == 1 {
            if self.random.below(2) == 0 {
                format!(
                    "\"name\":\"Near\",\"title\":\"near {id}\",\"properties\":{{\"meters\":{}}}",
                    self.random.below(5)
                )
            } else {
                "\"name\":\"Walk\",\"title\":\"Walk\",\"description\":\"\",\"properties\":{}".to_owned()
            }
        } else {
            let children = (nodes - 1).min(2 + self.random.below(4));
            let sizes = self.random.sizes(nodes - 1, children);
            let word = ["Priority", "Sequence", "MemPriority", "MemSequence"][self.random.below(4) as usize];
            let ids: Vec<_> = sizes.into_iter().map(|size| format!("\"{}\"", self.node(size))).collect();
            format!("\"name\":\"{word}\",\"title\":\"\",\"properties\":{{}},\"children\":[{}]", ids.join(","))
        };
        let _ = write!(self.text, "\"{id}\":{{\"id\":\"{id}\",{about},\"display\":{{\"x\":{id},\"y\":3}}}},");
        id
    }
}
