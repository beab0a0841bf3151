// # Arguments in a text
// The types of parameters are those of the functions. The error for a mismatched argument contains its line and column.

use bt_core::prelude::*;
use bt_core::tree_from_file;

struct Guard;

#[condition]
fn near(_: &Guard, meters: f32) -> bool { meters > 0.0 }

fn guard() -> impl Node<Guard> {
    tree_from_file!("text_argument.bt", for Guard: near(meters))
}

fn main() {
    guard().tick(&mut Guard, &mut guard().memory());
}
