// # A tuple instead of a node
// Parentheses contain one expression. Put several nodes in a composite.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { (succeed, fail), !(run,) } };
}
