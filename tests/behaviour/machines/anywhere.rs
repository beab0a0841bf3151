//! Machines below the root, asked and forced through a handle.

use std::sync::Arc;

use bt_core::SaveMemory;
use bt_core::Status::{Failure, Running, Success};
use bt_core::composite::{Children, OneAtATime, Several};
use bt_core::composite::{Composed, compose};
use bt_core::machine::MachineHandle;
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World, check, entered, left, told};

/// Two states with actions, which does not change its state by itself.
#[subtree]
fn lamp() -> impl StateMachine<World> + Save + Send + Sync {
    tree! {
        machine "lamp" {
            state off { enter: entered(1), exit: left(1), run, check(9) -> on }
            state on {
                enter: entered(2),
                exit: left(2),
                run,
                check(9) -> off,
                check(8) -> success,
                check(7) -> failure,
            }
        }
    }
}

fn handle<N: NodeShape>(tree: &N) -> MachineHandle {
    tree.description().machine("lamp").expect("there is a machine of this name")
}

/// Ticks a tree with a running lamp in it, forces the lamp, and halts the tree.
#[track_caller]
fn try_out<N: Node<World>>(tree: &N) {
    let (lamp, mut memory) = (handle(tree), tree.memory());
    let mut world = World::telling(&[Failure]);
    assert_eq!(lamp.state(tree, &memory), None);
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    assert_eq!(lamp.state(tree, &memory), Some("off"));

    world.take_seen();
    let mut events = Events::default();
    let mut force = lamp.force("on").unwrap();
    assert_eq!(tree.tick_with(&mut world, &mut memory, &mut (&mut events, &mut force)), Running);
    assert_eq!(lamp.state(tree, &memory), Some("on"));
    assert!(force.is_done());
    let id = u32::try_from(lamp.id().index()).unwrap();
    assert_eq!(events.0.iter().filter(|event| **event == Event::State(id, 1)).count(), 1);
    assert_eq!(world.take_seen(), [Event::Close(1, End::Halted(Cause::Preempted)), Event::Open(2)]);

    // It is done once.
    tree.tick_with(&mut world, &mut memory, &mut lamp.force("off").unwrap());
    tree.tick_with(&mut world, &mut memory, &mut force);
    assert_eq!(lamp.state(tree, &memory), Some("off"));

    tree.halt(&mut world, &mut memory);
    assert_eq!(lamp.state(tree, &memory), None);

    // A machine that starts in the tick starts in the state, without another before it.
    world.take_seen();
    let mut force = lamp.force("on").unwrap();
    tree.tick_with(&mut world, &mut memory, &mut force);
    assert_eq!(lamp.state(tree, &memory), Some("on"));
    let opened: Vec<_> = world.take_seen().into_iter().filter(|event| matches!(event, Event::Open(1 | 2))).collect();
    assert_eq!(opened, [Event::Open(2)]);
}

struct Last;

#[composite]
impl<Ctx: ?Sized> Composite<Ctx> for Last {
    type Open = ();
    type Running = OneAtATime;

    fn tick(&self, children: &mut impl Children<Ctx>, (): &mut (), (): &mut (), ctx: &mut Ctx) -> Status {
        children.tick(children.len() - 1, ctx)
    }
}

struct Each;

#[composite]
impl<Ctx: ?Sized> Composite<Ctx> for Each {
    type Open = ();
    type Running = Several;

    fn tick(&self, children: &mut impl Children<Ctx>, (): &mut (), (): &mut (), ctx: &mut Ctx) -> Status {
        (0..children.len()).map(|child| children.tick(child, ctx)).last().unwrap_or(Status::Failure)
    }
}

const fn last<L>(children: L) -> Composed<Last, L> {
    compose(Last, children)
}

const fn each<L>(children: L) -> Composed<Each, L> {
    compose(Each, children)
}

