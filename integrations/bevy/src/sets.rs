//! The systems that tick trees, as sets.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use bevy_ecs::schedule::SystemSet;

use crate::behavior::Behavior;

/// The set of all systems that tick trees.
///
/// ```
/// # use bevy_app::prelude::*;
/// # use bevy_ecs::prelude::*;
/// # use bt_bevy::prelude::*;
/// # fn apply_damage() {}
/// # let mut app = App::new();
/// app.add_systems(Update, apply_damage.before(TreeSystems));
/// ```
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TreeSystems;

/// The system that ticks the trees of one behavior, as a set: for its order, run conditions and rate.
///
/// ```
/// # use bevy_app::prelude::*;
/// # use bevy_ecs::prelude::*;
/// # use bt_bevy::prelude::*;
/// use bevy_time::common_conditions::on_timer;
///
/// # struct Guard;
/// # impl Behavior for Guard {
/// #     type Data = ();
/// #     type Params = ();
/// #     fn tree() -> impl TreeOf<Self> { tree! { for Agent<'_, '_, Guard>: succeed } }
/// # }
/// # let mut app = App::new();
/// app.configure_sets(Update, TreeSystemsOf::<Guard>::new().run_if(on_timer(millis(100))));     // ten times per second
/// ```
#[derive(SystemSet)]
pub struct TreeSystemsOf<G: Behavior>(PhantomData<fn() -> G>);

impl<G: Behavior> TreeSystemsOf<G> {
    /// Returns the set.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G: Behavior> Default for TreeSystemsOf<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Behavior> Clone for TreeSystemsOf<G> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<G: Behavior> PartialEq for TreeSystemsOf<G> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<G: Behavior> Eq for TreeSystemsOf<G> {}

impl<G: Behavior> core::hash::Hash for TreeSystemsOf<G> {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

impl<G: Behavior> fmt::Debug for TreeSystemsOf<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TreeSystemsOf<{}>", type_name::<G>())
    }
}
