//! The log of changes of nodes' statuses.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::observe::{ChangeLog, Last};
use bt_core::prelude::*;

/// A line without its time.
fn short(line: &str) -> String {
    line.split_whitespace().skip_while(|word| *word == "[" || word.ends_with(']')).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_action_is_reported_once_for_each_run_and_a_condition_when_its_outcome_changes() {
    let tree = tree! { for u32: sequence { |n: &u32| *n < 9, |n: &u32| n.is_multiple_of(2), |n: &mut u32| *n += 1 } };
    let mut lines = vec![];
    let mut log = ChangeLog::new(&tree, |change| {
        if change.node.kind != bt_core::describe::Kind::Composite {
            lines.push((change.tick.now.as_secs(), change.node.id.index(), change.from, change.to));
        }
    });
    let (mut n, mut memory) = (0, tree.memory());
    for second in 0..4 {
        n = if second == 2 { 4 } else { n };
        tree.tick_with(&mut n, &mut memory, &mut log.for_agent(1, secs(second)));
    }
    let [success, failure] = [Last::Returned(Status::Success), Last::Returned(Status::Failure)];
    assert_eq!(
        lines,
        [
            (0, 1, None, success),
            (0, 2, None, success),
            (0, 3, None, success),
            (1, 2, Some(success), failure),
            (2, 2, Some(failure), success),
            (2, 3, None, success),
            (3, 2, Some(success), failure),
        ]
    );
}

#[test]
fn the_agents_of_a_log_are_kept_apart_until_they_are_forgotten() {
    let tree = tree! { for (): run };
    let mut lines = vec![];
    let mut log = ChangeLog::new(&tree, |change| lines.push(short(&change.to_string())));
    let mut memories = [tree.memory(), tree.memory()];
    for _ in 0..2 {
        for (agent, memory) in (3..).zip(&mut memories) {
            tree.tick_with(&mut (), memory, &mut log.for_agent(agent, secs(0)));
        }
    }
    tree.halt_with(&mut (), &mut memories[0], &mut log.for_agent(3, secs(0)));
    log.forget(4);
    tree.tick_with(&mut (), &mut memories[1], &mut log.for_agent(4, secs(0)));
    assert_eq!(
        lines,
        ["3 run Idle -> Running", "4 run Idle -> Running", "3 run Running -> Halted", "4 run Idle -> Running"]
    );
}

#[test]
fn after_a_panic_no_node_is_running() {
    let tree =
        tree! { for bool: mem_sequence { succeed, |breaks: &mut bool| { assert!(!*breaks); Status::Running } "work" } };
    let mut lines = vec![];
    let mut log = ChangeLog::new(&tree, |change| lines.push(short(&change.to_string())));
    let mut memory = tree.memory();
    tree.tick_with(&mut false, &mut memory, &mut log);
    assert!(catch_unwind(AssertUnwindSafe(|| tree.tick_with(&mut true, &mut memory, &mut log))).is_err());
    tree.tick_with(&mut false, &mut memory, &mut log);
    let run = ["succeed Idle -> Success", "work Idle -> Running", "mem_sequence Idle -> Running"];
    assert_eq!(lines, [run, run].concat());
}

#[test]
fn the_first_error_of_a_writer_is_returned_and_ends_the_writing() {
    struct Full(u32);
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Err(io::Error::other(format!("full {}", self.0)))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let tree = tree! { for (): sequence { succeed, run } };
    let mut log = ChangeLog::to_writer(&tree, Full(0));
    tree.tick_with(&mut (), &mut tree.memory(), &mut log);
    assert_eq!(log.finish().err().expect("an error").to_string(), "full 1");
}
