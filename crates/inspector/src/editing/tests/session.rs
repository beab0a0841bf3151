//! Tests of the history, and of what is saved and applied.

use bt_syntax::edit::{Notation, Operation};

use super::{GUARD, insert_after, label, node};
use crate::editing::history::MAX_STEPS;
use crate::editing::session::{Keep, Session};

fn guard() -> Session {
    Session::open(Notation::TEXT, GUARD, true, None).expect("it is valid")
}

fn change(session: &mut Session, operation: Operation) {
    session.change(vec![operation], 10).expect("it can be applied");
}

#[test]
fn a_step_is_undone_and_redone() {
    let mut session = guard();
    assert_eq!((session.steps(), session.is_saved(), session.version()), ([None, None], true, 0));
    assert_eq!(session.undo(), Err("there is nothing to undo".to_owned()));
    assert_eq!(session.redo(), Err("there is nothing to redo".to_owned()));
    let wrap = Operation::Wrap { nodes: vec![node(&session, "attack")], head: "cooldown(secs(2))".to_owned() };
    let selected = session.change(vec![wrap], 10).expect("it can be applied");
    assert_eq!(selected, [node(&session, "cooldown(secs(2))")]);
    let changed = session.text().clone();
    assert!(changed.contains("    cooldown(secs(2)) { attack } // hard\n"), "{changed}");
    assert_eq!((session.steps(), session.is_saved()), ([Some("wrap attack"), None], false));
    assert_eq!(session.undo(), Ok(()));
    assert_eq!(&**session.text(), GUARD);
    assert_eq!((session.steps(), session.is_saved()), ([None, Some("wrap attack")], true));
    assert_eq!(session.redo(), Ok(()));
    assert_eq!((session.text(), session.version()), (&changed, 3));
    assert_eq!(session.undo(), Ok(()));
    let other = label(&session, "patrol", "walk");
    change(&mut session, other);
    assert_eq!(session.steps(), [Some("label patrol"), None], "what was undone is gone");
}

#[test]
fn operations_of_a_change_are_one_step_and_all_or_none_are_applied() {
    let mut session = guard();
    let (attack, patrol) = (node(&session, "attack"), node(&session, "patrol"));
    let two = vec![label(&session, "attack", "a"), label(&session, "patrol", "b")];
    assert_eq!(session.change(two, 10), Ok(vec![patrol]));
    assert_eq!(session.steps()[0], Some("label attack and 1 more"));
    session.undo().expect("one step");
    assert_eq!(&**session.text(), GUARD);
    let bad = vec![Operation::Delete { nodes: vec![attack] }, Operation::Label { node: attack, label: None }];
    assert!(session.change(bad, 10).is_err());
    assert_eq!((&**session.text(), session.steps()[1]), (GUARD, Some("label attack and 1 more")));
    assert_eq!(session.change(Vec::new(), 10), Ok(Vec::new()), "nothing is no step");
    assert_eq!(session.steps()[0], None);
}

#[test]
fn an_attempt_changes_nothing() {
    let session = guard();
    let (_, text) = session.attempt(&label(&session, "attack", "x")).expect("it could be applied");
    assert!(text.contains("attack \"x\""), "{text}");
    assert!(session.attempt(&Operation::Delete { nodes: vec![999] }).is_err());
    assert_eq!((&**session.text(), session.version()), (GUARD, 0));
}

#[test]
fn a_document_is_saved_while_it_is_what_the_file_contains() {
    let mut session = guard();
    let operation = label(&session, "attack", "x");
    change(&mut session, operation);
    assert_eq!(session.difference().lines().filter(|line| line.starts_with(['-', '+'])).count(), 2);
    session.set_saved();
    assert!(session.is_saved() && session.difference().is_empty());
    session.undo().expect("saved steps can be undone");
    assert!(!session.is_saved());
    session.redo().expect("and redone");
    assert!(session.is_saved());
}

#[test]
fn a_document_is_applied_while_it_is_what_the_program_runs() {
    let mut session = guard();
    assert!(session.is_applied(), "there is no program");
    session.set_applied(Some(GUARD.into()));
    let operation = label(&session, "attack", "x");
    change(&mut session, operation);
    assert!(!session.is_applied());
    session.set_saved();
    assert!(session.difference().contains("+    attack \"x\""), "to what runs: {}", session.difference());
    session.set_applied(Some(session.text().clone()));
    assert!(session.is_applied() && session.difference().is_empty());
}

