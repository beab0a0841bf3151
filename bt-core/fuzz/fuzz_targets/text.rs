//! Whatever a text says: it is loaded, or each error has a place in it. What is loaded is written, and is again the same.
//!
//! `cargo fuzz run text -- -max_total_time=600`, in `bt-core`; where there is only the stable compiler, with `RUSTC_BOOTSTRAP=1`.

#![no_main]

use bt_core::prelude::*;
use bt_dynamic::{LoadError, Registry};
use libfuzzer_sys::fuzz_target;

struct World {
    board: Board,
}

impl Clock for World {
    fn now(&self) -> Duration {
        secs(1)
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
fn near(_: &World, meters: f32) -> bool {
    meters > 1.0
}

#[action]
fn attack(_: &mut World, #[input] strength: u32, times: &Vec<u8>) -> Status {
    if u64::from(strength) > times.len() as u64 { Status::Running } else { Status::Failure }
}

fuzz_target!(|text: &[u8]| {
    let Ok(text) = core::str::from_utf8(text) else { return };
    let mut registry = Registry::<World>::new().with_clock().with_board::<Board>();
    registry.add::<near>("near").add::<attack>("attack").add_leaf("near2", |_: &World| true);
    match registry.load_tree(text) {
        Err(LoadError::Invalid(errors)) => {
            let lines = text.split('\n').count() as u32;
            for place in errors.iter().filter_map(|error| error.place) {
                assert!(place.line <= lines.max(1) && place.column > 0, "{place}");
            }
        }
        Err(error) => panic!("{error}"),
        Ok(tree) => {
            let names = registry.names();
            let written = registry.read_tree(text).expect("it was just loaded").to_text(&names);
            let Ok(written) = written else { return };
            let again = registry.load_tree(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert_eq!(again.description().to_string(), tree.description().to_string(), "{written}");
        }
    }
});
