//! Utility selectors: the child with the highest score is ticked first.

use core::fmt;

use bt_words::Word;

use crate::composite::adopted::Adopted;
use crate::composite::custom::{Composed, Composite, CompositeShape, compose};
use crate::composite::marks::{PerRun, PerTick};
use crate::composite::rule::Children;
use crate::composite::running::OneAtATime;
use crate::composite::texts::Texts;
use crate::composite::wakes::ChildWakes;
use crate::describe::Param;
use crate::status::Status;
use crate::wake::Wake;

/// Ticks the child with the highest score; when it fails, the child with the next highest score. Written
/// `utility_selector { score => child, … }`.
///
/// A score is a function or closure of the context that returns a number, or a number. The scores are computed every
/// tick. The node returns the status of the first child that does not fail, and fails if all children fail. If another
/// child takes over, the running child is halted after that child was ticked. Of equal scores, the first wins. A child
/// whose score is not a number (NaN) is not ticked. After a child failed, the scores of the remaining children are
/// computed again.
///
/// `utility_selector(keep = 0.1)` adds 0.1 to the score of the running child, so that no other child takes over after
/// small changes of the scores.
///
/// Observers receive the scores: [`Observer::score`](crate::Observer::score).
///
/// ```
/// # use bt_core::prelude::*;
/// struct Npc { hunger: f32, threat: f32, log: String }
///
/// fn hunger(npc: &Npc) -> f32 { npc.hunger }
/// # fn eat(npc: &mut Npc) -> Status { npc.log.push('e'); Status::Running }
/// # fn flee(npc: &mut Npc) -> Status { npc.log.push('f'); Status::Running }
/// # fn idle(npc: &mut Npc) -> Status { npc.log.push('i'); Status::Running }
///
/// let tree = tree! {
///     for Npc: utility_selector(keep = 0.1) { hunger => eat, |npc: &Npc| npc.threat * 2.0 => flee, 0.2 => idle }
/// };
/// let (mut npc, mut memory) = (Npc { hunger: 0.0, threat: 0.0, log: String::new() }, tree.memory());
/// for (hunger, threat) in [(0.1, 0.0), (0.25, 0.0), (0.5, 0.0), (0.5, 0.4)] {
///     (npc.hunger, npc.threat) = (hunger, threat);
///     tree.tick(&mut npc, &mut memory);
/// }
/// assert_eq!(npc.log, "iief");
/// ```
pub const fn utility_selector<S: ScoreList, L>(keep: f32, scores: S, children: L) -> Composed<UtilitySelector<S>, L> {
    compose(UtilitySelector { scores, keep }, children)
}

/// Starts the child with the highest score; when it fails, the child with the next highest score. Resumes at the running
/// child. Written `mem_utility_selector { score => child, … }`.
///
/// The scores are computed when a run starts. When a child fails, the scores of the children that have not been ticked in
/// this run are computed again. In all other respects it is like [`utility_selector`].
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for f32: mem_utility_selector { |threat: &f32| *threat => run, 0.5 => succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut 0.9, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut 0.1, &mut memory), Status::Running); // the scores are not computed again
/// ```
pub const fn mem_utility_selector<S: ScoreList, L>(scores: S, children: L) -> Composed<MemUtilitySelector<S>, L> {
    compose(MemUtilitySelector { scores }, children)
}

/// The scores of the children of a utility selector.
pub trait ScoreList {
    /// Calls a function with the scores as written, for descriptions.
    fn show(&self, show: &mut dyn FnMut(&dyn fmt::Debug));
}

/// The scores of the children of a utility selector over the context `C`.
pub trait Scores<C: ?Sized>: ScoreList {
    /// Returns the score of a child.
    fn score(&self, child: usize, ctx: &C) -> f32;

    /// Calls a function with the index of each child, in order.
    #[inline(always)]
    fn each(&self, len: usize, call: impl FnMut(usize)) {
        (0..len).for_each(call);
    }
}

/// The scores of a utility selector in a tree: their source texts, and a function that computes one of them.
#[derive(Clone, Copy)]
pub struct ScoreTable<F, const N: usize> {
    texts: [&'static str; N],
    score: F,
}

impl<F, const N: usize> ScoreTable<F, N> {
    /// Creates the scores of `N` children.
    pub const fn new(texts: [&'static str; N], score: F) -> Self {
        Self { texts, score }
    }
}

impl<F, const N: usize> ScoreList for ScoreTable<F, N> {
    fn show(&self, show: &mut dyn FnMut(&dyn fmt::Debug)) {
        show(&Texts(&self.texts));
    }
}

impl<C: ?Sized, F: Fn(&C, usize) -> f32, const N: usize> Scores<C> for ScoreTable<F, N> {
    #[inline(always)]
    fn score(&self, child: usize, ctx: &C) -> f32 {
        (self.score)(ctx, child)
    }

