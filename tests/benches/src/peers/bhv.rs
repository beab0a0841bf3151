//! bhv: boxed nodes that contain the state. Selectors and sequences resume at the running child.

use bhv::{Bhv, Status, action, async_action, cond, sel, seq};

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

fn flips() -> impl Bhv<Context = Agent> {
    sel! { seq! { cond(leaf::odd), action(leaf::first) }, action(leaf::second) }
}

fn stays() -> impl Bhv<Context = Agent> {
    let stay = async_action(|agent: &mut Agent| {
        leaf::first(agent);
        Status::Running
    });
    sel! { seq! { cond(leaf::odd), stay }, action(leaf::second) }
}

fn falls() -> impl Bhv<Context = Agent> {
    sel! {
        seq! { cond(leaf::never), cond(leaf::never), action(leaf::first) },
        seq! { cond(leaf::never), action(leaf::first) },
        action(leaf::second),
    }
}

fn run(mut tree: impl Bhv<Context = Agent>, ticks: u32, flips: bool) -> u64 {
    ticking(ticks, flips, |agent| {
        // A composite visits one child per update: one tick takes several updates.
        tree.update(agent);
    })
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "bhv 0.4",
        flips: |ticks| run(flips(), ticks, true),
        stays: |ticks| run(stays(), ticks, false),
        falls: |ticks| run(falls(), ticks, false),
        agent: || taken(falls),
        create: |count| creating(count, falls),
    }
}