#[test]
fn a_machine_is_asked_and_forced_below_every_kind_of_node() {
    try_out(&lamp());
    try_out(&tree! { selector { fail, lamp } });
    try_out(&tree! { sequence { succeed, lamp } });
    try_out(&tree! { mem_selector { fail, lamp } });
    try_out(&tree! { mem_sequence { succeed, lamp, succeed } });
    try_out(&tree! { kept_sequence { succeed, lamp, succeed } });
    try_out(&tree! { random_selector { lamp } });
    try_out(&tree! { random_sequence { lamp } });
    try_out(&tree! { parallel { run, lamp } });
    try_out(&tree! { mem_parallel { run, lamp } });
    try_out(
        &tree! { sequence { succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed, lamp } },
    );
    try_out(&tree! { parallel { run, run, run, run, run, run, run, run, run, lamp } });
    try_out(&tree! { !lamp });
    try_out(&tree! { timeout(secs(5)) { repeat { lamp } } });
    try_out(&tree! { service(secs(5), entered(8)) { lamp } });
    try_out(&tree! { last { succeed, lamp } });
    try_out(&tree! { each { run, lamp } });
    try_out(&tree! { for World: within(|world: &mut World| world) { lamp } });
    try_out(&tree! { sequence { succeed, boxed(lamp()), fail } });
    try_out(&Box::new(tree! { sequence { Arc::new(lamp()) } }));
    try_out(&tree! { for World: sequence { ..[succeed(), succeed()], ..vec![lamp()] } });
    try_out(&tree! { for World: parallel { ..[run(), run()], ..[lamp()], ..None::<BoxNode<World>> } });
}

#[test]
fn a_machine_is_asked_and_forced_in_the_states_of_another() {
    let tree = tree! {
        for World: machine "outer" {
            state a { succeed, success -> b }
            state b { succeed, success -> c }
            state c { succeed, success -> d }
            state d { succeed, success -> e }
            state e { succeed, success -> f }
            state f { succeed, success -> g }
            state g { succeed, success -> h }
            state h { succeed, success -> i }
            state i { lamp, check(7) -> a }
        }
    };
    let (outer, lamp) = (tree.description().machine("outer").unwrap(), handle(&tree));
    let (mut memory, mut world) = (tree.memory(), World::telling(&[Failure]));
    for state in ["b", "c", "d", "e", "f", "g", "h", "i"] {
        assert_eq!(lamp.state(&tree, &memory), None);
        tree.tick(&mut world, &mut memory);
        assert_eq!(outer.state(&tree, &memory), Some(state));
    }
    tree.tick_with(&mut world, &mut memory, &mut lamp.force("on").unwrap());
    assert_eq!((outer.state(&tree, &memory), lamp.state(&tree, &memory)), (Some("i"), Some("on")));
    tree.tick_with(&mut world, &mut memory, &mut outer.force("d").unwrap());
    assert_eq!((outer.state(&tree, &memory), lamp.state(&tree, &memory)), (Some("d"), None));
}

#[test]
fn a_tick_that_does_not_reach_the_machine_leaves_the_request_for_the_next() {
    let tree = tree! { selector { check(1), lamp } };
    let (lamp, mut memory) = (handle(&tree), tree.memory());
    let mut force = lamp.force("on").unwrap();
    let mut world = World::telling(&[Success, Failure]);
    assert_eq!(tree.tick_with(&mut world, &mut memory, &mut force), Success);
    assert!(!force.is_done());
    assert_eq!(tree.tick_with(&mut world, &mut memory, &mut force), Running);
    assert!(force.is_done());
    assert_eq!(lamp.state(&tree, &memory), Some("on"));
}

#[test]
fn an_error_while_a_state_is_forced_ends_the_machine_as_in_a_transition() {
    #[derive(Default)]
    struct Faults(Vec<&'static str>);

    impl OnError<&'static str> for Faults {
        fn on_error(&mut self, _: NodeId, error: &'static str) {
            self.0.push(error);
        }
    }

    fn dark(_: &Faults) -> bool {
        false
    }

    let tree = tree! {
        for Faults: sequence {
            machine "lamp" {
                state off { run, dark -> on }
                state on { enter: |_: &mut Faults| Err::<(), _>("broken"), run, dark -> off }
            }
        }
    };
    let (lamp, mut memory) = (handle(&tree), tree.memory());
    let mut faults = Faults::default();
    tree.tick(&mut faults, &mut memory);
    assert_eq!(tree.tick_with(&mut faults, &mut memory, &mut lamp.force("on").unwrap()), Status::Error);
    assert_eq!(lamp.state(&tree, &memory), None);
    assert_eq!(faults.0, ["broken"]);
}

