// # A leaf without its arguments, some of which have defaults
// `name::with_defaults(…)` takes the arguments that have no default. If all have one, `name` alone is the leaf.
use bt_core::prelude::*;

struct Npc;

#[action]
fn go(_: &mut Npc, _steps: u32, #[param(default = 3)] _speed: u32) {}

fn main() {
    let _ = tree! { for Npc: go };
}
