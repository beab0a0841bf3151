// # A return type that is not that of a leaf
// A function of `&Context` returns `bool`. A function of `&mut Context` returns one of the types that an action can return.
use bt_core::prelude::*;

struct Npc;

fn finds(_: &mut Npc) -> Option<u32> {
    None
}

fn tries(_: &mut Npc) -> Result<u32, String> {
    Ok(3)
}

fn names(_: &mut Npc) -> String {
    String::new()
}

fn walks(_: &Npc) -> Status {
    Status::Running
}

fn looks(_: &Npc) -> Option<bool> {
    None
}

fn main() {
    let _ = tree! { for Npc: sequence { finds, tries, names, walks, looks, |_: &Npc| 3 } };
}
