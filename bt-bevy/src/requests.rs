//! What leaves have started and wait for: tasks and systems.

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
    requests: HashMap<Ticket, Request>,
    systems: u64,
}

impl Requests {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open_task(&self, task: Entity) {
        self.lock().requests.insert(Ticket::Task(task), Request::Waiting);
    }

    pub(crate) fn open_system(&self) -> Ticket {
        let mut open = self.lock();
        let ticket = Ticket::System(open.systems);
        open.systems += 1;
        open.requests.insert(ticket, Request::New);
        ticket
    }

    pub(crate) fn get(&self, ticket: Ticket) -> Option<Request> {
        self.lock().requests.get(&ticket).copied()
    }

    /// Changes a request, unless its leaf has been closed. Returns whether it is open.
    pub(crate) fn set(&self, ticket: Ticket, request: Request) -> bool {
        self.lock().requests.get_mut(&ticket).map(|place| *place = request).is_some()
    }

    pub(crate) fn close(&self, ticket: Ticket) {
        self.lock().requests.remove(&ticket);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().requests.len()
    }
}
