//! Cleanups that go on after a halt, in loaded trees: in edits, in memories of earlier trees, in leaves that are trees, after panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_dynamic::{LiveTree, LoadedTree, Migrated, Registry};

/// What the leaves return, by their names, and what they have seen.
#[derive(Default)]
struct Robot {
    statuses: Vec<(&'static str, Status)>,
    seen: Vec<String>,
    is_stopped: bool,
}

impl Robot {
    /// From now on, this leaf returns this status.
    fn set(&mut self, leaf: &'static str, status: Status) {
        self.statuses.insert(0, (leaf, status));
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.seen).join(", ")
    }
}

/// A leaf that is running until it is given another status. It panics instead of an error.
#[derive(Clone)]
struct Named(&'static str);

#[leaf]
impl Leaf<Robot> for Named {
    fn open(&self, robot: &mut Robot) {
        robot.seen.push(self.0.to_owned());
    }

    fn tick(&self, (): &mut (), robot: &mut Robot) -> Status {
        let status = robot.statuses.iter().find(|(leaf, _)| *leaf == self.0).map_or(Running, |(_, status)| *status);
        assert_ne!(status, Error, "planned");
        status
    }

    fn close(&self, (): &mut (), robot: &mut Robot, end: End) {
        robot.seen.push(format!("{} {end:?}", self.0));
    }

    fn pause(&self, (): &mut (), robot: &mut Robot) {
        robot.seen.push(format!("{} pauses", self.0));
    }
}

#[condition]
fn stopped(robot: &Robot) -> bool {
    robot.is_stopped
}

fn registry() -> Registry<Robot> {
    let mut registry = Registry::new();
    for name in ["work", "rest", "clean", "sweep"] {
        registry.add_leaf(name, Named(name));
    }
    registry.add_leaf("whole", tree! { for Robot: finally { Named("work"), Named("clean") } });
    registry.add::<stopped>("stopped");
    registry
}

fn load(text: &str) -> LoadedTree<Robot> {
    registry().load_tree(text).unwrap_or_else(|error| panic!("{error}"))
}

/// An agent whose tree was halted in the body of a `finally`.
fn halted(text: &str) -> (LoadedTree<Robot>, Robot, Memory<LoadedTree<Robot>>) {
    let tree = load(text);
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    tree.tick(&mut robot, &mut memory);
    tree.halt(&mut robot, &mut memory);
    assert!(tree.is_cleaning_up(&memory));
    robot.take();
    (tree, robot, memory)
}

#[test]
fn a_cleanup_that_is_left_goes_on_in_the_edited_tree() {
    for edited in
        ["selector { fail, finally { work, clean } }", "finally { rest, clean }", "finally { work, timeout { clean } }"]
    {
        let edited = edited.replace("timeout", "force_success");
        let (old, mut robot, mut memory) = halted("finally { work, clean }");
        let new = load(&edited);
        let migrated = old.reload(&new, &mut memory, &mut robot);
        assert_eq!(migrated, Migrated::default(), "{edited}");
        assert!(new.is_cleaning_up(&memory) && !memory.is_running(), "{edited}");
        assert_eq!(new.tick(&mut robot, &mut memory), Running);
        assert_eq!(robot.take(), "", "{edited}: it waits");
        robot.set("clean", Success);
        assert_eq!(new.tick(&mut robot, &mut memory), Running);
        assert!(robot.take().starts_with("clean Success, "), "{edited}");
    }
}

#[test]
fn a_cleanup_that_is_left_is_halted_if_the_edited_tree_does_not_have_it() {
    for edited in ["work", "sequence { clean, work }", "selector { rest, sequence { clean, work } }"] {
        let (old, mut robot, mut memory) = halted("finally { work, clean }");
        let new = load(edited);
        let migrated = old.reload(&new, &mut memory, &mut robot);
        assert_eq!((robot.take().as_str(), migrated.halted.len()), ("clean Halted(Edited)", 1), "{edited}");
        assert!(!new.is_cleaning_up(&memory) && !migrated.starts_afresh, "{edited}");
        new.tick(&mut robot, &mut memory);
        assert!(memory.is_running(), "{edited}");
    }
}

#[test]
fn another_cleanup_begins_in_place_of_one_that_an_edit_halts() {
    for edited in [
        "finally { work, sweep }",
        "selector { fail, finally { work, sweep } }",
        "finally { work, sequence { sweep, clean } }",
        "finally { work, finally { sweep, clean } }",
    ] {
        let (old, mut robot, mut memory) = halted("finally { work, clean }");
        let new = load(edited);
        let migrated = old.reload(&new, &mut memory, &mut robot);
        if migrated.halted.is_empty() {
            // The leaf goes on in the new cleanup.
            assert!(new.is_cleaning_up(&memory) && edited.contains("clean"), "{edited}");
            continue;
        }
        assert_eq!((robot.take().as_str(), migrated.halted.len()), ("clean Halted(Edited)", 1), "{edited}");
        assert!(new.is_cleaning_up(&memory) && !migrated.starts_afresh, "{edited}");
        assert!(new.clean_up(&mut robot, &mut memory), "{edited}");
        assert_eq!(robot.take(), "sweep", "{edited}");
        new.tick(&mut robot, &mut memory);
        assert_eq!(robot.take(), "", "{edited}: the body waits");
        robot.set("sweep", Success);
        robot.set("clean", Success);
        new.tick(&mut robot, &mut memory);
        assert_eq!(robot.take().split(", ").last(), Some("work"), "{edited}");
    }
}

#[test]
fn another_cleanup_begins_in_a_run_that_goes_on() {
    let old = load("finally { work, clean }");
    let (mut robot, mut memory) = (Robot::default(), old.memory());
    robot.set("work", Success);
    old.tick(&mut robot, &mut memory);
    robot.take();
    let new = load("finally { work, sweep }");
    assert!(!old.reload(&new, &mut memory, &mut robot).starts_afresh);
    robot.set("sweep", Success);
    assert_eq!(new.tick(&mut robot, &mut memory), Success);
    assert_eq!(robot.take(), "clean Halted(Edited), sweep, sweep Success");
}

#[test]
fn a_body_that_an_edit_removes_with_its_node_is_cleaned_up() {
    let both = load("parallel { finally { work, clean }, rest }");
    for (status, seen) in [
        (Success, "work Halted(Edited), clean, clean Success"),
        (Running, "work Halted(Edited), clean, clean Halted(Edited)"),
    ] {
        let (mut robot, mut memory) = (Robot::default(), both.memory());
        robot.set("clean", status);
        both.tick(&mut robot, &mut memory);
        robot.take();
        let new = load("rest");
        assert!(!both.reload(&new, &mut memory, &mut robot).starts_afresh);
        assert_eq!(robot.take(), seen);
        assert!(memory.is_running() && !new.is_cleaning_up(&memory));
    }
}

#[test]
fn what_goes_on_without_its_finally_is_not_cleaned_up() {
    let old = load("finally { work, clean }");
    let (mut robot, mut memory) = (Robot::default(), old.memory());
    old.tick(&mut robot, &mut memory);
    let new = load("sequence { work, rest }");
    old.reload(&new, &mut memory, &mut robot);
    new.tick(&mut robot, &mut memory);
    new.halt(&mut robot, &mut memory);
    assert_eq!(robot.take(), "work, work Halted(Stopped)");
}

#[test]
fn a_finally_is_opened_around_its_body_but_not_around_its_cleanup() {
    for (edited, seen) in [
        ("finally { work, clean }", "work Halted(Stopped), clean"),
        ("finally { rest, work }", "work Halted(Edited), rest"),
    ] {
        let old = load("work");
        let (mut robot, mut memory) = (Robot::default(), old.memory());
        old.tick(&mut robot, &mut memory);
        robot.take();
        let new = load(edited);
        let migrated = old.reload(&new, &mut memory, &mut robot);
        if migrated.starts_afresh {
            new.tick(&mut robot, &mut memory);
        } else {
            new.halt(&mut robot, &mut memory);
        }
        assert_eq!(robot.take(), seen);
    }
}

#[test]
fn an_agent_that_has_not_migrated_cleans_up_with_its_tree() {
    let live = LiveTree::<Robot>::new();
    live.replace(load("finally { work, clean }"));
    let (mut robot, mut memory) = (Robot::default(), live.memory());
    live.tick(&mut robot, &mut memory);
    live.halt(&mut robot, &mut memory);
    live.replace(load("rest"));
    robot.take();
    assert!(live.is_cleaning_up(&memory));
    live.pause(&mut robot, &mut memory);
    assert!(live.clean_up(&mut robot, &mut memory));
    assert_eq!(robot.take(), "clean pauses");
    robot.set("clean", Failure);
    let mut ended = memory.clone();
    assert!(!live.clean_up(&mut robot, &mut ended));
    assert_eq!(robot.take(), "clean Failure");
    robot.set("clean", Running);
    live.tick(&mut robot, &mut memory);
    assert_eq!(robot.take(), "clean Halted(Edited), rest");
}

#[test]
fn composites_wait_for_a_cleanup_in_a_leaf_that_is_a_tree() {
    for text in [
        "if stopped { rest } else { whole }",
        "if stopped { rest } else { sequence { succeed, finally { work, clean } } }",
        "machine { state a { whole, stopped -> b } state b { rest } }",
    ] {
        let tree = load(text);
        let (mut robot, mut memory) = (Robot::default(), tree.memory());
        tree.tick(&mut robot, &mut memory);
        robot.is_stopped = true;
        tree.tick(&mut robot, &mut memory);
        tree.pause(&mut robot, &mut memory);
        assert_eq!(robot.take(), "work, work Halted(Preempted), clean, clean pauses", "{text}");
        let save = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
        let mut memory = tree.memory();
        tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
        assert!(tree.is_cleaning_up(&memory), "{text}");
        assert_eq!(tree.tick(&mut robot, &mut memory), Running);
        robot.set("clean", Success);
        assert_eq!(tree.tick(&mut robot, &mut memory), Running);
        assert_eq!(robot.take(), "clean Success, rest", "{text}");
    }
}

#[test]
fn fresh_halts_all_cleanups_below() {
    let tree = load("fresh { sequence { whole, finally { rest, sweep } } }");
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    tree.tick(&mut robot, &mut memory);
    tree.halt(&mut robot, &mut memory);
    robot.set("work", Success);
    robot.take();
    tree.tick(&mut robot, &mut memory);
    assert_eq!(robot.take(), "clean Halted(Ended), work, work Success, clean");
}

#[test]
fn a_guard_leaves_no_cleanup() {
    let mut registry = registry();
    let guard = tree! { for Robot: parallel(success = one) { finally { Named("sweep"), Named("clean") } succeed } };
    registry.add_leaf("guard", guard);
    let tree = registry.load_tree("machine { state a { work, guard -> b } state b { rest } }").expect("it is valid");
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    tree.tick(&mut robot, &mut memory);
    assert_eq!(robot.take(), "sweep, sweep Halted(Ended), clean, clean Halted(Ended), rest");
    assert!(!tree.is_cleaning_up(&memory));
}

#[test]
fn a_cleanup_stays_left_after_a_panic_elsewhere_and_not_after_its_own() {
    let text = "selector { sequence { stopped, rest }, finally { work, sequence { succeed, clean } } }";
    let tree = load(text);
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    tree.tick(&mut robot, &mut memory);
    robot.is_stopped = true;
    tree.tick(&mut robot, &mut memory);
    robot.take();
    let panics = |robot: &mut Robot, memory: &mut _| {
        let tick = AssertUnwindSafe(|| tree.tick(robot, memory));
        catch_unwind(tick).expect_err("it panics");
    };
    robot.set("rest", Error);
    panics(&mut robot, &mut memory);
    assert!(tree.is_cleaning_up(&memory) && !memory.is_running());
    robot.set("rest", Running);
    tree.tick(&mut robot, &mut memory);
    assert_eq!(robot.take(), "rest");
    let mut other = memory.clone();
    robot.set("clean", Success);
    tree.tick(&mut robot, &mut other);
    assert_eq!(robot.take(), "clean Success");
    robot.set("clean", Error);
    panics(&mut robot, &mut memory);
    assert!(!tree.is_cleaning_up(&memory) && memory.is_running());
    robot.set("clean", Running);
    robot.is_stopped = false;
    tree.tick(&mut robot, &mut memory);
    tree.halt(&mut robot, &mut memory);
    assert_eq!(
        robot.take(),
        "rest Halted(Ended), work, work Halted(Stopped), clean",
        "it does not wait, and cleans up"
    );
}
