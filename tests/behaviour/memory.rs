//! What an agent remembers, and how little it takes.

use bt_core::Never;
use bt_core::prelude::*;

struct Npc;

fn a(_: &Npc) -> bool {
    true
}

fn act(_: &mut Npc) -> Status {
    Status::Running
}

fn size<N: Node<Npc>>(tree: &N) -> usize {
    size_of_val(&tree.memory())
}

#[test]
fn a_condition_cannot_be_open() {
    fn open<N: Node<Npc, Open = Never>>(_: &N) {}
    let condition = tree! { a };
    open(&condition);
    assert_eq!(size(&condition), 0);
}

#[test]
fn a_composite_of_conditions_takes_no_memory() {
    assert_eq!(size(&tree! { selector { sequence { a, a } !a } }), 0);
}

#[test]
fn nine_reactive_nodes_take_a_byte() {
    let nine = tree! { selector { sequence { a, act } sequence { a, act } sequence { a, act } } };
    assert_eq!(nine.count(), 10);
    assert_eq!(size(&nine), 1);
}

#[test]
fn nine_remembering_nodes_take_two_bytes() {
    assert_eq!(size(&tree! { mem_selector { mem_sequence { act, act, act } mem_sequence { act, act, act } } }), 2);
}

#[test]
fn a_hundred_nodes_take_few_bytes() {
    #[rustfmt::skip]
    macro_rules! ten { ($($child:tt)*) => { tree! { selector {
        sequence { a, $($child)* } sequence { a, $($child)* } sequence { a, $($child)* } act
    } } } }
    let tree = ten!((ten!((ten!(act)))));
    assert_eq!(tree.count(), 8 + 3 * (8 + 3 * 11));
    assert!(size(&tree) <= 3, "{} bytes", size(&tree));
}

#[test]
fn decorators_add_what_they_remember() {
    assert_eq!(size(&tree! { invert { force_success { until_failure { act } } } }), 1);
    assert_eq!(size(&tree! { limit(3) { act } }), 8);
}

#[test]
fn memories_of_one_tree_are_apart() {
    let tree =
        tree! { for u32: mem_sequence { |n: &mut u32| if *n > 0 { Status::Success } else { Status::Running }, run } };
    let (mut ann, mut ben) = (tree.memory(), tree.memory());
    assert!(!ann.is_running());
    tree.tick(&mut 1, &mut ann);
    tree.halt(&mut 1, &mut ann);
    tree.tick(&mut 0, &mut ben);
    assert!(!ann.is_running() && ben.is_running());
}

#[test]
fn trees_and_memories_can_be_sent_to_other_threads() {
    fn sendable<T: Send + Sync>(_: &T) {}
    #[subtree]
    fn stored(times: u32) -> impl Node<Npc> {
        tree! { retry(times) { act } }
    }
    let tree = stored(3);
    sendable(&tree);
    sendable(&tree.memory());
    let (mut first, tree) = (tree.memory(), &tree);
    std::thread::scope(|scope| {
        scope.spawn(|| tree.tick(&mut Npc, &mut first));
        scope.spawn(|| tree.tick(&mut Npc, &mut tree.memory()));
    });
    assert!(first.is_running());
}
