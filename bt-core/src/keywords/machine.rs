//! The keyword of state machines.

use crate::describe::TransitionText;
use crate::machine::{Machine, StatesShape, TransitionsShape};

/// A finite state machine whose states hold nodes.
///
/// ```
/// use bt_core::prelude::*;
///
/// # struct Sheep { herded: bool, wolf: bool, tired: u8, log: Vec<&'static str> }
/// fn herded(sheep: &Sheep) -> bool { sheep.herded }
/// fn wolf_near(sheep: &Sheep) -> bool { sheep.wolf }
/// # fn graze(sheep: &mut Sheep) -> Status { sheep.log.push("graze"); Status::Running }
/// # fn follow(sheep: &mut Sheep) -> Status { sheep.log.push("follow"); Status::Running }
/// # fn slow_down(sheep: &mut Sheep) -> Status { sheep.log.push("slow down"); Status::Success }
/// # fn run_away(sheep: &mut Sheep) -> Status { sheep.log.push("run"); Status::Running }
/// # fn bleat(sheep: &mut Sheep) { sheep.log.push("bleat") }
///
/// let tree = tree! {
///     for Sheep: machine "sheep" {
///         state idle     { graze, herded -> obey }
///         state obey     { follow, !herded -> stopping }
///         state stopping { slow_down, success -> idle, herded -> obey }
///         state fear     { enter: bleat, run_away, !wolf_near -> idle }
///         any            { wolf_near -> fear }
///     }
/// };
/// # let (mut sheep, mut memory) = (Sheep { herded: false, wolf: false, tired: 0, log: vec![] }, tree.memory());
/// # tree.tick(&mut sheep, &mut memory); sheep.herded = true;
/// # tree.tick(&mut sheep, &mut memory); sheep.herded = false;
/// # tree.tick(&mut sheep, &mut memory);
/// # tree.tick(&mut sheep, &mut memory);
/// # tree.tick(&mut sheep, &mut memory); sheep.wolf = true;
/// # tree.tick(&mut sheep, &mut memory);
/// # assert_eq!(sheep.log, ["graze", "follow", "slow down", "graze", "graze", "bleat", "run"]);
/// assert_eq!(size_of_val(&tree.memory()), 1);
/// ```
///
/// - The first state is the initial one. Each holds one node, and perhaps `enter:` and `exit:` actions.
/// - Before the state's node is ticked its transitions are asked in order, then those of `any` (but for those that lead back). The first whose
///   condition holds is followed: the node is halted, `exit:` and the new state's `enter:` are done, and its node is ticked.
/// - `success ->` and `failure ->` are followed when the node ends; the new state's node starts in the next tick. Without one the node starts
///   again in the next tick.
/// - A tick follows at most one transition, so that none can hang: a node that ends in a tick that has followed one already is remembered, and its transition
///   is among those asked in the next tick.
/// - `-> success` and `-> failure` end the machine, which is running otherwise.
/// - An error of a condition, of `enter:` or of `exit:` ends the machine with `Error`: what is open is halted, and the state is left with its `exit:`. A state whose `enter:` gives an error was not
///   entered, and is not left. Where the machine is halted from outside, an error of `exit:` goes to the context, and nothing else comes of it.
/// - Conditions and hooks are nodes below their state in descriptions, those of `any` below the machine. An observer receives their events within the visit of the machine: conditions before
///   the visit of the state, `exit:` after the state's node is closed, `enter:` after [`Observer::state`](crate::Observer::state).
///
/// When it is a machine, and when a tree? A machine where an agent is in one of several modes and goes from each to a few others: what can
/// happen next is written with the mode. A tree where anything may be more important than what is going on: there, priority is the order, and
/// no transitions need be drawn. The sheep above as a tree has to ask what is more important each tick, and cannot know that it was herded
/// just before:
///
/// ```text
/// selector {
///     sequence { wolf_near, run_away }
///     sequence { herded, follow }
///     graze                              // and when to slow down?
/// }
/// ```
///
/// The two mix: states hold trees, and a machine can stand anywhere in a tree. See [`StateMachine`](crate::StateMachine) for asking and forcing its
/// state.
pub const fn machine<L: StatesShape, A: TransitionsShape>(
    states: L,
    any: A,
    texts: &'static [TransitionText],
) -> Machine<L, A> {
    Machine::new(states, any, texts)
}
