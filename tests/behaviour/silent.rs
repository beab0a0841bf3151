//! An error that nothing receives is reported once per tree, in debug builds.

use std::process::Command;
use std::sync::Arc;

use bt_core::Status::Error;
use bt_core::board::ParameterError;
use bt_core::composite::{Children, compose};
use bt_core::decorator::decorate;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_dynamic::{Registry, RunError};

/// Runs one of the ignored tests of this file in a process of its own. Returns what it writes to stderr: a text for each
/// report.
fn reports(test: &str) -> Vec<String> {
    let (_, module) = module_path!().split_once("::").expect("the module is in a crate");
    let name = format!("{module}::{test}");
    let program = std::env::current_exe().expect("the test runs");
    let output = Command::new(program).args([&name, "--exact", "--ignored", "--nocapture"]).output().expect("it runs");
    let (text, log) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success() && log.contains("1 passed"), "{text}\n{log}");
    text.split("bt-core: ").skip(1).map(|report| report.lines().next().unwrap_or_default().to_owned()).collect()
}

/// These reports, or none without debug assertions.
fn in_debug_builds<const N: usize>(reports: [&str; N]) -> Vec<String> {
    reports.iter().filter(|_| cfg!(debug_assertions)).map(ToString::to_string).collect()
}

#[derive(Default)]
struct Robot {
    board: Board,
    received: Vec<String>,
}

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        secs(0)
    }
}

impl OnError<&'static str> for Robot {
    fn on_error(&mut self, at: NodeId, error: &'static str) {
        self.received.push(format!("{at} {error}"));
    }
}

fn jammed(_: &mut Robot) -> Status {
    Error
}

#[action]
fn drive(_: &mut Robot, #[input] speed: u32) -> Status {
    Status::from(speed > 0)
}

fn honest_work(_: &mut Robot) {}

fn honest(_: &mut Robot) -> Result<(), &'static str> {
    Err("jammed")
}

/// Ticks a tree three times, as it is, for two agents.
fn ticks<N: Node<Robot>>(tree: &N) {
    for mut memory in [tree.memory(), tree.memory()] {
        for _ in 0..3 {
            assert_eq!(tree.tick(&mut Robot::default(), &mut memory), Error);
        }
    }
}

const TIME: Key<Duration> = Key::new("time");
const TIMES: Key<u32> = Key::new("times");

/// A composite that returns an error of its own, after one of its child that it ignores.
struct Strict;

#[composite]
impl Composite<Robot> for Strict {
    fn tick(&self, children: &mut impl Children<Robot>, (): &mut (), (): &mut (), ctx: &mut Robot) -> Status {
        children.tick(0, ctx);
        Error
    }
}

#[test]
fn a_silent_error_is_reported_once_per_tree() {
    let trees = in_debug_builds([
        "#0 jammed returned `Error` without a reason",
        "#3 error returned `Error` without a reason",
        "#1 drive(speed: {speed}) returned `Error`: parameter `speed`: variable `speed` is not set",
        "#0 wait(time: {time}) returned `Error`: parameter `time`: variable `time` is not set",
        "#0 repeat(times: {times}) returned `Error`: parameter `times`: variable `times` is not set",
        "#0 service(every: {time}, action: honest_work) returned `Error`: parameter `every`: variable `time` is not set",
        "#2 jammed returned `Error` without a reason",
        "#0 Strict returned `Error` without a reason",
        "#2 Strict returned `Error` without a reason",
    ]);
    let found = reports("trees").into_iter().map(|report| {
        // Without source locations.
        let (node, reason) = report.split_once(" returned ").expect("a node has returned it");
        format!("{} returned {reason}", node.split_once(" at ").map_or(node, |(node, _)| node))
    });
    assert_eq!(found.collect::<Vec<_>>(), trees);
}

#[test]
#[ignore = "run by another test"]
fn trees() {
    ticks(&tree! { for Robot: jammed });
    ticks(&tree! { for Robot: selector { fail, (boxed(tree! { for Robot: sequence { error } })) } });
    ticks(&tree! { for Robot: sequence { drive(Key::new("speed")) } });
    ticks(&tree! { for Robot: wait(TIME) });
    ticks(&tree! { for Robot: repeat(TIMES) { honest } });
    ticks(&tree! { for Robot: service(TIME, honest_work) { run } });
    // The error before it is received, and ignored.
    ticks(&compose(Strict, (tree! { for Robot: sequence { jammed } },)));
    ticks(&compose(Strict, (tree! { for Robot: succeed },)));
    // A leaf ticks a tree with an error that is received; its own is not.
    let inner = tree! { for Robot: sequence { succeed, succeed, honest } };
    ticks(&tree! {
        for Robot: sequence {
            |robot: &mut Robot| { inner.tick(robot, &mut inner.memory()); },
            (compose(Strict, (tree! { for Robot: succeed },))),
        }
    });
}

