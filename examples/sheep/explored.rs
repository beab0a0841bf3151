//! All runs of a sheep, whatever the dog, the predator and the flock do.

use bt_explore::{FreeContext, explore, free_tree};

use crate::tree::sheep;

#[test]
fn no_state_is_a_trap() {
    let tree = match free_tree(&sheep()) {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    };
    let mut exploration = explore(tree, FreeContext::default()).without_errors();
    for state in ["idle", "obey", "stopping", "fear"] {
        exploration = exploration.always_possible(state, move |tick| tick.state("sheep") == Some(state));
    }
    let exploration = exploration
        .never("flees without a predator", |tick| {
            tick.state("sheep") == Some("fear") && tick.opened("fear") && !tick.opened("run_away")
        })
        .check();
    assert!(exploration.unseen().transitions.is_empty(), "each transition is taken: {exploration}");
}
