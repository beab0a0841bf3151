//! The tree of the example `melee_enemy` with synthetic leaves, and its hand-written equivalent.

use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act, cond};

/// A decorator that turns a second success in a row into a failure.
struct NotTwiceInARow;

#[decorator]
impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
    type Kept = bool;
    fn end(&self, outcome: Outcome, _: &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
        *succeeded = outcome == Outcome::Success && !*succeeded;
        AfterChild::End(Outcome::from(*succeeded))
    }
}

fn not_twice<N>(child: N) -> Decorated<NotTwiceInARow, N> {
    decorate(NotTwiceInARow, child)
}

/// Returns the tree.
pub fn melee() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
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
                mem_sequence "practice" { not_twice { cond::<13> }, act::<14>, (Walk::<15>) }
                mem_sequence "talk" {
                    not_twice { cond::<16> }, act::<17>, act::<18>, wait_until { cond::<19> }, act::<20>, (Walk::<21>)
                }
                mem_sequence "wander" { act::<22>, act::<23>, (Walk::<24>) }
            }
        }
    }
}

/// The memory of the hand-written enemy.
#[derive(Clone, Copy, Default)]
pub struct Enemy {
    at: At,
    practised: bool,
    talked: bool,
}

/// The running action.
#[derive(Clone, Copy, Default)]
enum At {
    #[default]
    Nothing,
    Attack(Attack),
    Suspicious(Suspicious),
    Practice(Practice),
    Talk(Talk),
    Wander(Wander),
}

#[derive(Clone, Copy)]
enum Attack {
    Threaten,
    Chase,
    Fight { striking: bool },
    Calm,
    Leave,
}

#[derive(Clone, Copy)]
enum Suspicious {
    Stare,
    Turn,
}

#[derive(Clone, Copy)]
enum Practice {
    Go,
    Lift,
}

#[derive(Clone, Copy)]
enum Talk {
    Go,
    Attach,
    Wait,
    Separate,
    Speak,
}

