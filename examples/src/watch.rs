//! A story's agents in the browser: `--inspect`.

use std::time::Duration;

use bt_core::NodeShape;
use bt_inspector::{At, Inspector, Watched};
use serde::Serialize;

use crate::options::Options;

/// The agents of a story, to be watched in the browser; nobody, unless the options ask for it.
#[derive(Default)]
pub struct Watch {
    inspector: Option<Inspector>,
    agents: Vec<Watched>,
    /// Headless, how long a tick takes: nobody could watch it otherwise.
    pace: Duration,
}

impl Watch {
    /// So many agents of a tree, if the options ask for it. Where the page is, is printed.
    pub fn new<N: NodeShape>(options: Options, tree: (&str, &N), who: &str, agents: usize, tick: Duration) -> Self {
        if !options.inspect {
            return Self::default();
        }
        let inspector = match Inspector::serve("127.0.0.1:0") {
            Ok(inspector) => inspector,
            Err(error) => {
                eprintln!("nobody can watch: {error}");
                return Self::default();
            }
        };
        println!("watch it think: {}", inspector.url());
        let key = inspector.tree(tree.0, tree.1);
        let agents = (0..agents).map(|agent| inspector.agent(key.clone(), &format!("{who} {agent}"))).collect();
        let pace = if options.headless { tick } else { Duration::ZERO };
        Self { inspector: Some(inspector), agents, pace }
    }

    /// Whether anybody can watch.
    pub fn is_on(&self) -> bool {
        self.inspector.is_some()
    }

    /// An observer of an agent's tick.
    pub fn at(&mut self, agent: usize, now: Duration) -> Option<At<'_>> {
        self.agents.get_mut(agent).map(|agent| agent.at(now))
    }

    /// Shows values beside the agent's last tick.
    pub fn show<T: Serialize>(&mut self, agent: usize, values: impl FnOnce() -> T) {
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.show(values);
        }
    }

    /// Where the page is.
    pub fn url(&self) -> Option<String> {
        self.inspector.as_ref().map(Inspector::url)
    }

    /// After a tick: takes the time that it should.
    pub fn pace(&self) {
        std::thread::sleep(self.pace);
    }
}
