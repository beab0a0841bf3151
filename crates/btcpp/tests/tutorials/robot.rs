//! What the tutorials share: the context, and the leaves that print.

use bt_btcpp::{Nodes, XmlRegistry, tick_once};
use bt_core::board::Blackboard;
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

/// The context: variables, a clock, and the lines that leaves print.
#[derive(Default)]
pub(crate) struct Robot {
    pub(crate) board: Board,
    pub(crate) now: Duration,
    pub(crate) printed: Vec<String>,
    /// The names of the nodes by their ids, for leaves that print them.
    pub(crate) names: Vec<String>,
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
        self.now
    }
}

impl Robot {
    pub(crate) fn print(&mut self, line: impl Into<String>) {
        self.printed.push(line.into());
    }

    /// Returns the names of the variables.
    pub(crate) fn variables(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.board.show(&mut |variable| names.push(variable.name.to_owned()));
        names
    }

    /// Takes the lines so far.
    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.printed)
    }
}

#[action]
pub(crate) fn say_something(robot: &mut Robot, #[input] message: &str) {
    robot.print(format!("Robot says: {message}"));
}

/// A pose, which a file writes as `1;2;3`.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Pose2D {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) theta: f64,
}

/// Moves for 220 ms.
#[action]
pub(crate) fn move_base(robot: &mut Robot, #[input] goal: Pose2D, #[open] end: &mut Option<Duration>) -> Status {
    let Some(end) = *end else {
        let Pose2D { x, y, theta } = goal;
        robot.print(format!("[ MoveBase: SEND REQUEST ]. goal: x={x:.1} y={y:.1} theta={theta:.1}"));
        *end = Some(robot.now + millis(220));
        return Status::Running;
    };
    if robot.now < end {
        return Status::Running;
    }
    robot.print("[ MoveBase: FINISHED ]");
    Status::Success
}

/// Returns a registry with the nodes of BehaviorTree.CPP and `SaySomething`.
pub(crate) fn registry() -> Registry<Robot> {
    let mut registry = Registry::new().with_clock().with_board::<Board>();
    Nodes::new().add_to(&mut registry);
    registry.add::<say_something>("SaySomething");
    registry
}

/// Returns the names of the nodes of a tree: their labels, or else the names of their types.
pub(crate) fn names<C: 'static>(tree: &LoadedTree<C>) -> Vec<String> {
    let description = tree.description();
    description.nodes().iter().map(|node| node.label.clone().unwrap_or_else(|| node.name.clone())).collect()
}

/// Loads a tree.
#[track_caller]
pub(crate) fn load(registry: &Registry<Robot>, xml: &str) -> LoadedTree<Robot> {
    registry.load_xml(xml).unwrap_or_else(|error| panic!("{error}"))
}

/// Ticks a tree until it is not running, as `Tree::tickWhileRunning` does: every 10 ms.
pub(crate) fn tick_while_running(tree: &LoadedTree<Robot>, robot: &mut Robot) -> Status {
    let mut memory = tree.memory();
    for _ in 0..1000 {
        let status = tick_once(|| tree.tick(robot, &mut memory));
        if status != Status::Running {
            return status;
        }
        robot.now += millis(10);
    }
    panic!("the tree is still running: {:?}", robot.printed);
}
