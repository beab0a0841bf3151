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
