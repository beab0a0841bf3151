//! A game that uses only the engine.
#![cfg(test)]

use my_engine::bt::composite::Children;
use my_engine::*;

#[condition(crate = my_engine::bt)]
fn hurt(actor: &Actor, #[param(default = 3)] below: i32) -> bool {
    actor.health < below
}

#[action(crate = my_engine::bt)]
fn heal(actor: &mut Actor, by: i32) -> Status {
    actor.health += by;
    if actor.health < 3 { Status::Failure } else { Status::Success }
}

/// A leaf with a lifecycle.
struct Rest;

#[leaf(crate = my_engine::bt)]
impl Leaf<Actor> for Rest {
    type Open = Duration;
    fn open(&self, actor: &mut Actor) -> Duration {
        actor.now
    }
    fn tick(&self, since: &mut Duration, actor: &mut Actor) -> Status {
        if actor.now >= *since + secs(1) { Status::Success } else { Status::Running }
    }
}

/// Ticks its last child only.
struct Last;

#[composite(crate = my_engine::bt, children = 1..)]
impl<C: ?Sized> Composite<C> for Last {
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(children.len() - 1, ctx)
    }
}

fn last<L>(children: L) -> Composed<Last, L> {
    compose(Last, children)
}

struct Loud;

#[decorator(crate = my_engine::bt)]
impl Decorator<Actor> for Loud {
    fn close(&self, _: &mut (), _: &mut (), actor: &mut Actor, end: End) {
        actor.log.push(format!("{end:?}"));
    }
}

fn loud<N>(child: N) -> Decorated<Loud, N> {
    decorate(Loud, child)
}

#[subtree(crate = my_engine::bt)]
fn survive() -> impl Node<Actor> + Save {
    tree! {
        mem_sequence {
            hurt(3),
            recovery(3) "survive" { heal(1), twice { say("ouch".to_owned()) } }
            loud { last { fail, Rest } }
        }
    }
}

#[derive(Blackboard, Default)]
#[board(crate = my_engine::bt)]
struct Mind {
    target: Option<u32>,
}

#[test]
fn a_tree_of_the_engine_runs() {
    let tree = survive();
    let mut actor = Actor::default();
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut actor, &mut memory), Status::Running);
    actor.now = secs(2);
    assert_eq!(tree.tick(&mut actor, &mut memory), Status::Success);
    assert_eq!(actor.log, ["ouch", "ouch", "Success"]);
    assert!(tree.description().to_string().contains("Recovery \"survive\""));
}

#[test]
fn a_macro_of_the_engine_is_a_tree() {
    let tree = guard!(hurt(3), "bored");
    let mut actor = Actor { health: 5, ..Actor::default() };
    assert_eq!(tree.tick(&mut actor, &mut tree.memory()), Status::Success);
    assert_eq!(actor.log, ["bored"]);
}

#[test]
fn the_keys_of_a_blackboard_work() {
    let tree = tree! { for Mind: sequence { !is_set(Mind::TARGET), set(Mind::TARGET, 3) } };
    let mut mind = Mind::default();
    assert_eq!(tree.tick(&mut mind, &mut tree.memory()), Status::Success);
    assert_eq!(mind.target, Some(3));
}

const FILE: &str = include_str!("../survive.b3.json");

#[test]
fn a_file_uses_the_engine_and_the_game() {
    let mut registry = my_engine::registry();
    registry.add::<hurt>("Hurt").add::<heal>("Heal").add_leaf("Rest", || Rest);
    let loaded = registry.load(FILE).expect("the file is valid");
    let built_in = bt::tree_from_json!(
        "../survive.b3.json",
        for Actor: Recovery => recovery, Twice => twice, Say => say, Hurt => hurt, Heal => heal
    );
    let (mut one, mut other) = (Actor::default(), Actor::default());
    assert_eq!(loaded.tick(&mut one, &mut loaded.memory()), Status::Success);
    assert_eq!(built_in.tick(&mut other, &mut built_in.memory()), Status::Success);
    assert_eq!((one.log, one.health), (vec!["ouch".to_owned(), "ouch".to_owned()], 3));
    assert_eq!(other.health, 3);
    assert_eq!(loaded.description().to_string(), built_in.description().to_string());
}

#[test]
fn the_inspector_shows_the_tree() {
    use my_engine::inspector::Inspector;
    use std::io::{Read, Write};

    let tree = survive();
    let inspector = Inspector::serve("127.0.0.1:0").expect("a free port");
    let trees = inspector.tree("survivor", &tree);
    let mut ann = inspector.agent(trees, "Ann");
    let (mut actor, mut memory) = (Actor::default(), tree.memory());
    tree.tick_with(&mut actor, &mut memory, &mut ann.at(secs(0)));
    let address = inspector.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let get = |path: &str| {
        let mut stream = std::net::TcpStream::connect(&address).expect("the inspector listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    assert!(get("/").starts_with("HTTP/1.1 200"));

    // The page receives the tree and the agent through a WebSocket, whose frames contain JSON.
    let mut socket = std::net::TcpStream::connect(&address).expect("the inspector listens");
    socket.set_read_timeout(Some(secs(20))).expect("a timeout");
    let upgrade = format!(
        "GET /live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(upgrade.as_bytes()).expect("a request");
    let (mut received, mut part) = (Vec::new(), [0; 4096]);
    let shown = |received: &[u8]| {
        let text = String::from_utf8_lossy(received).into_owned();
        ["survivor", "Ann", "Recovery", "Twice", "hurt"].iter().all(|name| text.contains(name))
    };
    while !shown(&received) {
        match socket.read(&mut part) {
            Ok(0) | Err(_) => panic!("the page is not shown the tree: {}", String::from_utf8_lossy(&received)),
            Ok(bytes) => received.extend_from_slice(&part[..bytes]),
        }
    }
}
