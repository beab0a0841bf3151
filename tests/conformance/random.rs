//! Random trees and what happens to them.

use bt_core::Status;
use bt_tests::spec::Spec;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::Doing;

/// Any tree, of up to some sixty nodes.
pub(crate) fn spec() -> impl Strategy<Value = Spec> {
    let leaf = prop_oneof![
        3 => (0..1000_u32).prop_map(Spec::Leaf),
        1 => (0..1000_u32).prop_map(Spec::Action),
        2 => (0..1000_u32).prop_map(Spec::Condition),
        1 => prop::sample::select(vec![Status::Success, Status::Failure, Status::Running, Status::Error]).prop_map(Spec::Just),
    ];
    leaf.prop_recursive(5, 60, 8, |child| {
        let children = || vec(child.clone(), 1..=8);
        let one = || child.clone().prop_map(Box::new);
        let few = || 0..4_u32;
        let millis = || prop_oneof![Just(0_u64), 1..300_u64];
        prop_oneof![
            6 => (any::<bool>(), children()).prop_map(|(remembers, children)| Spec::Selector { remembers, children }),
            6 => (any::<bool>(), children()).prop_map(|(remembers, children)| Spec::Sequence { remembers, children }),
            4 => (any::<bool>(), 1..5_usize, 1..5_usize, children()).prop_map(
                |(remembers, success, failure, children)| Spec::Parallel { remembers, success, failure, children }
            ),
            4 => (any::<bool>(), any::<bool>(), children()).prop_map(
                |(selects, weighted, children)| Spec::Random { selects, weighted, children }
            ),
            1 => one().prop_map(Spec::Invert),
            1 => one().prop_map(Spec::ForceSuccess),
            1 => one().prop_map(Spec::ForceFailure),
            1 => one().prop_map(Spec::Repeat),
            1 => (few(), one()).prop_map(|(times, child)| Spec::RepeatTimes(times, child)),
            1 => (few(), one()).prop_map(|(times, child)| Spec::Retry(times, child)),
            1 => one().prop_map(Spec::UntilFailure),
            1 => one().prop_map(Spec::UntilSuccess),
            1 => one().prop_map(Spec::WaitUntil),
            1 => (few(), one()).prop_map(|(runs, child)| Spec::Limit(runs, child)),
            1 => one().prop_map(Spec::RunOnce),
            1 => (millis(), one()).prop_map(|(time, child)| Spec::Timeout(time, child)),
            1 => (millis(), one()).prop_map(|(time, child)| Spec::Delay(time, child)),
            1 => (millis(), one()).prop_map(|(time, child)| Spec::Cooldown(time, child)),
            1 => (millis(), 0..1000_u32, one()).prop_map(|(time, number, child)| Spec::Service(time, number, child)),
        ]
    })
}

/// What the leaves are told.
pub(crate) fn told() -> impl Strategy<Value = Vec<Status>> {
    let status = prop_oneof![
        8 => Just(Status::Success),
        8 => Just(Status::Failure),
        12 => Just(Status::Running),
        1 => Just(Status::Error),
    ];
    vec(status, 1..60)
}

/// What happens to the agent.
pub(crate) fn doings() -> impl Strategy<Value = Vec<Doing>> {
    vec(prop_oneof![6 => (0..200_u64).prop_map(Doing::Tick), 1 => Just(Doing::Halt)], 1..25)
}
