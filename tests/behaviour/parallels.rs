//! Parallels.

use bt_core::Outcomes;
use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::told;

use crate::support::running;

#[test]
fn a_parallel_ticks_every_child_every_tick_in_order() {
    let mut run = running(tree! { parallel { told(1), told(2), told(3) } });
    run.tick(&[Running, Success, Running]);
    assert_eq!(run.tick(&[Running, Running, Running]), Running);
    assert_eq!(run.ticked(), [1, 2, 3]);
}

#[test]
fn it_stops_visiting_at_the_first_threshold_reached() {
    let mut run = running(tree! { parallel(success = one, failure = one) { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Running, Failure]), Failure);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn success_is_asked_first() {
    let mut run = running(tree! { mem_parallel(success = 1, failure = 2) { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Failure, Success]), Success);
}

#[test]
fn left_out_success_takes_all_and_failure_one() {
    let mut run = running(tree! { parallel { told(1), told(2) } });
    assert_eq!(run.tick(&[Success, Success]), Success);
    assert_eq!(run.tick(&[Failure]), Failure);
}

#[test]
fn at_its_end_running_children_are_halted_in_order() {
    let mut run = running(tree! { parallel(success = one) { told(1), told(2), told(3) } });
    run.tick(&[Running, Running, Running]);
    assert_eq!(run.tick(&[Running, Success]), Success);
    assert_eq!(run.halted(), [1, 3]);
}

#[test]
fn an_error_in_a_parallel_halts_the_others() {
    let mut run = running(tree! { parallel { told(1), told(2), told(3) } });
    run.tick(&[Running, Running, Running]);
    assert_eq!(run.tick(&[Running, Error]), Error);
    assert_eq!(run.halted(), [1, 3]);
}

#[test]
fn it_counts_the_results_of_one_tick_and_starts_ended_children_again() {
    let mut run = running(tree! { parallel(success = all, failure = all) { told(1), told(2) } });
    assert_eq!(run.tick(&[Success, Failure]), Running);
    assert_eq!(run.tick(&[Failure, Success]), Running);
    assert_eq!(run.opened(), [1, 2]);
    assert_eq!(run.tick(&[Success, Success]), Success);
}

#[test]
fn a_mem_parallel_does_not_tick_finished_children_again() {
    let mut run = running(tree! { mem_parallel(success = all, failure = all) { told(1), told(2) } });
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.ticked(), [2]);
}

#[test]
fn a_mem_parallel_fails_at_once_when_success_has_become_impossible() {
    let mut run = running(tree! { mem_parallel(success = 2, failure = all) { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Running, Failure, Running]), Running);
    assert_eq!(run.tick(&[Failure]), Failure);
    assert_eq!(run.halted(), [3]);
}

#[test]
fn a_mem_parallel_forgets_when_it_ends() {
    let mut run = running(tree! { mem_parallel(success = all) { told(1), told(2) } });
    run.tick(&[Success, Running]);
    run.tick(&[Success]);
    run.tick(&[Running, Running]);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn a_threshold_can_be_computed() {
    let enough = 1 + usize::from(std::hint::black_box(true));
    let mut run = running(tree! { parallel(success = enough) { told(1), told(2), told(3) } });
    assert_eq!(run.tick(&[Success, Success]), Success);
}

#[test]
fn a_computed_threshold_above_the_number_of_children_fails_at_once() {
    let many = 2 + usize::from(std::hint::black_box(true));
    let mut run = running(tree! { parallel(success = many, failure = many) { told(1), told(2) } });
    assert_eq!(run.tick(&[]), Failure, "no child is ticked");
    let mut run = running(tree! { mem_parallel(success = many, failure = many) { told(1), told(2) } });
    assert_eq!(run.tick(&[]), Failure);
    let mut run = running(tree! { mem_parallel(success = 2, failure = many) { told(1), told(2) } });
    assert_eq!(run.tick(&[Running, Running]), Running, "failures may be without end");
    assert_eq!(run.tick(&[Running, Failure]), Failure, "but success is out of reach then");
}

#[test]
fn a_parallel_that_may_be_out_of_reach_can_fail() {
    fn returns<N: Node<bt_tests::world::World>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let many = 2 + usize::from(std::hint::black_box(true));
    assert!(returns(&tree! { for bt_tests::world::World: parallel(success = many) { run, run } }).fails());
    let fixed =
        bt_core::keywords::parallel(bt_core::composite::ConstThreshold::<3>, bt_core::keywords::one, (run(), run()));
    assert_eq!(returns(&fixed), Outcomes::FAILURE);
    assert_eq!(fixed.tick(&mut bt_tests::world::World::default(), &mut fixed.memory()), Failure);
}
