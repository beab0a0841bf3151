// # A condition of `if` that can return `Running`
// `if` ticks its condition every tick. Use a `fn(&Context) -> bool`.
use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! { for (): if near && walk { run } else { succeed } };
    let _ = tree! { for (): mem_if walk { run } };
}
