//! A herd whose tree is a Behavior3 file, in the inspector. Edit the file while it runs: agents go on, and so does what pages know of them.
//!
//! `cargo run -p bt-inspector --example herd -- guard.b3.json [--agents 1000]` prints the URL of the page. The file can use the leaves `Tired`, `Enemy`, `Walk`,
//! `Rest` and `Attack`.

use bt_core::prelude::*;
use bt_dynamic::{FileTree, Registry};
use bt_inspector::Inspector;
use serde::Serialize;

const TICK: Duration = millis(50);

/// The context of the tree.
#[derive(Serialize)]
struct Guard {
    energy: u32,
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
        .add_leaf("Tired", |guard: &Guard| guard.energy < 20)
        .add_leaf("Enemy", |guard: &Guard| (guard.ticks + guard.seed) % 200 > 160)
        .add_leaf("Walk", |guard: &mut Guard| {
            guard.energy = guard.energy.saturating_sub(1);
            Status::Running
        })
        .add_leaf("Rest", |guard: &mut Guard| {
            guard.energy += 5;
            if guard.energy > 100 { Status::Success } else { Status::Running }
        })
        .add_leaf("Attack", |_: &mut Guard| Status::Running);
    registry
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: herd FILE [--agents N]")?;
    let agents: u32 = match arguments.next() {
        Some(option) if option == "--agents" => arguments.next().unwrap_or_default().parse()?,
        _ => 1000,
    };
    let mut file = FileTree::open(path, registry())?;
    let inspector = Inspector::serve("127.0.0.1:0")?;
    println!("{}", inspector.url());
    let tree = inspector.tree("guard", file.tree());
    let new = |seed| {
        let watched = inspector.agent(tree.clone(), format!("guard {seed}"));
        (Guard { energy: 30 + seed % 70, seed, ticks: 0 }, file.tree().memory(), watched)
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
