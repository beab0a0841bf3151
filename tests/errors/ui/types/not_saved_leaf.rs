// # A leaf whose state cannot be saved
// In a `#[subtree]` function, the leaf is reported. Its state needs `#[derive(Serialize, Deserialize)]`.
use bt_core::prelude::*;

struct Npc;

#[derive(Default, Clone)]
struct Path;

#[action]
fn walk(_: &mut Npc, #[open] _path: &mut Path) -> Status {
    Status::Running
}

#[action]
fn fly(_: &mut Npc, _height: u32, #[kept] _path: &mut Path) -> Status {
    Status::Running
}

#[subtree]
fn swim() -> impl Node<Npc> {
    tree! { run }
}

#[subtree]
fn dive() -> impl Node<Npc> + Save {
    tree! { run }
}

#[subtree]
fn npc() -> impl Node<Npc> + Save {
    tree! { selector { run, invert { walk }, sequence { dive, mem_sequence { fly(3), swim } } } }
}

fn main() {
    npc();
}
