//! `#[input]` and `#[output]`: values that leaves pass to each other.

use bt_tests::without_layout;
use std::sync::Arc;

use bt_core::Outcomes;
use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::board::{OutputKey, ParameterError, VariableError};
use bt_core::prelude::*;
use bt_core::tree_from_json;
use bt_dynamic::Registry;

/// A value that is not `Copy`, and counts its clones.
#[derive(Debug, Default, serde::Deserialize, serde::Serialize)]
struct Cloud {
    points: Vec<u32>,
    #[serde(skip)]
    clones: Arc<std::sync::atomic::AtomicUsize>,
}

impl Clone for Cloud {
    fn clone(&self) -> Self {
        self.clones.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Self { points: self.points.clone(), clones: Arc::clone(&self.clones) }
    }
}

#[derive(Default)]
struct Robot {
    board: Board,
    shared: Option<Arc<Board>>,
    log: Vec<String>,
    faults: Vec<(usize, ParameterError)>,
}

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.board
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
    fn shared_board(&self) -> Option<&Board> {
        self.shared.as_deref()
    }
}

impl OnError<ParameterError> for Robot {
    fn on_error(&mut self, at: NodeId, error: ParameterError) {
        self.faults.push((at.index(), error));
    }
}

const NAME: Key<String> = Key::new("name");
const VIA: Key<u32> = Key::new("via");
const CLOUD: Key<Cloud> = Key::new("cloud");
const IDS: Key<Vec<u32>> = Key::new("ids");

#[action]
fn owned(robot: &mut Robot, #[input] name: String) {
    robot.log.push(name);
}

#[action]
fn lent(robot: &mut Robot, #[input] name: &str, #[input] ids: &[u32], #[input] cloud: &Cloud) {
    robot.log.push(format!("{name} {ids:?} {}", cloud.points.len()));
}

#[condition]
fn sees(_: &Robot, #[input] cloud: &Cloud, #[input] name: &str) -> bool {
    cloud.points.len() == name.len()
}

#[action]
fn maybe(robot: &mut Robot, #[input] via: Option<u32>, #[input] name: Option<&str>, #[input] cloud: Option<&Cloud>) {
    robot.log.push(format!("{via:?} {name:?} {:?}", cloud.map(|cloud| cloud.points.len())));
}

#[condition]
fn has(_: &Robot, #[input] via: Option<u32>, #[input] name: Option<&str>) -> bool {
    via == Some(3) || name == Some("ann")
}

#[action]
fn find(
    _: &mut Robot,
    #[input] count: u32,
    #[output] ids: &mut Option<Vec<u32>>,
    #[output] name: &mut Option<String>,
) -> Status {
    assert_eq!((&*ids, &*name), (&None, &None), "outputs begin empty in each tick");
    if count == 0 {
        return Failure;
    }
    *ids = Some((0..count).collect());
    if count > 1 {
        *name = Some("found".to_owned());
    }
    Running
}

fn tick<N: Node<Robot>>(tree: &N, robot: &mut Robot) -> Status {
    tree.tick(robot, &mut tree.memory())
}

#[test]
fn an_input_can_have_any_type_that_is_clone() {
    let mut robot = Robot::default();
    assert_eq!(tick(&tree! { sequence { owned("ann"), owned(String::from("bob")), owned(NAME) } }, &mut robot), Error);
    robot.board.set(&NAME, "eve".to_owned());
    assert_eq!(tick(&tree! { owned(NAME) }, &mut robot), Success);
    assert_eq!(robot.log, ["ann", "bob", "eve"]);
}

#[test]
fn an_input_by_reference_is_text_a_slice_or_a_value() {
    let mut robot = Robot::default();
    robot.board.set(&NAME, "eve".to_owned());
    robot.board.set(&IDS, vec![7]);
    let cloud = Cloud { points: vec![0; 3], ..Cloud::default() };
    let clones = Arc::clone(&cloud.clones);
    robot.board.set(&CLOUD, cloud);
    let tree =
        tree! { sequence { lent("ann", vec![1, 2], Cloud::default()), lent(NAME, IDS, CLOUD), sees(CLOUD, NAME) } };
    assert_eq!(tick(&tree, &mut robot), Success);
    assert_eq!(robot.log, ["ann [1, 2] 0", "eve [7] 3"]);
    // The action clones the variable; the condition does not.
    assert_eq!(clones.load(std::sync::atomic::Ordering::Relaxed), 1);
}

