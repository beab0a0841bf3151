//! The agents of a herd that wakers have woken since the last tick.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::task::Wake;
use core::task::Waker;
use std::sync::{Mutex, OnceLock};

use crate::herd::agent_id::AgentId;
use crate::schedule::Wakers;
use crate::task::{NextWaker, lock};

/// The agents that wakers have woken. A clone is that of another herd.
#[derive(Default)]
pub(crate) struct WokenAgents(OnceLock<Arc<Queue>>);

#[derive(Default)]
struct Queue {
    woken: Mutex<BTreeSet<AgentId>>,
    next: NextWaker,
}

struct AgentWaker {
    queue: Arc<Queue>,
    agent: AgentId,
}

impl Wake for AgentWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        lock(&self.queue.woken).insert(self.agent);
        self.queue.next.wake();
    }
}

impl WokenAgents {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn queue(&self) -> &Arc<Queue> {
        self.0.get_or_init(Arc::default)
    }

    /// Sets the waker that is called when an agent is woken.
    pub(crate) fn pass_on_to(&self, waker: Waker) {
        self.queue().next.set(Some(waker));
    }
}

impl Wakers for WokenAgents {
    type Agent = AgentId;
    type Woken = BTreeSet<AgentId>;

    fn waker(&self, agent: AgentId) -> Waker {
        Arc::new(AgentWaker { queue: Arc::clone(self.queue()), agent }).into()
    }

    fn is_used(&self) -> bool {
        self.0.get().is_some()
    }

    fn has(&self, agent: AgentId) -> bool {
        self.0.get().is_some_and(|queue| lock(&queue.woken).contains(&agent))
    }

    fn take(&self) -> BTreeSet<AgentId> {
        self.0.get().map(|queue| core::mem::take(&mut *lock(&queue.woken))).unwrap_or_default()
    }
}

impl Clone for WokenAgents {
    fn clone(&self) -> Self {
        Self::new()
    }
}
