//! When the children of a composite have to be ticked again. As in [`rule`](super::rule), both engines use the same functions.

use crate::composite::running::Running;
use crate::list::List;
use crate::status::Outcome;
use crate::wake::{Foreseen, Wake, WakeVisit};

/// The times when the children of a composite have to be ticked again: an argument of [`CompositeShape::wake`].
///
/// [`CompositeShape::wake`]: crate::composite::CompositeShape::wake
#[expect(clippy::len_without_is_empty, reason = "whether there are no children decides nothing")]
pub trait ChildWakes {
    /// Returns the number of children.
    fn len(&self) -> usize;
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
    pub(super) visit: WakeVisit<'a, C>,
    /// See [`Node::foresee`](crate::Node::foresee).
    pub(super) event: bool,
}

impl<C: ?Sized, L: List<C>, R: Running> ChildWakes for ListWakes<'_, C, L, R> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn running(&mut self) -> Wake {
        self.open.map_or(Wake::Event, |open| R::wake(self.list, open, self.kept, &mut self.visit))
    }

    fn is_running(&self, child: usize) -> bool {
        self.open.is_some_and(|open| R::has(self.list, open, child))
    }

    fn foresee(&mut self, child: usize) -> Foreseen {
        if child >= self.list.len() {
            return Some((Outcome::Failure, Wake::Event));
        }
        self.list.foresee_one(child, self.kept, self.visit.ctx, self.event)
    }
}

/// Returns what starting these children in order would do, as long as they end with the outcome `pass`.
#[inline]
pub fn in_order(
    children: impl Iterator<Item = usize>,
    pass: Outcome,
    mut foresee: impl FnMut(usize) -> Foreseen,
) -> Foreseen {
    let mut wake = Wake::Event;
    for child in children {
        let (outcome, until) = foresee(child)?;
        wake = wake.earliest(until);
        if outcome != pass {
            return Some((outcome, wake));
        }
    }
    Some((pass, wake))
}
