//! The machine of the text.

use bt_core::prelude::*;

use crate::flock::Sheep;
use crate::leaves::{flock, graze, herded, predator_near, run_away, slow_down};

/// One machine for all sheep.
///
/// As a pure tree this would be `selector { sequence { predator_near, run_away } sequence { herded, flock(1.0) } graze }`: shorter, and every tick
/// asks what is most important. But it has no place for `stopping`, which depends on what a sheep did *before*; that is what a machine is for.
#[subtree]
pub(crate) fn sheep() -> impl StateMachine<Sheep<'_>> {
    tree! {
        machine "sheep" {
            state idle     { graze,      herded -> obey, predator_near -> fear }
            state obey     { flock(1.0), !herded -> stopping, predator_near -> fear }
            state stopping { slow_down,  success -> idle, herded -> obey, predator_near -> fear }
            state fear     { run_away,   !predator_near -> idle }
        }
    }
}
