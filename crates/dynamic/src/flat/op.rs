//! The operations of the nodes of a loaded tree.

use std::time::Duration;

use bt_behavior3::{AttachedLeaf, Transition};
use bt_core::describe::Role;
use bt_core::engine::{Length, Until};
use bt_core::leaf::Wait;
use bt_core::{Outcome, Outcomes, Status};

use crate::flat::built_in::BuiltIn;
use crate::flat::composites::CompositeOp;
use crate::flat::packed::Packed;
use crate::flat::values::LoadedAmount;
use crate::nodes::shape::Shapes;

/// The operation of a node. Its number is stored as it is, so that each visit finds the arm of the operation at once.
#[repr(u8)]
pub(crate) enum NodeOp {
    /// Ticks children in order.
    Sequential { pass: Outcome, has_memory: bool },
    /// A composite with any other rule.
    Composite(CompositeOp),
    /// A body and its cleanup. Its words contain the phase of its run, and whether a halt has left the cleanup running.
    Finally,
    /// A decorator of the vocabulary.
    Decorator(BuiltIn),
    /// A custom decorator, by its number.
    Policy(u32),
    /// Runs an action while its child runs.
    Service { every: Length<LoadedAmount<Duration>>, action: Attachment },
    /// A state machine, with the transitions from any state.
    Machine { any: Vec<LoadedTransition> },
    /// A state, with its actions by [`Edge`](bt_core::machine::Edge).
    State { name: String, transitions: Vec<LoadedTransition>, hooks: [Option<Attachment>; 2] },
    /// A nested tree, with its name and properties.
    Nested { name: String, properties: Vec<(String, String)> },
    /// Runs for a time.
    Wait { wait: Wait<LoadedAmount<Duration>> },
    /// Returns a fixed status.
    Constant(Status),
    /// A leaf of the user, by its number.
    Leaf(u32),
}

/// A transition of a machine.
pub(crate) struct LoadedTransition {
    pub(crate) on: LoadedWhen,
    /// The index of the target state, or the status with which the machine ends.
    pub(crate) to: Result<usize, Status>,
    /// The transition as written.
    pub(crate) text: Transition,
}

/// When a transition is followed.
pub(crate) enum LoadedWhen {
    Success,
    Failure,
    Leaf(Attachment),
}

/// A leaf that a node calls without being its parent.
pub(crate) struct Attachment {
    pub(crate) role: Role,
    /// The name that the leaf is registered under.
    pub(crate) name: String,
    /// The number of the leaf.
    pub(crate) leaf: u32,
    /// The statuses that the leaf can return.
    pub(crate) returns: Outcomes,
    /// Whether it is below an `invert`, which is a separate node.
    pub(crate) negated: bool,
    /// The id of the leaf, or of its `invert`, relative to the root's.
    pub(crate) at: u32,
    /// Its slot, if it has a state.
    pub(crate) slot: Option<u32>,
    /// Whether a cleanup in the leaf can continue after a halt.
    pub(crate) cleans_up: bool,
}

impl Attachment {
    pub(crate) fn new(attached: AttachedLeaf<'_>, leaf: u32, returns: Outcomes) -> Self {
        let AttachedLeaf { role, negated, name } = attached;
        Self { role, name: name.to_owned(), leaf, returns, negated, at: 0, slot: None, cleans_up: false }
    }

    /// Returns the outcome of the attachment, whose leaf has this one.
    pub(crate) fn outcome(&self, leaf: Outcome) -> Outcome {
        match leaf {
            Outcome::Success | Outcome::Failure if self.negated => Outcome::from(leaf == Outcome::Failure),
            Outcome::Success | Outcome::Failure | Outcome::Error => leaf,
        }
    }

    /// Returns the id of the leaf, relative to the root's.
    pub(crate) fn leaf_at(&self) -> u32 {
        self.at + u32::from(self.negated)
    }
}

/// Evaluates to the attached leaves of a node, by shared or exclusive reference.
macro_rules! attachments {
    ($op:expr, $iter:ident $(, $mut:tt)?) => {{
        let (action, transitions, hooks): (_, &$($mut)? [LoadedTransition], &$($mut)? [_]) = match $op {
            NodeOp::Service { action, .. } => (Some(action), &$($mut)? [], &$($mut)? []),
            NodeOp::Machine { any } => (None, any, &$($mut)? []),
            NodeOp::State { transitions, hooks, .. } => (None, transitions, hooks),
            NodeOp::Sequential { .. }
            | NodeOp::Composite(_)
            | NodeOp::Finally
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => (None, &$($mut)? [], &$($mut)? []),
        };
        let conditions = transitions.$iter().filter_map(|transition| match &$($mut)? transition.on {
            LoadedWhen::Leaf(condition) => Some(condition),
            LoadedWhen::Success | LoadedWhen::Failure => None,
        });
        action.into_iter().chain(conditions).chain(hooks.$iter().flatten())
    }};
}

impl NodeOp {
    /// Returns the number of memory words that it needs.
    pub(crate) fn words(&self, children: usize) -> usize {
        match self {
            NodeOp::Composite(composite) if composite.flags.has_marks => children.div_ceil(64),
            NodeOp::Machine { .. } => 1,
            NodeOp::Finally => 2,
            NodeOp::Decorator(policy) => policy.words(),
            NodeOp::Service { .. } | NodeOp::Wait { .. } => Until::<Duration>::WORDS,
            NodeOp::Sequential { .. }
            | NodeOp::Composite(_)
            | NodeOp::Policy(_)
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => 0,
        }
    }

    /// Returns `true` if it has a slot for state of the user.
    pub(crate) fn has_slot(&self, shapes: &dyn Shapes) -> bool {
        match self {
            NodeOp::Leaf(leaf) => shapes.leaf(*leaf).has_state(),
            NodeOp::Policy(_) => true,
            NodeOp::Composite(composite) => composite.rule.shape(shapes).has_state(),
            NodeOp::Sequential { .. }
            | NodeOp::Finally
            | NodeOp::Decorator(_)
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => false,
        }
    }

    /// Returns its transitions: those of a state, or the `any` transitions of a machine.
    pub(crate) fn transitions(&self) -> &[LoadedTransition] {
        match self {
            NodeOp::Machine { any: transitions } | NodeOp::State { transitions, .. } => transitions,
            _ => &[],
        }
    }

    /// Returns its transitions by exclusive reference.
    pub(crate) fn transitions_mut(&mut self) -> &mut [LoadedTransition] {
        match self {
            NodeOp::Machine { any: transitions } | NodeOp::State { transitions, .. } => transitions,
            _ => &mut [],
        }
    }

    /// Returns the attached leaves, in the order of their ids.
    pub(crate) fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        attachments!(self, iter)
    }

    /// Returns the attached leaves by exclusive reference.
    pub(crate) fn attachments_mut(&mut self) -> impl Iterator<Item = &mut Attachment> {
        attachments!(self, iter_mut, mut)
    }
}

/// Converts an index to its stored form.
pub(crate) fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
