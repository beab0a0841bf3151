//! The role of a node below another node.

/// The role of a node below another node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Role {
    /// A child.
    #[default]
    Child,
    /// The condition of a transition.
    Guard,
    /// The action on entering a state.
    Enter,
    /// The action on leaving a state.
    Exit,
    /// The action of a `service`.
    Service,
}

impl Role {
    /// Returns `true` if the node is a child.
    pub const fn is_child(&self) -> bool {
        matches!(self, Self::Child)
    }

    /// Returns the text before the node in drawings.
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
