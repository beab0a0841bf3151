//! `if` and `mem_if`.

use bt_core::Outcomes;
use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_tests::world::{Event, World, act, check, told};

use crate::support::running;

#[test]
fn the_condition_selects_one_of_the_nodes_and_their_status_is_returned() {
    let mut run = running(tree! { if check(1) { told(2) } else { told(3) } });
    assert_eq!(run.tick(&[Success, Success]), Success);
    assert_eq!(run.ticked(), [1, 2]);
    assert_eq!(run.tick(&[Failure, Success]), Success);
    assert_eq!(run.ticked(), [1, 3]);
}

#[test]
fn the_other_node_is_not_ticked_when_the_selected_one_fails() {
    let mut run = running(tree! { if check(1) { told(2) } else { told(3) } });
    assert_eq!(run.tick(&[Success, Failure]), Failure);
    assert_eq!(run.ticked(), [1, 2]);
}

#[test]
fn without_else_it_fails_if_the_condition_fails() {
    let mut run = running(tree! { if check(1) { told(2) } });
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.tick(&[Failure]), Failure);
    assert_eq!(run.halted(), [2]);
}

#[test]
fn when_the_outcome_changes_the_running_node_is_halted_before_the_other_starts() {
    let mut run = running(tree! { if check(1) { told(2) } else { told(3) } });
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    let seen = run.world.take_seen();
    let at = |event| seen.iter().position(|seen| *seen == event).expect("it was seen");
    assert!(at(Event::Close(2, End::Halted(Cause::Preempted))) < at(Event::Open(3)));
}

#[test]
fn a_node_that_stays_selected_is_resumed() {
    let mut run = running(tree! { if check(1) { told(2) } else { told(3) } });
    run.tick(&[Failure, Running]);
    run.tick(&[Failure, Running]);
    assert_eq!((run.opened(), run.ticked()), (vec![], vec![1, 3]));
}

#[test]
fn mem_if_ticks_the_condition_once_per_run() {
    let mut run = running(tree! { mem_if check(1) { told(2) } else { told(3) } });
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.ticked(), [3]);
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.ticked(), [1, 2]);
    run.halt();
    assert_eq!(run.halted(), [2]);
}

#[test]
fn an_else_if_has_the_word_of_the_first_if() {
    let mut run = running(tree! { mem_if check(1) { told(2) } else if check(3) { told(4) } else { told(5) } });
    assert_eq!(run.tick(&[Failure, Success, Running]), Running);
    assert_eq!(run.ticked(), [1, 3, 4]);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.ticked(), [4]);
}

#[test]
fn conditions_are_combined_with_operators() {
    let mut run = running(tree! { if check(1) && !check(2) || check(3) { told(4) } });
    assert_eq!(run.tick(&[Success, Failure, Running]), Running);
    assert_eq!(run.ticked(), [1, 2, 4]);
    assert_eq!(run.tick(&[Success, Success, Success, Running]), Running);
    assert_eq!(run.tick(&[Failure, Failure]), Failure);
    assert_eq!(run.ticked(), [1, 3]);
    let mut run = running(tree! { if !(check(1) || (check(2) && |_: &World| true)) { told(4) } });
    assert_eq!(run.tick(&[Failure, Failure, Success]), Success);
}

#[test]
fn guards_of_transitions_are_combined_with_operators() {
    let mut run = running(tree! { machine { state a { told(1), check(2) && !check(3) -> b } state b { told(4) } } });
    assert_eq!(run.tick(&[Success, Success, Running]), Running);
    assert_eq!(run.tick(&[Success, Failure, Running]), Running);
    assert_eq!(run.ticked(), [2, 3, 4]);
}

#[test]
fn an_error_of_the_condition_is_an_error() {
    let mut run = running(tree! { if check(1) || error { told(2) } });
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.tick(&[Failure]), Error);
    assert_eq!(run.halted(), [2]);
}

#[test]
fn a_label_before_the_braces_is_that_of_the_whole_node() {
    let tree = tree! { for World: selector { if check(1) "armed" { told(2) } else { told(3) } } };
    assert_eq!(
        tree.description().to_string(),
        "selector\n└─ if \"armed\"\n   ├─ check(number: 1)\n   ├─ Told\n   └─ Told\n"
    );
}

#[test]
fn the_statuses_that_an_if_returns_are_known() {
    assert_eq!(returns(&tree! { for World: if check(1) { succeed } }), Outcomes::SUCCESS.or(Outcomes::FAILURE));
    let both = tree! { for World: if check(1) { succeed } else { run } };
    assert_eq!(returns(&both), Outcomes::SUCCESS.or(Outcomes::RUNNING));
    let never = tree! { for World: if !succeed { #[allow(unreachable)] run } else { fail } };
    assert_eq!(returns(&never), Outcomes::FAILURE);
}

fn returns<N: Node<World>>(_: &N) -> Outcomes {
    N::RETURNS
}

#[test]
fn files_have_the_condition_and_the_nodes_as_children() {
    let mut registry = Registry::<World>::new();
    registry.add::<check>("check").add::<act>("act");
    let file = |children: &str| {
        format!(
            r#"{{ "root": "0", "nodes": {{
                "0": {{ "name": "if", "children": [{children}] }},
                "1": {{ "name": "check", "properties": {{ "number": 1 }} }},
                "2": {{ "name": "act", "properties": {{ "number": 2 }} }},
                "3": {{ "name": "act", "properties": {{ "number": 3 }} }}
            }} }}"#
        )
    };
    let mut run = running(registry.load(&file(r#""1", "2", "3""#)).expect("the file is valid"));
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [1, 3]);

    let error = registry.load(&file(r#""1""#)).expect_err("a child is missing").to_string();
    assert!(error.contains("expected 2 to 3 children, found 1; note: the first is the condition"), "{error}");
}

#[test]
fn a_condition_of_a_file_that_runs_is_halted_and_counts_as_failed() {
    let mut registry = Registry::<World>::new();
    registry.add_leaf("told", told(1)).add::<act>("act");
    let file = r#"{ "root": "0", "nodes": {
        "0": { "name": "if", "children": ["1", "2", "3"] },
        "1": { "name": "told" },
        "2": { "name": "act", "properties": { "number": 2 } },
        "3": { "name": "act", "properties": { "number": 3 } }
    } }"#;
    let mut run = running(registry.load(file).expect("the file is valid"));
    assert_eq!(run.tick(&[Running, Running]), Running);
    assert_eq!((run.ticked(), run.halted()), (vec![1, 3], vec![1]));
}
