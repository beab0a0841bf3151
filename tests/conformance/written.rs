//! Random trees written out with `tree!`: as static as a user's.

use bt_conformance::spec::{Args, How, On, Spec, StateSpec, TransitionSpec};
use bt_core::Outcomes;
use bt_core::check::Lint;
use bt_core::describe::Description;
use bt_core::prelude::*;
use bt_tests::world::{World, act, check, entered, left, pick, score, share, span, times, told};
use bt_words::Word;

use crate::loaded::{load, without_functions};
use crate::{random, same};

/// Runs one tree against the naive interpreter, whatever the leaves return. `returns` are the statuses that it can return, found naively, and `lints` how often each lint is
/// expected in it. Of the same tree in a file, the same is known.
fn conforms<N: Node<World> + Save>(spec: &Spec, tree: &N, returns: Outcomes, lints: [usize; Lint::ALL.len()]) {
    assert_eq!(N::RETURNS, returns);
    let loaded = load(&without_functions(spec));
    let statuses = |description: &Description| description.nodes().iter().map(|node| node.returns).collect::<Vec<_>>();
    assert_eq!(statuses(&loaded.description()), statuses(&tree.description()));
    let warnings = loaded.warnings().iter();
    let mut found: Vec<_> = warnings.map(|warning| (warning.lint.expect("it has one"), &warning.id)).collect();
    // Both thresholds of a node are one mistake in `tree!`. Each transition of a state is one of its own.
    found.dedup_by(|one, other| one.0 == Lint::Threshold && one == other);
    let count = |lint| found.iter().filter(|(found, _)| *found == lint).count();
    assert_eq!(Lint::ALL.map(count), lints, "{:#?}", loaded.warnings());
    assert_eq!(tree.count(), spec.count());
    random::runs(&|told, doings| same(spec, tree, told, doings, |memory| save_and_load(tree, memory)));
}

/// What comes back of a memory that is written to JSON and to a format without names.
fn save_and_load<N: Save>(tree: &N, memory: &Memory<N>) -> Memory<N> {
    let text = serde_json::to_string(&tree.saved(memory)).expect("it can be saved");
    let mut memory = tree.memory();
    tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&text)).expect("it can be loaded");
    let bytes = postcard::to_allocvec(&tree.saved(&memory)).expect("it can be saved");
    tree.load(&mut memory, &mut postcard::Deserializer::from_bytes(&bytes)).expect("it can be loaded");
    memory
}

// One function per tree: `fn tree_0() { conforms(&Spec::…, &tree! { … }, Outcomes::…, […]) }`.
include!(concat!(env!("OUT_DIR"), "/written_trees.rs"));
