//! A program whose trees pages of the inspector edit. It runs until its input ends, and prints what its agents say whenever that changes.

use std::io::{Write, stdin, stdout};
use std::process::exit;
use std::thread;
use std::time::Duration;

use bt_core::prelude::*;
use bt_inspector::{Inspector, TreeKey, Watched};

mod trees;
#[path = "../program/world.rs"]
#[expect(dead_code, reason = "these trees need less")]
mod world;

use world::World;

/// The time of a tick, in the world.
const TICK: Duration = Duration::from_millis(10);

/// Several agents of one tree, each with what it has said last.
struct Agents<N: Tree> {
    name: &'static str,
    tree: N,
    all: Vec<(World, Memory<N>, Watched, String)>,
}

impl<N: Node<World>> Agents<N> {
    fn new(inspector: &Inspector, name: &'static str, tree: N, count: usize) -> Self {
        let key: TreeKey = inspector.tree(name, &tree);
        let agent = |index| {
            let watched = inspector.agent(key.clone(), format!("{name} {index}"));
            (World::new(), tree.memory(), watched, String::new())
        };
        Self { name, all: (0..count).map(agent).collect(), tree }
    }

    fn tick(&mut self) {
        for (index, (world, memory, watched, last)) in self.all.iter_mut().enumerate() {
            world.now += TICK;
            world.said.clear();
            self.tree.tick_with(world, memory, &mut watched.at(world.now));
            let said = world.said.join(" ");
            if *last != said {
                // Nobody reads it if the test has failed.
                _ = writeln!(stdout(), "{} {index}: {said}", self.name);
                *last = said;
            }
        }
    }
}

fn main() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    bt_live::edit(&inspector);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("write", folder)) => inspector.allow_write(folder).expect("a folder"),
            _ => inspector.allow_edit(),
        }
    }
    _ = writeln!(stdout(), "page: {}", inspector.url());
    let (asks, asked) = std::sync::mpsc::channel();
    thread::spawn(move || {
        for line in stdin().lines().map_while(Result::ok) {
            _ = asks.send(line);
        }
        exit(0);
    });
    let mut guards = Agents::new(&inspector, "guard", trees::guard(), 3);
    let mut counting = Agents::new(&inspector, "count", trees::counting(), 1);
    let mut late = None;
    loop {
        if asked.try_recv().is_ok() {
            late =
                Some((Agents::new(&inspector, "late", trees::late(), 1), Agents::new(&inspector, "other", other(), 1)));
        }
        guards.tick();
        counting.tick();
        if let Some((late, other)) = &mut late {
            late.tick();
            other.tick();
        }
        thread::sleep(Duration::from_millis(4));
    }
}

/// A tree in a file whose trees are evaluated late.
fn other() -> impl Node<World> {
    tree! { for World: world::say("other") }
}
