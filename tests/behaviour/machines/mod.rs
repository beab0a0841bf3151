//! Finite state machines.

mod anywhere;
mod at_once;
mod drawn;
mod forced;
mod loaded;
mod memory;
mod outcomes;
mod transitions;

use bt_core::Status::Running;
use bt_core::prelude::*;
use bt_tests::world::{World, check, told};

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

/// A machine of more states than the longest tuple. Each goes to the next when its leaf succeeds.
#[subtree]
fn ten_states() -> impl StateMachine<World> {
    tree! {
        machine {
            state a { told(0), success -> b }
            state b { told(1), success -> c }
            state c { told(2), success -> d }
            state d { told(3), success -> e }
            state e { told(4), success -> f }
            state f { told(5), success -> g }
            state g { told(6), success -> h }
            state h { told(7), success -> i }
            state i { told(8), success -> j }
            state j { told(9), success -> success }
        }
    }
}