    #[inline(always)]
    fn each(&self, len: usize, mut call: impl FnMut(usize)) {
        // Unrolled, so that the function that computes a score knows the child: 125 instead of 214 instructions a tick.
        macro_rules! unrolled {
            ($($child:literal)+) => {
                $(if $child < N && $child < len {
                    call($child);
                })+
            };
        }
        unrolled!(0 1 2 3 4 5 6 7);
        (8..len).for_each(call);
    }
}

/// The rule of [`keywords::utility_selector`](crate::keywords::utility_selector).
#[derive(Clone, Copy, Debug)]
pub struct UtilitySelector<S> {
    scores: S,
    keep: f32,
}

/// The rule of [`keywords::mem_utility_selector`](crate::keywords::mem_utility_selector).
#[derive(Clone, Copy, Debug)]
pub struct MemUtilitySelector<S> {
    scores: S,
}

impl<S> UtilitySelector<S> {
    /// Creates the rule. `keep` is added to the score of the running child.
    pub const fn new(keep: f32, scores: S) -> Self {
        Self { scores, keep }
    }
}

impl<S> MemUtilitySelector<S> {
    /// Creates the rule.
    pub const fn new(scores: S) -> Self {
        Self { scores }
    }
}

/// Ticks children in the order of their scores, each at most once, until one does not fail.
#[inline(always)]
fn select<C: ?Sized>(scores: &impl Scores<C>, keep: f32, children: &mut impl Children<C>, ctx: &mut C) -> Status {
    // The first call is apart from the loop: in it, no child of a tick is marked.
    let mut best = highest(scores, keep, children, ctx);
    while let Some(child) = best {
        children.mark(child);
        match children.tick(child, ctx) {
            Status::Failure => best = highest(scores, keep, children, ctx),
            status => return status,
        }
    }
    Status::Failure
}

/// Returns the child with the highest score that is not marked.
#[inline(always)]
fn highest<C: ?Sized>(scores: &impl Scores<C>, keep: f32, children: &mut impl Children<C>, ctx: &C) -> Option<usize> {
    let running = children.running();
    let mut best: Option<(usize, f32)> = None;
    scores.each(children.len(), |child| {
        if children.is_marked(child) {
            return;
        }
        let score = scores.score(child, ctx);
        let score = if running == Some(child) { score + keep } else { score };
        children.score(child, score);
        let is_better = match best {
            None => !score.is_nan(),
            Some((_, best)) => score > best,
        };
        if is_better {
            best = Some((child, score));
        }
    });
    best.map(|(child, _)| child)
}

impl<S: ScoreList> CompositeShape for UtilitySelector<S> {
    type Open = ();
    type Kept = ();
    type Running = OneAtATime;
    /// The children ticked in this tick.
    type Marks = PerTick;
    const WORD: Option<Word> = Some(Word::UtilitySelector);

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let [keep, scores] = [0, 1].map(|param| Word::UtilitySelector.row().params[param].name);
        self.scores.show(&mut |texts| {
            let params = [Param::new(keep, &self.keep), Param::new(scores, texts)];
            // Without a bonus as in the source.
            show(&params[usize::from(self.keep == 0.0)..]);
        });
    }
}

impl<C: ?Sized, S: Scores<C>> Composite<C> for UtilitySelector<S> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        select(&self.scores, self.keep, children, ctx)
    }
}

impl<S: ScoreList> CompositeShape for MemUtilitySelector<S> {
    type Open = ();
    type Kept = ();
    type Running = OneAtATime;
    /// The children ticked in this run.
    type Marks = PerRun;
    const WORD: Option<Word> = Some(Word::MemUtilitySelector);
    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        children.running()
    }

    fn adopt(&self, (): &mut (), (): &mut (), children: &mut Adopted<'_>) -> bool {
        children.mark_running();
        true
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let name = Word::MemUtilitySelector.row().params[0].name;
        self.scores.show(&mut |texts| show(&[Param::new(name, texts)]));
    }
}

impl<C: ?Sized, S: Scores<C>> Composite<C> for MemUtilitySelector<S> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        if let Some(running) = children.running() {
            match children.tick(running, ctx) {
                Status::Failure => {}
                status => return status,
            }
        }
        select(&self.scores, 0.0, children, ctx)
    }
}

/// A score before `=>`: a number, or a function of the context that returns one.
#[diagnostic::on_unimplemented(
    message = "expected a score, found `{Self}`",
    label = "not a number or a function of the context that returns one",
    note = "a score is a number, or a `fn(&Context) -> f32`"
)]
pub trait Score<C: ?Sized, M> {
    /// Returns the number in a context.
    fn of(&self, ctx: &C) -> f32;
}

/// A number that can be a score.
#[diagnostic::on_unimplemented(message = "expected a number as the score, found `{Self}`", label = "not a number")]
pub trait ScoreNumber: Copy {
    /// Converts the number; large integers are rounded.
    fn into_f32(self) -> f32;
}

/// The marker of a [`Score`] that is a function.
pub struct Computed<R>(R);

impl<C: ?Sized, R: ScoreNumber, F: Fn(&C) -> R> Score<C, Computed<R>> for F {
    #[inline(always)]
    fn of(&self, ctx: &C) -> f32 {
        self(ctx).into_f32()
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl ScoreNumber for $number {
            #[inline(always)]
            #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_lossless, clippy::allow_attributes)]
            fn into_f32(self) -> f32 {
                self as f32
            }
        }

        impl<C: ?Sized> Score<C, ()> for $number {
            #[inline(always)]
            fn of(&self, _: &C) -> f32 {
                self.into_f32()
            }
        }
    )+};
}

numbers!(f32, f64, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
