//! bt-core: the trees of `ours`, loaded from files.

use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

use super::ours::{run, stay};
use super::{Peer, creating, leaf, taken};
use crate::agent::Agent;

const FLIPS: &str = r#"{ "root": "0", "nodes": {
    "0": { "name": "selector", "children": ["1", "4"] },
    "1": { "name": "sequence", "children": ["2", "3"] }, "2": { "name": "odd" }, "3": { "name": "first" },
    "4": { "name": "second" }
} }"#;

const STAYS: &str = r#"{ "root": "0", "nodes": {
    "0": { "name": "selector", "children": ["1", "4"] },
    "1": { "name": "sequence", "children": ["2", "3"] }, "2": { "name": "odd" }, "3": { "name": "stay" },
    "4": { "name": "second" }
} }"#;

const FALLS: &str = r#"{ "root": "0", "nodes": {
    "0": { "name": "selector", "children": ["1", "5", "8"] },
    "1": { "name": "sequence", "children": ["2", "3", "4"] },
    "2": { "name": "never" }, "3": { "name": "never" }, "4": { "name": "first" },
    "5": { "name": "sequence", "children": ["6", "7"] }, "6": { "name": "never" }, "7": { "name": "first" },
    "8": { "name": "second" }
} }"#;

fn load(file: &str) -> LoadedTree<Agent> {
    let mut registry = Registry::<Agent>::new();
    registry.add_leaf("odd", leaf::odd).add_leaf("never", leaf::never);
    registry.add_leaf("first", leaf::first).add_leaf("stay", stay).add_leaf("second", leaf::second);
    registry.load(file).expect("valid file")
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "bt-core, loaded from a file",
        flips: |ticks| run(&load(FLIPS), ticks, true),
        stays: |ticks| run(&load(STAYS), ticks, false),
        falls: |ticks| run(&load(FALLS), ticks, false),
        agent: || {
            let tree = load(FALLS);
            taken(|| {
                let mut memory = tree.memory();
                // The first run allocates.
                tree.tick(&mut Agent::default(), &mut memory);
                memory
            })
        },
        create: |count| {
            let tree = load(FALLS);
            creating(count, || tree.memory());
        },
    }
}
