//! The children that a composite finds after its tree was edited.

/// The children that a composite finds after its tree was edited: an argument of
/// [`CompositeShape::adopt`](crate::composite::CompositeShape::adopt).
pub struct Adopted<'a> {
    to: &'a [Option<usize>],
    was_marked: &'a dyn Fn(usize) -> bool,
    running: &'a [usize],
    marks: &'a mut [u64],
    is_in_place: bool,
}

impl<'a> Adopted<'a> {
    /// Creates the argument from the new index of each old child, the old marks, the running children, the new marks, and whether all are in place.
    #[doc(hidden)]
    pub fn new(
        to: &'a [Option<usize>],
        was_marked: &'a dyn Fn(usize) -> bool,
        running: &'a [usize],
        marks: &'a mut [u64],
        is_in_place: bool,
    ) -> Self {
        Self { to, was_marked, running, marks, is_in_place }
    }

    /// Returns the new index of each child from before the edit, in their old order; `None` for a child that was removed. A composite
    /// that was inserted has no old children.
    pub fn moved(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.to.iter().copied()
    }

    /// Returns `true` if the number of children is the same as before, each child that was not removed has its old index, and each
    /// running child was running before.
    pub fn is_in_place(&self) -> bool {
        self.is_in_place
    }

    /// Returns the new indices of the running children, in order.
    pub fn running(&self) -> impl Iterator<Item = usize> + '_ {
        self.running.iter().copied()
    }

    /// Returns `true` if a child was marked, by its old index. A child that was not removed is still marked.
    pub fn was_marked(&self, child: usize) -> bool {
        (self.was_marked)(child)
    }

    /// Marks a child, by its new index.
    pub fn mark(&mut self, child: usize) {
        if let Some(word) = self.marks.get_mut(child / 64) {
            *word |= 1 << (child % 64);
        }
    }

    /// Marks the running child, for a composite that marks each child when the child starts.
    pub(super) fn mark_running(&mut self) {
        if let [running, ..] = self.running {
            self.mark(*running);
        }
    }
}

impl core::fmt::Debug for Adopted<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Adopted").field("moved", &self.to).field("running", &self.running).finish_non_exhaustive()
    }
}
