//! bonsai-bt: an enum of behaviors and an enum of their states. A finished tree must be reset; a running node is resumed without its conditions.

use bonsai_bt::{Action, BT, Behavior, Event, Failure, RUNNING, Select, Sequence, Success, UpdateArgs};

use super::{Peer, creating, leaf, taken, ticking};

#[derive(Clone, Copy, Debug)]
enum Do {
    Odd,
    Never,
    First,
    Stay,
    Second,
}

fn flips() -> Behavior<Do> {
    Select(vec![Sequence(vec![Action(Do::Odd), Action(Do::First)]), Action(Do::Second)])
}

fn stays() -> Behavior<Do> {
    Select(vec![Sequence(vec![Action(Do::Odd), Action(Do::Stay)]), Action(Do::Second)])
}

fn falls() -> Behavior<Do> {
    Select(vec![
        Sequence(vec![Action(Do::Never), Action(Do::Never), Action(Do::First)]),
        Sequence(vec![Action(Do::Never), Action(Do::First)]),
        Action(Do::Second),
    ])
}

fn run(behavior: Behavior<Do>, ticks: u32, flips: bool) -> u64 {
    let mut tree = BT::new(behavior, ());
    let event: Event = UpdateArgs { dt: 0.0 }.into();
    ticking(ticks, flips, |agent| {
        tree.tick(&event, &mut |args, ()| match *args.action {
            Do::Odd => (if leaf::odd(agent) { Success } else { Failure }, args.dt),
            Do::Never => (if leaf::never(agent) { Success } else { Failure }, args.dt),
            Do::First => {
                leaf::first(agent);
                (Success, args.dt)
            }
            Do::Stay => {
                leaf::first(agent);
                RUNNING
            }
            Do::Second => {
                leaf::second(agent);
                (Success, args.dt)
            }
        });
        if tree.is_finished() {
            tree.reset_bt();
        }
    })
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "bonsai-bt 0.14",
        flips: |ticks| run(flips(), ticks, true),
        stays: |ticks| run(stays(), ticks, false),
        falls: |ticks| run(falls(), ticks, false),
        agent: || taken(|| BT::new(falls(), ())),
        create: |count| creating(count, || BT::new(falls(), ())),
    }
}
