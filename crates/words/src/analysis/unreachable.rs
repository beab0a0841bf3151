//! Which children of a composite are never ticked.

use crate::outcomes::Outcomes;

/// The children of a composite that are never ticked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// None.
    None,
    /// The children from an index on, because the child before them never returns the outcome after which the composite
    /// continues.
    Stopped {
        /// The index of the first unreachable child.
        from: usize,
        /// The outcome after which the composite continues.
        goes_on: Outcomes,
    },
    /// The children from this index on, because the children before them always end the composite.
    Decided(usize),
    /// The children that the first child, a condition with these statuses, never selects.
    Unselected(Outcomes),
}
