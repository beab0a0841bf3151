//! Leaves owner_of type is not known: any node of the user's, also a whole static subtree.

use alloc::boxed::Box;
use core::any::{Any, TypeId};

use crate::boxed;
use crate::clock::Shift;
use crate::describe::Visitor;
use crate::dynamic::memory::{Parts, Slot};
use crate::id::NodeId;
use crate::memory::Memory;
use crate::node::{Node, Visit};
use crate::observe::{DynObserver, Observer, WithDyn};
use crate::save::Save;
use crate::status::{Never, Status};

/// What a leaf can do without its type being known. The events of the leaf itself are told by who calls it.
pub(super) trait Leaf<C: ?Sized>: Send + Sync {
    /// Goes on with a run, or begins one.
    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut Slot,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status;
    fn halt(&self, at: NodeId, slot: &mut Slot, ctx: &mut C, observer: Option<&mut dyn DynObserver>);
    /// Whether it remembers anything: then it has a slot.
    fn remembers(&self) -> bool;
    fn shift(&self, slot: &mut Slot, by: Shift);
    fn count(&self) -> u32;
    fn describe(&self, visitor: &mut dyn Visitor);
}

/// A node as a leaf.
pub(super) struct Plain<N>(pub(super) N);

/// A value that exists only if `T` is `()`.
fn nothing<T: Any>(unit: &mut ()) -> Option<&mut T> {
    (unit as &mut dyn Any).downcast_mut()
}

impl<C: ?Sized, N: Node<C> + Save + Send + Sync + 'static> Leaf<C> for Plain<N> {
    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut Slot,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        match observer {
            Some(observer) => self.tick_with(opening, at, slot, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.tick_with(opening, at, slot, &mut Visit::new(ctx, &mut ())),
        }
    }

    fn halt(&self, at: NodeId, slot: &mut Slot, ctx: &mut C, observer: Option<&mut dyn DynObserver>) {
        match observer {
            Some(observer) => self.halt_with(at, slot, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.halt_with(at, slot, &mut Visit::new(ctx, &mut ())),
        }
    }

    fn remembers(&self) -> bool {
        let (open, kept) = (TypeId::of::<N::Open>(), TypeId::of::<N::Kept>());
        let nothing = TypeId::of::<()>();
        !((open == nothing || open == TypeId::of::<Never>()) && kept == nothing)
    }

    fn shift(&self, slot: &mut Slot, by: Shift) {
        if !matches!(slot, Slot::Empty) {
            let Parts(Memory { open, kept }) = slot.state::<Parts<N>>();
            self.0.shift_times(open.as_mut(), kept, by);
        }
    }

    fn count(&self) -> u32 {
        self.0.count()
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe(visitor);
    }
}

impl<N: Save + 'static> Plain<N> {
    fn tick_with<C: ?Sized, O: Observer>(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut Slot,
        visit: &mut Visit<'_, C, O>,
    ) -> Status
    where
        N: Node<C>,
    {
        let (mut open_unit, mut kept_unit) = ((), ());
        // A leaf that remembers nothing needs no slot.
        if let Some(kept) = nothing::<N::Kept>(&mut kept_unit) {
            if let Some(open) = nothing::<N::Open>(&mut open_unit) {
                return if opening {
                    self.0.start(at, kept, visit).status()
                } else {
                    self.0.resume(at, open, kept, visit).status()
                };
            }
            if TypeId::of::<N::Open>() == TypeId::of::<Never>() {
                return self.0.start(at, kept, visit).status();
            }
        }
        let Parts(memory) = slot.state::<Parts<N>>();
        if opening {
            memory.open = None;
        }
        boxed::tick(&self.0, at, memory, visit)
    }

    fn halt_with<C: ?Sized, O: Observer>(&self, at: NodeId, slot: &mut Slot, visit: &mut Visit<'_, C, O>)
    where
        N: Node<C>,
    {
        let (mut open, mut kept) = ((), ());
        if let (Some(open), Some(kept)) = (nothing::<N::Open>(&mut open), nothing::<N::Kept>(&mut kept)) {
            return self.0.interrupt(at, open, kept, visit);
        }
        let Parts(Memory { open, kept }) = slot.state::<Parts<N>>();
        if let Some(mut open) = open.take() {
            self.0.interrupt(at, &mut open, kept, visit);
        }
    }
}

/// A leaf behind a pointer.
pub(super) type AnyLeaf<C> = Box<dyn Leaf<C>>;
