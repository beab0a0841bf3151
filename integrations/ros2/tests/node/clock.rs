//! The time of ROS.

use bt_core::prelude::*;
use bt_ros2::ros2_client::builtin_interfaces::Time;
use bt_ros2::{Config, Publisher, RosClock, RosNode};
use futures::FutureExt;
use futures::future::join;

use crate::common::{domain, finish, node};

/// A node with simulated time, and who publishes it.
fn simulated() -> (RosNode, Publisher<Time>) {
    let domain = domain();
    let robot = RosNode::open(Config::new("robot").domain(domain).loopback().simulated_time()).expect("a node");
    let time = node("simulation", domain).publisher("/clock", "rosgraph_msgs/msg/Clock").expect("a valid topic");
    finish("the other node", time.heard());
    (robot, time)
}

/// Publishes a time until the clock has it.
async fn set(clock: &RosClock, time: &Publisher<Time>, seconds: i32) {
    while clock.now() != secs(u64::try_from(seconds).expect("a time")) {
        // The subscription is best effort.
        time.publish(Time::new(seconds, 0)).expect("it is sent");
        futures_timer::Delay::new(millis(1)).await;
    }
}

#[test]
fn the_time_is_that_of_the_system() {
    let clock = node("robot", domain()).clock();
    let system = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    let (before, now, after) = (system(), clock.now(), system());
    assert!(!clock.is_simulated() && before <= now && now <= after, "{before:?} {now:?} {after:?}");
    let slept = std::time::Instant::now();
    finish("the sleep", clock.sleep(millis(20)));
    assert!(slept.elapsed() >= millis(20));
}

#[test]
fn simulated_time_is_that_of_the_topic() {
    let (robot, time) = simulated();
    let clock = robot.clock();
    assert!(clock.is_simulated());
    assert_eq!(clock.now(), secs(0));
    finish("the time", set(&clock, &time, 100));
    let mut sleep = Box::pin(clock.sleep(secs(10)));
    finish("the time", set(&clock, &time, 109));
    assert!((&mut sleep).now_or_never().is_none());
    finish("the sleep", join(sleep, set(&clock, &time, 110)));
    // A simulation that starts again.
    let sleep = clock.sleep(secs(10));
    finish("the time", set(&clock, &time, 5));
    finish("the sleep", sleep);
}

struct Robot {
    clock: RosClock,
    times: Vec<u64>,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.clock.now()
    }
}

#[test]
fn a_driven_tree_lives_in_simulated_time() {
    let (robot, time) = simulated();
    let clock = robot.clock();
    finish("the time", set(&clock, &time, 1000));
    let tree = tree! {
        for Robot: mem_sequence { wait(secs(60)), |robot: &mut Robot| robot.times.push(robot.clock.now().as_secs()) }
    };
    let mut context = Robot { clock: clock.clone(), times: vec![] };
    let mut driver = robot.drive(&tree, &mut context).every(secs(10));
    let simulates = async {
        for seconds in (1000..=1060).step_by(10) {
            set(&clock, &time, seconds).await;
            // Lets the loop tick.
            futures_timer::Delay::new(millis(1)).await;
        }
    };
    let ((), report) = finish("the tree", join(simulates, driver.until_end()));
    assert_eq!(report.status, Some(Status::Success));
    assert!(report.ticks + report.skipped >= 7, "{report:?}");
    drop(driver);
    assert_eq!(context.times, [1060]);
}

#[test]
fn others_can_switch_to_simulated_time_and_sleepers_notice() {
    let robot = node("robot", domain());
    let clock = robot.clock();
    let sleep = clock.sleep(secs(31_536_000));
    robot.parameters().set("use_sim_time", true).expect("it is declared");
    assert!(clock.is_simulated());
    finish("the sleep", sleep);
}
