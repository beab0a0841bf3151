//! A behavior: its tree, the data that the tree accesses, and the context of a tick.

use core::fmt;
use core::time::Duration;

use bevy_ecs::entity::Entity;
use bevy_ecs::query::{IterQueryData, QueryItem};
use bevy_ecs::system::{Commands, SystemParam, SystemParamItem};
use bt_core::{Node, NodeId};
use rand_pcg::Pcg32;

use crate::requests::Requests;

/// A behavior: the tree that entities with a [`Mind`](crate::Mind) of this type run, and what its leaves access.
///
/// The type needs no values. It names the behavior: `Mind<Guard>`, `TreePlugin::<Guard>::new()`.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_ecs::query::QueryData;
/// use bt_bevy::prelude::*;
///
/// #[derive(Component)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Position(f32);
/// #[derive(Resource)]
/// struct Gate(f32);
///
/// #[derive(QueryData)]
/// #[query_data(mutable)]
/// struct Body {
///     health: &'static Health,
///     position: &'static mut Position,
/// }
///
/// struct Guard;
/// impl Behavior for Guard {
///     type Data = Body;
///     type Params = Res<'static, Gate>;
///
///     fn tree() -> impl TreeOf<Self> {
///         tree! { for Agent<'_, '_, Guard>: selector { sequence { is_hurt, flee }, go_to_gate } }
///     }
/// }
///
/// fn is_hurt(guard: &Agent<Guard>) -> bool { guard.health.0 < 3 }
/// fn flee(guard: &mut Agent<Guard>) -> Status { guard.position.0 -= 2.0; Status::Running }
/// fn go_to_gate(guard: &mut Agent<Guard>) -> Status {
///     guard.position.0 = guard.params.0.min(guard.position.0 + 1.0);
///     if guard.position.0 < guard.params.0 { Status::Running } else { Status::Success }
/// }
///
/// let mut app = App::new();
/// app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new())).insert_resource(Gate(2.0));
/// let ann = app.world_mut().spawn((Mind::<Guard>::new(), Health(9), Position(0.0))).id();
/// app.update();
/// app.update();
/// assert_eq!(app.world().get::<Position>(ann).unwrap().0, 2.0);
/// assert_eq!(app.world().get::<Mind<Guard>>(ann).unwrap().status(), Some(Status::Success));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a behavior",
    label = "not a behavior",
    note = "write `impl Behavior for {Self} {{ type Data = …; type Params = …; fn tree() -> impl TreeOf<Self> {{ … }} }}`"
)]
pub trait Behavior: Sized + Send + Sync + 'static {
    /// The components of the entity: a tuple such as `(&'static Health, &'static mut Position)`, or a struct with
    /// `#[derive(QueryData)]`, whose fields are then fields of the [`Agent`].
    ///
    /// An entity with a mind that lacks one of these components is not ticked.
    type Data: IterQueryData + 'static;

    /// Resources, queries and other parameters of systems that all entities share: `()`, a parameter such as `Res<'static, Gate>` or
    /// `Query<'static, 'static, &'static Health>`, a tuple, or a struct with `#[derive(SystemParam)]`. [`Agent::commands`] needs no parameter.
    ///
    /// As in any system, a query must not access what [`Data`](Self::Data) changes: add the filter `Without<Mind<…>>`. The tick changes the mind
    /// itself. Bevy panics if a resource is missing, unless the parameter is an `Option<Res<…>>`.
    type Params: SystemParam + 'static;

    /// Returns the tree. Called once, when the plugin is built.
    fn tree() -> impl TreeOf<Self>;

    /// Called when a leaf returns an error, before its status becomes `Error`. The default logs the error.
    fn on_error(agent: &mut Agent<'_, '_, Self>, at: NodeId, error: &dyn fmt::Display) {
        log::error!("{}: node {} of {}: {error}", agent.entity, agent.describe(at), core::any::type_name::<Self>());
    }
}

/// The descriptions of the nodes of a tree.
pub(crate) trait Describe: Sync {
    /// Describes a node for an error message.
    fn describe(&self, at: NodeId) -> String;
}

/// A tree for the entities of a behavior. All nodes over [`Agent<'_, '_, G>`](Agent) implement it.
///
/// It is the return type of [`Behavior::tree`], and of functions for subtrees whose `tree!` begins with `for Agent<'_, '_, Guard>:`. The attribute
/// `#[subtree]` reads the context from the return type, so it needs `impl TreeNode<Agent<'_, '_, Guard>>`:
///
/// ```
/// # use bt_bevy::prelude::*;
/// # struct Guard;
/// # impl Behavior for Guard {
/// #     type Data = ();
/// #     type Params = ();
/// #     fn tree() -> impl TreeOf<Self> { tree! { for Agent<'_, '_, Guard>: selector { pause(), rest(2) } } }
/// # }
/// fn pause() -> impl TreeOf<Guard> {
///     tree! { for Agent<'_, '_, Guard>: mem_sequence { wait(secs(1)), fail } }
/// }
///
/// #[subtree]                      // named in drawings and in the inspector, with its arguments
/// fn rest(seconds: u64) -> impl TreeNode<Agent<'_, '_, Guard>> {
///     tree! { mem_sequence { wait(secs(seconds)), succeed } }
/// }
/// # Guard::tree();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree of `{G}`",
    label = "not a node over `Agent<'_, '_, {G}>`",
    note = "write `tree! {{ for Agent<'_, '_, {G}>: … }}`; leaves are `fn(&Agent<{G}>) -> bool` or `fn(&mut Agent<{G}>) -> Status`"
)]
pub trait TreeOf<G: Behavior>: for<'a, 'w> Node<Agent<'a, 'w, G>> + Send + Sync + 'static {}

impl<G: Behavior, N> TreeOf<G> for N where N: for<'a, 'w> Node<Agent<'a, 'w, G>> + Send + Sync + 'static {}

/// One entity in a tick of its tree: the context of leaves.
///
/// Leaves are ordinary functions: `fn is_hurt(guard: &Agent<Guard>) -> bool`. The components of [`Behavior::Data`] are fields of the agent, because it
/// dereferences to [`data`](Self::data). To borrow several parts at once, use the fields: `let Agent { data, params, .. } = guard;`.
pub struct Agent<'a, 'w, G: Behavior> {
    /// The entity.
    pub entity: Entity,
    /// The components of the entity.
    pub data: QueryItem<'a, 'w, G::Data>,
    /// The parameters that all entities share.
    pub params: &'a mut SystemParamItem<'w, 'w, G::Params>,
    pub(crate) commands: Commands<'a, 'a>,
    pub(crate) requests: &'a Requests,
    pub(crate) tree: &'a dyn Describe,
    pub(crate) now: Duration,
    pub(crate) delta: Duration,
    pub(crate) seed: u64,
    pub(crate) rng: Option<Pcg32>,
}
