//! Which of the attributes it is.

/// The attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Action,
    Condition,
}
