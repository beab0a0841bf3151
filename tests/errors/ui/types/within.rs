// # Parts of the context
// `within` takes a function that returns a part of the context by exclusive reference. The nodes in the braces are over the part.
use bt_core::prelude::*;

struct Weapon;
struct Soldier {
    weapon: Weapon,
}

fn empty(_: &Weapon) -> bool {
    true
}
fn calm(_: &Soldier) -> bool {
    true
}

fn main() {
    let _ = tree! { for Soldier: sequence { calm, empty } };
    let _ = tree! { for Soldier: within(|soldier: &mut Soldier| &mut soldier.weapon) { sequence { empty, calm } } };
    let _ = tree! { for Soldier: within(|soldier: &mut Soldier| &soldier.weapon) { empty } };
    let _ = tree! { for Soldier: within { empty } };
    let _ = tree! { for Soldier: within(|soldier: &mut Soldier| &mut soldier.weapon) "weapon" { empty } };
    let _ = tree! { for Soldier: within(|soldier: &mut Soldier| &mut soldier.weapon) { empty, empty } };
}
