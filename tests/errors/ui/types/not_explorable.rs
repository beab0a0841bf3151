//! A context that borrows cannot be copied or hashed, so it is explored by another way.

use bt_core::prelude::*;
use bt_explore::explore;

struct Town {
    tables: u32,
}

struct Guest<'w> {
    town: &'w mut Town,
}

fn table_free(guest: &Guest<'_>) -> bool {
    guest.town.tables > 0
}

fn sit(guest: &mut Guest<'_>) {
    guest.town.tables -= 1;
}

#[subtree]
fn guest() -> impl Node<Guest<'_>> + Save {
    tree! { sequence { table_free, sit } }
}

fn main() {
    let mut town = Town { tables: 3 };
    let ann = Guest { town: &mut town };
    explore(&guest(), ann).never("sits on the floor", |tick| tick.visits("sit") > 3).check();
}
