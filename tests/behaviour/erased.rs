//! Pointers, boxes and brains.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::{SaveMemory, Wake};
use bt_tests::world::{Event, Events, World, told};

use crate::support::running;

/// Thirty decorators above a node.
fn thirty(node: BoxNode<u32>) -> BoxNode<u32> {
    boxed(tree! { for u32: !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!node })
}

#[test]
fn a_tree_deeper_than_the_compiler_follows_is_boxed_in_between() {
    let tree = thirty(thirty(thirty(thirty(boxed(tree! { for u32: |n: &mut u32| *n += 1 })))));
    let mut n = 0;
    assert_eq!(tree.count(), 4 * 30 + 1);
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 1);
}

#[test]
fn one_subtree_can_stand_in_several_places_each_with_its_own_memory() {
    let step = tree! { for World: mem_sequence { told(1), told(2) } };
    let mut run = running(tree! { parallel(success = all, failure = all) { &step, (&step) } });
    run.tick(&[Success, Running, Running]);
    assert_eq!(run.tick(&[Running, Success, Running]), Running);
    assert_eq!(run.ticked(), [2, 1, 2]);
}

#[test]
fn pointers_to_nodes_are_nodes() {
    let boxed = Box::new(tree! { for World: told(1) });
    let counted = Rc::new(tree! { for World: told(2) });
    let shared = Arc::new(tree! { for World: told(3) });
    let mut run = running(tree! { sequence { boxed, counted, shared } });
    assert_eq!(run.tick(&[Success, Success, Running]), Running);
    run.halt();
    assert_eq!(run.halted(), [3]);
}

fn told_once() -> impl Node<World> {
    tree! { told(3) }
}

#[test]
fn a_box_hides_the_type_but_not_the_behaviour() {
    let chosen = |deep: bool| -> BoxNode<World> {
        if deep { boxed(tree! { for World: mem_sequence { told(1), told(2) } }) } else { boxed(told_once()) }
    };
    let tree = tree! { for World: selector { chosen(true), chosen(false) } };
    assert_eq!(tree.count(), 5);
    let mut memory = tree.memory();
    let mut world = World::telling(&[Success, Running, Failure, Running]);
    let mut events = Events::default();
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    let mut copy = memory.clone();
    assert_eq!(tree.tick_with(&mut world, &mut memory, &mut events), Running);
    let entered: Vec<_> = events.0.iter().filter(|event| matches!(event, Event::Enter(_))).collect();
    assert_eq!(entered, [0, 1, 3, 4].map(Event::Enter).iter().collect::<Vec<_>>());
    world.take_seen();
    tree.halt(&mut world, &mut copy);
    assert_eq!(
        world.take_seen(),
        [Event::Close(2, End::Halted(Cause::Stopped))],
        "the copy was still at its old place"
    );
}

#[test]
fn brains_of_different_trees_have_one_type() {
    let fast = Arc::new(tree! { for World: told(1) });
    let slow = Arc::new(tree! { for World: mem_sequence { told(2), told(3) } });
    let mut brains = [Brain::new(&fast), Brain::new(&slow), Brain::new(&slow)];
    let mut world = World::telling(&[Success, Running, Running]);
    assert_eq!(brains.each_mut().map(|brain| brain.tick(&mut world)), [Success, Running, Running]);
    assert_eq!(brains.each_ref().map(Brain::is_running), [false, true, true]);
    world.take_seen();
    brains[1].halt(&mut world);
    assert_eq!(world.take_seen(), [Event::Close(2, End::Halted(Cause::Stopped))]);
    brains[2].reset();
    assert!(!brains[2].is_running());
    let mut events = Events::default();
    world.told = vec![Failure];
    assert_eq!(brains[2].tick_with(&mut world, &mut events), Failure);
    assert_eq!(events.0[0], Event::Enter(0));
    assert_eq!(brains[2].tree().description().nodes().len(), 3);
}

#[test]
fn a_recursive_subtree_keeps_its_name() {
    #[subtree]
    fn countdown(from: u32) -> BoxNode<u32> {
        if from == 0 {
            return boxed(tree! { for u32: succeed });
        }
        boxed(tree! { for u32: sequence { |steps: &mut u32| *steps += 1, countdown(from - 1) } })
    }

    let tree = countdown(2);
    assert_eq!(
        tree.description().to_string(),
        "\
countdown(from: 2)
└─ sequence
   ├─ |steps: &mut u32| *steps += 1
   └─ countdown(from: 1)
      └─ sequence
         ├─ |steps: &mut u32| *steps += 1
         └─ succeed
"
    );
    let mut steps = 0;
    assert_eq!(tree.tick(&mut steps, &mut tree.memory()), Status::Success);
    assert_eq!(steps, 2);
}

