//! The table of agents.

use super::*;
use crate::shard::message::{Arrival, Taken};
use crate::shard::table::{Report, Step, Table};

const TERM: u64 = 5;

/// Returns a table with some processes.
fn table(processes: u32) -> Table {
    let mut table = Table::new(TERM);
    (0..processes).for_each(|process| table.join(process));
    table
}

fn epoch(number: u64) -> Epoch {
    Epoch { term: TERM, number }
}

/// Returns the process that is given an agent, and what it gets.
fn taken(table: &mut Table) -> Vec<(u32, Taken)> {
    let steps = table.steps().into_iter().filter_map(|(process, step)| match step {
        Step::Take(taken) => Some((process, taken)),
        _ => None,
    });
    steps.collect()
}

fn forgotten(table: &mut Table) -> Vec<(u32, Owned)> {
    let steps = table.steps().into_iter().filter_map(|(process, step)| match step {
        Step::Forget(owned) => Some((process, owned)),
        _ => None,
    });
    steps.collect()
}

#[test]
fn an_agent_belongs_to_the_process_with_the_greater_epoch() {
    let mut table = table(3);
    assert_eq!(table.report(0, &owned("x", 4, 2), true), Report::Keeps);
    assert_eq!(table.report(0, &owned("x", 4, 2), true), Report::Keeps, "it says so again");
    for epoch in [1, 2, 3] {
        assert_eq!(table.report(1, &owned("x", 4, epoch), true), Report::Lost);
    }
    table.gone(0);
    assert_eq!(table.report(1, &owned("x", 4, 1), true), Report::Lost);
    assert_eq!(table.report(1, &owned("x", 4, 2), false), Report::Renewed(epoch(2)));
    assert_eq!(table.report(1, &owned("x", 4, 2), false), Report::Renewed(epoch(2)), "the answer was lost");
    assert_eq!(table.report(1, &owned("x", TERM, 2), true), Report::Keeps);
}

#[test]
fn a_state_of_an_earlier_epoch_does_not_replace_what_a_process_has() {
    for (epoch, has_state) in [(2, true), (3, false)] {
        let mut table = table(2);
        table.report(0, &owned("x", 4, 2), true);
        table.snapshot(0, &owned("x", 4, 2), state(7), ms(0));
        assert_eq!(table.gone(0), 1);
        table.report(1, &owned("x", 4, epoch), true);
        assert_eq!(table.gone(1), usize::from(has_state));
        assert_eq!(table.recover(ms(0)).is_empty(), has_state);
    }
}

#[test]
fn a_copy_is_needed_until_the_new_owner_has_the_agent() {
    let mut table = table(2);
    table.report(0, &owned("x", 4, 2), true);
    table.released(0, &owned("x", 4, 2), state(3), ms(0));
    let taken = taken(&mut table);
    assert_eq!((taken.len(), taken[0].1.arrival), (1, Arrival::Moved));
    let (owner, given) = (taken[0].0, taken[0].1.owned.clone());
    assert!(table.copy(0, &owned("x", 4, 2), state(3), ms(0)));
    assert!(!table.copy(0, &owned("x", 4, 1), state(2), ms(0)) && !table.copy(1, &owned("x", 4, 2), state(3), ms(0)));
    assert_eq!(table.report(0, &owned("x", 4, 2), true), Report::Copy);
    assert_eq!(table.report(1, &owned("x", 4, 1), true), Report::Lost, "it is no copy of this hand-over");
    table.taken(owner, &given);
    assert_eq!(forgotten(&mut table), [(0, owned("x", 4, 2))]);
    assert!(!table.copy(0, &owned("x", 4, 2), state(3), ms(0)));
    assert_eq!(table.report(0, &owned("x", 4, 2), true), Report::Lost);
}

#[test]
fn an_agent_that_is_moved_twice_is_released_once_and_stays() {
    let mut table = table(3);
    table.report(0, &owned("x", 4, 2), true);
    for to in [1, 2] {
        table.move_to("x", to).expect("it is there");
    }
    assert_eq!(table.steps(), [(0, Step::Release(owned("x", 4, 2)))]);
    table.released(0, &owned("x", 4, 2), state(1), ms(0));
    assert_eq!(taken(&mut table)[0].0, 2);
    // It is not moved to balance processes.
    for number in 0..30 {
        table.report(2, &owned(&format!("y{number}"), 4, number), true);
    }
    table.balance();
    let released = table.steps().into_iter().filter(|(_, step)| matches!(step, Step::Release(_)));
    assert!(released.clone().count() > 10);
    assert!(released.into_iter().all(|(_, step)| !matches!(step, Step::Release(owned) if owned.agent == "x")));
}

