//! Carts of a warehouse, which move between processes while they run.
//!
//! `cargo run --bin bt-fleet -- warehouse --keeper` shows them. `cargo run --example carts -- server-1 --add 20` starts a process and adds carts, and
//! `cargo run --example carts -- server-2` starts another one, which gets half of them. Kill one: its carts continue at the other.

use bt_core::prelude::*;
use bt_fleet::{Config, Fleet, ShardConfig, Sharded};
use serde::{Deserialize, Serialize};

const TICK: Duration = millis(50);

/// The context of the tree.
#[derive(Serialize, Deserialize)]
struct Cart {
    now: Duration,
    /// How often it has driven to a shelf.
    trips: u32,
    is_loaded: bool,
}

impl Clock for Cart {
    fn now(&self) -> Duration {
        self.now
    }
}

fn is_loaded(cart: &Cart) -> bool {
    cart.is_loaded
}

fn load(cart: &mut Cart) {
    cart.is_loaded = true;
    cart.trips += 1;
}

fn unload(cart: &mut Cart) {
    cart.is_loaded = false;
}

fn cart() -> impl Node<Cart> + Save {
    tree! {
        selector {
            mem_sequence { is_loaded, wait(secs(3)) "drive to the dock", unload }
            mem_sequence { wait(secs(4)) "drive to the shelf", load }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let usage = "usage: carts NAME [--add NUMBER] [--connect ENDPOINT]";
    let mut arguments = std::env::args().skip(1);
    let mut config = Config::new("warehouse", &arguments.next().ok_or(usage)?);
    let mut added = 0;
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(usage)?;
        match option.as_str() {
            "--add" => added = value.parse()?,
            "--connect" => config = config.connect(&value),
            _ => return Err(usage.into()),
        }
    }
    let fleet = Fleet::join(config)?;
    let mut carts = Sharded::join(&fleet, ShardConfig::new("carts"), cart())?;
    for number in 1..=added {
        carts.add(&format!("cart {number}"), &Cart { now: Duration::ZERO, trips: 0, is_loaded: false })?;
    }
    loop {
        carts.tick_all(|cart| {
            cart.context.now = cart.now();
            cart.tick();
        });
        for event in carts.events() {
            println!("{event:?}");
        }
        std::thread::sleep(TICK);
    }
}
