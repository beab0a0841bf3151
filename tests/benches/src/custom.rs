//! The composites of the example `nav2`, and their hand-written equivalents.

use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act};
pub(crate) use composites::RoundRobin;
use composites::{pipeline_sequence, recovery, round_robin};

#[path = "../../../examples/nav2/composites.rs"]
#[allow(dead_code)]
mod composites;

const RETRIES: u32 = 3;

/// Returns a task with a recovery.
pub fn recovers() -> impl Node<Agent> {
    tree! { for Agent: recovery(RETRIES) { act::<2>, act::<3> } }
}

/// The state of the hand-written recovery.
#[derive(Clone, Copy)]
pub struct Recovers {
    retries: u32,
    recovering: bool,
    recoveries: u32,
}

impl Default for Recovers {
    fn default() -> Self {
        Self { retries: RETRIES, recovering: false, recoveries: 0 }
    }
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn recovers_by_hand(agent: &mut Agent, state: &mut Recovers) -> Status {
    let end = |state: &mut Recovers, status| {
        (state.recovering, state.recoveries) = (false, 0);
        status
    };
    loop {
        if !state.recovering {
            match act::<2>(agent) {
                Status::Running => return Status::Running,
                Status::Failure if state.recoveries < state.retries => state.recoveries += 1,
                other => return end(state, other),
            }
        }
        match act::<3>(agent) {
            Status::Running => {
                state.recovering = true;
                return Status::Running;
            }
            Status::Success => state.recovering = false,
            other => return end(state, other),
        }
    }
}

/// Returns three actions in a circle.
pub fn circles() -> impl Node<Agent> {
    tree! { for Agent: round_robin { act::<2>, act::<3>, act::<4> } }
}

/// The state of the hand-written circle.
#[derive(Clone, Copy, Default)]
pub struct Circles {
    current: u8,
    failed: u8,
}

/// Ticks the hand-written equivalent, with its state in variables.
#[inline(always)]
pub fn circles_by_hand(agent: &mut Agent, state: &mut Circles) -> Status {
    let Circles { mut current, mut failed } = *state;
    macro_rules! child {
        ($index:literal: $action:literal, then $next:literal) => {
            match act::<$action>(agent) {
                Status::Failure => {
                    failed += 1;
                    if failed == 3 {
                        *state = Circles::default();
                        return Status::Failure;
                    }
                }
                Status::Running => {
                    *state = Circles { current: $index, failed };
                    return Status::Running;
                }
                status => {
                    *state = Circles { current: $next, failed: 0 };
                    return status;
                }
            }
        };
    }
    loop {
        if current == 0 {
            child!(0: 2, then 1);
            current = 1;
        }
        if current == 1 {
            child!(1: 3, then 2);
        }
        child!(2: 4, then 0);
        current = 0;
    }
}

/// Returns a pipeline. A walk that is halted is closed.
pub fn pipes() -> impl Node<Agent> {
    tree! { for Agent: pipeline_sequence { act::<2>, (Walk::<3>), (Walk::<5>) } }
}

/// The state of the hand-written pipeline.
#[derive(Clone, Copy, Default)]
pub struct Pipes {
    last: usize,
    walks: [bool; 2],
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn pipes_by_hand(agent: &mut Agent, state: &mut Pipes) -> Status {
    let end = |agent: &mut Agent, state: &mut Pipes, status| {
        if state.walks[0] {
            Walk::<3>::end(agent);
        }
        if state.walks[1] {
            Walk::<5>::end(agent);
        }
        *state = Pipes::default();
        status
    };
    match act::<2>(agent) {
        Status::Success => {}
        Status::Running if state.last > 0 => {}
        Status::Running => return Status::Running,
        other => return end(agent, state, other),
    }
    if !state.walks[0] {
        Walk::<3>::begin(agent);
        state.walks[0] = true;
    }
    match act::<3>(agent) {
        Status::Running if state.last > 1 => {}
        Status::Running => {
            state.last = 1;
            return Status::Running;
        }
        status => {
            Walk::<3>::end(agent);
            state.walks[0] = false;
            if status != Status::Success {
                return end(agent, state, status);
            }
        }
    }
    if !state.walks[1] {
        Walk::<5>::begin(agent);
        state.walks[1] = true;
    }
    match act::<5>(agent) {
        Status::Running => {
            state.last = 2;
            Status::Running
        }
        status => {
            Walk::<5>::end(agent);
            state.walks[1] = false;
            end(agent, state, status)
        }
    }
}
