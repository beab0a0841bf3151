//! One machine: a process that ticks its part of the robots.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read as _;
use std::time::Instant;

use bt_core::prelude::*;
use bt_fleet::{Config, Fleet, ShardConfig, Sharded};

use crate::options::Story;
use crate::robot::{Robot, robot};

const TICK: Duration = millis(50);

/// Runs until the process that has started this one ends.
pub(crate) fn run(name: &str, story: &Story) -> Result<(), Box<dyn Error>> {
    // The standard input ends with the other process, however that ends. A terminal stays open.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let fleet = Fleet::join(Config::new("warehouse", name).connect(&story.endpoint))?;
    let mut robots = Sharded::join(&fleet, ShardConfig::new("robots"), robot())?;
    for number in 1..=story.robots {
        robots.add(&format!("robot {number}"), &Robot::new(number))?;
    }
    let mut next_line = Instant::now();
    loop {
        let mut delivered = BTreeMap::new();
        robots.tick_all(|robot| {
            robot.context.now = robot.now();
            robot.context.tick = robot.ticks();
            robot.context.epoch = format!("{:x}", robot.epoch().number());
            robot.tick();
            delivered.insert(robot.name().to_owned(), robot.context.delivered);
        });
        for event in robots.events() {
            println!("{event:?}");
        }
        if Instant::now() >= next_line {
            next_line += secs(1);
            println!("robots {} {}", delivered.len(), delivered.values().sum::<u64>());
        }
        std::thread::sleep(TICK);
    }
}
