//! A program with trees of all kinds. It runs until its input ends, and prints what its agents say whenever that changes.

use std::io::{Write, stdin, stdout};
use std::process::exit;
use std::thread;
use std::time::Duration;

use bt_core::prelude::*;
use bt_live::EditTree;

mod kinds;
mod trees;
mod world;

use world::{World, hop, say};

/// The time of a tick, in the world.
const TICK: Duration = Duration::from_millis(10);

/// An agent: a name, and what it says in a tick.
struct Agent<'a> {
    name: &'static str,
    tick: Box<dyn FnMut() -> String + 'a>,
    said: Option<String>,
}

impl<'a> Agent<'a> {
    fn new<N: Node<World> + 'a>(name: &'static str, tree: N) -> Self {
        let mut world = World::new();
        let mut memory = tree.memory();
        Self::of(name, move || {
            world.now += TICK;
            world.said.clear();
            _ = tree.tick(&mut world, &mut memory);
            world.said.join(" ")
        })
    }

    fn of(name: &'static str, tick: impl FnMut() -> String + 'a) -> Self {
        Self { name, tick: Box::new(tick), said: None }
    }

    fn tick(&mut self) {
        let said = (self.tick)();
        if self.said.as_ref() != Some(&said) {
            // Nobody reads it if the test has failed.
            _ = writeln!(stdout(), "{}: {said}", self.name);
            self.said = Some(said);
        }
    }
}

/// Lets trees follow a text in place of their source. Returns what is wrong, or the leaves that can be used.
fn edited(line: &str) -> String {
    let sources = bt_live::sources();
    let found = line.split_once(' ').and_then(|(name, text)| {
        let source = sources.iter().find(|source| source.path().ends_with(name))?;
        Some((source, std::fs::read_to_string(text).ok()?))
    });
    let Some((source, text)) = found else { return format!("unknown: {line}, {sources:?}") };
    let lines = |found: Vec<bt_live::Diagnostic>| found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    match source.check(&text).and_then(|_| source.apply(&text)) {
        Ok(_) => {
            let own = source.palette().into_iter().filter(|entry| entry.group != "words");
            own.map(|entry| entry.insert).collect::<Vec<_>>().join(" ")
        }
        Err(errors) => lines(errors),
    }
}

fn main() {
    thread::spawn(|| {
        // As an editor: each line names a source, and a file with another text for it.
        for line in stdin().lines().map_while(Result::ok) {
            _ = writeln!(stdout(), "editor: {}", edited(&line));
        }
        exit(0);
    });
    let name = String::from("bob");
    let name = name.as_str();
    let captured = |world: &mut World| world.say(name);
    let inline = tree! { for World: sequence { say("a"), captured, |world: &mut World| world.say(1 + 1) } };
    let mut agents = vec![
        Agent::new("inline", inline),
        Agent::new("equal", tree! { for World: hop }),
        Agent::new("same", tree! { for World: hop }),
        Agent::new("guard", trees::guard(0.0)),
        Agent::new("other", trees::guard(0.0)),
        Agent::new("count", trees::counting()),
        Agent::new("waiting", trees::waiting()),
        Agent::new("machine", kinds::machine()),
        Agent::new("service", kinds::service()),
        Agent::new("matching", kinds::matching()),
        Agent::new("utility", kinds::utility()),
        Agent::new("own", kinds::own()),
        Agent::new("island", kinds::island()),
        Agent::new("generic u8", kinds::generic::<u8>()),
        Agent::new("generic i64", kinds::generic::<i64>()),
        Agent::new("boxed", kinds::boxed()),
        Agent::new("nested", kinds::nested()),
        Agent::new("in macro", kinds::in_macro()),
        kinds::borrowed(),
    ];
    // Its tree is evaluated again and again, and a late one after a while.
    let mut ticks = 0;
    agents.push(Agent::of("new", move || {
        let tree = trees::counting();
        let mut world = World::new();
        _ = tree.tick(&mut world, &mut tree.memory());
        world.said.join(" ")
    }));
    loop {
        agents.iter_mut().for_each(Agent::tick);
        thread::sleep(Duration::from_millis(4));
        ticks += 1;
        if ticks == 50 {
            agents.push(Agent::new("late", trees::late()));
        }
    }
}
