//! Actions on entering and leaving a state, in files.

use bt_core::Status::{Error, Running};
use bt_core::observe::Statistics;
use bt_core::prelude::*;
use bt_tests::without_layout;

use super::{HOOKS, Npc, leaves_of_hooks, with_hooks};

#[test]
fn loaded_states_are_entered_and_left_as_written_ones_are() {
    let tree = with_hooks(HOOKS);
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    for flag in [false, true, false] {
        npc.flag = flag;
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    }
    assert_eq!(
        npc.log,
        ["enter a", "a", "guard", "closed", "exit a", "enter b", "b", "closed", "exit b", "enter a", "a"]
    );
    npc.log.clear();
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.log, ["closed", "exit a"], "to halt a machine is to leave its state");
    npc.log.clear();
    let machine = tree.machine("m").expect("it is one");
    assert_eq!(machine.to("b", &mut npc, &mut memory), Ok(Running));
    assert_eq!(machine.to("a", &mut npc, &mut memory), Ok(Running));
    assert_eq!(npc.log, ["enter b", "exit b", "enter a"]);
    // An error ends the run, and its state is not left again.
    (npc.breaks, npc.log) = (Some("enter b"), Vec::new());
    assert_eq!(machine.to("b", &mut npc, &mut memory), Ok(Error));
    assert_eq!((npc.log.as_slice(), memory.is_running()), (&["exit a"][..], false));
    npc.log.clear();
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.log, [""; 0]);
    assert_eq!(machine.to("b", &mut npc, &mut memory), Ok(Error), "a run that begins with it");
    assert!(!memory.is_running());
    npc.breaks = None;
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(npc.log, ["enter a", "a"]);
}

#[test]
fn an_error_of_a_forced_machine_ends_what_is_above_it_in_a_loaded_tree() {
    let file = r#"{ "root": "p", "nodes": {
        "p": { "name": "parallel", "children": ["s", "m"], "properties": { "success": 2, "failure": 2 } },
        "s": { "name": "StayA" },
        "m": { "name": "machine", "children": ["a", "b"] },
        "a": { "name": "state", "children": ["sa"], "properties": { "name": "a", "exit": "ExitA" } },
        "b": { "name": "state", "children": ["sb"], "properties": { "name": "b", "enter": "EnterB", "transitions": ["Flag -> a"] } },
        "sa": { "name": "StayA" }, "sb": { "name": "StayB" }
    } }"#;
    let tree = with_hooks(file);
    let machine = tree.machine("m").expect("it is one");
    for breaks in ["enter b", "exit a"] {
        let (mut npc, mut memory) = (Npc::default(), tree.memory());
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        (npc.breaks, npc.log) = (Some(breaks), Vec::new());
        let mut statistics = Statistics::default();
        assert_eq!(machine.to_with("b", &mut npc, &mut memory, &mut statistics), Ok(Error));
        assert!(!memory.is_running());
        let closed: &[_] = if breaks == "enter b" { &["closed", "exit a", "closed"] } else { &["closed", "closed"] };
        assert_eq!(npc.log, closed, "{breaks}");
        assert_eq!(npc.errors.len(), 1);
    }
}

#[test]
fn hooks_in_files_are_leaves_and_survive_being_written() {
    let tree = with_hooks(HOOKS);
    assert_eq!(
        tree.description().to_string(),
        "\
machine
├─ a [Guard -> b]
│  ├─ StayA
│  ├─ when: sequence \"Guard\"
│  │  ├─ flag
│  │  └─ note(what: \"guard\")
│  ├─ enter: EnterA(what: \"enter a\")
│  └─ exit: ExitA(what: \"exit a\")
└─ b [!Flag -> a]
   ├─ StayB
   ├─ when: invert
   │  └─ Flag
   ├─ enter: EnterB(what: \"enter b\")
   └─ exit: ExitB(what: \"exit b\")
"
    );
    assert_eq!(
        without_layout(&with_hooks(&tree.to_behavior3().write()).description()),
        without_layout(&tree.description())
    );

    for (from, to, expected) in [
        (
            "EnterB\"",
            "EnterC\"",
            "property `enter`: expected the name of a leaf, found `EnterC`; help: did you mean `EnterA`?",
        ),
        ("EnterA", "Inverter", "expected the name of a leaf, found `Inverter`; note: it is a keyword"),
        (
            "\"name\": \"b\"",
            "\"name\": \"success\"",
            "a state cannot be named `success`; note: `-> success` ends the machine",
        ),
        ("\"ExitA\"", "7", "property `exit`: expected a string, found `7`"),
    ] {
        let error = leaves_of_hooks().load(&HOOKS.replace(from, to)).expect_err("an error").to_string();
        assert!(error.contains(expected), "{error}");
    }
}
