//! Finite state machines.

mod anywhere;
mod drawn;
mod forced;
mod loaded;
mod memory;
mod outcomes;
mod transitions;

use bt_core::Status::Running;
use bt_core::prelude::*;
use bt_tests::world::{World, check};

/// The machine of the text, over plain leaves.
fn sheep() -> impl StateMachine<World> + Save {
    fn go(_: &mut World) -> Status {
        Running
    }
    tree! {
        for World: machine "sheep" {
            state idle { go, check(1) -> obey, check(2) -> fear }
            state obey { go, !check(1) -> stopping, check(2) -> fear }
            state stopping { go, success -> idle, check(1) -> obey }
            state fear { go, !check(2) -> idle }
        }
    }
}
