//! The inspector, with which a program registers its trees and agents.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::NodeShape;
use bt_core::describe::Matching;

use super::connection::Connection;
use super::watched::Watched;
use crate::collect::TickStream;
use crate::lock::lock;
#[cfg(feature = "server")]
use crate::server::Server;
use crate::state::{About, CollectFilter, Shared, Versions, Waiting};

/// The trees and agents of a program, for the pages that show them; see the [crate documentation](crate). Dropping it stops its server.
pub struct Inspector {
    pub(super) shared: Arc<Shared>,
    #[cfg(feature = "server")]
    pub(super) server: Option<Server>,
}

/// A handle to a tree registered with an [`Inspector`].
#[derive(Clone)]
pub struct TreeKey(pub(super) Arc<Versions>);

/// Without a server.
impl Inspector {
    /// Returns an inspector that does no I/O: the program [connects](Self::connect) pages, and carries their messages itself. Use this
    /// where no server can run, such as in a browser.
    ///
    /// No thread waits: a breakpoint holds an agent before its next tick, and the program has to call [`Watched::is_held`]. See [`waits_by`](Self::waits_by) for
    /// programs that can do better.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_inspector::Inspector;
    ///
    /// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// let inspector = Inspector::without_server();
    /// let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
    /// let mut page = inspector.connect();
    ///
    /// page.receive("{\"select\":0}");                         // what the page sends
    /// tree.tick_with(&mut 0, &mut tree.memory(), &mut ann);
    /// let updates = page.updates(millis(33));                 // what it receives
    /// assert!(updates.iter().any(|update| update.contains("\"ticks\"")));
    /// ```
    #[must_use]
    pub fn without_server() -> Self {
        let mut shared = Shared::default();
        (shared.session, shared.waiting) = (session(), Mutex::new(Waiting::Never));
        Self {
            shared: Arc::new(shared),
            #[cfg(feature = "server")]
            server: None,
        }
    }

    /// Sets how a tick waits at a breakpoint: by calling a function repeatedly. The function passes the messages of pages to their [`Connection`]s. In a
    /// browser, the function can suspend the program until a message arrives.
    pub fn waits_by(&self, receive: impl Fn() + Send + Sync + 'static) {
        *lock(&self.shared.waiting) = Waiting::Call(Arc::new(receive));
    }

    /// Connects a page, with messages that the program transports. The page has all permissions that the program grants, like a page with the token.
    #[must_use]
    pub fn connect(&self) -> Connection {
        Connection::new(Arc::clone(&self.shared))
    }

    /// Begins to collect the ticks of agents, also of those that are added later: as messages, for example for a recording at another machine. Unlike a page, this neither holds agents
    /// nor keeps them held. See [`TickCollector`](crate::TickCollector) for an example.
    ///
    /// At most 10 000 agents are collected at a time; those that are added last are left out.
    #[must_use]
    pub fn collect(&self, filter: CollectFilter) -> TickStream {
        TickStream::new(Arc::clone(&self.shared), filter)
    }

    /// Frees the ticks of agents that no page has watched for a while, and looks for changes of documents. Call this method about once per second,
    /// also while no page is connected. A server calls it by itself. `now` is the time since any fixed moment.
    pub fn maintain(&self, now: Duration) {
        self.shared.maintain(now);
    }
}

impl Inspector {
    /// Registers a tree under a name. Register a tree only once, however many agents share it. If it is replaced later, call [`replace`](Self::replace).
    pub fn tree<N: NodeShape>(&self, name: impl Into<String>, tree: &N) -> TreeKey {
        TreeKey(self.shared.add_tree(name, About::of(tree)))
    }

    /// Replaces a registered tree by its next version, for example when its file was edited. Call this method between two ticks. From then on, all agents of the tree
    /// are in the new version. The handle, its clones and the observers stay valid.
    ///
    /// `matching` maps nodes of the previous version to nodes of the new one. [`Description::matching`](bt_core::describe::Description::matching) and the reloads of
    /// `bt-dynamic` return it. Matched nodes retain their breakpoints with the hits, their counts and columns, and stay folded and selected. Stored ticks are shown in
    /// the version in which they were ticked. The breakpoints of removed nodes are removed, which the log of the page reports.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// # let inspector = bt_inspector::Inspector::serve("127.0.0.1:0")?;
    /// fn walk(_: &mut ()) -> Status { Status::Running }
    /// let old = tree! { for (): walk };
    /// let guards = inspector.tree("guard", &old);
    /// let mut ann = inspector.agent(guards.clone(), "Ann");
    /// old.tick_with(&mut (), &mut old.memory(), &mut ann);
    ///
    /// let new = tree! { for (): repeat(3) { walk } };
    /// inspector.replace(&guards, &new, &old.description().matching(&new.description()));
    /// new.tick_with(&mut (), &mut new.memory(), &mut ann);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn replace<N: NodeShape>(&self, tree: &TreeKey, new: &N, matching: &Matching) {
        self.shared.replace(&tree.0, About::of(new), matching);
    }

    /// Registers a named agent and returns its observer.
    pub fn agent(&self, tree: TreeKey, name: impl Into<String>) -> Watched {
        let agent = self.shared.add_agent(tree.0, name);
        Watched::new(Arc::clone(&self.shared), agent)
    }

    /// Returns the name of an agent that waits because a page has paused it, or because it has reached a breakpoint. Its thread is blocked: call this
    /// method from another one, to show why the program does not react.
    ///
    /// ```
    /// # let inspector = bt_inspector::Inspector::local()?;
    /// if let Some(agent) = inspector.waiting() {
    ///     println!("{agent} waits: resume it at {}", inspector.url());
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn waiting(&self) -> Option<String> {
        self.shared.agents().iter().find(|agent| agent.hold.has_thread()).map(|agent| agent.name.clone())
    }

    /// Returns the number of connected pages.
    pub fn pages(&self) -> usize {
        self.shared.pages.load(Ordering::SeqCst)
    }
}

/// Returns a number for this run of the program. A page reads it as a float.
pub(super) fn session() -> u64 {
    RandomState::new().hash_one(()) >> 12
}

impl Drop for Inspector {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
    }
}
