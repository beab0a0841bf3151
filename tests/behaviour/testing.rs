//! `bt_core::testing`: tests of trees.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::testing::{EventLog, ManualClock, Script, TreeTest, scripted};
use bt_dynamic::{NoProperties, Registry};
use bt_tests::world::{Event, World, act, check, entered, told};

/// A tree in which every kind of leaf occurs.
fn leaves() -> impl Node<World> + Save + Send + Sync {
    tree! {
        parallel(success = 4, failure = 3) {
            told(1) "lifecycle",
            act(2) "action",
            check(3) "condition",
            wait(secs(5)),
            run,
        }
    }
}

fn message<R>(act: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| _ = act())).expect_err("it panics");
    panic.downcast::<String>().map(|text| *text).expect("the panic has a text")
}

#[test]
fn a_replaced_leaf_returns_its_script_and_is_not_ticked() {
    let mut test = TreeTest::new(leaves(), World::telling(&[Success]));
    test.replace("lifecycle", [Running, Running, Failure]);
    test.replace("action", [Running, Error]);
    test.replace("condition", [Failure]).replace("wait", [Running]).replace("run", Running);
    assert_eq!(test.tick(), Running);
    let log =
        ["lifecycle: running", "action: running", "condition: failure", "wait(time: 5s): running", "run: running"];
    assert_eq!(test.log(), log);
    // A leaf with a lifecycle is opened; nothing is ticked.
    assert_eq!(test.ctx.take_seen(), [Event::Open(1)]);
    assert_eq!(test.tick(), Error);
    assert_eq!(test.ctx.take_seen(), [Event::Close(1, End::Halted(Cause::Ended))]);
    let log = ["lifecycle: running", "action: error", "lifecycle: halted", "wait(time: 5s): halted", "run: halted"];
    assert_eq!(test.log(), log);
}

#[test]
fn a_replaced_leaf_that_ends_is_closed() {
    let mut test = TreeTest::new(tree! { for World: sequence { told(1) } }, World::default());
    test.replace("sequence/Told", [Running, Success]);
    assert_eq!([test.tick(), test.tick()], [Running, Success]);
    assert_eq!(test.ctx.take_seen(), [Event::Open(1), Event::Close(1, End::Halted(Cause::Ended))]);
}

#[test]
fn the_last_status_is_repeated_and_restore_ticks_the_leaf_again() {
    let mut test = TreeTest::new(tree! { for World: act(1) }, World::telling(&[Error]));
    test.replace("act", vec![Failure, Success]);
    assert_eq!([test.tick(), test.tick(), test.tick()], [Failure, Success, Success]);
    assert_eq!(test.restore("act").tick(), Error);
    assert_eq!(test.replace("act", vec![]).tick(), Success, "an empty script succeeds");
}

#[test]
fn a_composite_is_replaced_by_an_end_and_halted_if_it_runs() {
    let mut test = TreeTest::new(
        tree! { for World: mem_selector { sequence "fight" { told(1), told(2) } run } },
        World::telling(&[Success, Running]),
    );
    assert_eq!(test.tick(), Running);
    test.ctx.take_seen();
    assert_eq!(test.replace("fight", Failure).tick(), Running);
    assert_eq!(test.ctx.take_seen(), [Event::Close(2, End::Halted(Cause::Ended))]);
    assert_eq!(test.status("run"), Some(Running));
    let log = test.log();
    assert!(log.contains(&"fight: failure".to_owned()), "a replaced node is part of the log: {log:?}");
    let refused = message(|| _ = test.replace("fight", [Failure, Running]));
    assert_eq!(
        refused,
        "`fight` cannot be replaced by `Running`, because this `sequence` is not a leaf: replace leaves below it"
    );
}

#[test]
fn guards_hooks_and_services_are_replaced_too() {
    let tree = tree! {
        for World: machine "mood" {
            state calm { service(secs(1), entered(1)) { run } check(2) -> angry, !check(3) -> angry }
            state angry { enter: entered(4), run, check(5) -> calm }
        }
    };
    let mut test = TreeTest::new(tree, World::telling(&[Error]));
    test.replace("entered", Success).replace("check", Failure).replace("calm/invert", Failure);
    test.tick();
    assert_eq!(test.state("mood"), Some("calm"));
    test.restore("calm/invert").tick();
    assert_eq!(test.state("mood"), Some("angry"));
    assert_eq!(test.ctx.take_seen(), []);
    let log = test.log();
    assert!(
        log.contains(&"mood -> angry".to_owned()) && log.contains(&"entered(number: 4): success".to_owned()),
        "{log:?}"
    );
}

