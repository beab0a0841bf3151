//! Macros for nodes that forward to another node.

/// The facts about a wrapper of the node `N`: these, or those of a leaf that returns the same.
macro_rules! facts_or {
    () => {
        $crate::facts::Facts::leaf(N::RETURNS).and_cleans_up(N::FACTS.cleans_up)
    };
    ($facts:expr) => {
        $facts
    };
}

/// Implements `NodeShape` and `Node` for a wrapper that is not a node of its own: it has no id and reports no events.
/// It can describe more than the node.
macro_rules! stands_for_a_node {
    ($($(#[$cfg:meta])? $wrapper:ty, |$this:ident| $node:expr $(, facts $facts:expr)? $(, shows($visitor:ident) $first:expr)?;)+) => {$(
        $(#[$cfg])?
        impl<N: $crate::NodeShape> $crate::NodeShape for $wrapper {
            type Open = N::Open;
            type Kept = N::Kept;
            const RETURNS: $crate::Outcomes = N::RETURNS;
            const FACTS: $crate::facts::Facts = $crate::forward::facts_or!($($facts)?);
            const COUNT: Option<u32> = N::COUNT;
            const RESTARTS: bool = N::RESTARTS;
            const IS_SAVED: bool = N::IS_SAVED;
            const DOC: &'static str = N::DOC;

            #[inline]
            fn count(&self) -> u32 {
                let $this = self;
                $node.count()
            }

            #[inline(always)]
            fn cleans_up(&self, kept: &N::Kept) -> bool {
                let $this = self;
                $node.cleans_up(kept)
            }

            #[cfg(feature = "serde")]
            fn unsaved_leaf(&self, kept: &N::Kept) -> Option<alloc::string::String> {
                let $this = self;
                $node.unsaved_leaf(kept)
            }

            fn walk(
                &self, at: $crate::NodeId, state: $crate::walk::NodeState<'_, N::Open, N::Kept>, visitor: &mut dyn $crate::walk::StateVisitor,
            ) {
                let $this = self;
                $node.walk(at, state, visitor);
            }

            fn describe(&self, visitor: &mut dyn $crate::visitor::Visitor) {
                let $this = self;
                $(
                    let $visitor = &mut *visitor;
                    $first;
                )?
                $node.describe(visitor);
            }
        }

        $(#[$cfg])?
        impl<C: ?Sized, N: $crate::Node<C>> $crate::Node<C> for $wrapper {
            #[inline(always)]
            fn start<O: $crate::Observer>(
                &self, at: $crate::NodeId, kept: &mut N::Kept, visit: &mut $crate::node::Visit<'_, C, O>,
            ) -> $crate::Step<N::Open> {
                let $this = self;
                $node.start(at, kept, visit)
            }

            #[inline(always)]
            fn resume<O: $crate::Observer>(
                &self, at: $crate::NodeId, open: &mut N::Open, kept: &mut N::Kept, visit: &mut $crate::node::Visit<'_, C, O>,
            ) -> $crate::Step<()> {
                let $this = self;
                $node.resume(at, open, kept, visit)
            }

            fn open_replaced(
                &self, at: $crate::NodeId, kept: &mut N::Kept, visit: &mut $crate::node::Visit<'_, C, ()>,
            ) -> Option<N::Open> {
                let $this = self;
                $node.open_replaced(at, kept, visit)
            }

            #[inline(always)]
            fn interrupt<O: $crate::Observer>(
                &self, at: $crate::NodeId, open: &mut N::Open, kept: &mut N::Kept, how: $crate::status::Interrupt, visit: &mut $crate::node::Visit<'_, C, O>,
            ) {
                let $this = self;
                $node.interrupt(at, open, kept, how, visit);
            }

            fn visit_cleanups<O: $crate::Observer>(
                &self, at: $crate::NodeId, kept: &mut N::Kept, how: $crate::CleanUp, visit: &mut $crate::node::Visit<'_, C, O>,
            ) {
                let $this = self;
                $node.visit_cleanups(at, kept, how, visit);
            }

            fn wake_cleanups(&self, kept: &N::Kept, visit: &mut $crate::wake::WakeVisit<'_, C>) -> $crate::Wake {
                let $this = self;
                $node.wake_cleanups(kept, visit)
            }

            #[inline]
            fn wake(&self, open: &N::Open, kept: &N::Kept, visit: &mut $crate::wake::WakeVisit<'_, C>) -> $crate::Wake {
                let $this = self;
                $node.wake(open, kept, visit)
            }

            #[inline]
            fn foresee(&self, kept: &N::Kept, ctx: &mut C, event: bool) -> $crate::wake::Foreseen {
                let $this = self;
                $node.foresee(kept, ctx, event)
            }
        }
    )+};
}

/// Implements `NodeShape` and `Node` for a node with one child that does nothing itself. The node appears in
/// descriptions and reports events. Nodes after the child belong to another node, which visits them.
macro_rules! stands_above_a_node {
    (
        $wrapper:ty [$generic:ident: $($bound:tt)+], $child:ident, |$this:ident, $visitor:ident| $enter:expr
        $(, then $rest:ident: $count:expr, |$sources:ident| $describe:expr)?
    ) => {
        impl<N: $crate::NodeShape, $generic: $($bound)+> $crate::NodeShape for $wrapper {
            type Open = N::Open;
            type Kept = N::Kept;
            const RETURNS: $crate::Outcomes = N::RETURNS;
            const FACTS: $crate::facts::Facts = $crate::forward::facts_or!();
            const COUNT: Option<u32> = $crate::node::one_more({
                let count = N::COUNT;
                $(let count = $crate::node::plus(count, $count);)?
                count
            });
            const RESTARTS: bool = N::RESTARTS;

            #[inline]
            fn count(&self) -> u32 {
                1 + self.$child.count() $(+ self.$rest.count())?
            }

            #[inline(always)]
            fn cleans_up(&self, kept: &N::Kept) -> bool {
                self.$child.cleans_up(kept)
            }

            fn walk(
                &self, at: $crate::NodeId, state: $crate::walk::NodeState<'_, N::Open, N::Kept>, visitor: &mut dyn $crate::walk::StateVisitor,
            ) {
                visitor.node(at, $crate::walk::OwnState::nothing());
                self.$child.walk(at.first_child(), state, visitor);
            }

            fn describe(&self, $visitor: &mut dyn $crate::visitor::Visitor) {
                let $this = self;
                let places = $enter;
                $visitor.child(places, 0, &self.$child);
                $(
                    let $sources = &mut places.get(1..).unwrap_or_default();
                    $describe;
                )?
                $visitor.leave();
            }
        }

        impl<C: ?Sized, N: $crate::Node<C>, $generic: $($bound)+> $crate::Node<C> for $wrapper {
            #[inline(always)]
            fn start<O: $crate::Observer>(
                &self, at: $crate::NodeId, kept: &mut N::Kept, visit: &mut $crate::node::Visit<'_, C, O>,
            ) -> $crate::Step<N::Open> {
                $crate::visit::start(&self.$child, at.first_child(), kept, visit)
            }

            #[inline(always)]
            fn resume<O: $crate::Observer>(
                &self, at: $crate::NodeId, open: &mut N::Open, kept: &mut N::Kept, visit: &mut $crate::node::Visit<'_, C, O>,
            ) -> $crate::Step<()> {
                $crate::visit::resume(&self.$child, at.first_child(), open, kept, visit)
            }

            #[inline(always)]
            fn interrupt<O: $crate::Observer>(
                &self, at: $crate::NodeId, open: &mut N::Open, kept: &mut N::Kept, how: $crate::status::Interrupt, visit: &mut $crate::node::Visit<'_, C, O>,
            ) {
                $crate::visit::interrupt(&self.$child, at.first_child(), open, kept, how, visit);
            }

            fn visit_cleanups<O: $crate::Observer>(
                &self, at: $crate::NodeId, kept: &mut N::Kept, how: $crate::CleanUp, visit: &mut $crate::node::Visit<'_, C, O>,
            ) {
                $crate::visit::cleanups(&self.$child, at.first_child(), kept, how, visit);
            }

            fn wake_cleanups(&self, kept: &N::Kept, visit: &mut $crate::wake::WakeVisit<'_, C>) -> $crate::Wake {
                $crate::visit::wake_of_cleanups(&self.$child, kept, visit)
            }

            #[inline]
            fn wake(&self, open: &N::Open, kept: &N::Kept, visit: &mut $crate::wake::WakeVisit<'_, C>) -> $crate::Wake {
                self.$child.wake(open, kept, visit)
            }

            #[inline]
            fn foresee(&self, kept: &N::Kept, ctx: &mut C, event: bool) -> $crate::wake::Foreseen {
                self.$child.foresee(kept, ctx, event)
            }
        }
    };
}

pub(crate) use {facts_or, stands_above_a_node, stands_for_a_node};
