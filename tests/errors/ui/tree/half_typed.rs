// # A half-typed tree
// Imports that only the code beside an error needs do not count as unused.
#![warn(unused_imports)]

use bt_core::prelude::*;

mod leaves {
    pub const LIMIT: u32 = 3;

    pub fn near(_: &()) -> bool {
        true
    }

    pub fn far(_: &()) -> bool {
        true
    }

    pub fn flee(_: &mut ()) -> bool {
        true
    }

    pub fn closer(_: u32) -> impl Fn(&()) -> bool {
        |_: &()| true
    }
}

use leaves::{LIMIT, closer, far, flee, near};

fn main() {
    let _ = tree! { for (): machine { state idle { run, near -> nowhere } } };
    let _ = tree! { for (): selector { if far } };
    let _ = tree! { for (): selector { run, retry(3) flee } };
    let _ = tree! { for (): selector { force_success(closer(LIMIT)) } };
}
