//! Random composites: the order of the children is drawn for each run.

use bt_words::{ChildCount, Word};

use crate::composite::adopted::Adopted;
use crate::composite::custom::{Composed, Composite, CompositeShape, compose};
use crate::composite::draw::draw;
use crate::composite::marks::PerRun;
use crate::composite::rule::Children;
use crate::composite::running::OneAtATime;
use crate::composite::wakes::ChildWakes;
use crate::composite::weights::{WeightList, Weights};
use crate::describe::Param;
use crate::status::Status;
use crate::wake::Wake;

/// Ticks its children in random order until one does not fail. The order is drawn for each run; no child is drawn twice
/// in a run. (Node~ in the articles, `MemRandom`.)
///
/// The node returns the status of that child, and fails if all children fail. It resumes at the running child. Children
/// can have weights; the default is 1. `random_selector { 3 => attack, 1 => taunt }` draws `attack` first in 3 of 4
/// runs. Requires the feature `random` and a context that implements [`Random`](crate::Random).
///
/// # Panics
///
/// Building the tree panics if a weight is not positive and finite. For a literal, this is a compile error.
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
pub const fn random_selector<W: WeightList, L>(weights: W, children: L) -> Composed<RandomSelector<W>, L> {
    compose(Shuffled::new(weights), children)
}

/// Ticks its children in random order until one does not succeed. The order is drawn for each run; no child is drawn
/// twice in a run.
///
/// The node returns the status of that child, and succeeds if all children succeed. In all other respects it is like
/// [`random_selector`].
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
pub const fn random_sequence<W: WeightList, L>(weights: W, children: L) -> Composed<RandomSequence<W>, L> {
    compose(Shuffled::new(weights), children)
}

/// The rule of `random_sequence`, which continues after a success, or of `random_selector`, which continues after a failure.
#[derive(Clone, Copy, Debug)]
pub struct Shuffled<W, const AFTER_SUCCESS: bool> {
    weights: W,
}

/// The rule of [`keywords::random_selector`](crate::keywords::random_selector).
pub type RandomSelector<W> = Shuffled<W, false>;
/// The rule of [`keywords::random_sequence`](crate::keywords::random_sequence).
pub type RandomSequence<W> = Shuffled<W, true>;

impl<W, const AFTER_SUCCESS: bool> Shuffled<W, AFTER_SUCCESS> {
    const WORD: Word = if AFTER_SUCCESS { Word::RandomSequence } else { Word::RandomSelector };

    /// Creates the rule.
    pub const fn new(weights: W) -> Self {
        Self { weights }
    }
}

impl<W: WeightList, const AFTER_SUCCESS: bool> CompositeShape for Shuffled<W, AFTER_SUCCESS> {
    type Open = ();
    type Kept = ();
    type Running = OneAtATime;
    /// The children drawn in this run.
    type Marks = PerRun;
    const WORD: Option<Word> = Some(Self::WORD);
    const CHILDREN: ChildCount = ChildCount::ANY_OR_NONE;
    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        children.running()
    }

    fn adopt(&self, (): &mut (), (): &mut (), children: &mut Adopted<'_>) -> bool {
        children.mark_running();
        true
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let name = Self::WORD.row().params[0].name;
        self.weights.show(&mut |weights| match weights {
            Some(weights) => show(&[Param::new(name, weights)]),
            None => show(&[]),
        });
    }
}

impl<C: ?Sized, W: Weights<C>, const AFTER_SUCCESS: bool> Composite<C> for Shuffled<W, AFTER_SUCCESS> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let pass = Status::from(AFTER_SUCCESS);
        let mut next = children.running();
        loop {
            let child = match next.take() {
                Some(running) => running,
                None => match draw(&self.weights, children, ctx) {
                    Some(drawn) => drawn,
                    None => return pass,
                },
            };
            children.mark(child);
            let status = children.tick(child, ctx);
            if status != pass {
                return status;
            }
        }
    }
}
