//! `match` and `mem_match`: a value of the context selects a child.

use bt_words::Word;

use crate::composite::custom::{Composed, Composite, CompositeShape, compose};
use crate::composite::marks::NoMarks;
use crate::composite::rule::Children;
use crate::composite::running::OneAtATime;
use crate::composite::texts::{Code, Texts};
use crate::composite::wakes::ChildWakes;
use crate::describe::Param;
use crate::status::Status;
use crate::wake::Wake;

/// Evaluates a function of the context every tick, and ticks the node after the first pattern that matches. Written
/// `match function { pattern => node, … }`.
///
/// The function is a path or a closure. Patterns are those of Rust, with `|` and `if`; the compiler checks that they
/// cover all values. A name in a pattern can be used in its `if`, not in the node. When another node is selected, the
/// node that was running is halted before the other node starts. The node returns the status of the selected node.
///
/// ```
/// # use bt_core::prelude::*;
/// # #[derive(Clone, Copy)]
/// enum Mood { Calm, Hungry(u32), Angry }
/// struct Npc { mood: Mood, log: String }
///
/// fn mood(npc: &Npc) -> Mood { npc.mood }
/// # fn rest(npc: &mut Npc) -> Status { npc.log.push('r'); Status::Running }
/// # fn eat(npc: &mut Npc) -> Status { npc.log.push('e'); Status::Running }
/// # fn fight(npc: &mut Npc) -> Status { npc.log.push('f'); Status::Running }
///
/// let tree = tree! {
///     for Npc: match mood { Mood::Calm => rest, Mood::Hungry(n) if n > 3 => eat, Mood::Hungry(_) => rest, Mood::Angry => fight }
/// };
/// let (mut npc, mut memory) = (Npc { mood: Mood::Calm, log: String::new() }, tree.memory());
/// for mood in [Mood::Calm, Mood::Hungry(5), Mood::Hungry(1), Mood::Angry] {
///     npc.mood = mood;
///     assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
/// }
/// assert_eq!(npc.log, "rerf");
/// ```
pub const fn match_else<S: SelectionShape, L>(selection: S, children: L) -> Composed<Match<S>, L> {
    compose(Select { selection }, children)
}

/// Like `match`; the function is evaluated once per run, and the selected node runs to its end. Written
/// `mem_match function { pattern => node, … }`. While it waits for a [cleanup](crate::keywords::finally), it decides again in each tick.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: mem_match |n: &u32| *n { 0..10 => run, _ => fail } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut 3, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut 30, &mut memory), Status::Running); // the function is not evaluated again
/// ```
pub const fn mem_match_else<S: SelectionShape, L>(selection: S, children: L) -> Composed<MemMatch<S>, L> {
    compose(Select { selection }, children)
}

/// The rule of `match`. See [`keywords::match_else`](crate::keywords::match_else).
pub type Match<S> = Select<S, false>;
/// The rule of `mem_match`. See [`keywords::mem_match_else`](crate::keywords::mem_match_else).
pub type MemMatch<S> = Select<S, true>;

/// The function of a `match`, and its patterns.
pub trait SelectionShape {
    /// Calls a function with the source texts of the function and of the patterns, for descriptions.
    fn show(&self, show: &mut dyn FnMut(Code<'_>, Texts<'_>));
}

/// The function of a `match` over the context `C`.
pub trait Selection<C: ?Sized>: SelectionShape {
    /// Returns the index of the selected child.
    fn select(&self, ctx: &C) -> usize;
}

/// The function and the patterns of a `match` in a tree.
#[derive(Clone, Copy)]
pub struct Cases<F> {
    on: &'static str,
    patterns: &'static [&'static str],
    select: F,
}

impl<F> Cases<F> {
    /// Creates a selection from its source text and a function that returns the index of the child.
    pub const fn new(on: &'static str, patterns: &'static [&'static str], select: F) -> Self {
        Self { on, patterns, select }
    }
}

impl<F> SelectionShape for Cases<F> {
    fn show(&self, show: &mut dyn FnMut(Code<'_>, Texts<'_>)) {
        show(Code(self.on), Texts(self.patterns));
    }
}

impl<C: ?Sized, F: Fn(&C) -> usize> Selection<C> for Cases<F> {
    #[inline(always)]
    fn select(&self, ctx: &C) -> usize {
        (self.select)(ctx)
    }
}

/// The rule of `match`; with memory, of `mem_match`.
#[derive(Clone, Copy, Debug)]
pub struct Select<S, const HAS_MEMORY: bool> {
    selection: S,
}

impl<S, const HAS_MEMORY: bool> Select<S, HAS_MEMORY> {
    const WORD: Word = if HAS_MEMORY { Word::MemMatch } else { Word::Match };

    /// Creates the rule.
    pub const fn new(selection: S) -> Self {
        Self { selection }
    }
}

impl<S: SelectionShape, const HAS_MEMORY: bool> CompositeShape for Select<S, HAS_MEMORY> {
    type Open = ();
    type Kept = ();
    type Running = OneAtATime;
    type Marks = NoMarks;
    const WORD: Option<Word> = Some(Self::WORD);
    const RESTARTS: bool = !HAS_MEMORY;
    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        // Without a running child, it waits for a cleanup, and selects again.
        let is_decided = HAS_MEMORY && (0..children.len()).any(|child| children.is_running(child));
        if is_decided { children.running() } else { Wake::Next }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let [on, cases] = [0, 1].map(|param| Self::WORD.row().params[param].name);
        self.selection.show(&mut |code, texts| {
            let cases = Param::new(cases, &texts);
            #[cfg(feature = "json")]
            let cases = Param { property: Some(crate::describe::Property::new(&texts)), ..cases };
            show(&[Param::new(on, &code), cases]);
        });
    }
}

impl<C: ?Sized, S: Selection<C>, const HAS_MEMORY: bool> Composite<C> for Select<S, HAS_MEMORY> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        match children.running() {
            Some(running) if HAS_MEMORY => children.tick(running, ctx),
            _ => children.switch_to(self.selection.select(ctx), ctx),
        }
    }
}
