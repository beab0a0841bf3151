//! Whatever a file says: it is loaded, or it is told what is wrong. What is loaded can be ticked, described, written, and is again the same.
//!
//! `cargo fuzz run load -- -max_total_time=600`, in `bt-core`; where there is only the stable compiler, with `RUSTC_BOOTSTRAP=1`.

#![no_main]

use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_dynamic::Registry;
use libfuzzer_sys::fuzz_target;

struct World {
    now: Duration,
    board: Board,
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.now
    }
}

impl HasBoard for World {
    fn board(&self) -> &Board {
        &self.board
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

#[condition]
fn near(world: &World, metres: f32) -> bool {
    world.now.as_secs_f32() < metres
}

#[action]
fn attack(_: &mut World, #[input] strength: u32, times: &Vec<u8>) -> Status {
    if u64::from(strength) > times.len() as u64 { Status::Running } else { Status::Failure }
}

fuzz_target!(|text: &[u8]| {
    let Ok(text) = core::str::from_utf8(text) else { return };
    let mut registry = Registry::<World>::new().with_clock();
    registry
        .add::<near>("near")
        .add::<attack>("attack")
        .add_leaf("near2", |world: &World| world.now.subsec_millis() > 500);
    match registry.load(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(tree) => {
            let mut world = World { now: secs(1), board: Board::new() };
            let (mut memory, mut statuses) = (tree.memory(), Statuses::default());
            // Bounded loops go on within a tick: nested, they multiply.
            let times = |node: &bt_core::describe::Described| {
                node.params.iter().find(|param| param.name == "times").and_then(|times| times.value.parse::<u32>().ok())
            };
            let description = tree.description();
            if description.nodes().iter().filter_map(times).all(|times| times < 3) && description.nodes().len() < 100 {
                for _ in 0..3 {
                    world.now += millis(300);
                    tree.tick_with(&mut world, &mut memory, &mut statuses);
                }
                tree.halt(&mut world, &mut memory);
            }
            let _ = description.draw().with(&statuses).svg();
            let file = bt_dynamic::to_behavior3(&description, "again");
            let again = file.check(None, &registry.names());
            assert!(again.is_ok(), "{again:?}");
        }
    }
});
