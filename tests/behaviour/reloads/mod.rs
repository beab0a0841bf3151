//! Loaded trees that are replaced or saved while agents run: nodes present in both trees continue, other nodes are halted, and no leaf is ticked
//! before it is opened.

mod cleanups;
mod edited;
mod files;
mod guards;
mod live;
mod migration;
mod palette;
mod pending;
mod positions;
mod properties;
mod registered;
mod rules;
mod saves;
mod why;
mod written;

use bt_core::Never;
use bt_core::Status::{Running, Success};
use bt_core::decorator::{Decorated, Gate, decorate};
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use rand_pcg::Pcg32;
use serde_json::{Value, json};

struct Npc {
    log: Vec<String>,
    random: Pcg32,
}

impl Npc {
    fn new() -> Self {
        Self { log: Vec::new(), random: Pcg32::seed_from_u64(1) }
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.log).join(" ")
    }
}

impl Random for Npc {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.random
    }
}

/// A leaf that counts its ticks while it is running, and ends after so many.
struct Steps {
    name: char,
    steps: u32,
}

/// What it remembers: of a type that is more than a number.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Walked {
    done: u32,
    way: Vec<(i16, f32)>,
    by: Option<Foot>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Foot {
    Left,
    Right { lame: bool },
}

#[leaf]
impl Leaf<Npc> for Steps {
    type Open = Walked;

    fn open(&self, npc: &mut Npc) -> Walked {
        npc.log.push(format!("{}(", self.name));
        Walked { done: 0, way: Vec::new(), by: Some(Foot::Left) }
    }

    fn tick(&self, walked: &mut Walked, npc: &mut Npc) -> Status {
        walked.done += 1;
        walked.way.push((-1, 0.1));
        assert_eq!(walked.way.len(), walked.done as usize);
        walked.by = Some(Foot::Right { lame: true });
        npc.log.push(format!("{}{}", self.name, walked.done));
        if walked.done < self.steps { Running } else { Success }
    }

    fn close(&self, walked: &mut Walked, npc: &mut Npc, _: End) {
        npc.log.push(format!("{}{})", self.name, walked.done));
    }
}

#[derive(serde::Deserialize)]
struct ValueOrKey {
    name: char,
    steps: u32,
}

/// A decorator that writes down when it is closed, and ends its child after so many ticks.
struct Closing {
    after: u32,
}

#[decorator]
impl Decorator<Npc> for Closing {
    type Open = u32;

    fn resume(&self, ticks: &mut u32, (): &mut (), _: &mut Npc) -> Gate<Never> {
        *ticks += 1;
        if *ticks < self.after { Gate::Go } else { Gate::End(Outcome::Failure) }
    }

    fn close(&self, ticks: &mut u32, (): &mut (), npc: &mut Npc, end: End) {
        npc.log.push(format!("closing{ticks}:{end:?}"));
    }
}

fn closing<N>(after: u32, child: N) -> Decorated<Closing, N> {
    decorate(Closing { after }, child)
}

#[derive(serde::Deserialize)]
struct After {
    after: u32,
}

fn registry() -> Registry<Npc> {
    let mut registry = Registry::new().with_random();
    registry.add_with("steps", |ValueOrKey { name, steps }| Steps { name, steps });
    registry.add_decorator("closing", |After { after }| Closing { after });
    registry.add_with("pair", |_: NoProperties| {
        tree! { for Npc: mem_sequence { (Steps { name: 'x', steps: 1 }), (Steps { name: 'y', steps: 9 }) } }
    });
    registry
}

fn steps(name: &str) -> Value {
    json!({ "name": "steps", "properties": { "name": name, "steps": 9 } })
}

/// A file of a root and leaves `a` to `d`.
fn file(root: &Value) -> Value {
    json!({ "root": "root", "nodes": { "root": root, "a": steps("a"), "b": steps("b"), "c": steps("c"), "d": steps("d") } })
}

fn load(file: &Value) -> LoadedTree<Npc> {
    registry().load(&file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}
