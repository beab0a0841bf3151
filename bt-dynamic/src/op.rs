//! What a node of a loaded tree does: one row for each word.

use std::time::Duration;

use bt_behavior3::{AttachedLeaf, Transition, When};
use bt_core::decorator::{
    Chance, Cooldown, Delay, Force, Invert, Limit, Repeat, RepeatTimes, Retry, RunOnce, Timeout, UntilFailure,
    UntilSuccess, WaitUntil,
};
use bt_core::describe::Role;
use bt_core::{Status, keywords};
use bt_words::Word;

use crate::leaf::AnyLeaf;
use crate::maker::Making;
use crate::packed::Packed;
use crate::policy::AnyPolicy;

/// What a node does, ready to run.
pub(crate) enum NodeOp<C: ?Sized> {
    /// Ticks children in order.
    Sequential { pass: Status, has_memory: bool },
    /// Ticks children in random order.
    Random { pass: Status, weights: Option<Vec<f64>> },
    /// Ticks all children.
    Parallel { has_memory: bool, success: usize, failure: usize },
    /// A decorator of the vocabulary.
    Decorator(BuiltIn),
    /// A decorator of the user's.
    Policy(AnyPolicy<C>),
    /// Runs an action while its child runs.
    Service { every: Duration, action: Attachment<C> },
    /// A state machine, with the transitions from any state.
    Machine { any: Vec<DynTransition<C>> },
    /// A state, with its actions by [`Edge`](bt_core::machine::Edge).
    State { name: String, transitions: Vec<DynTransition<C>>, hooks: [Option<Attachment<C>>; 2] },
    /// Runs for a time.
    Wait { time: Duration },
    /// Returns this.
    Constant(Status),
    /// A leaf of the user's.
    Leaf(AnyLeaf<C>),
}

/// A transition of a machine.
pub(crate) struct DynTransition<C: ?Sized> {
    pub(crate) on: DynWhen<C>,
    /// The index of the state it leads to, or the status with which the machine ends.
    pub(crate) to: Result<usize, Status>,
    /// The transition as it is written.
    pub(crate) text: Transition,
}

/// When a transition is followed.
pub(crate) enum DynWhen<C: ?Sized> {
    Success,
    Failure,
    Leaf(Attachment<C>),
}

/// A leaf that a node calls without being its parent.
pub(crate) struct Attachment<C: ?Sized> {
    pub(crate) role: Role,
    /// The name that the leaf is registered under.
    pub(crate) name: String,
    pub(crate) leaf: AnyLeaf<C>,
    /// Whether it is below an `invert`, which is a node too.
    pub(crate) negated: bool,
    /// The id of the leaf, or of its `invert`, relative to the root's.
    pub(crate) at: u32,
    /// Its slot, if it has a state.
    pub(crate) slot: Option<u32>,
}

impl<C: ?Sized> Attachment<C> {
    pub(crate) fn new(attached: AttachedLeaf<'_>, leaf: AnyLeaf<C>) -> Self {
        let AttachedLeaf { role, negated, name } = attached;
        Self { role, name: name.to_owned(), leaf, negated, at: 0, slot: None }
    }
}

macro_rules! words {
    (
        ($d:tt, $args:ident, $making:ident)
        decorators { $($decorator:ident($policy:ty) = $make:expr;)+ }
        others { $($($other:ident)|+ => $op:expr;)+ }
    ) => {
        /// The policy of a decorator of the vocabulary.
        pub(crate) enum BuiltIn { $($decorator($policy)),+ }

        /// Evaluates an expression with the policy of a decorator of the vocabulary, whichever that is.
        macro_rules! with_policy {
            ($d op:expr, $d name:ident => $d value:expr) => {
                match $d op { $($crate::op::BuiltIn::$decorator($d name) => $d value),+ }
            };
        }
        pub(crate) use with_policy;

        impl<C: ?Sized> NodeOp<C> {
            /// What a node of this word does; `None` if its arguments are wrong, which is reported.
            pub(crate) fn of(word: Word, $making: &mut Making<'_, '_, C>) -> Option<Self> {
                let $args = $making.args;
                Some(match word {
                    $(Word::$decorator => NodeOp::Decorator(BuiltIn::$decorator($make)),)+
                    $($(Word::$other)|+ => $op,)+
                })
            }
        }
    };
}

words! {
    ($, args, making)
    decorators {
        Invert(Invert) = keywords::invert();
        ForceSuccess(Force<true>) = keywords::force_success();
        ForceFailure(Force<false>) = keywords::force_failure();
        Repeat(Repeat) = keywords::repeat();
        RepeatTimes(RepeatTimes<u32>) = keywords::repeat_times(args.number()?);
        Retry(Retry<u32>) = keywords::retry(args.number()?);
        UntilFailure(UntilFailure) = keywords::until_failure();
        UntilSuccess(UntilSuccess) = keywords::until_success();
        WaitUntil(WaitUntil) = keywords::wait_until();
        Limit(Limit) = keywords::limit(args.number()?);
        RunOnce(RunOnce) = keywords::run_once();
        Timeout(Timeout) = keywords::timeout(args.time()?);
        Delay(Delay) = keywords::delay(args.time()?);
        Cooldown(Cooldown) = keywords::cooldown(args.time()?);
        Chance(Chance) = keywords::chance(args.probability()?);
    }
    others {
        Selector => NodeOp::Sequential { pass: Status::Failure, has_memory: false };
        Sequence => NodeOp::Sequential { pass: Status::Success, has_memory: false };
        MemSelector => NodeOp::Sequential { pass: Status::Failure, has_memory: true };
        MemSequence => NodeOp::Sequential { pass: Status::Success, has_memory: true };
        RandomSelector => NodeOp::Random { pass: Status::Failure, weights: args.weights().map(<[f64]>::to_vec) };
        RandomSequence => NodeOp::Random { pass: Status::Success, weights: args.weights().map(<[f64]>::to_vec) };
        Parallel => parallel(false, args.thresholds()?);
        MemParallel => parallel(true, args.thresholds()?);
        Service => NodeOp::Service { every: args.time()?, action: making.attachment(Role::Service)? };
        Machine => NodeOp::Machine { any: making.transitions()? };
        State => NodeOp::State {
            name: args.name().to_owned(),
            transitions: making.transitions()?,
            hooks: [making.optional_attachment(Role::Enter)?, making.optional_attachment(Role::Exit)?],
        };
        Wait => NodeOp::Wait { time: args.time()? };
        Succeed => NodeOp::Constant(Status::Success);
        Fail => NodeOp::Constant(Status::Failure);
        Run => NodeOp::Constant(Status::Running);
        Error => NodeOp::Constant(Status::Error);
    }
}

