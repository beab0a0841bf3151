//! What files of a behavior can use.

use core::marker::PhantomData;

use bt_dynamic::{ContextFamily, RegistryOf};

use crate::behavior::{Agent, Behavior};

/// The leaves, decorators and composites that files of a behavior can use. Its methods are those of [`RegistryOf`]; [`tree_registry`] returns one.
pub type TreeRegistry<G> = RegistryOf<Agents<G>>;

/// The family of the agents of a behavior: the contexts of its loaded trees.
pub struct Agents<G>(PhantomData<fn() -> G>);

impl<'a, 'w, G: Behavior> ContextFamily<'a, 'w> for Agents<G> {
    type Context = Agent<'a, 'w, G>;
}

/// Returns a registry with the keywords of `tree!` and of Behavior3, including the keywords that need time or random numbers. The errors of running trees are
/// passed to [`Behavior::on_error`]. See [`tree_asset`](crate::tree_asset).
pub fn tree_registry<G: Behavior>() -> TreeRegistry<G> {
    TreeRegistry::new().with_clock().with_random().with_errors()
}
