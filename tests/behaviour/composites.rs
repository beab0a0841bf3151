//! Selectors and sequences.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{Event, told};

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
            Event::Close(2, End::Halted)
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
        selector {
            told(1),
            parallel(success = all, failure = all) { told(2), sequence { told(3), told(4) }, told(5) }
        }
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
        selector {
            invert { force_success { retry(3) { sequence { told(1), told(2) } } } }
            told(3)
        }
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
            told(0), told(1), told(2), told(3), told(4), told(5), told(6), told(7), told(8), told(9),
            told(10), told(11), told(12), told(13), told(14), told(15), told(16), told(17), told(18),
        }
    });
    run.tick(&[[Success; 10].as_slice(), &[Running]].concat());
    assert_eq!(run.tick(&[Success; 9]), Success);
    assert_eq!(run.ticked(), (10..19).collect::<Vec<_>>());
}
