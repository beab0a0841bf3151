//! Type-erased custom decorators.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use bt_core::decorator::{Decorator, DecoratorShape, Gate, StatusMap};
use bt_core::describe::{Param, StateType};
use bt_core::engine::{ErasedState, KeptState, State, Then, after, gate, is_checked};
use bt_core::{
    Cause, End, NodeId, Shift, Status, Wake,
    protocol::{Foreseen, NodeState, StateVisitor},
};

use crate::nodes::leaf_state::Stored;
use crate::nodes::shape::PolicyShape;
use bt_core::{ContextOf, Contexts};

/// A decorator whose state can be saved.
pub(crate) trait SavedPolicy:
    DecoratorShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>
{
}

impl<P: DecoratorShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>> SavedPolicy for P {}

/// The type-erased interface of a decorator.
pub(crate) trait Policy<F: Contexts>: PolicyShape {
    /// Calls the decorator before a tick of its child, with a new state if `opening`.
    fn gate(&self, opening: bool, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> Gate<()>;
    /// Calls the decorator after a tick of its child.
    fn after(&self, child: Status, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> Then;
    /// Calls a function with the reason why the decorator has returned `Error`.
    fn reason(&self, ctx: &ContextOf<'_, '_, F>, show: &mut dyn FnMut(&dyn fmt::Display));
    /// Opens the decorator around a running child. Returns `false` if it would not have started the child.
    fn adopt(&self, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool;
    fn close(&self, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>, end: End);
}

/// A boxed decorator.
pub(crate) type AnyPolicy<F> = Box<dyn Policy<F> + Send + Sync>;

/// A policy or rule of a known type.
pub(crate) struct Typed<P>(pub(crate) P);

/// The state of a custom decorator or composite.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Parts<O, K> {
    pub(crate) open: O,
    pub(crate) kept: K,
}

impl<O: Stored + Default, K: Stored + Default> State for Parts<O, K> {
    fn clone_box(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }

    fn to_value(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    fn load(&mut self, value: &Value) -> serde_json::Result<()> {
        *self = Self::deserialize(value)?;
        Ok(())
    }
}

/// Passes the state of a custom decorator or composite to a visitor. By exclusive reference, it also clears the open state of
/// a node that is not running.
pub(crate) fn walk_parts<O: Stored + Default, K: Stored + Default>(
    at: NodeId,
    is_open: bool,
    slot: KeptState<'_, ErasedState>,
    visitor: &mut dyn StateVisitor,
    shift: impl Fn(Option<&mut O>, &mut K, Shift),
) {
    match slot {
        KeptState::Shared(_, slot) => {
            let new;
            let Parts { open, kept } = match slot.get::<Parts<O, K>>() {
                Some(parts) => parts,
                // There is none yet, or it is loaded and has not been used. Only the size is of interest.
                None => {
                    new = Parts::default();
                    &new
                }
            };
            NodeState::from((is_open.then_some(open), kept)).visit_timed(at, visitor, shift);
        }
        KeptState::Exclusive(_, ErasedState::Empty) => {}
        KeptState::Exclusive(_, slot) => {
            let Parts { open, kept } = slot.state::<Parts<O, K>>();
            if !is_open {
                *open = O::default();
            }
            NodeState::from((is_open.then_some(open), kept)).visit_timed(at, visitor, shift);
        }
    }
}

impl<P: SavedPolicy> PolicyShape for Typed<P> {
    fn walk(&self, at: NodeId, is_open: bool, slot: KeptState<'_, ErasedState>, visitor: &mut dyn StateVisitor) {
        walk_parts(at, is_open, slot, visitor, |open, kept, by| self.0.shift(open, kept, by));
    }

    fn wake(&self, slot: &ErasedState, child: Option<Wake>) -> Wake {
        let parts = slot.get::<Parts<P::Open, P::Kept>>();
        parts.map_or(Wake::Next, |Parts { open, kept }| self.0.wake(open, kept, child))
    }

    fn foresee(&self, slot: &ErasedState, child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        self.0.foresee(&slot.get::<Parts<P::Open, P::Kept>>()?.kept, child)
    }

    fn state(&self) -> StateType {
        StateType::of::<(P::Open, P::Kept)>()
    }

    fn returns(&self) -> StatusMap {
        P::RETURNS
    }

    fn is_checked(&self) -> bool {
        is_checked::<(P::Open, P::Kept)>(P::WORD)
    }

    fn forgets(&self) -> bool {
        P::FORGETS
    }

    fn cause(&self) -> Cause {
        P::CAUSE
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        self.0.params(show);
    }
}

impl<F: Contexts, P: SavedPolicy> Policy<F> for Typed<P>
where
    P: for<'x, 'y> Decorator<ContextOf<'x, 'y, F>>,
{
    fn gate(&self, opening: bool, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> Gate<()> {
        slot.with_state(|Parts { open, kept }| gate(&self.0, opening, (open, kept), ctx))
    }

    fn after(&self, child: Status, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> Then {
        slot.with_state(|Parts { open, kept }| after(&self.0, child, (open, kept), ctx))
    }

    fn reason(&self, ctx: &ContextOf<'_, '_, F>, show: &mut dyn FnMut(&dyn fmt::Display)) {
        self.0.reason(ctx, show);
    }

    fn adopt(&self, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        let Parts { open, kept } = slot.state::<Parts<P::Open, P::Kept>>();
        *open = P::Open::default();
        self.0.adopt(open, kept, ctx)
    }

    fn close(&self, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>, end: End) {
        slot.with_state(|Parts { open, kept }| self.0.close(open, kept, ctx, end));
    }
}
