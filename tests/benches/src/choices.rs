//! `if`, `match` and `utility_selector`, and their hand-written equivalents.

use bt_core::prelude::*;
use bt_core::rand_core::Rng;

use crate::agent::{Agent, Walk, act, cond};

/// Returns a number from 0 to 3.
#[inline(always)]
fn mood(agent: &Agent) -> u64 {
    agent.sees >> 20 & 3
}

/// Returns a tree that chooses by a condition and a value. A walk that is halted is closed.
pub fn chooses() -> impl Node<Agent> {
    tree! {
        for Agent: if cond::<1> && !cond::<9> {
            act::<2>,
        } else {
            match mood { 0 => (Walk::<3>), 1 => (Walk::<5>), _ => act::<4> }
        }
    }
}

/// The action that is running.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Chosen {
    #[default]
    No,
    Two,
    Three,
    Five,
    Four,
}

impl Chosen {
    /// Ends the walk that is running, unless it is this one.
    #[inline(always)]
    fn leave(self, to: Self, agent: &mut Agent) {
        match self {
            Self::Three if to != Self::Three => Walk::<3>::end(agent),
            Self::Five if to != Self::Five => Walk::<5>::end(agent),
            _ => {}
        }
    }

    #[inline(always)]
    fn act<const N: u32>(&mut self, this: Self, agent: &mut Agent) -> Status {
        self.leave(this, agent);
        let status = act::<N>(agent);
        *self = if status == Status::Running { this } else { Self::No };
        status
    }

    #[inline(always)]
    fn walk<const N: u32>(&mut self, this: Self, agent: &mut Agent) -> Status {
        if *self != this {
            self.leave(this, agent);
            Walk::<N>::begin(agent);
        }
        let status = act::<N>(agent);
        *self = if status == Status::Running { this } else { Self::No };
        if status != Status::Running {
            Walk::<N>::end(agent);
        }
        status
    }
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn chooses_by_hand(agent: &mut Agent, chosen: &mut Chosen) -> Status {
    if cond::<1>(agent) && !cond::<9>(agent) {
        return chosen.act::<2>(Chosen::Two, agent);
    }
    match mood(agent) {
        0 => chosen.walk::<3>(Chosen::Three, agent),
        1 => chosen.walk::<5>(Chosen::Five, agent),
        _ => chosen.act::<4>(Chosen::Four, agent),
    }
}

/// The walk that is running. Other actions do nothing when they start and end.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Walking {
    #[default]
    No,
    Three,
    Five,
}

impl Walking {
    #[inline(always)]
    fn end(&mut self, agent: &mut Agent) {
        match self {
            Self::No => return,
            Self::Three => Walk::<3>::end(agent),
            Self::Five => Walk::<5>::end(agent),
        }
        *self = Self::No;
    }

    #[inline(always)]
    fn walk<const N: u32>(&mut self, this: Self, agent: &mut Agent) -> Status {
        if *self != this {
            self.end(agent);
            Walk::<N>::begin(agent);
            *self = this;
        }
        let status = act::<N>(agent);
        if status != Status::Running {
            self.end(agent);
        }
        status
    }
}

/// Ticks the hand-written equivalent that does less.
#[inline(always)]
pub fn chooses_with_less(agent: &mut Agent, walking: &mut Walking) -> Status {
    if cond::<1>(agent) && !cond::<9>(agent) {
        walking.end(agent);
        return act::<2>(agent);
    }
    match mood(agent) {
        0 => walking.walk::<3>(Walking::Three, agent),
        1 => walking.walk::<5>(Walking::Five, agent),
        _ => {
            walking.end(agent);
            act::<4>(agent)
        }
    }
}

/// Returns a score.
#[inline(always)]
pub fn score<const N: u32>(agent: &Agent) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "8 bits fit")]
    let score = (agent.sees >> N & 255) as f32;
    score
}

/// The bonus of the running action.
const KEEP: f32 = 16.0;

/// Returns a tree that chooses by scores.
pub fn weighs() -> impl Node<Agent> {
    tree! {
        for Agent: utility_selector(keep = KEEP) {
            score::<3> => act::<2>,
            score::<17> => act::<3>,
            score::<31> => act::<4>,
            100 => act::<5>,
        }
    }
}

/// Returns the action with the highest score of those that were not tried, whose bits are not set; and the score.
#[inline(always)]
fn best(agent: &Agent, running: Option<u8>, tried: u8) -> (u8, f32) {
    let (mut best, mut highest) = (4, f32::NEG_INFINITY);
    macro_rules! compare {
        ($($index:literal: $score:expr),+) => {$(
            if tried & 1 << $index == 0 {
                let score = if running == Some($index) { $score + KEEP } else { $score };
                if score > highest {
                    (best, highest) = ($index, score);
                }
            }
        )+};
    }
    compare!(0: score::<3>(agent), 1: score::<17>(agent), 2: score::<31>(agent), 3: 100.0);
    (best, highest)
}

/// Ticks the hand-written equivalent. The state is the running action.
#[inline(always)]
pub fn weighs_by_hand(agent: &mut Agent, running: &mut Option<u8>) -> Status {
    let keep = |index, score| if *running == Some(index) { score + KEEP } else { score };
    let (mut index, mut highest) = (0, keep(0, score::<3>(agent)));
    for (other, score) in [(1, score::<17>(agent)), (2, score::<31>(agent)), (3, 100.0)] {
        let score = keep(other, score);
        if score > highest {
            (index, highest) = (other, score);
        }
    }
    let mut tried = 0;
    loop {
        let status = match index {
            0 => act::<2>(agent),
            1 => act::<3>(agent),
            2 => act::<4>(agent),
            _ => act::<5>(agent),
        };
        match status {
            Status::Failure => {
                if *running == Some(index) {
                    *running = None;
                }
            }
            Status::Running => {
                *running = Some(index);
                return status;
            }
            status => {
                *running = None;
                return status;
            }
        }
        tried |= 1 << index;
        if tried == 0b1111 {
            *running = None;
            return Status::Failure;
        }
        (index, _) = best(agent, *running, tried);
    }
}

/// Returns an action that is tried with a probability of 30 %.
pub fn dares() -> impl Node<Agent> {
    tree! { for Agent: chance(0.3) { act::<2> } }
}

/// Ticks the hand-written equivalent. The state is whether the action is running.
#[inline(always)]
pub fn dares_by_hand(agent: &mut Agent, is_running: &mut bool) -> Status {
    /// The number of 53 random bits that are less than 30 %.
    const LESS: u64 = (0.3 * (1_u64 << 53) as f64) as u64 + 1;
    if !*is_running && agent.random.next_u64() >> 11 >= LESS {
        return Status::Failure;
    }
    let status = act::<2>(agent);
    *is_running = status == Status::Running;
    status
}
