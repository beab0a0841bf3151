//! Computes the reachable states and transitions of a machine, and the statuses that it can return.

use crate::analysis::facts::{MAX_STATES, Reach, StateFacts, StateListFacts};
use crate::analysis::transitions::{Target, TransitionFacts, TransitionList};
use crate::outcomes::Outcomes;

/// The situations of a state's node before a tick: it has not ended, or it has ended and no transition was followed yet.
const NOT_ENDED: u8 = 1;
const SUCCEEDED: u8 = 2;
const FAILED: u8 = 4;
/// The state was entered by a transition that also ticks its node.
const ENTERED: u8 = 8;
const SITUATIONS: [(u8, Option<Outcomes>); 3] =
    [(NOT_ENDED, None), (SUCCEEDED, Some(Outcomes::SUCCESS)), (FAILED, Some(Outcomes::FAILURE))];

impl<'a> Reach<'a> {
    /// Returns the reachable parts of a machine with these states.
    pub const fn new(states: StateListFacts<'a>, any: TransitionList<'a>) -> Self {
        let (len, is_checked) = (states.len(), is_small(states, any));
        let mut reach = Self { states, any, is_checked, seen: [0; MAX_STATES], gives: Outcomes::NONE };
        if !is_checked {
            reach.gives = Outcomes::ANY;
            return reach;
        }
        reach.seen[0] = NOT_ENDED;
        let mut done = [0; MAX_STATES];
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
        // It may wait for a cleanup that a halt has left in a state.
        reach.gives = reach.gives.or(Outcomes::RUNNING.only_if(reach.clean_up()));
        reach.with_errors_of_hooks()
    }

    /// Adds the errors of the `enter:` and `exit:` actions of the reachable states.
    const fn with_errors_of_hooks(mut self) -> Self {
        let mut state = 0;
        while state < self.states.len() {
            let [enter, exit] = self.states.get(state).hooks;
            self.gives = self.gives.or(Outcomes::ERROR.only_if(self.seen[state] != 0 && enter.or(exit).errs()));
            state += 1;
        }
        self
    }

    /// Adds the results of one tick in this situation.
    const fn tick(mut self, state: usize, ended: Option<Outcomes>) -> Self {
        let facts = self.states.get(state);
        let here = Some(state);
        // The transitions evaluated before the state's node is ticked: those of the state, then those of `any`.
        let mut stays = true;
        let mut lists = [(facts.transitions, None), (self.any, here)];
        let mut list = 0;
        while list < lists.len() {
            while let (Some((transition, rest)), from) = (lists[list].0.split(), lists[list].1) {
                if stays && !transition.target.is(from) {
                    if transition.may_hold(ended) {
                        self = self.follow(transition.target);
                    }
                    self.gives = self.gives.or(Outcomes::ERROR.only_if(transition.returns.errs()));
                    stays = !transition.settles(ended);
                }
                lists[list].0 = rest;
            }
            list += 1;
        }
        if stays { self.end_of_node(state, facts) } else { self }
    }

    /// Adds the results of following a transition before the node is ticked.
    const fn follow(mut self, target: Target) -> Self {
        match target {
            Target::End(outcome) => self.gives = self.gives.or(outcome),
            Target::State(to) => {
                let returns = self.states.get(to).node.returns;
                self.seen[to] |= ENTERED;
                self.gives = self.gives.or(returns.without(Outcomes::SUCCESS.or(Outcomes::FAILURE)));
                // An end in this tick takes effect in the next.
                if returns.succeeds() {
                    self = self.goes_on(to, SUCCEEDED);
                }
                if returns.fails() {
                    self = self.goes_on(to, FAILED);
                }
                if returns.runs() {
                    self = self.goes_on(to, NOT_ENDED);
                }
            }
        }
        self
    }

