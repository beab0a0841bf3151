//! Tutorials 5 and 11: a robot opens a door, in each way that it knows.

use bt_btcpp::{Nodes, XmlRegistry, to_xml};
use bt_core::board::Blackboard;
use bt_core::observe::Recording;
use bt_core::prelude::*;
use bt_dynamic::Registry;

use crate::robot::names;

#[derive(Default)]
struct CrossDoor {
    board: Board,
    is_open: bool,
    attempts: u32,
    calls: Vec<&'static str>,
}

impl HasBoard for CrossDoor {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

fn is_door_closed(door: &mut CrossDoor) -> bool {
    door.calls.push("IsDoorClosed");
    !door.is_open
}

fn pass_through_door(door: &mut CrossDoor) -> bool {
    door.calls.push("PassThroughDoor");
    door.is_open
}

/// The door is locked.
fn open_door(door: &mut CrossDoor) -> bool {
    door.calls.push("OpenDoor");
    false
}

fn pick_lock(door: &mut CrossDoor) -> bool {
    door.calls.push("PickLock");
    door.attempts += 1;
    door.is_open |= door.attempts > 4;
    door.is_open
}

fn smash_door(door: &mut CrossDoor) {
    door.calls.push("SmashDoor");
    door.is_open = true;
}

fn registry() -> Registry<CrossDoor> {
    let mut registry = Registry::new();
    Nodes::new().add_to(&mut registry);
    registry.add_leaf("IsDoorClosed", is_door_closed).add_leaf("PassThroughDoor", pass_through_door);
    registry.add_leaf("OpenDoor", open_door).add_leaf("PickLock", pick_lock).add_leaf("SmashDoor", smash_door);
    registry
}

/// Ticks a tree until it is not running. Returns its status and the number of ticks.
fn run(tree: &bt_dynamic::LoadedTree<CrossDoor>, door: &mut CrossDoor, observer: &mut impl Observer) -> (Status, u32) {
    let mut memory = tree.memory();
    for ticks in 1.. {
        let status = tree.tick_with(door, &mut memory, observer);
        if status != Status::Running {
            return (status, ticks);
        }
    }
    unreachable!()
}

const CALLS: [&str; 8] =
    ["IsDoorClosed", "OpenDoor", "PickLock", "PickLock", "PickLock", "PickLock", "PickLock", "PassThroughDoor"];

#[test]
fn crossdoor() {
    let tree = registry().load_xml(include_str!("trees/crossdoor.xml")).unwrap();
    // Each attempt after the first is one more tick.
    let mut door = CrossDoor::default();
    assert_eq!(run(&tree, &mut door, &mut ()), (Status::Success, 5));
    assert_eq!(door.calls, CALLS);

    let mut door = CrossDoor { is_open: true, ..CrossDoor::default() };
    assert_eq!(run(&tree, &mut door, &mut ()), (Status::Success, 1));
    assert_eq!(door.calls, ["IsDoorClosed", "PassThroughDoor"]);
}

#[test]
fn more_attempts_than_the_lock_allows() {
    let xml = include_str!("trees/crossdoor.xml").replace("num_attempts=\"5\"", "num_attempts=\"2\"");
    let mut door = CrossDoor::default();
    run(&registry().load_xml(&xml).unwrap(), &mut door, &mut ());
    assert_eq!(door.calls, ["IsDoorClosed", "OpenDoor", "PickLock", "PickLock", "SmashDoor", "PassThroughDoor"]);
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Position2D {
    x: f64,
    y: f64,
}

#[derive(Clone, PartialEq, Debug)]
struct Waypoint {
    name: String,
    position: Position2D,
}

#[action]
fn update_position(
    _: &mut CrossDoor,
    #[kept] at: &mut (f64, f64),
    #[output] pos: &mut Option<Position2D>,
    #[output] vec_double: &mut Option<Vec<f64>>,
    #[output] waypoints: &mut Option<Vec<Waypoint>>,
) {
    *at = (at.0 + 0.2, at.1 + 0.1);
    let position = Position2D { x: at.0, y: at.1 };
    *pos = Some(position);
    *vec_double = Some(vec![1.1, 2.2]);
    *waypoints = Some(vec![Waypoint { name: "start".to_owned(), position }]);
}

/// What Groot shows is what any observer and `Board::show` see: the tree, its statuses and its variables.
#[test]
fn groot() {
    let mut registry = registry();
    registry.add::<update_position>("UpdatePosition");
    let tree = registry.load_xml(include_str!("trees/groot.xml")).unwrap();
    let (mut door, mut recording) = (CrossDoor::default(), Recording::new(1000));
    assert_eq!(run(&tree, &mut door, &mut recording), (Status::Success, 5));
    assert_eq!(door.calls, CALLS);
    assert_eq!(recording.ticks().count(), 5);

    let mut variables = Vec::new();
    door.board.show(&mut |variable| variables.push(format!("{} = {:?}", variable.name, variable.value)));
    assert_eq!(
        variables,
        [
            "door_open = Some(1.0)",
            "doubles = Some([1.1, 2.2])",
            "pos_2D = Some(Position2D { x: 0.2, y: 0.1 })",
            "waypoints = Some([Waypoint { name: \"start\", position: Position2D { x: 0.2, y: 0.1 } }])",
        ]
    );
    assert_eq!(names(&tree)[3..6], ["mem_selector", "invert", "IsDoorClosed"]);

    // The file with the models of the leaves.
    let mut project = tree.to_behavior3();
    registry.declare(&mut project);
    let xml = to_xml(&project, &registry.names()).unwrap();
    assert!(xml.contains(r#"<Action ID="UpdatePosition">"#), "{xml}");
    assert!(xml.contains(r#"_onSuccess="door_open:=true""#), "{xml}");
}
