//! Nodes that continue with the new numbers of an edited tree.

use std::num::NonZeroU64;
use std::time::Duration;

use bt_core::argument::Argument;
use bt_core::engine::{Length, Moment, Until};

use crate::flat::built_in::{BuiltIn, decorators};
use crate::flat::op::NodeOp;
use crate::flat::packed::Packed;
use crate::flat::values::LoadedAmount;

/// A number of a node that is stored while it runs.
enum Number<'a> {
    /// A time, and the index of its first word.
    Time(&'a Length<LoadedAmount<Duration>>, usize),
    /// The number of runs of a loop. It is stored after the number of those that have ended.
    Times(&'a LoadedAmount<u32>),
}

fn number(op: &NodeOp) -> Option<Number<'_>> {
    let policy = match op {
        NodeOp::Decorator(policy) => policy,
        NodeOp::Service { every, .. } => return Some(Number::Time(every, 0)),
        NodeOp::Wait { wait } => return Some(Number::Time(wait.time(), 0)),
        NodeOp::Sequential { .. }
        | NodeOp::Composite(_)
        | NodeOp::Finally
        | NodeOp::Policy(_)
        | NodeOp::Machine { .. }
        | NodeOp::State { .. }
        | NodeOp::Nested { .. }
        | NodeOp::Constant(_)
        | NodeOp::Leaf(_) => return None,
    };
    stored(policy)
}

macro_rules! number {
    (none, $policy:ident) => {{
        let _ = $policy;
        None
    }};
    (times, $policy:ident) => {
        Some(Number::Times($policy.times()))
    };
    (time at $at:expr, $policy:ident) => {
        Some(Number::Time($policy.time(), $at))
    };
}

macro_rules! stored {
    (() $($word:ident($type:ty) keeps($($number:tt)+) = |$making:ident, $args:ident| $make:expr;)+) => {
        fn stored(policy: &BuiltIn) -> Option<Number<'_>> {
            match policy { $(BuiltIn::$word(policy) => number!($($number)+, policy)),+ }
        }
    };
}

decorators!(stored);

/// Converts the words of a node to the numbers of the new tree. A time keeps its start.
pub(crate) fn renumber(old: &NodeOp, new: &NodeOp, words: &mut [u64]) {
    let (before, after, at) = match (number(old), number(new)) {
        (Some(Number::Time(old, _)), Some(Number::Time(new, at))) => (old, new, at),
        (_, Some(Number::Times(times))) => {
            if let Some(times) = times.fixed() {
                times.pack(&mut words[1..]);
            }
            return;
        }
        (Some(_) | None, _) => return,
    };
    let Some(length) = after.argument().fixed() else { return };
    if at > 0 {
        length.pack(words);
    }
    let words = &mut words[at..];
    // A time that has not begun has no end.
    let Some(mut until) = Option::<Until<Duration>>::unpack(words).filter(|until| until.end != Moment::default())
    else {
        return;
    };
    let start = until.end.bits().get().saturating_sub(before.nanos(&until.length));
    let end = start.saturating_add(after.nanos(&length)).max(2);
    until = Until { end: Moment::from_bits(NonZeroU64::new(end).unwrap_or(NonZeroU64::MAX)), length };
    until.pack(words);
}
