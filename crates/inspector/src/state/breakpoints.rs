//! Breakpoints: the nodes at which agents stop, and the events that trigger them; and the values at whose changes they stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bt_core::describe::Matching;
use bt_core::{End, NodeId, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::expression::Expression;

/// The maximum number of watched values of a tree.
const MAX_WATCHES: usize = 32;

/// An event that triggers a breakpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Trigger {
    /// Before the node is visited.
    Visit,
    Success,
    Failure,
    Running,
    Error,
    Halted,
}

impl From<Status> for Trigger {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Trigger::Success,
            Status::Failure => Trigger::Failure,
            Status::Running => Trigger::Running,
            Status::Error => Trigger::Error,
        }
    }
}

impl Trigger {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the trigger for a halt. Other ends are already reported as a status.
    pub(crate) fn halted(end: End) -> Option<Self> {
        matches!(end, End::Halted(_)).then_some(Trigger::Halted)
    }
}

/// A breakpoint of a node: what a page sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Breakpoint {
    pub(crate) node: u32,
    /// The events at which agents stop. Without any, the breakpoint is removed.
    pub(crate) on: Vec<Trigger>,
    /// The only agent that stops; without one, all agents of the tree do.
    #[serde(default)]
    pub(crate) agent: Option<usize>,
    #[serde(default)]
    pub(crate) disabled: bool,
    /// The number of hits at which no agent stops.
    #[serde(default)]
    pub(crate) skip: u64,
    /// An expression over the values shown last. An agent only stops if it is `true`. Empty for none.
    #[serde(default)]
    pub(crate) condition: String,
}

/// A value at whose changes agents stop: what a page sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Watch {
    /// An expression over the shown values. An agent stops when a comparison becomes `true`, and at each change of any other value.
    pub(crate) expression: String,
    /// The only agent that stops; without one, all agents of the tree do.
    #[serde(default)]
    pub(crate) agent: Option<usize>,
    #[serde(default)]
    pub(crate) disabled: bool,
}

impl Breakpoint {
    fn is_for(&self, agent: usize) -> bool {
        !self.disabled && self.agent.is_none_or(|only| only == agent)
    }
}

impl Watch {
    fn is_for(&self, agent: usize) -> bool {
        !self.disabled && self.agent.is_none_or(|only| only == agent)
    }
}

/// What stops the agents of one tree: breakpoints, at most one per node, and watches.
#[derive(Clone, Default)]
pub(crate) struct Breakpoints {
    /// The enabled triggers per node, as bits.
    armed: Vec<u8>,
    list: Vec<Armed<Breakpoint, Option<Expression>>>,
    watches: Vec<Armed<Watch, Expression>>,
}

/// What a page has set, with its parsed expression, and the number of its hits.
#[derive(Clone)]
struct Armed<T, E> {
    of: T,
    expression: E,
    hits: Arc<AtomicU64>,
}

impl<T, E> Armed<T, E> {
    fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }
}

impl Breakpoints {
    pub(crate) fn none(nodes: usize) -> Self {
        Self { armed: vec![0; nodes], ..Self::default() }
    }

    /// Returns the breakpoints of the tree that replaces this one, and the nodes that it does not have. Hits are retained.
    pub(super) fn moved(&self, matching: &Matching, nodes: usize) -> (Self, Vec<NodeId>) {
        let mut moved = Self { watches: self.watches.clone(), ..Self::none(nodes) };
        let mut dropped = Vec::new();
        for armed in &self.list {
            let old = NodeId::new(armed.of.node);
            let new = matching.get(old).filter(|new| new.index() < nodes);
            let Some(new) = new else {
                dropped.push(old);
                continue;
            };
            moved.armed[new.index()] = self.armed[old.index()];
            let mut armed = armed.clone();
            armed.of.node = u32::try_from(new.index()).unwrap_or(u32::MAX);
            moved.list.push(armed);
        }
        moved.list.sort_by_key(|armed| armed.of.node);
        (moved, dropped)
    }

    /// Prepares them for another tree, with other agents: without the one that it was for, a breakpoint must not stop all of them.
    pub(super) fn for_other_agents(&mut self) {
        let disable = |agent: &mut Option<usize>, disabled: &mut bool| *disabled |= agent.take().is_some();
        for armed in &mut self.list {
            disable(&mut armed.of.agent, &mut armed.of.disabled);
            armed.hits = Arc::default();
        }
        for armed in &mut self.watches {
            disable(&mut armed.of.agent, &mut armed.of.disabled);
            armed.hits = Arc::default();
        }
    }

