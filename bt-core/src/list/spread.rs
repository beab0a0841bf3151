//! Children in a container: `..patrols` in a list of children.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::describe::{SourceNode, StateType, Visitor};
use crate::facts::{ChildFacts, Facts};
use crate::id::NodeId;
use crate::leaf::IntoNode;
use crate::list::{ChildState, Each, Elements, Flow, List, ListShape};
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Outcome, Status, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// A container of children: an `Option`, an array or a `Vec` of nodes. `tree!` creates it for `..expression`; a composite
/// treats its nodes as children of its own.
#[derive(Clone, Copy, Debug)]
pub struct Spread<S>(S);

/// A value that `..` can put into a list of children.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be spread into a list of children over `{C}`",
    label = "not an `Option`, an array or a `Vec` of nodes over `{C}`",
    note = "collect an iterator first: `..nodes.collect::<Vec<_>>()`; nodes of several types need `boxed`"
)]
pub trait IntoSpread<C: ?Sized, M> {
    /// The container of nodes.
    type Nodes: Elements;
    /// Converts each element to a node.
    fn spread(_: crate::leaf::Context<C>, value: Self) -> Spread<Self::Nodes>;
}

impl<C: ?Sized, M, T: IntoNode<C, M>> IntoSpread<C, M> for Option<T> {
    type Nodes = Option<T::Node>;

    fn spread(_: crate::leaf::Context<C>, value: Self) -> Spread<Self::Nodes> {
        Spread(value.map(IntoNode::into_node))
    }
}

impl<C: ?Sized, M, T: IntoNode<C, M>, const N: usize> IntoSpread<C, M> for [T; N] {
    type Nodes = [T::Node; N];

    fn spread(_: crate::leaf::Context<C>, value: Self) -> Spread<Self::Nodes> {
        Spread(value.map(IntoNode::into_node))
    }
}

#[cfg(feature = "alloc")]
impl<C: ?Sized, M, T: IntoNode<C, M>> IntoSpread<C, M> for Vec<T> {
    type Nodes = Vec<T::Node>;

    fn spread(_: crate::leaf::Context<C>, value: Self) -> Spread<Self::Nodes> {
        Spread(value.into_iter().map(IntoNode::into_node).collect())
    }
}

/// The open state of a container while one of its children is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenSpread<O> {
    child: u32,
    open: O,
}

/// The state that the children of a container keep across runs.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeptSpread<E>(E);

impl<E: Each> Default for KeptSpread<E>
where
    E::Item: Default,
{
    fn default() -> Self {
        // A container whose length is not part of its type grows when it is first used.
        Self(E::filled(0, Default::default))
    }
}

/// The state of each child of a container in a parallel.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SlotsSpread<E>(E);

/// A set of children of a container.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SetSpread<E>(E);

impl<E: Each<Item = bool>> Default for SetSpread<E> {
    fn default() -> Self {
        Self(E::filled(0, || false))
    }
}

type Open<S> = <<S as Elements>::Node as NodeShape>::Open;
type Kept<S> = <<S as Elements>::Node as NodeShape>::Kept;

/// Returns the position of a child in its stored form.
fn stored(child: usize) -> u32 {
    u32::try_from(child).unwrap_or(u32::MAX)
}

impl<S: Elements> Spread<S> {
    fn nodes(&self) -> &[S::Node] {
        self.0.nodes()
    }

