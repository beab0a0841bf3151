//! Type-erased rules of composites: those of the vocabulary and those of the user.

use serde::Serialize;
use serde::de::DeserializeOwned;

use bt_core::composite::{Adopted, ChildCount, ChildWakes, Children, Composite, CompositeShape, Returns};
use bt_core::describe::{Param, StateType};
use bt_core::engine::{is_checked, tick_composite};
use bt_core::{
    End, NodeId, Status, Wake,
    protocol::{Foreseen, StateVisitor},
};

use crate::nodes::policy::{Parts, Typed, walk_parts};
use crate::nodes::shape::{RuleFlags, RuleShape};
use bt_core::engine::{ErasedState, KeptState};
use bt_core::{ContextOf, Contexts};

/// A composite whose state can be saved.
pub(crate) trait SavedRule:
    CompositeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>
{
}

impl<R: CompositeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>> SavedRule for R {}

/// The type-erased interface of a composite.
pub(crate) trait Rule<F: Contexts>: RuleShape {
    /// Calls the rule, with a new state if `opening`.
    fn tick<'x, 'y>(
        &self,
        opening: bool,
        children: &mut dyn Children<ContextOf<'x, 'y, F>>,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'x, 'y, F>,
    ) -> Status;
    fn close(&self, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>, end: End);
}

/// A boxed composite.
pub(crate) type AnyRule<F> = Box<dyn Rule<F> + Send + Sync>;

/// Returns a boxed composite.
pub(crate) fn rule<F: Contexts, R>(rule: R) -> AnyRule<F>
where
    R: SavedRule + Send + Sync + 'static,
    R: for<'x, 'y> Composite<ContextOf<'x, 'y, F>>,
{
    Box::new(Typed(rule))
}

impl<R: SavedRule> Typed<R> {
    /// Returns the state in a slot. A rule without state has no slot.
    #[inline(always)]
    fn parts<'s>(slot: &'s mut ErasedState, none: &'s mut Parts<R::Open, R::Kept>) -> &'s mut Parts<R::Open, R::Kept> {
        if size_of::<Parts<R::Open, R::Kept>>() == 0 { none } else { slot.state() }
    }

    /// Calls the rule, with a new state if `opening`.
    #[inline(always)]
    pub(crate) fn tick_over<C: ?Sized>(
        &self,
        opening: bool,
        children: &mut impl Children<C>,
        slot: &mut ErasedState,
        ctx: &mut C,
    ) -> Status
    where
        R: Composite<C>,
    {
        let mut none = Parts::default();
        let Parts { open, kept } = Self::parts(slot, &mut none);
        if opening {
            *open = R::Open::default();
        } else if let Some(outcome) = self.0.decided(open, children.len()) {
            return outcome.into();
        }
        tick_composite(&self.0, children, open, kept, ctx)
    }
}

impl<R: SavedRule> RuleShape for Typed<R> {
    fn walk(&self, at: NodeId, is_open: bool, slot: KeptState<'_, ErasedState>, visitor: &mut dyn StateVisitor) {
        walk_parts(at, is_open, slot, visitor, |open, kept, by| self.0.shift(open, kept, by));
    }

    fn wake(&self, slot: &ErasedState, children: &mut dyn ChildWakes) -> Wake {
        match slot.get::<Parts<R::Open, R::Kept>>() {
            Some(parts) => self.0.wake(&parts.open, &parts.kept, children),
            // A rule without state has no slot.
            None => self.0.wake(&R::Open::default(), &R::Kept::default(), children),
        }
    }

    fn foresee(&self, slot: &ErasedState, children: &mut dyn ChildWakes) -> Foreseen {
        match slot.get::<Parts<R::Open, R::Kept>>() {
            Some(parts) => self.0.foresee(&parts.kept, children),
            None => self.0.foresee(&R::Kept::default(), children),
        }
    }

    fn adopt(&self, slot: &mut ErasedState, children: &mut Adopted<'_>) -> bool {
        let mut none = Parts::default();
        let Parts { open, kept } = Self::parts(slot, &mut none);
        self.0.adopt(open, kept, children)
    }

    fn flags(&self) -> RuleFlags {
        RuleFlags::of::<R>()
    }

    fn has_state(&self) -> bool {
        size_of::<Parts<R::Open, R::Kept>>() > 0
    }

    fn children(&self) -> ChildCount {
        R::CHILDREN
    }

    fn returns(&self) -> Returns {
        R::RETURNS
    }

    fn is_checked(&self) -> bool {
        is_checked::<R::Kept>(R::WORD)
    }

    fn state(&self) -> StateType {
        StateType::of::<(R::Open, R::Kept)>()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        self.0.params(show);
    }
}

impl<F: Contexts, R: SavedRule> Rule<F> for Typed<R>
where
    R: for<'x, 'y> Composite<ContextOf<'x, 'y, F>>,
{
    fn tick<'x, 'y>(
        &self,
        opening: bool,
        mut children: &mut dyn Children<ContextOf<'x, 'y, F>>,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'x, 'y, F>,
    ) -> Status {
        self.tick_over(opening, &mut children, slot, ctx)
    }

    fn close(&self, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>, end: End) {
        let mut none = Parts::default();
        let Parts { open, kept } = Self::parts(slot, &mut none);
        self.0.close(open, kept, ctx, end);
        // Two memories with the same future are equal.
        *open = R::Open::default();
    }
}
