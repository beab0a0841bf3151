//! What can happen in a machine: which states are entered, which transitions followed, what it gives.

use crate::check::facts::{MOST, Reach, StateFacts, StateListFacts};
use crate::check::transitions::{Target, TransitionFacts, TransitionList};
use crate::outcomes::Outcomes;
use crate::status::Outcome;

/// How it is with a state's node before a tick: it has not ended, or it has and nothing has come of that yet.
const NOT_ENDED: u8 = 1;
const SUCCEEDED: u8 = 2;
const FAILED: u8 = 4;
/// It was entered, whatever came of that.
const ENTERED: u8 = 8;
const SITUATIONS: [(u8, Option<Outcome>); 3] =
    [(NOT_ENDED, None), (SUCCEEDED, Some(Outcome::Success)), (FAILED, Some(Outcome::Failure))];

impl Reach {
    pub(crate) const fn new(states: StateListFacts, any: TransitionList) -> Self {
        let mut reach = Self { states, any, seen: [0; MOST], gives: Outcomes::NONE };
        let len = states.len();
        if len > MOST {
            reach.gives = Outcomes::ANY;
            return reach;
        }
        reach.seen[0] = NOT_ENDED;
        let mut done = [0; MOST];
        let mut more = true;
        while more {
            more = false;
            let mut state = 0;
            while state < len {
                let mut at = 0;
                while at < SITUATIONS.len() {
                    let (bit, ended) = SITUATIONS[at];
                    if reach.seen[state] & !done[state] & bit != 0 {
                        done[state] |= bit;
                        more = true;
                        reach = reach.tick(state, ended);
                    }
                    at += 1;
                }
                state += 1;
            }
        }
        reach.with_errors_of_hooks()
    }

    /// Adds the errors of what is done on entering and leaving the states that are entered.
    const fn with_errors_of_hooks(mut self) -> Self {
        let mut state = 0;
        while state < self.states.len() {
            let [enter, exit] = self.states.get(state).hooks;
            self.gives = self.gives.or(Outcomes::ERROR.only_if(self.seen[state] != 0 && enter.or(exit).errs()));
            state += 1;
        }
        self
    }

    /// Adds what one tick in this situation can lead to.
    const fn tick(mut self, state: usize, ended: Option<Outcome>) -> Self {
        let facts = self.states.get(state);
        let here = Some(state);
        // The transitions asked before the state's node is ticked: those of the state, then those of any.
        let mut stays = true;
        let mut lists = [(facts.transitions, None), (self.any, here)];
        let mut list = 0;
        while list < lists.len() {
            while let (TransitionList::Then(transition, rest), from) = lists[list] {
                if stays && !transition.target.is(from) {
                    if transition.may_hold(ended) {
                        self = self.follow(transition.target);
                    }
                    self.gives = self.gives.or(Outcomes::ERROR.only_if(transition.can.errs()));
                    stays = !transition.settles(ended);
                }
                lists[list].0 = *rest;
            }
            list += 1;
        }
        if stays { self.end_of_node(state, facts) } else { self }
    }

    /// Adds what following a transition before the node is ticked leads to.
    const fn follow(mut self, target: Target) -> Self {
        match target {
            Target::End(outcome) => self.gives = self.gives.or(outcome.set()),
            Target::State(to) => {
                let can = self.states.get(to).node.can;
                self.seen[to] |= ENTERED;
                self.gives = self.gives.or(can.without(Outcomes::SUCCESS.or(Outcomes::FAILURE)));
                // An end in this tick waits for the next.
                if can.succeeds() {
                    self = self.goes_on(to, SUCCEEDED);
                }
                if can.fails() {
                    self = self.goes_on(to, FAILED);
                }
                if can.runs() {
                    self = self.goes_on(to, NOT_ENDED);
                }
            }
        }
        self
    }

