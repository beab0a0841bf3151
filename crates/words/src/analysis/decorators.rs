//! The statuses that the decorators of the vocabulary can return, and their requirements on the child.

use crate::columns::Returns;
use crate::outcomes::Outcomes;
use crate::requirement::Requirement;
use crate::status_map::StatusMap;
use crate::table::{More, Word};

/// Properties of the argument of a word that are known before the node runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// `true` if a number is known to be different from 0.
    pub is_positive: bool,
    /// `true` if there may be no value. The node then returns `Error`.
    pub can_fail: bool,
}

impl Given {
    /// No argument.
    pub const NOTHING: Self = Self { is_positive: false, can_fail: false };
}

impl Word {
    /// Returns the statuses that a decorator with this argument can return.
    ///
    /// # Panics
    ///
    /// Panics if the word is not a decorator.
    pub const fn statuses(self, given: Given) -> StatusMap {
        let Returns::Map(map) = self.row().returns else { panic!("the word is not a decorator") };
        let without_runs = self.row().more.without_runs.only_if(!given.is_positive);
        map.and_always(without_runs).and_always(Outcomes::ERROR.only_if(given.can_fail))
    }

    /// Returns the requirements of the word on its child with this argument; none if the word is not a decorator.
    pub const fn requires(self, given: Given) -> &'static [Requirement] {
        let More { without_runs, requires, .. } = self.row().more;
        // Without a run, the child does not matter.
        if given.is_positive || without_runs.is_empty() { requires } else { &[] }
    }
}
