//! What was collected, from texts.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use bt_core::describe::Description;
use bt_core::observe::{RecordFile, TickRecord};
use serde_json::Value;

use super::message::Message;
use crate::state::MAX_COLLECTED;

/// The maximum number of versions of trees that are known at a time.
pub(super) const MAX_TREES: usize = 1024;
/// The maximum number of known agents. Agents that were removed while a connection was lost are kept up to this number.
pub(super) const MAX_KNOWN: usize = 2 * MAX_COLLECTED;
/// The maximum length of a name, in characters.
const MAX_NAME: usize = 200;

/// Receives the messages of a [`TickStream`](crate::TickStream), for example over a network, and returns the ticks. Its memory is bounded for any input.
///
/// After a connection was lost, the same collector can receive the messages of a new stream of the same program, which sends all stored ticks again.
///
/// ```
/// use bt_core::observe::Recorded;
/// use bt_core::prelude::*;
/// use bt_inspector::{CollectFilter, Inspector, TickCollector};
///
/// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
/// let inspector = Inspector::without_server();
/// let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
/// let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
///
/// let (mut n, mut memory) = (0, tree.memory());
/// for _ in 0..2 {
///     tree.tick_with(&mut n, &mut memory, &mut ann);
/// }
/// let ticks: Vec<_> = stream.updates().iter().filter_map(|message| collector.receive(message)).collect();
///
/// // A recording, as `RecordFile` writes it in the program.
/// let mut file = ticks[0].tree().record(Vec::new())?;
/// file.name(ticks[0].agent(), ticks[0].name())?;
/// for tick in &ticks {
///     tick.write(&mut file)?;
/// }
/// let recorded = Recorded::read(&*file.finish()?)?;
/// assert_eq!((recorded.ticks.len(), recorded.names[&0].as_str()), (2, "Ann"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct TickCollector {
    pub(super) trees: BTreeMap<usize, Arc<CollectedTree>>,
    pub(super) agents: BTreeMap<usize, CollectedAgent>,
    /// The number of messages of agents so far.
    messages: u64,
}

pub(super) struct CollectedAgent {
    pub(super) name: Arc<str>,
    /// The number of the tick that was received last.
    last: Option<u64>,
    /// The number of the last message about it.
    heard: u64,
}

/// A version of a tree of which ticks were collected.
#[derive(PartialEq, Debug)]
pub struct CollectedTree {
    name: String,
    fingerprint: u64,
    pub(super) nodes: Description,
}

impl CollectedTree {
    /// Returns the name with which the program has registered the tree.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates a recording of the tree, for [`CollectedTick::write`].
    ///
    /// # Errors
    ///
    /// Returns an error if the first line cannot be written.
    pub fn record<W: Write>(&self, out: W) -> io::Result<RecordFile<W>> {
        RecordFile::described(out, &self.name, self.fingerprint, self.nodes.clone())
    }
}

/// A tick that was collected from a program.
#[derive(Clone, PartialEq, Debug)]
pub struct CollectedTick {
    tree: Arc<CollectedTree>,
    name: Arc<str>,
    tick: TickRecord,
    values: Option<Value>,
    is_repeated: bool,
}

impl CollectedTick {
    /// Returns the version of the tree in which the agent was ticked.
    #[must_use]
    pub fn tree(&self) -> &Arc<CollectedTree> {
        &self.tree
    }

    /// Returns a number for the agent, which no other agent of the program has.
    #[must_use]
    pub const fn agent(&self) -> u64 {
        self.tick.agent
    }

    /// Returns the name of the agent.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tick.
    #[must_use]
    pub const fn tick(&self) -> &TickRecord {
        &self.tick
    }

    /// Returns whether the tick was received before: other values were shown next to it since.
    #[must_use]
    pub const fn is_repeated(&self) -> bool {
        self.is_repeated
    }

    /// Writes the tick to a recording of its tree, and the values that were shown next to it. A tick that is received again, because other values were shown since, is written once.
    ///
    /// # Errors
    ///
    /// Returns an error of the kind [`InvalidInput`](io::ErrorKind::InvalidInput) if the tree has not all nodes of the tick, or the error of the file.
    pub fn write<W: Write>(&self, file: &mut RecordFile<W>) -> io::Result<()> {
        if !self.is_repeated {
            file.add(&self.tick)?;
        }
        if let Some(values) = &self.values {
            file.show(self.tick.agent, values);
        }
        Ok(())
    }
}

impl TickCollector {
    /// Returns a collector for the messages of one program.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Receives a message. Returns the tick if it contains one that was not received before. What no stream sends is ignored.
    pub fn receive(&mut self, message: &str) -> Option<CollectedTick> {
        match serde_json::from_str(message).ok()? {
            Message::Tree { key, name, fingerprint, nodes } => {
                if self.trees.len() >= MAX_TREES {
                    // A stream sends a tree again when it has sent many others.
                    self.trees.pop_first();
                }
                let tree = CollectedTree { name: short(&name), fingerprint, nodes: nodes.into_owned() };
                // A new stream of the same program sends it again.
                if self.trees.get(&key).is_none_or(|known| **known != tree) {
                    self.trees.insert(key, Arc::new(tree));
                }
                None
            }
            Message::Agent { key, name } => {
                self.messages += 1;
                let heard = self.messages;
                if let Some(known) = self.agents.get_mut(&key) {
                    // A connection was lost.
                    known.heard = heard;
                    return None;
                }
                if self.agents.len() >= MAX_KNOWN {
                    self.forget_silent();
                }
                self.agents.insert(key, CollectedAgent { name: short(&name).into(), last: None, heard });
                None
            }
            Message::Gone(key) => {
                self.agents.remove(&key);
                None
            }
            Message::Tick { agent: key, tree, tick, values } => {
                let tree = Arc::clone(self.trees.get(&tree)?);
                let agent = self.agents.get_mut(&key)?;
                self.messages += 1;
                agent.heard = self.messages;
                let tick = TickRecord { agent: key as u64, ..tick.into_owned() };
                if agent.last.is_some_and(|last| tick.number < last) {
                    return None;
                }
                let is_repeated = agent.last.replace(tick.number) == Some(tick.number);
                let values = values.and_then(|values| serde_json::from_str(values.get()).ok());
                Some(CollectedTick { tree, name: Arc::clone(&agent.name), tick, values, is_repeated })
            }
        }
    }
}

impl TickCollector {
    /// Forgets the half of the agents that no message was about for the longest time.
    fn forget_silent(&mut self) {
        let mut heard: Vec<_> = self.agents.values().map(|agent| agent.heard).collect();
        heard.sort_unstable();
        let middle = heard[heard.len() / 2];
        self.agents.retain(|_, agent| agent.heard >= middle);
    }
}

fn short(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
