// # Unreachable and ineffective nodes in a file
// Each mistake is reported with its node. The property `allow` of the node allows the mistake.

use bt_core::prelude::*;
use bt_core::tree_from_json;

struct Guard;

fn attack(_: &mut Guard) -> Status { Status::Running }

fn main() {
    let tree = tree_from_json!("never.json", for Guard: attack);
    tree.tick(&mut Guard, &mut tree.memory());
}
