// # Operators and brackets
// Nodes are combined by composites, not by `&&` and `||`. Children are in braces or angle brackets.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! { for (): sequence { near && near, run } };
    let _ = tree! { for (): sequence { near || near } };
    let _ = tree! { for (): sequence { near and near, run } };
    let _ = tree! { for (): sequence { not near, run } };
    let _ = tree! { for (): selector [near, run] };
}
