//! A guard whose tree is edited in the page while it runs.
//!
//! `cargo run -p bt-inspector --features edit --example edited -- guard.bt` prints the URL of the page. Pages can edit the tree, and save the file.

use bt_core::prelude::*;
use bt_dynamic::{FileTree, Registry};
use bt_inspector::{Document, Inspector};

const TICK: Duration = millis(50);

struct Guard {
    ticks: u32,
}

impl Clock for Guard {
    fn now(&self) -> Duration {
        TICK * self.ticks
    }
}

/// Whether an enemy is near. One is 10 m away in every second half of 3 seconds.
#[condition]
fn near(guard: &Guard, meters: f32) -> bool {
    guard.ticks % 60 >= 30 && meters >= 10.0
}

/// Attacks the enemy.
#[action]
fn attack(_: &mut Guard) -> Status {
    Status::Running
}

/// Walks from post to post.
#[action]
fn patrol(_: &mut Guard) -> Status {
    Status::Running
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::fs::canonicalize(std::env::args().nth(1).ok_or("expected the path of a tree")?)?;
    let mut registry = Registry::<Guard>::new().with_clock();
    registry.add::<near>("near").add::<attack>("attack").add::<patrol>("patrol");
    let mut file = FileTree::open(&path, registry)?;
    let tree = file.live();

    let inspector = Inspector::serve("127.0.0.1:0")?;
    let key = inspector.tree("guard", &tree);
    inspector.edit(Document::file(&path).target(file.editable()).follows_file().of(&key))?;
    inspector.allow_edit();
    inspector.allow_write(path.parent().ok_or("expected the path of a file")?)?;
    let mut agent = inspector.agent(key, "Ann");
    println!("{}", inspector.url());

    let (mut guard, mut memory) = (Guard { ticks: 0 }, tree.memory());
    loop {
        // The file may have been saved by the page, or changed by another program.
        if let Some(Err(error)) = file.poll() {
            eprintln!("{error}");
        }
        guard.ticks += 1;
        let now = guard.now();
        tree.tick_with(&mut guard, &mut memory, &mut agent.at(now));
        std::thread::sleep(TICK);
    }
}
