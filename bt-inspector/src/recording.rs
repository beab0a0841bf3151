//! Recorded agents in the place of running ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::observe::Recorded;
use serde_json::{Map, Value};

use crate::shared::{Agent, Shared, lock};

/// An agent of a recording, and its variables as far as they are known.
struct Known {
    agent: Arc<Agent>,
    variables: Map<String, Value>,
}

impl Shared {
    /// Makes all agents of a recording known, with all their ticks and the variables that they had then.
    pub(crate) fn add_recording(&self, Recorded { name, description, names, ticks, variables, .. }: Recorded) {
        let tree = self.add_tree(&name, description);
        let mut agents: BTreeMap<u64, Known> = BTreeMap::new();
        let mut variables = variables.into_iter().peekable();
        for (index, tick) in ticks.into_iter().enumerate() {
            let known = agents.entry(tick.agent).or_insert_with(|| {
                let name = names.get(&tick.agent).cloned().unwrap_or_else(|| format!("{name} {}", tick.agent));
                let agent = self.add_agent(Arc::clone(&tree), &name);
                lock(&agent.past).unbounded = true;
                Known { agent, variables: Map::new() }
            });
            lock(&known.agent.past).push(tick);
            while let Some(change) = variables.next_if(|change| change.after <= index + 1) {
                let Some(known) = agents.get_mut(&change.agent) else { continue };
                match change.value {
                    Some(value) => known.variables.insert(change.name, Value::String(value)),
                    None => known.variables.remove(&change.name),
                };
                lock(&known.agent.past).show(Value::Object(known.variables.clone()).to_string().into());
            }
        }
    }
}
