// # Exploring a context that borrows
// `explore` copies and hashes the context. A context that borrows can do neither: `free_tree` and `model_tree` explore without it.
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
