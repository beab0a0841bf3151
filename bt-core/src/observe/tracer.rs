//! An observer that reports to `tracing`.

use core::fmt;

use tracing::span::EnteredSpan;
use tracing::{Level, debug, error, span, trace};

use crate::describe::Description;
use crate::id::NodeId;
use crate::node::NodeShape;
use crate::observer::{Observer, Tick};
use crate::status::{End, Status};

/// An observer that reports ticks and their events to the crate `tracing`.
///
/// Each tick is a span `tick` with the level `DEBUG`. In it, each visited node is an event with the level `TRACE`. Each
/// halted node and each new state of a machine is an event with the level `DEBUG`. The target of all of them is `bt`.
/// [`ChangeLog::to_tracing`](crate::observe::ChangeLog::to_tracing) reports only the changes of statuses.
///
/// ```
/// use bt_core::observe::Tracer;
/// use bt_core::prelude::*;
///
/// let tree = tree! { for (): selector { fail, run } };
/// let mut traced = Tracer::new(&tree);
/// tree.tick_with(&mut (), &mut tree.memory(), &mut traced.for_agent(7, secs(1)));
/// ```
///
/// `tracing_subscriber::fmt` prints:
///
/// ```text
/// TRACE tick{agent=7 now=1s}: bt: fail: Failure node=1
/// TRACE tick{agent=7 now=1s}: bt: run: Running node=2
/// TRACE tick{agent=7 now=1s}: bt: selector: Running node=0
/// DEBUG tick{agent=7 now=1s}: bt: Running
/// ```
pub struct Tracer {
    description: Description,
    span: Option<EnteredSpan>,
}

impl Tracer {
    /// Creates an observer for this tree.
    pub fn new<N: NodeShape>(tree: &N) -> Self {
        Self { description: Description::of(tree), span: None }
    }

    fn name(&self, at: NodeId) -> &str {
        self.description.node(at).map_or("?", |node| node.label.as_deref().unwrap_or(&node.name))
    }
}

impl Observer for Tracer {
    const INLINE: bool = false;

    fn begin(&mut self, tick: Tick) {
        // After a panic, the span of the last tick must not contain this one.
        self.span = None;
        self.span = Some(span!(target: "bt", Level::DEBUG, "tick", agent = tick.agent, now = ?tick.now).entered());
    }

    fn end(&mut self, _: Tick, status: Option<Status>) {
        if let Some(status) = status {
            debug!(target: "bt", "{status:?}");
        }
        self.span = None;
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        trace!(target: "bt", node = at.index(), "{}: {status:?}", self.name(at));
    }

    fn close(&mut self, at: NodeId, end: End) {
        if let End::Halted(cause) = end {
            debug!(target: "bt", node = at.index(), "{}: halted: {cause}", self.name(at));
        }
    }

    fn error(&mut self, at: NodeId, error: &dyn fmt::Display) {
        error!(target: "bt", node = at.index(), "{}: {error}", self.name(at));
    }

    fn failure(&mut self, at: NodeId, reason: &dyn fmt::Display) {
        debug!(target: "bt", node = at.index(), "{}: {reason}", self.name(at));
    }

    fn score(&mut self, at: NodeId, score: f32) {
        trace!(target: "bt", node = at.index(), "{}: score {score}", self.name(at));
    }

    fn state(&mut self, at: NodeId, state: usize) {
        let machine = self.description.children(at).nth(state);
        debug!(target: "bt", node = at.index(), "{}: state {}", self.name(at), machine.map_or("?", |state| &state.name));
    }
}
