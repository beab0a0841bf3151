//! Families of context types that differ only in their lifetimes.

use core::marker::PhantomData;

/// A family of context types that differ only in their lifetimes.
///
/// A context that borrows has another lifetime in each tick. A type that names the family stands for all of its contexts. The
/// context type itself can be that name:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::{ContextFamily, ContextOf, Contexts};
///
/// trait HasHealth { fn health(&self) -> u32; fn heal(&mut self, amount: u32); }
///
/// struct Npc<'w> { health: &'w mut u32 }
/// impl HasHealth for Npc<'_> {
///     fn health(&self) -> u32 { *self.health }
///     fn heal(&mut self, amount: u32) { *self.health += amount }
/// }
///
/// impl<'a> ContextFamily<'a, '_> for Npc<'_> { type Context = Npc<'a>; }
///
/// #[condition]
/// fn hurt<C: HasHealth>(ctx: &C) -> bool { ctx.health() < 3 }
/// #[action]
/// fn heal<C: HasHealth>(ctx: &mut C, amount: u32) { ctx.heal(amount) }
///
/// #[subtree]
/// fn recover<F: Contexts>() -> impl Node<ContextOf<'_, '_, F>>
/// where
///     for<'a, 'b> ContextOf<'a, 'b, F>: HasHealth + Sized,
/// {
///     tree! { sequence { hurt, heal(5) } }
/// }
///
/// #[subtree]
/// fn npc() -> impl Node<Npc<'_>> { tree! { selector { recover::<Npc<'_>>(), run } } }
///
/// let (tree, mut health) = (npc(), 2);
/// tree.tick(&mut Npc { health: &mut health }, &mut tree.memory());
/// assert_eq!(health, 7);
/// ```
///
/// A subtree that is generic over its context, `fn recover<C: HasHealth>() -> impl Node<C>`, is over one context type, and so over one
/// lifetime. Use this form for contexts that do not borrow. For such a context, a subtree over a family is called with
/// [`Single`].
///
/// A family has at most two lifetimes, of which the second outlives the first. `Bounds` states this for the
/// compiler: omit this parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of contexts",
    label = "not a family of contexts",
    note = "write `impl<'a> ContextFamily<'a, '_> for {Self} {{ type Context = …<'a>; }}`, or use `Single<{Self}>` if `{Self}` does not borrow (`Registry<{Self}>` for loaded trees)"
)]
pub trait ContextFamily<'a, 'b, Bounds = &'a &'b ()> {
    /// The context type with these lifetimes.
    type Context: ?Sized;
}

/// A [`ContextFamily`] for all lifetimes. Implemented for each family.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a family of contexts",
    label = "not a family of contexts",
    note = "write `impl<'a> ContextFamily<'a, '_> for {Self} {{ type Context = …<'a>; }}`, or use `Single<{Self}>` if `{Self}` does not borrow (`Registry<{Self}>` for loaded trees)"
)]
pub trait Contexts: for<'a, 'b> ContextFamily<'a, 'b> {}

#[doc(hidden)]
impl<F: for<'a, 'b> ContextFamily<'a, 'b> + ?Sized> Contexts for F {}

/// The context type of a family with these lifetimes.
pub type ContextOf<'a, 'b, F> = <F as ContextFamily<'a, 'b>>::Context;

/// The family of a single context type.
pub struct Single<C: ?Sized>(PhantomData<fn(&mut C)>);

impl<C: ?Sized> ContextFamily<'_, '_> for Single<C> {
    type Context = C;
}
