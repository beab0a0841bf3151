//! Pointers to nodes are nodes: one subtree value can stand in several places, each with its own memory.

use crate::describe::Visitor;
use crate::node::{Node, NodeId, Shape};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Step;

macro_rules! pointers {
    ($($(#[$cfg:meta])? $pointer:ty),+) => {$(
        $(#[$cfg])?
        impl<N: Shape> Shape for $pointer {
            type Open = N::Open;
            type Kept = N::Kept;
            const CAN: Outcomes = N::CAN;
            const COUNT: Option<u32> = N::COUNT;
            const RESTARTS: bool = N::RESTARTS;

            #[inline(always)]
            fn count(&self) -> u32 {
                (**self).count()
            }

            fn describe(&self, visitor: &mut dyn Visitor) {
                (**self).describe(visitor);
            }
        }

        $(#[$cfg])?
        impl<C: ?Sized, N: Node<C>> Node<C> for $pointer {
            #[inline(always)]
            fn start<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, ctx: &mut C, observer: &mut O) -> Step<N::Open> {
                (**self).start(at, kept, ctx, observer)
            }

            #[inline(always)]
            fn resume<O: Observer>(
                &self, at: NodeId, open: &mut N::Open, kept: &mut N::Kept, ctx: &mut C, observer: &mut O,
            ) -> Step<()> {
                (**self).resume(at, open, kept, ctx, observer)
            }

            #[inline(always)]
            fn interrupt<O: Observer>(
                &self, at: NodeId, open: &mut N::Open, kept: &mut N::Kept, ctx: &mut C, observer: &mut O,
            ) {
                (**self).interrupt(at, open, kept, ctx, observer);
            }
        }
    )+};
}

pointers! {
    &N,
    #[cfg(feature = "alloc")] alloc::boxed::Box<N>,
    #[cfg(feature = "alloc")] alloc::rc::Rc<N>,
    #[cfg(feature = "alloc")] alloc::sync::Arc<N>
}
