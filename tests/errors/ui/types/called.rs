// # A function in place of a leaf, and a leaf in place of a function
// A plain function is a leaf by its name. Parameters need `#[action]` or `#[condition]`, and arguments.
use bt_core::prelude::*;

struct Npc;

fn status(_: u32) -> Status {
    Status::Running
}

fn walk(_: &mut Npc) -> Status {
    Status::Running
}

fn runs(_: &mut Npc, _speed: u32) -> Status {
    Status::Running
}

fn near(_: &Npc, _distance: f32) -> bool {
    true
}

#[action]
fn go(_: &mut Npc, _steps: u32) {}

fn main() {
    let _ = tree! { for Npc: sequence { status(3), runs, near, go(), vec![walk, walk], ([walk, walk]) } };
}
