//! Requirements of a decorator on its child.

use crate::lint::Lint;
use crate::outcomes::Outcomes;

/// A requirement of a decorator on its child. A child that can return none of these statuses is a mistake: a compile error in a `tree!`,
/// a warning for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The child must be able to return one of these statuses.
    pub any_of: Outcomes,
    /// The lint if the requirement is not met. The name of the lint is used in `#[allow(…)]`.
    pub lint: Lint,
    /// The error message, before `: its child never returns …`.
    pub or: &'static str,
    /// The suggested fix.
    pub help: &'static str,
}

impl Requirement {
    /// The help for a decorator that has no effect.
    pub(crate) const REMOVE: &str = "remove the decorator or change its child";

    /// Returns the requirement of a decorator that has no effect on a child that can return none of these statuses.
    pub const fn pointless(any_of: Outcomes, or: &'static str) -> Self {
        Self { any_of, lint: Lint::Pointless, or, help: Self::REMOVE }
    }

    /// Returns the requirement that the child can end.
    pub const fn an_end(or: &'static str) -> Self {
        Self::pointless(Outcomes::SUCCESS.or(Outcomes::FAILURE), or)
    }
}
