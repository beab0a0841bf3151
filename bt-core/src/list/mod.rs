//! Lists of children, and of states: tuples, longer lists, containers.

use crate::describe::{SourceNode, Visitor};
use crate::facts::ChildFacts;
use crate::id::NodeId;
use crate::node::Visit;
use crate::observer::Observer;
use crate::status::{CleanUp, Interrupt, Status, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

mod child_state;
mod each;
pub mod flow;
mod join;
mod spread;
mod tuple;

pub use child_state::ChildState;
pub use each::{Each, Elements, PerChild};
pub use flow::Flow;
pub use join::{Join, OpenJoin};
pub use spread::{IntoSpread, KeptSpread, OpenSpread, SetSpread, SlotsSpread, Spread};

/// The context-independent part of a list of nodes.
#[expect(clippy::len_without_is_empty, reason = "a list has at least one entry")]
pub trait ListShape {
    /// The open state while one child of the list is running: one variant per child.
    type Open: Clone + Send + Sync + 'static;
    /// The open state while any number of children may be running: one slot per child.
    type Slots: Clone + Send + Sync + 'static;
    /// The state that the children keep across runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// A set of children.
    type Set: Default + Clone + Send + Sync + 'static;

    /// The number of children; `None` if it is only known at run time.
    const LEN: Option<usize>;
    /// The number of entries in the source: a spread is one.
    const ENTRIES: usize;
    /// The facts about each child that are known at compile time.
    const EACH: ChildFacts;
    /// The number of nodes in all subtrees together; `None` if it is only known at run time.
    const COUNT: Option<u32>;
    /// `true` if every child [restarts](crate::NodeShape::RESTARTS).
    const RESTARTS: bool;

    /// Returns the number of children.
    fn len(&self) -> usize;
    /// Returns the number of nodes in all subtrees together.
    fn count(&self) -> u32;
    /// Returns the id of a child. `at` is the id of the first child, which is returned if there is no such child.
    fn id_of(&self, child: usize, at: NodeId) -> NodeId;
    /// Returns `true` if a child is in a set.
    fn has(&self, set: &Self::Set, child: usize) -> bool;
    /// Adds a child to a set.
    fn put(&self, set: &mut Self::Set, child: usize);
    /// Returns the index of the running child.
    fn running(&self, open: &Self::Open) -> usize;
    /// Returns `true` if this child is running.
    fn is_running(&self, slots: &Self::Slots, child: usize) -> bool;
    /// Returns slots without a running child.
    fn closed(&self) -> Self::Slots;
    /// Walks over all children, of which one may be running. See [`NodeShape::walk`](crate::NodeShape::walk).
    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Walks over all children, of which any number may be running. See [`NodeShape::walk`](crate::NodeShape::walk).
    fn walk_all(&self, at: NodeId, state: NodeState<'_, Self::Slots, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Describes each child to a visitor.
    fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// A list of nodes over the context `C`. In all methods, `at` is the id of the first node of the list.
pub trait List<C: ?Sized>: ListShape {
    /// Starts the children in order, until one does not return the outcome with which the flow continues.
    fn start<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open>;

    /// Makes one pass: starts the children before the running child (unless the flow has memory), resumes the running
    /// child, and starts the children after it.
    fn resume<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Starts the first child.
    fn start_first<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open>;

    /// Starts one child; returns `None` if there is no such child.
    fn start_one<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<Self::Open>>;

    /// Resumes the running child. `OPENING` is `true` if the parent starts in this tick.
    fn resume_one<const OPENING: bool, O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Ticks one child: resumes its run, or starts one. Another child that was running is halted: before the tick if `LEAVES` is
    /// `true`, otherwise after it, if this child is then running. Returns `None` if there is no such child. `OPENING` is `true`
    /// if the parent starts in this tick.
    #[inline(always)]
    fn tick_one<const OPENING: bool, const LEAVES: bool, O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        open: &mut Option<Self::Open>,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<()>> {
        if let Some(running) = open.as_mut().filter(|running| self.running(running) == child) {
            let step = self.resume_one::<OPENING, O>(at, running, kept, visit);
            if let Step::Done(_) = step {
                *open = None;
            }
            return Some(step);
        }
        if LEAVES && let Some(mut running) = open.take() {
            self.interrupt_one(at, &mut running, kept, Interrupt::PREEMPTED, visit);
        }
        let step = self.start_one(child, at, kept, visit)?;
        Some(step.map(|opened| {
            if !LEAVES && let Some(running) = open {
                self.interrupt_one(at, running, kept, Interrupt::PREEMPTED, visit);
            }
            *open = Some(opened);
        }))
    }

    /// Returns when the running child has to be ticked again.
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Returns when one of the running children has to be ticked again.
    fn wake_all(&self, slots: &Self::Slots, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Returns the [effect](Foreseen) of starting a child; `None` if there is no such child.
    fn foresee_one(&self, child: usize, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen;

    /// Interrupts the running child.
    fn interrupt_one<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    );

    /// Ticks one child: resumes its run, or starts one. Returns `None` if there is no such child. `OPENING` is `true` if the
    /// parent starts in this tick.
    fn tick_slot<const OPENING: bool, O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<()>>;

    /// Ticks each child that is not in the set, in order, and adds it to the set if it ends, until `decide` returns a value.
    /// Unrolled, a `mem_parallel` takes 42 instead of 126 instructions per tick. `OPENING` is `true` if the parent starts in this
    /// tick.
    fn tick_rest<const OPENING: bool, R, O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        set: &mut Self::Set,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
        decide: &mut impl FnMut(Status) -> Option<R>,
    ) -> Option<R>;

    /// Halts one child if it is running, so that its parent can turn to another.
    fn halt_slot<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    );

    /// Visits the cleanups in the children that a halt has left running. See [`Node::visit_cleanups`](crate::Node::visit_cleanups).
    fn visit_cleanups<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, how: CleanUp, visit: &mut Visit<'_, C, O>);

    /// Returns when one of the cleanups that [`visit_cleanups`](Self::visit_cleanups) visits has to be ticked again.
    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Interrupts the running children, in order.
    fn interrupt_all<O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    );
}