#[derive(Clone, Copy)]
enum Wander {
    Find,
    Go,
    Rest,
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn melee_by_hand(agent: &mut Agent, enemy: &mut Enemy) -> Status {
    let was = enemy.at;
    let (status, at) = attack(agent, if let At::Attack(at) = was { Some(at) } else { None });
    if status != Status::Failure {
        if !matches!(was, At::Attack(_)) {
            halt(agent, was);
        }
        enemy.at = at.map_or(At::Nothing, At::Attack);
        return status;
    }
    let (status, at) = suspicious(agent, if let At::Suspicious(at) = was { Some(at) } else { None });
    if status != Status::Failure {
        if !matches!(was, At::Suspicious(_)) {
            halt(agent, was);
        }
        enemy.at = at.map_or(At::Nothing, At::Suspicious);
        return status;
    }
    let (status, at) = idle(agent, was, enemy);
    enemy.at = at;
    status
}

#[inline(always)]
fn halt(agent: &mut Agent, was: At) {
    match was {
        At::Practice(Practice::Lift) => Walk::<15>::end(agent),
        At::Talk(Talk::Speak) => Walk::<21>::end(agent),
        At::Wander(Wander::Rest) => Walk::<24>::end(agent),
        _ => {}
    }
}

#[inline(always)]
fn attack(agent: &mut Agent, at: Option<Attack>) -> (Status, Option<Attack>) {
    let mut at = match at {
        Some(at) => at,
        None if cond::<1>(agent) => Attack::Threaten,
        None => return (Status::Failure, None),
    };
    loop {
        at = match at {
            Attack::Threaten => match act::<2>(agent) {
                Status::Success => Attack::Chase,
                Status::Running => return (Status::Running, Some(at)),
                status => return (status, None),
            },
            Attack::Chase if cond::<3>(agent) => Attack::Fight { striking: false },
            Attack::Chase => Attack::Calm,
            Attack::Fight { striking } => {
                let chase = act::<4>(agent);
                let strike = if striking || cond::<5>(agent) { act::<6>(agent) } else { Status::Failure };
                match (chase, strike) {
                    (Status::Success, Status::Success) => return (Status::Running, Some(Attack::Chase)),
                    (Status::Failure, Status::Failure) => Attack::Calm,
                    _ => {
                        let striking = strike == Status::Running;
                        return (Status::Running, Some(Attack::Fight { striking }));
                    }
                }
            }
            Attack::Calm if cond::<7>(agent) => return (Status::Failure, None),
            Attack::Calm => Attack::Leave,
            Attack::Leave => match act::<8>(agent) {
                Status::Running => return (Status::Running, Some(at)),
                status => return (status, None),
            },
        }
    }
}

#[inline(always)]
fn suspicious(agent: &mut Agent, at: Option<Suspicious>) -> (Status, Option<Suspicious>) {
    let at = match at {
        Some(at) => at,
        None if cond::<9>(agent) => Suspicious::Stare,
        None => return (Status::Failure, None),
    };
    if let Suspicious::Stare = at {
        match act::<10>(agent) {
            Status::Success => {}
            Status::Running => return (Status::Running, Some(at)),
            status => return (status, None),
        }
        if cond::<11>(agent) {
            return (Status::Failure, None);
        }
    }
    match act::<12>(agent) {
        Status::Running => (Status::Running, Some(Suspicious::Turn)),
        status => (status, None),
    }
}

/// Resumes the running activity, and tries the next one if it fails.
#[inline(always)]
fn idle(agent: &mut Agent, was: At, enemy: &mut Enemy) -> (Status, At) {
    if !matches!(was, At::Talk(_) | At::Wander(_)) {
        let (status, at) =
            practice(agent, if let At::Practice(at) = was { Some(at) } else { None }, &mut enemy.practised);
        if status != Status::Failure {
            return (status, at.map_or(At::Nothing, At::Practice));
        }
    }
    if !matches!(was, At::Wander(_)) {
        let (status, at) = talk(agent, if let At::Talk(at) = was { Some(at) } else { None }, &mut enemy.talked);
        if status != Status::Failure {
            return (status, at.map_or(At::Nothing, At::Talk));
        }
    }
    let (status, at) = wander(agent, if let At::Wander(at) = was { Some(at) } else { None });
    (status, at.map_or(At::Nothing, At::Wander))
}

/// Returns `holds`, but never `true` twice in a row.
#[inline(always)]
fn once(holds: bool, before: &mut bool) -> bool {
    *before = holds && !*before;
    *before
}

#[inline(always)]
fn practice(agent: &mut Agent, at: Option<Practice>, before: &mut bool) -> (Status, Option<Practice>) {
    let mut at = match at {
        Some(at) => at,
        None if once(cond::<13>(agent), before) => Practice::Go,
        None => return (Status::Failure, None),
    };
    if let Practice::Go = at {
        match act::<14>(agent) {
            Status::Success => {}
            Status::Running => return (Status::Running, Some(at)),
            status => return (status, None),
        }
        Walk::<15>::begin(agent);
        at = Practice::Lift;
    }
    match act::<15>(agent) {
        Status::Running => (Status::Running, Some(at)),
        status => {
            Walk::<15>::end(agent);
            (status, None)
        }
    }
}

#[inline(always)]
fn talk(agent: &mut Agent, at: Option<Talk>, before: &mut bool) -> (Status, Option<Talk>) {
    let mut at = match at {
        Some(at) => at,
        None if once(cond::<16>(agent), before) => Talk::Go,
        None => return (Status::Failure, None),
    };
    loop {
        let (status, next) = match at {
            Talk::Go => (act::<17>(agent), Talk::Attach),
            Talk::Attach => (act::<18>(agent), Talk::Wait),
            Talk::Wait if cond::<19>(agent) => (Status::Success, Talk::Separate),
            Talk::Wait => (Status::Running, Talk::Wait),
            Talk::Separate => (act::<20>(agent), Talk::Speak),
            Talk::Speak => match act::<21>(agent) {
                Status::Running => return (Status::Running, Some(at)),
                status => {
                    Walk::<21>::end(agent);
                    return (status, None);
                }
            },
        };
        match status {
            Status::Success => at = next,
            Status::Running => return (Status::Running, Some(at)),
            status => return (status, None),
        }
        if let Talk::Speak = at {
            Walk::<21>::begin(agent);
        }
    }
}

#[inline(always)]
fn wander(agent: &mut Agent, at: Option<Wander>) -> (Status, Option<Wander>) {
    let mut at = at.unwrap_or(Wander::Find);
    loop {
        let (status, next) = match at {
            Wander::Find => (act::<22>(agent), Wander::Go),
            Wander::Go => (act::<23>(agent), Wander::Rest),
            Wander::Rest => match act::<24>(agent) {
                Status::Running => return (Status::Running, Some(at)),
                status => {
                    Walk::<24>::end(agent);
                    return (status, None);
                }
            },
        };
        match status {
            Status::Success => at = next,
            Status::Running => return (Status::Running, Some(at)),
            status => return (status, None),
        }
        if let Wander::Rest = at {
            Walk::<24>::begin(agent);
        }
    }
}
