//! The components of an entity that runs a tree.

use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bt_core::engine::Due;
use bt_core::{Memory, NodeShape, Status, Wake};

use crate::behavior::Behavior;

/// The component of entities that run the tree of a [`Behavior`].
///
/// Removing it, inserting another one, or despawning the entity halts the tree: running leaves are closed while the components are still there. A mind that
/// is inserted over another one starts from the beginning, and so does the mind of a cloned entity. A cleanup ([`finally`](bt_core::keywords::finally)) is ticked
/// once; one that takes more ticks is lost, and a warning is logged. [`retire`](Self::retire) despawns the entity after its cleanups.
///
/// `Changed<Mind<Guard>>` matches entities whose status has changed, and those that were woken by [`wake`](Self::wake).
#[derive(Component)]
#[component(on_add = warn_without_plugin::<G>)]
pub struct Mind<G: Behavior> {
    /// When the tree has to be ticked. Few bytes, and one comparison: this is what a sleeping entity costs.
    due: Due,
    status: Option<Status>,
    retires: bool,
    of: PhantomData<fn() -> G>,
}

/// The number of minds that were created or woken so far, in all worlds. While it does not change, all entities sleep until the times that they had.
static WAKES: AtomicU64 = AtomicU64::new(0);

/// Returns a number that changes when a mind is created or woken.
pub(crate) fn wakes() -> u64 {
    WAKES.load(Ordering::Relaxed)
}

impl<G: Behavior> Mind<G> {
    /// Creates a mind whose tree starts in the next tick.
    pub fn new() -> Self {
        WAKES.fetch_add(1, Ordering::Relaxed);
        Self { due: Due::NEXT, status: None, retires: false, of: PhantomData }
    }

    /// Returns the status of the last tick; `None` before the first one.
    pub fn status(&self) -> Option<Status> {
        self.status
    }

    /// Returns when the tree has to be ticked again. Until then the entity sleeps: ticks skip it, because they would change nothing.
    pub fn due(&self) -> Wake {
        self.due.into()
    }

    /// Ends the sleep of the entity: its tree is ticked in the next run of the schedule.
    ///
    /// A tree sleeps only in leaves that sleep, such as `wait`, [`task`](crate::task) and custom leaves with `wake`. Call this method when something
    /// happens that the tree has to react to, or see [`TreePlugin::wakes_on`](crate::TreePlugin::wakes_on).
    pub fn wake(&mut self) {
        WAKES.fetch_add(1, Ordering::Relaxed);
        self.due = Due::NEXT;
    }

    /// Halts the tree in the next run of the schedule, and despawns the entity when the cleanups of the tree
    /// ([`finally`](bt_core::keywords::finally)) have ended, which may take several runs. The tree does not start again.
    ///
    /// A saved mind does not contain this: call the method again after loading.
    ///
    /// ```
    /// use bevy_app::prelude::*;
    /// use bevy_ecs::prelude::*;
    /// use bt_bevy::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Motor { speed: u32 }
    ///
    /// struct Robot;
    /// impl Behavior for Robot {
    ///     type Data = &'static mut Motor;
    ///     type Params = ();
    ///     fn tree() -> impl TreeOf<Self> { tree! { for Agent<'_, '_, Robot>: finally { drive, brake } } }
    /// }
    ///
    /// fn drive(robot: &mut Agent<Robot>) -> Status { robot.data.speed = 3; Status::Running }
    /// fn brake(robot: &mut Agent<Robot>) -> Status {
    ///     robot.data.speed -= 1;
    ///     if robot.data.speed > 0 { Status::Running } else { Status::Success }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Robot>::new()));
    /// let robot = app.world_mut().spawn((Mind::<Robot>::new(), Motor { speed: 0 })).id();
    /// app.update();
    /// app.world_mut().get_mut::<Mind<Robot>>(robot).unwrap().retire();
    /// app.update();
    /// assert_eq!(app.world().get::<Motor>(robot).unwrap().speed, 2);
    /// app.update();
    /// app.update();
    /// assert!(app.world().get_entity(robot).is_err());
    /// ```
    pub fn retire(&mut self) {
        self.retires = true;
        self.wake();
    }

    pub(crate) fn retires(&self) -> bool {
        self.retires
    }

    pub(crate) fn sleep(&mut self, until: Wake) {
        self.due = until.into();
    }

    /// Returns when the tree has to be ticked, for comparisons.
    pub(crate) fn until(&self) -> Due {
        self.due
    }

    pub(crate) fn set_status(&mut self, status: Status) {
        self.status = Some(status);
    }
}

/// A resource that exists if there are systems for a component, or their absence has been reported.
#[derive(Resource)]
pub(crate) struct IsKnown<C>(PhantomData<fn() -> C>);

impl<C> Default for IsKnown<C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

fn warn_without_plugin<G: Behavior>(world: DeferredWorld, context: HookContext) {
    let (entity, name) = (context.entity, core::any::type_name::<G>());
    warn_unless_known::<Mind<G>>(
        world,
        format_args!("{entity} has a Mind<{name}>, but there is no TreePlugin<{name}>: its tree is not ticked"),
    );
}

/// Logs a warning about a component that no system handles.
pub(crate) fn warn_unless_known<C: 'static>(mut world: DeferredWorld, warning: fmt::Arguments<'_>) {
    if world.contains_resource::<IsKnown<C>>() {
        return;
    }
    log::warn!("{warning}");
    // Once is enough.
    world.commands().init_resource::<IsKnown<C>>();
}

/// Returns a mind that starts from the beginning.
impl<G: Behavior> Clone for Mind<G> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<G: Behavior> Default for Mind<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Behavior> fmt::Debug for Mind<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Mind")
            .field("status", &self.status)
            .field("due", &self.due())
            .field("retires", &self.retires)
            .finish()
    }
}

/// The memory of an entity. Its type cannot be named by users, so it is a component that a [`Mind`] requires.
#[derive(Component)]
pub(crate) struct MindMemory<G: Behavior, N: NodeShape + 'static> {
    pub(crate) memory: Memory<N>,
    of: PhantomData<fn() -> G>,
}

impl<G: Behavior, N: NodeShape + 'static> Default for MindMemory<G, N> {
    fn default() -> Self {
        Self { memory: Memory::new(), of: PhantomData }
    }
}
