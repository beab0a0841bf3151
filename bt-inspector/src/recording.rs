//! Recorded agents in the place of running ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::observe::Recorded;
use serde_json::{Map, Value};

use crate::past::Variables;
use crate::shared::{Agent, Shared, lock};

/// An agent of a recording.
#[derive(Default)]
struct Known {
    /// `None` before its first tick.
    agent: Option<Arc<Agent>>,
    /// The variables that have changed since its last tick was stored with its changes.
    changes: Map<String, Value>,
}

impl Known {
    /// Stores the changes with the last tick. Before the first they stay for that one.
    fn store(&mut self) {
        if let Some(agent) = &self.agent
            && !self.changes.is_empty()
        {
            let changes = Value::Object(std::mem::take(&mut self.changes));
            lock(&agent.past).show(Variables::Changes(changes.to_string().into()));
        }
    }
}

impl Shared {
    /// Makes all agents of a recording known, with all their ticks and the changes of their variables.
    ///
    /// Only changes are stored and sent: all variables of each tick would be quadratic in what was recorded.
    /// Recordings, and nothing that runs.
    pub(crate) fn of(recordings: impl IntoIterator<Item = Recorded>) -> Self {
        let shared = Self::recording();
        recordings.into_iter().for_each(|recorded| shared.add_recording(recorded));
        shared
    }

    fn add_recording(&self, Recorded { name, description, names, ticks, variables, .. }: Recorded) {
        let tree = self.add_tree(&name, description);
        let mut agents: BTreeMap<u64, Known> = BTreeMap::new();
        let mut variables = variables.into_iter().peekable();
        for (index, tick) in ticks.into_iter().enumerate() {
            let known = agents.entry(tick.agent).or_default();
            let is_first = known.agent.is_none();
            if !is_first {
                known.store();
            }
            let agent = known.agent.get_or_insert_with(|| {
                let name = names.get(&tick.agent).cloned().unwrap_or_else(|| format!("{name} {}", tick.agent));
                self.add_agent(Arc::clone(&tree), &name)
            });
            lock(&agent.past).push(tick, true);
            while let Some(change) = variables.next_if(|change| change.after <= index + 1) {
                let value = change.value.map_or(Value::Null, Value::String);
                agents.entry(change.agent).or_default().changes.insert(change.name, value);
            }
        }
        agents.values_mut().for_each(Known::store);
    }
}

#[cfg(test)]
mod tests {
    use bt_core::observe::RecordFile;
    use bt_core::prelude::*;

    use super::*;

    /// What is stored of the values of each tick of an agent.
    fn shown(shared: &Shared, agent: usize) -> Vec<Variables> {
        let agent = shared.agent(agent).expect("it is there");
        let past = lock(&agent.past);
        past.ticks.iter().map(|(_, shown)| shown.clone()).collect()
    }

    fn changes(text: &str) -> Variables {
        Variables::Changes(text.into())
    }

    /// The header of a recording, and more lines.
    fn read(lines: &str) -> Shared {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut text = Vec::new();
        RecordFile::new(&mut text, "counter", &tree).expect("memory takes it").finish().expect("memory takes it");
        text.extend_from_slice(lines.as_bytes());
        Shared::of([Recorded::read(&*text).expect("it is a recording")])
    }

    #[test]
    fn what_is_stored_of_variables_is_linear_in_what_was_recorded() {
        let stored = |variables: usize| {
            let mut lines = Vec::new();
            for n in 0..variables {
                lines.push(format!(
                    "{{\"agent\":0,\"tick\":{n},\"now\":{n}.0,\"status\":\"Success\",\"events\":\"0s\"}}\n"
                ));
                lines.push(format!("{{\"agent\":0,\"variable\":\"variable {n}\",\"value\":\"{n}\"}}\n"));
            }
            let lines = lines.concat();
            let bytes = |shown: &Variables| match shown {
                Variables::Changes(text) | Variables::Values(text) => text.len(),
                Variables::Nothing | Variables::Dropped => 0,
            };
            (lines.len(), shown(&read(&lines), 0).iter().map(bytes).sum::<usize>())
        };
        for variables in [10, 100, 2000] {
            let (read, stored) = stored(variables);
            assert!(stored > 15 * variables && stored < read, "{stored} bytes of {read}");
        }
    }

    #[test]
    fn each_tick_has_its_changes() {
        let tick = |agent: u64| {
            format!("{{\"agent\":{agent},\"tick\":0,\"now\":0.0,\"status\":\"Success\",\"events\":\"0s\"}}\n")
        };
        let set = |agent: u64, value: &str| format!("{{\"agent\":{agent},\"variable\":\"x\",\"value\":{value}}}\n");
        // Agent 7 comes first, but a variable of agent 8 is told before any tick, and again before its first.
        let lines = [
            set(8, "\"1\""),
            tick(7),
            set(8, "\"2\""),
            tick(8),
            tick(8),
            set(8, "null"),
            set(7, "\"3\""),
            tick(8),
            set(8, "\"4\""),
            set(8, "\"5\""),
        ];
        let shared = read(&lines.concat());
        assert_eq!(shown(&shared, 0), [changes("{\"x\":\"3\"}")]);
        let eight = [changes("{\"x\":\"2\"}"), changes("{\"x\":null}"), changes("{\"x\":\"5\"}")];
        assert_eq!(shown(&shared, 1), eight);
    }
}
