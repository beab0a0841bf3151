// # A child after a visibly constant condition
// The type of `|_: &()| true` does not show that it always succeeds, but the macro detects it.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { |_: &()| true, run } };
    let _ = tree! { for (): sequence { !|_: &()| true, run } };
}
