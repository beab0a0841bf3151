//! What files of other projects need.

use bt_btcpp::{Document, Nodes, XmlRegistry};
use bt_core::prelude::*;
use bt_dynamic::Registry;

fn registry() -> Registry<Board> {
    let mut registry = Registry::new();
    Nodes::new().add_to(&mut registry);
    registry
}

fn status(xml: &str) -> Status {
    let tree = registry().load_xml(xml).unwrap();
    tree.tick(&mut Board::new(), &mut tree.memory())
}

#[test]
fn a_leaf_can_have_the_name_of_a_word() {
    let mut registry = registry();
    registry.add_leaf("btcpp::Wait", |_: &mut Board| false);
    let xml = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Inverter><Wait/></Inverter></BehaviorTree></root>"#;
    let tree = registry.load_xml(xml).unwrap();
    assert_eq!(tree.tick(&mut Board::new(), &mut tree.memory()), Status::Success);
}

#[test]
fn an_ampersand_in_a_script_needs_no_escape() {
    let xml =
        r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><ScriptCondition code="1 && true"/></BehaviorTree></root>"#;
    assert_eq!(status(xml), Status::Success);
}

#[test]
fn text_in_a_script_can_have_double_quotes() {
    let xml = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
        <BehaviorTree ID="Main"><SubTree ID="Inner" x="y"/></BehaviorTree>
        <BehaviorTree ID="Inner"><ScriptCondition code="&quot;x '&quot; .. x == &quot;x 'y&quot;"/></BehaviorTree>
    </root>"#;
    assert_eq!(status(xml), Status::Success);
}

#[test]
fn a_parallel_of_version_3_has_the_names_of_its_ports() {
    let xml = |format: &str| {
        format!(
            r#"<root {format}><BehaviorTree ID="Main"><Parallel success_threshold="1" failure_threshold="2">
                <AlwaysFailure/><AlwaysSuccess/>
            </Parallel></BehaviorTree></root>"#
        )
    };
    assert_eq!(status(&xml("")), Status::Success);
    let error = registry().load_xml(&xml("BTCPP_format=\"4\"")).err().unwrap().to_string();
    assert!(error.contains("unknown port `success_threshold` of Parallel"), "{error}");
}

#[test]
fn a_file_that_two_paths_name_is_included_once() {
    let include = |path: &str| {
        Ok(match path {
            "a/one.xml" => r#"<root><include path="../b/two.xml"/></root>"#,
            "b/two.xml" => r#"<root><BehaviorTree ID="Two"><AlwaysSuccess/></BehaviorTree></root>"#,
            _ => return Err(format!("no {path}")),
        }
        .to_owned())
    };
    let text = r#"<root><include path="./a/one.xml"/><include path="b/two.xml"/></root>"#;
    assert!(Document::read(text, include).is_ok());
}

#[test]
fn several_trees_can_have_no_name() {
    let include = |_: &str| Ok("<root><BehaviorTree><AlwaysFailure/></BehaviorTree></root>".to_owned());
    let text = r#"<root main_tree_to_execute="Main"><include path="a.xml"/>
        <BehaviorTree><AlwaysFailure/></BehaviorTree><BehaviorTree ID="Main"><AlwaysSuccess/></BehaviorTree></root>"#;
    let tree = registry().load_document(&Document::read(text, include).unwrap(), None).unwrap();
    assert_eq!(tree.tick(&mut Board::new(), &mut tree.memory()), Status::Success);
}
