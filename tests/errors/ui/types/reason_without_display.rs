// # A reason that cannot be shown
// Observers show the reason of a failure. Implement `Display` for it.
use bt_core::OnFailure;
use bt_core::prelude::*;

struct Robot;
struct Jammed;

impl OnFailure<Jammed> for Robot {}

#[action(fails)]
fn grip(_: &mut Robot) -> Result<(), Jammed> {
    Err(Jammed)
}

#[subtree]
fn robot() -> impl Node<Robot> {
    tree! { sequence { grip } }
}

fn main() {
    robot();
}
