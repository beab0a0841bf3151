// # Children in containers
// `..` puts an `Option`, an array or a `Vec` of nodes into a list of children. All nodes of a container have one type.
use bt_core::prelude::*;

struct Npc;

fn eat(_: &mut Npc) {}
fn far(_: &u32) -> bool {
    true
}

fn main() {
    let _ = tree! { for Npc: sequence { vec![eat, eat] } };
    let _ = tree! { for Npc: sequence { ..(0..3).map(|_| eat) } };
    let _ = tree! { for Npc: sequence { ..[far] } };
    let _ = tree! { for Npc: sequence { ..eat } };
    let _ = tree! { for Npc: invert { ..Some(eat) } };
    let _ = tree! { for Npc: sequence { for i in 0..3 { eat } } };
    let _ = tree! { for Npc: sequence { if true { eat } else { eat } } };
}
