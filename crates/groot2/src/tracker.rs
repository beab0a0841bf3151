//! The changes of statuses, derived from the events of ticks.

use bt_core::{End, NodeId, Status};

use crate::manner::{Resets, Starts};
use crate::model::Model;
use crate::row::{Row, uid_of};
use crate::status::NodeStatus;
use bt_btcpp::{is_skipping, skips};

/// A change of the status of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    pub(crate) uid: u16,
    pub(crate) from: NodeStatus,
    pub(crate) to: NodeStatus,
}

/// The statuses of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Tracker {
    model: Model,
    statuses: Vec<NodeStatus>,
    /// The number of skips when the visit of each node began.
    skips: Vec<u64>,
    /// The child of each node that was ticked last.
    last: Vec<usize>,
    /// Nodes that were halted. BehaviorTree.CPP makes them idle in another order, which depends on what else is halted.
    halted: Vec<usize>,
    is_ticking: bool,
    changes: Vec<Change>,
}

impl Tracker {
    pub(crate) fn new(model: Model) -> Self {
        let count = model.rows().len();
        Self {
            model,
            statuses: vec![NodeStatus::Idle; count],
            skips: vec![0; count],
            last: vec![0; count],
            halted: Vec::new(),
            is_ticking: false,
            changes: Vec::new(),
        }
    }

    /// Returns the changes since the last call.
    pub(crate) fn changes(&mut self) -> std::vec::Drain<'_, Change> {
        self.changes.drain(..)
    }

    fn row(&self, row: usize) -> Option<&Row> {
        self.model.rows().get(row)
    }

    fn set(&mut self, row: usize, to: NodeStatus) {
        let Some(status) = self.statuses.get_mut(row) else { return };
        let from = std::mem::replace(status, to);
        if from != to {
            self.changes.push(Change { uid: uid_of(row), from, to });
        }
    }

    /// Makes a node idle, after those below it. A node that has failed, and that goes on with the same child, leaves the others as they are.
    fn reset(&mut self, row: usize) {
        let is_running = self.statuses.get(row) == Some(&NodeStatus::Running);
        if is_running || self.row(row).is_some_and(|row| row.manner.resets != Resets::FromFailed) {
            for child in self.children(row) {
                self.reset(child);
            }
        }
        self.set(row, NodeStatus::Idle);
    }

    fn reset_all(&mut self) {
        for row in 0..self.statuses.len() {
            self.reset_children(row, 0);
            self.set(row, NodeStatus::Idle);
        }
    }

    fn children(&self, row: usize) -> Vec<usize> {
        self.row(row).map(|row| row.children.clone()).unwrap_or_default()
    }

    fn is_before_last(&self, row: usize, parent: usize) -> bool {
        self.row(parent).is_some_and(|parent| parent.children.last() != Some(&row))
    }

    fn reset_children(&mut self, row: usize, first: usize) {
        for child in self.children(row).into_iter().filter(|child| *child >= first) {
            self.reset(child);
        }
    }

    fn reset_halted(&mut self) {
        for row in std::mem::take(&mut self.halted) {
            self.reset(row);
        }
    }

    fn forget_halted_below(&mut self, row: usize) {
        let end = self.row(row).map_or(row, |row| row.end);
        self.halted.retain(|other| !(row..end).contains(other));
    }

    pub(crate) fn begin(&mut self) {
        self.reset_halted();
        if std::mem::replace(&mut self.is_ticking, true) {
            // A panic has ended the last tick, so no node is running.
            self.reset_all();
        }
    }

    pub(crate) fn end(&mut self, status: Option<Status>) {
        self.is_ticking = false;
        self.reset_halted();
        match (status, self.statuses.first()) {
            (Some(_), Some(root)) if root.is_completed() => self.reset(0),
            (None, Some(NodeStatus::Idle)) => self.reset_all(),
            _ => {}
        }
    }
    pub(crate) fn status(&self, row: usize) -> NodeStatus {
        self.statuses.get(row).copied().unwrap_or_default()
    }

    /// Takes the beginning of a visit. A node that is replaced does not run.
    pub(crate) fn enter(&mut self, at: NodeId, is_replaced: bool) {
        self.reset_halted();
        let Some(index) = self.model.row_of(at) else { return };
        let Some((node, outer, parent, manner)) =
            self.row(index).map(|row| (row.node, row.outer, row.parent, row.manner))
        else {
            return;
        };
        if outer == at {
            self.skips[index] = skips();
            if let Some(parent) = parent {
                self.last[parent] = index;
                if self.row(parent).is_some_and(|parent| parent.manner.starts == Starts::AtChild) {
                    self.set(parent, NodeStatus::Running);
                }
            }
        }
        if node == at && !is_replaced {
            let starts = match manner.starts {
                Starts::AtOnce => true,
                Starts::IfIdle => self.statuses[index] == NodeStatus::Idle,
                Starts::AtChild | Starts::AtEnd => false,
            };
            if starts {
                self.set(index, NodeStatus::Running);
            }
        }
    }

    pub(crate) fn tick(&mut self, at: NodeId, status: Status) {
        let Some(index) = self.model.row_of(at) else { return self.reset_halted() };
        let Some((node, outer, parent, manner)) =
            self.row(index).map(|row| (row.node, row.outer, row.parent, row.manner))
        else {
            return;
        };
        let is_skipped = status == Status::Failure && is_skipping() && skips() != self.skips[index];
        let to = NodeStatus::from(status);
        let is_over = to.is_completed() && !is_skipped;
        let are_reset = is_skipped && node == at && manner.resets.on_skip() || is_over;
        if are_reset {
            // They become idle in order with the other children.
            self.forget_halted_below(index);
        }
        self.reset_halted();
        if are_reset && manner.resets != Resets::After {
            let is_kept = is_over && manner.resets == Resets::FromFailed && to == NodeStatus::Failure;
            self.reset_children(index, if is_kept { self.last[index] } else { 0 });
        }
        if !is_skipped {
            self.set(index, to);
        }
        if is_over && manner.resets == Resets::After {
            self.reset_children(index, 0);
        }
        if let Some(parent) = parent.filter(|_| outer == at) {
            self.ended(index, parent, to, is_skipped);
        }
    }

    /// Does what a node does with a child that has returned.
    fn ended(&mut self, index: usize, parent: usize, status: NodeStatus, is_skipped: bool) {
        let Some(resets) = self.row(parent).map(|parent| parent.manner.resets) else { return };
        let is_over = status.is_completed() && !is_skipped;
        match resets {
            Resets::AtChild if is_over => self.reset(index),
            Resets::AtChildOrSkip if is_over || is_skipped => self.reset(index),
            Resets::Reactive if is_skipped => self.reset(index),
            Resets::Reactive if status == NodeStatus::Running => {
                for other in self.children(parent).into_iter().filter(|other| *other != index) {
                    self.reset(other);
                }
            }
            Resets::Try if is_over && status == NodeStatus::Failure && self.is_before_last(index, parent) => {
                self.reset_children(parent, 0);
            }
            _ => {}
        }
    }

    pub(crate) fn close(&mut self, at: NodeId, end: End) {
        if let Some(index) = self.model.row_of(at).filter(|_| matches!(end, End::Halted(_))) {
            self.forget_halted_below(index);
            self.halted.push(index);
        }
    }
}
