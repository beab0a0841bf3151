//! Agents of recordings, shown instead of running agents.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_core::observe::{Recorded, VersionRecord};
use serde_json::{Map, Value};

use super::agent::Agent;
use super::columns::Columns;
use super::history::Variables;
use super::lock;
use super::shared::Shared;
use super::tracked::Tracked;
use super::tree::About;

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
    #[cfg(feature = "server")]
    pub(crate) fn from_recordings(recordings: impl IntoIterator<Item = Recorded>) -> Self {
        let shared = Self::recording();
        recordings.into_iter().for_each(|recorded| shared.add_recording(recorded));
        shared
    }

    /// Adds a tree and its agents. Each tick has the ids of the version of the tree in which it was recorded.
    pub(crate) fn add_recording(&self, recorded: Recorded) {
        let Recorded { name, fingerprint, description, changes, names, ticks, variables, .. } = recorded;
        let versions = self.add_tree(name.clone(), About { fingerprint, description, bytes: Vec::new() });
        let mut changes = changes.into_iter().peekable();
        let mut agents: BTreeMap<u64, RecordedAgent> = BTreeMap::new();
        let mut variables = variables.into_iter().peekable();
        let replace = |change: VersionRecord| {
            let VersionRecord { fingerprint, description, matching, .. } = change;
            self.replace(&versions, About { fingerprint, description, bytes: Vec::new() }, &matching);
        };
        for (index, tick) in ticks.into_iter().enumerate() {
            while let Some(change) = changes.next_if(|change| change.after <= index) {
                replace(change);
            }
            let tree = versions.current();
            let recorded = agents.entry(tick.agent).or_default();
            let is_first = recorded.agent.is_none();
            if !is_first {
                recorded.store_changes();
            }
            let agent = recorded.agent.get_or_insert_with(|| {
                let name = names.get(&tick.agent).cloned().unwrap_or_else(|| format!("{name} {}", tick.agent));
                self.add_agent(Arc::clone(&versions), name)
            });
            versions.count(&tick, &tree);
            recorded.tracked.update(&tick, &Columns::default(), &tree);
            lock(&agent.history).push(tick, tree, None, true);
            while let Some(change) = variables.next_if(|change| change.after <= index + 1) {
                let value = change.value.map_or(Value::Null, Value::String);
                let recorded = agents.entry(change.agent).or_default();
                recorded.variables.insert(change.name.clone(), value.clone());
                recorded.changes.insert(change.name, value);
            }
        }
        changes.for_each(replace);
        for mut recorded in agents.into_values() {
            recorded.store_changes();
            recorded.finish();
        }
    }
}

#[cfg(feature = "server")]
#[cfg(test)]
mod tests {
    use bt_core::describe::Matching;
    use bt_core::observe::{Event, RecordFile};
    use bt_core::prelude::*;

    use super::super::history::Stored;
    use super::*;

    /// Returns the stored variables of each tick of an agent.
    fn stored(shared: &Shared, agent: usize) -> Vec<Variables> {
        let agent = shared.agent(agent).expect("the agent exists");
        let history = lock(&agent.history);
        history.ticks.iter().map(|stored| stored.values.clone()).collect()
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
    fn a_tree_that_was_replaced_is_shown_in_its_versions() {
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

        let [first, last] = &*shared.trees_from(0) else { panic!("there are two versions") };
        assert_eq!((first.fingerprint, &first.description), (old.fingerprint(), &old.description()));
        assert_eq!((last.fingerprint, &last.description), (new.fingerprint(), &new.description()));
        assert_eq!((first.first, last.first, last.numbers.all()), (0, 0, &[0, 4, 2, 1][..]));
        let ticks = |agent: usize| {
            let agent = shared.agent(agent).expect("the agent exists");
            let history = lock(&agent.history);
            let stored = |stored: &Stored| (stored.tree.key, Event::to_text(&stored.tick.events));
            history.ticks.iter().map(stored).collect::<Vec<_>>()
        };
        assert_eq!(ticks(0), [(0, "0r 1f 2r".to_owned()), (1, "0r 1r 2r".to_owned())]);
        assert_eq!(stored(&shared, 0), [changes("{\"value\":\"1\"}"), changes("{\"value\":\"2\"}")]);
        assert_eq!(ticks(1), [(0, "0r 1f 2r".to_owned())], "an agent that was not ticked again");
        let versions = &shared.agent(1).expect("the agent exists").versions;
        assert_eq!(versions.current().key, 1, "although it was not ticked again");
        let counts = versions.overview.counts();
        let visits = [0, 1, 2, 3].map(|node| counts.statistics.of(NodeId::new(node)).visits);
        assert_eq!((counts.ticks, visits), (3, [3, 1, 3, 2]));
        for agent in [0, 1] {
            let agent = shared.agent(agent).expect("the agent exists");
            assert_eq!(lock(&agent.tracked).leaf(), Some(2), "the number of `walk` in all versions");
            assert_eq!(agent.running_leaf(last).map(|(leaf, _)| leaf), Some(2));
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
