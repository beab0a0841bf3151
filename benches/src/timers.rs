//! Nodes that depend on the clock, and their hand-written equivalents. A tick takes a millisecond.

use bt_core::prelude::*;

use crate::agent::{Agent, act};

/// Returns an action with a cooldown.
pub fn cools() -> impl Node<Agent> {
    tree! { for Agent: cooldown(millis(4)) { act::<2> } }
}

/// The state of the hand-written equivalents: whether the action is running, and when its time is over.
#[derive(Clone, Copy, Default)]
pub struct Timed {
    is_running: bool,
    end: Duration,
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn cools_by_hand(agent: &mut Agent, state: &mut Timed) -> Status {
    if !state.is_running && agent.now < state.end {
        return Status::Failure;
    }
    let status = act::<2>(agent);
    state.is_running = status == Status::Running;
    if !state.is_running {
        state.end = agent.now + millis(4);
    }
    status
}

/// Returns an action and a pause.
pub fn pauses() -> impl Node<Agent> {
    tree! { for Agent: mem_sequence { act::<2>, wait(millis(3)) } }
}

/// The state of the hand-written pause.
#[derive(Clone, Copy, Default)]
pub enum Pauses {
    #[default]
    Acts,
    Waits(Duration),
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn pauses_by_hand(agent: &mut Agent, state: &mut Pauses) -> Status {
    match *state {
        Pauses::Acts => {
            let status = act::<2>(agent);
            if status != Status::Success {
                return status;
            }
            *state = Pauses::Waits(agent.now + millis(3));
            Status::Running
        }
        Pauses::Waits(end) if agent.now < end => Status::Running,
        Pauses::Waits(_) => {
            *state = Pauses::Acts;
            Status::Success
        }
    }
}

/// Returns an action with a time limit.
pub fn limits() -> impl Node<Agent> {
    tree! { for Agent: timeout(millis(2)) { act::<4> } }
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn limits_by_hand(agent: &mut Agent, state: &mut Timed) -> Status {
    if !state.is_running {
        state.end = agent.now + millis(2);
    } else if agent.now > state.end {
        state.is_running = false;
        return Status::Failure;
    }
    let status = act::<4>(agent);
    state.is_running = status == Status::Running;
    status
}

/// A service.
#[inline(always)]
pub fn touch(agent: &mut Agent) {
    agent.done = agent.done.wrapping_add(7);
}

/// Returns an action with a service.
pub fn serves() -> impl Node<Agent> {
    tree! { for Agent: service(millis(3), touch) { act::<2> } }
}

/// Ticks the hand-written equivalent. The state is the time of the next service.
#[inline(always)]
pub fn serves_by_hand(agent: &mut Agent, due: &mut Duration) -> Status {
    if agent.now >= *due {
        touch(agent);
        *due = agent.now + millis(3);
    }
    act::<2>(agent)
}