#[test]
fn an_optional_input_is_none_if_it_is_missing() {
    let mut robot = Robot::default();
    let tree = tree! {
        sequence { maybe(VIA, NAME, CLOUD), maybe(4, "ann", None), maybe(None, Some("x".to_owned()), Cloud::default()) }
    };
    assert_eq!(tick(&tree, &mut robot), Success);
    robot.board.set(&VIA, 3);
    assert_eq!(tick(&tree! { sequence { maybe(VIA, NAME, CLOUD), has(VIA, NAME) } }, &mut robot), Success);
    assert_eq!(
        robot.log,
        ["None None None", "Some(4) Some(\"ann\") None", "None Some(\"x\") Some(0)", "Some(3) None None"]
    );
    assert_eq!(tick(&tree! { sequence { has(1, "ann"), !has(None, None) } }, &mut robot), Success);
    assert!(robot.faults.is_empty());
    assert_eq!(tree.description().lines()[1], "├─ maybe(via: {via}, name: {name}, cloud: {cloud})");
}

#[test]
fn a_missing_or_mistyped_input_is_an_error_with_leaf_parameter_and_variable() {
    #[derive(Default)]
    struct Seen(Vec<String>);
    impl Observer for Seen {
        fn error(&mut self, at: NodeId, error: &dyn std::fmt::Display) {
            self.0.push(format!("{at} {error}"));
        }
    }
    let (mut robot, mut seen) = (Robot::default(), Seen::default());
    let tree = tree! { for Robot: selector { fail, sequence { sees(CLOUD, "x") } } };
    let status = tree.tick_with(&mut robot, &mut tree.memory(), &mut seen);
    assert_eq!(status, Error);
    robot.board.set(&Key::<u8>::new("cloud"), 3);
    assert_eq!(tree.tick_with(&mut robot, &mut tree.memory(), &mut seen), Error);
    assert_eq!(seen.0[0], "#3 parameter `cloud`: variable `cloud` is not set");
    assert!(seen.0[1].starts_with("#3 parameter `cloud`: variable `cloud` has type `u8`, not `"), "{}", seen.0[1]);
    assert_eq!(robot.faults.len(), 2);
    assert_eq!(robot.faults[0].0, 3);
    assert_eq!(robot.faults[0].1.parameter, "cloud");
    assert_eq!(robot.faults[0].1.error, VariableError::NotSet { name: "cloud".to_owned() });
    assert_eq!(tree.description().path_of(NodeId::new(3)), "sees(cloud: {cloud}, name: \"x\")");
}

#[test]
fn an_observer_of_a_loaded_tree_receives_the_error_of_an_input() {
    struct Seen(Vec<String>);
    impl Observer for Seen {
        fn error(&mut self, at: NodeId, error: &dyn std::fmt::Display) {
            self.0.push(format!("{at} {error}"));
        }
    }
    let mut registry = Registry::<Robot>::new();
    registry.add::<owned>("Owned");
    let leaf = r#""2": { "name": "Owned", "properties": { "name": "{name}" } }"#;
    let tree = registry
        .load(&format!(r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "Sequence", "children": ["2"] }}, {leaf} }} }}"#))
        .expect("the file is valid");
    let (mut robot, mut seen) = (Robot::default(), Seen(vec![]));
    assert_eq!(tree.tick_with(&mut robot, &mut tree.memory(), &mut seen), Error);
    assert_eq!(seen.0, ["#1 parameter `name`: variable `name` is not set"]);
    assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Error);
    robot.board.set(&NAME, "ann".to_owned());
    assert_eq!(tree.tick_with(&mut robot, &mut tree.memory(), &mut seen), Success);
    assert_eq!((robot.log, seen.0.len(), robot.faults.len()), (vec!["ann".to_owned()], 1, 2));
}

