//! A library whose trees are live if the program says so, by other names.

use bt::prelude::*;
// The dependency is all that is needed.
use live as _;

#[condition]
fn near(distance: &u32, limit: u32) -> bool {
    *distance < limit
}

pub fn tree() -> impl Node<u32> {
    tree! { for u32: selector { near(5), |distance: &u32| *distance > 90 } }
}

#[subtree]
pub fn subtree(limit: u32) -> impl Node<u32> {
    tree! { invert { near(limit) } }
}
