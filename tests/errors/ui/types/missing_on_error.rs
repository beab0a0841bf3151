// # A context that does not handle errors
// A leaf that returns a `Result` passes its errors to the context. Implement `OnError` for it.
use bt_core::prelude::*;

struct Robot;
struct Jammed;

fn grip(_: &mut Robot) -> Result<bool, Jammed> {
    Err(Jammed)
}

#[subtree]
fn robot() -> impl Node<Robot> {
    tree! { sequence { grip } }
}

fn main() {
    robot();
}
