//! Attributes before each part of a transition's condition.
use bt_core::prelude::*;

fn yes(_: &mut ()) {}

fn near(_: &()) -> bool {
    true
}

pub(crate) fn main() {
    let tree = tree! {
        for (): machine {
            state a { run, yes || #[allow(unreachable)] near -> b }
            state b { run, #[allow(unreachable)] (near && (yes || #[expect(unreachable)] near)) -> c }
            state c { run, !(fail && #[expect(unreachable)] near) -> a }
        }
    };
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut (), &mut memory), Status::Running);
    assert_eq!(tree.state(&memory), Some("b"));
}
