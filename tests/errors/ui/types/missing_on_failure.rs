// # A context that does not receive reasons of failures
// An `#[action(fails)]` passes the reason of its failure to the context. Implement `OnFailure` for it.
use bt_core::prelude::*;

struct Robot;

#[action(fails)]
fn grip(_: &mut Robot) -> Result<(), &'static str> {
    Err("jammed")
}

#[subtree]
fn robot() -> impl Node<Robot> {
    tree! { sequence { grip } }
}

fn main() {
    robot();
}
