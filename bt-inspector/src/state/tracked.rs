//! Which nodes of an agent are running, since when, and when nodes were visited last: as of the last observed tick.

use std::time::Duration;

use bt_core::describe::Description;
use bt_core::observe::{EventKind, TickRecord};
use bt_core::{NodeId, Status};

use super::columns::Columns;

/// The maximum number of running nodes that are noted.
const MAX_RUNNING: usize = 256;

/// The state of the nodes of an agent after its last observed tick.
#[derive(Default)]
pub(crate) struct Tracked {
    /// The running nodes in pre-order, each with the tick in which its run began, or in which it was first observed.
    running: Vec<(NodeId, u64)>,
    /// The index of the first leaf in `running`.
    leaf: Option<usize>,
    /// When the nodes whose visits pages show were visited last.
    visits: Vec<(NodeId, Duration)>,
    /// The number and the time of the last observed tick.
    tick: u64,
    now: Duration,
}

impl Tracked {
    /// Notes a tick of an agent with the tree `tree`, whose key is `key`.
    pub(crate) fn update(&mut self, tick: &TickRecord, columns: &Columns, key: usize, tree: &Description) {
        // Without the tick before this one, it is not known whether a node has been running all the time.
        let is_next = tick.number == self.tick + 1;
        let before = std::mem::take(&mut self.running);
        self.visits.retain(|(node, _)| columns.visits.contains(&(key, *node)));
        for event in &tick.events {
            let EventKind::Visited { opened, status } = event.what else { continue };
            if columns.visits.contains(&(key, event.node)) {
                self.visits.retain(|(node, _)| *node != event.node);
                self.visits.push((event.node, tick.now));
            }
            if status == Some(Status::Running) && self.running.len() < MAX_RUNNING {
                let known = before.iter().find(|(node, _)| is_next && !opened && *node == event.node);
                self.running.push((event.node, known.map_or(tick.number, |(_, since)| *since)));
            }
        }
        let is_leaf = |index: usize| {
            let next = self.running.get(index + 1);
            next.is_none_or(|(next, _)| !is_below(tree, *next, self.running[index].0))
        };
        self.leaf = (0..self.running.len()).find(|index| is_leaf(*index));
        (self.tick, self.now) = (tick.number, tick.now);
    }

    pub(crate) fn is_running(&self, node: NodeId) -> bool {
        self.running.iter().any(|(running, _)| *running == node)
    }

    /// Returns the running nodes, in pre-order.
    pub(crate) fn running(&self) -> impl Iterator<Item = NodeId> {
        self.running.iter().map(|(node, _)| *node)
    }

    /// Returns the first running leaf.
    pub(crate) fn leaf(&self) -> Option<NodeId> {
        self.leaf.map(|leaf| self.running[leaf].0)
    }

    /// Returns the number of ticks since the run of a node has begun, if it is running.
    pub(crate) fn ticks_in(&self, node: NodeId) -> Option<u64> {
        self.running.iter().find(|(running, _)| *running == node).map(|(_, since)| self.tick - since)
    }

    /// Returns the time since the last visit of a node, if it was visited since a page has asked for it.
    pub(crate) fn since_visit(&self, node: NodeId) -> Option<Duration> {
        self.visits.iter().find(|(visited, _)| *visited == node).map(|(_, at)| self.now.saturating_sub(*at))
    }
}

/// Returns whether a node is below another one.
fn is_below(tree: &Description, node: NodeId, above: NodeId) -> bool {
    std::iter::successors(tree.node(node), |node| tree.node(node.parent?)).any(|node| node.parent == Some(above))
}

#[cfg(test)]
mod tests {
    use bt_core::observe::Event;
    use bt_core::prelude::*;

    use super::*;

    #[test]
    fn runs_and_visits_are_tracked_over_consecutive_ticks() {
        let tree = tree! { for u32: parallel { sequence { succeed, run } run } };
        let description = tree.description();
        let columns = Columns { visits: vec![(3, NodeId::new(2))], runs: true, ..Columns::default() };
        let mut tracked = Tracked::default();
        let mut tick = |number: u64, events: &str| {
            let events = Event::from_text(events).expect("valid events");
            let now = secs(number);
            let tick = TickRecord { agent: 0, number, now, status: None, events, cut: 0, errors: Vec::new() };
            tracked.update(&tick, &columns, 3, &description);
            let of = |node| tracked.ticks_in(NodeId::new(node));
            let visit = tracked.since_visit(NodeId::new(2));
            (tracked.leaf().map(NodeId::index), [of(0), of(3), of(4)], visit)
        };
        assert_eq!(tick(7, "0r 1r 2s 3r 4r"), (Some(3), [Some(0); 3], Some(secs(0))));
        assert_eq!(tick(8, "0R 1R 3R 4R"), (Some(3), [Some(1); 3], Some(secs(1))));
        assert_eq!(
            tick(9, "0R 1R 3r 4R"),
            (Some(3), [Some(2), Some(0), Some(2)], Some(secs(2))),
            "the leaf has started again"
        );
        assert_eq!(tick(10, "0R 1F 3F 4R"), (Some(4), [Some(3), None, Some(3)], Some(secs(3))));
        assert_eq!(
            tick(20, "0R 4R"),
            (Some(4), [Some(0), None, Some(0)], Some(secs(13))),
            "after a gap, nothing is known"
        );
        assert_eq!(tick(21, "0S"), (None, [None; 3], Some(secs(14))));
    }
}
