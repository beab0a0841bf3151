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

/// The hand-written equivalents of machines of plain states, with the way to match the state that takes fewest instructions. A row is a state as each of them matches it, its action and its guard, the next state and its action.
macro_rules! plain_machines {
    ($same:ident by $group:expr, $less:ident: $($both:pat, $pattern:pat => $state:literal: $action:literal, $guard:literal -> $to:literal: $then:literal;)+) => {
        /// Ticks the hand-written equivalent. The state is twice the number of the state, plus 1 if its action is running.
        #[inline(always)]
        pub fn $same(agent: &mut Agent, at: &mut u8) -> Status {
            let runs = |status| u8::from(status == Status::Running);
            *at = match $group(*at) {
                $($both => {
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
    plain_by_hand by |at| at / 2, plain_with_less:
        0, 0 => 0: 2, 1 -> 1: 3;
        1, 1 => 1: 3, 9 -> 2: 4;
        _, _ => 2: 4, 23 -> 0: 2;
}

plain_machines! {
    circle_by_hand by |at| at, circle_with_less:
        0 | 1, 0 => 0: 2, 1 -> 1: 3;
        2 | 3, 1 => 1: 3, 4 -> 2: 4;
        4 | 5, 2 => 2: 4, 7 -> 3: 5;
        6 | 7, 3 => 3: 5, 10 -> 4: 6;
        8 | 9, 4 => 4: 6, 13 -> 5: 7;
        10 | 11, 5 => 5: 7, 16 -> 6: 8;
        12 | 13, 6 => 6: 8, 19 -> 7: 9;
        14 | 15, 7 => 7: 9, 22 -> 8: 10;
        16 | 17, 8 => 8: 10, 25 -> 9: 11;
        18 | 19, 9 => 9: 11, 28 -> 10: 12;
        20 | 21, 10 => 10: 12, 31 -> 11: 13;
        _, _ => 11: 13, 34 -> 0: 2;
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

/// The state of the hand-written sheep, and whether its action is running or has succeeded.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Sheep {
    #[default]
    Graze,
    Grazing,
    Obey,
    Obeying,
    Stop,
    Stopping,
    Stopped,
    Fear,
    Fearing,
}

impl Sheep {
    /// Ticks a walk and returns whether it is running.
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

    #[inline(always)]
    fn graze(&mut self, agent: &mut Agent, is_running: bool) {
        *self = if Self::walk::<3>(agent, is_running) { Self::Grazing } else { Self::Graze };
    }

    #[inline(always)]
    fn obey(&mut self, agent: &mut Agent, is_running: bool) {
        *self = if Self::walk::<5>(agent, is_running) { Self::Obeying } else { Self::Obey };
    }

    /// Ticks the action of `Stop`, whose success leads to `succeeded`.
    #[inline(always)]
    fn stop(&mut self, agent: &mut Agent, succeeded: Self) {
        *self = match act::<2>(agent) {
            Status::Success => succeeded,
            Status::Running => Self::Stopping,
            _ => Self::Stop,
        };
    }

    #[inline(always)]
    fn fear(&mut self, agent: &mut Agent) {
        *self = if act::<4>(agent) == Status::Running { Self::Fearing } else { Self::Fear };
    }

    #[inline(always)]
    fn take_fright(&mut self, agent: &mut Agent) {
        Walk::<7>::begin(agent);
        self.fear(agent);
    }
}

/// Ticks the hand-written equivalent.
#[inline(always)]
pub fn sheep_by_hand(agent: &mut Agent, at: &mut Sheep) -> Status {
    match *at {
        was @ (Sheep::Graze | Sheep::Grazing) => {
            let grazes = was == Sheep::Grazing;
            if cond::<1>(agent) {
                if grazes {
                    Walk::<3>::end(agent);
                }
                at.obey(agent, false);
            } else if !cond::<31>(agent) {
                if grazes {
                    Walk::<3>::end(agent);
                }
                at.take_fright(agent);
            } else {
                at.graze(agent, grazes);
            }
        }
        was @ (Sheep::Obey | Sheep::Obeying) => {
            let obeys = was == Sheep::Obeying;
            if !cond::<9>(agent) {
                if obeys {
                    Walk::<5>::end(agent);
                }
                at.stop(agent, Sheep::Stopped);
            } else if !cond::<31>(agent) {
                if obeys {
                    Walk::<5>::end(agent);
                }
                at.take_fright(agent);
            } else {
                at.obey(agent, obeys);
            }
        }
        Sheep::Stop | Sheep::Stopping => {
            if cond::<1>(agent) {
                at.obey(agent, false);
            } else if !cond::<31>(agent) {
                at.take_fright(agent);
            } else {
                at.stop(agent, Sheep::Graze);
            }
        }
        Sheep::Stopped => at.graze(agent, false),
        Sheep::Fear | Sheep::Fearing => {
            if cond::<13>(agent) {
                at.fear(agent);
            } else {
                at.graze(agent, false);
            }
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
