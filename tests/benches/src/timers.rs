//! Nodes that depend on the clock, and their hand-written equivalents. A tick takes a millisecond.
//!
//! Each node has two: one does the same as the node, and one does less. The latter has its length as a constant, and a clock that is
//! set back extends its time. That of the service does not remember whether its action is running.

use bt_core::prelude::*;

use crate::agent::{Agent, MILLISECOND, act};

/// Returns an action with a cooldown.
pub fn cools() -> impl Node<Agent> {
    tree! { for Agent: cooldown(millis(4)) { act::<2> } }
}

/// The state of the hand-written equivalents: the length and the end of the time, and whether the action or the pause is running.
#[derive(Clone, Copy)]
pub struct Timer {
    length: u64,
    end: u64,
    is_running: bool,
}

impl Timer {
    /// Creates a timer of this number of milliseconds.
    pub fn new(length: u64) -> Self {
        Self { length: length * MILLISECOND, end: 0, is_running: false }
    }

    /// Starts the time. It may be without an end.
    #[inline(always)]
    fn start(&mut self, now: u64) {
        self.end = now.saturating_add(self.length);
    }

    /// Limits the time, which is not over, to its length, because the clock may have been set back.
    #[inline(always)]
    fn limit(&mut self, now: u64) {
        if self.end - now > self.length {
            self.start(now);
        }
    }
}

/// Ticks the hand-written equivalent. While the action is running, the time is over.
#[inline(always)]
pub fn cools_by_hand(agent: &mut Agent, timer: &mut Timer) -> Status {
    if agent.now < timer.end {
        timer.limit(agent.now);
        return Status::Failure;
    }
    let status = act::<2>(agent);
    timer.is_running = status == Status::Running;
    timer.end = if timer.is_running { 0 } else { agent.now.saturating_add(timer.length) };
    status
}

/// The state of the hand-written equivalents that do less: whether the action is running, and when its time is over.
#[derive(Clone, Copy, Default)]
pub struct Timed {
    is_running: bool,
    end: u64,
}

/// Ticks the hand-written equivalent that does less.
#[inline(always)]
pub fn cools_with_less(agent: &mut Agent, state: &mut Timed) -> Status {
    if !state.is_running && agent.now < state.end {
        return Status::Failure;
    }
    let status = act::<2>(agent);
    state.is_running = status == Status::Running;
    if !state.is_running {
        state.end = agent.now + 4 * MILLISECOND;
    }
    status
}

/// Returns an action and a pause.
pub fn pauses() -> impl Node<Agent> {
    tree! { for Agent: mem_sequence { act::<2>, wait(millis(3)) } }
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn pauses_by_hand(agent: &mut Agent, timer: &mut Timer) -> Status {
    if !timer.is_running {
        let status = act::<2>(agent);
        if status != Status::Success || timer.length == 0 {
            return status;
        }
        timer.is_running = true;
        timer.start(agent.now);
        return Status::Running;
    }
    if agent.now >= timer.end {
        timer.is_running = false;
        return Status::Success;
    }
    timer.limit(agent.now);
    Status::Running
}

/// The state of the pause that does less.
#[derive(Clone, Copy, Default)]
pub enum Pauses {
    #[default]
    Acts,
    Waits(u64),
}

/// Ticks the hand-written equivalent that does less.
#[inline(always)]
pub fn pauses_with_less(agent: &mut Agent, state: &mut Pauses) -> Status {
    match *state {
        Pauses::Acts => {
            let status = act::<2>(agent);
            if status != Status::Success {
                return status;
            }
            *state = Pauses::Waits(agent.now + 3 * MILLISECOND);
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
pub fn limits_by_hand(agent: &mut Agent, timer: &mut Timer) -> Status {
    if !timer.is_running {
        timer.start(agent.now);
    } else if agent.now > timer.end {
        timer.is_running = false;
        return Status::Failure;
    } else {
        timer.limit(agent.now);
    }
    let status = act::<4>(agent);
    timer.is_running = status == Status::Running;
    status
}

/// Ticks the hand-written equivalent that does less.
#[inline(always)]
pub fn limits_with_less(agent: &mut Agent, state: &mut Timed) -> Status {
    if !state.is_running {
        state.end = agent.now + 2 * MILLISECOND;
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

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn serves_by_hand(agent: &mut Agent, timer: &mut Timer) -> Status {
    if agent.now >= timer.end {
        touch(agent);
        timer.start(agent.now);
    } else {
        timer.limit(agent.now);
    }
    let status = act::<2>(agent);
    timer.is_running = status == Status::Running;
    status
}

/// Ticks the hand-written equivalent that does less. The state is the time of the next service.
#[inline(always)]
pub fn serves_with_less(agent: &mut Agent, due: &mut u64) -> Status {
    if agent.now >= *due {
        touch(agent);
        *due = agent.now + 3 * MILLISECOND;
    }
    act::<2>(agent)
}
