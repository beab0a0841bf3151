//! The keywords of [`tree!`](crate::tree!), as items, so that their documentation shows where you write them.
//!
//! You do not call these functions yourself: in a tree you write `selector { a, b }` or `timeout(secs(5)) { a }`.

use core::time::Duration;

use crate::composite::{
    All, AtLeast, Children, Composite, Concurrent, Count, MemParallel, MemSelector, MemSequence, Parallel, Selector,
    Sequence, Threshold,
};
#[cfg(feature = "random")]
use crate::composite::{Shuffled, Weights, flow};
use crate::decorator::{
    Cooldown, Delay, Force, Invert, Limit, Repeat, RepeatTimes, Retry, RunOnce, Timeout, UntilFailure, UntilSuccess,
    WaitUntil,
};
use crate::describe::ArrowText;
use crate::machine::{ArrowsShape, Machine, StatesShape};

/// Asks its children in order until one does not fail, each tick from the first: left is more important.
///
/// Ends or runs as that child does; fails when all fail. A child that was running and is not reached, or not asked, any more is halted,
/// after the one that took over was ticked. A running child that is reached again is resumed. (Behavior3's Priority, the Lua text's
/// ActiveSelector.)
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc { enemy: bool }
/// # fn enemy_near(npc: &Npc) -> bool { npc.enemy }
/// # fn flee(_: &mut Npc) -> Status { Status::Running }
/// # fn graze(_: &mut Npc) -> Status { Status::Running }
/// let tree = tree! { for Npc: selector { sequence { enemy_near, flee }, graze } };
/// # assert_eq!(tree.tick(&mut Npc { enemy: true }, &mut tree.memory()), Status::Running);
/// ```
pub const fn selector<L>(children: Children<L>) -> Selector<L> {
    Composite::new(children)
}

/// Asks its children in order until one does not succeed, each tick from the first.
///
/// Ends or runs as that child does; succeeds when all succeed. Because the children before a running one are asked again each
/// tick, conditions there guard it: once they fail, it is halted.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: sequence { |light: &bool| *light, run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Failure);
/// ```
pub const fn sequence<L>(children: Children<L>) -> Sequence<L> {
    Composite::new(children)
}

/// A selector that goes on at the running child, without asking those before it; forgets when it ends or is halted.
///
/// (Behavior3's MemPriority, the Lua text's Selector.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: mem_selector { |first: &bool| *first, run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Running); // does not ask again
/// ```
pub const fn mem_selector<L>(children: Children<L>) -> MemSelector<L> {
    Composite::new(children)
}

/// A sequence that goes on at the running child, without asking those before it: do this, then that, then that.
///
/// Forgets when it ends or is halted. (Behavior3's MemSequence, the Lua text's Sequence.)
///
/// ```
/// # use bt_core::prelude::*;
/// let a = |log: &mut Vec<char>| log.push('a');
/// let b = |log: &mut Vec<char>| if log.len() < 3 { log.push('b'); Status::Running } else { Status::Success };
/// let tree = tree! { for Vec<char>: mem_sequence { a, b } };
/// let (mut log, mut memory) = (Vec::new(), tree.memory());
/// while tree.tick(&mut log, &mut memory) == Status::Running {}
/// assert_eq!(log, ['a', 'b', 'b']);
/// ```
pub const fn mem_sequence<L>(children: Children<L>) -> MemSequence<L> {
    Composite::new(children)
}

/// Asks its children in an order drawn anew for each run, none twice, until one does not fail. (The texts' Node~, `MemRandom`.)
///
/// Goes on at the running child; ends or runs as it does; fails when all fail. Weights may stand before the children, and one without a
/// weight has 1: `random_selector { 3 => attack, 1 => taunt }` draws `attack` first three times out of four. Needs the feature
/// `random` and a [`Random`](crate::Random) context.
///
/// # Panics
///
/// While the tree is built, if a weight is not positive and finite. Where it is a literal, that is a compile error.
///
/// ```
/// # use bt_core::prelude::*;
/// # use bt_core::rand_core::SeedableRng;
/// # struct Npc { chance: rand_pcg::Pcg32, attacks: u32, taunts: u32 }
/// # impl Random for Npc { type Rng = rand_pcg::Pcg32; fn rng(&mut self) -> &mut rand_pcg::Pcg32 { &mut self.chance } }
/// fn attack(npc: &mut Npc) { npc.attacks += 1 }
/// fn taunt(npc: &mut Npc) { npc.taunts += 1 }
/// let tree = tree! { for Npc: random_selector { 3 => attack, 1 => taunt } };
/// # let mut npc = Npc { chance: rand_pcg::Pcg32::seed_from_u64(1), attacks: 0, taunts: 0 };
/// # let mut memory = tree.memory();
/// for _ in 0..400 {
///     tree.tick(&mut npc, &mut memory);
/// }
/// assert!((270..330).contains(&npc.attacks) && npc.attacks + npc.taunts == 400);
/// ```
#[cfg(feature = "random")]
pub const fn random_selector<W: Weights, L>(weights: W, children: Children<L>) -> Shuffled<flow::SelectOn, W, L> {
    Shuffled::new(weights, children)
}

