//! Guards whose trees are edited in the page while they run.
//!
//! `cargo run -p bt-inspector --features edit --example edited -- guard.bt` prints the URL of the page. Pages can edit the tree, and save the file. With several
//! files, each has a guard, and there is one more whose tree is in no file.

use bt_btcpp::Nodes;
use bt_core::prelude::*;
use bt_dynamic::{FileTree, Registry};
use bt_inspector::{Document, Inspector};

const TICK: Duration = millis(50);

#[derive(Default)]
struct Guard {
    ticks: u32,
    board: Board,
}

impl Clock for Guard {
    fn now(&self) -> Duration {
        TICK * self.ticks
    }
}

impl HasBoard for Guard {
    fn board(&self) -> &Board {
        &self.board
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
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

/// Returns the leaves; for a file of BehaviorTree.CPP, with its nodes.
fn registry(is_xml: bool) -> Registry<Guard> {
    let mut registry = Registry::<Guard>::new().with_clock().with_board::<Board>();
    if is_xml {
        Nodes::new().add_to(&mut registry);
    }
    registry.add::<near>("near").add::<attack>("attack").add::<patrol>("patrol");
    registry
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inspector = Inspector::serve("127.0.0.1:0")?;
    inspector.allow_edit();
    let mut guards = Vec::new();
    for (path, name) in std::env::args().skip(1).zip(["Ann", "Bob", "Cat"]) {
        let path = std::fs::canonicalize(path)?;
        let mut file = FileTree::open(&path, registry(path.extension().is_some_and(|end| end == "xml")))?;
        let tree = file.live();
        let key = inspector.tree(path.file_stem().map_or("guard".into(), |name| name.to_string_lossy()), &tree);
        inspector.edit(Document::file(&path).target(file.editable()).follows_file().of(&key))?;
        inspector.allow_write(path.parent().ok_or("expected the path of a file")?)?;
        let (mut agent, mut memory) = (inspector.agent(key, name), tree.memory());
        guards.push(move |guard: &mut Guard| {
            // The file may have been saved by the page, or changed by another program.
            if let Some(Err(error)) = file.poll() {
                eprintln!("{error}");
            }
            let now = guard.now();
            tree.tick_with(guard, &mut memory, &mut agent.at(now));
        });
    }
    let own = tree! { for Guard: patrol };
    let mut own_memory = own.memory();
    let mut own_agent = (guards.len() > 1).then(|| inspector.agent(inspector.tree("own", &own), "Dan"));
    println!("{}", inspector.url());

    let mut guard = Guard::default();
    loop {
        guard.ticks += 1;
        for tick in &mut guards {
            tick(&mut guard);
        }
        if let Some(agent) = &mut own_agent {
            let now = guard.now();
            own.tick_with(&mut guard, &mut own_memory, &mut agent.at(now));
        }
        std::thread::sleep(TICK);
    }
}
