//! The machines of a hub, the keys of their agents and documents in its pages, and the messages for them.

/// A machine in a [`Hub`](crate::Hub), returned by [`Hub::joined`](crate::Hub::joined).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Machine(pub(super) u32);

/// A message of a [`Hub`](crate::Hub) for a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outgoing {
    /// The machine.
    pub machine: Machine,
    /// The page at that machine: a number that is not used again.
    pub page: u64,
    /// What the machine does.
    pub message: ToMachine,
}

/// What a machine does for a page of a [`Hub`](crate::Hub).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToMachine {
    /// [Connect](bt_inspector::Inspector::connect) a page.
    Open,
    /// Pass a message to the connection: [`Connection::receive`](bt_inspector::Connection::receive).
    Text(String),
    /// Drop the connection.
    Close,
}

/// The number of keys of a machine. All keys are less than 2^53: a page reads them as floats. In a browser, a `usize` has 32 bits.
const KEYS: usize = if usize::BITS > 32 { 1 << (usize::BITS / 2) } else { 1 << 20 };

impl Machine {
    /// Returns the key of an agent, or of a document, of this machine in a page of the hub.
    pub(super) fn key(self, agent: usize) -> Option<usize> {
        let first = usize::try_from(self.0).ok()?.checked_mul(KEYS)?;
        first.checked_add(agent).filter(|_| agent < KEYS)
    }

    /// Returns the number by which pages name it.
    pub(super) const fn number(self) -> u32 {
        self.0
    }

    /// Returns the machine of an agent, or of a document, and its key there.
    pub(super) fn of(key: usize) -> (Self, usize) {
        (Self(u32::try_from(key / KEYS).unwrap_or(u32::MAX)), key % KEYS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_machine() {
        let key = Machine(3).key(7).expect("it is small");
        assert_eq!(Machine::of(key), (Machine(3), 7));
        assert_eq!(Machine(3).key(KEYS), None);
    }
}
