//! What a node of BehaviorTree.CPP returns beside its status: that it was skipped, why it returns an error, and that the tree is to be ticked again.
//!
//! They are read by the caller of a tick as soon as the tick returns, so each thread has one of each. The same holds for what a parent states before it
//! ticks a child: whether it has reset the child.

use std::cell::{Cell, RefCell};
use std::fmt;

use bt_core::composite::Children;
use bt_core::{Outcome, Status};
use serde::{Deserialize, Serialize};

thread_local! {
    static FAULT: RefCell<String> = const { RefCell::new(String::new()) };
    static SKIPPED: Cell<bool> = const { Cell::new(false) };
    static SKIPS: Cell<u64> = const { Cell::new(0) };
    static WOKEN: Cell<bool> = const { Cell::new(false) };
    static RETAINED: Cell<bool> = const { Cell::new(false) };
}

/// What a tick of a child has returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ticked {
    /// The child was skipped.
    Skipped,
    /// Any other status.
    As(Status),
}

/// The children that have ended in a run of a parent that does not reset them before its own end.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Ended(Vec<bool>);

impl Ended {
    /// Ticks a child.
    pub(crate) fn tick<C: ?Sized>(&mut self, children: &mut impl Children<C>, child: usize, ctx: &mut C) -> Ticked {
        if self.0.len() <= child {
            self.0.resize(child + 1, false);
        }
        retain(self.0[child]);
        let ticked = tick(children, child, ctx);
        self.0[child] = matches!(ticked, Ticked::As(Status::Success | Status::Failure));
        retain(false);
        ticked
    }
}

/// States whether the child that is ticked next has ended before and was not reset since.
pub(crate) fn retain(has_ended: bool) {
    RETAINED.set(has_ended);
}

/// Returns `true` if the node that is ticked has ended before and was not reset since.
#[cfg(feature = "nav2")]
pub(crate) fn is_retained() -> bool {
    RETAINED.take()
}

/// Ticks a child.
pub(crate) fn tick<C: ?Sized>(children: &mut impl Children<C>, child: usize, ctx: &mut C) -> Ticked {
    forget();
    match children.tick(child, ctx) {
        Status::Failure if is_skipped() => Ticked::Skipped,
        status => Ticked::As(status),
    }
}

/// Returns the status of a node that is skipped.
pub(crate) fn skip() -> Status {
    SKIPPED.set(true);
    SKIPS.set(SKIPS.get().wrapping_add(1));
    Status::Failure
}

/// Returns `true` if the last node that has failed may have been skipped, for an observer: the node above still has to see it.
pub fn is_skipping() -> bool {
    SKIPPED.get()
}

/// Returns the number of nodes that were skipped on this thread so far.
pub fn skips() -> u64 {
    SKIPS.get()
}

/// Returns `true` if the child that has just failed was skipped.
pub(crate) fn is_skipped() -> bool {
    SKIPPED.take()
}

/// Forgets that another node was skipped, before a child is ticked.
pub(crate) fn forget() {
    SKIPPED.set(false);
}

/// Returns the outcome of a node that cannot do what it is for.
pub(crate) fn fault(reason: String) -> Outcome {
    FAULT.set(reason);
    Outcome::Error
}

/// Calls a function with the last reason.
pub(crate) fn show_fault(show: &mut dyn FnMut(&dyn fmt::Display)) {
    show(&FAULT.take());
}

/// Asks for another tick of the tree.
pub(crate) fn wake() {
    WOKEN.set(true);
}

/// The maximum number of ticks of [`tick_once`]. A file could block it otherwise, with `num_cycles="-1"`.
const MAX_TICKS: u32 = 10_000;

/// Ticks a tree as `Tree::tickOnce` of BehaviorTree.CPP does: again as long as it is running and one of its nodes asks for it, at most 10,000 times.
///
/// `Repeat`, `RetryUntilSuccessful`, `SequenceWithMemory`, `AsyncSequence` and `AsyncFallback` return `Running` between two children that end at once, so
/// that conditions before them are evaluated again. With a plain tick, which is `Tree::tickExactlyOnce`, the next child is ticked in the next tick of
/// the program.
///
/// ```
/// use bt_btcpp::{Nodes, XmlRegistry, tick_once};
/// use bt_core::prelude::*;
/// use bt_dynamic::Registry;
///
/// let mut registry = Registry::<Board>::new();
/// Nodes::new().add_to(&mut registry);
/// let tree = registry.load_xml(r#"<root BTCPP_format="4"><BehaviorTree ID="Main">
///     <Repeat num_cycles="3"><AlwaysSuccess/></Repeat>
/// </BehaviorTree></root>"#)?;
///
/// let (mut board, mut memory) = (Board::new(), tree.memory());
/// assert_eq!(tree.tick(&mut board, &mut memory), Status::Running);
/// assert_eq!(tick_once(|| tree.tick(&mut board, &mut memory)), Status::Success);
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
pub fn tick_once(mut tick: impl FnMut() -> Status) -> Status {
    for _ in 0..MAX_TICKS {
        WOKEN.set(false);
        let status = tick();
        if status != Status::Running || !WOKEN.take() {
            return status;
        }
    }
    Status::Running
}
