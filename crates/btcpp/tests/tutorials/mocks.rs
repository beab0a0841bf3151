//! Tutorial 15: nodes that are replaced in a test.

use std::sync::Arc;

use bt_behavior3::Project;
use bt_btcpp::{Document, XmlRegistry};
use bt_core::prelude::*;
use bt_core::testing::TreeTest;
use bt_dynamic::{LoadedTree, Registry};
use serde_json::json;

use crate::robot::{Robot, load, names, registry, tick_while_running};

const XML: &str = r#"<root BTCPP_format="4" main_tree_to_execute="MainTree">
    <BehaviorTree ID="MainTree">
        <Sequence>
            <SaySomething name="talk" message="hello world"/>
            <SubTree ID="MySub" name="mysub"/>
            <Script name="set_message" code="msg:= 'the original message' "/>
            <SaySomething message="{msg}"/>
            <Sequence name="counting">
                <SaySomething message="1"/>
                <SaySomething message="2"/>
                <SaySomething message="3"/>
            </Sequence>
        </Sequence>
    </BehaviorTree>
    <BehaviorTree ID="MySub">
        <Sequence>
            <AlwaysSuccess name="action_subA"/>
            <AlwaysSuccess name="action_subB"/>
        </Sequence>
    </BehaviorTree>
</root>"#;

fn original() -> [String; 5] {
    ["hello world", "the original message", "1", "2", "3"].map(|text| format!("Robot says: {text}"))
}

#[test]
fn the_original() {
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&load(&registry(), XML), &mut robot), Status::Success);
    assert_eq!(robot.printed, original());
}

/// A `TreeTest` replaces nodes by statuses.
#[test]
fn statuses_in_place_of_nodes() {
    let mut test = TreeTest::new(load(&registry(), XML), Robot::default());
    test.replace("talk", [Status::Success]).replace("counting", [Status::Success]);
    test.replace("mysub/action_subA", [Status::Success]);
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.ctx.printed, ["Robot says: the original message"]);

    // A branch that fails stops the sequence.
    let mut test = TreeTest::new(load(&registry(), XML), Robot::default());
    test.replace("counting", [Status::Failure]);
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.ctx.printed, original()[..2]);
}

#[action]
fn dummy_action(robot: &mut Robot, #[at] at: NodeId) {
    let name = robot.names.get(at.index()).cloned().unwrap_or_default();
    robot.print(format!("DummyAction substituting {name}"));
}

#[action]
fn dummy_say_something(robot: &mut Robot, #[input] message: &str) {
    robot.print(format!("DummySaySomething: {message}"));
}

/// Replaces the nodes with titles that begin with this text by another node. `properties` are those of the other node; `None` keeps them.
fn substitute(project: &mut Project, title: &str, name: &str, properties: Option<serde_json::Value>) {
    let mut count = 0;
    for (_, node) in project.trees.iter_mut().flat_map(|tree| &mut tree.nodes) {
        if node.title().starts_with(title) {
            let node = Arc::make_mut(node);
            name.clone_into(&mut node.name);
            if let Some(properties) = properties.as_ref().and_then(serde_json::Value::as_object) {
                node.properties = properties.clone().into();
            }
            count += 1;
        }
    }
    assert!(count > 0, "no node has the title `{title}`");
}

fn substituted(registry: &Registry<Robot>) -> LoadedTree<Robot> {
    let document = Document::read(XML, |_| Err(String::new())).unwrap();
    let mut project = registry.convert_xml(&document, None).unwrap();
    substitute(&mut project, "action_", "DummyAction", None);
    substitute(&mut project, "talk", "DummySaySomething", None);
    let script = json!({ "code": "msg := 'message SUBSTITUTED'" });
    substitute(&mut project, "set_message", "btcpp::Script", Some(script));
    registry.load_from(&project, None).unwrap()
}

/// Other nodes under the names of some nodes: the converted tree is changed before it is loaded.
#[test]
fn nodes_in_place_of_nodes() {
    let mut registry = registry();
    registry.add::<dummy_action>("DummyAction").add::<dummy_say_something>("DummySaySomething");
    let tree = substituted(&registry);
    let names = names(&tree);
    let mut test = TreeTest::new(tree, Robot { names, ..Robot::default() });
    test.replace("counting", [Status::Success]);
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(
        test.ctx.printed,
        [
            "DummySaySomething: hello world",
            "DummyAction substituting action_subA",
            "DummyAction substituting action_subB",
            "Robot says: message SUBSTITUTED"
        ]
    );
}

/// Another leaf under a name that is registered already is an error, so a test builds a registry of its own.
#[test]
fn a_name_that_is_taken() {
    let mut registry = registry();
    registry.add::<dummy_say_something>("SaySomething");
    let error = registry.load_xml(XML).err().unwrap();
    let error = error.to_string();
    assert!(error.starts_with("tree \"MainTree\": `SaySomething` is registered twice: at "), "{error}");
}