#[test]
fn a_context_need_not_handle_the_errors_of_parameters() {
    #[action]
    fn go(_: &mut Board, #[input] by: u32) {
        let _ = by;
    }
    #[action]
    fn any<C: HasBoard>(_: &mut C, #[input] by: u32) {
        let _ = by;
    }
    let tree = tree! { for Board: go(VIA) };
    assert_eq!(tree.tick(&mut Board::new(), &mut tree.memory()), Error);
    let tree = tree! { for Board: any(VIA) };
    assert_eq!(tree.tick(&mut Board::new(), &mut tree.memory()), Error);
}

#[test]
fn the_type_of_a_leaf_with_inputs_contains_no_failure_for_a_missing_variable() {
    fn returns<N: Node<Robot>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    assert_eq!(returns(&owned("x")), Outcomes::SUCCESS.or(Outcomes::ERROR));
    assert_eq!(returns(&sees(CLOUD, "x")), Outcomes::ANY.without(Outcomes::RUNNING));
}

#[test]
fn an_input_is_also_read_from_the_shared_board() {
    let mut shared = Board::new();
    shared.set(&NAME, "all".to_owned());
    let mut robot = Robot { shared: Some(Arc::new(shared)), ..Robot::default() };
    assert_eq!(tick(&tree! { owned(NAME) }, &mut robot), Success);
    robot.board.set(&NAME, "own".to_owned());
    assert_eq!(tick(&tree! { owned(NAME) }, &mut robot), Success);
    assert_eq!(robot.log, ["all", "own"]);
}

#[test]
fn an_output_is_stored_in_each_tick_in_which_it_is_set() {
    let mut robot = Robot::default();
    let tree = tree! { find(VIA, IDS, NAME) };
    let mut memory = tree.memory();
    let mut run = |count: u32, robot: &mut Robot| {
        robot.board.set(&VIA, count);
        tree.tick(robot, &mut memory)
    };
    assert_eq!(run(1, &mut robot), Running);
    assert_eq!((robot.board.get(&IDS), robot.board.get(&NAME)), (Some(&vec![0]), None));
    assert_eq!(run(3, &mut robot), Running);
    assert_eq!(robot.board.get(&IDS), Some(&vec![0, 1, 2]));
    assert_eq!(robot.board.get(&NAME).map(String::as_str), Some("found"));
    // What was stored stays.
    assert_eq!(run(0, &mut robot), Failure);
    assert_eq!(robot.board.get(&IDS), Some(&vec![0, 1, 2]));
}

#[test]
fn an_output_for_a_variable_of_another_type_is_an_error() {
    let mut robot = Robot::default();
    robot.board.set(&Key::<u8>::new("ids"), 1);
    assert_eq!(tick(&tree! { find(2, IDS, NAME) }, &mut robot), Error);
    assert_eq!(robot.faults[0].1.parameter, "ids");
    assert!(matches!(robot.faults[0].1.error, VariableError::WrongType(_)));
}

#[test]
fn the_default_of_an_input_or_output_can_be_a_key() {
    #[action]
    fn move_on(
        robot: &mut Robot,
        #[input]
        #[param(default = VIA)]
        by: u32,
        #[input]
        #[param(default = 5.0, unit = "m")]
        far: f32,
        #[output]
        #[param(default = NAME)]
        name: &mut Option<String>,
    ) {
        robot.log.push(format!("{by} {far}"));
        *name = Some("x".to_owned());
    }
    let mut robot = Robot::default();
    robot.board.set(&VIA, 8);
    let tree = tree! {
        sequence { move_on::with_defaults(), move_on::with_defaults().by(2).far(1.5).name(Key::new("other")) }
    };
    assert_eq!(tick(&tree, &mut robot), Success);
    assert_eq!(robot.log, ["8 5", "2 1.5"]);
    assert_eq!(robot.board.get(&NAME), Some(&"x".to_owned()));
    assert_eq!(robot.board.get(&Key::<String>::new("other")), Some(&"x".to_owned()));
    assert_eq!(tree.description().lines()[1], "├─ move_on(by: {via}, far: 5.0 m, name: {name})");
    let _: OutputKey<String> = NAME.into();
}