#[test]
fn a_changed_file_replaces_a_document_without_changes_and_that_can_be_undone() {
    let mut session = guard();
    let attack = node(&session, "attack");
    session.found(Some(GUARD));
    assert_eq!((session.version(), session.is_saved()), (0, true));
    let theirs = GUARD.replace("patrol", "sleep");
    session.found(Some(&theirs));
    assert_eq!((&**session.text(), session.is_saved()), (&*theirs, true));
    assert_eq!((session.steps()[0], node(&session, "attack")), (Some("change of the file"), attack));
    session.undo().expect("it is a step");
    assert_eq!((&**session.text(), session.is_saved()), (GUARD, false));
    session.found(Some(&theirs));
    assert_eq!(&**session.text(), GUARD, "the file has not changed again");
}

#[test]
fn changes_that_do_not_touch_are_merged() {
    let mut session = guard();
    let operation = label(&session, "attack", "x");
    change(&mut session, operation);
    let theirs = GUARD.replace("patrol", "patrol, sleep");
    session.found(Some(&theirs));
    assert!(session.conflict().is_none(), "{:?}", session.conflict());
    assert!(session.text().contains("attack \"x\"") && session.text().contains("sleep"), "{}", session.text());
    assert_eq!((session.steps()[0], session.is_saved()), (Some("merge with the file"), false));
    session.set_saved();
    assert!(session.is_saved());
}

#[test]
fn changes_are_merged_again_and_again_with_the_nodes_that_they_have_made() {
    let mut session = guard();
    let operation = insert_after(&session, "attack", "mine");
    change(&mut session, operation);
    let operation = label(&session, "mine", "first");
    change(&mut session, operation);
    let theirs = GUARD.replace("patrol", "theirs, patrol");
    session.found(Some(&theirs));
    assert!(session.conflict().is_none(), "{:?}", session.conflict());
    let operation = Operation::Wrap { nodes: vec![node(&session, "mine")], head: "invert".to_owned() };
    change(&mut session, operation);
    let operation = label(&session, "invert", "second");
    change(&mut session, operation);
    let theirs = theirs.replace("patrol", "patrol, more");
    session.found(Some(&theirs));
    assert!(session.conflict().is_none(), "{:?}", session.conflict());
    let text: String = session.text().split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "invert \"second\" { mine \"first\" }";
    assert!(text.contains(expected) && text.contains("theirs,") && text.contains("more"), "{text}");
    assert!(!text.contains("theirs \""), "{text}");
}

#[test]
fn changes_that_touch_are_a_conflict_until_one_side_wins() {
    let in_conflict = || {
        let mut session = guard();
        let operation = label(&session, "attack", "mine");
        change(&mut session, operation);
        let theirs = GUARD.replace("attack", "attack \"theirs\"");
        session.found(Some(&theirs));
        (session, theirs)
    };
    let (mut session, theirs) = in_conflict();
    let conflict = session.conflict().expect("both have changed the label");
    assert_eq!((&*conflict.base, &*conflict.theirs, conflict.reasons.len()), (GUARD, &*theirs, 1));
    assert!(!session.is_saved() && session.text().contains("mine"));
    session.found(Some(&theirs));
    assert!(session.conflict().is_some(), "nothing new");
    // The document can be changed meanwhile.
    let operation = label(&session, "patrol", "walk");
    change(&mut session, operation);
    session.resolve(Keep::Mine).expect("there is a conflict");
    assert!(session.conflict().is_none() && !session.is_saved());
    assert!(session.text().contains("mine") && session.difference().contains("-    attack \"theirs\""));
    assert_eq!(session.resolve(Keep::Mine), Err("there is no conflict".to_owned()));
    session.set_saved();

    let (mut session, theirs) = in_conflict();
    session.resolve(Keep::Theirs).expect("there is a conflict");
    assert_eq!((&**session.text(), session.is_saved()), (&*theirs, true));
    session.undo().expect("it is a step");
    assert!(session.text().contains("mine"), "nothing is lost");

    let (mut session, _) = in_conflict();
    session.found(Some(GUARD));
    assert!(session.conflict().is_none() && !session.is_saved(), "they took it back");
    let (mut session, _) = in_conflict();
    let mine = session.text().clone();
    session.found(Some(&mine));
    assert!(session.conflict().is_none() && session.is_saved(), "both are the same");
    let (mut session, _) = in_conflict();
    session.found(Some(&GUARD.replace("patrol", "sleep")));
    assert!(session.conflict().is_none(), "another change, which does not touch");
}

#[test]
fn what_was_saved_and_undone_is_not_merged() {
    let mut session = guard();
    let operation = label(&session, "attack", "x");
    change(&mut session, operation);
    session.set_saved();
    let saved = session.text().clone();
    session.undo().expect("a step");
    let operation = label(&session, "patrol", "y");
    change(&mut session, operation);
    session.found(Some(&saved.replace("selector", "mem_selector")));
    let conflict = session.conflict().expect("the operations since the save are not known");
    assert_eq!(conflict.reasons, ["saved changes were undone, or there are too many unsaved changes"]);
}

