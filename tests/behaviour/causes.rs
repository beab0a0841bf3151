//! Why a node is halted, and pauses: a test per sentence, in both engines.

use bt_core::decorator::{Decorated, decorate};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, NoProperties, Registry};

/// What the leaves of a robot have seen.
#[derive(Default)]
struct Robot {
    now: Duration,
    is_on: bool,
    seen: Vec<String>,
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
}

#[condition]
fn is_on(robot: &Robot) -> bool {
    robot.is_on
}

/// Runs until it is halted.
#[derive(Clone)]
struct Stay;

#[leaf]
impl Leaf<Robot> for Stay {
    fn tick(&self, (): &mut (), _: &mut Robot) -> Status {
        Status::Running
    }

    fn close(&self, (): &mut (), robot: &mut Robot, end: End) {
        robot.see(format!("stay {end:?}"));
    }

    fn pause(&self, (): &mut (), robot: &mut Robot) {
        robot.see("pause");
    }

    fn unpause(&self, (): &mut (), robot: &mut Robot) {
        robot.see("unpause");
    }
}

/// A decorator of ones own, and how it ends.
#[derive(Clone)]
struct Plain;

#[decorator]
impl Decorator<Robot> for Plain {
    fn close(&self, (): &mut (), (): &mut (), robot: &mut Robot, end: End) {
        robot.see(format!("plain {end:?}"));
    }
}

/// A time limit of ones own.
#[derive(Clone)]
struct Short;

#[decorator]
impl Decorator<Robot> for Short {
    const CAUSE: Cause = Cause::TimedOut;

    fn running(&self, (): &mut (), (): &mut (), robot: &mut Robot) -> Option<Outcome> {
        robot.is_on.then_some(Outcome::Failure)
    }
}

fn plain<N>(child: N) -> Decorated<Plain, N> {
    decorate(Plain, child)
}

fn short<N>(child: N) -> Decorated<Short, N> {
    decorate(Short, child)
}

fn registry() -> Registry<Robot> {
    let mut registry = Registry::new().with_clock();
    registry.add_leaf("stay", Stay).add::<is_on>("is_on");
    registry.add_decorator("plain", |_: NoProperties| Plain).add_decorator("short", |_: NoProperties| Short);
    registry
}

