//! Leaves whose states are not part of saves.

use core::any::{Any, type_name};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::describe::Visitor;
use crate::facts::Facts;
use crate::id::NodeId;
use crate::leaf::IntoNode;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// Wraps a leaf so that its state need not implement serde's traits. The leaf behaves the same.
///
/// A tree with such a leaf implements [`Save`](crate::Save), but saving a memory is an error while the leaf has state. A running
/// leaf has state. State that is kept across runs exists from the start or, in a loaded tree, from the first run. Loading such
/// state is an error too. In a loaded tree, the error names the leaf as registered. A leaf without state needs no `unsaved`.
///
/// An exploration compares states in their saved form, so it cannot continue while such a leaf has state.
///
/// ```
/// use bt_core::leaf::unsaved;
/// use bt_core::prelude::*;
/// use std::time::Instant;
///
/// struct Fetch;
///
/// #[leaf]
/// impl Leaf<bool> for Fetch {
///     type Open = Instant;                                      // does not implement `Serialize`
///     fn open(&self, _: &mut bool) -> Instant { Instant::now() }
///     fn tick(&self, _: &mut Instant, arrived: &mut bool) -> Status {
///         if *arrived { Status::Success } else { Status::Running }
///     }
/// }
///
/// fn tree() -> impl Node<bool> + Save { tree! { unsaved(Fetch) } }
///
/// let (tree, mut arrived) = (tree(), false);
/// let mut memory = tree.memory();
/// tree.tick(&mut arrived, &mut memory);
/// let error = serde_json::to_string(&tree.saved(&memory)).unwrap_err();
/// assert_eq!(error.to_string(), "a state of the type `std::time::Instant` cannot be saved: its leaf is `unsaved`");
///
/// arrived = true;
/// tree.tick(&mut arrived, &mut memory);
/// assert!(serde_json::to_string(&tree.saved(&memory)).is_ok());
/// ```
pub const fn unsaved<L>(leaf: L) -> UnsavedLeaf<L> {
    UnsavedLeaf(leaf)
}

/// A value that becomes an [`Unsaved`] node.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct UnsavedLeaf<L>(L);

/// Marks values that become an [`Unsaved`] node.
#[doc(hidden)]
pub struct IsUnsaved<M>(M);

#[diagnostic::do_not_recommend]
impl<C: ?Sized, M, L: IntoNode<C, M>> IntoNode<C, IsUnsaved<M>> for UnsavedLeaf<L> {
    type Node = Unsaved<L::Node>;

    fn into_node(self) -> Unsaved<L::Node> {
        Unsaved(self.0.into_node())
    }
}

/// The node of an [`unsaved`] leaf: `registry.add::<Unsaved<fetch>>("Fetch")`.
#[derive(Clone, Copy, Debug)]
pub struct Unsaved<N>(pub(crate) N);

/// A state that is not part of saves.
#[derive(Clone, Default)]
#[doc(hidden)]
pub struct UnsavedState<T>(T);

impl<N: NodeShape> NodeShape for Unsaved<N> {
    type Open = UnsavedState<N::Open>;
    type Kept = UnsavedState<N::Kept>;
    const RETURNS: Outcomes = N::RETURNS;
    const FACTS: Facts = N::FACTS;
    const COUNT: Option<u32> = N::COUNT;
    const RESTARTS: bool = N::RESTARTS;
    const IS_SAVED: bool = false;
    const DOC: &'static str = N::DOC;

    fn count(&self) -> u32 {
        self.0.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        let state = match state {
            NodeState::Shared(open, kept) => NodeState::Shared(open.map(|open| &open.0), &kept.0),
            NodeState::Exclusive(open, kept) => NodeState::Exclusive(open.map(|open| &mut open.0), &mut kept.0),
        };
        self.0.walk(at, state, visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe(visitor);
    }
}

impl<C: ?Sized, N: Node<C>> Node<C> for Unsaved<N> {
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        self.0.start(at, &mut kept.0, visit).map(UnsavedState)
    }

    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.0.resume(at, &mut open.0, &mut kept.0, visit)
    }

    fn open_replaced(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, ()>) -> Option<Self::Open> {
        self.0.open_replaced(at, &mut kept.0, visit).map(UnsavedState)
    }

    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.0.interrupt(at, &mut open.0, &mut kept.0, how, visit);
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.0.visit_cleanups(at, &mut kept.0, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.0.wake_cleanups(&kept.0, visit)
    }

    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.0.wake(&open.0, &kept.0, visit)
    }

    fn foresee(&self, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        self.0.foresee(&kept.0, ctx, event)
    }
}

/// A state that is a unit is not lost.
impl<T: Any> Serialize for UnsavedState<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        if (&self.0 as &dyn Any).is::<()>() {
            return out.serialize_unit();
        }
        Err(S::Error::custom(format_args!(
            "a state of the type `{}` cannot be saved: its leaf is `unsaved`",
            type_name::<T>()
        )))
    }
}

impl<'de, T: Any + Clone> Deserialize<'de> for UnsavedState<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        if let Some(unit) = (&() as &dyn Any).downcast_ref::<T>() {
            return <()>::deserialize(input).map(|()| Self(unit.clone()));
        }
        Err(D::Error::custom(format_args!(
            "a state of the type `{}` cannot be loaded: its leaf is `unsaved`",
            type_name::<T>()
        )))
    }
}
