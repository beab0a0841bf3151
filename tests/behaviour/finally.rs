//! Cleanups: a test per sentence of `finally`, in both engines.

use bt_core::drive::drive;
use bt_core::observe::{Last, Statuses};
use bt_core::prelude::*;
use bt_core::testing::TreeTest;
use bt_core::{NodeId, Shift, Wake};
use bt_dynamic::{LoadedTree, Registry};

/// The statuses that the leaves return, and what the leaves have seen.
#[derive(Clone, Debug)]
struct Robot {
    now: Duration,
    work: Status,
    clean: Status,
    is_stopped: bool,
    seen: Vec<String>,
}

impl Default for Robot {
    fn default() -> Self {
        Self { now: secs(0), work: Status::Running, clean: Status::Running, is_stopped: false, seen: Vec::new() }
    }
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Robot {
    fn see(&mut self, event: impl Into<String>) {
        self.seen.push(event.into());
    }

    /// Returns what the leaves have seen since the last call.
    fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.seen)
    }
}

#[condition]
fn is_stopped(robot: &Robot) -> bool {
    robot.is_stopped
}

fn stopped(robot: &mut Robot) {
    robot.see("stopped");
}

fn done(robot: &mut Robot) {
    robot.see("done");
}

fn last(robot: &mut Robot) {
    robot.see("last");
}

macro_rules! leaves {
    ($($leaf:ident $name:literal $status:ident;)+) => {$(
        #[derive(Clone)]
        struct $leaf;

        #[leaf]
        impl Leaf<Robot> for $leaf {
            fn open(&self, robot: &mut Robot) {
                robot.see($name);
            }

            fn tick(&self, (): &mut (), robot: &mut Robot) -> Status {
                robot.$status
            }

            fn close(&self, (): &mut (), robot: &mut Robot, end: End) {
                robot.see(format!("{} {end:?}", $name));
            }

            fn pause(&self, (): &mut (), robot: &mut Robot) {
                robot.see(concat!($name, " pauses"));
            }

            fn unpause(&self, (): &mut (), robot: &mut Robot) {
                robot.see(concat!($name, " goes on"));
            }
        }
    )+};
}

leaves! {
    Work "work" work;
    Clean "clean" clean;
}

fn registry() -> Registry<Robot> {
    let mut registry = Registry::new().with_clock();
    registry.add_leaf("stopped", stopped).add_leaf("done", done).add_leaf("last", last);
    registry.add_leaf("Work", Work).add_leaf("Clean", Clean).add::<is_stopped>("is_stopped");
    registry
}