const FILE: &str = include_str!("ports.b3.json");

fn delivers<N: Node<Robot>>(tree: &N) {
    let mut robot = Robot::default();
    robot.board.set(&VIA, 2);
    robot.board.set(&CLOUD, Cloud::default());
    assert_eq!(tick(tree, &mut robot), Success);
    assert_eq!(robot.log, ["found [0, 1] 0", "None Some(\"ann\") None"]);
    assert_eq!(robot.board.get(&IDS), Some(&vec![0, 1]));
}

#[action]
fn find_once(
    _: &mut Robot,
    #[input] count: u32,
    #[output] ids: &mut Option<Vec<u32>>,
    #[output] name: &mut Option<String>,
) {
    *ids = Some((0..count).collect());
    *name = Some("found".to_owned());
}

#[test]
fn properties_name_the_variables_of_inputs_and_outputs() {
    let mut registry = Registry::<Robot>::new();
    registry.add::<find_once>("Find").add::<lent>("Lent").add::<maybe>("Maybe");
    let loaded = registry.load(FILE).expect("the file is valid");
    delivers(&loaded);
    assert_eq!(loaded.description().lines()[1], "├─ Find(count: {via}, ids: {ids}, name: {name})");
    let again = registry.load(&loaded.to_behavior3().write()).expect("it was just written");
    assert_eq!(without_layout(&again.description()), without_layout(&loaded.description()));
    let built_in = tree! { sequence { find_once(VIA, IDS, NAME), lent(NAME, IDS, CLOUD), maybe(None, "ann", None) } };
    delivers(&built_in);
    assert_eq!(built_in.description().lines()[1], loaded.description().lines()[1].replace("Find", "find_once"));
    let written = bt_dynamic::to_behavior3(&built_in.description(), "again").write().replace("find_once", "Find");
    let written = written.replace("\"lent\"", "\"Lent\"").replace("\"maybe\"", "\"Maybe\"");
    delivers(&registry.load(&written).unwrap_or_else(|error| panic!("{error}\n{written}")));
}

#[test]
fn a_file_in_the_program_has_inputs_and_outputs_too() {
    let tree = tree_from_json!("ports_full.b3.json", for Robot: Find => find_once, Lent => lent, Owned => owned);
    let mut robot = Robot::default();
    robot.board.set(&CLOUD, Cloud::default());
    assert_eq!(tick(&tree, &mut robot), Success);
    assert_eq!(robot.log, ["found [0, 1] 0", "eve"]);
}

#[test]
fn wrong_properties_of_outputs_are_errors() {
    let mut registry = Registry::<Robot>::new();
    registry.add::<find_once>("Find");
    let error = |ids: &str| {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "Find", "properties": {{ "count": 1, "ids": {ids}, "name": "{{name}}" }} }} }} }}"#
        );
        registry.load(&file).expect_err("it is wrong").to_string()
    };
    let found = error("[1, 2]");
    assert!(found.contains("property `ids`: expected the name of a variable in braces, such as `{path}`"), "{found}");
    assert!(error("\"ids\"").contains("expected the name of a variable in braces"));
    assert!(error("null").contains("missing property `ids`"));
}

#[test]
fn recordings_contain_the_errors_of_parameters() {
    use bt_core::observe::{RecordFile, Recorded};
    let tree = tree! { for Robot: sequence { sees(CLOUD, "x") } };
    let mut text = Vec::new();
    let mut file = RecordFile::new(&mut text, "robot", &tree).expect("memory is writable");
    tree.tick_with(&mut Robot::default(), &mut tree.memory(), &mut file.for_agent(3, secs(1)));
    file.finish().expect("memory is writable");
    let recorded = Recorded::read(&*text).expect("it was just written");
    assert_eq!(
        recorded.ticks[0].reasons,
        [(NodeId::new(1), "parameter `cloud`: variable `cloud` is not set".to_owned())]
    );
    let text = String::from_utf8(text).expect("it is text").replace("[[1,", "[[7,");
    let error = &Recorded::read(text.as_bytes()).expect("it has a header").dropped[0];
    assert!(error.to_string().contains("unknown node #7"), "{error}");
}
