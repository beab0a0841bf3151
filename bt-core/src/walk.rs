//! A walk over the state of a tree: every node passes its own state to a visitor, in pre-order.

use core::fmt;

use crate::clock::Shift;
use crate::id::NodeId;
use crate::status::Never;

/// Evaluates an expression over the two parts of a state, which are shared or exclusive references. It is compiled for each
/// of both, so it takes the parts apart by patterns, which do not differ.
macro_rules! each_way {
    ($state:expr, |$open:pat_param, $kept:pat_param| $body:expr) => {
        match $state {
            $crate::walk::NodeState::Shared($open, $kept) => $body,
            $crate::walk::NodeState::Exclusive($open, $kept) => $body,
        }
    };
}

pub(crate) use each_way;

/// The state of a node and of the nodes below it, by shared or by exclusive reference: the open state if the node is running,
/// and the kept state. The argument of [`NodeShape::walk`](crate::NodeShape::walk).
///
/// A node without nodes below it passes the whole state to the visitor: with [`visit`](Self::visit) or, if the state contains
/// moments, with [`visit_timed`](Self::visit_timed).
#[derive(Debug)]
pub enum NodeState<'a, Open, Kept> {
    /// The state can be read.
    #[doc(hidden)]
    Shared(Option<&'a Open>, &'a Kept),
    /// The state can be changed.
    #[doc(hidden)]
    Exclusive(Option<&'a mut Open>, &'a mut Kept),
}

#[doc(hidden)]
impl<'a, Open, Kept> From<(Option<&'a Open>, &'a Kept)> for NodeState<'a, Open, Kept> {
    fn from((open, kept): (Option<&'a Open>, &'a Kept)) -> Self {
        Self::Shared(open, kept)
    }
}

#[doc(hidden)]
impl<'a, Open, Kept> From<(Option<&'a mut Open>, &'a mut Kept)> for NodeState<'a, Open, Kept> {
    fn from((open, kept): (Option<&'a mut Open>, &'a mut Kept)) -> Self {
        Self::Exclusive(open, kept)
    }
}

/// The kept state of a node that is not running between ticks, such as a guard.
pub type KeptState<'a, Kept> = NodeState<'a, Never, Kept>;

impl<'a, Kept> From<&'a Kept> for KeptState<'a, Kept> {
    fn from(kept: &'a Kept) -> Self {
        Self::Shared(None, kept)
    }
}

impl<'a, Kept> From<&'a mut Kept> for KeptState<'a, Kept> {
    fn from(kept: &'a mut Kept) -> Self {
        Self::Exclusive(None, kept)
    }
}

impl<'a, Kept> KeptState<'a, Kept> {
    /// Returns the state of a node that is not running and could have an open state.
    #[doc(hidden)]
    pub fn idle<Open>(self) -> NodeState<'a, Open, Kept> {
        each_way!(self, |_, kept| (None, kept).into())
    }
}

impl<Open, Kept> NodeState<'_, Open, Kept> {
    /// The size of the state.
    const BYTES: StateBytes = StateBytes { open: size_of::<Open>(), kept: size_of::<Kept>() };

    /// Returns `true` if the node is running.
    #[doc(hidden)]
    pub const fn is_running(&self) -> bool {
        match self {
            Self::Shared(open, _) => open.is_some(),
            Self::Exclusive(open, _) => open.is_some(),
        }
    }

    /// Returns the kept state.
    #[doc(hidden)]
    pub const fn kept(&self) -> &Kept {
        match self {
            Self::Shared(_, kept) => kept,
            Self::Exclusive(_, kept) => kept,
        }
    }

    /// Passes the state to a visitor, as the own state of this node. The state contains no moments.
    pub fn visit(self, at: NodeId, visitor: &mut dyn StateVisitor) {
        visitor.node(at, OwnState::new(Self::BYTES));
    }

    /// Passes the state to a visitor, as the own state of this node. The function converts the moments in it to another
    /// clock.
    pub fn visit_timed(
        self,
        at: NodeId,
        visitor: &mut dyn StateVisitor,
        shift: impl Fn(Option<&mut Open>, &mut Kept, Shift),
    ) {
        let own = OwnState::new(Self::BYTES);
        match self {
            Self::Shared(..) => visitor.node(at, own),
            Self::Exclusive(mut open, kept) => {
                visitor.node(at, own.timed(&mut |by| shift(open.as_deref_mut(), kept, by)));
            }
        }
    }
}

