//! Parameters that several threads use at once.

use bevy_ecs::change_detection::Res;
use bevy_ecs::query::{QueryFilter, ReadOnlyQueryData};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::Query;

/// Parameters of systems that several threads use at once, for [`TreePlugin::parallel`](crate::TreePlugin::parallel): `()`, resources and queries that
/// are only read, and options and tuples of them.
///
/// A struct with `#[derive(SystemParam)]` implements this trait by sharing each field:
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::system::SystemParam;
/// use bt_bevy::prelude::*;
///
/// #[derive(Resource)]
/// struct Gate(f32);
/// #[derive(SystemParam)]
/// struct Surroundings<'w> { gate: Res<'w, Gate> }
///
/// impl SharedParams for Surroundings<'_> {
///     fn share(&self) -> Self { Surroundings { gate: self.gate.share() } }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used by several threads at once",
    label = "changes the world, or does not implement `SharedParams`",
    note = "`SharedParams` is implemented for `()`, `Res<_>`, queries that only read, and options and tuples of them; implement it for structs with `#[derive(SystemParam)]`"
)]
pub trait SharedParams: Send + Sync {
    /// Returns the parameters for another thread.
    #[must_use]
    fn share(&self) -> Self;
}

impl<T: Resource> SharedParams for Res<'_, T> {
    fn share(&self) -> Self {
        Self::clone(self)
    }
}

impl<P: SharedParams> SharedParams for Option<P> {
    fn share(&self) -> Self {
        self.as_ref().map(P::share)
    }
}

impl<D: ReadOnlyQueryData, F: QueryFilter> SharedParams for Query<'_, '_, D, F> {
    fn share(&self) -> Self {
        *self
    }
}

macro_rules! tuples {
    ($($($P:ident $index:tt),*;)+) => {$(
        impl<$($P: SharedParams),*> SharedParams for ($($P,)*) {
            #[allow(clippy::unused_unit, reason = "the empty tuple")]
            fn share(&self) -> Self {
                ($(self.$index.share(),)*)
            }
        }
    )+};
}

tuples! {
    ;
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
}