    /// Adds what ticking the node of the state that the machine stays in leads to.
    const fn end_of_node(mut self, state: usize, facts: StateFacts) -> Self {
        self.gives = self.gives.or(facts.node.can.without(Outcomes::SUCCESS.or(Outcomes::FAILURE)));
        if facts.node.can.runs() {
            self = self.goes_on(state, NOT_ENDED);
        }
        let mut at = 1;
        while at < SITUATIONS.len() {
            let (bit, ended) = SITUATIONS[at];
            if let Some(outcome) = ended
                && facts.node.can.meets(outcome.set())
            {
                let target = match facts.transitions.on_end(None, outcome) {
                    None => self.any.on_end(Some(state), outcome),
                    target => target,
                };
                match target {
                    Some(Target::End(outcome)) => self.gives = self.gives.or(outcome.set()),
                    Some(Target::State(to)) => self = self.goes_on(to, NOT_ENDED),
                    None => self = self.goes_on(state, bit),
                }
            }
            at += 1;
        }
        self
    }

    const fn goes_on(mut self, state: usize, situation: u8) -> Self {
        self.seen[state] |= situation;
        self.gives = self.gives.or(Outcomes::RUNNING);
        self
    }

    /// Whether this state is ever entered.
    pub(crate) const fn enters(&self, state: usize) -> bool {
        self.states.len() > MOST || self.seen[state] != 0
    }

    /// Why a transition of this state is never followed, if it is not. (Of a state that is never entered nothing is said.)
    pub(crate) const fn stuck(&self, state: usize, transition: usize) -> Option<&'static str> {
        if !self.enters(state) || self.states.len() > MOST {
            return None;
        }
        let list = self.states.get(state).transitions;
        if self.follows(state, TransitionList::End, list, transition, None) {
            return None;
        }
        Some(why(list.get(transition), self.states.get(state).node.can))
    }

    /// Why a transition of `any` is never followed, if it is not from any state.
    pub(crate) const fn stuck_any(&self, transition: usize) -> Option<&'static str> {
        if self.states.len() > MOST {
            return None;
        }
        let facts = self.any.get(transition);
        let mut can = Outcomes::NONE;
        let mut state = 0;
        let mut elsewhere = false;
        while state < self.states.len() {
            if self.enters(state) && !facts.target.is(Some(state)) {
                elsewhere = true;
                let StateFacts { transitions, node, .. } = self.states.get(state);
                if self.follows(state, transitions, self.any, transition, Some(state)) {
                    return None;
                }
                can = can.or(node.can);
            }
            state += 1;
        }
        if !elsewhere {
            return Some("it leads to the only state that is ever entered");
        }
        Some(why(facts, can))
    }

    /// Whether a transition is ever followed from this state: `first` are asked before the list it stands in.
    const fn follows(
        &self,
        state: usize,
        first: TransitionList,
        list: TransitionList,
        transition: usize,
        from: Option<usize>,
    ) -> bool {
        let facts = list.get(transition);
        let mut at = 0;
        while at < SITUATIONS.len() {
            let (bit, ended) = SITUATIONS[at];
            let asked = self.seen[state] & bit != 0
                && !first.stops(usize::MAX, None, ended)
                && !list.stops(transition, from, ended);
            if asked && facts.may_hold(ended) {
                return true;
            }
            // Followed because the node has just ended: if no transition was followed before it was ticked.
            if let Some(outcome) = ended
                && self.may_stay(state)
                && self.states.get(state).node.can.meets(outcome.set())
                && facts.ends.meets(outcome.set())
                && !first.waits(usize::MAX, None, outcome)
                && !list.waits(transition, from, outcome)
            {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether the state's node may be ticked without a transition having been followed.
    const fn may_stay(&self, state: usize) -> bool {
        let transitions = self.states.get(state).transitions;
        let mut at = 0;
        while at < SITUATIONS.len() {
            let (bit, ended) = SITUATIONS[at];
            let stops = transitions.stops(usize::MAX, None, ended) || self.any.stops(usize::MAX, Some(state), ended);
            if self.seen[state] & bit != 0 && !stops {
                return true;
            }
            at += 1;
        }
        false
    }
}

/// Why a transition is never followed from states whose nodes can give this.
const fn why(transition: TransitionFacts, can: Outcomes) -> &'static str {
    if transition.ends.is_empty() && !transition.can.succeeds() {
        "its condition never holds"
    } else if transition.ends.succeeds() && !can.succeeds() {
        "the state's node never succeeds"
    } else if transition.ends.fails() && !can.fails() {
        "the state's node never fails"
    } else {
        "a transition before it is always followed instead, or the machine has ended"
    }
}