fn loaded(text: &str) -> LoadedTree<Robot> {
    registry().load_tree(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Ticks a tree, changes the robot, ticks or halts it again, and returns what the leaves have seen.
fn seen<N: Node<Robot>>(tree: &N, act: impl FnOnce(&N, &mut Robot, &mut Memory<N>)) -> Vec<String> {
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
    act(tree, &mut robot, &mut memory);
    robot.seen
}

/// Asserts what is seen if the tree is ticked twice, and the light is on the second time.
macro_rules! on_second_tick {
    ($written:expr, $text:expr, $seen:expr) => {{
        fn act<N: Node<Robot>>(tree: &N, robot: &mut Robot, memory: &mut Memory<N>) {
            robot.is_on = true;
            robot.now = secs(9);
            tree.tick(robot, memory);
        }
        assert_eq!(seen(&$written, act), $seen);
        assert_eq!(seen(&loaded($text), act), $seen);
    }};
}

#[test]
fn a_child_is_preempted_if_another_child_runs_in_its_place() {
    on_second_tick!(
        tree! { for Robot: selector { sequence { is_on(), run } Stay } },
        "selector { sequence { is_on, run }, stay }",
        ["stay Halted(Preempted)"]
    );
}

#[test]
fn a_child_is_preempted_by_the_other_branch_of_an_if_even_if_that_ends() {
    on_second_tick!(
        tree! { for Robot: if is_on() { succeed } else { Stay } },
        "if is_on { succeed } else { stay }",
        ["stay Halted(Preempted)"]
    );
}

#[test]
fn a_branch_whose_if_fails_without_an_else_has_ended() {
    on_second_tick!(tree! { for Robot: if !is_on() { Stay } }, "if !is_on { stay }", ["stay Halted(Ended)"]);
}

#[test]
fn a_state_that_a_machine_leaves_is_preempted() {
    on_second_tick!(
        tree! { for Robot: machine { state a { Stay, is_on() -> b } state b { run } } },
        "machine { state a { stay, is_on -> b } state b { run } }",
        ["stay Halted(Preempted)"]
    );
}

#[test]
fn a_state_whose_machine_ends_has_ended() {
    on_second_tick!(
        tree! { for Robot: machine { state a { Stay, is_on() -> success } } },
        "machine { state a { stay, is_on -> success } }",
        ["stay Halted(Ended)"]
    );
}

#[test]
fn a_child_whose_condition_fails_has_ended() {
    on_second_tick!(
        tree! { for Robot: sequence { !is_on(), Stay } },
        "sequence { !is_on, stay }",
        ["stay Halted(Ended)"]
    );
}

#[test]
fn a_child_whose_selector_succeeds_has_ended() {
    on_second_tick!(
        tree! { for Robot: selector { is_on(), Stay } },
        "selector { is_on, stay }",
        ["stay Halted(Ended)"]
    );
}

#[test]
fn a_child_whose_parallel_ends_has_ended() {
    on_second_tick!(
        tree! { for Robot: parallel(success = one, failure = all) { is_on(), Stay } },
        "parallel(success = one, failure = all) { is_on, stay }",
        ["stay Halted(Ended)"]
    );
}

#[test]
fn a_child_is_timed_out_by_a_timeout() {
    on_second_tick!(
        tree! { for Robot: timeout(secs(5)) { Stay } },
        "timeout(secs(5)) { stay }",
        ["stay Halted(TimedOut)"]
    );
}

#[test]
fn a_decorator_states_the_cause_of_its_child() {
    on_second_tick!(tree! { for Robot: short { Stay } }, "short { stay }", ["stay Halted(TimedOut)"]);
}

#[test]
fn all_nodes_below_one_that_is_halted_have_the_same_cause() {
    on_second_tick!(
        tree! { for Robot: timeout(secs(5)) { sequence { plain { parallel { Stay, Stay } } } } },
        "timeout(secs(5)) { sequence { plain { parallel { stay, stay } } } }",
        ["stay Halted(TimedOut)", "stay Halted(TimedOut)", "plain Halted(TimedOut)"]
    );
}

#[test]
fn a_halt_from_outside_stops_the_tree() {
    fn act<N: Node<Robot>>(tree: &N, robot: &mut Robot, memory: &mut Memory<N>) {
        tree.halt(robot, memory);
    }
    let expected = ["stay Halted(Stopped)", "plain Halted(Stopped)"];
    assert_eq!(seen(&tree! { for Robot: plain { sequence { Stay } } }, act), expected);
    assert_eq!(seen(&boxed(tree! { for Robot: plain { sequence { Stay } } }), act), expected);
    assert_eq!(seen(&loaded("plain { sequence { stay } }"), act), expected);
}

#[test]
fn an_edit_is_the_cause_for_what_cannot_continue() {
    let (tree, next) = (loaded("sequence { stay }"), loaded("sequence { run }"));
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    tree.tick(&mut robot, &mut memory);
    tree.reload(&next, &mut memory, &mut robot);
    assert_eq!(robot.seen, ["stay Halted(Edited)"]);
}

#[test]
fn observers_receive_the_cause() {
    #[derive(Default)]
    struct Ends(Vec<(usize, End)>);

    impl Observer for Ends {
        fn close(&mut self, at: NodeId, end: End) {
            self.0.push((at.index(), end));
        }
    }

    fn ends<N: Node<Robot>>(tree: &N) -> Vec<(usize, End)> {
        let (mut robot, mut memory, mut ends) = (Robot::default(), tree.memory(), Ends::default());
        tree.tick_with(&mut robot, &mut memory, &mut ends);
        robot.now = secs(9);
        tree.tick_with(&mut robot, &mut memory, &mut ends);
        ends.0
    }

    let expected = [(2, End::Halted(Cause::TimedOut)), (1, End::Halted(Cause::TimedOut)), (0, End::Failure)];
    assert_eq!(ends(&tree! { for Robot: timeout(secs(5)) { sequence { Stay } } }), expected);
    assert_eq!(ends(&loaded("timeout(secs(5)) { sequence { stay } }")), expected);
}

#[test]
fn a_pause_tells_the_running_leaves_which_go_on_afterwards() {
    fn act<N: Node<Robot>>(tree: &N, robot: &mut Robot, memory: &mut Memory<N>) {
        tree.pause(robot, memory);
        assert!(memory.is_running());
        tree.unpause(robot, memory);
        tree.tick(robot, memory);
        assert!(memory.is_running());
    }
    let told = ["pause", "unpause"];
    let twice = ["pause", "pause", "unpause", "unpause"];
    let several = tree! {
        for Robot: selector {
            fail,
            if succeed { fresh { mem_sequence { parallel { machine { state a { Stay } } plain { Stay } } } } }
        }
    };
    assert_eq!(seen(&several, act), twice);
    assert_eq!(seen(&tree! { for Robot: mem_parallel { ..vec![Stay, Stay] } }, act), twice);
    assert_eq!(seen(&tree! { for Robot: mem_selector { ..vec![Stay, Stay] } }, act), told);
    assert_eq!(seen(&tree! { for Robot: service(secs(1), succeed) { timeout(secs(1)) { Stay } } }, act), told);
    assert_eq!(seen(&boxed(tree! { for Robot: sequence { Stay } }), act), told);
    assert_eq!(seen(&loaded("selector { fail, parallel { stay, plain { stay } } }"), act), twice);
    assert_eq!(seen(&loaded("machine { state a { sequence { stay } } }"), act), told);
    assert_eq!(seen(&loaded("stay"), act), told);
}

#[test]
fn a_pause_of_a_tree_that_is_not_running_tells_nothing() {
    fn act<N: Node<Robot>>(tree: &N, robot: &mut Robot, memory: &mut Memory<N>) {
        tree.halt(robot, memory);
        tree.pause(robot, memory);
        tree.unpause(robot, memory);
    }
    assert_eq!(seen(&tree! { for Robot: sequence { Stay } }, act), ["stay Halted(Stopped)"]);
    assert_eq!(seen(&loaded("sequence { stay }"), act), ["stay Halted(Stopped)"]);
}

#[test]
fn brains_herds_and_tests_pause_their_trees() {
    let tree = tree! { for Robot: sequence { Stay } };
    let told = ["pause", "unpause"];

    let (mut robot, mut brain) = (Robot::default(), Brain::new(&std::sync::Arc::new(tree.clone())));
    brain.tick_due(secs(0), &mut robot);
    brain.pause(&mut robot);
    brain.unpause(&mut robot);
    assert_eq!((robot.seen, brain.due()), (told.map(str::to_owned).to_vec(), bt_core::Wake::Next));

    let mut herd = Herd::new(&tree);
    let mut robots = [Robot::default(), Robot::default()];
    herd.add();
    herd.add();
    herd.tick_all(&mut robots);
    herd.pause_all(|agent| agent.with(&mut robots[agent.id().index()]));
    herd.unpause_all(|agent| agent.with(&mut robots[agent.id().index()]));
    assert!(robots.iter().all(|robot| robot.seen == told));

    let mut test = bt_core::testing::TreeTest::new(&tree, Robot::default());
    test.tick();
    test.pause();
    test.unpause();
    assert_eq!(test.ctx.seen, told);
}

/// The memory is converted in the next tick, so the leaves are those of the tree before.
#[test]
fn a_pause_tells_the_leaves_of_a_tree_that_was_replaced_and_the_next_tick_begins_a_run() {
    let live = bt_dynamic::LiveTree::<Robot>::new();
    live.replace(loaded("timeout(secs(5)) { stay }"));
    let (mut robot, mut memory) = (Robot::default(), live.memory());
    robot.now = secs(100);
    assert_eq!(live.tick(&mut robot, &mut memory), Status::Running);
    live.replace(loaded("timeout(secs(5)) { run }"));
    live.pause(&mut robot, &mut memory);
    live.unpause(&mut robot, &mut memory);
    assert_eq!(robot.seen, ["pause", "unpause"]);
    assert_eq!(live.tick(&mut robot, &mut memory), Status::Running, "the timeout has not elapsed");
    assert_eq!(robot.seen, ["pause", "unpause", "stay Halted(Edited)"]);
}