    /// Returns whether one of them is enabled for an agent.
    pub(crate) fn apply_to(&self, agent: usize) -> bool {
        self.list.iter().any(|armed| armed.of.is_for(agent)) || self.watches_of(agent).next().is_some()
    }

    /// Returns whether the values that an agent shows decide whether it stops.
    pub(crate) fn need_values_of(&self, agent: usize) -> bool {
        let mut conditions = self.list.iter().filter(|armed| armed.expression.is_some());
        conditions.any(|armed| armed.of.is_for(agent)) || self.watches_of(agent).next().is_some()
    }

    /// Returns the enabled watches of an agent.
    fn watches_of(&self, agent: usize) -> impl Iterator<Item = &Armed<Watch, Expression>> {
        self.watches.iter().filter(move |armed| armed.of.is_for(agent))
    }

    /// Returns the breakpoints in the order of their nodes, with their numbers of hits.
    pub(crate) fn list(&self) -> impl Iterator<Item = (&Breakpoint, u64)> {
        self.list.iter().map(|armed| (&armed.of, armed.hits()))
    }

    /// Returns the watches in the order in which they were set, with their numbers of hits.
    pub(crate) fn watches(&self) -> impl Iterator<Item = (&Watch, u64)> {
        self.watches.iter().map(|armed| (&armed.of, armed.hits()))
    }

    /// Counts a hit if an event is one of those of the breakpoint of a node, and its condition holds for the values that the agent has shown
    /// last. Returns whether the agent stops.
    pub(crate) fn hit(&self, node: NodeId, on: Trigger, agent: usize, values: &Value) -> bool {
        if self.armed.get(node.index()).is_none_or(|set| set & on.bit() == 0) {
            return false;
        }
        let of = self.list.iter().find(|armed| armed.of.node as usize == node.index());
        let Some(armed) = of.filter(|armed| armed.of.is_for(agent)) else {
            return false;
        };
        if armed.expression.as_ref().is_some_and(|condition| !condition.holds(values)) {
            return false;
        }
        armed.hits.fetch_add(1, Ordering::Relaxed) >= armed.of.skip
    }

    /// Counts the hits of the watches whose values an agent has changed. Returns what has changed, if an agent stops.
    pub(crate) fn changed(&self, agent: usize, before: &Value, after: &Value) -> Option<String> {
        let mut changes = Vec::new();
        for armed in self.watches_of(agent) {
            let (was, is) = (armed.expression.evaluate(before), armed.expression.evaluate(after));
            let is_condition = armed.expression.is_condition();
            if was == is || is_condition && is != Value::Bool(true) {
                continue;
            }
            armed.hits.fetch_add(1, Ordering::Relaxed);
            let name = &armed.of.expression;
            changes.push(if is_condition {
                format!("{name} became true")
            } else {
                format!("{name} changed from {was} to {is}")
            });
        }
        (!changes.is_empty()).then(|| changes.join(", "))
    }

    /// Replaces the breakpoint of a node. Its hits are counted from 0 unless only `disabled` has changed.
    pub(crate) fn set(&mut self, breakpoint: Breakpoint) -> Result<(), String> {
        let node = breakpoint.node;
        let armed = usize::try_from(node).ok().and_then(|node| self.armed.get_mut(node));
        let armed = armed.ok_or_else(|| format!("unknown node {node}"))?;
        let condition = breakpoint.condition.trim();
        let expression = (!condition.is_empty()).then(|| Expression::parse(condition)).transpose()?;
        let bits = breakpoint.on.iter().fold(0, |set, on| set | on.bit());
        *armed = if breakpoint.disabled { 0 } else { bits };
        let index = self.list.partition_point(|other| other.of.node < node);
        let before = self.list.get(index).filter(|other| other.of.node == node).cloned();
        if before.is_some() {
            self.list.remove(index);
        }
        if bits != 0 {
            let same = |before: &Armed<Breakpoint, _>| {
                Breakpoint { disabled: breakpoint.disabled, ..before.of.clone() } == breakpoint
            };
            let hits = before.filter(same).map(|before| before.hits).unwrap_or_default();
            self.list.insert(index, Armed { of: breakpoint, expression, hits });
        }
        Ok(())
    }

