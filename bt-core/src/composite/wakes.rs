//! When the children of a composite with a rule have to be ticked again.

use crate::composite::list::List;
use crate::composite::running::Running;
use crate::wake::{Foreseen, Wake};

/// When the children of a composite have to be ticked again. The argument of [`CompositeShape::wake`].
///
/// [`CompositeShape::wake`]: crate::composite::CompositeShape::wake
pub trait ChildWakes {
    /// Returns when the running children have to be ticked again; [`Wake::Event`] if none is running.
    fn running(&mut self) -> Wake;
    /// Returns `true` if this child is running.
    fn is_running(&self, child: usize) -> bool;
    /// Returns what starting a child would do. A child that does not exist fails.
    fn foresee(&mut self, child: usize) -> Foreseen;
}

/// The children of a composite in a tree. Without open state, none is running.
pub(super) struct ListWakes<'a, C: ?Sized, L: List<C>, R: Running> {
    pub(super) list: &'a L,
    pub(super) open: Option<&'a R::Open<L>>,
    pub(super) kept: &'a L::Kept,
    pub(super) ctx: &'a mut C,
    /// See [`Node::foresee`](crate::Node::foresee).
    pub(super) event: bool,
}

impl<C: ?Sized, L: List<C>, R: Running> ChildWakes for ListWakes<'_, C, L, R> {
    fn running(&mut self) -> Wake {
        self.open.map_or(Wake::Event, |open| R::wake(self.list, open, self.kept, &mut *self.ctx))
    }

    fn is_running(&self, child: usize) -> bool {
        self.open.is_some_and(|open| R::has(self.list, open, child))
    }

    fn foresee(&mut self, child: usize) -> Foreseen {
        if child >= self.list.len() {
            return Some((crate::Outcome::Failure, Wake::Event));
        }
        self.list.foresee_one(child, self.kept, self.ctx, self.event)
    }
}
