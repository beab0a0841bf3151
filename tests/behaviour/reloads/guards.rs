//! Leaves that an edit changes while they run: they begin only where everything before them has run.

use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

#[derive(Default)]
struct Thief {
    log: Vec<String>,
    is_unlocked: bool,
}

#[condition]
fn near(_: &Thief) -> bool {
    true
}

#[condition]
fn open(thief: &Thief) -> bool {
    thief.is_unlocked
}

#[action]
fn unlock(thief: &mut Thief) {
    thief.is_unlocked = true;
    thief.log.push("unlock".to_owned());
}

#[action]
fn pick(thief: &mut Thief, lock: u32) {
    thief.log.push(format!("pick {lock}"));
}

#[action]
fn goto(thief: &mut Thief, to: u32) -> Status {
    thief.log.push(format!("goto {to}"));
    Status::Running
}

fn load(text: &str) -> LoadedTree<Thief> {
    let mut registry = Registry::new();
    registry.add::<near>("near").add::<open>("open");
    registry.add::<unlock>("unlock").add::<pick>("pick").add::<goto>("goto");
    registry.load_tree(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Edits a tree that was ticked once. Returns whether the agent starts afresh, and what it does next.
fn edited(old: &str, new: &str) -> (bool, String) {
    let (before, after) = (load(old), load(new));
    let (mut thief, mut memory) = (Thief::default(), before.memory());
    before.tick(&mut thief, &mut memory);
    thief.log.clear();
    let migrated = before.reload(&after, &mut memory, &mut thief);
    after.tick(&mut thief, &mut memory);
    (migrated.starts_afresh, thief.log.join(", "))
}

#[test]
fn a_leaf_does_not_begin_past_a_guard_that_has_not_run() {
    for (old, new, expected) in [
        (
            "selector { mem_sequence { near, goto(1) } mem_sequence { unlock, goto(5) } }",
            "selector { mem_sequence { unlock, goto(5), goto(7) } }",
            "unlock, goto 5",
        ),
        (
            "selector { mem_sequence { near, goto(1) } mem_sequence { unlock, goto(5) } mem_sequence { unlock, goto(5) } }",
            "selector { mem_sequence { unlock, goto(5), goto(7) } mem_sequence { unlock, goto(5), goto(8) } }",
            "unlock, goto 5",
        ),
        ("mem_sequence { near, goto(1) }", "mem_sequence { near, unlock, goto(2) }", "unlock, goto 2"),
        ("sequence { near, goto(1) }", "sequence { near, open, goto(2) }", ""),
        ("kept_sequence { near, goto(1) }", "kept_sequence { near, unlock, goto(2) }", "unlock, goto 2"),
        ("mem_sequence { pick(1), goto(1) }", "mem_sequence { pick(2), goto(2) }", "pick 2, goto 2"),
        ("goto(1)", "mem_sequence { unlock, goto(2) }", "unlock, goto 2"),
        ("mem_sequence { selector { goto(1) } }", "mem_sequence { unlock, selector { goto(2) } }", "unlock, goto 2"),
        ("if near { goto(1) } else { unlock }", "if open { goto(2) } else { unlock }", "unlock"),
        ("if near { goto(1) } else { unlock }", "if near { unlock } else { goto(2) }", "unlock"),
        ("mem_if near { goto(1) } else { unlock }", "mem_if near { unlock } else { goto(2) }", "unlock"),
    ] {
        assert_eq!(edited(old, new), (true, expected.to_owned()), "{old}\n{new}");
    }
}

#[test]
fn a_leaf_begins_where_its_guards_have_run() {
    for (old, new) in [
        ("mem_sequence { unlock, goto(1) }", "mem_sequence { unlock, goto(2) }"),
        ("mem_sequence { unlock, goto(1) }", "mem_sequence { unlock, goto(2), near }"),
        ("mem_sequence { unlock, goto(1) }", "mem_sequence { goto(2) }"),
        ("mem_sequence { unlock, goto(1) }", "selector { fail, mem_sequence { unlock, goto(2) } }"),
        (
            "mem_sequence { unlock, selector { fail, goto(1) } }",
            "mem_sequence { unlock, selector { fail, fail, goto(2) } }",
        ),
        ("parallel { unlock, goto(1) }", "parallel { pick(3), goto(2) }"),
        ("if near { goto(1) } else { unlock }", "if near { goto(2) } else { pick(3) }"),
    ] {
        let (is_afresh, log) = edited(old, new);
        assert!(!is_afresh && log.ends_with("goto 2") && !log.contains("unlock"), "{log}: {old}\n{new}");
    }
}

#[test]
fn a_leaf_that_has_not_changed_goes_on_past_new_guards() {
    let (old, new) = ("mem_sequence { near, goto(1) }", "mem_sequence { near, unlock, goto(1) }");
    assert_eq!(edited(old, new), (false, "goto 1".to_owned()));
}
