//! The id of an agent in a herd.

/// The id of an agent in a [`Herd`](super::Herd). After removal it stays invalid, even if its slot is reused.
///
/// An id refers to an agent of the herd that created it, also after that herd has loaded one of its own saves. In
/// another herd, the same id can refer to a different agent. The same is possible after loading a save that another program
/// created from a common earlier save. Then use the ids of [`Herd::ids`](super::Herd::ids).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AgentId {
    pub(super) index: u32,
    pub(super) number: u32,
}

impl AgentId {
    /// Returns the slot of the agent, which is the index of its context in the slice passed to [`Herd::tick_all`](super::Herd::tick_all).
    pub const fn index(self) -> usize {
        self.index as usize
    }
}
