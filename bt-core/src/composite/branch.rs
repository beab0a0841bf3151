//! `if` and `mem_if`: a condition selects one of two children.

use bt_words::{Arity, ChildCount, Word};

use crate::composite::adopted::Adopted;
use crate::composite::custom::{Composed, Composite, CompositeShape, compose};
use crate::composite::marks::NoMarks;
use crate::composite::rule::Children;
use crate::composite::running::OneAtATime;
use crate::composite::wakes::ChildWakes;
use crate::status::{Outcome, Status};
use crate::wake::{Foreseen, Wake};

/// Ticks a condition every tick, and then the node that it selects. Written `if condition { node } else { node }`.
///
/// The node returns the status of the selected node. Without `else`, it fails if the condition fails. When the outcome
/// of the condition changes, the node that was running is halted before the other node starts.
///
/// The condition is any node that never returns `Running`, such as a function that returns `bool`. Conditions are combined as in
/// Rust: `!a`, `a && b`, `a || b`, with parentheses. `a && b` is a `sequence`, `a || b` a `selector`.
///
/// `if` differs from `selector { sequence { condition, a } b }`, which also ticks `b` when the condition succeeds and `a`
/// fails.
///
/// ```
/// # use bt_core::prelude::*;
/// struct Npc { health: u32, enemy: Option<u32>, log: String }
///
/// fn sees_enemy(npc: &Npc) -> bool { npc.enemy.is_some() }
/// #[condition]
/// fn health_below(npc: &Npc, health: u32) -> bool { npc.health < health }
/// # #[action] fn act(npc: &mut Npc, sign: char) -> Status { npc.log.push(sign); Status::Running }
/// # fn flee() -> act { act('f') }
/// # fn attack() -> act { act('a') }
/// # fn patrol() -> act { act('p') }
///
/// let tree = tree! {
///     for Npc: if sees_enemy && !health_below(20) { attack() } else if sees_enemy { flee() } else { patrol() }
/// };
/// let (mut npc, mut memory) = (Npc { health: 50, enemy: None, log: String::new() }, tree.memory());
/// tree.tick(&mut npc, &mut memory);
/// npc.enemy = Some(7);
/// tree.tick(&mut npc, &mut memory);
/// npc.health = 10;
/// tree.tick(&mut npc, &mut memory);
/// assert_eq!(npc.log, "paf");
/// ```
pub const fn if_else<L>(children: L) -> Composed<If, L> {
    compose(Branch, children)
}

/// Like `if`; the condition is ticked once per run, and the selected node runs to its end. Written
/// `mem_if condition { node } else { node }`. While it waits for a [cleanup](crate::keywords::finally), it decides again in each tick.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: mem_if |light: &bool| *light { run } else { fail } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running); // the condition is not ticked again
/// ```
pub const fn mem_if_else<L>(children: L) -> Composed<MemIf, L> {
    compose(Branch, children)
}

/// The rule of `if`. See [`keywords::if_else`](crate::keywords::if_else).
pub type If = Branch<false>;
/// The rule of `mem_if`. See [`keywords::mem_if_else`](crate::keywords::mem_if_else).
pub type MemIf = Branch<true>;

/// The rule of `if`; with memory, of `mem_if`.
#[derive(Clone, Copy, Debug)]
pub struct Branch<const HAS_MEMORY: bool>;

/// The indices of the children.
const CONDITION: usize = 0;
const THEN: usize = 1;
const ELSE: usize = 2;

impl<const HAS_MEMORY: bool> Branch<HAS_MEMORY> {
    const WORD: Word = if HAS_MEMORY { Word::MemIf } else { Word::If };

    /// Creates the rule.
    pub const fn new() -> Self {
        Self
    }
}

impl<const HAS_MEMORY: bool> CompositeShape for Branch<HAS_MEMORY> {
    type Open = ();
    type Kept = ();
    type Running = OneAtATime;
    type Marks = NoMarks;
    const WORD: Option<Word> = Some(Self::WORD);
    const CHILDREN: ChildCount = match Arity::Branches.count() {
        Some(count) => count,
        None => ChildCount::ANY,
    };
    const RESTARTS: bool = !HAS_MEMORY;
    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        if HAS_MEMORY && (children.is_running(THEN) || children.is_running(ELSE)) {
            return children.running();
        }
        let selected = Outcome::from(children.is_running(THEN));
        match children.foresee(CONDITION) {
            Some((outcome, until)) if outcome == selected => until.earliest(children.running()),
            _ => Wake::Next,
        }
    }

    fn adopt(&self, (): &mut (), (): &mut (), children: &mut Adopted<'_>) -> bool {
        // The condition does not run.
        children.running().all(|child| child != CONDITION)
    }

    fn foresee(&self, (): &(), children: &mut dyn ChildWakes) -> Foreseen {
        let (condition, until) = children.foresee(CONDITION)?;
        let branch = match condition {
            Outcome::Success => THEN,
            Outcome::Failure => ELSE,
            Outcome::Error => return None,
        };
        let (outcome, other) = children.foresee(branch)?;
        Some((outcome, until.earliest(other)))
    }
}

impl<C: ?Sized, const HAS_MEMORY: bool> Composite<C> for Branch<HAS_MEMORY> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let running = children.running();
        let selected = match running {
            Some(running) if HAS_MEMORY => running,
            _ => match children.condition(ctx) {
                Outcome::Success => THEN,
                Outcome::Failure => ELSE,
                Outcome::Error => return Status::Error,
            },
        };
        if selected < children.len() {
            return children.switch_to(selected, ctx);
        }
        // The end halts the other branch.
        Status::Failure
    }
}
