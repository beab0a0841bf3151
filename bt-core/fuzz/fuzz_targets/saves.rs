//! Whatever somebody takes for a save of a tree or a herd, for a recording, or for a changed file: an error, or something that goes on.
//!
//! `cargo fuzz run saves -- -max_total_time=600`, in `bt-core`; where there is only the stable compiler, with `RUSTC_BOOTSTRAP=1`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| bt_tests::hostile::any(input));
