//! The composites of the example against ports of the originals, in both engines.

use bt_core::prelude::*;
use bt_core::rand_core::{Rng, SeedableRng};
use bt_dynamic::{NoProperties, Registry};
use bt_tests::world::{Event, World, told};
use rand_pcg::Pcg32;
use serde_json::json;

use super::composites::{PipelineSequence, Recovery, RoundRobin, pipeline_sequence, recovery, round_robin};
use super::visit_all::{VisitAll, visit_all};

/// The children of a control node in C++: each knows only whether it is running.
struct Children<'w> {
    world: &'w World,
    running: Vec<bool>,
}

impl Children<'_> {
    /// `executeTick` of a child.
    fn tick(&mut self, child: usize) -> Status {
        let number = u32::try_from(child).expect("few");
        self.world.see(Event::Enter(number));
        if !std::mem::replace(&mut self.running[child], true) {
            self.world.see(Event::Open(number));
        }
        let status = self.world.tell();
        self.world.see(Event::Tick(number, status));
        let end = match status {
            Status::Running => None,
            Status::Success => Some(End::Success),
            Status::Failure => Some(End::Failure),
            Status::Error => Some(End::Error),
        };
        if let Some(end) = end {
            self.running[child] = false;
            self.world.see(Event::Close(number, end));
        }
        self.world.see(Event::Exit(number, status));
        status
    }

    /// `haltChildren`.
    fn halt(&mut self) {
        for child in 0..self.running.len() {
            if std::mem::take(&mut self.running[child]) {
                self.world.see(Event::Close(u32::try_from(child).expect("few"), End::Halted(Cause::Preempted)));
            }
        }
    }
}

/// The same events, with one cause for all halts: the original has none.
fn without_causes(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        if let Event::Close(_, End::Halted(cause)) = event {
            *cause = Cause::Preempted;
        }
    }
    events
}

