//! Agents of recordings, shown instead of running agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::observe::Recorded;
use serde_json::{Map, Value};

use super::agent::Agent;
use super::columns::Columns;
use super::history::Variables;
use super::lock;
use super::shared::Shared;
use super::tracked::Tracked;

/// An agent of a recording.
#[derive(Default)]
struct RecordedAgent {
    /// The registered agent; `None` before its first tick.
    agent: Option<Arc<Agent>>,
    /// The variables that have changed since changes were last stored with a tick.
    changes: Map<String, Value>,
    /// All variables, as they were set last.
    variables: Map<String, Value>,
    tracked: Tracked,
}

impl RecordedAgent {
    /// Stores the changes with the last tick. Changes before the first tick are stored with the first tick.
    fn store_changes(&mut self) {
        if let Some(agent) = &self.agent
            && !self.changes.is_empty()
        {
            let changes = Value::Object(std::mem::take(&mut self.changes));
            lock(&agent.history).show(Variables::Changes(changes.to_string().into()));
        }
    }
}

impl RecordedAgent {
    /// Stores what the list of agents shows.
    fn finish(self) {
        let Some(agent) = self.agent else { return };
        // The values of variables are texts: JSON, or the output of `Debug`.
        let parsed = |value: Value| value.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(value);
        let variables = self.variables.into_iter().map(|(name, value)| (name, parsed(value)));
        lock(&agent.cells).set_shown(variables.collect());
        *lock(&agent.tracked) = self.tracked;
    }
}

impl Shared {
    /// Creates the shared state of a server that only shows recordings.
    ///
    /// Only changes of variables are stored and sent: the variables of each tick would be quadratic in the size of the recording.
    pub(crate) fn from_recordings(recordings: impl IntoIterator<Item = Recorded>) -> Self {
        let shared = Self::recording();
        recordings.into_iter().for_each(|recorded| shared.add_recording(recorded));
        shared
    }

