//! Selectors and sequences.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{Event, Told, World, told};

use crate::support::running;

#[test]
fn a_selector_asks_until_one_does_not_fail() {
    let mut run = running(tree! { selector { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Failure, Success]), Success);
    assert_eq!(run.tick(&[Failure, Failure, Failure]), Failure);
    assert_eq!(run.tick(&[Failure, Running]), Running);
}

#[test]
fn a_sequence_asks_until_one_does_not_succeed() {
    let mut run = running(tree! { sequence { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Success, Failure]), Failure);
    assert_eq!(run.tick(&[Success, Success, Success]), Success);
    assert_eq!(run.tick(&[Success, Running]), Running);
}

#[test]
fn reactive_composites_begin_each_tick_at_the_first_child() {
    let mut run = running(tree! { selector { told(1), told(2) } });
    run.tick(&[Failure, Running]);
    run.tick(&[Failure, Running]);
    assert_eq!(run.ticked(), [1, 2]);
    let mut run = running(tree! { sequence { told(1), told(2) } });
    run.tick(&[Success, Running]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn memory_composites_go_on_at_the_running_child() {
    let mut run = running(tree! { mem_selector { told(1), told(2), told(3) } });
    run.tick(&[Failure, Running]);
    assert_eq!(run.tick(&[Failure, Success]), Success);
    assert_eq!(run.ticked(), [2, 3]);
    let mut run = running(tree! { mem_sequence { told(1), told(2), told(3) } });
    run.tick(&[Success, Running]);
    assert_eq!(run.tick(&[Success, Failure]), Failure);
    assert_eq!(run.ticked(), [2, 3]);
}

#[test]
fn memory_composites_forget_when_they_end() {
    let mut run = running(tree! { mem_sequence { told(1), told(2) } });
    run.tick(&[Success, Running]);
    run.tick(&[Failure]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn memory_composites_forget_when_they_are_halted() {
    let mut run = running(tree! { mem_sequence { told(1), told(2) } });
    run.tick(&[Success, Running]);
    run.halt();
    assert_eq!(run.halted(), [2]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn a_running_child_to_the_right_is_resumed_not_restarted() {
    let mut run = running(tree! { selector { told(1), told(2) } });
    run.tick(&[Failure, Running]);
    assert_eq!(run.opened(), [1, 2]);
    run.tick(&[Failure, Running]);
    assert_eq!(run.opened(), [1]);
}

#[test]
fn the_old_child_is_halted_after_the_one_that_takes_over_was_ticked() {
    let mut run = running(tree! { selector { told(1), told(2) } });
    run.tick(&[Failure, Running]);
    run.tick(&[Running]);
    let seen = run.world.take_seen();
    assert_eq!(
        seen,
        [
            Event::Enter(1),
            Event::Open(1),
            Event::Tick(1, Running),
            Event::Exit(1, Running),
            Event::Close(2, End::Halted(Cause::Preempted))
        ]
    );
}

#[test]
fn the_old_child_is_halted_when_one_before_it_stops_the_composite() {
    let mut run = running(tree! { sequence { told(1), told(2) } });
    run.tick(&[Success, Running]);
    assert_eq!(run.tick(&[Failure]), Failure);
    assert_eq!(run.halted(), [2]);
}

#[test]
fn a_child_before_the_running_one_that_lets_the_tick_pass_halts_nothing() {
    let mut run = running(tree! { sequence { told(1), told(2), told(3) } });
    run.tick(&[Success, Success, Running]);
    run.tick(&[Success, Success, Running]);
    assert!(run.halted().is_empty());
}

#[test]
fn halting_goes_deepest_first_and_in_index_order() {
    let mut run = running(tree! {
        selector { told(1), parallel(success = all, failure = all) { told(2), sequence { told(3), told(4) } told(5) } }
    });
    run.tick(&[Failure, Running, Success, Running, Running]);
    run.tick(&[Success]);
    assert_eq!(run.halted(), [2, 4, 5]);
}

#[test]
fn only_running_nodes_are_halted() {
    let mut run = running(tree! { parallel(success = all, failure = all) { told(1), told(2) } });
    run.tick(&[Success, Running]);
    run.halt();
    assert_eq!(run.halted(), [2]);
    run.halt();
    assert!(run.halted().is_empty());
}

#[test]
fn an_error_passes_through_every_node_at_once_and_halts_what_is_open() {
    let mut run = running(tree! {
        selector { invert { force_success { retry(3) { sequence { told(1), told(2) } } } } told(3) }
    });
    run.tick(&[Success, Running]);
    assert_eq!(run.tick(&[Error]), Error);
    assert_eq!(run.halted(), [2]);
    assert_eq!(run.ticked(), [1]);
    assert!(!run.is_running());
}

#[test]
fn after_an_end_the_next_tick_starts_afresh() {
    let mut run = running(tree! { mem_sequence { told(1), told(2) } });
    run.tick(&[Success, Running]);
    run.tick(&[Success]);
    assert!(!run.is_running());
    run.tick(&[Running]);
    assert_eq!(run.opened(), [1]);
}

#[test]
fn lists_longer_than_the_longest_tuple_are_one_list() {
    let mut run = running(tree! {
        mem_sequence {
            told(0),
            told(1),
            told(2),
            told(3),
            told(4),
            told(5),
            told(6),
            told(7),
            told(8),
            told(9),
            told(10),
            told(11),
            told(12),
            told(13),
            told(14),
            told(15),
            told(16),
            told(17),
            told(18),
        }
    });
    run.tick(&[[Success; 10].as_slice(), &[Running]].concat());
    assert_eq!(run.tick(&[Success; 9]), Success);
    assert_eq!(run.ticked(), (10..19).collect::<Vec<_>>());
}

#[test]
fn a_kept_sequence_goes_on_where_it_failed() {
    let mut run = running(tree! { kept_sequence { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Success, Failure]), Failure);
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.ticked(), [2, 3]);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.tick(&[Running]), Running, "after the last child it starts over");
    assert_eq!(run.ticked(), [1]);
}

#[test]
fn a_kept_sequence_goes_on_where_it_was_halted_or_ended_with_an_error() {
    let mut run = running(tree! { kept_sequence { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Success, Running]), Running);
    run.halt();
    assert_eq!(run.halted(), [2]);
    assert_eq!(run.tick(&[Success, Error]), Error);
    assert_eq!(run.ticked(), [2, 3]);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.ticked(), [3]);
    run.tick(&[Success, Failure]);
    run.reset();
    run.tick(&[Failure]);
    assert_eq!(run.ticked(), [1], "a new memory starts at the first child");
}

#[test]
fn a_kept_sequence_keeps_its_position_in_saves_and_forgets_it_below_fresh() {
    let tree = tree! { for World: kept_sequence { told(1), told(2) } };
    let (mut memory, mut world) = (tree.memory(), World::telling(&[Success, Failure, Success]));
    tree.tick(&mut world, &mut memory);
    let save = serde_json::to_string(&tree.saved(&memory)).unwrap();
    let mut memory = tree.memory();
    tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).unwrap();
    world.take_seen();
    assert_eq!(tree.tick(&mut world, &mut memory), Success);
    assert_eq!(world.take_ticked(), [2]);

    let mut run = running(tree! { fresh { kept_sequence { told(1), told(2) } } });
    run.tick(&[Success, Failure]);
    run.tick(&[Success, Failure]);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn a_kept_sequence_of_many_or_no_children_is_one_list() {
    let children = |count| (1..=count).map(told).collect::<Vec<_>>();
    let mut run = running(tree! { for World: kept_sequence { ..children(9), told(10), ..children(2) } });
    assert_eq!(run.tick(&[[Success; 10].as_slice(), &[Failure]].concat()), Failure);
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.ticked(), [1, 2]);
    let none: Vec<Told> = Vec::new();
    assert_eq!(running(tree! { for World: kept_sequence { ..none } }).tick(&[]), Success);
}
