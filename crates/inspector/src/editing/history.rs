//! The steps of an open document that can be undone and redone.

use std::collections::VecDeque;

use bt_syntax::edit::{Document, Operation};

/// The maximum number of steps that can be undone.
pub(crate) const MAX_STEPS: usize = 1000;
/// The maximum size of the operations of all these steps, in bytes.
const MAX_BYTES: usize = 32 << 20;

/// A step: its name, and the document before it, or after it if the step was undone.
struct Step {
    name: String,
    document: Document,
    /// `None` for a step that is no sequence of operations: a change of the file.
    operations: Option<Vec<Operation>>,
    /// The size of the operations as they were received.
    bytes: usize,
}

#[derive(Default)]
pub(super) struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    bytes: usize,
    /// The number of steps that are too old to be undone.
    forgotten: usize,
}

impl History {
    /// Returns the number of steps that lead to the document, including those that were forgotten.
    pub(super) fn position(&self) -> usize {
        self.forgotten + self.done.len()
    }

    /// Adds a step from a document. Undone steps can no longer be redone.
    pub(super) fn push(
        &mut self,
        name: impl Into<String>,
        before: Document,
        operations: Option<Vec<Operation>>,
        bytes: usize,
    ) {
        self.bytes -= self.undone.drain(..).map(|step| step.bytes).sum::<usize>();
        self.done.push_back(Step { name: name.into(), document: before, operations, bytes });
        self.bytes += bytes;
        while self.done.len() > MAX_STEPS || self.bytes > MAX_BYTES && self.done.len() > 1 {
            self.bytes -= self.done.pop_front().map_or(0, |step| step.bytes);
            self.forgotten += 1;
        }
    }

    /// Undoes the last step: replaces the document after it by the one before it. Returns `false` if there is none.
    pub(super) fn undo(&mut self, document: &mut Document) -> bool {
        let Some(mut step) = self.done.pop_back() else { return false };
        std::mem::swap(&mut step.document, document);
        self.undone.push(step);
        true
    }

    pub(super) fn redo(&mut self, document: &mut Document) -> bool {
        let Some(mut step) = self.undone.pop() else { return false };
        std::mem::swap(&mut step.document, document);
        self.done.push_back(step);
        true
    }

    /// Returns the names of the steps that are undone and redone next.
    pub(super) fn names(&self) -> [Option<&str>; 2] {
        [self.done.back(), self.undone.last()].map(|step| step.map(|step| &*step.name))
    }

    /// Returns the operations since a position, or `None` if they are not known: some were undone or forgotten, or are no operations.
    pub(super) fn since(&self, position: usize) -> Option<Vec<Operation>> {
        let first = position.checked_sub(self.forgotten)?;
        if first > self.done.len() {
            return None;
        }
        let steps: Option<Vec<_>> = self.done.iter().skip(first).map(|step| step.operations.as_ref()).collect();
        Some(steps?.into_iter().flatten().cloned().collect())
    }
}
