//! Tutorials 6, 7 and 14: nested trees with ports, trees in several files, and models of nested trees.

use bt_btcpp::{Document, XmlRegistry};
use bt_core::prelude::*;

use crate::robot::{Pose2D, Robot, load, move_base, registry, tick_while_running};

/// Tutorial 6.
#[test]
fn port_remapping() {
    let mut registry = registry();
    registry.add::<move_base>("MoveBase");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4" main_tree_to_execute="MainTree">
            <BehaviorTree ID="MainTree">
                <Sequence>
                    <Script code=" move_goal='1;2;3' "/>
                    <SubTree ID="MoveRobot" target="{move_goal}" result="{move_result}"/>
                    <SaySomething message="{move_result}"/>
                </Sequence>
            </BehaviorTree>
            <BehaviorTree ID="MoveRobot">
                <Fallback>
                    <Sequence>
                        <MoveBase goal="{target}"/>
                        <Script code=" result:='goal reached' "/>
                    </Sequence>
                    <ForceFailure>
                        <Script code=" result:='error' "/>
                    </ForceFailure>
                </Fallback>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        [
            "[ MoveBase: SEND REQUEST ]. goal: x=1.0 y=2.0 theta=3.0",
            "[ MoveBase: FINISHED ]",
            "Robot says: goal reached"
        ]
    );
    // There is one board: the nested tree uses the variables of its parent.
    assert_eq!(robot.variables(), ["move_goal", "move_result"]);
    assert_eq!(robot.board.get(&Key::new("move_goal")), Some(&Pose2D { x: 1.0, y: 2.0, theta: 3.0 }));
}

fn folder() -> std::path::PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tutorials/trees").into()
}

/// Tutorial 7.
#[test]
fn several_files() {
    let registry = registry();
    let document = Document::open(folder().join("main.xml")).unwrap();
    assert_eq!(document.trees().collect::<Vec<_>>(), ["MainTree", "SubA", "SubB"]);
    let mut robot = Robot::default();
    let tree = registry.load_document(&document, None).unwrap();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.take(),
        ["Robot says: starting MainTree", "Robot says: Executing SubA", "Robot says: Executing SubB"]
    );
    let tree = registry.load_document(&document, Some("SubA")).unwrap();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.take(), ["Robot says: Executing SubA"]);
    let tree = registry.load_xml_file(folder().join("main.xml")).unwrap();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
}

/// `registerBehaviorTreeFromText` with several texts is one text that includes the others.
#[test]
fn several_texts() {
    let text = |name: &str, tree: &str| {
        Ok(format!(r#"<root BTCPP_format="4"><BehaviorTree ID="{name}">{tree}</BehaviorTree></root>"#))
    };
    let all = r#"<root BTCPP_format="4"><include path="SubA"/><include path="MainTree"/></root>"#;
    let document = Document::read(all, |name| match name {
        "MainTree" => text(name, r#"<SubTree ID="SubA"/>"#),
        _ => text(name, r#"<SaySomething message="Executing SubA"/>"#),
    })
    .unwrap();
    let registry = registry();
    let error = registry.load_document(&document, None).err().unwrap();
    assert_eq!(
        error.to_string(),
        "1:2: the file states no main tree; help: write `main_tree_to_execute` in <root>, or name one of `SubA`, `MainTree`"
    );
    let mut robot = Robot::default();
    tick_while_running(&registry.load_document(&document, Some("MainTree")).unwrap(), &mut robot);
    assert_eq!(robot.printed, ["Robot says: Executing SubA"]);
}

const MODEL: &str = r#"<root BTCPP_format="4">
    <TreeNodesModel>
        <SubTree ID="MySub">
            <input_port name="sub_in_value" default="42"/>
            <input_port name="sub_in_name"/>
            <output_port name="sub_out_result" default="{out_result}"/>
            <output_port name="sub_out_state"/>
        </SubTree>
    </TreeNodesModel>
    <BehaviorTree ID="MySub">
        <Sequence>
            <ScriptCondition code="sub_in_value==42 &amp;&amp; sub_in_name=='john'"/>
            <Script code="sub_out_result:=69; sub_out_state:='ACTIVE'"/>
        </Sequence>
    </BehaviorTree>
</root>"#;

const MODEL_USER: &str = r#"<root BTCPP_format="4" main_tree_to_execute="MainTree">
    <include path="MySub.xml"/>
    <BehaviorTree ID="MainTree">
        <Sequence>
            <Script code="in_name:= 'john' "/>
            <SubTree ID="MySub" sub_in_name="{in_name}" sub_out_state="{out_state}"/>
            <ScriptCondition code=" out_result==69 &amp;&amp; out_state=='ACTIVE' "/>
        </Sequence>
    </BehaviorTree>
</root>"#;

/// Tutorial 14.
#[test]
fn model_with_defaults() {
    let registry = registry();
    let document = Document::read(MODEL_USER, |_| Ok(MODEL.to_owned())).unwrap();
    let tree = registry.load_document(&document, None).unwrap();
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.board.get(&Key::<i64>::new("out_result")), Some(&69));

    let incomplete = MODEL_USER.replace(" sub_out_state=\"{out_state}\"", "");
    let document = Document::read(&incomplete, |_| Ok(MODEL.to_owned())).unwrap();
    let error = registry.load_document(&document, None).err().unwrap();
    assert_eq!(
        error.to_string(),
        "6:14: missing port `sub_out_state` of tree `MySub`, which its model declares without a default"
    );
}
