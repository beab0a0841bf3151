//! Exploring all runs of trees: how fast, and how it grows with the choices in a tick.

use std::fmt::Write;
use std::time::Instant;

use bt_core::prelude::*;
use bt_explore::{Exploration, explore, flip};

use house::{door_moves, robot, start};

/// The model that the tests of bt-explore have.
#[path = "../../../crates/explore/tests/explore/house.rs"]
mod house;

fn of_robot(has_properties: bool) -> Exploration {
    let explorer = explore(robot(), start()).environment(door_moves);
    if !has_properties {
        return explorer.run();
    }
    explorer
        .never("drives with the door open", |tick| tick.ctx.driving && tick.ctx.door_open)
        .sometimes("delivers", |tick| tick.returned("parallel", Status::Success))
        .always_possible("can deliver", |tick| tick.returned("parallel", Status::Success))
        .run()
}

/// The checks of a list, and the backups that run if they fail.
#[derive(Clone, Default, Hash)]
struct Checklist {
    failed: u32,
    backups: u32,
}

fn safety_check(list: &mut Checklist) -> bool {
    let is_safe = flip("");
    list.failed += u32::from(!is_safe);
    is_safe
}

fn backup(list: &mut Checklist) {
    list.backups += 1;
}

fn of_checklist(pairs: usize) -> Exploration {
    let pair = || tree! { for Checklist: selector { safety_check, backup } };
    let pairs: Vec<_> = (0..pairs).map(|_| pair()).collect();
    explore(tree! { for Checklist: sequence { ..pairs } }, Checklist::default())
        .always("each failed check has its backup", |tick| tick.ctx.failed == tick.ctx.backups)
        .normalize(|list| *list = Checklist::default())
        .run()
}

/// Writes the table.
pub fn table() -> String {
    let mut table = String::from(
        "| tree | states | transitions | million transitions per second | bytes per state |\n|-|-|-|-|-|\n",
    );
    for (name, has_properties) in [("robot, 38 nodes", false), ("the same with 3 properties", true)] {
        row(&mut table, name, &|| of_robot(has_properties));
    }
    for pairs in [4, 8, 12, 16, 20] {
        row(&mut table, &format!("checklist of {pairs} pairs"), &|| of_checklist(pairs));
    }
    table
}

fn row(table: &mut String, name: &str, explore: &dyn Fn() -> Exploration) {
    const ROUNDS: u32 = 5;
    let (mut best, mut found) = (f64::INFINITY, None);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let exploration = explore();
        best = best.min(began.elapsed().as_secs_f64());
        assert!(exploration.holds(), "{exploration}");
        found = Some(exploration);
    }
    let Some(found) = found else { return };
    #[expect(clippy::cast_precision_loss, reason = "it is far below 2^53")]
    let rate = found.transitions() as f64 / best / 1e6;
    let (states, transitions, bytes) = (found.states(), found.transitions(), found.bytes_per_state());
    let _ = writeln!(table, "| {name} | {states} | {transitions} | {rate:.2} | {bytes} |");
}