#[test]
fn a_silent_error_of_a_loaded_tree_is_reported_once() {
    let found = reports("loaded");
    let expected = in_debug_builds([
        "#1 error returned `Error` without a reason",
        "#1 Jammed returned `Error` without a reason",
        "#0 wait(time: {time}) returned `Error`: parameter `time`: variable `time` is not set",
        "#0 repeat(times: 4294967295) returned `Error`: too many child restarts in one tick: the limit is 100000",
    ]);
    assert_eq!(found, expected);
}

fn load(registry: &Registry<Robot>, nodes: &str) -> bt_dynamic::LoadedTree<Robot> {
    registry.load(&format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#)).expect("the file is valid")
}

#[test]
#[ignore = "run by another test"]
fn loaded() {
    let mut registry = Registry::<Robot>::new().with_clock().with_board();
    registry.add_leaf("Jammed", jammed);
    for leaf in ["Error", "Jammed"] {
        let sequence = r#""1": { "name": "Sequence", "children": ["2"] }"#;
        ticks(&load(&registry, &format!(r#"{sequence}, "2": {{ "name": "{leaf}" }}"#)));
    }
    ticks(&load(&registry, r#""1": { "name": "wait", "properties": { "time": "{time}" } }"#));
    let repeat = r#""1": { "name": "repeat", "properties": { "times": 4294967295 }, "child": "2" }"#;
    ticks(&load(&registry, &format!(r#"{repeat}, "2": {{ "name": "succeed" }}"#)));
}

#[test]
fn an_error_that_the_context_or_an_observer_receives_is_not_reported() {
    assert_eq!(reports("received"), Vec::<String>::new());
}

/// A context that receives all errors.
#[derive(Default)]
struct Careful(Robot);

impl HasBoard for Careful {
    fn board(&self) -> &Board {
        &self.0.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.0.board
    }
}

impl Clock for Careful {
    fn now(&self) -> Duration {
        secs(0)
    }
}

impl OnError<ParameterError> for Careful {
    fn on_error(&mut self, _: NodeId, _: ParameterError) {}
}

impl OnError<RunError> for Careful {
    fn on_error(&mut self, _: NodeId, _: RunError) {}
}

#[action]
fn steer(_: &mut Careful, #[input] angle: u32) -> Status {
    Status::from(angle > 0)
}

#[test]
#[ignore = "run by another test"]
fn received() {
    ticks(&tree! { for Robot: selector { fail, (boxed(tree! { for Robot: sequence { honest } })) } });
    let tree = tree! { for Careful: sequence { steer(Key::new("angle")) } };
    assert_eq!(tree.tick(&mut Careful::default(), &mut tree.memory()), Error);
    let registry = Registry::<Careful>::new().with_clock().with_board().with_errors();
    let file = r#"{ "root": "1", "nodes": { "1": { "name": "wait", "properties": { "time": "{time}" } } } }"#;
    let tree = registry.load(file).expect("the file is valid");
    assert_eq!(tree.tick(&mut Careful::default(), &mut tree.memory()), Error);

    let tree = tree! { for Robot: sequence { jammed } };
    let mut statuses = Statuses::default();
    assert_eq!(tree.tick_with(&mut Robot::default(), &mut tree.memory(), &mut statuses), Error);
    // An error that a decorator turns into a failure is none.
    let tree = tree! { for Robot: selector { (decorate(Forgiving, jammed_node())), succeed } };
    assert_eq!(tree.tick(&mut Robot::default(), &mut tree.memory()), Status::Success);
}

fn jammed_node() -> impl Node<Robot> {
    tree! { jammed }
}

/// Turns an error of its child into a failure.
struct Forgiving;

#[decorator]
impl<C: ?Sized> Decorator<C> for Forgiving {
    fn error(&self, (): &mut (), (): &mut (), _: &mut C) -> Outcome {
        Outcome::Failure
    }
}

#[test]
fn no_more_than_a_hundred_trees_are_reported() {
    assert_eq!(reports("many").len(), if cfg!(debug_assertions) { 100 } else { 0 });
}

#[test]
#[ignore = "run by another test"]
fn many() {
    for number in 0..150 {
        let label: Vec<_> = (0..=number).map(|_| tree! { for Robot: succeed }).collect();
        let tree = tree! { for Robot: sequence { ..label, error } };
        let tree = Arc::new(tree);
        assert_eq!(tree.tick(&mut Robot::default(), &mut tree.memory()), Error);
    }
}