    /// Adds a watch, or replaces the one with the same expression and agent.
    pub(crate) fn set_watch(&mut self, watch: Watch) -> Result<(), String> {
        let expression = Expression::parse(&watch.expression)?;
        let watch = Watch { expression: expression.to_string(), ..watch };
        if let Some(same) = self.watches.iter_mut().find(|other| is_same(&other.of, &watch)) {
            same.of = watch;
        } else if self.watches.len() == MAX_WATCHES {
            return Err(format!("too many watched values (limit: {MAX_WATCHES})"));
        } else {
            self.watches.push(Armed { of: watch, expression, hits: Arc::default() });
        }
        Ok(())
    }

    pub(crate) fn remove_watch(&mut self, watch: &Watch) {
        self.watches.retain(|other| !is_same(&other.of, watch));
    }
}

fn is_same(watch: &Watch, other: &Watch) -> bool {
    watch.expression == other.expression.trim() && watch.agent == other.agent
}

#[cfg(test)]
mod tests {
    use bt_core::NodeId;
    use bt_core::describe::Matching;
    use serde_json::{Value, json};

    use super::{Breakpoint, Breakpoints, Trigger, Watch};

    fn on(node: u32, on: &[Trigger]) -> Breakpoint {
        Breakpoint { node, on: on.to_vec(), agent: None, disabled: false, skip: 0, condition: String::new() }
    }

    #[test]
    fn breakpoints_are_set_per_node_and_trigger() {
        let mut breakpoints = Breakpoints::none(3);
        assert!(!breakpoints.apply_to(0));
        assert_eq!(breakpoints.set(on(1, &[Trigger::Failure, Trigger::Halted])), Ok(()));
        assert_eq!(breakpoints.set(on(3, &[Trigger::Failure])), Err("unknown node 3".to_owned()));
        let one = NodeId::new(1);
        let hit = |node, on, agent| breakpoints.hit(node, on, agent, &Value::Null);
        assert!(hit(one, Trigger::Failure, 0) && hit(one, Trigger::Halted, 7) && !hit(one, Trigger::Success, 0));
        assert!(!hit(NodeId::new(7), Trigger::Failure, 0));
        assert_eq!(breakpoints.set(on(1, &[])), Ok(()));
        assert!(!breakpoints.apply_to(0) && breakpoints.list().count() == 0);
    }

    #[test]
    fn a_breakpoint_can_be_disabled_skip_hits_and_stop_one_agent() {
        let mut breakpoints = Breakpoints::none(3);
        let two = Breakpoint { skip: 2, agent: Some(5), ..on(2, &[Trigger::Visit]) };
        breakpoints.set(two.clone()).expect("it is valid");
        assert!(breakpoints.apply_to(5) && !breakpoints.apply_to(4), "other agents need not be observed");
        breakpoints.set(on(0, &[Trigger::Error])).expect("it is valid");
        let hit =
            |breakpoints: &Breakpoints, agent| breakpoints.hit(NodeId::new(2), Trigger::Visit, agent, &Value::Null);
        assert_eq!([5, 4, 5, 5].map(|agent| hit(&breakpoints, agent)), [false, false, false, true]);
        let listed =
            |breakpoints: &Breakpoints| breakpoints.list().map(|(of, hits)| (of.node, hits)).collect::<Vec<_>>();
        assert_eq!(listed(&breakpoints), [(0, 0), (2, 3)]);
        breakpoints.set(Breakpoint { disabled: true, ..two.clone() }).expect("it is valid");
        assert!(!hit(&breakpoints, 5));
        assert_eq!(listed(&breakpoints), [(0, 0), (2, 3)], "disabled, but not forgotten");
        breakpoints.set(two.clone()).expect("it is valid");
        assert!(hit(&breakpoints, 5));
        breakpoints.set(Breakpoint { skip: 0, ..two }).expect("it is valid");
        assert_eq!(listed(&breakpoints), [(0, 0), (2, 0)], "another breakpoint counts from 0");
    }

    #[test]
    fn a_condition_over_the_shown_values_decides_whether_an_agent_stops() {
        let mut breakpoints = Breakpoints::none(3);
        let condition = |text: &str| Breakpoint { condition: text.to_owned(), ..on(1, &[Trigger::Visit]) };
        assert!(breakpoints.set(condition("hp <")).is_err());
        assert!(!breakpoints.need_values_of(0) && breakpoints.list().count() == 0, "an invalid one changes nothing");
        assert_eq!(breakpoints.set(condition("hp < 3")), Ok(()));
        assert!(breakpoints.need_values_of(0));
        let hit = |values| breakpoints.hit(NodeId::new(1), Trigger::Visit, 0, &values);
        assert_eq!([json!({ "hp": 3 }), json!({ "hp": 2 }), Value::Null].map(hit), [false, true, false]);
        assert_eq!(breakpoints.list().map(|(_, hits)| hits).collect::<Vec<_>>(), [1], "only where the condition holds");
    }