/// An operation on the state of each node of a tree, passed to [`Tree::visit_state`](crate::Tree::visit_state).
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::protocol::{OwnState, StateVisitor};
///
/// /// Finds the machines that are running.
/// struct Machines(Vec<(NodeId, usize)>);
///
/// impl StateVisitor for Machines {
///     fn node(&mut self, at: NodeId, own: OwnState<'_>) {
///         self.0.extend(own.machine.map(|state| (at, state)));
///     }
/// }
///
/// let tree = tree! { for (): sequence { succeed, machine { state a { run, succeed -> b } state b { run } } } };
/// let (mut memory, mut machines) = (tree.memory(), Machines(vec![]));
/// tree.tick(&mut (), &mut memory);
/// tree.visit_state(&memory, &mut machines);
/// assert_eq!(machines.0, [(NodeId::new(2), 1)]);
/// ```
pub trait StateVisitor {
    /// Called with an own state of a node, without the states of the nodes below it.
    ///
    /// A node can have several own states, with the same id: a composite has the state of its rule and the index of the running
    /// child, and a box has its own state and the state of the node in it.
    #[doc(hidden)]
    fn node(&mut self, at: NodeId, own: OwnState<'_>);

    /// Returns `true` if the visitor only finds cleanups that halts have left running. A walk then leaves out a subtree without any, and a
    /// tree that finds them faster calls [`node`](Self::node) once.
    #[doc(hidden)]
    fn finds_left(&self) -> bool {
        false
    }
}

/// The own state of a node, without the states of the nodes below it.
#[doc(hidden)]
pub struct OwnState<'a> {
    /// Its size.
    pub bytes: StateBytes,
    /// The index of the present state, if the node is a running machine.
    pub machine: Option<usize>,
    /// `true` if a halt has left the cleanup of the node: it is running, or waits.
    pub is_left: bool,
    /// Converts the moments in the state, if there are any and the state can be changed.
    times: Option<&'a mut dyn FnMut(Shift)>,
}

/// The size of a node's own state, in bytes. See [`Tree::bytes_by_node`](crate::Tree::bytes_by_node).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateBytes {
    /// The size of the state that exists while the node runs.
    pub open: usize,
    /// The size of the state that is kept across runs.
    pub kept: usize,
}

impl<'a> OwnState<'a> {
    /// Creates a state of this size, without moments.
    pub const fn new(bytes: StateBytes) -> Self {
        Self { bytes, machine: None, is_left: false, times: None }
    }

    /// Creates the state of a node that stores nothing.
    pub const fn nothing() -> Self {
        Self::new(StateBytes { open: 0, kept: 0 })
    }

    /// Creates a state that has this size in bytes while the node runs, without moments.
    pub const fn while_running(bytes: usize) -> Self {
        Self::new(StateBytes { open: bytes, kept: 0 })
    }

    /// Sets the present state of a machine.
    #[must_use]
    pub const fn in_state(self, machine: Option<usize>) -> Self {
        Self { machine, ..self }
    }

    /// Sets whether a halt has left the cleanup of the node: it is running, or waits.
    #[must_use]
    pub const fn left(self, is_left: bool) -> Self {
        Self { is_left, ..self }
    }

    /// Sets the function that converts the moments in the state to another clock.
    #[must_use]
    pub fn timed(self, times: &'a mut dyn FnMut(Shift)) -> Self {
        Self { times: Some(times), ..self }
    }

    /// Converts the moments in the state to another clock. Does nothing in a walk that only reads.
    pub fn shift(self, by: Shift) {
        if let Some(times) = self.times {
            times(by);
        }
    }
}

impl fmt::Debug for OwnState<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, machine, is_left, times } = self;
        let times = times.is_some();
        let mut out = out.debug_struct("OwnState");
        out.field("bytes", bytes).field("machine", machine).field("is_left", is_left).field("times", &times).finish()
    }
}

/// Converts the moments of all nodes to another clock.
pub(crate) struct Shifting(pub(crate) Shift);

impl StateVisitor for Shifting {
    fn node(&mut self, _: NodeId, own: OwnState<'_>) {
        own.shift(self.0);
    }
}

/// Returns `true` if this walk passes a node whose cleanup a halt has left: it is running, or waits.
#[inline(always)]
pub fn any_left(walk: impl FnOnce(&mut dyn StateVisitor)) -> bool {
    let mut left = IsLeft(false);
    walk(&mut left);
    left.0
}

/// Finds whether a halt has left a cleanup.
struct IsLeft(bool);

impl StateVisitor for IsLeft {
    fn node(&mut self, _: NodeId, own: OwnState<'_>) {
        self.0 |= own.is_left;
    }

    fn finds_left(&self) -> bool {
        true
    }
}

/// Adds up the bytes of each node, by its id.
#[cfg(feature = "alloc")]
pub(crate) struct ByNode(pub(crate) alloc::vec::Vec<StateBytes>);

#[cfg(feature = "alloc")]
impl StateVisitor for ByNode {
    fn node(&mut self, at: NodeId, own: OwnState<'_>) {
        if let Some(bytes) = self.0.get_mut(at.index()) {
            bytes.open += own.bytes.open;
            bytes.kept += own.bytes.kept;
        }
    }
}
