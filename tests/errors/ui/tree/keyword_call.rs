// # A keyword that is called
// The children of a keyword are in braces. A function of your own with the name of a keyword is called by its path.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn walk(_: &mut ()) -> Status {
    Status::Running
}

#[action]
fn repeat(_: &mut (), _times: u32) {}

fn main() {
    let _ = tree! { for (): selector(near, walk) };
    let _ = tree! { for (): sequence { invert(near), retry(3, walk), timeout(secs(1)), self::repeat(3) } };
}
