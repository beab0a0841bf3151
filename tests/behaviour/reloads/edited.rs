//! An agent that walks, whose tree is edited.

use bt_core::Status::Running;
use bt_core::composite::{Adopted, Children};
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use rand_pcg::Pcg32;
use serde_json::{Value, json};

pub(super) struct Npc {
    pub(super) now: Duration,
    pub(super) log: Vec<String>,
    /// With what the next walks end. Then they do not arrive.
    pub(super) ends: Vec<Status>,
    random: Pcg32,
}

impl Npc {
    fn new() -> Self {
        Self { now: Duration::ZERO, log: Vec::new(), ends: Vec::new(), random: Pcg32::seed_from_u64(1) }
    }
}

impl Random for Npc {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.random
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

/// Walks to a place.
#[derive(serde::Deserialize)]
struct Walk {
    to: u32,
}

#[leaf]
impl Leaf<Npc> for Walk {
    type Open = ();

    fn open(&self, npc: &mut Npc) {
        npc.log.push(format!("walk {}", self.to));
    }

    fn tick(&self, (): &mut (), npc: &mut Npc) -> Status {
        npc.ends.pop().unwrap_or(Running)
    }

    fn close(&self, (): &mut (), npc: &mut Npc, end: End) {
        npc.log.push(format!("{end:?}"));
    }
}

/// Resumes at the child after the last one that succeeded.
struct RoundRobin;

#[composite]
impl<C: ?Sized> Composite<C> for RoundRobin {
    type Kept = usize;

    fn adopt(&self, (): &mut (), current: &mut usize, children: &mut Adopted<'_>) -> bool {
        let moved = children.moved().nth(*current).flatten();
        *current = children.running().next().or(moved).unwrap_or(0);
        true
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), current: &mut usize, ctx: &mut C) -> Status {
        let status = children.tick(*current, ctx);
        *current = (*current + usize::from(status == Status::Success)) % children.len();
        status
    }
}

/// Remembers its child, and cannot convert that.
struct Stuck;

#[composite]
impl<C: ?Sized> Composite<C> for Stuck {
    type Kept = usize;

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), current: &mut usize, ctx: &mut C) -> Status {
        let status = children.tick(*current, ctx);
        *current = (*current + usize::from(status == Status::Success)) % children.len();
        status
    }
}

pub(super) fn load(root: &Value, nodes: &Value) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock().with_random();
    registry.add_with("Walk", |walk: Walk| walk);
    registry.add_with("pair", |_: NoProperties| tree! { for Npc: sequence { (Walk { to: 8 }) } });
    for name in ["Ring", "Enter", "Exit", "ExitA", "ExitB"] {
        registry.add_leaf(name, move |npc: &mut Npc| npc.log.push(name.to_owned()));
    }
    registry.add_leaf("Miss", |npc: &mut Npc| {
        npc.log.push("Miss".to_owned());
        false
    });
    for (name, score) in [("low", 1.0), ("high", 2.0), ("highest", 3.0)] {
        registry.add_value(name, move |_: &Npc| score);
    }
    registry.add_composite("RoundRobin", |_: NoProperties| RoundRobin);
    registry.add_composite("Stuck", |_: NoProperties| Stuck);
    let mut all = json!({ "w": { "name": "Walk", "properties": { "to": 1 } }, "v": { "name": "Walk", "properties": { "to": 2 } } });
    let map = all.as_object_mut().expect("it is one");
    map.extend(nodes.as_object().expect("it is one").clone());
    map.insert("root".to_owned(), root.clone());
    registry.load(&json!({ "root": "root", "nodes": all }).to_string()).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn root(child: &str) -> Value {
    json!({ "name": "Sequence", "children": [child] })
}

pub(super) fn one(name: &str, properties: &Value, child: &str) -> Value {
    json!({ "name": name, "properties": properties, "child": child })
}

/// An agent whose tree is edited after a tick.
pub(super) struct Agent {
    pub(super) tree: LoadedTree<Npc>,
    pub(super) memory: Memory<LoadedTree<Npc>>,
    pub(super) npc: Npc,
}

impl Agent {
    pub(super) fn new(tree: LoadedTree<Npc>) -> Self {
        let memory = tree.memory();
        Self::running(tree, memory, Self::idle())
    }

    pub(super) fn idle() -> Npc {
        Npc::new()
    }

    /// Ticks a tree, which runs then.
    pub(super) fn running(tree: LoadedTree<Npc>, mut memory: Memory<LoadedTree<Npc>>, mut npc: Npc) -> Self {
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.log.clear();
        Self { tree, memory, npc }
    }

    /// Returns what was seen.
    pub(super) fn edit(&mut self, new: LoadedTree<Npc>) -> String {
        self.tree.reload(&new, &mut self.memory, &mut self.npc);
        self.tree = new;
        std::mem::take(&mut self.npc.log).join(", ")
    }

    /// Ticks until after a walk has ended in this way. Returns what was seen.
    pub(super) fn arrive(&mut self, end: Status) -> (Status, String) {
        self.npc.ends.push(end);
        let status = self.tree.tick(&mut self.npc, &mut self.memory);
        (status, std::mem::take(&mut self.npc.log).join(", "))
    }

    pub(super) fn tick_at(&mut self, seconds: f64) -> Status {
        self.npc.now = secs(seconds);
        self.tree.tick(&mut self.npc, &mut self.memory)
    }
}