    /// Returns the children with their ids and the state that they keep.
    fn with_ids<'a>(
        &'a self,
        first: NodeId,
        kept: &'a mut KeptSpread<S::Each<Kept<S>>>,
    ) -> impl Iterator<Item = (NodeId, &'a S::Node, &'a mut Kept<S>)> {
        let (nodes, mut at) = (self.nodes(), first);
        nodes.iter().zip(kept.0.grown(nodes.len(), Default::default)).map(move |(node, kept)| {
            let this = at;
            at = at.after(node);
            (this, node, kept)
        })
    }

    /// Returns the number of nodes in the children before this one.
    fn before(&self, child: usize) -> u32 {
        match S::Node::COUNT {
            Some(count) => count * stored(child),
            None => self.nodes()[..child].iter().map(NodeShape::count).sum(),
        }
    }

    /// Walks over the children by shared reference. `open` returns the open state of a running child.
    fn read<'a>(
        &self,
        mut at: NodeId,
        open: impl Fn(usize) -> Option<&'a Open<S>>,
        kept: &KeptSpread<S::Each<Kept<S>>>,
        visitor: &mut dyn StateVisitor,
    ) {
        for (child, node) in self.nodes().iter().enumerate() {
            let _ = self.with(child, kept, |node, kept| node.walk(at, (open(child), kept).into(), visitor));
            at = at.after(node);
        }
    }

    /// Walks over the children by exclusive reference. `open` is called for each child in order.
    fn change<'a>(
        &self,
        at: NodeId,
        mut open: impl FnMut(usize) -> Option<&'a mut Open<S>>,
        kept: &mut KeptSpread<S::Each<Kept<S>>>,
        visitor: &mut dyn StateVisitor,
    ) {
        for (child, (at, node, kept)) in self.with_ids(at, kept).enumerate() {
            node.walk(at, (open(child), kept).into(), visitor);
        }
    }

    /// Calls a function with a child and the state that it keeps; returns `None` if there is no such child.
    fn with<R>(
        &self,
        child: usize,
        kept: &KeptSpread<S::Each<Kept<S>>>,
        call: impl FnOnce(&S::Node, &Kept<S>) -> R,
    ) -> Option<R> {
        let node = self.nodes().get(child)?;
        Some(match kept.0.items().get(child) {
            Some(kept) => call(node, kept),
            None => call(node, &Default::default()),
        })
    }

    /// Returns one child with its id and the state that it keeps; `None` if there is no such child.
    fn one<'a>(
        &'a self,
        child: usize,
        first: NodeId,
        kept: &'a mut KeptSpread<S::Each<Kept<S>>>,
    ) -> Option<(NodeId, &'a S::Node, &'a mut Kept<S>)> {
        let nodes = self.nodes();
        let node = nodes.get(child)?;
        let before = self.before(child);
        let kept = kept.0.grown(nodes.len(), Default::default).get_mut(child)?;
        Some((first.skip(before), node, kept))
    }
}

impl<S: Elements> ListShape for Spread<S> {
    type Open = OpenSpread<<S::Node as NodeShape>::Open>;
    type Slots = SlotsSpread<S::Each<ChildState<<S::Node as NodeShape>::Open>>>;
    type Kept = KeptSpread<S::Each<Kept<S>>>;
    type Set = SetSpread<S::Each<bool>>;

    const LEN: Option<usize> = S::LEN;
    const ENTRIES: usize = 1;
    const EACH: ChildFacts = ChildFacts::These(&[&const {
        // With an unknown number of children, none of them may be there.
        let none = match S::LEN {
            Some(1..) => Outcomes::NONE,
            Some(0) | None => Outcomes::SUCCESS.or(Outcomes::FAILURE),
        };
        let returns = S::Node::RETURNS.or(none);
        let facts = if matches!(S::LEN, Some(1)) { Facts::parameter(returns) } else { Facts::spread(returns) };
        facts.and_cleans_up(S::Node::FACTS.cleans_up)
    }]);
    const COUNT: Option<u32> = match (S::LEN, S::Node::COUNT) {
        #[expect(clippy::cast_possible_truncation, reason = "a tree with more nodes does not fit into memory")]
        (Some(len), Some(count)) => Some(len as u32 * count),
        _ => None,
    };
    const RESTARTS: bool = S::Node::RESTARTS;

    #[inline(always)]
    fn len(&self) -> usize {
        match S::LEN {
            Some(len) => len,
            None => self.nodes().len(),
        }
    }

    fn id_of(&self, child: usize, at: NodeId) -> NodeId {
        self.nodes().iter().take(child).fold(at, NodeId::after)
    }