fn parallel<C: ?Sized>(has_memory: bool, [success, failure]: [usize; 2]) -> NodeOp<C> {
    NodeOp::Parallel { has_memory, success: success.max(1), failure: failure.max(1) }
}

/// How many words the state of a policy takes: its `Open`, then its `Kept`.
const fn state_words<P: bt_core::decorator::DecoratorShape<Open: Packed, Kept: Packed>>(_: &P) -> usize {
    <P::Open as Packed>::WORDS + <P::Kept as Packed>::WORDS
}

/// The attached leaves of a node, shared or exclusive.
macro_rules! attachments {
    ($op:expr, $iter:ident $(, $mut:tt)?) => {{
        let (action, transitions, hooks): (_, &$($mut)? [DynTransition<C>], &$($mut)? [_]) = match $op {
            NodeOp::Service { action, .. } => (Some(action), &$($mut)? [], &$($mut)? []),
            NodeOp::Machine { any } => (None, any, &$($mut)? []),
            NodeOp::State { transitions, hooks, .. } => (None, transitions, hooks),
            NodeOp::Sequential { .. }
            | NodeOp::Random { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => (None, &$($mut)? [], &$($mut)? []),
        };
        let conditions = transitions.$iter().filter_map(|transition| match &$($mut)? transition.on {
            DynWhen::Leaf(condition) => Some(condition),
            DynWhen::Success | DynWhen::Failure => None,
        });
        action.into_iter().chain(conditions).chain(hooks.$iter().flatten())
    }};
}

impl<C: ?Sized> NodeOp<C> {
    /// How many words of a memory it takes.
    pub(crate) fn words(&self, children: usize) -> usize {
        match self {
            NodeOp::Random { .. } => children.div_ceil(64),
            NodeOp::Parallel { has_memory: true, .. } => children.div_ceil(32),
            NodeOp::Machine { .. } => 1,
            NodeOp::Decorator(policy) => with_policy!(policy, policy => state_words(policy)),
            NodeOp::Service { .. } | NodeOp::Wait { .. } => Duration::WORDS,
            NodeOp::Sequential { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Policy(_)
            | NodeOp::State { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => 0,
        }
    }

    /// Whether it has a slot for a state of the user's.
    pub(crate) fn has_slot(&self) -> bool {
        match self {
            NodeOp::Leaf(leaf) => leaf.has_state(),
            NodeOp::Policy(_) => true,
            NodeOp::Sequential { .. }
            | NodeOp::Random { .. }
            | NodeOp::Parallel { .. }
            | NodeOp::Decorator(_)
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => false,
        }
    }

    /// Whether its state refers to children by their index.
    pub(crate) fn counts_children(&self) -> bool {
        matches!(self, NodeOp::Random { .. } | NodeOp::Parallel { has_memory: true, .. } | NodeOp::Machine { .. })
    }

    /// The transitions that lead out of it: those of a state, or of any state of a machine.
    pub(crate) fn transitions(&self) -> &[DynTransition<C>] {
        match self {
            NodeOp::Machine { any: transitions } | NodeOp::State { transitions, .. } => transitions,
            _ => &[],
        }
    }

    /// The same, to be changed.
    pub(crate) fn transitions_mut(&mut self) -> &mut [DynTransition<C>] {
        match self {
            NodeOp::Machine { any: transitions } | NodeOp::State { transitions, .. } => transitions,
            _ => &mut [],
        }
    }

    /// The attached leaves, in the order of their ids.
    pub(crate) fn attachments(&self) -> impl Iterator<Item = &Attachment<C>> {
        attachments!(self, iter)
    }

    /// The same, to be changed.
    pub(crate) fn attachments_mut(&mut self) -> impl Iterator<Item = &mut Attachment<C>> {
        attachments!(self, iter_mut, mut)
    }
}

impl<C: ?Sized> DynWhen<C> {
    /// When this transition is followed; `None` if its condition is not a leaf, which is reported.
    pub(crate) fn of(transition: &Transition, making: &mut Making<'_, '_, C>) -> Option<Self> {
        Some(match &transition.on {
            When::Success => DynWhen::Success,
            When::Failure => DynWhen::Failure,
            When::Leaf { name, negated } => {
                let attached = AttachedLeaf { role: Role::Guard, negated: *negated, name };
                DynWhen::Leaf(making.leaf(attached, "transition on")?)
            }
        })
    }
}