/// A control node in C++: its members, `tick` and `halt`.
trait Original {
    fn tick(&mut self, children: &mut Children<'_>) -> Status;
    fn halt(&mut self, children: &mut Children<'_>);
}

/// `recovery_node.cpp`
#[derive(Default)]
struct RecoveryNode {
    retries: u32,
    current: usize,
    count: u32,
}

impl Original for RecoveryNode {
    fn tick(&mut self, children: &mut Children<'_>) -> Status {
        while self.current < 2 && self.count <= self.retries {
            let status = children.tick(self.current);
            match (self.current, status) {
                (_, Status::Running) => return Status::Running,
                (0, Status::Failure) if self.count < self.retries => self.current = 1,
                (1, Status::Success) => {
                    self.count += 1;
                    self.current = 0;
                }
                (_, other) => {
                    self.halt(children);
                    return other;
                }
            }
        }
        self.halt(children);
        Status::Failure
    }

    fn halt(&mut self, children: &mut Children<'_>) {
        children.halt();
        (self.current, self.count) = (0, 0);
    }
}

/// `round_robin_node.cpp`
#[derive(Default)]
struct RoundRobinNode {
    current: usize,
    failed: usize,
}

impl Original for RoundRobinNode {
    fn tick(&mut self, children: &mut Children<'_>) -> Status {
        let len = children.running.len();
        while self.failed < len {
            match children.tick(self.current) {
                Status::Success => {
                    self.current = (self.current + 1) % len;
                    self.failed = 0;
                    children.halt();
                    return Status::Success;
                }
                Status::Failure => {
                    self.current = (self.current + 1) % len;
                    self.failed += 1;
                }
                Status::Running => return Status::Running,
                Status::Error => {
                    self.halt(children);
                    return Status::Error;
                }
            }
        }
        self.halt(children);
        Status::Failure
    }

    fn halt(&mut self, children: &mut Children<'_>) {
        children.halt();
        (self.current, self.failed) = (0, 0);
    }
}

/// `pipeline_sequence.cpp`
#[derive(Default)]
struct PipelineNode {
    last: usize,
}

impl Original for PipelineNode {
    fn tick(&mut self, children: &mut Children<'_>) -> Status {
        for child in 0..children.running.len() {
            match children.tick(child) {
                Status::Success => {}
                Status::Running => {
                    if child >= self.last {
                        self.last = child;
                        return Status::Running;
                    }
                }
                other => {
                    self.halt(children);
                    return other;
                }
            }
        }
        self.halt(children);
        Status::Success
    }

    fn halt(&mut self, children: &mut Children<'_>) {
        children.halt();
        self.last = 0;
    }
}

/// `Parallel` of `py_trees` with `SuccessOnAll(synchronise=False)`.
#[derive(Default)]
struct ParallelNode;

impl Original for ParallelNode {
    fn tick(&mut self, children: &mut Children<'_>) -> Status {
        let mut statuses = Vec::new();
        for child in 0..children.running.len() {
            let status = children.tick(child);
            if status == Status::Error {
                children.halt();
                return status;
            }
            statuses.push(status);
        }
        let status = if statuses.contains(&Status::Failure) {
            Status::Failure
        } else if statuses.iter().all(|status| *status == Status::Success) {
            Status::Success
        } else {
            Status::Running
        };
        if status != Status::Running {
            children.halt();
        }
        status
    }

    fn halt(&mut self, children: &mut Children<'_>) {
        children.halt();
    }
}

/// Ticks and halts a tree and the original at random, and compares what happens.
fn same<N: Node<World>>(tree: &N, len: usize, original: impl Fn() -> Box<dyn Original>) {
    let mut random = Pcg32::seed_from_u64(16);
    for _ in 0..500 {
        let statuses = [Status::Success, Status::Failure, Status::Failure, Status::Running, Status::Running];
        let errors = [Status::Error; 1];
        let told: Vec<_> = (0..40)
            .map(|_| match random.next_u32() as usize % 40 {
                0 => errors[0],
                other => statuses[other % statuses.len()],
            })
            .collect();
        let (mut world, other) = (World::telling(&told), World::telling(&told));
        let mut children = Children { world: &other, running: vec![false; len] };
        let (mut memory, mut original) = (tree.memory(), original());
        for step in 0..20 {
            if random.next_u32().is_multiple_of(9) {
                tree.halt(&mut world, &mut memory);
                // A control node that is not running is not halted.
                if children.running.contains(&true) {
                    original.halt(&mut children);
                }
            } else {
                assert_eq!(tree.tick(&mut world, &mut memory), original.tick(&mut children), "{told:?} {step}");
            }
            assert_eq!(without_causes(world.take_seen()), other.take_seen(), "{told:?} {step}");
        }
    }
}

/// Returns a file with one composite over leaves with the numbers 0, 1, ….
fn file(name: &str, properties: &serde_json::Value, len: usize) -> String {
    let mut nodes = serde_json::Map::new();
    for child in 0..len {
        nodes.insert(child.to_string(), json!({ "name": "told", "properties": { "number": child } }));
    }
    let children: Vec<_> = (0..len).map(|child| child.to_string()).collect();
    nodes.insert("root".into(), json!({ "name": name, "properties": properties, "children": children }));
    json!({ "root": "root", "nodes": nodes }).to_string()
}

#[derive(serde::Deserialize)]
struct Number {
    number: u32,
}

/// Returns a registry of the leaves and composites.
pub(super) fn registry() -> Registry<World> {
    let mut registry = Registry::new().with_clock();
    registry.add_with("told", |properties: Number| told(properties.number));
    registry.add_composite("RecoveryNode", |recovery: Recovery| recovery);
    registry.add_composite("RoundRobin", |_: NoProperties| RoundRobin {});
    registry.add_composite("PipelineSequence", |_: NoProperties| PipelineSequence {});
    registry.add_composite("VisitAll", |visit_all: VisitAll| visit_all);
    registry
}

fn loaded(name: &str, properties: &serde_json::Value, len: usize) -> bt_dynamic::LoadedTree<World> {
    registry().load(&file(name, properties, len)).expect("the file is valid")
}

#[test]
fn recovery_is_that_of_nav2() {
    for retries in 0..4 {
        let original = || Box::new(RecoveryNode { retries, ..RecoveryNode::default() }) as Box<dyn Original>;
        same(&tree! { for World: recovery(retries) { told(0), told(1) } }, 2, original);
        same(&loaded("RecoveryNode", &json!({ "number_of_retries": retries }), 2), 2, original);
    }
}

#[test]
fn round_robin_is_that_of_nav2() {
    let original = || Box::new(RoundRobinNode::default()) as Box<dyn Original>;
    same(&tree! { for World: round_robin { told(0) } }, 1, original);
    same(&tree! { for World: round_robin { told(0), told(1), told(2) } }, 3, original);
    same(&loaded("RoundRobin", &json!({}), 3), 3, original);
}

#[test]
fn pipeline_sequence_is_that_of_nav2() {
    let original = || Box::new(PipelineNode::default()) as Box<dyn Original>;
    same(&tree! { for World: pipeline_sequence { told(0), told(1) } }, 2, original);
    same(&tree! { for World: pipeline_sequence { told(0), told(1), told(2), told(3) } }, 4, original);
    let nine = tree! {
        for World: pipeline_sequence { told(0), told(1), told(2), told(3), told(4), told(5), told(6), told(7), told(8) }
    };
    same(&nine, 9, original);
    same(&loaded("PipelineSequence", &json!({}), 4), 4, original);
    same(&loaded("PipelineSequence", &json!({}), 9), 9, original);
}

#[test]
fn visit_all_is_the_parallel_of_py_trees() {
    let original = || Box::new(ParallelNode) as Box<dyn Original>;
    same(&tree! { for World: visit_all { told(0), told(1), told(2) } }, 3, original);
    same(&loaded("VisitAll", &json!({}), 3), 3, original);
}
