//! How goals end.

/// How a goal has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome<R> {
    /// The server has reached the goal.
    Succeeded(R),
    /// The server has given up. The result can say why.
    Aborted(R),
    /// The goal was canceled. Without a result, it was canceled before it was sent.
    Canceled(Option<R>),
    /// The server has not accepted the goal.
    Rejected,
}

impl<R> Outcome<R> {
    /// Returns `true` if the server has reached the goal.
    pub const fn is_success(&self) -> bool {
        matches!(self, Self::Succeeded(_))
    }

    /// Returns the result, if there is one.
    pub fn result(self) -> Option<R> {
        match self {
            Self::Succeeded(result) | Self::Aborted(result) => Some(result),
            Self::Canceled(result) => result,
            Self::Rejected => None,
        }
    }
}