#[test]
fn a_subtree_may_return_a_renamed_trait_or_any_other_node() {
    use bt_core::Node as BehaviorNode;
    use bt_core::composite::Selector;

    #[subtree]
    fn renamed(by: u32) -> impl BehaviorNode<u32> + Save {
        tree! { sequence { move |n: &mut u32| *n += by } }
    }

    #[subtree]
    fn other() -> Selector<(bt_core::leaf::Succeed,)> {
        bt_core::keywords::selector((succeed(),))
    }

    #[subtree]
    fn boxed_tree() -> BoxNode<u32> {
        boxed(tree! { renamed(3) })
    }

    let tree = tree! { for u32: sequence { renamed(1), other, boxed_tree } };
    let text = tree.description().to_string();
    assert!(text.contains("renamed(by: 1)") && text.contains("boxed_tree"), "{text}");
    let mut n = 0;
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 4);
}

/// A recursive tree whose memory can be saved.
#[subtree]
fn nested(depth: u32) -> BoxNode<World, SaveMemory> {
    if depth == 0 {
        return BoxNode::saving(tree! { for World: mem_sequence { told(1), limit(2) { told(2) } } });
    }
    BoxNode::saving(tree! { for World: mem_sequence { told(10 + depth), nested(depth - 1) } })
}

#[test]
fn the_memory_of_a_boxed_tree_is_saved_in_any_format() {
    let tree = tree! { for World: mem_selector { fail, nested(2) } };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Success, Success, Success, Running, Failure, Running, Running]);
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    assert_eq!(world.take_ticked(), [12, 11, 1, 2]);

    let json = serde_json::to_string(&tree.saved(&memory)).unwrap();
    let bytes = postcard::to_allocvec(&tree.saved(&memory)).unwrap();
    let mut from_json = tree.memory();
    tree.load(&mut from_json, &mut serde_json::Deserializer::from_str(&json)).unwrap();
    let mut from_bytes = tree.memory();
    tree.load(&mut from_bytes, &mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    for mut memory in [memory, from_json, from_bytes] {
        // It resumes at the deepest leaf. The limit is used up in the second run.
        let mut world = World::telling(&[Failure, Success, Success, Success, Running]);
        assert_eq!(tree.tick(&mut world, &mut memory), Failure);
        assert_eq!(tree.tick(&mut world, &mut memory), Running);
        assert_eq!(world.take_ticked(), [2, 12, 11, 1, 2]);
        tree.halt(&mut world, &mut memory);
        assert_eq!(world.take_seen().last(), Some(&Event::Close(2, End::Halted(Cause::Stopped))));
    }
}

#[test]
fn an_edited_save_of_a_boxed_tree_starts_afresh() {
    let tree = nested(0);
    let (mut memory, mut world) = (tree.memory(), World::telling(&[Success, Running, Running]));
    tree.tick(&mut world, &mut memory);
    let mut save = serde_json::to_value(tree.saved(&memory)).unwrap();
    save["memory"][1] = serde_json::json!({ "no": ["such", 7, "state"] });
    let mut memory = tree.memory();
    tree.load(&mut memory, save).unwrap();
    world.take_ticked();
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    assert_eq!(world.take_ticked(), [1]);
}

#[test]
fn a_box_that_a_panic_has_left_running_starts_again_also_after_a_save() {
    #[derive(Default)]
    struct Npc {
        firsts: u32,
        panics: bool,
    }
    fn first(npc: &mut Npc) {
        npc.firsts += 1;
    }
    fn breaks(npc: &mut Npc) -> Status {
        assert!(!npc.panics);
        Running
    }
    let inner: BoxNode<Npc, SaveMemory> = BoxNode::saving(tree! { for Npc: mem_sequence { first, run } });
    let tree = tree! { for Npc: parallel { inner, breaks } };
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    tree.tick(&mut npc, &mut memory);
    npc.panics = true;
    let tick = std::panic::AssertUnwindSafe(|| tree.tick(&mut npc, &mut memory));
    assert!(std::panic::catch_unwind(tick).is_err());
    assert!(!memory.is_running());

    let save = serde_json::to_string(&tree.saved(&memory)).unwrap();
    let mut loaded = tree.memory();
    tree.load(&mut loaded, &mut serde_json::Deserializer::from_str(&save)).unwrap();
    for mut memory in [memory, loaded] {
        let mut npc = Npc::default();
        tree.tick(&mut npc, &mut memory);
        assert_eq!(npc.firsts, 1);
    }
}

