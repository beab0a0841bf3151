//! All runs of a robot, whatever its motors, the warehouse and the operator do.

use bt_core::prelude::*;
use bt_explore::{FreeContext, explore, free_tree};

use crate::tree::robot;

#[test]
fn the_stop_button_always_wins_within_a_tick() {
    let tree = match free_tree(&robot()) {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    };
    let moves = ["drive", "give_way", "grasp", "charge"];
    let exploration = explore(tree, FreeContext::default())
        .clock([secs(45)], |free| &mut free.now)
        .responds(
            "all motors stand",
            |tick| tick.returned("stopped", Status::Success) && tick.returned("stand", Status::Running),
            move |tick| tick.is_running("stand") && !moves.iter().any(|leaf| tick.is_running(leaf)),
            0,
        )
        .never("works while it is stopped", |tick| {
            tick.returned("stopped", Status::Success)
                && tick.returned("stand", Status::Running)
                && tick.visits("work") > 0
        })
        .sometimes("stops a drive", |tick| tick.halted("drive") && tick.is_running("stand"))
        .sometimes("stops a grasp", |tick| tick.halted("grasp") && tick.is_running("stand"))
        .always_possible("delivers", |tick| tick.returned("hand_over", Status::Success))
        .check();
    assert!(exploration.unseen().nodes.is_empty(), "{exploration}");
}
