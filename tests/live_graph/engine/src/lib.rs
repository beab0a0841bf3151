//! An engine that brings trees.

pub use bt_core as bt;

#[bt_core::condition]
pub fn near(distance: &u32, limit: u32) -> bool {
    *distance < limit
}

/// A tree of the engine in the crate that calls this.
#[macro_export]
macro_rules! far {
    ($limit:literal) => {
        $crate::bt::tree! { for u32: invert { $crate::near($limit) } }
    };
}
