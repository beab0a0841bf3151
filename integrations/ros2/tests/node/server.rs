//! Servers of ros2-client: the other side of services and actions.

use std::net::Ipv4Addr;

use bt_ros2::ros2_client::action::{ActionServerQosPolicies, AsyncActionServer, ExecutingGoalHandle};
use bt_ros2::ros2_client::qos::{History, QosProfile};
use bt_ros2::ros2_client::{
    ActionTypeName, Context, Message, Name, Node, NodeName, NodeOptions, Server, ServiceMapping, ServiceTypeName,
};
use rustdds::DomainParticipantBuilder;
use serde::{Deserialize, Serialize};

/// A node of ros2-client without a thread.
pub(crate) fn plain_node(name: &str, domain: u16) -> Node {
    let participant = DomainParticipantBuilder::new(domain).with_only_networks([Ipv4Addr::LOCALHOST]).build();
    let context = Context::from_domain_participant(participant.expect("a participant")).expect("a context");
    let name = NodeName::new("/", name).expect("a valid name");
    context.new_node(name, NodeOptions::new().enable_rosout(false)).expect("a node")
}

fn qos() -> QosProfile {
    QosProfile::publisher_default().history(History::KeepLast { depth: 10 })
}

/// `example_interfaces/srv/AddTwoInts`
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Add {
    pub(crate) a: i64,
    pub(crate) b: i64,
}

impl Message for Add {}

/// Its response.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Sum {
    pub(crate) sum: i64,
}

impl Message for Sum {}

/// Creates a server of `/add`.
pub(crate) fn adder(node: &mut Node, mapping: ServiceMapping) -> Server<Add, Sum> {
    add_server(node, mapping)
}

/// Creates a server of `/add` whose responses have one byte.
pub(crate) fn short_adder(node: &mut Node) -> Server<Add, u8> {
    add_server(node, ServiceMapping::Enhanced)
}

fn add_server<S: Message + 'static>(node: &mut Node, mapping: ServiceMapping) -> Server<Add, S> {
    let name = Name::new("/", "add").expect("a valid name");
    let of = ServiceTypeName::new("example_interfaces", "AddTwoInts");
    node.create_server(mapping, &name, &of, qos(), qos()).expect("a server")
}

/// The goal of `example_interfaces/action/Fibonacci`.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) order: i32,
}

impl Message for Order {}

/// Its result and its feedback.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Numbers {
    pub(crate) sequence: Vec<i32>,
}

impl Message for Numbers {}

pub(crate) type Counter = AsyncActionServer<Order, Numbers, Numbers>;

/// Creates a server of `/count`.
pub(crate) fn counter(node: &mut Node, mapping: ServiceMapping) -> Counter {
    let qos = ActionServerQosPolicies {
        goal_service: qos(),
        result_service: qos(),
        cancel_service: qos(),
        feedback_publisher: qos(),
        status_publisher: qos(),
    };
    let name = Name::new("/", "count").expect("a valid name");
    let of = ActionTypeName::new("example_interfaces", "Fibonacci");
    AsyncActionServer::new(node.create_action_server(mapping, &name, &of, qos).expect("a server"))
}

/// Accepts the next goal.
pub(crate) async fn accept(server: &Counter) -> (i32, ExecutingGoalHandle<Order>) {
    let goal = server.receive_new_goal().await.expect("a goal");
    let order = server.get_new_goal(goal).expect("it is new").order;
    let goal = server.accept_goal(goal).await.expect("it can be accepted");
    (order, server.start_executing_goal(goal).await.expect("it can start"))
}
