//! A tree with words of each kind, and its hand-written equivalent.

use bt_core::prelude::*;

use crate::agent::{Agent, MILLISECOND, act, cond};

/// Returns a number from 0 to 3.
#[inline(always)]
fn mood(agent: &Agent) -> u64 {
    agent.sees >> 30 & 3
}

fn is_hurt(agent: &Agent) -> bool {
    agent.sees & 7 == 0
}

fn is_near(agent: &Agent) -> bool {
    agent.sees >> 9 & 1 == 0
}

/// Returns the tree of an orc: it flees, or chases and attacks at once, or rests and walks in turns.
pub fn orc() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
            sequence { is_hurt, act::<1> }
            sequence {
                is_near,
                parallel(success = all, failure = one) {
                    act::<5>,
                    selector {
                        cooldown(millis(4)) { retry(2) { if cond::<12> { act::<2> } else { act::<3> } } }
                        match mood { 0 => act::<4>, _ => act::<7> }
                    }
                }
            }
            machine { state resting { act::<6>, cond::<20> -> walking } state walking { act::<7>, success -> resting } }
        }
    }
}

/// The state by hand: which action is running, the end of the cooldown, which a halt begins and a clock that was set back cannot
/// extend, and the number of attempts.
#[derive(Clone, Copy)]
pub struct Orc {
    end: u64,
    length: u64,
    place: Place,
    chases: bool,
    attack: Attack,
    attempts: u8,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    Fleeing,
    Fighting,
    Idle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attack {
    No,
    Swing,
    Kick,
    Shout,
    Walk,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Rest,
    Resting,
    Walk,
    Walking,
    Walked,
}

impl Default for Orc {
    fn default() -> Self {
        Self {
            end: 0,
            length: 4 * MILLISECOND,
            place: Place::Nowhere,
            chases: false,
            attack: Attack::No,
            attempts: 0,
            mode: Mode::Rest,
        }
    }
}

impl Orc {
    #[inline(always)]
    fn cool(&mut self, now: u64) {
        self.end = now.saturating_add(self.length);
    }

    #[inline(always)]
    fn halt_fight(&mut self, now: u64) {
        if matches!(self.attack, Attack::Swing | Attack::Kick) {
            self.cool(now);
        }
        self.attack = Attack::No;
        self.chases = false;
    }

    #[inline(always)]
    fn leave(&mut self, to: Place, now: u64) {
        match self.place {
            Place::Fighting if to != Place::Fighting => self.halt_fight(now),
            Place::Idle if to != Place::Idle => self.mode = Mode::Rest,
            Place::Nowhere | Place::Fleeing | Place::Fighting | Place::Idle => {}
        }
        self.place = to;
    }

    #[inline(always)]
    fn strike(&mut self, agent: &mut Agent) -> Status {
        let runs = matches!(self.attack, Attack::Swing | Attack::Kick);
        if !runs {
            if agent.now < self.end {
                if self.end - agent.now > self.length {
                    self.cool(agent.now);
                }
                return Status::Failure;
            }
            self.attempts = 0;
        }
        loop {
            let (status, this) =
                if cond::<12>(agent) { (act::<2>(agent), Attack::Swing) } else { (act::<3>(agent), Attack::Kick) };
            match status {
                Status::Running => {
                    self.attack = this;
                    return status;
                }
                Status::Success => {}
                Status::Failure | Status::Error => {
                    self.attempts += 1;
                    if self.attempts < 2 {
                        continue;
                    }
                }
            }
            if runs {
                self.attack = Attack::No;
            }
            self.cool(agent.now);
            return status;
        }
    }

    #[inline(always)]
    fn attack(&mut self, agent: &mut Agent) -> Status {
        let status = self.strike(agent);
        if status != Status::Failure {
            if status != Status::Running {
                self.attack = Attack::No;
            }
            return status;
        }
        let (status, this) =
            if mood(agent) == 0 { (act::<4>(agent), Attack::Shout) } else { (act::<7>(agent), Attack::Walk) };
        self.attack = if status == Status::Running { this } else { Attack::No };
        status
    }
}

/// The same by hand.
#[inline(always)]
pub fn orc_by_hand(agent: &mut Agent, orc: &mut Orc) -> Status {
    if is_hurt(agent) {
        let status = act::<1>(agent);
        if status != Status::Failure {
            orc.leave(if status == Status::Running { Place::Fleeing } else { Place::Nowhere }, agent.now);
            return status;
        }
    }
    if is_near(agent) {
        let chase = act::<5>(agent);
        if chase != Status::Failure {
            let attack = orc.attack(agent);
            if attack != Status::Failure {
                if chase == Status::Success && attack == Status::Success {
                    orc.leave(Place::Nowhere, agent.now);
                    orc.chases = false;
                    return Status::Success;
                }
                if orc.place == Place::Idle {
                    orc.mode = Mode::Rest;
                }
                orc.place = Place::Fighting;
                orc.chases = chase == Status::Running;
                return Status::Running;
            }
        }
    }
    if orc.place == Place::Fighting {
        orc.halt_fight(agent.now);
    }
    if orc.place != Place::Idle {
        orc.mode = Mode::Rest;
        orc.place = Place::Idle;
    }
    orc.mode = match orc.mode {
        Mode::Rest | Mode::Resting if cond::<20>(agent) => match act::<7>(agent) {
            Status::Running => Mode::Walking,
            Status::Success => Mode::Walked,
            Status::Failure | Status::Error => Mode::Walk,
        },
        Mode::Rest | Mode::Resting | Mode::Walked => {
            if act::<6>(agent) == Status::Running {
                Mode::Resting
            } else {
                Mode::Rest
            }
        }
        Mode::Walk | Mode::Walking => match act::<7>(agent) {
            Status::Running => Mode::Walking,
            Status::Success => Mode::Rest,
            Status::Failure | Status::Error => Mode::Walk,
        },
    };
    Status::Running
}