fn loaded(text: &str) -> LoadedTree<Robot> {
    registry().load_tree(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs the same with a written and with a loaded tree.
macro_rules! in_both {
    ({ $($nodes:tt)* }, |$tree:ident, $robot:ident, $memory:ident| $body:block) => {{
        fn check<N: Node<Robot>>($tree: &N) {
            let (mut robot, mut memory) = (Robot::default(), $tree.memory());
            let ($robot, $memory) = (&mut robot, &mut memory);
            $body
        }
        check(&tree! { for Robot: $($nodes)* });
        check(&loaded(stringify!($($nodes)*)));
    }};
}

#[test]
fn the_cleanup_runs_after_each_outcome_of_the_body_which_is_returned() {
    for outcome in [Status::Success, Status::Failure, Status::Error] {
        for cleaned in [Status::Success, Status::Failure] {
            fn check<N: Node<Robot>>(tree: &N, outcome: Status, cleaned: Status) {
                let (mut robot, mut memory) = (Robot { work: outcome, ..Robot::default() }, tree.memory());
                assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running, "the cleanup runs");
                assert_eq!(robot.take(), ["work".to_owned(), format!("work {outcome:?}"), "clean".to_owned()]);
                robot.clean = cleaned;
                assert_eq!(tree.tick(&mut robot, &mut memory), outcome);
                assert_eq!(robot.take(), [format!("clean {cleaned:?}")]);
                assert!(!memory.is_running() && !tree.is_cleaning_up(&memory));
            }
            check(&tree! { for Robot: finally { Work, Clean } }, outcome, cleaned);
            check(&loaded("finally { Work, Clean }"), outcome, cleaned);
        }
    }
}

#[test]
fn an_error_of_the_cleanup_is_returned() {
    in_both!({ finally { Work, Clean } }, |tree, robot, memory| {
        (robot.work, robot.clean) = (Status::Success, Status::Error);
        assert_eq!(tree.tick(robot, memory), Status::Error);
    });
}

#[test]
fn a_halt_halts_the_body_and_ticks_the_cleanup() {
    in_both!({ finally { Work, Clean } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        robot.clean = Status::Success;
        tree.halt(robot, memory);
        assert_eq!(robot.seen, ["work", "work Halted(Stopped)", "clean", "clean Success"]);
        assert!(!tree.is_cleaning_up(memory));
    });
}

#[test]
fn a_cleanup_that_takes_ticks_goes_on_before_each_tick_of_the_tree() {
    in_both!({ selector { sequence { is_stopped, stopped }, finally { Work, Clean } } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        robot.is_stopped = true;
        assert_eq!(tree.tick(robot, memory), Status::Success);
        assert_eq!(robot.take(), ["work", "stopped", "work Halted(Ended)", "clean"], "the selector does not wait");
        assert!(tree.is_cleaning_up(memory) && !memory.is_running());

        tree.tick(robot, memory);
        assert_eq!(robot.take(), ["stopped"]);
        robot.clean = Status::Failure;
        tree.tick(robot, memory);
        assert_eq!(robot.take(), ["clean Failure", "stopped"], "its outcome does not matter");
        assert!(!tree.is_cleaning_up(memory));
    });
}

#[test]
fn a_halt_does_not_interrupt_a_cleanup() {
    in_both!({ finally { Work, Clean } }, |tree, robot, memory| {
        robot.work = Status::Success;
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        assert_eq!(robot.take(), ["work", "work Success", "clean"]);
        assert!(tree.is_cleaning_up(memory));
        robot.clean = Status::Success;
        assert!(!tree.clean_up(robot, memory));
        assert_eq!(robot.take(), ["clean Success"]);
        assert!(!tree.clean_up(robot, memory));
        assert_eq!(robot.take(), [""; 0]);
    });
}

#[test]
fn a_timeout_bounds_a_cleanup() {
    in_both!({ finally { Work, timeout(secs(2)) { Clean } } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        assert!(tree.clean_up(robot, memory));
        robot.now = secs(3);
        assert!(!tree.clean_up(robot, memory));
        assert_eq!(robot.seen, ["work", "work Halted(Stopped)", "clean", "clean Halted(TimedOut)"]);
    });
}

#[test]
fn the_node_waits_for_its_cleanup() {
    in_both!({ finally { Work, Clean } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        robot.take();
        for _ in 0..2 {
            assert_eq!(tree.tick(robot, memory), Status::Running);
            assert_eq!(robot.take(), [""; 0]);
        }
        tree.halt(robot, memory);
        assert!(tree.is_cleaning_up(memory), "a halt while it waits changes nothing");
        assert_eq!(tree.tick(robot, memory), Status::Running);
        robot.clean = Status::Success;
        assert_eq!(tree.tick(robot, memory), Status::Running);
        assert_eq!(robot.take(), ["clean Success", "work"], "in the tick in which the cleanup ends");
    });
}

/// Asserts that a composite leaves the body, and starts its next child after the cleanup.
macro_rules! waits {
    ($($nodes:tt)*) => {
        in_both!({ $($nodes)* }, |tree, robot, memory| {
            tree.tick(robot, memory);
            robot.take();
            robot.is_stopped = true;
            for _ in 0..2 {
                assert_eq!(tree.tick(robot, memory), Status::Running);
            }
            assert_eq!(robot.take(), ["work Halted(Preempted)", "clean"]);
            robot.clean = Status::Success;
            tree.tick(robot, memory);
            assert_eq!(robot.take(), ["clean Success", "stopped"]);
        });
    };
}

#[test]
fn composites_that_leave_a_child_first_wait_for_its_cleanup() {
    fn mood(robot: &Robot) -> bool {
        robot.is_stopped
    }

    waits!(if is_stopped { stopped } else { finally { Work, Clean } });
    waits!(machine { state work { finally { Work, Clean } is_stopped -> end } state end { stopped } });
    waits!(machine { any { is_stopped -> end } state work { sequence { finally { Work, Clean } } } state end { stopped } });

    let tree = tree! { for Robot: match mood { false => finally { Work, Clean } true => stopped } };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    for _ in 0..3 {
        tree.tick(&mut robot, &mut memory);
        robot.is_stopped = true;
    }
    assert_eq!(robot.take(), ["work", "work Halted(Preempted)", "clean"]);
    robot.clean = Status::Success;
    tree.tick(&mut robot, &mut memory);
    assert_eq!(robot.take(), ["clean Success", "stopped"]);
}

#[test]
fn a_machine_that_waits_follows_transitions() {
    in_both!(
        {
            machine {
                state work { finally { Work, Clean } is_stopped -> hold }
                state hold { run, is_stopped -> end }
                state end { done }
            }
        },
        |tree, robot, memory| {
            tree.tick(robot, memory);
            robot.is_stopped = true;
            tree.tick(robot, memory);
            tree.tick(robot, memory);
            assert_eq!(robot.take(), ["work", "work Halted(Preempted)", "clean"]);
            robot.clean = Status::Success;
            tree.tick(robot, memory);
            assert_eq!(robot.take(), ["clean Success", "done"], "`hold` was left without having started");
        }
    );
}

#[test]
fn an_if_that_fails_does_not_wait() {
    in_both!(
        {
            if !is_stopped {
                finally { Work, Clean }
            }
        },
        |tree, robot, memory| {
            tree.tick(robot, memory);
            robot.is_stopped = true;
            assert_eq!(tree.tick(robot, memory), Status::Failure);
            assert_eq!(tree.tick(robot, memory), Status::Failure);
            robot.is_stopped = false;
            assert_eq!(tree.tick(robot, memory), Status::Running);
            assert_eq!(robot.take(), ["work", "work Halted(Ended)", "clean"]);
        }
    );
}

#[test]
fn cleanups_nest() {
    in_both!({ finally { Work, finally { Clean, last } } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        assert!(tree.clean_up(robot, memory));
        robot.clean = Status::Success;
        assert!(!tree.clean_up(robot, memory));
        assert_eq!(robot.seen, ["work", "work Halted(Stopped)", "clean", "clean Success", "last"]);
    });
    in_both!({ finally { finally { Work, Clean }, Clean } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        assert_eq!(robot.take(), ["work", "work Halted(Stopped)", "clean"], "the outer cleanup waits for the inner one");
        tree.pause(robot, memory);
        assert!(tree.clean_up(robot, memory));
        assert_eq!(robot.take(), ["clean pauses"]);
        robot.clean = Status::Success;
        assert!(!tree.clean_up(robot, memory));
        assert_eq!(robot.take(), ["clean Success", "clean", "clean Success"]);
    });
    in_both!({ finally { timeout(secs(1)) { finally { Work, Clean } }, last } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        robot.now = secs(2);
        assert_eq!(tree.tick(robot, memory), Status::Running, "it waits for the cleanup in its body");
        assert_eq!(robot.take(), ["work", "work Halted(TimedOut)", "clean"]);
        tree.halt(robot, memory);
        assert!(tree.is_cleaning_up(memory));
        robot.clean = Status::Success;
        assert!(!tree.clean_up(robot, memory));
        assert_eq!(robot.take(), ["clean Success", "last"]);
    });
    in_both!({ fresh { finally { finally { Work, Clean }, last } } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        robot.take();
        tree.tick(robot, memory);
        assert_eq!(robot.take(), ["clean Halted(Ended)", "last", "work"], "a cleanup that waits is ticked once");
    });
}

#[test]
fn pauses_reach_a_cleanup_that_goes_on() {
    in_both!({ finally { Work, Clean } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.pause(robot, memory);
        tree.unpause(robot, memory);
        tree.halt(robot, memory);
        robot.take();
        tree.pause(robot, memory);
        tree.unpause(robot, memory);
        assert_eq!(robot.take(), ["clean pauses", "clean goes on"]);
        assert!(tree.is_cleaning_up(memory));
    });
}

#[test]
fn fresh_halts_a_cleanup() {
    in_both!({ fresh { finally { Work, Clean } } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        robot.take();
        tree.tick(robot, memory);
        assert_eq!(robot.take(), ["clean Halted(Ended)", "work"].map(str::to_owned), "after one more tick of the cleanup");
    });
}

#[test]
fn a_tree_is_due_while_a_cleanup_goes_on() {
    in_both!({ mem_sequence { wait(secs(5)), finally { run, wait(secs(2)) } } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        robot.now = secs(5);
        let status = tree.tick(robot, memory);
        tree.halt(robot, memory);
        assert_eq!(tree.due(status, memory, robot), Wake::Next);
        let status = tree.tick(robot, memory);
        assert_eq!(tree.due(status, memory, robot), Wake::At(secs(7)), "the end of the cleanup is earlier than that of `wait`");
        robot.now = secs(7);
        let status = tree.tick(robot, memory);
        assert_eq!(tree.due(status, memory, robot), Wake::At(secs(10)), "only the first `wait` is running");
    });
}

#[test]
fn a_node_that_waits_is_due_after_the_cleanup_has_ended() {
    in_both!({ finally { run, Clean } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        let status = tree.tick(robot, memory);
        robot.clean = Status::Success;
        tree.clean_up(robot, memory);
        assert_eq!(tree.due(status, memory, robot), Wake::Next);
        let status = tree.tick(robot, memory);
        assert_eq!(tree.due(status, memory, robot), Wake::Event);
    });
}

#[test]
fn a_cleanup_that_waits_for_none_any_more_is_due_in_the_next_tick() {
    in_both!({ selector { sequence { by_event { is_stopped }, wait(secs(9)) }, finally { selector { Work, finally { run, Clean } }, last } } }, |tree, robot, memory| {
        robot.work = Status::Failure;
        tree.tick(robot, memory);
        robot.work = Status::Success;
        let status = tree.tick(robot, memory);
        assert_eq!(tree.due(status, memory, robot), Wake::Next, "`Clean` is running");
        // It ends in the tick that halts the node which waits for it.
        (robot.clean, robot.is_stopped) = (Status::Success, true);
        let status = tree.tick(robot, memory);
        robot.take();
        assert_eq!(tree.due(status, memory, robot), Wake::Next);
        let status = tree.tick(robot, memory);
        assert_eq!((robot.take(), tree.due(status, memory, robot)), (vec!["last".to_owned()], Wake::At(secs(9))));
    });
}

#[test]
fn a_save_contains_a_cleanup_that_goes_on() {
    fn check<N: Node<Robot> + Save>(tree: &N) {
        let (mut robot, mut memory) = (Robot::default(), tree.memory());
        tree.tick(&mut robot, &mut memory);
        tree.halt(&mut robot, &mut memory);
        let save = serde_json::to_string(&tree.saved(&memory)).expect("it can be saved");
        let mut memory = tree.memory();
        tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it is its own save");
        assert!(tree.is_cleaning_up(&memory) && !memory.is_running());
        robot.take();
        assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
        robot.clean = Status::Success;
        assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
        assert_eq!(robot.take(), ["clean Success", "work"]);
    }
    check(&tree! { for Robot: finally { Work, sequence { succeed, Clean } } });
    check(&loaded("finally { Work, sequence { succeed, Clean } }"));
}

#[test]
fn moments_of_a_cleanup_that_goes_on_are_converted() {
    in_both!({ finally { Work, wait(secs(4)) } }, |tree, robot, memory| {
        tree.tick(robot, memory);
        tree.halt(robot, memory);
        robot.now = secs(101);
        tree.shift(memory, Shift::new(secs(1), robot.now));
        assert!(tree.clean_up(robot, memory));
        robot.now = secs(104);
        assert!(!tree.clean_up(robot, memory));
    });
}

#[test]
fn a_panic_in_a_cleanup_that_goes_on_ends_it() {
    #[derive(Clone)]
    struct Bad;

    #[leaf]
    impl Leaf<Robot> for Bad {
        fn tick(&self, (): &mut (), robot: &mut Robot) -> Status {
            assert_ne!(robot.clean, Status::Error, "bad");
            robot.clean
        }
    }

    fn check<N: Node<Robot>>(tree: &N) {
        let (mut robot, mut memory) = (Robot::default(), tree.memory());
        tree.tick(&mut robot, &mut memory);
        tree.halt(&mut robot, &mut memory);
        robot.clean = Status::Error;
        let tick = std::panic::AssertUnwindSafe(|| tree.tick(&mut robot, &mut memory));
        std::panic::catch_unwind(tick).expect_err("it panics");
        assert!(!tree.is_cleaning_up(&memory));
        assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
        assert_eq!(robot.seen, ["work", "work Halted(Stopped)", "work"]);
    }
    check(&tree! { for Robot: finally { Work, Bad } });
    let mut registry = registry();
    registry.add_leaf("Bad", Bad);
    check(&registry.load_tree("finally { Work, Bad }").expect("it is valid"));
}

#[test]
fn a_written_tree_in_a_box_or_in_a_loaded_tree_cleans_up() {
    fn check<N: Node<Robot>>(tree: &N) {
        let (mut robot, mut memory) = (Robot::default(), tree.memory());
        tree.tick(&mut robot, &mut memory);
        tree.halt(&mut robot, &mut memory);
        assert!(tree.clean_up(&mut robot, &mut memory));
        robot.clean = Status::Success;
        assert!(!tree.clean_up(&mut robot, &mut memory));
        assert_eq!(robot.take(), ["work", "work Halted(Stopped)", "clean", "clean Success"]);
    }
    let written = tree! { for Robot: finally { Work, Clean } };
    check(&boxed(tree! { for Robot: sequence { boxed(written.clone()) } }));
    let mut registry = registry();
    registry.add_leaf("Whole", written);
    check(&registry.load_tree("sequence { succeed, Whole }").expect("it is valid"));
    check(&tree! { for Robot: sequence { registry.load_tree("finally { Work, Clean }").expect("it is valid") } });
}

#[test]
fn a_driving_loop_ends_after_its_cleanups() {
    fn clean(ticks: &mut u32) -> Status {
        *ticks += 1;
        if *ticks < 4 { Status::Running } else { Status::Success }
    }
    let tree = tree! { for u32: sequence { finally { run, clean } } };
    let mut ticks = 0;
    let mut driver = drive(&tree, &mut ticks).every(millis(1));
    let stop = driver.stop_handle();
    driver.tick_once();
    stop.stop();
    let report = driver.until_end();
    assert!(report.is_stopped);
    drop(driver);
    assert_eq!(ticks, 4);

    // The tree ends while a cleanup is running.
    let tree = tree! { for u32: parallel(success = one) { finally { run, clean } wait_until { |_: &u32| true } } };
    let mut ticks = 0;
    let report = drive(&tree, &mut ticks).every(millis(1)).until_end();
    assert_eq!((ticks, report.status, report.ticks), (4, Some(Status::Success), 1));
}

#[test]
fn observers_see_the_visits_of_a_cleanup_that_goes_on() {
    let tree = tree! { for Robot: finally { Work, Clean } };
    let (mut robot, mut memory, mut statuses) = (Robot::default(), tree.memory(), Statuses::default());
    tree.tick_with(&mut robot, &mut memory, &mut statuses);
    tree.halt_with(&mut robot, &mut memory, &mut statuses);
    robot.clean = Status::Success;
    tree.clean_up_with(&mut robot, &mut memory, &mut statuses);
    assert_eq!(statuses.last(NodeId::new(2)), Some(Last::Returned(Status::Success)));
}

#[test]
fn a_test_of_a_tree_ticks_its_cleanups() {
    let mut test = TreeTest::new(tree! { for Robot: finally { Work, Clean "clean" } }, Robot::default());
    test.tick();
    test.halt();
    test.replace("clean", [Status::Running, Status::Success]);
    assert!(test.clean_up());
    assert!(!test.clean_up());
}
