//! The tasks and systems that leaves have started and wait for.

use core::any::TypeId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bt_core::Status;

/// A request of a running leaf.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ticket {
    /// A task: its entity.
    Task(Entity),
    /// A run of a system: its number.
    System(u64),
}

/// The state of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Request {
    /// The system has to be run.
    New,
    /// There is no answer yet.
    Waiting,
    /// The answer.
    Answered(Status),
}

/// The requests of all running leaves. Leaves of several threads access it.
#[derive(Resource, Default)]
pub(crate) struct Requests(Mutex<Open>);

#[derive(Default)]
struct Open {
    requests: HashMap<Ticket, (Owner, Request)>,
    systems: u64,
}

/// The mind whose leaf has made a request: its entity and its behavior.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner(Entity, TypeId);

impl Owner {
    pub(crate) fn new<G: 'static>(entity: Entity) -> Self {
        Self(entity, TypeId::of::<G>())
    }
}

impl Requests {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open_task(&self, owner: Owner, task: Entity) {
        self.lock().requests.insert(Ticket::Task(task), (owner, Request::Waiting));
    }

    pub(crate) fn open_system(&self, owner: Owner) -> Ticket {
        let mut open = self.lock();
        let ticket = Ticket::System(open.systems);
        open.systems += 1;
        open.requests.insert(ticket, (owner, Request::New));
        ticket
    }

    pub(crate) fn get(&self, ticket: Ticket) -> Option<Request> {
        self.lock().requests.get(&ticket).map(|(_, request)| *request)
    }

    /// Changes a request, unless its leaf has been closed. Returns whether it is open.
    pub(crate) fn set(&self, ticket: Ticket, request: Request) -> bool {
        self.lock().requests.get_mut(&ticket).map(|(_, place)| *place = request).is_some()
    }

    pub(crate) fn close(&self, ticket: Ticket) {
        self.lock().requests.remove(&ticket);
    }

    /// Closes all requests of a mind that is dropped without being halted. Returns its tasks.
    pub(crate) fn close_all(&self, owner: Owner) -> Vec<Entity> {
        let mut tasks = Vec::new();
        self.lock().requests.retain(|ticket, (of, _)| {
            let is_of_owner = *of == owner;
            if let (true, Ticket::Task(task)) = (is_of_owner, ticket) {
                tasks.push(*task);
            }
            !is_of_owner
        });
        tasks
    }
}

#[cfg(test)]
mod tests {
    use bevy_app::App;
    use bevy_ecs::prelude::*;

    use super::Requests;
    use crate::prelude::*;

    #[derive(Component)]
    struct Legs;
    #[derive(Component)]
    struct Work;
    struct Worker;
    impl Behavior for Worker {
        type Data = &'static Legs;
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Worker>: parallel { task(|_: &mut Agent<Worker>| Work), system(work) } }
        }
    }
    fn work(_: In<Entity>) -> Status {
        Status::Running
    }

    #[test]
    fn no_request_is_left() {
        let mut app = App::new();
        app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Worker>::new()));
        let open = |app: &App| app.world().resource::<Requests>().lock().requests.len();
        let working = |app: &mut App| {
            let worker = app.world_mut().spawn((Mind::<Worker>::new(), Legs)).id();
            app.update();
            assert_eq!(open(app), 2);
            worker
        };
        let worker = working(&mut app);
        app.world_mut().entity_mut(worker).remove::<Mind<Worker>>();
        assert_eq!(open(&app), 0, "halted");

        let worker = working(&mut app);
        app.world_mut().despawn(worker);
        assert_eq!(open(&app), 0, "despawned");

        // Without its data the tree cannot be halted.
        let worker = working(&mut app);
        app.world_mut().entity_mut(worker).remove::<Legs>();
        app.world_mut().despawn(worker);
        app.update();
        assert_eq!(open(&app), 0, "dropped");
    }
}
