// # A `service` action that can return `Running`
// Put an action that takes time in a `parallel`.
use bt_core::prelude::*;

struct Npc;

fn near(_: &Npc) -> bool {
    true
}

// Always succeeds.
fn dream(_: &mut Npc) {}

fn attack(_: &mut Npc) -> Status {
    Status::Running
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        secs(0)
    }
}

fn main() {
    let _ = tree! { for Npc: service(secs(1), attack) { run } };
}
