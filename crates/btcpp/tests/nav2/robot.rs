//! A robot whose leaves are scripted.

use std::collections::BTreeMap;

use bt_btcpp::{Nav2Nodes, Nodes, XmlRegistry};
use bt_core::describe::{Kind, Visitor};
use bt_core::prelude::*;
use bt_core::{
    Step,
    protocol::{Interrupt, Visit},
};
use bt_dynamic::{LoadedTree, Registry};
use serde_json::{Map, Value};

/// A robot with a clock, a board, and the statuses of its leaves.
#[derive(Default)]
pub(crate) struct Robot {
    pub(crate) board: Board,
    pub(crate) now: Duration,
    /// The statuses that each leaf returns in order; the last one is repeated. Others succeed.
    pub(crate) script: BTreeMap<String, Vec<Status>>,
    /// The leaves that were ticked or halted.
    pub(crate) events: Vec<String>,
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
    /// Scripts a leaf: `R` for running, `S` for success, `F` for failure.
    pub(crate) fn set(&mut self, leaf: &str, statuses: &str) {
        let status = |sign| match sign {
            'R' => Status::Running,
            'S' => Status::Success,
            _ => Status::Failure,
        };
        self.script.insert(leaf.to_owned(), statuses.chars().map(status).collect());
    }

    /// Returns the events since the last call.
    pub(crate) fn events(&mut self) -> String {
        std::mem::take(&mut self.events).join(" ")
    }

    fn next(&mut self, leaf: &str) -> Status {
        self.events.push(leaf.to_owned());
        match self.script.get_mut(leaf) {
            Some(left) if left.len() > 1 => left.remove(0),
            Some(left) => left.first().copied().unwrap_or(Status::Success),
            None => Status::Success,
        }
    }
}

/// A leaf that takes any ports.
struct Simulated(String);

impl NodeShape for Simulated {
    type Open = ();
    type Kept = ();

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, &self.0, &[]);
    }
}

impl Node<Robot> for Simulated {
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, Robot, O>) -> Step<()> {
        visit.ctx.next(&self.0).into()
    }

    fn resume<O: Observer>(&self, _: NodeId, (): &mut (), (): &mut (), visit: &mut Visit<'_, Robot, O>) -> Step<()> {
        visit.ctx.next(&self.0).into()
    }

    fn interrupt<O: Observer>(
        &self,
        _: NodeId,
        (): &mut (),
        (): &mut (),
        _: Interrupt,
        visit: &mut Visit<'_, Robot, O>,
    ) {
        visit.ctx.events.push(format!("-{}", self.0));
    }
}

/// Returns a registry with leaves of these names. The port `service_name` is a part of the name in the events.
pub(crate) fn registry(leaves: &[&str]) -> Registry<Robot> {
    let mut registry = Registry::<Robot>::new().with_clock().with_board::<Board>();
    Nodes::new().add_to(&mut registry);
    Nav2Nodes::add_to(&mut registry);
    for leaf in leaves {
        let name = (*leaf).trim_start_matches("btcpp::").to_owned();
        registry.add_with(leaf, move |ports: Map<String, Value>| {
            let part = ports.get("service_name").and_then(Value::as_str).map(|part| format!(":{part}"));
            Simulated(format!("{name}{}", part.unwrap_or_default()))
        });
    }
    registry
}

/// A tree with its memory, and the robot.
pub(crate) struct Run {
    pub(crate) tree: LoadedTree<Robot>,
    pub(crate) memory: Memory<LoadedTree<Robot>>,
    pub(crate) robot: Robot,
}

impl Run {
    /// Loads a tree of the leaves `A`, `B` and `C`.
    pub(crate) fn of(xml: &str) -> Self {
        let xml = format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\">{xml}</BehaviorTree></root>");
        Self::new(registry(&["A", "B", "C"]).load_xml(&xml).expect("a valid tree"))
    }

    pub(crate) fn new(tree: LoadedTree<Robot>) -> Self {
        let memory = tree.memory();
        Self { tree, memory, robot: Robot::default() }
    }

    pub(crate) fn set(&mut self, leaf: &str, statuses: &str) -> &mut Self {
        self.robot.set(leaf, statuses);
        self
    }

    /// Ticks the tree. Returns the first letter of its status, and the events.
    pub(crate) fn tick(&mut self) -> String {
        let status = self.tree.tick(&mut self.robot, &mut self.memory);
        format!("{} {}", &format!("{status:?}")[..1], self.robot.events()).trim_end().to_owned()
    }

    /// Ticks the tree at a time.
    pub(crate) fn at(&mut self, milliseconds: u64) -> String {
        self.robot.now = millis(milliseconds);
        self.tick()
    }

    pub(crate) fn halt(&mut self) -> String {
        self.tree.halt(&mut self.robot, &mut self.memory);
        self.robot.events()
    }
}
