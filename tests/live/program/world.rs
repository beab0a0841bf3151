//! What the agents are, and their leaves.

use std::fmt::Display;
use std::time::Duration;

use bt_core::prelude::*;
use rand_pcg::Pcg32;

/// The context of an agent.
pub(crate) struct World {
    pub(crate) now: Duration,
    pub(crate) numbers: Pcg32,
    pub(crate) said: Vec<String>,
    pub(crate) shield: Shield,
}

/// A part of it.
pub(crate) struct Shield {
    pub(crate) held: u32,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { now: Duration::ZERO, numbers: Pcg32::new(1, 1), said: Vec::new(), shield: Shield { held: 0 } }
    }

    pub(crate) fn say(&mut self, word: impl Display) {
        self.said.push(word.to_string());
    }
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for World {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.numbers
    }
}

#[action]
pub(crate) fn say(world: &mut World, word: &'static str) {
    world.say(word);
}

pub(crate) fn hop(world: &mut World) {
    world.say("hop");
}

#[condition]
pub(crate) fn later(world: &World, seconds: f64) -> bool {
    world.now.as_secs_f64() > seconds
}

/// A leaf that counts the ticks of its run.
pub(crate) struct Count;

#[leaf]
impl Leaf<World> for Count {
    type Open = u32;

    fn tick(&self, ticks: &mut u32, world: &mut World) -> Status {
        *ticks += 1;
        world.say(*ticks);
        Status::Running
    }
}

#[action]
pub(crate) fn hold(shield: &mut Shield, times: u32) {
    shield.held = times;
}
