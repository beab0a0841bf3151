//! Why a node is running.

use alloc::format;

use super::answer::Answer;
use super::past::{Place, Since};
use super::rule::Rule;
use super::visits::Visits;
use crate::describe::{Kind, Role};
use crate::id::NodeId;
use crate::status::Status;

/// The maximum number of running leaves that an answer names.
const MOST_LEAVES: usize = 3;

impl Answer<'_> {
    /// The node is running.
    pub(super) fn running(&mut self, place: Place, node: NodeId, visits: &Visits<'_>) {
        let since = self.past.since(place, node);
        self.since(place, node, "running");
        if self.past.is_translated(place.tick) {
            return;
        }
        if !visits.is_leaf(place.event) {
            self.leaves(place, visits);
        }
        // The siblings before it were decided when its run began.
        let began = match since {
            Since::At(began) if !self.past.is_translated(began.tick) => began,
            Since::At(_) | Since::Before(_) => place,
        };
        let then = self.visits(began.tick);
        let nearest = then.decisions(began.event, None).next().map(|event| Place { event, ..began });
        if let Some(place) = nearest {
            self.text(", because ");
            self.brief(place, &then);
        }
        let topmost = visits.decisions(place.event, None).last();
        if let Some(event) = topmost
            && nearest.is_none_or(|nearest| then.node(nearest.event) != visits.node(event))
        {
            self.text(if nearest.is_some() { ", and " } else { ", because " });
            self.brief(Place { event, ..place }, visits);
        }
    }

    /// States the running leaves below a node.
    fn leaves(&mut self, place: Place, visits: &Visits<'_>) {
        if let Some(cleanup) = visits.awaited(place.event) {
            self.text(", and waits for a cleanup: ");
            return self.still(Place { event: cleanup, ..place }, visits);
        }
        if visits.below(place.event).is_empty() {
            self.text(", without ticking a child");
            return;
        }
        let leaves = visits.running_leaves(place.event);
        if leaves == [place.event] {
            return;
        }
        for (index, leaf) in leaves.iter().take(MOST_LEAVES).enumerate() {
            self.text(if index == 0 { ": " } else { ", " });
            let leaf = Place { event: *leaf, ..place };
            self.still(leaf, visits);
        }
        if let Some(more @ 1..) = leaves.len().checked_sub(MOST_LEAVES) {
            self.text(&format!(" and {more} more"));
        }
    }
}

impl Visits<'_> {
    /// Returns the visits that decided that a node was visited, nearest first: at each level the last sibling before it,
    /// or the guard of the transition that led to it. Stops below `top`.
    pub(super) fn decisions(&self, visit: usize, top: Option<usize>) -> impl Iterator<Item = usize> {
        let visits = self;
        let levels = core::iter::successors(Some(visit), |at| self.within(*at));
        levels.take_while(move |at| Some(*at) != top).filter_map(|at| {
            let above = visits.within(at)?;
            let parent = visits.described(above)?;
            match parent.kind {
                Kind::Machine => {
                    let (entered, _) = visits.states(above).rfind(|(event, _)| *event < at)?;
                    visits.guard_before(above, entered)
                }
                Kind::Composite if Rule::of(parent) != Rule::All => {
                    let before = visits.below(above).into_iter().filter(|sibling| *sibling < at);
                    let is_decision = |sibling: &usize| {
                        let role = visits.described(*sibling).map(|node| node.role);
                        let has_ended = matches!(visits.status(*sibling), Some(Status::Success | Status::Failure));
                        has_ended && role == Some(Role::Child) && visits.node(*sibling) != visits.node(at)
                    };
                    { before }.rfind(is_decision)
                }
                _ => None,
            }
        })
    }
}
