//! A story's agents in the browser: `--inspect`.

use std::time::Duration;

use bt_core::Shape;
use bt_inspector::{Inspector, Watched};

use crate::options::Options;

/// The agents of a story, to be watched in the browser.
pub struct Watch {
    inspector: Inspector,
    agents: Vec<Watched>,
    /// Headless, how long a tick takes: nobody could watch it otherwise.
    pace: Option<Duration>,
}

impl Watch {
    /// So many agents of a tree, if the options ask for it. Where the page is, is printed.
    pub fn new<N: Shape>(options: Options, tree: (&str, &N), who: &str, agents: usize, tick: Duration) -> Option<Self> {
        if !options.inspect {
            return None;
        }
        let inspector = match Inspector::serve("127.0.0.1:0") {
            Ok(inspector) => inspector,
            Err(error) => {
                eprintln!("nobody can watch: {error}");
                return None;
            }
        };
        println!("watch it think: {}", inspector.url());
        let key = inspector.tree(tree.0, tree.1);
        let agents = (0..agents).map(|agent| inspector.agent(key.clone(), &format!("{who} {agent}"))).collect();
        Some(Self { inspector, agents, pace: options.headless.then_some(tick) })
    }

    /// An agent, to observe its ticks.
    pub fn agent(&mut self, index: usize) -> Option<&mut Watched> {
        self.agents.get_mut(index)
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        self.inspector.url()
    }

    /// After a tick: takes the time that it should.
    pub fn pace(&self) {
        if let Some(tick) = self.pace {
            std::thread::sleep(tick);
        }
    }
}
