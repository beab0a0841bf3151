//! State machines, and their hand-written equivalents.

use bt_core::prelude::*;

use crate::agent::{Agent, Walk, act, cond};

/// Returns a machine of three states without hooks, whose ends nothing waits for.
pub fn plain() -> impl Node<Agent> {
    tree! {
        for Agent: machine {
            state rest { act::<2>, cond::<1> -> look }
            state look { act::<3>, cond::<9> -> go }
            state go { act::<4>, cond::<23> -> rest }
        }
    }
}

/// The hand-written equivalents of machines of plain states. A row is a state, its action and its guard, the next state and its action.
macro_rules! plain_machines {
    ($same:ident, $less:ident: $($pattern:pat => $state:literal: $action:literal, $guard:literal -> $to:literal: $then:literal;)+) => {
        /// Ticks the hand-written equivalent. The state is twice the number of the state, plus 1 if its action is running.
        #[inline(always)]
        pub fn $same(agent: &mut Agent, at: &mut u8) -> Status {
            let runs = |status| u8::from(status == Status::Running);
            *at = match *at / 2 {
                $($pattern => {
                    if cond::<$guard>(agent) { 2 * $to + runs(act::<$then>(agent)) } else { 2 * $state + runs(act::<$action>(agent)) }
                })+
            };
            Status::Running
        }

        /// Ticks the hand-written equivalent that does less. The state is the number of the state.
        #[inline(always)]
        pub fn $less(agent: &mut Agent, at: &mut u8) -> Status {
            match *at {
                $($pattern => {
                    if cond::<$guard>(agent) {
                        *at = $to;
                        act::<$then>(agent);
                    } else {
                        act::<$action>(agent);
                    }
                })+
            }
            Status::Running
        }
    };
}

plain_machines! {
    plain_by_hand, plain_with_less:
        0 => 0: 2, 1 -> 1: 3;
        1 => 1: 3, 9 -> 2: 4;
        _ => 2: 4, 23 -> 0: 2;
}

plain_machines! {
    circle_by_hand, circle_with_less:
        0 => 0: 2, 1 -> 1: 3;
        1 => 1: 3, 4 -> 2: 4;
        2 => 2: 4, 7 -> 3: 5;
        3 => 3: 5, 10 -> 4: 6;
        4 => 4: 6, 13 -> 5: 7;
        5 => 5: 7, 16 -> 6: 8;
        6 => 6: 8, 19 -> 7: 9;
        7 => 7: 9, 22 -> 8: 10;
        8 => 8: 10, 25 -> 9: 11;
        9 => 9: 11, 28 -> 10: 12;
        10 => 10: 12, 31 -> 11: 13;
        _ => 11: 13, 34 -> 0: 2;
}

/// Returns a machine of four states: leaves that are closed, an `enter:` action, a transition on success, and one from any
/// state.
pub fn sheep() -> impl Node<Agent> {
    tree! {
        for Agent: machine {
            state graze { (Walk::<3>), cond::<1> -> obey }
            state obey { (Walk::<5>), !cond::<9> -> stop }
            state stop { act::<2>, success -> graze, cond::<1> -> obey }
            state fear { enter: Walk::<7>::begin, act::<4>, !cond::<13> -> graze }
            any { !cond::<31> -> fear }
        }
    }
}

/// The state of the hand-written sheep, and whether its walk is running.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sheep {
    Graze(bool),
    Obey(bool),
    /// Whether the action has succeeded.
    Stop(bool),
    Fear,
}

impl Default for Sheep {
    fn default() -> Self {
        Self::Graze(false)
    }
}

impl Sheep {
    #[inline(always)]
    fn walk<const N: u32>(agent: &mut Agent, is_running: bool) -> bool {
        if !is_running {
            Walk::<N>::begin(agent);
        }
        let runs = act::<N>(agent) == Status::Running;
        if !runs {
            Walk::<N>::end(agent);
        }
        runs
    }
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn sheep_by_hand(agent: &mut Agent, at: &mut Sheep) -> Status {
    let was = *at;
    let to = match was {
        Sheep::Graze(_) if cond::<1>(agent) => Some(Sheep::Obey(false)),
        Sheep::Obey(_) if !cond::<9>(agent) => Some(Sheep::Stop(false)),
        Sheep::Stop(true) => Some(Sheep::Graze(false)),
        Sheep::Stop(_) if cond::<1>(agent) => Some(Sheep::Obey(false)),
        Sheep::Fear if !cond::<13>(agent) => Some(Sheep::Graze(false)),
        Sheep::Fear => None,
        _ if !cond::<31>(agent) => Some(Sheep::Fear),
        _ => None,
    };
    if let Some(to) = to {
        match was {
            Sheep::Graze(true) => Walk::<3>::end(agent),
            Sheep::Obey(true) => Walk::<5>::end(agent),
            _ => {}
        }
        if to == Sheep::Fear {
            Walk::<7>::begin(agent);
        }
        *at = to;
    }
    match at {
        Sheep::Graze(running) => *running = Sheep::walk::<3>(agent, *running),
        Sheep::Obey(running) => *running = Sheep::walk::<5>(agent, *running),
        Sheep::Stop(won) => {
            if act::<2>(agent) == Status::Success {
                if to.is_none() {
                    *at = Sheep::Graze(false);
                } else {
                    *won = true;
                }
            }
        }
        Sheep::Fear => {
            act::<4>(agent);
        }
    }
    Status::Running
}

/// Returns a machine of twelve states in a circle.
pub fn circle() -> impl Node<Agent> {
    tree! {
        for Agent: machine {
            state a { act::<2>, cond::<1> -> b }
            state b { act::<3>, cond::<4> -> c }
            state c { act::<4>, cond::<7> -> d }
            state d { act::<5>, cond::<10> -> e }
            state e { act::<6>, cond::<13> -> f }
            state f { act::<7>, cond::<16> -> g }
            state g { act::<8>, cond::<19> -> h }
            state h { act::<9>, cond::<22> -> i }
            state i { act::<10>, cond::<25> -> j }
            state j { act::<11>, cond::<28> -> k }
            state k { act::<12>, cond::<31> -> l }
            state l { act::<13>, cond::<34> -> a }
        }
    }
}
