// # Invalid structure
// Missing children, and missing or unknown properties of words.

use bt_core::prelude::*;
use bt_core::tree_from_json;

struct Guard;

#[condition]
fn near(_: &Guard, meters: f32, side: u8) -> bool { meters > 0.0 && side > 0 }
fn attack(_: &mut Guard) -> Status { Status::Running }

fn guard() -> impl Node<Guard> {
    tree_from_json!("structure.json", for Guard: Attack => attack)
}

fn main() {
    guard().tick(&mut Guard, &mut guard().memory());
}
