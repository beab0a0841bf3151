//! Two trees of nine nodes, and the same by hand.

use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act, cond};

/// Reactive: each tick asks from the first.
pub fn reactive() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
            sequence { cond::<1>, cond::<9>, act::<2> }
            sequence { cond::<23>, act::<3> }
            act::<4>
        }
    }
}

/// The same by hand. Its leaves do nothing when they are halted, so there is nothing to remember.
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

/// With memory: walks from post to post unless there is something to chase. A walk that is broken off has an end too.
pub fn patrol() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
            sequence { cond::<1>, act::<2> }
            mem_sequence { (Walk::<3>), act::<4>, (Walk::<5>), act::<6> }
        }
    }
}

/// What a patrol by hand remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Patrol {
    /// Nothing is running, or the chase is.
    #[default]
    No,
    WalkThere,
    Look,
    WalkBack,
    Rest,
}

/// The same by hand.
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