    /// Adds a tree and its agents. A tree that was replaced is shown as its last version, also in the ticks before: a page
    /// knows one tree of an agent.
    pub(crate) fn add_recording(&self, mut recorded: Recorded) {
        let first_of_last = recorded.changes.last().map_or(0, |change| change.after);
        if !recorded.changes.is_empty() {
            recorded.ticks = recorded.ticks_in(recorded.changes.len());
        }
        let Recorded { name, fingerprint, description, mut changes, names, ticks, variables, .. } = recorded;
        let (fingerprint, description) =
            changes.pop().map_or((fingerprint, description), |last| (last.fingerprint, last.description));
        let tree = self.add_tree(name.clone(), fingerprint, description, Vec::new());
        let mut agents: BTreeMap<u64, RecordedAgent> = BTreeMap::new();
        let mut variables = variables.into_iter().peekable();
        for (index, tick) in ticks.into_iter().enumerate() {
            let recorded = agents.entry(tick.agent).or_default();
            let is_first = recorded.agent.is_none();
            if !is_first {
                recorded.store_changes();
            }
            let agent = recorded.agent.get_or_insert_with(|| {
                let name = names.get(&tick.agent).cloned().unwrap_or_else(|| format!("{name} {}", tick.agent));
                self.add_agent(Arc::clone(&tree), name)
            });
            tree.overview.count(&tick);
            recorded.tracked.update(&tick, &Columns::default(), tree.key, &tree.description);
            {
                let mut history = lock(&agent.history);
                if index < first_of_last {
                    history.replaced = Some(tick.number + 1);
                }
                history.push(tick, true);
            }
            while let Some(change) = variables.next_if(|change| change.after <= index + 1) {
                let value = change.value.map_or(Value::Null, Value::String);
                let recorded = agents.entry(change.agent).or_default();
                recorded.variables.insert(change.name.clone(), value.clone());
                recorded.changes.insert(change.name, value);
            }
        }
        for mut recorded in agents.into_values() {
            recorded.store_changes();
            recorded.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use bt_core::describe::Matching;
    use bt_core::observe::{Event, RecordFile};
    use bt_core::prelude::*;

    use super::*;

    /// Returns the stored variables of each tick of an agent.
    fn stored(shared: &Shared, agent: usize) -> Vec<Variables> {
        let agent = shared.agent(agent).expect("the agent exists");
        let history = lock(&agent.history);
        history.ticks.iter().map(|(_, shown)| shown.clone()).collect()
    }

    fn changes(text: &str) -> Variables {
        Variables::Changes(text.into())
    }

    /// Reads a recording that consists of a header and `lines`.
    fn read(lines: &str) -> Shared {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut text = Vec::new();
        RecordFile::new(&mut text, "counter", &tree).expect("memory is writable").finish().expect("memory is writable");
        text.extend_from_slice(lines.as_bytes());
        Shared::from_recordings([Recorded::read(&*text).expect("valid recording")])
    }

    #[test]
    fn a_tree_that_was_replaced_is_shown_as_its_last_version() {
        // `tired` and `walk` change places, `walk` is wrapped, and `run` is deleted.
        let old = tree! { for u32: selector { |_: &u32| false, |_: &mut u32| Status::Running, run } };
        let new = tree! { for u32: selector { retry(3) { |_: &mut u32| Status::Running } |_: &u32| false } };
        let mut file = RecordFile::new(Vec::new(), "guard", &old).expect("memory is writable");
        old.tick_with(&mut 0, &mut old.memory(), &mut file.for_agent(3, secs(0)));
        file.show(3, &1);
        old.tick_with(&mut 0, &mut old.memory(), &mut file.for_agent(7, secs(0)));
        let ids = [Some(0), Some(3), Some(2), None].map(|id| id.map(NodeId::new));
        file.replace(&new, &Matching::new(ids)).expect("memory is writable");
        new.tick_with(&mut 0, &mut new.memory(), &mut file.for_agent(3, secs(1)));
        file.show(3, &2);
        let file = file.finish().expect("memory is writable");
        let shared = Shared::from_recordings([Recorded::read(&*file).expect("valid recording")]);

        let [tree] = &*shared.trees_from(0) else { panic!("there is one tree") };
        assert_eq!((tree.fingerprint, &tree.description), (new.fingerprint(), &new.description()));
        let events = |agent: usize| {
            let agent = shared.agent(agent).expect("the agent exists");
            let history = lock(&agent.history);
            history.ticks.iter().map(|(tick, _)| Event::to_text(&tick.events)).collect::<Vec<_>>()
        };
        assert_eq!(events(0), ["0r 3f 2r", "0r 1r 2r"]);
        assert_eq!(stored(&shared, 0), [changes("{\"value\":\"1\"}"), changes("{\"value\":\"2\"}")]);
        assert_eq!(events(1), ["0r 3f 2r"], "an agent that was not ticked again");
        let counts = tree.overview.counts();
        let visits = [0, 1, 2, 3].map(|node| counts.statistics.of(NodeId::new(node)).visits);
        assert_eq!((counts.ticks, visits), (3, [3, 1, 3, 2]));
        for agent in [0, 1] {
            let agent = shared.agent(agent).expect("the agent exists");
            assert_eq!(lock(&agent.tracked).leaf(), Some(NodeId::new(2)));
            assert_eq!(lock(&agent.history).replaced, Some(1), "a test can begin here");
        }
    }

    #[test]
    fn stored_variables_are_linear_in_the_size_of_the_recording() {
        let sizes = |variables: usize| {
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
            (lines.len(), stored(&read(&lines), 0).iter().map(bytes).sum::<usize>())
        };
        for variables in [10, 100, 2000] {
            let (read, stored) = sizes(variables);
            assert!(stored > 15 * variables && stored < read, "{stored} bytes of {read}");
        }
    }

    #[test]
    fn changes_are_stored_with_their_tick() {
        let tick = |agent: u64| {
            format!("{{\"agent\":{agent},\"tick\":0,\"now\":0.0,\"status\":\"Success\",\"events\":\"0s\"}}\n")
        };
        let set = |agent: u64, value: &str| format!("{{\"agent\":{agent},\"variable\":\"x\",\"value\":{value}}}\n");
        // Agent 7 comes first. A variable of agent 8 is set before any tick, and again before its first tick.
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
        assert_eq!(stored(&shared, 0), [changes("{\"x\":\"3\"}")]);
        let eight = [changes("{\"x\":\"2\"}"), changes("{\"x\":null}"), changes("{\"x\":\"5\"}")];
        assert_eq!(stored(&shared, 1), eight);
    }
}
