// # A subtree that contains itself
// Its type would be infinite. Box the subtree.
use bt_core::prelude::*;

#[subtree]
fn patrol(depth: u32) -> impl Node<()> {
    tree! { selector { fail, patrol(depth + 1) } }
}

fn main() {
    patrol(0);
}
