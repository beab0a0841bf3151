// # `#[subtree]`
// It stands on a function that returns `impl Node<Context>` and takes no arguments.
use bt_core::prelude::*;

#[subtree]
fn returns_nothing() {}

#[subtree]
fn returns_a_box() -> BoxNode<()> {
    boxed(tree! { for (): succeed })
}

#[subtree(name = "x")]
fn arguments() -> impl Node<()> {
    tree! { succeed }
}

#[subtree]
struct NotAFunction;

fn main() {
    returns_nothing();
    let _ = returns_a_box();
}
