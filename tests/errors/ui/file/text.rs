// # Texts
// Errors in a text have line and column. The macro names the parameters if the arguments have no names.

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
