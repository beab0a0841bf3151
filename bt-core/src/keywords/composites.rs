//! The keywords of composites.

use crate::composite::{
    All, AtLeast, Concurrent, ConstThreshold, MemParallel, MemSelector, MemSequence, Parallel, Selector, Sequence,
    Sequential, Threshold,
};
#[cfg(feature = "random")]
use crate::composite::{Shuffled, Weights, flow};

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
pub const fn selector<L>(children: L) -> Selector<L> {
    Sequential::new(children)
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
pub const fn sequence<L>(children: L) -> Sequence<L> {
    Sequential::new(children)
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
pub const fn mem_selector<L>(children: L) -> MemSelector<L> {
    Sequential::new(children)
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
pub const fn mem_sequence<L>(children: L) -> MemSequence<L> {
    Sequential::new(children)
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
pub const fn random_selector<W: Weights, L>(weights: W, children: L) -> Shuffled<flow::MemSelector, W, L> {
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
pub const fn random_sequence<W: Weights, L>(weights: W, children: L) -> Shuffled<flow::MemSequence, W, L> {
    Shuffled::new(weights, children)
}

/// Ticks all its children every tick, in order, until so many have succeeded or failed in this tick:
/// `parallel(success = all, failure = one)`.
///
/// A threshold is `all`, `one` or a number; left out, success takes all and failure one. Stops at the first threshold reached, success
/// asked first; the children that run then are halted. A child that has ended starts again in the next tick. A number that is computed and larger than the number of children
/// makes it fail at once, without ticking any child, if it is for success; for failure it means never. (The Lua text's Parallel.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): parallel(success = one) { run, succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn parallel<S: Threshold, F: Threshold, L>(success: S, failure: F, children: L) -> Parallel<S, F, L> {
    Concurrent::new(success, failure, children)
}

/// A parallel that does not tick finished children again, and fails at once when it can no longer succeed.
///
/// (BehaviorTree.CPP's Parallel.) See [`parallel`] for the thresholds.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: mem_parallel { |n: &mut u32| *n += 1, wait_until { |n: &u32| *n > 5 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(n, 1); // the first child has ended and is not ticked again
/// ```
pub const fn mem_parallel<S: Threshold, F: Threshold, L>(success: S, failure: F, children: L) -> MemParallel<S, F, L> {
    Concurrent::new(success, failure, children)
}

/// The threshold of a [`parallel`] that all children have to reach.
#[allow(non_upper_case_globals)]
pub const all: All = All;

/// The threshold of a [`parallel`] that one child reaches.
#[allow(non_upper_case_globals)]
pub const one: ConstThreshold<1> = ConstThreshold;

/// The threshold of a [`parallel`] as a number known only when the tree is built. 0 counts as 1, since children are ticked before it is compared.
pub const fn at_least(number: usize) -> AtLeast {
    AtLeast(number)
}
