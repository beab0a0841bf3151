//! A herd whose tree is a Behavior3 file, in the inspector. Edit the file while it runs: agents go on, and so does what pages know of them.
//!
//! `cargo run -p bt-inspector --example herd -- guard.b3.json [--agents 1000] [--energy 100]` prints the URL of the page. The file can use the leaves
//! `Tired`, `Enemy`, `Walk`, `Rest` and `Attack`. The more energy guards have, the longer they walk before they rest or see an enemy.

use bt_core::prelude::*;
use bt_dynamic::{FileTree, Registry};
use bt_inspector::Inspector;
use serde::Serialize;

const TICK: Duration = millis(50);

/// The context of the tree.
#[derive(Serialize)]
struct Guard {
    energy: u32,
    /// The energy of a guard that has rested.
    most: u32,
    /// Guards see an enemy at different times.
    seed: u32,
    ticks: u32,
}

impl Clock for Guard {
    fn now(&self) -> Duration {
        TICK * self.ticks
    }
}

fn registry() -> Registry<Guard> {
    let mut registry = Registry::new().with_clock();
    registry
        .add_leaf("Tired", |guard: &Guard| guard.energy < guard.most / 5)
        .add_leaf("Enemy", |guard: &Guard| (guard.ticks + guard.seed) % (guard.most * 2) > guard.most * 8 / 5)
        .add_leaf("Walk", |guard: &mut Guard| {
            guard.energy = guard.energy.saturating_sub(1);
            Status::Running
        })
        .add_leaf("Rest", |guard: &mut Guard| {
            guard.energy += guard.most / 20;
            if guard.energy > guard.most { Status::Success } else { Status::Running }
        })
        .add_leaf("Attack", |_: &mut Guard| Status::Running);
    registry
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: herd FILE [--agents N] [--energy N]")?;
    let (mut agents, mut most): (u32, u32) = (1000, 100);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().unwrap_or_default().parse()?;
        match argument.as_str() {
            "--agents" => agents = value,
            "--energy" if value >= 20 => most = value,
            other => return Err(format!("unknown option `{other} {value}`").into()),
        }
    }
    let mut file = FileTree::open(path, registry())?;
    let inspector = Inspector::serve("127.0.0.1:0")?;
    println!("{}", inspector.url());
    let tree = inspector.tree("guard", file.tree());
    let new = |seed| {
        let watched = inspector.agent(tree.clone(), format!("guard {seed}"));
        (Guard { energy: most * 3 / 10 + seed % (most * 7 / 10), most, seed, ticks: 0 }, file.tree().memory(), watched)
    };
    let mut herd: Vec<_> = (0..agents).map(new).collect();
    loop {
        match file.poll() {
            Some(Ok(change)) => {
                for (guard, memory, _) in &mut herd {
                    change.apply(memory, guard);
                }
                inspector.replace(&tree, &*change.new, &change.matching());
            }
            Some(Err(error)) => eprintln!("{error}"),
            None => {}
        }
        for (guard, memory, watched) in &mut herd {
            if !watched.is_held() {
                guard.ticks += 1;
                file.tree().tick_with(guard, memory, &mut watched.at(TICK * guard.ticks));
            }
            watched.show(|| &*guard);
        }
        std::thread::sleep(TICK);
    }
}
