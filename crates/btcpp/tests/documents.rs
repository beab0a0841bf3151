//! What files of other projects need.

use bt_btcpp::{Document, Nav2Nodes, Nodes, XmlRegistry};
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

#[action]
fn count(_: &mut Board, #[output] count: &mut Option<i32>) {
    *count = Some(1);
}

#[test]
fn an_output_need_not_be_used() {
    let mut registry = registry();
    registry.add::<count>("Count");
    let xml =
        r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><Sequence><Count/><Count/></Sequence></BehaviorTree></root>"#;
    let tree = registry.load_xml(xml).unwrap();
    assert_eq!(tree.tick(&mut Board::new(), &mut tree.memory()), Status::Success);
}

#[test]
fn models_are_those_of_the_program() {
    let mut registry = Registry::<Robot>::new().with_clock();
    let empty = registry.models_xml();
    Nodes::new().add_to(&mut registry);
    Nav2Nodes::add_to(&mut registry);
    assert_eq!(registry.models_xml(), empty);
    registry.add_leaf("btcpp::Wait", |_: &mut Robot| true);
    assert!(registry.models_xml().contains("<Action ID=\"Wait\"/>"), "{}", registry.models_xml());
}

/// A robot with variables and a clock.
#[derive(Default)]
struct Robot(Board);

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.0
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.0
    }
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

const OPEN: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
    <BehaviorTree ID="Main"><Sequence><SubTree ID="Open" tries="1"/></Sequence></BehaviorTree>
    <BehaviorTree ID="Open"><Sequence><Script code="own := 3; tries += 1"/><AlwaysSuccess/></Sequence></BehaviorTree>
</root>"#;

/// The names of the variables of a board.
fn names(board: &Board) -> Vec<String> {
    let mut names = Vec::new();
    board.show(&mut |shown| {
        if shown.value.is_some() {
            names.push(shown.name.to_owned());
        }
    });
    names
}

#[test]
fn variables_of_nested_trees_last_when_the_file_is_edited() {
    let after = OPEN.replace("<Sequence><SubTree", "<Sequence><AlwaysSuccess/><SubTree");
    let mut board = Board::new();
    let tree = registry().load_xml(OPEN).unwrap();
    let mut memory = tree.memory();
    tree.tick(&mut board, &mut memory);
    tree.tick(&mut board, &mut memory);
    assert_eq!(names(&board), [".Open.tries", "Open/.own"]);
    let new = registry().load_xml(&after).unwrap();
    tree.reload(&new, &mut memory, &mut board);
    assert_eq!(new.tick(&mut board, &mut memory), Status::Success);
    assert_eq!(names(&board), [".Open.tries", "Open/.own"]);
    // The tree has counted on, since the file passes the same value as before.
    assert_eq!(board.get(&Key::<i64>::new(".Open.tries")), Some(&4));
    // Another value is set.
    let other = registry().load_xml(&after.replace("tries=\"1\"", "tries=\"10\"")).unwrap();
    new.reload(&other, &mut memory, &mut board);
    other.tick(&mut board, &mut memory);
    assert_eq!(board.get(&Key::<i64>::new(".Open.tries")), Some(&11));
    // A program that starts again has its memory, and not this variable.
    let mut board = Board::new();
    assert_eq!(other.tick(&mut board, &mut memory), Status::Success);
    assert_eq!(board.get(&Key::<i64>::new(".Open.tries")), Some(&11));
}
