//! How often trees have been edited or replaced, so that sleeping agents and observers follow, too.

#[cfg(feature = "std")]
use core::sync::atomic::AtomicBool;
use core::sync::atomic::{AtomicU32, Ordering};

static EDITS: AtomicU32 = AtomicU32::new(0);
static REPLACED: AtomicU32 = AtomicU32::new(0);
#[cfg(feature = "std")]
static FOLLOWS: AtomicBool = AtomicBool::new(false);

/// Returns how often any tree of the program was edited; 0 if no tree follows its source.
#[inline(always)]
pub fn edits() -> u32 {
    EDITS.load(Ordering::Relaxed)
}

/// Returns how often any tree of the program was edited or replaced. When the number changes, observers read their trees again.
/// A replacement does not make sleeping agents due, because the program itself replaces the tree.
#[inline(always)]
pub fn versions() -> u32 {
    edits().wrapping_add(REPLACED.load(Ordering::Relaxed))
}

/// Counts the replacement of a tree.
#[cfg(feature = "std")]
pub fn count_replaced() {
    REPLACED.fetch_add(1, Ordering::Relaxed);
}

/// Counts an edit of a tree.
#[cfg(feature = "std")]
pub fn count_edit() {
    EDITS.fetch_add(1, Ordering::Relaxed);
}

/// Records that trees of this program follow their source.
#[cfg(feature = "std")]
pub fn follow() {
    FOLLOWS.store(true, Ordering::Relaxed);
}

/// Returns `true` if trees of this program follow their source.
#[cfg(feature = "async")]
pub(crate) fn are_followed() -> bool {
    FOLLOWS.load(Ordering::Relaxed)
}
