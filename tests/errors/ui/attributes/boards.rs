// # Blackboards
// The type of a key determines the type of its values.
use bt_core::board::{is_set, set};
use bt_core::prelude::*;

const HUNGER: Key<u32> = Key::new("hunger");

struct Npc;

#[derive(Blackboard)]
enum NotAStruct {}

#[derive(Blackboard)]
struct Mind {
    #[board(defualt = 3)]
    hunger: u32,
}

#[action]
fn eat(_: &mut Npc, #[output] _bites: &mut u32) {}

#[action]
fn drink(_: &mut Npc, #[param(defualt = 3)] _sips: u32) {}

fn main() {
    Board::new().set(&HUNGER, "very");
    let _ = tree! { for Board: set(HUNGER, "very") };
    let _ = tree! { for Npc: is_set(HUNGER) };
}