#[test]
fn a_save_of_a_boxed_tree_does_not_fit_another_one() {
    let (one, other) = (nested(1), nested(0));
    let save = serde_json::to_string(&one.saved(&one.memory())).unwrap();
    let error = other.load(&mut other.memory(), &mut serde_json::Deserializer::from_str(&save)).unwrap_err();
    assert!(error.to_string().contains("another structure"), "{error}");
}

#[test]
fn brains_of_different_trees_are_saved_and_cloned() {
    let fast = Arc::new(tree! { for World: told(1) });
    let slow = Arc::new(tree! { for World: mem_sequence { told(2), told(3) } });
    let mut brains = [Brain::saving(&fast), Brain::saving(&slow)];
    let mut world = World::telling(&[Success, Success, Running]);
    assert_eq!(brains.each_mut().map(|brain| brain.tick(&mut world)), [Success, Running]);
    let saves = brains.each_ref().map(|brain| serde_json::to_string(&brain.saved()).unwrap());
    let mut copy = brains[1].clone();

    let mut loaded = Brain::saving(&slow);
    loaded.load(&mut serde_json::Deserializer::from_str(&saves[1])).unwrap();
    for brain in [&mut copy, &mut loaded] {
        let mut world = World::telling(&[Success]);
        assert_eq!(brain.tick(&mut world), Success);
        assert_eq!(world.take_ticked(), [3]);
    }
    assert!(brains[1].is_running(), "a clone has a memory of its own");
    assert!(loaded.load(&mut serde_json::Deserializer::from_str(&saves[0])).is_err(), "the save of another tree");
    assert!(loaded.load(&mut serde_json::Deserializer::from_str("{}")).is_err());
}

#[test]
fn a_function_is_called_for_a_brain_dropped_while_it_runs() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    let tree = Arc::new(tree! { for World: told(1) });
    let new = || {
        Brain::new(&tree).on_running_drop(|tree| {
            assert_eq!(tree.nodes().len(), 1);
            DROPPED.fetch_add(1, SeqCst);
        })
    };
    let mut world = World::telling(&[Running, Running, Success]);
    let mut forgotten = new();
    forgotten.tick(&mut world);
    drop(forgotten.clone());
    assert_eq!(DROPPED.load(SeqCst), 1);
    drop(forgotten);
    assert_eq!(DROPPED.load(SeqCst), 2);

    let mut halted = new();
    halted.tick(&mut world);
    halted.halt(&mut world);
    drop(halted);
    let mut ended = new();
    assert_eq!(ended.tick(&mut world), Success);
    drop((ended, new()));
    assert_eq!(DROPPED.load(SeqCst), 2);
}

#[test]
fn a_loaded_memory_that_was_not_used_yet_is_due() {
    let erased = BoxNode::<World, SaveMemory>::saving(tree! { for World: wait(secs(3)) });
    let boxed = tree! { for World: sequence { erased } };
    let mut registry = bt_dynamic::Registry::<World>::new().with_clock();
    registry.add_with("pause", |_: bt_dynamic::NoProperties| wait(secs(3)));
    let leaf = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "pause" } } }"#).expect("the file is valid");
    let word = registry
        .load(r#"{ "root": "1", "nodes": { "1": { "name": "Wait", "properties": { "milliseconds": 3000 } } } }"#)
        .expect("the file is valid");
    is_due_when_loaded(&boxed);
    is_due_when_loaded(&leaf);
    is_due_when_loaded(&word);
    is_due_when_loaded(&tree! { for World: sequence { leaf } });
}

fn is_due_when_loaded<N: Node<World> + Save>(tree: &N) {
    let (mut world, mut memory) = (World::default(), tree.memory());
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut world), Wake::At(secs(3)));
    let save = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
    let mut memory = tree.memory();
    tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
    assert_eq!(tree.due(Running, &memory, &mut world), Wake::Next);
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut world), Wake::At(secs(3)));
}
