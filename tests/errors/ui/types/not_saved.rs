// # States that cannot be saved
// A function that returns a tree declares `+ Save`. A boxed subtree that can be saved is a `BoxNode<Context, SaveMemory>`.
use std::sync::Arc;

use bt_core::prelude::*;

fn patrol() -> impl Node<u32> + Send + Sync {
    tree! { for u32: |n: &mut u32| *n += 1 }
}

fn boxed_patrol() -> impl Node<u32> + Save {
    tree! { sequence { boxed(tree! { for u32: |n: &mut u32| *n += 1 }) } }
}

fn main() {
    let tree = patrol();
    let _ = serde_json::to_string(&tree.saved(&tree.memory()));
    let _ = Brain::saving(&Arc::new(patrol()));
    let _ = boxed_patrol();
    let _ = Brain::new(&Arc::new(patrol())).saved();
}
