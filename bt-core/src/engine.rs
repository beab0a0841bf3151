//! The items that the other packages of the same version are built on. Not part of the public interface.

pub use crate::argument::{Argument, ArgumentIn, fault};
pub use crate::clock::{Length, Moment, Until};
pub use crate::composite::{foresee_in_order, no_marks, tick_composite};
pub use crate::decorator::{
    Counted, DecoratorParts, OnlyChild, Served, goes_on, halt_decorator, serve, tick_decorator,
};
#[cfg(feature = "alloc")]
pub use crate::erased::tick as tick_boxed;
#[cfg(feature = "serde")]
pub use crate::erased::{ErasedState, SavableMemory};
pub use crate::hash::Fnv;
pub use crate::machine::{
    MachineParts, Visited, enter_state, go_to_state, leave_state, stays, tick_machine, visit_state,
};
pub use crate::memory::Ticking;
#[cfg(feature = "alloc")]
pub use crate::observe::{DynObserver, WithDyn, as_dyn};
#[cfg(feature = "record")]
pub use crate::replace_file::replace_file;
#[cfg(feature = "alloc")]
pub use crate::schedule::Due;
pub use crate::stated::check_stated;
pub use crate::visit::{enter, explain, leave, received};
pub use crate::walk::KeptState;
#[cfg(feature = "alloc")]
pub use bt_words::is_identifier;

use crate::memory::Memory;
use crate::node::NodeShape;

/// Returns the two parts of a memory: open and kept state.
pub const fn parts<N: NodeShape + ?Sized>(memory: &Memory<N>) -> (&Option<N::Open>, &N::Kept) {
    (&memory.open, &memory.kept)
}

/// Returns the two parts of a memory for mutation: open and kept state.
pub const fn parts_mut<N: NodeShape + ?Sized>(memory: &mut Memory<N>) -> (&mut Option<N::Open>, &mut N::Kept) {
    (&mut memory.open, &mut memory.kept)
}

/// Creates a memory from its two parts.
pub const fn memory<N: NodeShape>(open: Option<N::Open>, kept: N::Kept) -> Memory<N> {
    Memory { open, kept }
}

/// Creates a description from nodes in pre-order.
#[cfg(feature = "alloc")]
pub const fn description(nodes: alloc::vec::Vec<crate::describe::Described>) -> crate::describe::Description {
    crate::describe::Description::from_nodes(nodes)
}
