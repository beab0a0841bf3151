//! Parameters, also changed by other programs.

use bt_core::prelude::*;
use bt_ros2::{Config, ParameterValue, Parameters, RosNode, ServiceClient};
use serde::{Deserialize, Serialize};

use crate::common::{domain, finish, node};

/// `rcl_interfaces/msg/ParameterValue`
#[derive(Default, Serialize, Deserialize)]
struct Value {
    kind: u8,
    boolean: bool,
    integer: i64,
    double: f64,
    text: String,
    bytes: Vec<u8>,
    booleans: Vec<bool>,
    integers: Vec<i64>,
    doubles: Vec<f64>,
    texts: Vec<String>,
}

/// `rcl_interfaces/srv/SetParameters`
#[derive(Serialize, Deserialize)]
struct Set {
    parameters: Vec<(String, Value)>,
}

/// Its response.
#[derive(Serialize, Deserialize)]
struct Results {
    results: Vec<(bool, String)>,
}

fn double(name: &str, double: f64) -> (String, Value) {
    (name.to_owned(), Value { kind: 3, double, ..Value::default() })
}

fn robot(domain: u16) -> RosNode {
    let config = Config::new("robot").domain(domain).loopback();
    let config = config.parameter("speed", 0.5).parameter("name", "R2").parameter("ids", vec![1_i64, 2]);
    let check = |name: &str, value: &ParameterValue| match value {
        ParameterValue::Double(speed) if name == "speed" && *speed > 2.0 => Err("at most 2 m/s".to_owned()),
        _ => Ok(()),
    };
    RosNode::open(config.check(check)).expect("a node")
}

#[test]
fn parameters_have_types_and_are_checked() {
    let parameters = robot(domain()).parameters();
    assert_eq!(parameters.get::<f64>("speed").ok(), Some(0.5));
    assert_eq!(parameters.get::<String>("name").expect("declared"), "R2");
    assert_eq!(parameters.get::<Vec<i64>>("ids").expect("declared"), [1, 2]);
    let error = |result: Result<(), bt_ros2::Ros2Error>| result.expect_err("an error").to_string();
    assert_eq!(
        error(parameters.get::<f64>("sped").map(|_| ())),
        "parameter `sped`: not declared; help: declare it with `Config::parameter`"
    );
    assert_eq!(
        error(parameters.get::<i64>("speed").map(|_| ())),
        "parameter `speed`: it is a Double, and not a Integer"
    );
    assert_eq!(error(parameters.set("speed", 3.0)), "parameter `speed`: at most 2 m/s");
    assert!(error(parameters.set("speed", 1_i64)).contains("Cannot change type"));
    assert!(error(parameters.set("sped", 1.0)).contains("undeclared"));
    let changed = parameters.changed();
    parameters.set("speed", 1.0).expect("it is valid");
    finish("the change", changed);
    assert_eq!(parameters.get::<f64>("speed").ok(), Some(1.0));
}

#[test]
fn a_declared_value_is_checked_as_well() {
    let config = Config::new("robot").domain(domain()).loopback().parameter("speed", 3.0);
    let error = RosNode::open(config.check(|_, _| Err("too fast".to_owned()))).expect_err("it is refused").to_string();
    assert!(error.starts_with("`/robot` cannot be created") && error.contains("too fast"), "{error}");
}

/// A robot that starts when it may go fast enough.
struct Robot {
    parameters: Parameters,
    clock: bt_ros2::RosClock,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.clock.now()
    }
}

fn is_fast(robot: &mut Robot) -> Status {
    if robot.parameters.get("speed").is_ok_and(|speed: f64| speed > 1.0) { Status::Success } else { Status::Running }
}

#[test]
fn another_program_changes_a_parameter_and_the_tree_reacts() {
    let domain = domain();
    let node_of_robot = robot(domain);
    let client: ServiceClient<Set, Results> =
        node("operator", domain).service("/robot/set_parameters", "rcl_interfaces/srv/SetParameters").expect("valid");
    let tree = tree! { is_fast };
    let mut robot = Robot { parameters: node_of_robot.parameters(), clock: node_of_robot.clock() };
    let mut driver = node_of_robot.drive(&tree, &mut robot).every(secs(31_536_000));
    let _wake = node_of_robot.wake(driver.waker());
    assert_eq!(driver.tick_once(), Status::Running);
    let set = client.call(Set { parameters: vec![double("speed", 9.0), double("speed", 1.5), double("sped", 1.0)] });
    let (response, report) = finish("the tree", futures::future::join(set, driver.until_end()));
    let results = response.expect("a response").results;
    assert_eq!(results.iter().map(|(is_set, _)| *is_set).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(results[0].1, "at most 2 m/s");
    assert_eq!(report.status, Some(Status::Success));
}