/// Asks its children in an order drawn anew for each run, none twice, until one does not succeed.
///
/// Succeeds when all succeed. Otherwise as [`random_selector`].
///
/// ```
/// # use bt_core::prelude::*;
/// # use bt_core::rand_core::SeedableRng;
/// # struct Npc { chance: rand_pcg::Pcg32, done: Vec<char> }
/// # impl Random for Npc { type Rng = rand_pcg::Pcg32; fn rng(&mut self) -> &mut rand_pcg::Pcg32 { &mut self.chance } }
/// let chore = |chore| move |npc: &mut Npc| npc.done.push(chore);
/// let tree = tree! { for Npc: random_sequence { chore('a'), chore('b'), chore('c') } };
/// # let mut npc = Npc { chance: rand_pcg::Pcg32::seed_from_u64(1), done: vec![] };
/// assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
/// npc.done.sort();
/// assert_eq!(npc.done, ['a', 'b', 'c']);
/// ```
#[cfg(feature = "random")]
pub const fn random_sequence<W: Weights, L>(weights: W, children: Children<L>) -> Shuffled<flow::FollowOn, W, L> {
    Shuffled::new(weights, children)
}

/// Ticks all its children every tick, in order, until so many have succeeded or failed in this tick:
/// `parallel(success = all, failure = one)`.
///
/// A threshold is `all`, `one` or a number; left out, success takes all and failure one. Stops at the first threshold reached, success
/// asked first; the children that run then are halted. A child that has ended starts again in the next tick. (The Lua text's Parallel.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): parallel(success = one) { run, succeed, run } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn parallel<S: Threshold, F: Threshold, L>(
    success: S,
    failure: F,
    children: Children<L>,
) -> Parallel<S, F, L> {
    Concurrent::new(success, failure, children)
}

/// A parallel that does not tick finished children again, and fails at once when it can no longer succeed.
///
/// (BehaviorTree.CPP's Parallel.) See [`parallel`] for the thresholds.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): mem_parallel(success = 2, failure = all) { succeed, run, run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Running); // `succeed` counts once
/// ```
pub const fn mem_parallel<S: Threshold, F: Threshold, L>(
    success: S,
    failure: F,
    children: Children<L>,
) -> MemParallel<S, F, L> {
    Concurrent::new(success, failure, children)
}

/// The threshold of a [`parallel`] that all children have to reach.
#[allow(non_upper_case_globals)]
pub const all: All = All;

/// The threshold of a [`parallel`] that one child reaches.
#[allow(non_upper_case_globals)]
pub const one: Count<1> = Count;

/// The threshold of a [`parallel`] as a number known only when the tree is built.
pub const fn at_least(number: usize) -> AtLeast {
    AtLeast(number)
}

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
/// # fn slow_down(sheep: &mut Sheep) { sheep.log.push("slow down") }
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
/// - Before the state's node is ticked its arrows are asked in order, then those of `any` (but for those that lead back). The first whose
///   condition holds is followed: the node is halted, `exit:` and the new state's `enter:` are done, and its node is ticked.
/// - `success ->` and `failure ->` are followed when the node ends; the new state's node starts in the next tick. Without one the node starts
///   again in the next tick.
/// - A tick follows at most one arrow, so that none can hang: a node that ends in a tick that has followed one already is remembered, and its arrow
///   is among those asked in the next tick.
/// - `-> success` and `-> failure` end the machine, which is running otherwise.
///
/// When it is a machine, and when a tree? A machine where an agent is in one of several modes and goes from each to a few others: what can
/// happen next is written with the mode. A tree where anything may be more important than what is going on: there, priority is the order, and
/// no arrows need be drawn. The sheep above as a tree has to ask what is more important each tick, and cannot know that it was herded
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
pub const fn machine<L: StatesShape, A: ArrowsShape>(
    states: Children<L>,
    texts: &'static [ArrowText],
    any: A,
) -> Machine<L, A> {
    Machine::new(states, texts, any)
}