#[test]
fn the_loaded_engine_replaces_the_same_nodes() {
    let mut registry = Registry::<World>::new().with_clock();
    registry.add_with("Told", |_: NoProperties| told(1)).add_with("Act", |_: NoProperties| act(2));
    registry.add_with("Check", |_: NoProperties| check(3));
    let file = r#"{ "root": "p", "nodes": {
        "p": { "name": "parallel", "children": ["1", "2", "3", "4", "5"], "properties": { "success": 4, "failure": 3 } },
        "1": { "name": "Told", "title": "lifecycle" }, "2": { "name": "Act", "title": "action" },
        "3": { "name": "Check", "title": "condition" }, "4": { "name": "wait", "properties": { "time": 5000 } },
        "5": { "name": "Runner" }
    } }"#;
    let loaded = registry.load(file).expect("nothing is wrong with it");
    let mut test = TreeTest::new(loaded, World::telling(&[Success]));
    let mut written = TreeTest::new(leaves(), World::telling(&[Success]));
    let scripts = [
        ("lifecycle", vec![Running, Running, Failure, Success]),
        ("action", vec![Failure, Running, Running, Success]),
        ("condition", vec![Failure, Success, Failure]),
        ("wait", vec![Running, Running, Success]),
        ("run", vec![Running]),
    ];
    for (path, script) in scripts {
        test.replace(path, script.clone());
        written.replace(path, script);
    }
    for tick in 0..12 {
        if tick == 9 {
            test.restore("wait").restore("action").restore("lifecycle");
            written.restore("wait").restore("action").restore("lifecycle");
        }
        assert_eq!(test.tick(), written.tick(), "tick {tick}");
        let statuses = |log: Vec<String>| log.into_iter().map(|line| line.rsplit(": ").next().unwrap().to_owned());
        assert!(statuses(test.log()).eq(statuses(written.log())), "tick {tick}");
        assert_eq!(test.ctx.take_seen(), written.ctx.take_seen(), "tick {tick}");
    }
    test.halt();
    written.halt();
    assert_eq!(test.ctx.take_seen(), written.ctx.take_seen());
}

#[test]
fn a_path_without_a_node_panics_with_the_tree() {
    let mut test = TreeTest::new(tree! { for World: selector { check(1), run } }, World::default());
    for text in [
        message(|| _ = test.replace("chek", Success)),
        message(|| test.status("chek")),
        message(|| test.is_running("selector/chek")),
    ] {
        assert!(text.contains("no node is named") && text.contains("├─ check(number: 1)"), "{text}");
    }
    assert!(message(|| test.state("selector")).contains("no machine is named `selector`"));
    let refused = message(|| _ = test.replace("check", Running));
    assert_eq!(refused, "`check` cannot be replaced by `Running`: `check` only returns Success | Failure");
}

#[test]
fn the_test_knows_what_runs_and_what_was_returned() {
    let mut test = TreeTest::new(
        tree! { for World: selector { sequence "fight" { told(1), told(2) } run "patrol" } },
        World::telling(&[Failure, Success, Running]),
    );
    assert_eq!(test.status("fight"), None);
    test.tick();
    assert_eq!((test.status("fight"), test.status("patrol")), (Some(Failure), Some(Running)));
    assert!(test.is_running("patrol") && test.is_running("") && !test.is_running("fight"));
    test.tick();
    assert_eq!((test.status("fight"), test.status("patrol")), (Some(Running), None), "the patrol was halted");
    assert!(test.is_running("fight") && !test.is_running("patrol"));
    test.halt();
    assert!(!test.is_running(""));
    assert_eq!(test.log().last().map(String::as_str), Some("Told: halted"));
}

#[test]
fn ticking_until_something_holds_is_bounded() {
    let tree = tree! { for ManualClock: mem_sequence { wait(secs(1)), scripted("go", [Running, Success]) } };
    let mut test = TreeTest::new(tree, ManualClock::new(secs(7))).before_each_tick(|clock| clock.advance(millis(250)));
    assert_eq!(test.tick_until(10, |test| test.is_running("go")), 5);
    assert_eq!(test.tick_to_end(10), Success);
    assert_eq!(test.ctx.now(), millis(8500));
    test.log();
    let text = message(|| test.tick_until(2, |test| test.is_running("go")));
    assert_eq!(
        text,
        "the condition does not hold after 2 ticks; the log is:\nwait(time: 1s): running\nwait(time: 1s): running"
    );
}

#[test]
fn a_machine_is_forced_in_a_test() {
    let tree = tree! {
        for World: selector {
            check(1),
            machine "lamp" { state off { run, check(2) -> on } state on { run, check(2) -> off } }
        }
    };
    let mut test = TreeTest::new(tree, World::telling(&[Failure]));
    test.tick();
    assert_eq!(test.tick_into("lamp", "on"), Running);
    assert_eq!(test.state("lamp"), Some("on"));
    assert_eq!(message(|| test.tick_into("lamp", "dim")), "unknown state `dim`; the states are: off, on");
    test.ctx.told = vec![Success];
    assert_eq!(message(|| test.tick_into("lamp", "off")), "the tick did not reach the machine `lamp`");
}

