//! Properties of runs.

use bt_core::Status;

use crate::ticked::Ticked;

/// A condition on a tick.
pub(crate) type Test<'p, C> = Box<dyn Fn(&Ticked<'_, C>) -> bool + 'p>;

/// A property with its name.
pub(crate) struct Property<'p, C> {
    pub(crate) name: String,
    pub(crate) rule: Rule<'p, C>,
    /// The index of its number among those of an agent, if it has one.
    pub(crate) slot: Option<usize>,
    /// Its bit among the properties about the future; 0 if it is none.
    pub(crate) bit: u64,
}

/// What has to hold.
pub(crate) enum Rule<'p, C> {
    /// In each tick.
    Always(Test<'p, C>),
    /// In at least one tick of all runs.
    Sometimes(Test<'p, C>),
    /// Sooner or later in each fair run.
    Eventually(Test<'p, C>),
    /// Sooner or later after each trigger, in each fair run.
    LeadsTo(Test<'p, C>, Test<'p, C>),
    /// From each state, in some run.
    AlwaysPossible(Test<'p, C>),
    /// At most this number of ticks after each trigger.
    Responds(Test<'p, C>, Test<'p, C>, u32),
    /// After each trigger, before the tree ends.
    BeforeEnd(Test<'p, C>, Test<'p, C>),
}

/// The meaning of a tick for a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgment {
    Nothing,
    Violated,
    /// The tick is one that the property looks for.
    Goal,
}

impl<C> Rule<'_, C> {
    /// Returns the initial number of an agent: whether something is due, or for how many ticks. `None` if the rule needs no number.
    pub(crate) const fn initial(&self) -> Option<u32> {
        match self {
            Rule::Always(_) | Rule::Sometimes(_) | Rule::AlwaysPossible(_) => None,
            Rule::Eventually(_) => Some(1),
            Rule::LeadsTo(..) | Rule::Responds(..) | Rule::BeforeEnd(..) => Some(0),
        }
    }

    /// Returns `true` if it depends on what can still happen, so that it is decided after the search.
    pub(crate) const fn is_about_the_future(&self) -> bool {
        matches!(self, Rule::Eventually(_) | Rule::LeadsTo(..) | Rule::AlwaysPossible(_))
    }

    /// Judges a tick, and updates the number of the agent.
    /// `is_last` is whether no tick follows.
    pub(crate) fn judge(&self, due: &mut u32, tick: &Ticked<'_, C>, is_last: bool) -> Judgment {
        let goal = |is| if is { Judgment::Goal } else { Judgment::Nothing };
        let violated = |is| if is { Judgment::Violated } else { Judgment::Nothing };
        match self {
            Rule::Always(test) => violated(!test(tick)),
            Rule::Sometimes(test) | Rule::AlwaysPossible(test) => goal(test(tick)),
            Rule::Eventually(test) => {
                let is = test(tick);
                if is {
                    *due = 0;
                }
                goal(is)
            }
            Rule::LeadsTo(trigger, response) => {
                let is = response(tick);
                if is {
                    *due = 0;
                } else if *due == 0 && trigger(tick) {
                    *due = 1;
                }
                goal(is)
            }
            Rule::Responds(trigger, response, within) => {
                if response(tick) {
                    *due = 0;
                } else if *due > 0 || trigger(tick) {
                    *due += 1;
                }
                let is_late = *due > *within || is_last && *due > 0;
                if is_late {
                    *due = 0;
                }
                violated(is_late)
            }
            Rule::BeforeEnd(trigger, response) => {
                if response(tick) {
                    *due = 0;
                } else if *due == 0 && trigger(tick) {
                    *due = 1;
                }
                let is_missing = tick.status != Status::Running && *due > 0;
                if is_missing {
                    *due = 0;
                }
                violated(is_missing)
            }
        }
    }
}
