// # What can never happen in a file
// Each mistake is reported with its node. A node allows it with the property `allow`.

use bt_core::prelude::*;
use bt_core::tree_from_json;

struct Guard;

fn attack(_: &mut Guard) -> Status { Status::Running }

fn main() {
    let tree = tree_from_json!("never.json", for Guard: attack);
    tree.tick(&mut Guard, &mut tree.memory());
}
