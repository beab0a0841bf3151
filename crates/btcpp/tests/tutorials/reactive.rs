//! Tutorial 4: the difference between a sequence and a reactive one, with an action that takes time.

use bt_btcpp::tick_once;
use bt_core::prelude::*;

use crate::robot::{Robot, load, move_base, registry};

const SEQUENCE: &str = r#"<root BTCPP_format="4">
    <BehaviorTree ID="MainTree">
        <Sequence name="root">
            <BatteryOK/>
            <SaySomething message="mission started..."/>
            <MoveBase goal="1;2;3"/>
            <SaySomething message="mission completed!"/>
        </Sequence>
    </BehaviorTree>
</root>"#;

const REACTIVE: &str = r#"<root BTCPP_format="4">
    <BehaviorTree ID="MainTree">
        <ReactiveSequence name="root">
            <BatteryOK/>
            <Sequence>
                <SaySomething message="mission started..."/>
                <MoveBase goal="1;2;3"/>
                <SaySomething message="mission completed!"/>
            </Sequence>
        </ReactiveSequence>
    </BehaviorTree>
</root>"#;

/// Ticks a tree every 100 ms. Returns what it prints, with the status of each tick.
fn run(xml: &str) -> Vec<String> {
    let mut registry = registry();
    registry.add::<move_base>("MoveBase");
    registry.add_leaf("BatteryOK", |robot: &mut Robot| robot.print("[ Battery: OK ]"));
    let tree = load(&registry, xml);
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    let mut status = Status::Running;
    while status == Status::Running {
        status = tick_once(|| tree.tick(&mut robot, &mut memory));
        robot.print(format!("--- status: {status:?}"));
        robot.now += millis(100);
    }
    robot.printed
}

#[test]
fn sequence() {
    assert_eq!(
        run(SEQUENCE),
        [
            "[ Battery: OK ]",
            "Robot says: mission started...",
            "[ MoveBase: SEND REQUEST ]. goal: x=1.0 y=2.0 theta=3.0",
            "--- status: Running",
            "--- status: Running",
            "--- status: Running",
            "[ MoveBase: FINISHED ]",
            "Robot says: mission completed!",
            "--- status: Success",
        ]
    );
}

#[test]
fn reactive_sequence() {
    assert_eq!(
        run(REACTIVE),
        [
            "[ Battery: OK ]",
            "Robot says: mission started...",
            "[ MoveBase: SEND REQUEST ]. goal: x=1.0 y=2.0 theta=3.0",
            "--- status: Running",
            "[ Battery: OK ]",
            "--- status: Running",
            "[ Battery: OK ]",
            "--- status: Running",
            "[ Battery: OK ]",
            "[ MoveBase: FINISHED ]",
            "Robot says: mission completed!",
            "--- status: Success",
        ]
    );
}

/// `onHalted` of an action with ports is a script of its node.
#[test]
fn halted() {
    let mut registry = registry();
    registry.add::<move_base>("MoveBase");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4"><BehaviorTree ID="MainTree">
            <MoveBase goal="1;2;3" _onHalted="aborted := true"/>
        </BehaviorTree></root>"#,
    );
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
    tree.halt(&mut robot, &mut memory);
    assert_eq!(robot.board.get(&Key::<f64>::new("aborted")), Some(&1.0));
}
