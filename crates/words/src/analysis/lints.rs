//! The mistakes of a single node, given the statuses of its children.

use crate::analysis::finding::Finding;
use crate::child_count::ChildCount;
use crate::outcomes::Outcomes;
use crate::requirement::Requirement;

/// The mistakes of a node.
#[derive(Clone, Copy, Debug)]
pub struct Lints {
    /// The mistakes that can be allowed: a requirement that is not met, or a threshold for success and one for failure.
    pub found: [Option<Finding>; 2],
    /// An error that cannot be allowed.
    pub broken: Option<&'static str>,
    /// The number of children that a composite takes, and the number that it has, if they differ.
    pub children: Option<(ChildCount, usize)>,
}

impl Lints {
    /// No mistakes.
    pub const NONE: Self = Self { found: [None; 2], broken: None, children: None };

    /// Returns the mistakes of a decorator with these requirements, around a child that can return `child`. Only the mistake with the
    /// first lint is reported.
    pub const fn of(needs: &[Requirement], child: Outcomes) -> Self {
        let mut found: Option<Finding> = None;
        let mut at = 0;
        while at < needs.len() {
            let need = needs[at];
            let is_worse = match found {
                None => true,
                Some(found) => need.lint.index() < found.lint().index(),
            };
            if is_worse && !child.meets(need.any_of) {
                found = Some(Finding::Unmet { need, child });
            }
            at += 1;
        }
        Self { found: [found, None], ..Self::NONE }
    }

    /// Adds an error that cannot be allowed.
    #[must_use]
    pub const fn broken(self, what: Option<&'static str>) -> Self {
        Self { broken: what, ..self }
    }

    /// Adds an error if a composite does not take this number of children.
    #[must_use]
    pub const fn children(self, takes: ChildCount, found: Option<usize>) -> Self {
        match found {
            Some(found) if !takes.contains(found) => Self { children: Some((takes, found)), ..self },
            _ => self,
        }
    }

    /// Returns only the errors that cannot be allowed.
    #[must_use]
    pub const fn lasting(self) -> Self {
        Self { found: [None; 2], ..self }
    }
}
