//! Random trees written out with `tree!`: as static as a user's.

use bt_core::prelude::*;
use bt_tests::spec::Spec;
use bt_tests::world::{World, act, check, told};
use proptest::test_runner::{Config, TestRunner};

use crate::{random, same};

/// Runs one tree against the naive interpreter, whatever the leaves are told.
fn conforms<N: Node<World>>(spec: &Spec, tree: &N) {
    assert_eq!(tree.count(), spec.count());
    let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(random::told(), random::doings()), |(told, doings)| {
        same(spec, tree, &told, &doings);
        Ok(())
    });
    prop_assert_ok(outcome);
}

fn prop_assert_ok<E: std::fmt::Display>(outcome: Result<(), E>) {
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

// One function per tree: `fn tree_0() { conforms(&Spec::…, &tree! { … }) }`.
include!(concat!(env!("OUT_DIR"), "/written_trees.rs"));
