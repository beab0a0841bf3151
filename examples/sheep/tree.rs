//! The state machine of the article.

use bt_core::prelude::*;

use crate::flock::Sheep;
use crate::leaves::{flock, graze, herded, predator_near, run_away, slow_down};

/// The state machine of all sheep.
///
/// As a pure tree, it would be `selector { sequence { predator_near, run_away } sequence { herded, flock(1.0) } graze }`: shorter, and priorities are
/// evaluated every tick. But such a tree cannot express `stopping`, which depends on the *previous* behavior. That is the purpose of a state machine.
#[subtree]
pub(crate) fn sheep() -> impl StateMachine<Sheep<'_>> {
    tree! {
        machine "sheep" {
            state idle { graze, herded -> obey, predator_near -> fear }
            state obey { flock(1.0), !herded -> stopping, predator_near -> fear }
            state stopping { slow_down, success -> idle, herded -> obey, predator_near -> fear }
            state fear { run_away, !predator_near -> idle }
        }
    }
}
