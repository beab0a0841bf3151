//! behavior-tree: an enum behind `Rc<RefCell<…>>` that contains the state. There are no condition leaves, so actions serve as conditions.

use behavior_tree::{Node, Status, select, sequence};

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

fn status(success: bool) -> Status {
    if success { Status::Success } else { Status::Failure }
}

fn odd() -> Node<Agent> {
    Node::action("odd", |agent| status(leaf::odd(agent)))
}

fn never() -> Node<Agent> {
    Node::action("never", |agent| status(leaf::never(agent)))
}

fn first() -> Node<Agent> {
    Node::action_success("first", leaf::first)
}

fn second() -> Node<Agent> {
    Node::action_success("second", leaf::second)
}

fn flips() -> Node<Agent> {
    select! { sequence! { odd(), first() }, second() }
}

fn stays() -> Node<Agent> {
    let stay = Node::action("stay", |agent| {
        leaf::first(agent);
        Status::Running
    });
    select! { sequence! { odd(), stay }, second() }
}

fn falls() -> Node<Agent> {
    select! { sequence! { never(), never(), first() }, sequence! { never(), first() }, second() }
}

fn run(mut tree: Node<Agent>, ticks: u32, flips: bool) -> u64 {
    ticking(ticks, flips, |agent| tree.tick(0.0, agent))
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "behavior-tree 0.1",
        flips: |ticks| run(flips(), ticks, true),
        stays: |ticks| run(stays(), ticks, false),
        falls: |ticks| run(falls(), ticks, false),
        agent: || taken(falls),
        create: |count| creating(count, falls),
    }
}
