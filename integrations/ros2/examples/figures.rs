//! What the README states about costs: latencies over loopback, and a node that has nothing to do.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use bt_ros2::ros2_client::action::{ActionServerQosPolicies, AsyncActionServer, GoalEndStatus};
use bt_ros2::ros2_client::{
    ActionTypeName, Context, Name, NodeName, NodeOptions, QosProfile, ServiceMapping, qos::History,
};
use bt_ros2::{ActionClient, Config, RosNode, block_on};
use rustdds::DomainParticipantBuilder;

type Error = Box<dyn std::error::Error>;

const GOALS: usize = 500;
const IDLE: Duration = Duration::from_secs(10);

fn main() -> Result<(), Error> {
    let domain = std::env::args().nth(1).and_then(|domain| domain.parse().ok()).unwrap_or(0);
    let began = Instant::now();
    let node = RosNode::open(Config::new("robot").domain(domain).loopback())?;
    println!("a node opens in {:?}", began.elapsed());
    let (cpu, threads) = used()?;
    std::thread::sleep(IDLE);
    let percent = (used()?.0 - cpu) / IDLE.as_secs_f64() * 100.0;
    println!("a node that has nothing to do: {percent:.2} % of a core, {threads} threads with that of the program");

    std::thread::spawn(move || serve(domain).expect("the server runs"));
    let action: ActionClient<i32, i32, i32> = node.action("/count", "example_interfaces/action/Fibonacci")?;
    let (mut feedback, mut result) = (Vec::new(), Vec::new());
    for _ in 0..GOALS {
        let began = Instant::now();
        let mut goal = action.send(1);
        if block_on(goal.feedback()).is_some() {
            feedback.push(began.elapsed());
        }
        block_on(goal.outcome())?;
        result.push(began.elapsed());
    }
    // The first goal waits for the server.
    println!("from a goal to its first feedback: {}", median(feedback));
    println!("from a goal to its result: {}", median(result));
    Ok(())
}

/// Serves goals, each with one feedback.
fn serve(domain: u16) -> Result<(), Error> {
    let qos = || QosProfile::publisher_default().history(History::KeepLast { depth: 10 });
    let policies = ActionServerQosPolicies {
        goal_service: qos(),
        result_service: qos(),
        cancel_service: qos(),
        feedback_publisher: qos(),
        status_publisher: qos(),
    };
    let participant = DomainParticipantBuilder::new(domain).with_only_networks([Ipv4Addr::LOCALHOST]).build()?;
    let context = Context::from_domain_participant(participant)?;
    let mut node = context.new_node(NodeName::new("/", "server")?, NodeOptions::new().enable_rosout(false))?;
    let (name, of) = (Name::new("/", "count")?, ActionTypeName::new("example_interfaces", "Fibonacci"));
    let server = node.create_action_server::<i32, i32, i32>(ServiceMapping::Enhanced, &name, &of, policies)?;
    let server = AsyncActionServer::new(server);
    let failed = |error| Error::from(format!("{error:?}"));
    block_on(async {
        loop {
            let goal = server.accept_goal(server.receive_new_goal().await?).await.map_err(failed)?;
            let goal = server.start_executing_goal(goal).await.map_err(failed)?;
            server.publish_feedback(goal, 1).await.map_err(|error| format!("{error:?}"))?;
            server.send_result_response(goal, GoalEndStatus::Succeeded, 1).await.map_err(failed)?;
        }
    })
}

/// Returns the median and the 99th percentile.
fn median(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    format!("{:?}, 1 % take more than {:?} ({} goals)", at(50), at(99), times.len())
}

/// Returns the seconds of processor time and the threads of this process.
fn used() -> Result<(f64, u32), Error> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The name of the program, in parentheses, can contain spaces.
    let fields: Vec<_> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    // Linux counts in hundredths.
    Ok(((field(11).parse::<f64>()? + field(12).parse::<f64>()?) / 100.0, field(17).parse()?))
}
