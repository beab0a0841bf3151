//! Random composites: the order of the children is drawn for each run.

use core::fmt;
use core::marker::PhantomData;

use bt_words::{Returns, Word};
use rand_core::Rng;

use crate::check::{Facts, Thresholds};
use crate::clock::Shift;
use crate::composite::draw::draw;
use crate::composite::flow::{self, Flow};
use crate::composite::list::{List, ListShape};
use crate::describe::{Info, Kind, Name, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::random::Random;
use crate::status::{Outcome, Step};
use crate::wake::{Wake, WakeVisit};

/// Ticks its children in random order until one does not fail. The order is drawn for each run; no child is drawn twice
/// in a run. (Node~ in the texts, `MemRandom`.)
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
pub const fn random_selector<W: Weights, L>(weights: W, children: L) -> Shuffled<flow::MemSelector, W, L> {
    Shuffled::new(weights, children)
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
pub const fn random_sequence<W: Weights, L>(weights: W, children: L) -> Shuffled<flow::MemSequence, W, L> {
    Shuffled::new(weights, children)
}

/// The relative probabilities of the children.
pub trait Weights: Copy + fmt::Debug + Send + Sync + 'static {
    /// `true` if descriptions show the weights.
    const SHOWN: bool;
    /// Returns the weight of a child, which is positive and finite.
    fn of(&self, child: usize) -> f64;
}

/// Weights that are equal for all children.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Weights for Uniform {
    const SHOWN: bool = false;

    fn of(&self, _: usize) -> f64 {
        1.0
    }
}

/// A weight for each child.
#[derive(Clone, Copy)]
pub struct Weighted<const N: usize>([f64; N]);

impl<const N: usize> Weighted<N> {
    /// Creates the weights of all children, in order.
    ///
    /// # Panics
    ///
    /// Panics if a weight is not positive and finite.
    #[track_caller]
    pub const fn new(weights: [f64; N]) -> Self {
        let mut child = 0;
        while child < N {
            assert!(
                weights[child] > 0.0 && weights[child].is_finite(),
                "the weight of a child must be positive and finite"
            );
            child += 1;
        }
        Self(weights)
    }
}

impl<const N: usize> Weights for Weighted<N> {
    const SHOWN: bool = true;

    fn of(&self, child: usize) -> f64 {
        self.0.get(child).copied().unwrap_or(1.0)
    }
}

impl<const N: usize> fmt::Debug for Weighted<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// A number that can be a weight, before `=>`.
#[diagnostic::on_unimplemented(message = "expected a weight, found `{Self}`", label = "expected a number")]
pub trait Weight {
    /// Converts the number to a float.
    fn into_f64(self) -> f64;
}

macro_rules! weights {
    ($($number:ty),+) => {$(
        impl Weight for $number {
            fn into_f64(self) -> f64 {
                f64::from(self)
            }
        }
    )+};
}

weights!(u8, u16, u32, i32, f32, f64);

/// A composite that ticks its children in random order, each at most once in a run. See
/// [`keywords::random_selector`](crate::keywords::random_selector).
#[derive(Clone, Copy)]
pub struct Shuffled<F, W, L> {
    children: L,
    weights: W,
    flow: PhantomData<F>,
}

impl<F, W, L> Shuffled<F, W, L> {
    /// Creates a composite of these children: a tuple of up to 8 nodes, or a [`Join`](super::Join) of lists.
    pub const fn new(weights: W, children: L) -> Self {
        Self { children, weights, flow: PhantomData }
    }
}

/// The open state of a random composite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenShuffled<S, O> {
    /// The children drawn in this run.
    drawn: S,
    child: O,
}

impl<F: Flow, W: Weights, L: ListShape> Shuffled<F, W, L> {
    /// Draws a child that has not been drawn yet.
    fn draw<C: ?Sized + Random, O: Observer>(
        &self,
        at: NodeId,
        drawn: &L::Set,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<usize> {
        let list = &self.children;
        let Visit { ctx, observer } = visit;
        let forced = |left| if O::ON { observer.draw(at, left) } else { None };
        let weight = |child| self.weights.of(child);
        draw(list.len(), |child| list.has(drawn, child), weight, forced, || ctx.rng().next_u64())
    }

    /// Draws and starts children until one stops the flow.
    fn go_on<C: ?Sized + Random, O: Observer>(
        &self,
        at: NodeId,
        drawn: &mut L::Set,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<L::Open>
    where
        L: List<C>,
    {
        while let Some(child) = self.draw(at, drawn, visit) {
            self.children.put(drawn, child);
            match self.children.start_one(child, at.first_child(), kept, visit) {
                Some(Step::Done(outcome)) if outcome == F::PASS => {}
                Some(step) => return step,
                None => break,
            }
        }
        Step::Done(F::PASS)
    }
}

impl<F: Flow, W: Weights, L: ListShape> NodeShape for Shuffled<F, W, L> {
    type Open = OpenShuffled<L::Set, L::Open>;
    type Kept = L::Kept;
    const CAN: Outcomes = Self::FACTS.can;
    const FACTS: Facts = Returns::AnyOrder(F::PASS.set()).facts(None, L::EACH, Thresholds::UNKNOWN);
    const COUNT: Option<u32> = one_more(L::COUNT);
    const SLEEPS: bool = L::SLEEPS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.children.count()
    }

    fn shift_times(&self, open: Option<&mut Self::Open>, kept: &mut L::Kept, by: Shift) {
        self.children.shift_times(open.map(|open| &mut open.child), kept, by);
    }

    fn machines(&self, at: NodeId, open: &Self::Open, kept: &L::Kept, call: &mut dyn FnMut(NodeId, usize)) {
        self.children.machines(at.first_child(), &open.child, kept, call);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let params: &[Param<'_>] =
            if W::SHOWN { &[Param::new(Word::RandomSelector.row().params[0].name, &self.weights)] } else { &[] };
        let word = if matches!(F::PASS, Outcome::Failure) { Word::RandomSelector } else { Word::RandomSequence };
        let name = word.name();
        let sources = visitor.enter(&Info { kind: Kind::Composite, name: Name::Known(name), can: Self::CAN, params });
        self.children.describe(sources, visitor);
        visitor.leave();
    }
}

impl<C: ?Sized + Random, F: Flow, W: Weights, L: List<C>> Node<C> for Shuffled<F, W, L> {
    #[inline]
    fn wake(&self, open: &Self::Open, kept: &L::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.children.wake(&open.child, kept, visit)
    }

    #[inline]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut L::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        let mut drawn = L::Set::default();
        let step = self.go_on(at, &mut drawn, kept, visit);
        step.map(|child| OpenShuffled { drawn, child })
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match self.children.resume_one(at.first_child(), &mut open.child, kept, visit) {
            Step::Done(outcome) if outcome == F::PASS => {
                self.go_on(at, &mut open.drawn, kept, visit).map(|child| open.child = child)
            }
            step => step,
        }
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.children.halt(at.first_child(), &mut open.child, kept, visit);
    }
}