#[test]
fn erased_forms_are_asked_and_forced_too() {
    let tree = Arc::new(tree! { sequence { succeed, lamp } });
    let lamp = handle(&*tree);
    let mut world = World::telling(&[Failure]);

    let mut brain = Brain::new(&tree);
    brain.tick_with(&mut world, &mut lamp.force("on").unwrap());
    assert_eq!(lamp.state(brain.tree(), brain.memory()), Some("on"));

    let mut herd = Herd::new(Arc::clone(&tree));
    let ann = herd.add();
    let (tree_of, memory) = herd.get_mut(ann).unwrap();
    tree_of.tick_with(&mut world, memory, &mut lamp.force("on").unwrap());
    assert_eq!(lamp.state(herd.tree(), herd.memory(ann).unwrap()), Some("on"));

    // A loaded memory that has not been ticked since.
    let mut saving = Brain::saving(&tree);
    saving.tick_with(&mut world, &mut lamp.force("on").unwrap());
    let save = serde_json::to_value(saving.saved()).unwrap();
    let mut loaded: Brain<World, SaveMemory> = Brain::saving(&tree);
    loaded.load(save).unwrap();
    assert_eq!(lamp.state(loaded.tree(), loaded.memory()), Some("on"));
}

#[test]
fn machines_of_loaded_trees_have_the_same_handles() {
    use bt_dynamic::{NoProperties, Registry};
    let mut registry = Registry::<World>::new();
    registry.add_with("Check", |_: NoProperties| check(9)).add_with("Lamp", |_: NoProperties| lamp());
    registry.add_with("On", |_: NoProperties| entered(1)).add_with("Off", |_: NoProperties| left(1));
    registry.add_with("On2", |_: NoProperties| entered(2)).add_with("Off2", |_: NoProperties| left(2));
    let nodes = r#"
        "s": { "name": "Sequence", "children": ["ok", "m"] }, "ok": { "name": "Succeeder" },
        "m": { "name": "machine", "title": "lamp", "children": ["off", "on"] },
        "off": { "name": "state", "children": ["1"],
            "properties": { "name": "off", "enter": "On", "exit": "Off", "transitions": ["Check -> on"] } },
        "on": { "name": "state", "children": ["2"],
            "properties": { "name": "on", "enter": "On2", "exit": "Off2", "transitions": ["Check -> off"] } },
        "1": { "name": "Runner" }, "2": { "name": "Runner" }"#;
    let load = |root: &str, nodes: &str| {
        registry.load(&format!(r#"{{ "root": "{root}", "nodes": {{ {nodes} }} }}"#)).expect("nothing is wrong with it")
    };
    try_out(&load("s", nodes));
    try_out(&tree! { sequence { succeed, load("s", nodes) } });
    // A static tree with a machine, as a leaf of a loaded one.
    try_out(&load("s", r#""s": { "name": "Sequence", "children": ["l"] }, "l": { "name": "Lamp" }"#));
}

#[test]
fn a_machine_is_found_by_its_label_its_subtree_or_a_path() {
    let tree = tree! { for World: selector { sequence "left" { lamp } sequence "right" { told(1), lamp } } };
    let description = tree.description();
    let id = |path: &str| description.machine(path).map(|machine| machine.id().index());
    assert_eq!(id("lamp"), Some(3));
    assert_eq!(id("right/lamp"), id("right"));
    assert_eq!(description.nodes()[id("right").unwrap()].label.as_deref(), Some("lamp"));
    assert_eq!(id("right").map(|id| id > 3), Some(true));
    assert_eq!((id("up"), id("lamp/right"), id("")), (None, None, Some(3)), "the empty path is the root");
    assert_eq!(description.machine("lamp").unwrap().states(), ["off", "on"]);
    let error = description.machine("lamp").unwrap().force("dimmed").unwrap_err();
    assert_eq!(error.to_string(), "unknown state `dimmed`; the states are: off, on");
}
