//! Pointers, boxes and brains.

use std::rc::Rc;
use std::sync::Arc;

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
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
    assert_eq!(world.take_seen(), [Event::Close(2, End::Halted)], "the copy was still at its old place");
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
    assert_eq!(world.take_seen(), [Event::Close(2, End::Halted)]);
    brains[2].reset();
    assert!(!brains[2].is_running());
    let mut events = Events::default();
    world.told = vec![Failure];
    assert_eq!(brains[2].tick_with(&mut world, &mut events), Failure);
    assert_eq!(events.0[0], Event::Enter(0));
    assert_eq!(brains[2].description().nodes().len(), 3);
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
