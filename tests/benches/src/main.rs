//! The benchmarks: see the library, which the tests use, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    bt_benches::run_command()
}