    #[test]
    fn an_agent_stops_when_a_watched_value_changes() {
        let mut breakpoints = Breakpoints::none(3);
        let watch = |expression: &str, agent| Watch { expression: expression.to_owned(), agent, disabled: false };
        assert!(breakpoints.set_watch(watch("hp <", None)).is_err());
        for set in [watch(" hp", None), watch("hp < 3", Some(5)), watch("hp", None)] {
            assert_eq!(breakpoints.set_watch(set), Ok(()));
        }
        assert_eq!(breakpoints.watches().count(), 2, "the last one replaces the first one");
        let changed = |breakpoints: &Breakpoints, agent, was: i32, is: i32| {
            breakpoints.changed(agent, &json!({ "hp": was }), &json!({ "hp": is }))
        };
        assert_eq!(changed(&breakpoints, 5, 4, 4), None);
        assert_eq!(changed(&breakpoints, 5, 4, 3).as_deref(), Some("hp changed from 4 to 3"));
        assert_eq!(changed(&breakpoints, 5, 3, 2).as_deref(), Some("hp changed from 3 to 2, hp < 3 became true"));
        assert_eq!(
            changed(&breakpoints, 4, 3, 2).as_deref(),
            Some("hp changed from 3 to 2"),
            "the other one is not for this agent"
        );
        breakpoints.remove_watch(&watch("hp", None));
        assert_eq!(changed(&breakpoints, 5, 2, 3), None, "a comparison that becomes false does not stop");
        assert!(breakpoints.apply_to(5) && !breakpoints.apply_to(4));
        breakpoints.set_watch(Watch { disabled: true, ..watch("hp < 3", Some(5)) }).expect("it is valid");
        assert_eq!(changed(&breakpoints, 5, 3, 2), None);
        assert!(!breakpoints.apply_to(5));
    }

    #[test]
    fn breakpoints_move_with_their_nodes_and_hits() {
        let mut breakpoints = Breakpoints::none(3);
        for node in [0, 1, 2] {
            breakpoints.set(on(node, &[Trigger::Failure])).expect("it is valid");
        }
        breakpoints.set(Breakpoint { agent: Some(5), ..on(2, &[Trigger::Success]) }).expect("it is valid");
        let watch = Watch { expression: "hp".to_owned(), agent: None, disabled: false };
        assert_eq!(breakpoints.set_watch(watch), Ok(()));
        let hit = |of: &Breakpoints, node, agent| of.hit(NodeId::new(node), Trigger::Success, agent, &Value::Null);
        assert!(hit(&breakpoints, 2, 5));
        let ids = [Some(1), None, Some(0)].map(|id| id.map(NodeId::new));
        let (mut moved, dropped) = breakpoints.moved(&Matching::new(ids), 2);
        assert_eq!(dropped, [NodeId::new(1)]);
        let listed = |of: &Breakpoints| of.list().map(|(of, hits)| (of.node, of.agent, hits)).collect::<Vec<_>>();
        assert_eq!((listed(&moved), moved.watches().count()), (vec![(0, Some(5), 1), (1, None, 0)], 1));
        assert!(hit(&moved, 0, 5) && !hit(&moved, 0, 4) && !hit(&moved, 1, 5));
        assert_eq!(listed(&breakpoints)[2].2, 2, "a tick in the old tree counts the same hits");

        moved.for_other_agents();
        assert_eq!(listed(&moved), [(0, None, 0), (1, None, 0)]);
        assert!(!hit(&moved, 0, 5), "it was for another agent");
    }

    #[test]
    fn watches_are_bounded() {
        let mut breakpoints = Breakpoints::none(3);
        let mut set = |number: usize| {
            breakpoints.set_watch(Watch { expression: format!("x{number}"), agent: None, disabled: false })
        };
        assert!((0..32).all(|number| set(number).is_ok()));
        assert_eq!(set(32), Err("too many watched values (limit: 32)".to_owned()));
    }
}
