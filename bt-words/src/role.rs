//! How a node belongs to the node above it.

/// How a node belongs to the node above it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Role {
    /// As a child.
    #[default]
    Child,
    /// As the condition of a transition.
    Guard,
    /// As the action on entering a state.
    Enter,
    /// As the action on leaving a state.
    Exit,
    /// As the action of a `service`.
    Service,
}

impl Role {
    /// Returns `true` if the node is a child.
    pub const fn is_child(&self) -> bool {
        matches!(self, Self::Child)
    }

    /// The text before the node in drawings.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Child => "",
            Self::Guard => "when: ",
            Self::Enter => "enter: ",
            Self::Exit => "exit: ",
            Self::Service => "does: ",
        }
    }
}
