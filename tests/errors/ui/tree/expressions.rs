// # Rust where a node is expected
// A condition is a node. A loop is a decorator, and several nodes of a container are spread by `..`.
use bt_core::prelude::*;

struct Npc {
    hp: i32,
}

fn near(_: &Npc) -> bool {
    true
}

fn walk(_: &mut Npc) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for Npc: selector { if npc.hp < 3 { walk } else { walk }, walk } };
    let _ = tree! { for Npc: selector { if near() == true { walk }, if npc.hp > 3 && near { walk }, walk } };
    let _ = tree! { for Npc: loop { walk } };
    let _ = tree! { for Npc: selector { while near { walk }, for _ in 0..3 { walk } } };
}
