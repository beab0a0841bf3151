//! The hub, and what happens to its machines.

use std::error::Error;
use std::time::{Duration, Instant};

use bt_fleet::{Change, FleetHub, HubConfig, RecordConfig};

use crate::options::Story;
use crate::processes::Processes;

/// How long robots of a machine that is gone stand still.
const LEASE: Duration = Duration::from_secs(1);
/// When a machine is killed, and when another one comes, in seconds.
const KILL: u64 = 6;
const COME: u64 = 11;

pub(crate) fn run(story: &Story) -> Result<(), Box<dyn Error>> {
    let mut config = HubConfig::new("warehouse").address(&story.address).listen(&story.endpoint).keeper(LEASE);
    if let Some(folder) = &story.record {
        config = config.record(RecordConfig::new(folder));
    }
    let hub = FleetHub::serve(config.on_change(|change| match change {
        Change::Joined(machine) => println!("{machine} joined"),
        Change::Left(machine) => println!("{machine} left"),
        Change::Recovered { machine, agents, .. } => println!("{agents} robots of {machine} continue elsewhere"),
        change => println!("{change:?}"),
    }))?;
    println!("{}", hub.url());
    let mut processes = Processes::default();
    let name = |number: usize| format!("machine-{number}");
    for number in 1..=story.machines {
        processes.start(&name(number), &story.endpoint, if number == 1 { story.robots } else { 0 })?;
    }
    let start = Instant::now();
    for second in 1.. {
        std::thread::sleep(Duration::from_secs(second).saturating_sub(start.elapsed()));
        let reports = processes.reports();
        let robots: Vec<_> = reports.iter().map(|(name, (robots, _))| format!("{name} {robots}")).collect();
        let delivered: u64 = reports.values().map(|(_, delivered)| delivered).sum();
        println!("{second} s: {delivered} delivered; robots: {}", robots.join(", "));
        if second == KILL {
            println!("{} is killed", name(2));
            processes.kill(&name(2))?;
        } else if second == COME {
            processes.start(&name(story.machines + 1), &story.endpoint, 0)?;
        }
        if story.seconds.is_some_and(|end| second >= end) {
            let found: usize = reports.values().map(|(robots, _)| robots).sum();
            let expected = story.robots;
            return if found == expected {
                println!("all {expected} robots are there");
                Ok(())
            } else {
                Err(format!("expected {expected} robots, found {found}").into())
            };
        }
    }
    Ok(())
}
