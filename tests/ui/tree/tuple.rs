// # A tuple in the place of a node
// Parentheses hold one expression; a composite holds several nodes.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { (succeed, fail), !(run,) } };
}
