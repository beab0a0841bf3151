// # A child behind one that visibly always stops the flow
// The types do not know it: `|_: &()| true` is a condition like any other. But it can be seen.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { |_: &()| true, run } };
    let _ = tree! { for (): sequence { !|_: &()| true, run } };
}
