// # Trait objects as contexts
// A plain function over a trait object takes `&(dyn Trait + 'static)`. `#[condition]` and `#[action]` functions take `&dyn Trait`.
use bt_core::prelude::*;

trait Actor {
    fn alive(&self) -> bool;
}

fn alive(actor: &dyn Actor) -> bool {
    actor.alive()
}

#[condition]
fn strong(actor: &dyn Actor, by: u32) -> bool {
    by > 3 && actor.alive()
}

fn main() {
    let _ = tree! { for dyn Actor: sequence { alive, strong(3) } };
}
