//! How often trees that follow their source have been edited, so that observers follow, too.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::describe::Description;
use crate::node::NodeShape;
use crate::observer::Observer;
use crate::tree::Tree;
use crate::walk::StateBytes;

static EDITS: AtomicU32 = AtomicU32::new(0);

/// Returns how often any tree of the program was edited; 0 if no tree follows its source.
#[inline(always)]
pub fn edits() -> u32 {
    EDITS.load(Ordering::Relaxed)
}

/// Counts an edit of a tree.
#[cfg(feature = "std")]
pub fn count_edit() {
    EDITS.fetch_add(1, Ordering::Relaxed);
}

/// The tree of a tick, as it is now.
pub struct Followed {
    /// Its description.
    pub description: Description,
    /// Its fingerprint.
    pub fingerprint: u64,
    /// The size of the state of each node.
    pub bytes: Vec<StateBytes>,
}

/// Tells an observer that trees were edited.
#[inline]
pub(crate) fn tell<N: NodeShape, O: Observer>(tree: &N, observer: &mut O) {
    let edits = edits();
    if edits > 0 {
        observer.edited(edits, &|| Followed {
            description: tree.description(),
            fingerprint: tree.fingerprint(),
            bytes: tree.bytes_by_node(),
        });
    }
}
