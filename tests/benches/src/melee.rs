//! The tree of the example `melee_enemy` with synthetic leaves, and its hand-written equivalent.

use bt_core::Never;
use bt_core::decorator::{AfterChild, Decorated, decorate};
use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act, cond};

/// A decorator that turns a second success in a row into a failure.
pub struct NotTwiceInARow;

#[decorator]
impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
    type Kept = bool;
    fn end(&self, outcome: Outcome, _: &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
        *succeeded = outcome == Outcome::Success && !*succeeded;
        AfterChild::End(Outcome::from(*succeeded))
    }
}

pub fn not_twice<N>(child: N) -> Decorated<NotTwiceInARow, N> {
    decorate(NotTwiceInARow, child)
}

/// Returns the tree for a context with leaves of these names. A function that is used twice may not be inlined, so each use of the tree
/// has its own context.
macro_rules! melee_for {
    ($Context:ident) => {
        tree! {
            for $Context: selector {
                mem_sequence "attack" {
                    cond::<1>,
                    act::<2>,
                    until_failure {
                        mem_sequence "chase" {
                            cond::<3>,
                            parallel(success = all, failure = all) { act::<4>, mem_sequence { cond::<5>, act::<6> } }
                        }
                    }
                    !cond::<7>,
                    act::<8>,
                }
                mem_sequence "suspicious" { cond::<9>, act::<10>, !cond::<11>, act::<12> }
                mem_selector "idle" {
                    mem_sequence "practice" { not_twice { cond::<13> } act::<14>, (Walk::<15>) }
                    mem_sequence "talk" {
                        not_twice { cond::<16> }
                        act::<17>,
                        act::<18>,
                        wait_until { cond::<19> }
                        act::<20>,
                        (Walk::<21>),
                    }
                    mem_sequence "wander" { act::<22>, act::<23>, (Walk::<24>) }
                }
            }
        }
    };
}
pub(crate) use melee_for;

/// Returns the tree.
pub fn melee() -> impl Node<Agent> {
    melee_for!(Agent)
}

/// The memory of the hand-written enemy.
#[derive(Clone, Copy, Default)]
pub struct Enemy {
    at: At,
    practised: bool,
    talked: bool,
}

/// The running action, by priority.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Threaten,
    Chase,
    Fight,
    /// The second child of the fight is running.
    Strike,
    Leave,
    Stare,
    Turn,
    Exercise,
    Lift,
    Approach,
    Attach,
    Wait,
    Separate,
    Speak,
    Find,
    Go,
    Rest,
    #[default]
    Nothing,
}

impl At {
    #[inline(always)]
    fn attacks(self) -> bool {
        self <= Self::Leave
    }

    #[inline(always)]
    fn is_suspicious(self) -> bool {
        self == Self::Stare || self == Self::Turn
    }

    /// Closes the walk that is running.
    #[inline(always)]
    fn halt(self, agent: &mut Agent) {
        match self {
            Self::Lift => Walk::<15>::end(agent),
            Self::Speak => Walk::<21>::end(agent),
            Self::Rest => Walk::<24>::end(agent),
            _ => {}
        }
    }
}

/// Returns `holds`, but never `true` twice in a row.
#[inline(always)]
fn once(holds: bool, before: &mut bool) -> bool {
    *before = holds && !*before;
    *before
}

