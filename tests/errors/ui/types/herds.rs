// # Herds and memories in a struct
// The type of a tree has no name. A struct that contains a herd or a memory has a type parameter for the tree, or contains a boxed tree.
use bt_core::prelude::*;

struct Npc;

struct Game {
    herd: Herd<Npc>,
}

struct Agent {
    memory: Memory<Npc>,
}

fn idle(_: &mut Npc) {}

fn main() {
    let mut herd = Herd::new(tree! { for Npc: idle });
    herd.par_tick_all(&mut [Npc]);
}