/// Success becomes failure, failure success. `!x` is `invert { x }`.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: sequence { !|asleep: &bool| *asleep, invert { fail } } };
/// assert_eq!(tree.tick(&mut false, &mut tree.memory()), Status::Success);
/// ```
pub const fn invert() -> Invert {
    Invert
}

/// Success and failure become success. (Behavior3's Succeeder.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): force_success { fail } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn force_success() -> Force<true> {
    Force
}

/// Success and failure become failure. (Behavior3's Failer.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): force_failure { succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Failure);
/// ```
pub const fn force_failure() -> Force<false> {
    Force
}

/// Without a number: starts its child again and again, at most once per tick, and never ends by itself.
///
/// With one, `repeat(3)`: see [`repeat_times`].
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat { |n: &mut u32| *n += 1 } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(n, 2);
/// ```
pub const fn repeat() -> Repeat {
    Repeat
}

/// `repeat(3)`: starts its child until it has ended three times, whether by success or failure, then succeeds.
///
/// Goes on within the tick while the child ends at once. `repeat(0)` succeeds without it. (Behavior3's Repeater.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat(3) { |n: &mut u32| *n += 1 } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub const fn repeat_times(times: u32) -> RepeatTimes {
    RepeatTimes { times }
}

/// `retry(3)`: starts its child until it succeeds, at most three times, then fails.
///
/// Goes on within the tick while the child fails at once. `retry(0)` fails without it.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: retry(5) { |n: &mut u32| { *n += 1; *n == 3 } } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub const fn retry(times: u32) -> Retry {
    Retry { times }
}

/// Starts its child again, at most once per tick, until it fails; then succeeds. (Behavior3's RepeatUntilFailure.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: until_failure { |n: &mut u32| { *n += 1; *n < 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// ```
pub const fn until_failure() -> UntilFailure {
    UntilFailure
}

/// Starts its child again, at most once per tick, until it succeeds; then succeeds. (Behavior3's RepeatUntilSuccess.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: until_success { |n: &mut u32| { *n += 1; *n == 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// ```
pub const fn until_success() -> UntilSuccess {
    UntilSuccess
}

/// Running until its child succeeds: asks it once per tick. (The Lua text's WaitUntil.)
///
/// The same as [`until_success`], for what reads better as waiting: `wait_until { friend_arrived }`.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: wait_until { |arrived: &bool| *arrived } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Success);
/// ```
pub const fn wait_until() -> WaitUntil {
    WaitUntil
}

/// `limit(3)`: starts its child at most three times in the life of the memory, then fails. (Behavior3's Limiter.)
///
/// [`Memory::reset`](crate::Memory::reset) begins a new life.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): limit(1) { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Failure);
/// ```
pub const fn limit(runs: u32) -> Limit {
    Limit { runs }
}

/// Runs its child to success or failure once in the life of the memory, and gives that outcome ever after.
///
/// A run that is halted or ends in an error does not count.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: run_once { |n: &mut u32| *n += 1 } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(n, 1);
/// ```
pub const fn run_once() -> RunOnce {
    RunOnce
}

/// `timeout(secs(5))`: once the child has run for longer, it is not ticked any more: it is halted and this fails.
///
/// Needs a [`Clock`](crate::Clock). (Behavior3's MaxTime.)
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: timeout(secs(5)) { run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(5)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(6)), &mut memory), Status::Failure);
/// ```
pub const fn timeout(time: Duration) -> Timeout {
    Timeout { time }
}

/// `delay(secs(1))`: is running for so long, then starts its child. Needs a [`Clock`](crate::Clock).
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: delay(secs(1)) { fail } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(1)), &mut memory), Status::Failure);
/// ```
pub const fn delay(time: Duration) -> Delay {
    Delay { time }
}

/// `cooldown(secs(10))`: fails for so long after a run of its child was over, however it was. Needs a [`Clock`](crate::Clock).
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: cooldown(secs(10)) { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut Npc(secs(9)), &mut memory), Status::Failure);
/// assert_eq!(tree.tick(&mut Npc(secs(10)), &mut memory), Status::Success);
/// ```
pub const fn cooldown(time: Duration) -> Cooldown {
    Cooldown { time }
}