/// Ticks the hand-written equivalent: one flat state, and a block per branch that is left when the branch fails.
#[inline(always)]
pub fn melee_by_hand(agent: &mut Agent, enemy: &mut Enemy) -> Status {
    let was = enemy.at;
    /// Stays at an action, or goes on after it. Otherwise leaves the block or the function.
    macro_rules! act {
        ($n:literal at $at:ident, else $block:lifetime) => {
            match act::<$n>(agent) {
                Status::Success => {}
                Status::Failure => break $block,
                status => {
                    enemy.at = At::$at;
                    return status;
                }
            }
        };
    }
    'attack: {
        if !was.attacks() {
            if !cond::<1>(agent) {
                break 'attack;
            }
            // A threat that fails leaves what runs below it alone.
            match act::<2>(agent) {
                Status::Failure => break 'attack,
                Status::Success => {}
                status => {
                    was.halt(agent);
                    enemy.at = At::Threaten;
                    return status;
                }
            }
        } else if was == At::Threaten {
            act!(2 at Threaten, else 'attack);
        }
        if was != At::Leave {
            let is_fighting = was == At::Fight || was == At::Strike;
            if is_fighting || cond::<3>(agent) {
                let chase = act::<4>(agent);
                let strike = if was == At::Strike || cond::<5>(agent) { act::<6>(agent) } else { Status::Failure };
                if (chase, strike) != (Status::Failure, Status::Failure) {
                    if !was.attacks() {
                        was.halt(agent);
                    }
                    enemy.at = match (chase, strike) {
                        (Status::Success, Status::Success) => At::Chase,
                        (_, Status::Running) => At::Strike,
                        _ => At::Fight,
                    };
                    return Status::Running;
                }
            }
            if cond::<7>(agent) {
                break 'attack;
            }
        }
        let status = act::<8>(agent);
        if status == Status::Failure {
            break 'attack;
        }
        if !was.attacks() {
            was.halt(agent);
        }
        enemy.at = if status == Status::Running { At::Leave } else { At::Nothing };
        return status;
    }
    'suspicious: {
        if was != At::Turn {
            if was != At::Stare && !cond::<9>(agent) {
                break 'suspicious;
            }
            match act::<10>(agent) {
                Status::Failure => break 'suspicious,
                Status::Success => {}
                status => {
                    was.halt(agent);
                    enemy.at = At::Stare;
                    return status;
                }
            }
            if cond::<11>(agent) {
                break 'suspicious;
            }
        }
        let status = act::<12>(agent);
        if status == Status::Failure {
            break 'suspicious;
        }
        if !was.is_suspicious() {
            was.halt(agent);
        }
        enemy.at = if status == Status::Running { At::Turn } else { At::Nothing };
        return status;
    }
    'practice: {
        if was != At::Lift {
            if (At::Approach..=At::Rest).contains(&was) {
                break 'practice;
            }
            if was != At::Exercise && !once(cond::<13>(agent), &mut enemy.practised) {
                break 'practice;
            }
            act!(14 at Exercise, else 'practice);
            Walk::<15>::begin(agent);
        }
        let status = act::<15>(agent);
        if status == Status::Running {
            enemy.at = At::Lift;
            return status;
        }
        Walk::<15>::end(agent);
        if status == Status::Failure {
            break 'practice;
        }
        enemy.at = At::Nothing;
        return status;
    }
    'talk: {
        if (At::Find..=At::Rest).contains(&was) {
            break 'talk;
        }
        let mut at = was;
        if !(At::Approach..=At::Speak).contains(&was) {
            if !once(cond::<16>(agent), &mut enemy.talked) {
                break 'talk;
            }
            at = At::Approach;
        }
        if at == At::Approach {
            act!(17 at Approach, else 'talk);
        }
        if at <= At::Attach {
            act!(18 at Attach, else 'talk);
        }
        if at <= At::Wait && !cond::<19>(agent) {
            enemy.at = At::Wait;
            return Status::Running;
        }
        if at <= At::Separate {
            act!(20 at Separate, else 'talk);
            Walk::<21>::begin(agent);
        }
        let status = act::<21>(agent);
        if status == Status::Running {
            enemy.at = At::Speak;
            return status;
        }
        Walk::<21>::end(agent);
        if status == Status::Failure {
            break 'talk;
        }
        enemy.at = At::Nothing;
        return status;
    }
    'wander: {
        if was != At::Rest {
            if was != At::Go {
                act!(22 at Find, else 'wander);
            }
            act!(23 at Go, else 'wander);
            Walk::<24>::begin(agent);
        }
        let status = act::<24>(agent);
        if status == Status::Running {
            enemy.at = At::Rest;
            return status;
        }
        Walk::<24>::end(agent);
        if status == Status::Failure {
            break 'wander;
        }
        enemy.at = At::Nothing;
        return status;
    }
    enemy.at = At::Nothing;
    Status::Failure
}