    #[inline]
    fn count(&self) -> u32 {
        match (Self::COUNT, S::Node::COUNT) {
            (Some(count), _) => count,
            (None, Some(count)) => count * stored(self.len()),
            (None, None) => self.nodes().iter().map(NodeShape::count).sum(),
        }
    }

    fn has(&self, set: &Self::Set, child: usize) -> bool {
        set.0.items().get(child).copied().unwrap_or(false)
    }

    fn put(&self, set: &mut Self::Set, child: usize) {
        if let Some(is_in) = set.0.grown(self.len(), || false).get_mut(child) {
            *is_in = true;
        }
    }

    #[inline(always)]
    fn running(&self, open: &Self::Open) -> usize {
        // A save may have been edited.
        (open.child as usize).min(self.len().saturating_sub(1))
    }

    #[inline(always)]
    fn is_running(&self, slots: &Self::Slots, child: usize) -> bool {
        slots.0.items().get(child).is_some_and(ChildState::is_running)
    }

    fn closed(&self) -> Self::Slots {
        SlotsSpread(Each::filled(self.len(), || ChildState::Closed))
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        match state {
            NodeState::Shared(open, kept) => {
                let running = open.map(|open| (self.running(open), &open.open));
                let open = |child| running.filter(|(running, _)| *running == child).map(|(_, open)| open);
                self.read(at, open, kept, visitor);
            }
            NodeState::Exclusive(open, kept) => {
                let mut running = open.map(|open| (self.running(open), &mut open.open));
                let open = |child| running.take_if(|(running, _)| *running == child).map(|(_, open)| open);
                self.change(at, open, kept, visitor);
            }
        }
    }

    fn walk_all(&self, at: NodeId, state: NodeState<'_, Self::Slots, Self::Kept>, visitor: &mut dyn StateVisitor) {
        match state {
            NodeState::Shared(slots, kept) => {
                let open = |child| match slots?.0.items().get(child)? {
                    ChildState::Running(open) => Some(open),
                    ChildState::Closed => None,
                };
                self.read(at, open, kept, visitor);
            }
            NodeState::Exclusive(slots, kept) => {
                let mut slots = slots.map(|slots| slots.0.grown(self.len(), || ChildState::Closed).iter_mut());
                let open = |_| match slots.as_mut()?.next()? {
                    ChildState::Running(open) => Some(open),
                    ChildState::Closed => None,
                };
                self.change(at, open, kept, visitor);
            }
        }
    }

    fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor) {
        // A save of the children in a container has another form than one of the same children in a tuple.
        visitor.state(StateType::of::<S::Each<()>>());
        for node in self.nodes() {
            visitor.child(sources, 0, node);
        }
    }
}

