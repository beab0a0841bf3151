//! Tutorials 1 to 3: a tree, ports, and ports of a type of the user.

use bt_btcpp::XmlRegistry;
use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::robot::{Robot, load, registry, tick_while_running};

/// Tutorial 1.
#[test]
fn first_tree() {
    let mut registry = registry();
    registry.add_leaf("CheckBattery", |robot: &mut Robot| robot.print("[ Battery: OK ]"));
    registry.add_leaf("OpenGripper", |robot: &mut Robot| robot.print("GripperInterface::open"));
    registry.add_leaf("ApproachObject", |robot: &mut Robot| robot.print("ApproachObject: approach_object"));
    registry.add_leaf("CloseGripper", |robot: &mut Robot| robot.print("GripperInterface::close"));
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="MainTree">
                <Sequence name="root_sequence">
                    <CheckBattery name="battery_ok"/>
                    <OpenGripper name="open_gripper"/>
                    <ApproachObject name="approach_object"/>
                    <CloseGripper name="close_gripper"/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        ["[ Battery: OK ]", "GripperInterface::open", "ApproachObject: approach_object", "GripperInterface::close"]
    );
}

#[action]
fn think_what_to_say(_: &mut Robot, #[output] text: &mut Option<String>) {
    *text = Some("The answer is 42".to_owned());
}

/// Tutorial 2.
#[test]
fn basic_ports() {
    let mut registry = registry();
    registry.add::<think_what_to_say>("ThinkWhatToSay");
    registry.add::<crate::robot::say_something>("SaySomething2");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="MainTree">
                <Sequence name="root">
                    <SaySomething message="hello"/>
                    <SaySomething2 message="this works too"/>
                    <ThinkWhatToSay text="{the_answer}"/>
                    <SaySomething2 message="{the_answer}"/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.printed, ["Robot says: hello", "Robot says: this works too", "Robot says: The answer is 42"]);
}

/// A position, which a file writes as `1.1;2.3`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Position2D {
    x: f64,
    y: f64,
}

#[action]
fn calculate_goal(_: &mut Robot, #[output] goal: &mut Option<Position2D>) {
    *goal = Some(Position2D { x: 1.1, y: 2.3 });
}

#[action]
fn print_target(robot: &mut Robot, #[input] target: Position2D) {
    robot.print(format!("Target positions: [ {:.1}, {:.1} ]", target.x, target.y));
}

/// Tutorial 3.
#[test]
fn generic_ports() {
    let mut registry = registry();
    registry.add::<calculate_goal>("CalculateGoal").add::<print_target>("PrintTarget");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="MainTree">
                <Sequence name="root">
                    <CalculateGoal goal="{GoalPosition}"/>
                    <PrintTarget target="{GoalPosition}"/>
                    <Script code="OtherGoal='-1;3'"/>
                    <PrintTarget target="{OtherGoal}"/>
                    <PrintTarget target="1.1;2.3"/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        ["Target positions: [ 1.1, 2.3 ]", "Target positions: [ -1.0, 3.0 ]", "Target positions: [ 1.1, 2.3 ]"]
    );
    let one = |target| format!(r#"<root BTCPP_format="4"><BehaviorTree ID="A">{target}</BehaviorTree></root>"#);
    let error = registry.load_xml(&one(r#"<PrintTarget target="1;2;3"/>"#)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "1:66: property `target`: invalid type: string \"1;2;3\", expected struct Position2D"
    );
    let error = registry.load_xml(&one(r#"<PrintTarget goal="1;2"/>"#)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "1:46: missing property `target`\n1:64: unknown property `goal`; note: the properties are `target`"
    );
}