    /// Adds the results of ticking the node of the state that the machine stays in.
    const fn end_of_node(mut self, state: usize, facts: StateFacts<'_>) -> Self {
        self.gives = self.gives.or(facts.node.returns.without(Outcomes::SUCCESS.or(Outcomes::FAILURE)));
        if facts.node.returns.runs() {
            self = self.goes_on(state, NOT_ENDED);
        }
        let mut at = 1;
        while at < SITUATIONS.len() {
            let (bit, ended) = SITUATIONS[at];
            if let Some(outcome) = ended
                && facts.node.returns.contains(outcome)
            {
                let target = match facts.transitions.on_end(None, outcome) {
                    None => self.any.on_end(Some(state), outcome),
                    target => target,
                };
                match target {
                    Some(Target::End(outcome)) => self.gives = self.gives.or(outcome),
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

    /// Returns `true` if this state can be entered.
    pub const fn enters(&self, state: usize) -> bool {
        !self.is_checked || self.seen[state] != 0
    }

    /// Returns `true` if the node of this state is ever ticked: when a transition enters the state, or when the machine stays in it.
    /// (Returns `true` for a state that is never entered.)
    pub const fn ticks(&self, state: usize) -> bool {
        !self.is_checked || !self.enters(state) || self.seen[state] & ENTERED != 0 || self.may_stay(state)
    }

    /// Returns why a transition of this state is never followed; `None` if it can be. (Returns `None` for a state that is never entered.)
    pub const fn stuck(&self, state: usize, transition: usize) -> Option<&'static str> {
        if !self.is_checked || !self.enters(state) {
            return None;
        }
        let list = self.states.get(state).transitions;
        if self.follows(state, TransitionList::End, list, transition, None) {
            return None;
        }
        Some(why(list.get(transition), self.states.get(state).node.returns))
    }

    /// Returns why a transition of `any` is never followed from any state; `None` if it can be.
    pub const fn stuck_any(&self, transition: usize) -> Option<&'static str> {
        if !self.is_checked {
            return None;
        }
        let facts = self.any.get(transition);
        let mut returns = Outcomes::NONE;
        let mut state = 0;
        let mut elsewhere = false;
        while state < self.states.len() {
            if self.enters(state) && !facts.target.is(Some(state)) {
                elsewhere = true;
                let StateFacts { transitions, node, .. } = self.states.get(state);
                if self.follows(state, transitions, self.any, transition, Some(state)) {
                    return None;
                }
                returns = returns.or(node.returns);
            }
            state += 1;
        }
        if !elsewhere {
            return Some("it leads to the only state that can be entered");
        }
        Some(why(facts, returns))
    }

    /// Returns `true` if a transition can be followed from this state. `first` are evaluated before the list that contains it.
    const fn follows(
        &self,
        state: usize,
        first: TransitionList<'_>,
        list: TransitionList<'_>,
        transition: usize,
        from: Option<usize>,
    ) -> bool {
        let facts = list.get(transition);
        let mut at = 0;
        while at < SITUATIONS.len() {
            let (bit, ended) = SITUATIONS[at];
            let evaluated = self.seen[state] & bit != 0
                && !first.stops(usize::MAX, None, ended)
                && !list.stops(transition, from, ended);
            if evaluated && facts.may_hold(ended) {
                return true;
            }
            // Also followed if the node has just ended and no transition was followed before the node was ticked.
            if let Some(outcome) = ended
                && self.may_stay(state)
                && self.states.get(state).node.returns.contains(outcome)
                && facts.ends.contains(outcome)
                && !first.waits(usize::MAX, None, outcome)
                && !list.waits(transition, from, outcome)
            {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns `true` if the state's node may be ticked, since no transition is followed first.
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

/// Returns `true` for a machine that is checked: the time grows with the product of the numbers of states and transitions.
const fn is_small(states: StateListFacts<'_>, any: TransitionList<'_>) -> bool {
    let mut is_small = states.len() <= MAX_STATES && any.len() <= MAX_STATES;
    let mut state = 0;
    while is_small && state < states.len() {
        is_small = states.get(state).transitions.len() <= MAX_STATES;
        state += 1;
    }
    is_small
}

/// Returns why a transition is never followed from states whose nodes can return these statuses.
const fn why(transition: TransitionFacts, returns: Outcomes) -> &'static str {
    if transition.ends.is_empty() && !transition.returns.succeeds() {
        "its condition never holds"
    } else if transition.ends.succeeds() && !returns.succeeds() {
        "the state's node never returns `Success`"
    } else if transition.ends.fails() && !returns.fails() {
        "the state's node never returns `Failure`"
    } else {
        "a transition before it is always followed first, or the machine has ended"
    }
}
