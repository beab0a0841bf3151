//! Errors of conditions and actions, and their source.

use bt_core::Outcomes;
use bt_core::Status::{Error, Running};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

use super::{Broken, HOOKS, Npc, flag, note, stay, with_hooks};

/// Ticks a tree until it ends, and returns how it did, what was done, and the leaf that has given an error.
fn failing<N: Node<Npc>>(tree: &N, breaks: &'static str, flags: &[bool]) -> (Status, Vec<&'static str>, String) {
    let (mut npc, mut memory) = (Npc { breaks: Some(breaks), ..Npc::default() }, tree.memory());
    let mut status = Running;
    for flag in flags {
        npc.flag = *flag;
        status = tree.tick(&mut npc, &mut memory);
        npc.now += secs(1);
        if status != Running {
            break;
        }
    }
    assert_eq!(memory.is_running(), status == Running);
    let [(at, error)] = npc.errors[..] else { panic!("{:?}", npc.errors) };
    assert_eq!(error, Broken(breaks));
    (status, npc.log, tree.description().node(at).expect("there is such a node").title())
}

#[test]
fn errors_of_conditions_and_hooks_end_the_machine_and_name_the_leaf() {
    let tree = tree! {
        for Npc: machine {
            state a { stay("a"), sequence { flag, note("guard") } -> b, enter: note("enter a"), exit: note("exit a") }
            state b { stay("b"), enter: note("enter b"), exit: note("exit b"), !flag -> a }
        }
    };
    let cases: [(&str, &[bool], &[&str], &str); 5] = [
        ("enter a", &[false], &[], "enter: note(what: \"enter a\")"),
        ("guard", &[false, true], &["enter a", "a", "closed", "exit a"], "note(what: \"guard\")"),
        ("exit a", &[false, true], &["enter a", "a", "guard", "closed"], "exit: note(what: \"exit a\")"),
        ("enter b", &[false, true], &["enter a", "a", "guard", "closed", "exit a"], "enter: note(what: \"enter b\")"),
        (
            "exit b",
            &[false, true, false],
            &["enter a", "a", "guard", "closed", "exit a", "enter b", "b", "closed"],
            "exit: note(what: \"exit b\")",
        ),
    ];
    let loaded = with_hooks(HOOKS);
    assert_eq!(loaded.description().nodes().len(), tree.description().nodes().len());
    for (breaks, flags, done, leaf) in cases {
        assert_eq!(failing(&tree, breaks, flags), (Error, done.to_vec(), leaf.to_owned()), "{breaks}");
        // What is done is called as it is registered, but for what is inside it.
        let (hook, state) = breaks.split_once(' ').unwrap_or_default();
        let registered = format!("{}{}", hook[..hook.len().min(1)].to_uppercase(), hook.get(1..).unwrap_or_default());
        let leaf = leaf.replace(": note(", &format!(": {registered}{}(", state.to_uppercase()));
        assert_eq!(failing(&loaded, breaks, flags), (Error, done.to_vec(), leaf), "{breaks}, loaded");
    }
}

#[test]
fn an_error_of_an_arrow_from_any_state_ends_the_machine() {
    let tree = tree! {
        for Npc: machine { state a { stay("a") } state b { run } any { sequence { flag, note("any") } -> b } }
    };
    let (status, log, leaf) = failing(&tree, "any", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["a", "closed"], "note(what: \"any\")"));
}

#[test]
fn an_error_of_a_service_halts_its_child() {
    let tree = tree! { for Npc: service(secs(1), sequence { flag, note("serve") }) { stay("child") } };
    let (status, log, leaf) = failing(&tree, "serve", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["child", "closed"], "note(what: \"serve\")"));
    let (status, log, _) = failing(&tree, "serve", &[true]);
    assert_eq!((status, log), (Error, vec![]), "the child does not start");
}

/// A context for loaded trees, whose conditions are leaves without parameters.
fn broken_file(file: &str) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("Stay", || stay("child")).add_with("Breaks", |_: bt_dynamic::NoProperties| {
        tree! { for Npc: sequence { flag, note("breaks") } }
    });
    registry.load(file).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn loaded_conditions_and_services_give_their_errors_too() {
    let machine = broken_file(
        r#"{ "root": "m", "nodes": {
            "m": { "name": "machine", "children": ["a", "b"] },
            "a": { "name": "state", "properties": { "name": "a", "transitions": ["!Breaks -> b", "Breaks -> b"] }, "children": ["sa"] },
            "b": { "name": "state", "properties": { "name": "b", "transitions": ["Breaks -> a"] }, "children": ["sb"] },
            "sa": { "name": "Stay" }, "sb": { "name": "Stay" }
        } }"#,
    );
    assert_eq!(
        machine.description().to_string(),
        "\
machine
├─ a [!Breaks -> b, Breaks -> b]
│  ├─ Stay
│  ├─ when: invert
│  │  └─ sequence \"Breaks\"
│  │     ├─ flag
│  │     └─ note(what: \"breaks\")
│  └─ when: sequence \"Breaks\"
│     ├─ flag
│     └─ note(what: \"breaks\")
└─ b [Breaks -> a]
   ├─ Stay
   └─ when: sequence \"Breaks\"
      ├─ flag
      └─ note(what: \"breaks\")
"
    );
    // The first tick goes to b.
    let (status, log, leaf) = failing(&machine, "breaks", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["child", "closed"], "note(what: \"breaks\")"));
    let id = NodeId::new(14);
    assert_eq!(machine.description().node(id).unwrap().title(), "note(what: \"breaks\")");
    assert_eq!(machine.file_id(id), Some("b"), "the state that names the condition");
    assert_eq!(machine.file_id(NodeId::new(15)), None);

    let service = broken_file(
        r#"{ "root": "1", "nodes": {
            "1": { "name": "service", "properties": { "every": 1000, "action": "Breaks" }, "child": "2" }, "2": { "name": "Stay" }
        } }"#,
    );
    let (status, log, leaf) = failing(&service, "breaks", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["child", "closed"], "note(what: \"breaks\")"));
    let (status, log, _) = failing(&service, "breaks", &[true]);
    assert_eq!((status, log), (Error, vec![]));
}

#[test]
fn what_errors_can_come_of_is_known() {
    fn returns<N: Node<Npc>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let err = Outcomes::ERROR.or(Outcomes::RUNNING);
    assert_eq!(returns(&tree! { machine { state a { run, note("x") -> b } state b { run, flag -> a } } }), err);
    assert_eq!(returns(&tree! { machine { state a { run, enter: note("x") } } }), err);
    assert_eq!(returns(&tree! { machine { state a { run, exit: note("x") } } }), err);
    assert_eq!(returns(&tree! { service(secs(1), note("x")) { run } }), err);
    assert_eq!(
        returns(&tree! { machine { state a { run, flag -> b } state b { run, flag -> a } } }),
        Outcomes::RUNNING
    );
}