#[test]
fn a_file_that_cannot_be_read_is_a_conflict_until_it_can() {
    let mut session = guard();
    session.found(Some("selector { attack"));
    let conflict = session.conflict().expect("it is not understood");
    assert!(conflict.reasons[0].contains("not closed"), "{conflict:?}");
    assert_eq!(&**session.text(), GUARD);
    assert!(session.resolve(Keep::Theirs).is_err_and(|error| error.starts_with("the file cannot be read: ")));
    let theirs = GUARD.replace("attack", "attack \"x\"");
    session.found(Some(&theirs));
    assert_eq!((&**session.text(), session.is_saved()), (&*theirs, true));
    session.found(Some("}"));
    session.resolve(Keep::Mine).expect("there is a conflict");
    assert!(!session.is_saved() && session.conflict().is_none());
    session.set_saved();
    assert!(session.is_saved());
}

#[test]
fn a_removed_file_is_created_again_and_a_new_one_is_not_replaced() {
    let mut session = guard();
    session.found(None);
    assert_eq!((&**session.text(), session.is_saved()), (GUARD, false));
    assert_eq!(session.error.as_deref(), Some("the file was removed"));
    session.set_saved();
    assert_eq!((session.error.as_deref(), session.is_saved()), (None, true));

    let new = || Session::open(Notation::TEXT, "", false, None).expect("an empty tree");
    let mut session = new();
    assert!(!session.is_saved());
    session.found(Some(GUARD));
    assert_eq!((&**session.text(), session.is_saved()), (GUARD, true), "nothing was done yet");
    let mut session = new();
    let tree = session.document().trees[0].id;
    let first = Operation::Insert { text: "attack".to_owned(), at: bt_syntax::edit::At::Tree { tree } };
    change(&mut session, first);
    session.found(Some(GUARD));
    assert_eq!(session.conflict().expect("two files").reasons, ["a file was created that contains something else"]);
}

#[test]
fn a_million_changes_are_bounded() {
    let mut session = guard();
    let mut names = ["x", "y"].iter().cycle();
    // Each step is as large as a message can be.
    for _ in 0..3 * MAX_STEPS {
        let operation = label(&session, "attack", names.next().expect("they are endless"));
        session.change(vec![operation], 256 << 10).expect("it can be applied");
    }
    let mut undone = 0;
    while session.undo().is_ok() {
        undone += 1;
    }
    assert_eq!(undone, 128, "32 MiB of operations");
    let mut session = guard();
    for _ in 0..3 * MAX_STEPS {
        let operation = label(&session, "attack", names.next().expect("they are endless"));
        change(&mut session, operation);
    }
    while session.undo().is_ok() {
        undone += 1;
    }
    assert_eq!(undone, 128 + MAX_STEPS);
    session.found(Some(&GUARD.replace("patrol", "sleep")));
    assert!(session.conflict().is_some(), "the operations since the file are forgotten");
}

#[test]
fn sources_and_files_of_the_editor_are_merged_too() {
    let rust = "// Two guards.\r\nfn a() { tree! { selector { attack, patrol } } }\r\nfn b() { tree! { walk } }\r\n";
    let json = r#"{ "id": "t", "title": "a", "root": "1", "nodes": {
        "1": { "id": "1", "name": "Priority", "children": ["2", "3"], "display": { "x": 1, "y": 2 } },
        "2": { "id": "2", "name": "attack", "more": [1, 2] },
        "3": { "id": "3", "name": "patrol" } } }"#;
    for (notation, text, theirs) in [
        (
            Notation::RUST,
            rust,
            rust.replace("walk", "walk, run").replace("{ walk, run }", "{ sequence { walk, run } }"),
        ),
        (Notation::JSON, json, json.replace("\"patrol\"", "\"walk\"")),
    ] {
        let mut session = Session::open(notation, text, true, None).expect("it is valid");
        let operation = label(&session, "attack", "mine");
        change(&mut session, operation);
        session.found(Some(&theirs));
        assert!(session.conflict().is_none(), "{notation:?}: {:?}", session.conflict());
        let merged = session.text().clone();
        assert!(merged.contains("mine") && merged.contains("walk"), "{merged}");
        assert_eq!(merged.matches("\r\n").count(), text.matches("\r\n").count(), "{merged:?}");
        session.set_saved();
        let touching = merged.replace("mine", "theirs");
        let operation = label(&session, "attack", "again");
        change(&mut session, operation);
        session.found(Some(&touching));
        assert!(session.conflict().is_some(), "{notation:?}");
        session.resolve(Keep::Theirs).expect("there is a conflict");
        assert_eq!(&**session.text(), touching);
    }
}
