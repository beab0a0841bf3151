//! Tutorials 16 and 17: variables of the outermost tree, and boards that are saved and restored.

use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

use crate::robot::{Robot, load, names, registry, tick_while_running};

const VALUE: Key<i32> = Key::new("value");
const SQUARE: Key<f64> = Key::new("value_sqr");

#[action]
fn print_number(robot: &mut Robot, #[input] val: i32, #[at] at: NodeId) {
    let name = robot.names.get(at.index()).cloned().unwrap_or_default();
    robot.print(format!("[{name}] val: {val}"));
}

const GLOBAL: &str = r#"<root BTCPP_format="4" main_tree_to_execute="MainTree">
    <BehaviorTree ID="MainTree">
        <Sequence>
            <PrintNumber name="main_print" val="{@value}"/>
            <SubTree ID="MySub"/>
        </Sequence>
    </BehaviorTree>
    <BehaviorTree ID="MySub">
        <Sequence>
            <PrintNumber name="sub_print" val="{@value}"/>
            <Script code="@value_sqr := @value * @value"/>
        </Sequence>
    </BehaviorTree>
</root>"#;

/// Tutorial 16. The global variables are those of the outermost tree.
#[test]
fn global_blackboard() {
    let mut registry = registry();
    registry.add::<print_number>("PrintNumber");
    let tree = load(&registry, GLOBAL);
    let mut robot = Robot { names: names(&tree), ..Robot::default() };
    for value in 1..=3 {
        robot.board.set(&VALUE, value);
        assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
        assert_eq!(robot.take(), [format!("[main_print] val: {value}"), format!("[sub_print] val: {value}")]);
        assert_eq!(robot.board.get(&SQUARE), Some(&f64::from(value * value)));
    }
}

/// A robot that shares a board with others.
struct Member<'w> {
    own: Board,
    shared: &'w Board,
}

impl HasBoard for Member<'_> {
    fn board(&self) -> &Board {
        &self.own
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.own
    }

    fn shared_board(&self) -> Option<&Board> {
        Some(self.shared)
    }
}

struct Members;

impl<'a> bt_dynamic::ContextFamily<'a, '_> for Members {
    type Context = Member<'a>;
}

/// A board that several agents share is read by all trees. They write to their own ones.
#[test]
fn shared_board() {
    let mut registry = bt_dynamic::RegistryOf::<Members>::new();
    bt_btcpp::Nodes::new().add_to(&mut registry);
    registry.add_leaf("PrintNumber", |_: &mut Member<'_>| ());
    let xml = GLOBAL.replace(" val=\"{@value}\"", "");
    let tree = bt_btcpp::XmlRegistry::load_xml(&registry, &xml).unwrap();
    let mut shared = Board::new();
    for value in 1..=3 {
        shared.set(&VALUE, value);
        let mut members = [(); 2].map(|()| Member { own: Board::new(), shared: &shared });
        for member in &mut members {
            assert_eq!(tree.tick(member, &mut tree.memory()), Status::Success);
            assert_eq!(member.own.get(&SQUARE), Some(&f64::from(value * value)));
        }
        assert_eq!(shared.get(&SQUARE), None);
    }
}

fn backup_tree(registry: &Registry<Robot>) -> LoadedTree<Robot> {
    load(
        registry,
        r#"<root BTCPP_format="4" main_tree_to_execute="MainTree">
            <BehaviorTree ID="MainTree">
                <Sequence>
                    <Script code="val_A:= 'john' "/>
                    <Script code="val_B:= 42 "/>
                    <SaySomething message="{val_A}"/>
                    <SaySomething message="hello world"/>
                    <SubTree ID="Sub" val="{val_A}" _autoremap="true"/>
                    <SaySomething message="{reply}"/>
                </Sequence>
            </BehaviorTree>
            <BehaviorTree ID="Sub">
                <Sequence>
                    <SaySomething message="{val}"/>
                    <SaySomething message="{val_B}"/>
                    <Script code="reply:= 'done' "/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    )
}

/// Tutorial 17.
#[test]
fn backup() {
    let tree = backup_tree(&registry());
    let mut robot = Robot::default();
    let backup = robot.board.clone();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    let expected = ["john", "hello world", "john", "42", "done"].map(|text| format!("Robot says: {text}"));
    assert_eq!(robot.take(), expected);
    assert_eq!(robot.variables(), ["reply", "val_A", "val_B"]);

    robot.board = backup;
    assert!(robot.variables().is_empty());
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.take(), expected);
}

/// Tutorial 17: a file contains the variables whose keys are `Key::saved`.
#[test]
fn saved_board() {
    const NAME: Key<String> = Key::saved("val_A");
    const REPLY: Key<String> = Key::saved("reply");
    let fresh = || {
        let mut board = Board::new();
        board.define(&NAME, String::new());
        board.define(&REPLY, String::new());
        board
    };
    let tree = backup_tree(&registry());
    let mut robot = Robot { board: fresh(), ..Robot::default() };
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    let save = serde_json::to_string(&robot.board).unwrap();

    let mut board = fresh();
    board.load(&mut serde_json::Deserializer::from_str(&save)).unwrap();
    assert_eq!(board.get(&NAME).map(String::as_str), Some("john"));
    assert_eq!(board.get(&REPLY).map(String::as_str), Some("done"));
    // Only a script has created it.
    assert_eq!(board.get(&Key::<String>::new("val_B")), None);
}
