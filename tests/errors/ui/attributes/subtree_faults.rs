// # `#[subtree]`
// The attribute takes no arguments. Its function must return `impl Node<Context>`.
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
