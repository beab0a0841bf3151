//! Conditions of transitions, actions on entering and leaving states, and actions of services. They have state, ids and errors like other
//! nodes, in both engines.

mod counts;
mod errors;
mod hooks;
mod observed;
mod outcomes;

use bt_core::Status::Running;
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

/// An agent: what its leaves return, and the events that they log.
#[derive(Default)]
struct Npc {
    now: Duration,
    flag: bool,
    breaks: Option<&'static str>,
    log: Vec<&'static str>,
    errors: Vec<(NodeId, Broken)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Broken(&'static str);

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

impl OnError<Broken> for Npc {
    fn on_error(&mut self, at: NodeId, error: Broken) {
        self.errors.push((at, error));
    }
}

#[condition]
fn flag(npc: &Npc) -> bool {
    npc.flag
}

/// Does something; gives an error if it is to break.
#[action]
fn note(npc: &mut Npc, what: &'static str) -> Result<(), Broken> {
    if npc.breaks == Some(what) {
        return Err(Broken(what));
    }
    npc.log.push(what);
    Ok(())
}

/// A leaf that runs until it is halted.
struct Stay(&'static str);

#[leaf]
impl Leaf<Npc> for Stay {
    fn open(&self, npc: &mut Npc) {
        npc.log.push(self.0);
    }

    fn tick(&self, (): &mut (), _: &mut Npc) -> Status {
        Running
    }

    fn close(&self, (): &mut (), npc: &mut Npc, end: End) {
        assert!(matches!(end, End::Halted(_)));
        npc.log.push("closed");
    }
}

fn stay(what: &'static str) -> Stay {
    Stay(what)
}

/// Ticks a tree with these flags, and returns what was done.
fn ticked<N: Node<Npc> + Save>(tree: &N, flags: &[bool]) -> Vec<&'static str> {
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    for flag in flags {
        npc.flag = *flag;
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.now += secs(1);
        // What the guard keeps is part of a save, and of a clone.
        let save = serde_json::to_string(&tree.saved(&memory.clone())).expect("it is data");
        tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
    }
    npc.log
}

/// A file with a machine whose states have `enter:` and `exit:` actions.
const HOOKS: &str = r#"{ "root": "m", "nodes": {
    "m": { "name": "machine", "children": ["a", "b"] },
    "a": { "name": "state", "children": ["sa"],
        "properties": { "name": "a", "transitions": ["Guard -> b"], "enter": "EnterA", "exit": "ExitA" } },
    "b": { "name": "state", "children": ["sb"],
        "properties": { "name": "b", "transitions": ["!Flag -> a"], "enter": "EnterB", "exit": "ExitB" } },
    "sa": { "name": "StayA" }, "sb": { "name": "StayB" }
} }"#;

/// Returns a registry with the leaves that the files name.
fn leaves_of_hooks() -> Registry<Npc> {
    let mut registry = Registry::<Npc>::new();
    registry.add::<flag>("Flag").add_leaf("StayA", || stay("a")).add_leaf("StayB", || stay("b"));
    registry.add_with("Guard", |_: bt_dynamic::NoProperties| tree! { for Npc: sequence { flag, note("guard") } });
    for (name, what) in [("EnterA", "enter a"), ("ExitA", "exit a"), ("EnterB", "enter b"), ("ExitB", "exit b")] {
        registry.add_with(name, move |_: bt_dynamic::NoProperties| note(what));
    }
    registry
}

fn with_hooks(file: &str) -> LoadedTree<Npc> {
    leaves_of_hooks().load(file).unwrap_or_else(|error| panic!("{error}"))
}
