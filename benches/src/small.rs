//! Two trees of 9 nodes, and their hand-written equivalents.

use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act, cond};

/// Returns a reactive tree: each tick starts at the first child.
pub fn reactive() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
            sequence { cond::<1>, cond::<9>, act::<2> }
            sequence { cond::<23>, act::<3> }
            act::<4>
        }
    }
}

/// Ticks the hand-written equivalent. Its leaves ignore halts, so it has no state.
#[inline(always)]
pub fn reactive_by_hand(agent: &mut Agent) -> Status {
    if cond::<1>(agent) && cond::<9>(agent) {
        let status = act::<2>(agent);
        if status != Status::Failure {
            return status;
        }
    }
    if cond::<23>(agent) {
        let status = act::<3>(agent);
        if status != Status::Failure {
            return status;
        }
    }
    act::<4>(agent)
}

/// Returns a tree with memory: patrols unless there is something to chase. A halted walk is closed, too.
pub fn patrol() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
            sequence { cond::<1>, act::<2> }
            mem_sequence { (Walk::<3>), act::<4>, (Walk::<5>), act::<6> }
        }
    }
}

/// The state of the hand-written patrol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Patrol {
    /// No patrol action is running.
    #[default]
    No,
    WalkThere,
    Look,
    WalkBack,
    Rest,
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn patrol_by_hand(agent: &mut Agent, at: &mut Patrol) -> Status {
    if cond::<1>(agent) {
        let status = act::<2>(agent);
        if status != Status::Failure {
            match at {
                Patrol::WalkThere => Walk::<3>::end(agent),
                Patrol::WalkBack => Walk::<5>::end(agent),
                Patrol::No | Patrol::Look | Patrol::Rest => {}
            }
            *at = Patrol::No;
            return status;
        }
    }
    loop {
        match at {
            Patrol::No => {
                Walk::<3>::begin(agent);
                *at = Patrol::WalkThere;
            }
            Patrol::WalkThere => match act::<3>(agent) {
                Status::Running => return Status::Running,
                status => {
                    Walk::<3>::end(agent);
                    if status != Status::Success {
                        *at = Patrol::No;
                        return status;
                    }
                    *at = Patrol::Look;
                }
            },
            Patrol::Look => match act::<4>(agent) {
                Status::Running => return Status::Running,
                Status::Success => {
                    Walk::<5>::begin(agent);
                    *at = Patrol::WalkBack;
                }
                status => {
                    *at = Patrol::No;
                    return status;
                }
            },
            Patrol::WalkBack => match act::<5>(agent) {
                Status::Running => return Status::Running,
                status => {
                    Walk::<5>::end(agent);
                    if status != Status::Success {
                        *at = Patrol::No;
                        return status;
                    }
                    *at = Patrol::Rest;
                }
            },
            Patrol::Rest => match act::<6>(agent) {
                Status::Running => return Status::Running,
                status => {
                    *at = Patrol::No;
                    return status;
                }
            },
        }
    }
}