#[test]
fn of_two_copies_the_newer_one_counts() {
    let mut table = table(0);
    assert!(table.copy(0, &owned("x", 4, 2), state(3), ms(0)));
    assert!(!table.copy(1, &owned("x", 4, 1), state(9), ms(0)));
    assert!(!table.copy(1, &owned("x", 4, 2), state(3), ms(0)), "it is the same");
    assert!(table.copy(1, &owned("x", 4, 2), state(4), ms(0)));
    assert_eq!(forgotten(&mut table), [(0, owned("x", 4, 2))]);
    assert!(table.copy(2, &owned("x", 4, 3), state(1), ms(10)));
    table.join(7);
    assert_eq!(table.recover(ms(30)), [""; 0]);
    let taken = taken(&mut table);
    // Another process may have had it after the hand-over.
    assert_eq!((taken[0].1.state.ticks, taken[0].1.arrival), (1, Arrival::Recovered { age: ms(20) }));
}

#[test]
fn what_was_removed_does_not_come_back() {
    let mut table = table(1);
    table.report(0, &owned("x", 4, 2), true);
    table.remove(0, &owned("x", 4, 1));
    assert_eq!(table.count().0, 1, "it is another one");
    table.remove(0, &owned("x", 4, 2));
    assert_eq!(table.count(), (0, 0));
    assert_eq!(table.report(0, &owned("x", 4, 2), true), Report::Lost);
    assert!(!table.copy(0, &owned("x", 4, 1), state(1), ms(0)));
    assert_eq!(table.report(0, &owned("x", 4, 3), true), Report::Keeps, "it was added again");
    table.add("y", state(0), ms(0)).expect("there is none");
    let given = taken(&mut table)[0].1.owned.clone();
    table.remove(0, &given);
    assert_eq!(table.report(0, &given, true), Report::Lost);
}

#[test]
fn the_state_with_the_most_ticks_is_handed_over() {
    for (handed, expected) in [(4, 5), (5, 5), (6, 6)] {
        let mut table = table(2);
        table.report(0, &owned("x", 4, 2), true);
        table.snapshot(0, &owned("x", 4, 2), state(5), ms(0));
        table.released(0, &owned("x", 4, 2), State { clock: ms(9), ..state(handed) }, ms(0));
        let given = taken(&mut table)[0].1.state.clone();
        // After the same number of ticks, its clock has gone on.
        assert_eq!((given.ticks, given.clock == ms(9)), (expected, handed >= 5));
    }
}

#[test]
fn a_snapshot_of_another_epoch_or_process_is_not_stored() {
    let mut table = table(2);
    table.report(0, &owned("x", 4, 2), true);
    table.snapshot(1, &owned("x", 4, 2), state(5), ms(0));
    table.snapshot(0, &owned("x", 4, 1), state(5), ms(0));
    assert_eq!((table.gone(0), table.recover(ms(0))), (0, vec!["x".to_owned()]));
}

#[test]
fn a_process_that_cannot_load_an_agent_does_not_get_it_again() {
    let mut table = table(2);
    table.add("x", state(0), ms(0)).expect("there is none");
    let (first, given) = taken(&mut table).remove(0);
    table.refused(first, &given.owned, state(0), ms(0));
    let (second, again) = taken(&mut table).remove(0);
    assert_ne!(first, second);
    assert!(again.owned.epoch > given.owned.epoch && again.arrival == Arrival::Added);
    assert_eq!(
        table.move_to("x", first).expect_err("it cannot load it"),
        "the machine could not load the agent before"
    );
    table.refused(second, &again.owned, state(0), ms(0));
    assert_eq!((table.count(), taken(&mut table).len()), ((1, 1), 0));
    table.join(7);
    table.recover(ms(0));
    assert_eq!(taken(&mut table)[0].0, 7);
}

#[test]
fn a_process_that_connects_gets_again_only_what_it_does_not_have() {
    let mut table = table(1);
    table.report(0, &owned("x", 4, 2), true);
    table.snapshot(0, &owned("x", 4, 2), state(5), ms(0));
    table.repeat(0, |agent| agent == "x");
    assert_eq!(table.steps(), []);
    table.repeat(0, |_| false);
    assert_eq!(taken(&mut table)[0].1.owned, owned("x", 4, 2));
}

#[test]
fn a_process_that_leaves_hands_over_what_it_reports_afterwards() {
    let mut table = table(2);
    table.leave(0);
    assert_eq!(table.report(0, &owned("x", 4, 2), true), Report::Keeps);
    assert_eq!(table.steps(), [(0, Step::Release(owned("x", 4, 2)))]);
}

#[test]
fn processes_have_about_the_same_number_of_agents() {
    let mut table = table(1);
    for number in 0..90 {
        table.add(&format!("x{number}"), state(0), ms(0)).expect("there is none");
    }
    table.steps();
    table.join(1);
    table.balance();
    let released = table.steps().len();
    // The average is 45, of which an eighth and 1 is allowed.
    assert_eq!(released, 42);
    table.balance();
    assert_eq!(table.steps().len(), 0, "they are on their way");
    // They never arrive, so they do not count.
    assert_eq!(table.gone(0), 90);
    table.join(2);
    table.recover(ms(0));
    assert_eq!(taken(&mut table).iter().filter(|(process, _)| *process == 1).count(), 45);
}
