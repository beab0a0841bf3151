//! The statuses that a decorator or composite can return, given those of its children.

use crate::outcomes::Outcomes;

/// A map from the statuses that a child can return to the statuses that its decorator can return; for a composite, from the
/// statuses of all its children together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatusMap {
    /// The statuses if the child can succeed.
    pub on_success: Outcomes,
    /// The statuses if the child can fail.
    pub on_failure: Outcomes,
    /// The statuses if the child can be running.
    pub on_running: Outcomes,
    /// The statuses if the child can return an error.
    pub on_error: Outcomes,
    /// The statuses for any child.
    pub always: Outcomes,
}

impl StatusMap {
    /// The same statuses as the child.
    pub const SAME: Self = Self {
        on_success: Outcomes::SUCCESS,
        on_failure: Outcomes::FAILURE,
        on_running: Outcomes::RUNNING,
        on_error: Outcomes::ERROR,
        always: Outcomes::NONE,
    };
    /// Any status: the default of custom decorators.
    pub const UNKNOWN: Self = Self { always: Outcomes::ANY, ..Self::SAME };

    /// Returns the statuses of the decorator for a child with the statuses `child`.
    pub const fn of(self, child: Outcomes) -> Outcomes {
        self.always
            .or(self.on_success.only_if(child.succeeds()))
            .or(self.on_failure.only_if(child.fails()))
            .or(self.on_running.only_if(child.runs()))
            .or(self.on_error.only_if(child.errs()))
    }

    /// Returns the map of a decorator that ends with `outcome` when its child ends.
    pub const fn ends_with(outcome: Outcomes) -> Self {
        Self { on_success: outcome, on_failure: outcome, ..Self::SAME }
    }

    /// Returns the map with these statuses added for any child.
    #[must_use]
    pub const fn and_always(self, always: Outcomes) -> Self {
        Self { always: self.always.or(always), ..self }
    }
}
