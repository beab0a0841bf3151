//! What a decorator can return, given what its child can return.

use crate::outcomes::Outcomes;

/// Which statuses a decorator can return, given those that its child can return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatusMap {
    /// What it can return if its child can succeed.
    pub on_success: Outcomes,
    /// What it can return if its child can fail.
    pub on_failure: Outcomes,
    /// What it can return if its child can be running.
    pub on_running: Outcomes,
    /// What it can return if its child can return an error.
    pub on_error: Outcomes,
    /// What it can return for any child.
    pub always: Outcomes,
}

impl StatusMap {
    /// Returns what the child returns.
    pub const SAME: Self = Self {
        on_success: Outcomes::SUCCESS,
        on_failure: Outcomes::FAILURE,
        on_running: Outcomes::RUNNING,
        on_error: Outcomes::ERROR,
        always: Outcomes::NONE,
    };
    /// Can return any status: the default of decorators of your own.
    pub const UNKNOWN: Self = Self { always: Outcomes::ANY, ..Self::SAME };

    /// The statuses that the decorator can return around a child that can return `child`.
    pub const fn of(self, child: Outcomes) -> Outcomes {
        self.always
            .or(self.on_success.only_if(child.succeeds()))
            .or(self.on_failure.only_if(child.fails()))
            .or(self.on_running.only_if(child.runs()))
            .or(self.on_error.only_if(child.errs()))
    }

    /// The map of a decorator that ends with this outcome, whichever way its child ends.
    pub const fn ends_with(outcome: Outcomes) -> Self {
        Self { on_success: outcome, on_failure: outcome, ..Self::SAME }
    }

    /// The same map of a decorator that can return these statuses for any child.
    #[must_use]
    pub const fn and_always(self, always: Outcomes) -> Self {
        Self { always: self.always.or(always), ..self }
    }
}
