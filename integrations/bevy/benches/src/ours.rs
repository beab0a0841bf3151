//! bt-bevy.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::measure::Case;
use crate::work::{Work, frames};

#[derive(Component)]
struct Rest;

/// Each behavior with its tree.
macro_rules! behaviors {
    ($($name:ident: { $($tree:tt)+ })+) => {$(
        struct $name;
        impl Behavior for $name {
            type Data = &'static mut Work;
            type Params = ();
            fn tree() -> impl TreeOf<Self> {
                tree! { for Agent<'_, '_, $name>: $($tree)+ }
            }
        }
    )+};
}

behaviors! {
    Idle: { task(|_: &mut Agent<Idle>| Rest) }
    Waiting: { wait(secs(1_000_000)) }
    Changing: { selector { sequence { is_even, one }, other } }
    Falling: {
        selector {
            sequence { falling::is_last, falling::is_last, falling::one }
            sequence { falling::is_last, falling::one }
            falling::other,
        }
    }
}

fn is_even(agent: &Agent<Changing>) -> bool {
    agent.is_even()
}

fn one(agent: &mut Agent<Changing>) {
    agent.one();
}

fn other(agent: &mut Agent<Changing>) {
    agent.other();
}

/// The leaves of another behavior.
mod falling {
    use super::*;

    pub fn is_last(agent: &Agent<Falling>) -> bool {
        agent.is_last()
    }

    pub fn one(agent: &mut Agent<Falling>) {
        agent.one();
    }

    pub fn other(agent: &mut Agent<Falling>) {
        agent.other();
    }
}

fn app<G: Behavior>(entities: u32) -> Box<dyn FnMut() -> u64> {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<G>::new()));
    app.world_mut().spawn_batch((0..entities).map(|_| (Mind::<G>::new(), Work::default())));
    frames(app)
}

pub fn cases() -> Vec<Case> {
    let name = "bt-bevy";
    vec![
        Case { name, situation: "idle", start: app::<Idle> },
        Case { name, situation: "waiting", start: app::<Waiting> },
        Case { name, situation: "changing", start: app::<Changing> },
        Case { name, situation: "falling", start: app::<Falling> },
    ]
}
