//! Limits of an exploration.

use bt_core::prelude::*;
use bt_explore::{Finding, Limit, explore};

fn count(number: &mut u64) {
    *number += 1;
}

#[test]
fn a_limit_ends_the_exploration_and_is_reported() {
    let endless = || {
        explore(tree! { for u64: count }, 0)
            .never("is -1", |tick| *tick.ctx == u64::MAX)
            .sometimes("is large", |tick| *tick.ctx > 1_000_000)
    };
    let cases = [
        (endless().max_states(100).run(), Limit::States, "the limit of states"),
        (endless().max_transitions(100).run(), Limit::Transitions, "the limit of transitions"),
        (endless().max_ticks(100).run(), Limit::Ticks, "the limit of ticks"),
    ];
    for (exploration, limit, text) in cases {
        assert_eq!(exploration.limit(), Some(limit));
        assert!(!exploration.is_complete() && !exploration.holds());
        assert!(exploration.verdicts().iter().all(|verdict| matches!(verdict.result, Finding::Unknown)));
        assert_eq!(exploration.violations().count(), 0);
        let summary = exploration.to_string();
        assert!(summary.contains(&format!("not complete, {text} was reached")), "{summary}");
        assert!(summary.contains("not decided: is -1"), "{summary}");
        assert!((99..=102).contains(&exploration.states()), "{}", exploration.states());
    }
}

#[test]
#[should_panic = "the exploration is not complete\n"]
fn check_panics_if_a_limit_is_reached() {
    explore(tree! { for u64: count }, 0).max_ticks(9).check();
}

#[test]
fn check_accepts_a_limit() {
    let exploration = explore(tree! { for u64: count }, 0).max_ticks(9).incomplete().check();
    assert_eq!(exploration.depth(), 9);
}

#[test]
fn what_lies_beyond_a_limit_is_no_violation() {
    let exploration =
        explore(tree! { for u64: count }, 0).max_ticks(9).eventually("is 20", |tick| *tick.ctx == 20).run();
    assert!(matches!(exploration.verdicts()[0].result, Finding::Unknown));
}

#[test]
fn contexts_are_made_equal() {
    let modulo = explore(tree! { for u64: count }, 0).normalize(|number| *number %= 5).run();
    assert_eq!((modulo.states(), modulo.is_complete()), (5, true));
}

#[test]
fn a_state_takes_a_few_bytes() {
    let exploration = explore(tree! { for u64: count }, 0).max_states(100_000).run();
    assert!(exploration.bytes_per_state() < 64, "{}", exploration.bytes_per_state());
}
