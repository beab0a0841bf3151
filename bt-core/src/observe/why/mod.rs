//! The reason why a node is running, has ended, or was not visited: an answer from recorded events.

use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;

use crate::describe::Description;
use crate::id::NodeId;
use crate::recording::TickRecord;

mod answer;
mod chosen;
mod halted;
mod outcome;
mod part;
mod past;
mod rule;
mod unvisited;
mod visits;

use answer::Answer;
pub use part::{WhyLink, WhyPart};

/// The answer of [`Description::why`]: a sentence. `Display` writes it.
///
/// With the feature `serde` it is serialized as a sequence of [parts](WhyPart).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Why {
    parts: Vec<WhyPart>,
}

impl Why {
    /// Returns the parts of the sentence, in order.
    #[doc(hidden)]
    pub fn parts(&self) -> &[WhyPart] {
        &self.parts
    }
}

impl fmt::Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| out.write_str(&part.text))
    }
}

impl Description {
    /// Returns why a node is running at a tick, why it has ended, or why it was not visited, as a sentence whose parts
    /// are linked to nodes and ticks.
    ///
    /// `ticks` are the ticks of one agent, oldest first: [`Recording::ticks`](crate::observe::Recording::ticks), the
    /// [ticks](crate::observe::Recorded::ticks_of) of an agent in a file, or a slice of records. Ticks after `tick` are
    /// ignored. The answer states only recorded events, and states which ticks are missing. For a tick of
    /// [another version](TickRecord::replaced) of the tree, the answer states what the node did, but no reason.
    ///
    /// ```
    /// use bt_core::observe::Recorder;
    /// use bt_core::prelude::*;
    ///
    /// # struct Guard { enemy: bool }
    /// fn enemy_near(guard: &Guard) -> bool { guard.enemy }
    /// fn attack(_: &mut Guard) -> Status { Status::Running }
    /// fn patrol(_: &mut Guard) -> Status { Status::Running }
    ///
    /// let tree = tree! { selector { sequence "fight" { enemy_near, attack } patrol } };
    /// let (mut memory, mut recorder) = (tree.memory(), Recorder::new(1000));
    /// for enemy in [false, true, true, false] {
    ///     tree.tick_with(&mut Guard { enemy }, &mut memory, &mut recorder);
    /// }
    ///
    /// let description = tree.description();
    /// let why = |path: &str, tick| {
    ///     let ticks = recorder.recording(0).unwrap().ticks();
    ///     description.why(ticks, tick, description.find(path).unwrap().id).to_string()
    /// };
    /// assert_eq!(why("attack", 2), "running since tick 1, because `enemy_near` succeeded");
    /// assert_eq!(why("patrol", 1), "halted at tick 1: `attack` took over, because `enemy_near` succeeded");
    /// assert_eq!(why("attack", 3), "halted at tick 3: `enemy_near` failed; it last succeeded at tick 2");
    /// assert_eq!(
    ///     why("attack", 0),
    ///     "not visited: `enemy_near` failed at tick 0; it has not succeeded before in the recorded ticks; \
    ///      `attack` has not been visited before in the recorded ticks"
    /// );
    /// ```
    pub fn why<T: Borrow<TickRecord>>(&self, ticks: impl IntoIterator<Item = T>, tick: u64, node: NodeId) -> Why {
        let ticks: Vec<T> = ticks.into_iter().filter(|record| record.borrow().number <= tick).collect();
        let ticks: Vec<_> = ticks.iter().map(Borrow::borrow).collect();
        Why { parts: Answer::new(self, &ticks).of(tick, node) }
    }
}
