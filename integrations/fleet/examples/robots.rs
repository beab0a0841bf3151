//! A robot with a few carts, in the fleet `warehouse`.
//!
//! `cargo run --example robots -- robot-1 [ENDPOINT]` joins the fleet with this name, at `tcp/127.0.0.1:7447` or another endpoint. `cargo run --bin bt-fleet -- warehouse --edit`
//! shows all of them, and lets its page edit their tree.

use bt_core::prelude::*;
use bt_dynamic::{Editable, LiveTree, Registry};
use bt_fleet::{Config, Fleet};
use bt_inspector::Document;
use serde::Serialize;

const TICK: Duration = millis(100);
/// The tree, as long as no page has changed it.
const CART: &str = "\
selector {
    mem_sequence { is_low, to_dock, charge }
    mem_sequence { is_empty, to_shelf, load }
    mem_sequence { to_dock, unload }
}
";

/// The context of the tree.
#[derive(Serialize)]
struct Cart {
    position: u32,
    load: u32,
    battery: u32,
    /// How far the shelf is.
    shelf: u32,
}

fn is_low(cart: &Cart) -> bool {
    cart.battery < 20
}

fn is_empty(cart: &Cart) -> bool {
    cart.load == 0
}

/// Moves by one step, towards a position.
fn drive(cart: &mut Cart, to: u32) -> Status {
    if cart.position == to {
        return Status::Success;
    }
    cart.position = if cart.position < to { cart.position + 1 } else { cart.position - 1 };
    cart.battery = cart.battery.saturating_sub(1);
    Status::Running
}

fn to_shelf(cart: &mut Cart) -> Status {
    drive(cart, cart.shelf)
}

fn to_dock(cart: &mut Cart) -> Status {
    drive(cart, 0)
}

fn charge(cart: &mut Cart) -> Status {
    cart.battery = (cart.battery + 5).min(100);
    if cart.battery == 100 { Status::Success } else { Status::Running }
}

fn load(cart: &mut Cart) -> Status {
    cart.load += 1;
    if cart.load == 5 { Status::Success } else { Status::Running }
}

fn unload(cart: &mut Cart) {
    cart.load = 0;
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("usage: robots NAME [ENDPOINT]")?;
    let mut config = Config::new("warehouse", &name);
    if let Some(endpoint) = arguments.next() {
        config = config.connect(&endpoint);
    }
    let fleet = Fleet::join(config)?;
    let mut registry = Registry::<Cart>::new();
    registry
        .add_leaf("is_low", is_low)
        .add_leaf("is_empty", is_empty)
        .add_leaf("load", load)
        .add_leaf("unload", unload);
    registry.add_leaf("to_shelf", to_shelf).add_leaf("to_dock", to_dock).add_leaf("charge", charge);
    let tree = LiveTree::new();
    let editable = Editable::new(tree.clone(), registry);
    editable.apply(CART)?;
    let key = fleet.inspector().tree("cart", &tree);
    fleet.inspector().allow_edit();
    fleet.inspector().edit(Document::text("cart.bt", CART).target(editable).of(&key))?;
    let mut carts: Vec<_> = (1..=3)
        .map(|number| {
            let watched = fleet.inspector().agent(key.clone(), format!("cart {number}"));
            (Cart { position: 0, load: 0, battery: 100 - number * 20, shelf: 5 * number }, tree.memory(), watched)
        })
        .collect();
    let mut now = Duration::ZERO;
    loop {
        for (cart, memory, watched) in &mut carts {
            // A cart that a page has paused does not stop the others.
            if !watched.is_held() {
                tree.tick_with(cart, memory, &mut watched.at(now));
            }
            watched.show(|| &*cart);
        }
        now += TICK;
        std::thread::sleep(TICK);
    }
}
