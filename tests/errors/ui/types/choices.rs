// # Invalid functions, patterns and scores
// `match` needs a function of the context, and patterns for all of its values. A score is a number, or a function of the context that returns a number.
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

struct Other;

fn mood(npc: &Npc) -> Mood {
    npc.mood
}

fn name(_: &Npc) -> &'static str {
    "ann"
}

fn rest(_: &mut Npc) {}

fn of_another(_: &Other) -> f32 {
    0.0
}

fn main() {
    let _ = tree! { for Npc: match |npc: &Npc| npc.mood { Mood::Calm => rest, Mood::Hungry | Mood::Angri => rest, _ => rest } };
    let _ = tree! { for Npc: match of_another { _ => rest } };
    let _ = tree! { for Npc: match mood { 3 => rest, _ => rest } };
    let _ = tree! { for Npc: utility_selector { name => rest, 1.0 => rest } };
    let _ = tree! { for Npc: utility_selector { of_another => rest, 1.0 => rest } };
    let _ = tree! { for Npc: utility_selector(keep = 1) { 2.0 => rest, "high" => rest } };
}