impl<C: ?Sized, S: Elements<Node: Node<C>>> List<C> for Spread<S> {
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.with(self.running(open), kept, |node, kept| node.wake(&open.open, kept, visit)).unwrap_or(Wake::Next)
    }

    fn wake_all(&self, slots: &Self::Slots, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let mut wake = Wake::Event;
        for (child, slot) in slots.0.items().iter().enumerate() {
            if let ChildState::Running(open) = slot {
                let until = self.with(child, kept, |node, kept| node.wake(open, kept, visit));
                wake = wake.earliest(until.unwrap_or(Wake::Next));
            }
        }
        wake
    }

    fn foresee_one(&self, child: usize, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        self.with(child, kept, |node, kept| node.foresee(kept, ctx, event))?
    }

    #[inline]
    fn start<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open> {
        for (child, (at, node, kept)) in self.with_ids(at, kept).enumerate() {
            match visit::start(node, at, kept, visit) {
                Step::Running(open) => return Step::Running(OpenSpread { child: stored(child), open }),
                Step::Done(outcome) if outcome != F::PASS => return Step::Done(outcome),
                Step::Done(_) => {}
            }
        }
        Step::Done(F::PASS)
    }

    #[inline]
    fn resume<F: Flow, O: Observer>(
        &self,
        first: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let running = self.running(open);
        let begin = if F::HAS_MEMORY { running } else { 0 };
        for child in begin..self.len() {
            let Some((at, node, kept_of)) = self.one(child, first, kept) else { break };
            if child == running {
                match visit::resume(node, at, &mut open.open, kept_of, visit) {
                    Step::Running(()) => return Step::Running(()),
                    Step::Done(outcome) if outcome != F::PASS => return Step::Done(outcome),
                    Step::Done(_) => continue,
                }
            }
            let step = visit::start(node, at, kept_of, visit);
            if matches!(step, Step::Done(outcome) if outcome == F::PASS) {
                continue;
            }
            // Tick the preempting child first, then halt the running one.
            if running > child {
                self.interrupt_one(first, open, kept, Interrupt::after(&step), visit);
            }
            return step.map(|opened| *open = OpenSpread { child: stored(child), open: opened });
        }
        Step::Done(F::PASS)
    }

    #[inline]
    fn start_first<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open> {
        self.start_one(0, at, kept, visit).unwrap_or(Step::Done(Outcome::Failure))
    }

    #[inline]
    fn start_one<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<Self::Open>> {
        let (at, node, kept) = self.one(child, at, kept)?;
        Some(visit::start(node, at, kept, visit).map(|open| OpenSpread { child: stored(child), open }))
    }

    #[inline]
    fn resume_one<const OPENING: bool, O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match self.one(self.running(open), at, kept) {
            Some((at, node, kept)) => {
                visit::resume_child::<OPENING, C, S::Node, O>(node, at, &mut open.open, kept, visit)
            }
            None => Step::Done(Outcome::Failure),
        }
    }

    #[inline]
    fn interrupt_one<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        if let Some((at, node, kept)) = self.one(self.running(open), at, kept) {
            visit::interrupt(node, at, &mut open.open, kept, how, visit);
        }
    }

    #[inline]
    fn tick_slot<const OPENING: bool, O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<()>> {
        let (at, node, kept) = self.one(child, at, kept)?;
        let slot = slots.0.grown(self.len(), || ChildState::Closed).get_mut(child)?;
        Some(slot.tick::<OPENING, C, S::Node, O>(node, at, kept, visit))
    }

    #[inline]
    fn tick_rest<const OPENING: bool, R, O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        set: &mut Self::Set,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
        decide: &mut impl FnMut(Status) -> Option<R>,
    ) -> Option<R> {
        let len = self.len();
        let states = slots.0.grown(len, || ChildState::Closed).iter_mut().zip(set.0.grown(len, || false));
        for ((at, node, kept), (slot, is_in)) in self.with_ids(at, kept).zip(states) {
            if !*is_in {
                let status = slot.tick::<OPENING, C, S::Node, O>(node, at, kept, visit).status();
                *is_in = status.is_done();
                if let Some(decided) = decide(status) {
                    return Some(decided);
                }
            }
        }
        None
    }

    #[inline]
    fn halt_slot<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        let Some((at, node, kept)) = self.one(child, at, kept) else { return };
        if let Some(slot) = slots.0.grown(self.len(), || ChildState::Closed).get_mut(child) {
            slot.halt(node, at, kept, visit);
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        for (at, node, kept) in self.with_ids(at, kept) {
            visit::cleanups(node, at, kept, how, visit);
        }
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        (0..self.len()).fold(Wake::Event, |wake, child| {
            let of_child = self.with(child, kept, |node, kept| visit::wake_of_cleanups(node, kept, visit));
            wake.earliest(of_child.unwrap_or(Wake::Event))
        })
    }

    #[inline]
    fn interrupt_all<O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        let slots = slots.0.grown(self.len(), || ChildState::Closed);
        for ((at, node, kept), slot) in self.with_ids(at, kept).zip(slots) {
            if let ChildState::Running(open) = slot {
                visit::interrupt(node, at, open, kept, how, visit);
            }
        }
    }
}
