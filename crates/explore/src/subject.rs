//! What is explored, and how.

use std::time::Duration;

use bt_core::{NodeId, Shift};

use crate::names::Names;
use crate::property::Property;
use crate::watch::Watch;

/// A tree with a context, and the properties that are checked.
pub(crate) struct Subject<'p, N, C> {
    pub(crate) tree: N,
    pub(crate) context: C,
    /// The leaves that run futures.
    pub(crate) futures: Vec<NodeId>,
    pub(crate) names: Names,
    pub(crate) watch: Watch,
    pub(crate) setup: Setup<'p, C>,
    pub(crate) properties: Vec<Property<'p, C>>,
}

type Change<'p, C> = Box<dyn Fn(&mut C) + 'p>;
type Show<'p, C> = Box<dyn Fn(&C) -> String + 'p>;
type ShiftContext<'p, C> = Box<dyn Fn(&mut C, Shift) + 'p>;

/// How ticks are made.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Setup<'p, C> {
    pub(crate) environment: Option<Change<'p, C>>,
    pub(crate) clock: Option<ModelClock<'p, C>>,
    pub(crate) normalize: Option<Change<'p, C>>,
    pub(crate) show: Option<Show<'p, C>>,
    pub(crate) is_single_run: bool,
    pub(crate) max_states: usize,
    pub(crate) max_transitions: u64,
    pub(crate) max_ticks: u32,
    pub(crate) stops_at_violation: bool,
    pub(crate) is_complete_optional: bool,
    /// Whether free leaves return errors.
    pub(crate) has_errors: bool,
}

/// The clock of a model.
pub(crate) struct ModelClock<'p, C> {
    pub(crate) steps: Vec<Duration>,
    pub(crate) now: Box<dyn Fn(&mut C) -> &mut Duration + 'p>,
    pub(crate) shift: Option<ShiftContext<'p, C>>,
}
