// # A node that the condition of `if` never selects
// The type of the condition determines its statuses. Change the condition, or remove the node.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn note(_: &mut ()) {}

fn main() {
    let _ = tree! { for (): if note { run } else { succeed } };
    let _ = tree! { for (): if !note { run } else { succeed } };
    let _ = tree! { for (): selector { if near || note { run } else if near { succeed } } };
    let _ = tree! { for (): if note { run } else { #[allow(unreachable)] succeed } };
}
