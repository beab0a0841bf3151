//! Parallels, and their hand-written equivalents.

use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act, cond};

/// Returns a reactive parallel of two.
pub fn both() -> impl Node<Agent> {
    tree! { for Agent: parallel { act::<2>, act::<4> } }
}

/// Ticks the hand-written equivalent. The state is whether each action is running.
#[inline(always)]
pub fn both_by_hand(agent: &mut Agent, running: &mut [bool; 2]) -> Status {
    match act::<2>(agent) {
        Status::Running => match act::<4>(agent) {
            Status::Running => {
                *running = [true; 2];
                Status::Running
            }
            Status::Success => {
                *running = [true, false];
                Status::Running
            }
            status => {
                *running = [false; 2];
                status
            }
        },
        Status::Success => {
            let status = act::<4>(agent);
            *running = [false, status == Status::Running];
            status
        }
        status => {
            *running = [false; 2];
            status
        }
    }
}

/// Ticks the hand-written equivalent that does less. Its leaves ignore halts, so it has no state.
#[inline(always)]
pub fn both_with_less(agent: &mut Agent) -> Status {
    let first = act::<2>(agent);
    if first == Status::Failure {
        return Status::Failure;
    }
    match act::<4>(agent) {
        Status::Success if first == Status::Success => Status::Success,
        Status::Failure => Status::Failure,
        _ => Status::Running,
    }
}

/// Returns a parallel with memory of three. A walk that is halted is closed.
pub fn three() -> impl Node<Agent> {
    tree! {
        for Agent: mem_parallel(success = all, failure = one) {
            act::<2>,
            (Walk::<3>),
            sequence { cond::<1>, act::<4> }
        }
    }
}

/// The state of the hand-written equivalent: which children have succeeded, and whether the walk is running.
#[derive(Clone, Copy, Default)]
pub struct Three {
    first: bool,
    second: bool,
    third: bool,
    walks: bool,
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn three_by_hand(agent: &mut Agent, state: &mut Three) -> Status {
    let failed = |agent: &mut Agent, state: &mut Three| {
        if state.walks {
            Walk::<3>::end(agent);
        }
        *state = Three::default();
        Status::Failure
    };
    if !state.first {
        match act::<2>(agent) {
            Status::Failure => return failed(agent, state),
            status => state.first = status == Status::Success,
        }
    }
    if !state.second {
        if !state.walks {
            Walk::<3>::begin(agent);
        }
        let status = act::<3>(agent);
        state.walks = status == Status::Running;
        if !state.walks {
            Walk::<3>::end(agent);
        }
        match status {
            Status::Failure => return failed(agent, state),
            status => state.second = status == Status::Success,
        }
    }
    if !state.third {
        if !cond::<1>(agent) {
            return failed(agent, state);
        }
        match act::<4>(agent) {
            Status::Failure => return failed(agent, state),
            status => state.third = status == Status::Success,
        }
    }
    if state.first && state.second && state.third {
        *state = Three::default();
        return Status::Success;
    }
    Status::Running
}
