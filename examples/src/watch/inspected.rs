//! The agents of an example in the inspector, for the options `--inspect` and `--edit`.

use std::sync::Arc;
use std::time::Duration;

use bt_core::{NodeShape, Wake};
use bt_inspector::{At, Document, EditTree, Inspector, TreeKey, Values, Watched};
use serde::Serialize;

use crate::options::Options;

/// The folder whose files pages can save.
const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The agents of an example in the inspector. Empty without the option `--inspect`.
#[derive(Default)]
pub struct Watch {
    inspector: Option<Arc<Inspector>>,
    tree: Option<TreeKey>,
    agents: Vec<Watched>,
    /// The duration of a tick if headless, so that the simulation can be watched in real time.
    pace: Duration,
}

impl Watch {
    /// Starts the inspector and registers agents with these names, if the options request it. Prints the URL of the page.
    pub fn new<N: NodeShape>(
        options: Options,
        tree: (&str, &N),
        agents: impl IntoIterator<Item = String>,
        tick: Duration,
    ) -> Self {
        if !options.inspect {
            return Self::default();
        }
        let inspector = match inspector() {
            Ok(inspector) => inspector,
            Err(error) => {
                eprintln!("cannot start the inspector: {error}");
                return Self::default();
            }
        };
        #[cfg(feature = "live")]
        bt_live::edit(&inspector);
        if options.edit {
            inspector.allow_edit();
            if cfg!(not(target_family = "wasm"))
                && let Err(error) = inspector.allow_write(FOLDER)
            {
                eprintln!("the trees cannot be saved: {error}");
            }
        }
        #[cfg(not(target_family = "wasm"))]
        println!("inspector at {}", inspector.url());
        let key = inspector.tree(tree.0, tree.1);
        let agents = agents.into_iter().map(|name| inspector.agent(key.clone(), name)).collect();
        let pace = if options.headless { tick } else { Duration::ZERO };
        Self { inspector: Some(Arc::new(inspector)), tree: Some(key), agents, pace }
    }

    /// Lets pages look at the file of the tree, and with the option `--edit`, change it.
    pub fn file(&self, path: &str, tree: impl EditTree + 'static) {
        if let (Some(inspector), Some(key)) = (&self.inspector, &self.tree)
            && let Err(error) = inspector.edit(Document::file(path).follows_file().target(tree).of(key))
        {
            eprintln!("{path} cannot be edited: {error}");
        }
    }

    /// Lets pages look at a text of the tree and, with the option `--edit`, change it.
    pub fn text(&self, name: &str, text: &str, tree: impl EditTree + 'static) {
        if let (Some(inspector), Some(key)) = (&self.inspector, &self.tree)
            && let Err(error) = inspector.edit(Document::text(name, text).target(tree).of(key))
        {
            eprintln!("{name} cannot be edited: {error}");
        }
    }

    /// Returns whether the inspector is running.
    pub fn is_on(&self) -> bool {
        self.inspector.is_some()
    }

    /// Returns the observer of an agent's tick, or `None` if the agent is not watched.
    pub fn at(&mut self, agent: usize, now: Duration) -> Option<At<'_>> {
        self.agents.get_mut(agent).map(|agent| agent.at(now))
    }

    /// Lets pages take the agent back to an earlier tick: its memory and its context.
    pub fn rewind<M, C>(&mut self, agent: usize, now: Duration, memory: &mut M, context: &mut C)
    where
        M: Clone + Send + 'static,
        C: Clone + Send + 'static,
    {
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.rewind(now, memory, context);
        }
    }

    /// Shows values next to the agent's last tick.
    pub fn show<T: Serialize>(&mut self, agent: usize, values: impl FnOnce() -> T) {
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.show(values);
        }
    }

    /// Shows values next to the agent's last tick, some of which pages can edit.
    pub fn show_mut(&mut self, agent: usize, values: impl FnOnce(&mut Values)) {
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.show_mut(values);
        }
    }

    /// Returns whether a page holds the agent: it must not be ticked now.
    pub fn is_held(&self, agent: usize) -> bool {
        self.agents.get(agent).is_some_and(Watched::is_held)
    }

    /// Shows until when the agent sleeps.
    pub fn due(&mut self, agent: usize, due: Wake) {
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.due(due);
        }
    }

    /// Returns the agents that a page has selected, and of which the page has not received a tick yet.
    pub fn need_tick(&self) -> impl Iterator<Item = usize> {
        self.agents.iter().enumerate().filter(|(_, agent)| agent.needs_tick()).map(|(index, _)| index)
    }

    /// Returns the URL of the page. In a browser, the page is beside the example.
    pub fn url(&self) -> Option<String> {
        #[cfg(target_family = "wasm")]
        return None;
        #[cfg(not(target_family = "wasm"))]
        self.inspector.as_ref().map(|inspector| inspector.url())
    }

    /// Returns the inspector.
    pub fn inspector(&self) -> Option<Arc<Inspector>> {
        self.inspector.clone()
    }

    /// Sleeps after a tick if headless and watched, so that ticks take their nominal time.
    pub fn pace(&self) {
        std::thread::sleep(self.pace);
    }
}

/// Starts the server of the pages.
#[cfg(not(target_family = "wasm"))]
fn inspector() -> std::io::Result<Inspector> {
    Inspector::local()
}

#[cfg(target_family = "wasm")]
#[expect(clippy::unnecessary_wraps, reason = "a server can fail to start")]
fn inspector() -> std::io::Result<Inspector> {
    Ok(crate::browser::page::inspector())
}
