//! Outcomes of actions: ignored, or different from what the leaf declares.

use bt_core::Outcomes;
use bt_core::Status::Running;
use bt_core::prelude::*;

use super::{Npc, flag, stay, ticked};

/// A leaf that lies about what it gives.
struct Liar;

#[leaf]
impl Leaf<Npc> for Liar {
    const RETURNS: Outcomes = Outcomes::SUCCESS;

    fn open(&self, npc: &mut Npc) {
        npc.log.push("opened");
    }

    fn tick(&self, (): &mut (), _: &mut Npc) -> Status {
        Running
    }

    fn close(&self, (): &mut (), npc: &mut Npc, _: End) {
        npc.log.push("closed");
    }
}

#[test]
#[cfg_attr(
    debug_assertions,
    should_panic(expected = "the leaf `Liar` returned Running, but its `const RETURNS` allows Success")
)]
fn a_leaf_that_gives_what_it_says_it_cannot_is_named_and_without_debug_assertions_closed() {
    let tree = tree! { for Npc: service(secs(1), (Liar)) { run } };
    let mut npc = Npc::default();
    tree.tick(&mut npc, &mut tree.memory());
    assert_eq!(npc.log, ["opened", "closed"]);
}

#[test]
fn an_action_of_a_service_that_fails_does_not_matter() {
    let tree = tree! { for Npc: service(secs(1), flag) { stay("child") } };
    assert_eq!(ticked(&tree, &[false, false]), ["child"]);
}
