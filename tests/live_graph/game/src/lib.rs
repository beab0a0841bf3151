//! A game that has trees through its engine.

use engine::bt::{Node, subtree};

pub fn tree() -> impl Node<u32> {
    engine::bt::tree! { for u32: selector { engine::near(5), |distance: &u32| *distance > 90 } }
}

#[subtree(crate = engine::bt)]
pub fn subtree(limit: u32) -> impl Node<u32> {
    engine::bt::tree! { invert { engine::near(limit) } }
}

pub fn generated() -> impl Node<u32> {
    engine::far!(5)
}
