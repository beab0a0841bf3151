//! The publisher: a running tree for Groot2.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bt_core::board::Board;
use bt_core::observe::Tick;
use bt_core::{End, NodeId, Observer, Status};

use crate::boards;
use crate::hooks::Position;
use crate::message::breakpoint_reached;
use crate::model::Model;
use crate::monitor::{Held, Monitor, Now};
use crate::row::uid_of;
use crate::sockets::Sockets;
use crate::status::NodeStatus;
use crate::tracker::Tracker;

/// The time between two looks at whether a client is still connected, while a breakpoint holds the tree.
const LOOK: Duration = Duration::from_millis(50);

/// An observer that shows a running tree in Groot2: the counterpart of the `Groot2Publisher` of BehaviorTree.CPP.
///
/// It listens at two ports: one for the requests of Groot2, usually 1667, and the next one for the notifications of breakpoints. Groot2 polls the statuses of
/// all nodes; [`show`](Self::show) offers it the variables. A publisher is of one agent. Its sockets are closed when it is dropped.
///
/// In Groot2, a user can replace the status of a node, and set breakpoints. A breakpoint holds the tick, and so the thread that ticks, before or after the
/// node is ticked, until the user continues. If no client has sent a request for 3 seconds, such as when Groot2 was closed, hooks have no effect, and a
/// held tree continues: see [`release_after`](Self::release_after). After the tick, a status cannot be replaced; such a request is an error.
///
/// There is no authentication: any program that can connect to the ports can hold the tree. The address `127.0.0.1:1667` is for programs on the same machine, and
/// `0.0.0.0:1667` for all networks, as in BehaviorTree.CPP. Requests are limited to 1 MiB, and connections to 16 for each port.
///
/// ```
/// use bt_groot2::{Model, Publisher};
/// use bt_core::prelude::*;
///
/// let tree = tree! { for Board: sequence { succeed, run } };
/// let mut publisher = Publisher::bind("127.0.0.1:0", &Model::new(&tree))?;     // any port; Groot2 expects 1667
/// let (mut board, mut memory) = (Board::new(), tree.memory());
/// for _ in 0..3 {
///     tree.tick_with(&mut board, &mut memory, &mut publisher);
///     publisher.show(&board);
/// }
/// assert!(!publisher.is_connected());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Publisher {
    model: Model,
    tracker: Tracker,
    /// The status of the node that was entered last, if a hook replaces it.
    replaced: Option<(NodeId, Status)>,
    shared: Arc<Shared>,
    sockets: Sockets,
}

/// What the observer shares with the threads of the connections.
struct Shared {
    monitor: Mutex<Monitor>,
    changed: Condvar,
    /// Whether there may be hooks.
    is_hooked: AtomicBool,
    began: Instant,
}

impl Shared {
    fn monitor(&self) -> MutexGuard<'_, Monitor> {
        self.monitor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn reply(&self, request: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut monitor = self.monitor();
        let reply = monitor.reply(request, Now { since: self.now(), epoch });
        self.is_hooked.store(!monitor.hooks.is_empty(), Ordering::Relaxed);
        drop(monitor);
        self.changed.notify_all();
        reply
    }
}

impl Publisher {
    /// Publishes a tree at an address and the port after it. With port 0, the system chooses both.
    ///
    /// # Errors
    ///
    /// Returns an error if a port cannot be opened or is in use.
    pub fn bind(address: impl ToSocketAddrs, model: &Model) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            monitor: Mutex::new(Monitor::new(model.clone())),
            changed: Condvar::new(),
            is_hooked: AtomicBool::new(false),
            began: Instant::now(),
        });
        let mut result = Err(io::Error::new(io::ErrorKind::InvalidInput, "no address"));
        for address in address.to_socket_addrs()? {
            let shared = shared.clone();
            result = Sockets::bind(address, move |request| shared.reply(request));
            if result.is_ok() {
                break;
            }
        }
        let (model, tracker) = (model.clone(), Tracker::new(model.clone()));
        Ok(Self { model, tracker, replaced: None, shared, sockets: result? })
    }

    /// Returns the address for requests.
    pub const fn local_addr(&self) -> SocketAddr {
        self.sockets.address()
    }

    /// Sets the time without requests after which hooks have no effect: 3 seconds by default, 5 in BehaviorTree.CPP.
    pub fn release_after(&mut self, time: Duration) {
        self.shared.monitor().patience = time;
    }

    /// Returns `true` if a client has sent a request in the last 3 seconds, or in the time of [`release_after`](Self::release_after).
    pub fn is_connected(&self) -> bool {
        self.shared.monitor().is_connected(self.shared.now())
    }

    /// Shows the variables of a board that belong to no tree or node, until the next call. Call it after a tick. It does nothing unless a client asks for
    /// variables.
    ///
    /// In a tree that was loaded from XML, the variables of each nested tree have the names that they have in it. Values that are neither numbers nor text are
    /// shown as `Debug` formats them.
    pub fn show(&mut self, board: &Board) {
        if self.shared.monitor().wants_boards(self.shared.now()) {
            let boards = boards::of(board, &self.model);
            self.shared.monitor().set_boards(boards);
        }
    }

    /// Waits while a breakpoint holds a node. Returns the status that replaces its own.
    fn hold(&self, position: Position, row: usize) -> Option<NodeStatus> {
        if !self.shared.is_hooked.load(Ordering::Relaxed) {
            return None;
        }
        let uid = uid_of(row);
        let mut monitor = self.shared.monitor();
        if !monitor.is_hooked((position, uid), self.shared.now()) {
            return None;
        }
        self.sockets.send(&breakpoint_reached(uid));
        loop {
            match monitor.pass((position, uid), self.shared.now()) {
                Held::Goes(status) => return status,
                Held::Waits => {
                    let wait = self.shared.changed.wait_timeout(monitor, LOOK);
                    monitor = wait.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Passes changes on.
    fn pass(&mut self) {
        let mut changes = self.tracker.changes().peekable();
        if changes.peek().is_some() {
            let mut monitor = self.shared.monitor();
            let now = if monitor.is_recording() { self.shared.now() } else { Duration::ZERO };
            changes.for_each(|change| monitor.change(change, now));
        }
    }
}

impl Observer for Publisher {
    const INLINE: bool = false;

    fn begin(&mut self, _: Tick) {
        self.replaced = None;
        self.tracker.begin();
        self.pass();
    }

    fn end(&mut self, _: Tick, status: Option<Status>) {
        self.tracker.end(status);
        self.pass();
    }

    fn enter(&mut self, at: NodeId) {
        let hooked = self.model.row_of(at).filter(|row| {
            let is_own = self.model.rows().get(*row).is_some_and(|row| row.node == at);
            is_own && !self.tracker.status(*row).is_completed()
        });
        let status = hooked.and_then(|row| self.hold(Position::Pre, row));
        let status = status.map(|status| if status == NodeStatus::Success { Status::Success } else { Status::Failure });
        self.replaced = status.map(|status| (at, status));
        self.tracker.enter(at, status.is_some());
        self.pass();
    }

    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        let (node, status) = self.replaced.take()?;
        (node == at).then_some(status)
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        if let Some(row) = self.model.row_of(at)
            && self.model.rows().get(row).is_some_and(|row| row.outer == at)
        {
            self.hold(Position::Post, row);
        }
        self.tracker.tick(at, status);
        self.pass();
    }

    fn close(&mut self, at: NodeId, end: End) {
        self.tracker.close(at, end);
    }
}

impl fmt::Debug for Publisher {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Publisher").field("address", &self.local_addr()).finish_non_exhaustive()
    }
}
