//! Changes of a text that leave the rest as it is.

use std::ops::Range;

/// Parts of a text with what replaces them. They do not overlap.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub(super) fn replace(&mut self, at: Range<usize>, by: String) {
        self.0.push((at, by));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes the last edits.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(super) fn insert(&mut self, at: usize, text: String) {
        self.0.push((at..at, text));
    }

    /// Returns a part of the text with the edits in it.
    pub(super) fn apply(mut self, text: &str, window: Range<usize>) -> String {
        self.0.sort_by_key(|(at, _)| (at.start, at.end));
        let (mut written, mut end) = (String::with_capacity(window.len()), window.start);
        for (at, by) in self.0 {
            debug_assert!(end <= at.start && at.end <= window.end, "{end}, {at:?}");
            written += &text[end.min(at.start)..at.start];
            written += &by;
            end = at.end;
        }
        written + &text[end..window.end]
    }
}
