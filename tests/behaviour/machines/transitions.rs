//! Which transition a tick follows, and what happens on the way.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{Event, act, check, entered, left, told};

use super::ten_states;
use crate::support::running;

#[test]
fn the_first_state_is_the_initial_one_and_its_node_is_ticked() {
    let mut run = running(tree! { machine { state a { told(1), check(9) -> b } state b { told(2) } } });
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 1]);
}

#[test]
fn arrows_are_asked_in_order_before_the_node_is_ticked() {
    let mut run = running(tree! {
        machine { state a { told(1), check(8) -> b, check(9) -> c } state b { told(2) } state c { told(3) } }
    });
    run.tick(&[Failure, Failure, Running]);
    assert_eq!(run.ticked(), [8, 9, 1]);
    run.tick(&[Failure, Success, Running]);
    assert_eq!(run.ticked(), [8, 9, 3]);
    assert_eq!(run.halted(), [1]);
}

#[test]
fn a_bang_before_a_condition_turns_it_around() {
    let mut run = running(tree! { machine { state a { told(1), !check(9) -> b } state b { told(2) } } });
    run.tick(&[Success, Running]);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 2]);
}

#[test]
fn leaving_a_state_halts_its_node_then_does_exit_then_enter_then_ticks() {
    let mut run = running(tree! {
        machine {
            state a { told(1), check(9) -> b, enter: entered(100), exit: left(100) }
            state b { exit: left(200), enter: entered(200), told(2) }
        }
    });
    run.tick(&[Failure, Running]);
    assert_eq!(run.world.take_seen()[0], Event::Open(100), "the initial state is entered too");
    run.tick(&[Success, Running]);
    assert_eq!(
        run.world.take_seen()[..5],
        [
            Event::Tick(9, Success),
            Event::Close(1, End::Halted(Cause::Preempted)),
            Event::Close(100, End::Halted(Cause::Preempted)),
            Event::Open(200),
            Event::Enter(2)
        ]
    );
    run.halt();
    assert_eq!(
        run.world.take_seen(),
        [Event::Close(2, End::Halted(Cause::Stopped)), Event::Close(200, End::Halted(Cause::Preempted))]
    );
}

#[test]
fn success_and_failure_are_followed_when_the_node_ends_and_the_next_starts_in_the_next_tick() {
    let mut run = running(tree! {
        machine { state a { told(1), success -> b, failure -> c } state b { told(2) } state c { told(3) } }
    });
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Failure]), Running);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.ticked(), [3]);
}

#[test]
fn a_node_whose_end_no_arrow_waits_for_starts_again_in_the_next_tick() {
    let mut run = running(tree! { machine { state a { told(1), failure -> b } state b { told(2) } } });
    assert_eq!(run.tick(&[Success]), Running);
    assert_eq!(run.tick(&[Success]), Running);
    assert_eq!(run.opened(), [1]);
}

#[test]
fn a_tick_follows_at_most_one_arrow_and_an_end_after_it_is_remembered() {
    let mut run = running(tree! {
        machine {
            state a { act(1), check(8) -> b }
            state b { act(2), check(9) -> a, success -> c }
            state c { act(3), success -> a }
        }
    });
    assert_eq!(run.tick(&[Success, Success]), Running);
    assert_eq!(run.ticked(), [8, 2], "b's node has ended, but a transition was followed already");
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 3], "the transitions of b are asked in order, and the end of its node among them");
}

#[test]
fn arrows_of_any_come_after_those_of_the_state_and_do_not_lead_back() {
    let mut run = running(tree! {
        machine { state a { told(1), check(8) -> b } state b { told(2) } state c { told(3) } any { check(9) -> c } }
    });
    run.tick(&[Failure, Failure, Running]);
    assert_eq!(run.ticked(), [8, 9, 1]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [8, 2]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [9, 3]);
    run.tick(&[Running]);
    assert_eq!(run.ticked(), [3], "c is not asked whether to go to c");
}

#[test]
fn arrows_of_any_do_not_lead_back_when_the_node_ends_either() {
    let mut run = running(tree! {
        machine { state a { told(1), exit: left(100), failure -> b } state b { told(2) } any { success -> a } }
    });
    for _ in 0..2 {
        run.tick(&[Success]);
        assert_eq!(run.ticked(), [1]);
        assert!(run.halted().is_empty(), "a is not left for itself");
    }
    run.tick(&[Failure]);
    assert_eq!(run.halted(), [100]);
    run.tick(&[Success]);
    run.tick(&[Running]);
    assert_eq!(run.ticked(), [1], "from b it leads to a");
}

#[test]
fn arrows_can_lead_out_and_the_next_run_begins_anew() {
    let mut run = running(tree! {
        selector {
            machine { state a { told(1), check(9) -> failure, success -> b } state b { told(2), success -> success } }
            told(3),
        }
    });
    run.tick(&[Failure, Success]);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 1]);
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.halted(), [1]);
    assert_eq!(run.ticked(), [9, 3]);
}

#[test]
fn an_error_ends_the_machine_and_leaves_its_state() {
    let mut run = running(tree! { machine { state a { told(1), exit: left(100) } } });
    run.tick(&[Running]);
    assert_eq!(run.tick(&[Error]), Error);
    assert!(!run.is_running());
    assert_eq!(run.halted(), [100]);
}

#[test]
fn states_hold_trees_and_machines() {
    let mut run = running(tree! {
        machine "outer" {
            state a {
                machine "inner" { state x { told(1), success -> y } state y { told(2), success -> success } }
                success -> b,
            }
            state b { mem_sequence { told(3), told(4) } success -> a }
        }
    });
    for (told, ticked) in [(1, [1]), (2, [2])] {
        assert_eq!(run.tick(&[Success]), Running, "{told}");
        assert_eq!(run.ticked(), ticked);
    }
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.ticked(), [3, 4]);
}

#[test]
fn a_machine_may_have_more_states_than_the_longest_tuple() {
    let mut run = running(ten_states());
    for number in 0..9 {
        assert_eq!(run.tick(&[Success]), Running);
        assert_eq!(run.ticked(), [number]);
    }
    assert_eq!(run.tick(&[Success]), Success);
}
