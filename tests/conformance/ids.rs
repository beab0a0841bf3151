//! Random trees of leaves that see their ids, in boxes, pointers, machines and loaded trees: with and without an observer, the ids are those in the
//! description of the whole tree.

use std::sync::Arc;

use bt_conformance::engine::build_with;
use bt_conformance::spec::Spec;
use bt_core::SaveMemory;
use bt_core::prelude::*;
use bt_dynamic::{NoProperties, Registry};
use bt_tests::world::{Event, Events, Fault, World};
use proptest::prelude::*;

use crate::loaded::{Number, load_with, reachable};
use crate::{Doing, random};

fn see(world: &World, at: NodeId, status: Status) {
    world.see(Event::Tick(u32::try_from(at.index()).expect("ids are 32 bits"), status));
}

#[action]
fn placed(world: &mut World, #[at] at: NodeId) -> Status {
    let status = world.tell();
    see(world, at, status);
    status
}

#[action]
fn placed_at_once(world: &mut World, #[at] at: NodeId) {
    see(world, at, Status::Success);
}

#[condition]
fn placed_check(world: &World, #[at] at: NodeId) -> bool {
    let status = world.tell_condition();
    see(world, at, status);
    status == Status::Success
}

/// A leaf whose errors the world receives.
#[action]
fn faulty(world: &mut World) -> Result<Status, Fault> {
    match world.tell() {
        Status::Failure => Err(Fault),
        status => Ok(status),
    }
}

#[subtree]
fn machine() -> impl Node<World> {
    tree! {
        machine {
            state first {
                enter: placed_at_once,
                exit: placed_at_once,
                (boxed(tree! { for World: sequence { placed, faulty } })),
                placed_check -> second,
            }
            state second {
                exit: placed_at_once,
                (BoxNode::<World, SaveMemory>::saving(placed())),
                placed_check -> first,
            }
        }
    }
}

fn loaded() -> impl Node<World> {
    let mut registry = Registry::<World>::new();
    registry.add::<placed>("placed").add::<faulty>("faulty").add_with("Machine", |_: NoProperties| saved_machine());
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "MemSequence", "children": ["2", "3", "4"] },
        "2": { "name": "placed" }, "3": { "name": "Machine" }, "4": { "name": "faulty" }
    } }"#;
    registry.load(file).unwrap_or_else(|error| panic!("{error}"))
}

fn saved_machine() -> impl Node<World> + Save + Send + Sync + 'static {
    tree! {
        for World: machine {
            state first {
                exit: placed_at_once,
                (BoxNode::<World, SaveMemory>::saving(placed())),
                placed_check -> second,
            }
            state second { faulty }
        }
    }
}

fn leaf(spec: &Spec) -> BoxNode<World> {
    match spec {
        Spec::Leaf(number) => match number % 5 {
            0 => boxed(placed()),
            1 => boxed(Arc::new(tree! { for World: sequence { placed, (BoxNode::saving(faulty())), placed } })),
            2 => boxed(machine()),
            3 => boxed(loaded()),
            _ => boxed(tree! { for World: mem_selector { (loaded()), machine } }),
        },
        Spec::Action(_) => boxed(faulty()),
        Spec::Condition(_) => boxed(placed_check()),
        Spec::Word(..) | Spec::Machine { .. } | Spec::Own(..) => panic!("it is no leaf"),
    }
}

fn registered(registry: &mut Registry<World>) {
    registry.add_with("told", |_: Number| saved_machine());
    registry.add_with("Act", |_: Number| faulty()).add_with("Check", |_: Number| placed_check());
}

/// Runs a tree with an observer, without one, and in a brain.
fn the_same_ids<N: Node<World> + Send + Sync + 'static>(tree: N, told: &[Status], doings: &[Doing]) {
    let tree = Arc::new(tree);
    let (mut observed, mut unobserved, mut brain) = (tree.memory(), tree.memory(), Brain::new(&tree));
    let [mut world, mut quiet, mut third] = [(); 3].map(|()| World::telling(told));
    let description = tree.description();
    for doing in doings {
        let mut events = Events::default();
        match doing {
            Doing::Tick(pass) => {
                for world in [&mut world, &mut quiet, &mut third] {
                    world.now += millis(*pass);
                }
                let status = tree.tick_with(&mut world, &mut observed, &mut events);
                assert_eq!(tree.tick(&mut quiet, &mut unobserved), status);
                assert_eq!(brain.tick(&mut third), status);
            }
            Doing::Halt => {
                tree.halt_with(&mut world, &mut observed, &mut events);
                tree.halt(&mut quiet, &mut unobserved);
                brain.halt(&mut third);
            }
        }
        let seen = world.take_seen();
        assert_eq!(quiet.take_seen(), seen, "without an observer");
        assert_eq!(third.take_seen(), seen, "in a brain");
        for event in seen {
            let (id, names) = match event {
                Event::Tick(id, _) => (id, ["placed", "placed_check", "placed_at_once", "Check"].as_slice()),
                Event::Exit(id, _) => (id, ["faulty", "Act"].as_slice()),
                // The action of a service does not see its id.
                Event::Open(_) => continue,
                other => panic!("no leaf sees {other:?}"),
            };
            let node = &description.nodes()[id as usize];
            assert!(names.contains(&&*node.name), "{node} is none of {names:?}\n{description}");
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(1024))]

    #[test]
    fn leaves_see_their_ids_in_the_whole_tree(
        spec in random::spec(),
        told in random::told(),
        doings in random::doings(),
    ) {
        the_same_ids(build_with(&spec, leaf), &told, &doings);
        let spec = reachable(&spec);
        the_same_ids(load_with(&spec, registered), &told, &doings);
    }
}
