//! Goals that change while the nodes that they share are running: those are not halted.

use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

#[derive(Default)]
struct Robot {
    is_charging: bool,
    at: i32,
    seen: Vec<String>,
}

impl Robot {
    fn target(&self) -> i32 {
        if self.is_charging { 0 } else { 9 }
    }
}

/// Drives a step per tick to the target of the present goal.
#[derive(Clone)]
struct Drive;

#[leaf]
impl Leaf<Robot> for Drive {
    fn open(&self, robot: &mut Robot) {
        robot.seen.push("drive".to_owned());
    }

    fn tick(&self, (): &mut (), robot: &mut Robot) -> Status {
        robot.at += (robot.target() - robot.at).signum();
        if robot.at == robot.target() { Status::Success } else { Status::Running }
    }

    fn close(&self, (): &mut (), robot: &mut Robot, end: End) {
        robot.seen.push(format!("{end:?} at {}", robot.at));
    }
}

/// Is done at the target.
#[action]
fn act(robot: &mut Robot, what: &String) {
    robot.seen.push(what.clone());
}

fn is_charging(robot: &Robot) -> bool {
    robot.is_charging
}

fn registry() -> Registry<Robot> {
    let mut registry = Registry::new();
    registry.add_leaf("drive", Drive).add::<act>("act").add_leaf("is_charging", is_charging);
    registry
}

fn loaded(text: &str) -> LoadedTree<Robot> {
    registry().load_tree(text).unwrap_or_else(|error| panic!("{error}"))
}

const DROVE_ONCE: [&str; 3] = ["drive", "Success at 0", "dock"];

#[test]
fn a_node_before_the_choice_continues_with_the_other_goal() {
    fn check<N: Node<Robot>>(tree: &N) {
        let (mut robot, mut memory) = (Robot { at: 3, ..Robot::default() }, tree.memory());
        assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
        robot.is_charging = true;
        while tree.tick(&mut robot, &mut memory) == Status::Running {}
        assert_eq!(robot.seen, DROVE_ONCE);
    }
    check(&tree! { mem_sequence { Drive, if is_charging { act("dock".to_owned()) } else { act("pick".to_owned()) } } });
    check(&loaded(r#"mem_sequence { drive, if is_charging { act("dock") } else { act("pick") } }"#));
}

#[test]
fn a_tree_for_another_goal_continues_what_both_trees_share() {
    let pick = loaded(r#"tree main { sequence { drive, act("pick") } }"#);
    let dock = loaded(r#"tree main { sequence { is_charging, drive, act("dock") } }"#);
    let (mut robot, mut memory) = (Robot { at: 3, ..Robot::default() }, pick.memory());
    assert_eq!(pick.tick(&mut robot, &mut memory), Status::Running);
    robot.is_charging = true;
    let migrated = pick.reload(&dock, &mut memory, &mut robot);
    assert_eq!(migrated.halted, []);
    while dock.tick(&mut robot, &mut memory) == Status::Running {}
    assert_eq!(robot.seen, DROVE_ONCE);
}
