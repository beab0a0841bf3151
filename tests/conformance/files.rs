//! One file, two engines: what `tree_from_json!` or `tree_from_file!` makes of it, and what is loaded, do the same.

use bt_core::prelude::*;
use bt_core::{tree_from_file, tree_from_json};
use bt_dynamic::Registry;
use bt_tests::world::{Events, World, act};

#[condition]
fn late(world: &World) -> bool {
    world.now.as_millis() & 64 != 0
}

fn score(world: &World) -> f32 {
    world.score(1)
}

fn pick(world: &World) -> usize {
    world.pick(2)
}

use crate::{Doing, random};

fn both_engines<N: Node<World>>(file: &str, tree: &N) {
    let mut registry = Registry::<World>::new().with_clock().with_random();
    registry.add::<act>("Act").add::<late>("Late");
    registry.add_value("Score", score).add_value("Pick", pick);
    let loaded = registry.load(file).expect("nothing is wrong with it");
    // (As Rust, names are written as Rust has them.)
    let drawn = |drawing: String| drawing.to_lowercase().replace("at rest", "at_rest");
    assert_eq!(drawn(loaded.description().to_string()), drawn(tree.description().to_string()));
    // Both can be written and loaded again, by the same registry.
    for (written, of) in [
        (bt_dynamic::to_behavior3(&loaded.description(), "again"), loaded.description()),
        (loaded.to_behavior3(), loaded.description()),
        (bt_dynamic::to_behavior3(&tree.description(), "again"), tree.description()),
    ] {
        let text = written.write();
        match registry.load(&text) {
            Ok(again) => assert_eq!(drawn(again.description().to_string()), drawn(of.to_string())),
            // What was written as Rust knows nothing of the names of a file.
            Err(error) => assert!(of.nodes()[0].file.is_none(), "{error}\n{text}"),
        }
    }
    random::runs(&|told, doings| {
        let mut worlds = [World::telling(told), World::telling(told)];
        let (mut first, mut second) = (tree.memory(), loaded.memory());
        for doing in doings {
            let [one, other] = &mut worlds;
            let (mut events, mut others) = (Events::default(), Events::default());
            if let Doing::Tick(pass) = *doing {
                one.now += millis(pass);
                other.now += millis(pass);
                let status = tree.tick_with(one, &mut first, &mut events);
                assert_eq!(loaded.tick_with(other, &mut second, &mut others), status);
            } else {
                tree.halt_with(one, &mut first, &mut events);
                loaded.halt_with(other, &mut second, &mut others);
            }
            assert_eq!(events.0, others.0);
            assert_eq!(one.take_seen(), other.take_seen());
        }
    });
}

// One test per file: `fn file_0() { both_engines(include_str!(…), &tree_from_json!(…)) }`.
include!(concat!(env!("OUT_DIR"), "/files.rs"));
