//! Says which trees are live, and what each returns.

use std::any::type_name_of_val;

use bt_core::prelude::*;

#[condition]
fn near(distance: &u32, limit: u32) -> bool {
    *distance < limit
}

#[subtree]
fn subtree(limit: u32) -> impl Node<u32> {
    tree! { invert { near(limit) } }
}

fn show(name: &str, tree: &impl Node<u32>) {
    let kind = if type_name_of_val(tree).contains("compiled::node::Live<") { "live" } else { "static" };
    let statuses = [3, 50, 95].map(|mut distance| tree.tick(&mut distance, &mut tree.memory()));
    println!("{name}: {kind} {statuses:?}");
}

fn main() {
    show("program", &tree! { for u32: selector { near(5), |distance: &u32| *distance > 90 } });
    show("program subtree", &subtree(5));
    show(
        "program engine",
        &engine::bt::tree! { for u32: selector { engine::near(5), |distance: &u32| *distance > 90 } },
    );
    show("program generated", &engine::far!(5));
    show("plain", &plain::tree());
    show("plain subtree", &plain::subtree(5));
    show("game", &game::tree());
    show("game subtree", &game::subtree(5));
    show("game generated", &game::generated());
    show("renamed", &renamed::tree());
    show("renamed subtree", &renamed::subtree(5));
    show("bare", &bare::tree());
    show("bare subtree", &bare::subtree(5));
}
