//! What the engine knows of the nodes of the user without their context.

use bt_core::composite::{Adopted, ChildCount, ChildWakes, CompositeShape, Marks, Returns, Running};
use bt_core::decorator::StatusMap;
use bt_core::describe::{Param, StateType, Visitor};
use bt_core::engine::{ErasedState, KeptState};
use bt_core::{
    Cause, Never, NodeId, NodeShape, Wake,
    protocol::{Foreseen, StateVisitor},
};

/// A leaf: any node of the user, including a static subtree. The defaults are for one without state and without nodes below it.
pub(crate) trait LeafShape {
    /// Returns `true` if the leaf has a state and needs a slot.
    fn has_state(&self) -> bool {
        false
    }
    /// Returns `true` if the leaf has state here that is not part of saves.
    fn is_unsaved(&self, _: &ErasedState) -> bool {
        false
    }
    /// Returns `true` if the leaf can be running after a tick.
    fn can_run(&self) -> bool;
    /// Walks over the state of the leaf, in its slot.
    fn walk(&self, _: NodeId, _: bool, _: KeptState<'_, ErasedState>, _: &mut dyn StateVisitor) {}
    /// Returns `true` if a cleanup in the leaf can continue after a halt.
    fn cleans_up(&self) -> bool {
        false
    }
    fn count(&self) -> u32 {
        1
    }
    fn describe(&self, visitor: &mut dyn Visitor);
}

/// A decorator of the user.
pub(crate) trait PolicyShape {
    fn walk(&self, at: NodeId, is_open: bool, slot: KeptState<'_, ErasedState>, visitor: &mut dyn StateVisitor);
    fn wake(&self, slot: &ErasedState, child: Option<Wake>) -> Wake;
    fn foresee(&self, slot: &ErasedState, child: &mut dyn FnMut() -> Foreseen) -> Foreseen;
    fn state(&self) -> StateType;
    /// Returns how its statuses follow from those of its child.
    fn returns(&self) -> StatusMap;
    /// Returns `true` if that is checked, with debug assertions.
    fn is_checked(&self) -> bool;
    /// Returns `true` if everything below forgets what it kept when a run starts.
    fn forgets(&self) -> bool;
    /// Returns the cause for which a running child is halted when the decorator ends.
    fn cause(&self) -> Cause;
    fn name(&self) -> &str;
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>]));
}

/// What the rule of a composite does with its children.
#[derive(Clone, Copy)]
pub(crate) struct RuleFlags {
    /// At most one child runs at once.
    pub(crate) is_one_at_a_time: bool,
    /// It marks children.
    pub(crate) has_marks: bool,
    /// Its marks last until the run ends.
    pub(crate) keeps_marks: bool,
}

impl RuleFlags {
    /// Returns what a rule of this type does.
    pub(crate) const fn of<R: CompositeShape>() -> Self {
        Self { is_one_at_a_time: R::Running::IS_ONE, has_marks: R::Marks::ARE_ON, keeps_marks: R::Marks::ARE_OPEN }
    }
}

/// The rule of a composite: one of the vocabulary, or one of the user.
pub(crate) trait RuleShape {
    fn walk(&self, at: NodeId, is_open: bool, slot: KeptState<'_, ErasedState>, visitor: &mut dyn StateVisitor);
    /// Returns when the composite, which is running, has to be ticked again.
    fn wake(&self, slot: &ErasedState, children: &mut dyn ChildWakes) -> Wake;
    /// Returns what starting the composite would do.
    fn foresee(&self, slot: &ErasedState, children: &mut dyn ChildWakes) -> Foreseen;
    /// Converts the state after the children have changed. Returns `false` if the composite cannot continue.
    fn adopt(&self, slot: &mut ErasedState, children: &mut Adopted<'_>) -> bool;
    /// Returns what it does with its children.
    fn flags(&self) -> RuleFlags;
    /// Returns `true` if it has state of its own, which needs a slot.
    fn has_state(&self) -> bool;
    fn children(&self) -> ChildCount;
    /// Returns how its statuses follow from those of its children.
    fn returns(&self) -> Returns;
    /// Returns `true` if that is checked at the start of a run, with debug assertions.
    fn is_checked(&self) -> bool;
    fn state(&self) -> StateType;
    fn name(&self) -> &str;
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>]));
}

/// The nodes of the user in a tree, by number.
pub(crate) trait Shapes {
    fn leaf(&self, leaf: u32) -> &dyn LeafShape;
    /// Returns a number that two leaves of the same type share.
    fn type_of_leaf(&self, leaf: u32) -> u64;
    fn policy(&self, policy: u32) -> &dyn PolicyShape;
    fn rule(&self, rule: u32) -> &dyn RuleShape;
}

/// A node that is only described.
pub(crate) struct Described<'a>(pub(crate) &'a dyn Fn(&mut dyn Visitor));

impl NodeShape for Described<'_> {
    type Open = Never;
    type Kept = ();

    fn describe(&self, visitor: &mut dyn Visitor) {
        (self.0)(visitor);
    }
}
