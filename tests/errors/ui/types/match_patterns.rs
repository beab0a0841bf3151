// # Patterns that are missing, or never match
// The compiler checks the patterns of a `match` as it checks those of a Rust `match`.
#![deny(unreachable_patterns)]
use bt_core::prelude::*;

#[derive(Clone, Copy)]
enum Mood {
    Calm,
    Hungry,
    Angry,
}

struct Npc {
    mood: Mood,
}

fn mood(npc: &Npc) -> Mood {
    npc.mood
}

fn rest(_: &mut Npc) {}

fn main() {
    let _ = tree! { for Npc: match mood { Mood::Calm => rest, Mood::Angry => rest } };
    let _ = tree! { for Npc: mem_match |npc: &Npc| npc.mood { Mood::Calm => rest, Mood::Hungry => rest } };
    let _ = tree! { for Npc: match mood { Mood::Calm => rest, _ => rest, Mood::Hungry => rest } };
}
