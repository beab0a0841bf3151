//! Which nodes of an agent are running, since when, and when nodes were visited last: as of the last observed tick.

use std::time::Duration;

use bt_core::describe::Description;
use bt_core::observe::{EventKind, TickRecord};
use bt_core::{NodeId, Status};

use super::columns::Columns;
use super::tree::Tree;

/// The maximum number of running nodes that are noted.
const MAX_RUNNING: usize = 256;

/// The state of the nodes of an agent after its last observed tick. Nodes are named by their lasting numbers.
#[derive(Default)]
pub(crate) struct Tracked {
    /// The running nodes in pre-order, each with the tick in which its run began, or in which it was first observed.
    running: Vec<(u32, u64)>,
    /// The index of the first leaf in `running`.
    leaf: Option<usize>,
    /// When the nodes whose visits pages show were visited last.
    visits: Vec<(u32, Duration)>,
    /// The number and the time of the last observed tick.
    tick: u64,
    now: Duration,
}

impl Tracked {
    /// Notes a tick of an agent with this tree.
    pub(crate) fn update(&mut self, tick: &TickRecord, columns: &Columns, tree: &Tree) {
        // Without the tick before this one, it is not known whether a node has been running all the time.
        let is_next = tick.number == self.tick + 1;
        let before = std::mem::take(&mut self.running);
        self.visits.retain(|(node, _)| columns.visits.contains(&(tree.first, *node)));
        let mut running: Vec<NodeId> = Vec::new();
        for event in &tick.events {
            let EventKind::Visited { opened, status } = event.what else { continue };
            let Some(number) = tree.numbers.get(event.node) else { continue };
            if columns.visits.contains(&(tree.first, number)) {
                self.visits.retain(|(node, _)| *node != number);
                self.visits.push((number, tick.now));
            }
            if status == Some(Status::Running) && running.len() < MAX_RUNNING {
                let known = before.iter().find(|(node, _)| is_next && !opened && *node == number);
                self.running.push((number, known.map_or(tick.number, |(_, since)| *since)));
                running.push(event.node);
            }
        }
        let is_leaf = |index: usize| {
            let next = running.get(index + 1);
            next.is_none_or(|next| !is_below(&tree.description, *next, running[index]))
        };
        self.leaf = (0..running.len()).find(|index| is_leaf(*index));
        (self.tick, self.now) = (tick.number, tick.now);
    }

    pub(crate) fn is_running(&self, node: u32) -> bool {
        self.running.iter().any(|(running, _)| *running == node)
    }

    /// Returns the running nodes.
    pub(crate) fn running(&self) -> impl Iterator<Item = u32> {
        self.running.iter().map(|(node, _)| *node)
    }

    /// Returns the first running leaf.
    pub(crate) fn leaf(&self) -> Option<u32> {
        self.leaf.map(|leaf| self.running[leaf].0)
    }

    /// Returns the number of ticks since the run of a node has begun, if it is running.
    pub(crate) fn ticks_in(&self, node: u32) -> Option<u64> {
        self.running.iter().find(|(running, _)| *running == node).map(|(_, since)| self.tick - since)
    }

    /// Returns the time since the last visit of a node, if it was visited since a page has asked for it.
    pub(crate) fn since_visit(&self, node: u32) -> Option<Duration> {
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

    use super::super::tree::{About, Versions};
    use super::*;

    #[test]
    fn runs_and_visits_are_tracked_over_consecutive_ticks() {
        let tree = tree! { for u32: parallel { sequence { succeed, run } run } };
        let tree = Versions::new(3, "guard".to_owned(), About::of(&tree)).current();
        let columns = Columns { visits: vec![(3, 2)], runs: true, ..Columns::default() };
        let mut tracked = Tracked::default();
        let mut tick = |number: u64, events: &str| {
            let events = Event::from_text(events).expect("valid events");
            let now = secs(number);
            let tick =
                TickRecord { agent: 0, number, now, status: None, events, cut: 0, reasons: Vec::new(), replaced: 0 };
            tracked.update(&tick, &columns, &tree);
            let of = |node| tracked.ticks_in(node);
            (tracked.leaf(), [of(0), of(3), of(4)], tracked.since_visit(2))
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
