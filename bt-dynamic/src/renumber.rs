//! Nodes that go on with the new numbers of an edited tree.

use std::num::NonZeroU64;
use std::time::Duration;

use bt_core::argument::Argument;
use bt_core::engine::{Length, Moment, Until};

use crate::built_in::BuiltIn;
use crate::op::NodeOp;
use crate::packed::Packed;
use crate::values::LoadedAmount;

/// The stored time of a node: its length, and the index of its first word.
fn time(op: &NodeOp) -> Option<(&Length<LoadedAmount<Duration>>, usize)> {
    match op {
        NodeOp::Decorator(BuiltIn::Timeout(policy)) => Some((policy.time(), 0)),
        NodeOp::Decorator(BuiltIn::Delay(policy)) => Some((policy.time(), 0)),
        // After the length of the present run.
        NodeOp::Decorator(BuiltIn::Cooldown(policy)) => Some((policy.time(), Duration::WORDS)),
        NodeOp::Service { every, .. } => Some((every, 0)),
        NodeOp::Wait { wait } => Some((wait.time(), 0)),
        _ => None,
    }
}

/// The number of runs of a loop. It is stored after the number of those that have ended.
fn times(op: &NodeOp) -> Option<u32> {
    match op {
        NodeOp::Decorator(BuiltIn::RepeatTimes(policy)) => policy.times().fixed(),
        NodeOp::Decorator(BuiltIn::Retry(policy)) => policy.times().fixed(),
        NodeOp::Decorator(BuiltIn::RepeatWhileSuccess(policy)) => policy.times().fixed(),
        _ => None,
    }
}

/// Returns `true` if a node has a number that changes.
pub(crate) fn changes(old: &NodeOp, new: &NodeOp) -> bool {
    let fixed = |op| time(op).and_then(|(length, _)| length.argument().fixed());
    fixed(new).is_some_and(|length| fixed(old) != Some(length)) || times(new).is_some_and(|n| times(old) != Some(n))
}

/// Converts the words of a node to the numbers of the new tree. A time keeps its start.
pub(crate) fn renumber(old: &NodeOp, new: &NodeOp, words: &mut [u64]) {
    if let Some(times) = times(new) {
        times.pack(&mut words[1..]);
    }
    let (Some((before, at)), Some((after, _))) = (time(old), time(new)) else { return };
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