#[test]
fn scripted_leaves_keep_their_position_in_the_memory() {
    let tree = tree! { for (): scripted("step", [Running, Failure, Success]) };
    let (mut ann, mut ben) = (tree.memory(), tree.memory());
    assert_eq!([tree.tick(&mut (), &mut ann), tree.tick(&mut (), &mut ann)], [Running, Failure]);
    assert_eq!(tree.tick(&mut (), &mut ben), Running);
    let save = serde_json::to_string(&tree.saved(&ann)).unwrap();
    let mut ann = tree.memory();
    tree.load(&mut ann, &mut serde_json::Deserializer::from_str(&save)).unwrap();
    assert_eq!([tree.tick(&mut (), &mut ann), tree.tick(&mut (), &mut ann)], [Success, Success]);
    assert_eq!(tree.description().to_string(), "step\n");
    let script = Script::from([Running, Error]);
    assert_eq!([0, 1, 2].map(|tick| script.status(tick)), [Running, Error, Error]);
}

#[test]
fn an_event_log_with_all_nodes_has_composites_and_decorators() {
    let tree = tree! { for World: selector "root" { !check(1), force_failure { act(2) } } };
    let mut log = EventLog::new(&tree.description()).with_all_nodes();
    let mut world = World::telling(&[Success]);
    tree.tick_with(&mut world, &mut tree.memory(), &mut log);
    let lines = [
        "check(number: 1): success",
        "invert: failure",
        "act(number: 2): success",
        "force_failure: failure",
        "root: failure",
    ];
    assert_eq!(log.take(), lines);
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn replaced_leaves_of_boxed_trees_and_contexts_that_borrow() {
    struct Ctx<'w>(&'w mut Vec<u32>);

    #[action]
    fn push(ctx: &mut Ctx<'_>, #[open(5)] n: &mut u32) -> Status {
        ctx.0.push(*n);
        Status::Success
    }

    #[subtree]
    fn pushes() -> impl Node<Ctx<'_>> {
        tree! { mem_sequence { push "first", push "second" } }
    }

    let mut log = vec![];
    let mut test = TreeTest::new(pushes(), Ctx(&mut log));
    test.replace("first", [Running, Success]);
    assert_eq!(test.tick_to_end(5), Success);
    drop(test);
    assert_eq!(log, [5]);

    let mut test = TreeTest::new(
        tree! { for World: sequence { boxed(act(1)), boxed(tree! { for World: told(2) }) } },
        World::default(),
    );
    test.replace("act", [Running, Success]).replace("Told", [Running, Failure]);
    assert_eq!([test.tick(), test.tick(), test.tick()], [Running, Running, Failure]);
    assert_eq!(test.ctx.take_seen(), [Event::Open(2), Event::Close(2, End::Halted(Cause::Ended))]);
}

#[test]
fn nodes_are_named_with_their_parameters_and_the_root_by_the_empty_path() {
    let mut test = TreeTest::new(tree! { for World: selector { act(1), act(2) } }, World::default());
    test.replace("act(number: 1)", Failure).replace("", Success).restore("");
    test.replace("act(number: 2)", Running);
    assert_eq!(test.tick(), Running);
    assert_eq!(test.log(), ["act(number: 1): failure", "act(number: 2): running", "selector: running"]);
    assert_eq!((test.status(""), test.status("act(number: 1)")), (Some(Running), Some(Failure)));
}

#[test]
fn a_test_continues_with_a_loaded_memory() {
    let tree = || tree! { for World: mem_sequence { act(1), act(2), run "stay" } };
    let mut test = TreeTest::new(tree(), World::telling(&[Success]));
    test.tick();
    let save = serde_json::to_string(&tree().saved(test.memory())).unwrap();
    let mut memory = tree().memory();
    tree().load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).unwrap();

    let mut test = TreeTest::new(tree(), World::default()).with_memory(memory);
    assert!(test.is_running("") && !test.is_running("stay"));
    test.tick();
    assert_eq!(test.log(), ["stay: running"]);
    assert!(test.is_running("stay"));
    let (tree, world, memory) = test.parts_mut();
    tree.halt(world, memory);
    assert!(!test.is_running("") && !test.is_running("stay") && test.status("stay").is_none());
}

#[test]
fn a_tree_that_does_not_end_says_so() {
    let mut test = TreeTest::new(tree! { for (): run }, ());
    assert_eq!(
        message(|| test.tick_to_end(2)),
        "the tree is still running after 2 ticks; the log is:\nrun: running\nrun: running"
    );
    let refused = message(|| _ = TreeTest::new(tree! { for (): fail }, ()).replace("fail", vec![]));
    assert_eq!(refused, "`fail` cannot be replaced by `Success`: `fail` only returns Failure");
}

#[test]
fn a_status_of_an_earlier_tick_is_none() {
    let tree = tree! { for World: selector { told(1), act(2), check(3) } };
    let mut test = TreeTest::new(tree, World::telling(&[Failure, Failure, Success, Running]));
    test.tick();
    assert_eq!(["Told", "act", "check"].map(|node| test.status(node)), [Some(Failure), Some(Failure), Some(Success)]);
    test.tick();
    assert_eq!(["Told", "act", "check"].map(|node| test.status(node)), [Some(Running), None, None]);
    // Of another memory nothing is known.
    let memory = tree_memory(&test);
    let test = test.with_memory(memory);
    assert_eq!((test.status("Told"), test.is_running("Told")), (None, false));
}

fn tree_memory<N: Node<World>>(_: &TreeTest<N, World>) -> Memory<N> {
    Memory::new()
}
