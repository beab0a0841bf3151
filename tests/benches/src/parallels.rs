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

/// The bits of the state of the hand-written equivalent: which children have succeeded, and which are running.
mod bits {
    pub const SUCCEEDED: [u8; 3] = [1, 2, 4];
    pub const RUNNING: [u8; 3] = [8, 16, 32];
    pub const ALL: u8 = 7;
}

/// Ticks the hand-written equivalent, with its state in a variable.
#[inline(always)]
pub fn three_by_hand(agent: &mut Agent, state: &mut u8) -> Status {
    use bits::{ALL, RUNNING, SUCCEEDED};
    let mut bits = *state;
    let note = |bits: &mut u8, child: usize, status| match status {
        Status::Running => *bits |= RUNNING[child],
        _ => *bits = *bits & !RUNNING[child] | SUCCEEDED[child],
    };
    'failure: {
        if bits & SUCCEEDED[0] == 0 {
            match act::<2>(agent) {
                Status::Failure => break 'failure,
                status => note(&mut bits, 0, status),
            }
        }
        if bits & SUCCEEDED[1] == 0 {
            if bits & RUNNING[1] == 0 {
                Walk::<3>::begin(agent);
            }
            match act::<3>(agent) {
                Status::Running => bits |= RUNNING[1],
                status => {
                    Walk::<3>::end(agent);
                    bits &= !RUNNING[1];
                    if status == Status::Failure {
                        break 'failure;
                    }
                    bits |= SUCCEEDED[1];
                }
            }
        }
        if bits & SUCCEEDED[2] == 0 {
            if !cond::<1>(agent) {
                break 'failure;
            }
            match act::<4>(agent) {
                Status::Failure => break 'failure,
                status => note(&mut bits, 2, status),
            }
        }
        *state = if bits == ALL { 0 } else { bits };
        return if bits == ALL { Status::Success } else { Status::Running };
    }
    if bits & RUNNING[1] != 0 {
        Walk::<3>::end(agent);
    }
    *state = 0;
    Status::Failure
}
