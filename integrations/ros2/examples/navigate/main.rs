//! Nav2's default tree, as XML, over clients of real actions. The servers are another process.
//!
//! ```sh
//! cargo run --example navigate -- servers &
//! cargo run --example navigate                  # the robot arrives after recoveries
//! ```
//!
//! With `endless`, the controller of the servers never arrives; with `halt`, the robot halts its tree after the first feedback, and waits until the servers have
//! acknowledged that. The last argument is the domain.

mod messages;
mod robot;
mod server;

use bt_btcpp::XmlRegistry;
use bt_core::prelude::*;
use bt_ros2::{Config, RosNode, block_on};

use crate::messages::Pose;
use crate::robot::{Robot, registry};
use crate::server::{Controller, serve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let domain = arguments.last().and_then(|argument| argument.parse().ok()).unwrap_or(0);
    if has("servers") {
        return serve(domain, if has("endless") { Controller::Endless } else { Controller::Aborts(4) });
    }
    let node = RosNode::open(Config::new("robot").domain(domain).loopback())?;
    let tree = registry().load_xml(include_str!("../../../../crates/btcpp/tests/nav2/navigate.xml"))?;
    let mut robot = Robot::new(&node, Pose::at(2.0, 1.0))?;
    let mut driver = node.drive(&tree, &mut robot).every(millis(100));
    if has("halt") {
        let clock = node.clock();
        while driver.ctx().left.is_none() {
            println!("{:?}", driver.tick_once());
            block_on(clock.sleep(millis(100)));
        }
        driver.halt();
        block_on(driver.ctx().cancel())?;
        println!("acknowledged");
    } else {
        println!("{}", block_on(driver.until_end()));
    }
    Ok(())
}
