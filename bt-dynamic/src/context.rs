//! Context types, and families of them that differ only in their lifetimes.

use std::marker::PhantomData;

/// A family of context types that differ only in their lifetimes.
///
/// A tree is loaded once and ticked often. A context that borrows has another lifetime in each tick, so a type that only names the family represents all of
/// its contexts: in [`RegistryOf`](crate::RegistryOf), [`DynTreeOf`](crate::DynTreeOf) and [`FileTreeOf`](crate::FileTreeOf). For contexts that do not
/// borrow, there are [`Registry`](crate::Registry), [`DynTree`](crate::DynTree) and [`FileTree`](crate::FileTree).
///
/// ```
/// use bt_core::prelude::*;
/// use bt_dynamic::{ContextFamily, RegistryOf};
///
/// struct Npc<'w> { steps: &'w mut u32 }
///
/// struct Npcs;
/// impl<'a> ContextFamily<'a, '_> for Npcs {
///     type Context = Npc<'a>;
/// }
///
/// #[action]
/// fn walk(npc: &mut Npc<'_>, count: u32) { *npc.steps += count }
///
/// let mut registry = RegistryOf::<Npcs>::new();
/// registry.add::<walk>("Walk").add_leaf("Stop", |npc: &mut Npc<'_>| *npc.steps = 0);
/// let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "Walk", "properties": { "count": 3 } } } }"#)?;
///
/// let (mut memory, mut steps) = (tree.memory(), 0);
/// tree.tick(&mut Npc { steps: &mut steps }, &mut memory);
/// assert_eq!(steps, 3);
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
///
/// A family has at most two lifetimes, of which the second outlives the first. `Bounds` says so to the compiler: leave it out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of contexts",
    label = "not a family of contexts",
    note = "write `impl<'a> ContextFamily<'a, '_> for {Self} {{ type Context = …<'a>; }}`, or use `Registry<{Self}>` if `{Self}` is itself the context"
)]
pub trait ContextFamily<'a, 'b, Bounds = &'a &'b ()> {
    /// The context type with these lifetimes.
    type Context: ?Sized;
}

/// A [`ContextFamily`] for all lifetimes. It is implemented for each family.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of contexts",
    label = "not a family of contexts",
    note = "write `impl<'a> ContextFamily<'a, '_> for {Self} {{ type Context = …<'a>; }}`, or use `Registry<{Self}>` if `{Self}` is itself the context"
)]
pub trait Contexts: for<'a, 'b> ContextFamily<'a, 'b> {}

impl<F: for<'a, 'b> ContextFamily<'a, 'b> + ?Sized> Contexts for F {}

/// The context type of a family with these lifetimes.
pub type ContextOf<'a, 'b, F> = <F as ContextFamily<'a, 'b>>::Context;

/// The family of a single context type.
pub struct Single<C: ?Sized>(PhantomData<fn(&mut C)>);

impl<C: ?Sized> ContextFamily<'_, '_> for Single<C> {
    type Context = C;
}
