//! The headers of requests, replies and notifications.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// The version of the protocol.
pub(crate) const PROTOCOL: u8 = 2;

/// A request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    FullTree,
    Status,
    Blackboard,
    HookInsert,
    HookRemove,
    BreakpointUnlock,
    HooksDump,
    RemoveAllHooks,
    DisableAllHooks,
    ToggleRecording,
    GetTransitions,
}

impl Kind {
    const fn of(letter: u8) -> Option<Self> {
        Some(match letter {
            b'T' => Self::FullTree,
            b'S' => Self::Status,
            b'B' => Self::Blackboard,
            b'I' => Self::HookInsert,
            b'R' => Self::HookRemove,
            b'U' => Self::BreakpointUnlock,
            b'D' => Self::HooksDump,
            b'A' => Self::RemoveAllHooks,
            b'X' => Self::DisableAllHooks,
            b'r' => Self::ToggleRecording,
            b't' => Self::GetTransitions,
            _ => return None,
        })
    }
}

/// The header of a request: 6 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    letter: u8,
    id: [u8; 4],
}

impl Header {
    /// Reads a header of any version, as BehaviorTree.CPP does.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let [_, letter, id @ ..] = *<&[u8; 6]>::try_from(bytes).ok()?;
        Some(Self { letter, id })
    }

    /// Returns what is requested; `None` if it is unknown.
    pub(crate) const fn kind(self) -> Option<Kind> {
        Kind::of(self.letter)
    }

    /// Returns the header of the reply: 22 bytes.
    pub(crate) fn reply(self, tree: [u8; 16]) -> Vec<u8> {
        let mut bytes = vec![PROTOCOL, self.letter];
        bytes.extend(self.id);
        bytes.extend(tree);
        bytes
    }
}

/// Returns the notification that a breakpoint was reached.
pub(crate) fn breakpoint_reached(uid: u16) -> Vec<Vec<u8>> {
    let [a, b, c, d, ..] = random();
    vec![vec![PROTOCOL, b'N', a, b, c, d], uid.to_string().into_bytes()]
}

/// Returns the random id of a tree, a UUID of version 4.
pub(crate) fn tree_id() -> [u8; 16] {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&random());
    id[8..].copy_from_slice(&random());
    id[6] = id[6] & 0x4f | 0x40;
    id[8] = id[8] & 0xbf | 0x80;
    id
}

/// Returns random bytes. They need not be secret.
fn random() -> [u8; 8] {
    RandomState::new().build_hasher().finish().to_le_bytes()
}
