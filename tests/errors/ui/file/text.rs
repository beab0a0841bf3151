// # Texts
// Errors in a text have its line and column. The names of parameters are in the macro, if arguments have none.

use bt_core::prelude::*;
use bt_core::tree_from_file;

struct Guard;

#[condition]
fn near(_: &Guard, meters: f32) -> bool { meters > 0.0 }
fn attack(_: &mut Guard) -> Status { Status::Running }

fn guard() -> impl Node<Guard> {
    tree_from_file!("text.bt", for Guard: near, attack)
}

fn main() {
    guard().tick(&mut Guard, &mut guard().memory());
}
