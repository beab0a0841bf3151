//! Tutorials 8 to 10: leaves with more arguments, scripts with constants, and counts of what the nodes return.

use std::sync::{Arc, OnceLock};

use bt_btcpp::Nodes;
use bt_core::observe::Statistics;
use bt_core::prelude::*;
use bt_dynamic::Registry;

use crate::robot::{Robot, load, registry, say_something, tick_while_running};

/// An object that cannot be cloned.
struct NoCopy(i32);

/// Tutorial 8.
#[test]
fn additional_arguments() {
    let (number, text, object) = (42, "hello world", Arc::new(NoCopy(88)));
    let later: Arc<OnceLock<(i32, String)>> = Arc::default();
    let mut registry = registry();
    registry.add_leaf("Action_A", move |robot: &mut Robot| {
        robot.print(format!("Action_A: {number} / {text} / {}", object.0));
    });
    let arguments = later.clone();
    registry.add_leaf("Action_B", move |robot: &mut Robot| {
        let (number, text) = arguments.get()?;
        robot.print(format!("Action_B: {number} / {text}"));
        Some(())
    });
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree>
                <Sequence>
                    <Action_A/>
                    <Action_B/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    later.set((69, "interesting_value".to_owned())).unwrap();
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.printed, ["Action_A: 42 / hello world / 88", "Action_B: 69 / interesting_value"]);
}

#[derive(Clone, Copy)]
enum Color {
    Red = 1,
    Blue = 2,
    Green = 3,
}

/// Tutorial 9.
#[test]
fn scripting() {
    let mut registry = Registry::<Robot>::new();
    let colors = [("RED", Color::Red), ("BLUE", Color::Blue), ("GREEN", Color::Green)];
    let nodes = colors.into_iter().fold(Nodes::new(), |nodes, (name, color)| nodes.constant(name, color as i32));
    nodes.constant("THE_ANSWER", 42).add_to(&mut registry);
    registry.add::<say_something>("SaySomething");
    let xml = include_str!("trees/scripting.xml");
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&load(&registry, xml), &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        ["Robot says: 42.000000", "Robot says: 3.140000", "Robot says: hello world", "Robot says: 1.000000"]
    );

    let blue = xml.replace("color:=RED", "color:=BLUE");
    assert_eq!(tick_while_running(&load(&registry, &blue), &mut Robot::default()), Status::Failure);
}

const OBSERVED: &str = r#"<root BTCPP_format="4" main_tree_to_execute="MainTree">
    <BehaviorTree ID="MainTree">
        <Sequence>
            <Fallback>
                <AlwaysFailure name="failing_action"/>
                <SubTree ID="SubTreeA" name="mysub"/>
            </Fallback>
            <AlwaysSuccess name="last_action"/>
        </Sequence>
    </BehaviorTree>
    <BehaviorTree ID="SubTreeA">
        <Sequence>
            <AlwaysSuccess name="action_subA"/>
            <SubTree ID="SubTreeB" name="sub_nested"/>
            <SubTree ID="SubTreeB"/>
        </Sequence>
    </BehaviorTree>
    <BehaviorTree ID="SubTreeB">
        <AlwaysSuccess name="action_subB"/>
    </BehaviorTree>
</root>"#;

/// Tutorial 10.
#[test]
fn observer() {
    let tree = load(&registry(), OBSERVED);
    let mut statistics = Statistics::default();
    let status = tree.tick_with(&mut Robot::default(), &mut tree.memory(), &mut statistics);
    assert_eq!(status, Status::Success);
    let description = tree.description();
    let lines = description.nodes().iter().map(|node| {
        let counts = statistics.of(node.id);
        format!("[{}] R/S/F: {}/{}/{}", description.path_of(node.id), counts.runs, counts.success, counts.failure)
    });
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "[mem_sequence] R/S/F: 1/1/0",
            "[mem_selector] R/S/F: 1/1/0",
            "[failing_action] R/S/F: 1/0/1",
            "[mysub] R/S/F: 1/1/0",
            "[mysub/mem_sequence] R/S/F: 1/1/0",
            "[mysub/action_subA] R/S/F: 1/1/0",
            "[mysub/sub_nested] R/S/F: 1/1/0",
            "[mysub/sub_nested/action_subB] R/S/F: 1/1/0",
            "[mysub/SubTreeB] R/S/F: 1/1/0",
            "[mysub/SubTreeB/action_subB] R/S/F: 1/1/0",
            "[last_action] R/S/F: 1/1/0",
        ]
    );
    let last = description.find("last_action").unwrap().id;
    assert_eq!(statistics.of(last).visits, 1);
}
