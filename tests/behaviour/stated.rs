//! A node that returns a status which it states it cannot return panics in debug builds, in both engines. The
//! compiler checks trees with what nodes state.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::composite::{Children, Returns, compose};
use bt_core::decorator::{AfterChild, Gate, StatusMap, decorate};
use bt_core::prelude::*;
use bt_core::{Never, Outcomes};
use bt_core::{NodeId, Observer};
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use bt_tests::world::World;
use serde_json::json;

/// Returns the status of its child, and runs when the child fails, which it does not state.
struct Patient;

#[decorator]
impl<C: ?Sized> Decorator<C> for Patient {
    type Pause = ();
    const RETURNS: StatusMap = StatusMap::SAME;

    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<()> {
        if outcome == Outcome::Failure { AfterChild::Later(()) } else { AfterChild::End(outcome) }
    }
}

/// Returns the status of its child.
struct Open;

#[decorator]
impl<C: ?Sized> Decorator<C> for Open {
    const RETURNS: StatusMap = StatusMap::SAME;
}

/// Fails without its child, which it does not state.
struct Closed;

#[decorator]
impl<C: ?Sized> Decorator<C> for Closed {
    const RETURNS: StatusMap = StatusMap { on_failure: Outcomes::SUCCESS, ..StatusMap::SAME };

    fn open(&self, (): &mut (), (): &mut (), _: &mut C) -> Gate<Never> {
        Gate::End(Outcome::Failure)
    }
}

/// Fails whatever its children return, and states that it returns what they return.
struct Pessimist;

#[composite]
impl<C: ?Sized> Composite<C> for Pessimist {
    const RETURNS: Returns = Returns::InOrder(Outcomes::SUCCESS);

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let first = children.tick(0, ctx);
        if first == Status::Success { Status::Failure } else { first }
    }
}

/// Runs, and states that it succeeds.
#[derive(Clone)]
struct Slow;

#[leaf]
impl<C: ?Sized> Leaf<C> for Slow {
    const RETURNS: Outcomes = Outcomes::SUCCESS;

    fn tick(&self, (): &mut (), _: &mut C) -> Status {
        Status::Running
    }
}

fn registry() -> Registry<World> {
    let mut registry = Registry::new();
    registry.add_decorator("Patient", |_: NoProperties| Patient).add_decorator("Closed", |_: NoProperties| Closed);
    registry.add_decorator("Open", |_: NoProperties| Open);
    registry.add_composite("Pessimist", |_: NoProperties| Pessimist).add_leaf("Slow", Slow);
    registry
}

/// A loaded tree of a node over a leaf; of the leaf alone if the node has no name.
fn loaded(node: &str, leaf: &str) -> LoadedTree<World> {
    let root = if node.is_empty() { "2" } else { "1" };
    let file = json!({ "root": root, "nodes": { "1": { "name": node, "children": ["2"] }, "2": { "name": leaf } } });
    let file = if node.is_empty() { json!({ "root": root, "nodes": { "2": file["nodes"]["2"] } }) } else { file };
    registry().load(&file.to_string()).expect("the file is valid")
}

/// The panic of a tick, and the status without debug assertions.
fn ticked<N: Node<World>>(tree: &N) -> Result<Status, String> {
    let tick = || tree.tick(&mut World::default(), &mut tree.memory());
    catch_unwind(AssertUnwindSafe(tick)).map_err(|panic| *panic.downcast::<String>().expect("a text"))
}

fn panics<N: Node<World>>(written: &N, loaded: &LoadedTree<World>, status: Status, expected: &str) {
    let expected = if cfg!(debug_assertions) { Err(expected.to_owned()) } else { Ok(status) };
    assert_eq!((ticked(written), ticked(loaded)), (expected.clone(), expected));
}

#[test]
fn a_decorator_that_returns_what_it_does_not_state_panics_in_debug_builds() {
    panics(
        &tree! { for World: decorate(Patient) { fail } },
        &loaded("Patient", "Failer"),
        Status::Running,
        "the decorator `Patient` returned Running, but its `const RETURNS` allows Failure",
    );
    panics(
        &tree! { for World: decorate(Closed) { succeed } },
        &loaded("Closed", "Succeeder"),
        Status::Failure,
        "the decorator `Closed` returned Failure, but its `const RETURNS` allows Success",
    );
}

#[test]
fn a_composite_that_returns_what_it_does_not_state_panics_in_debug_builds() {
    panics(
        &tree! { for World: compose(Pessimist) { succeed } },
        &loaded("Pessimist", "Succeeder"),
        Status::Failure,
        "the composite `Pessimist` returned Failure, but its `const RETURNS` allows Success",
    );
}

#[test]
fn a_leaf_that_returns_what_it_does_not_state_panics_in_debug_builds() {
    panics(
        &tree! { for World: Slow },
        &loaded("", "Slow"),
        Status::Running,
        "the leaf `Slow` returned Running, but its `const RETURNS` allows Success",
    );
}

/// Replaces the status of the first child.
struct Replaced;

impl Observer for Replaced {
    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        (at.index() == 1).then_some(Status::Failure)
    }
}

#[test]
fn a_node_whose_child_is_replaced_can_return_what_follows_from_the_replacement() {
    fn fails<N: Node<World>>(tree: &N) {
        let status = tree.tick_with(&mut World::default(), &mut tree.memory(), &mut Replaced);
        assert_eq!(status, Status::Failure);
    }
    fails(&tree! { for World: compose(Pessimist) { succeed } });
    fails(&loaded("Pessimist", "succeed"));
    fails(&tree! { for World: decorate(Open) { succeed } });
    fails(&loaded("Open", "succeed"));
}

/// The states of nodes below can come from a save, or from the tree before a reload.
#[test]
fn states_of_another_tree_are_no_reason_to_panic() {
    fn reloaded(before: &serde_json::Value, after: &serde_json::Value) -> Status {
        let [before, after] = [before, after].map(|root| {
            let children = root["children"].as_array().expect("a list").iter().enumerate();
            let mut nodes = json!({ "root": root });
            nodes["root"]["children"] = children.clone().map(|(id, _)| json!(id.to_string())).collect();
            children.for_each(|(id, name)| nodes[id.to_string()] = json!({ "name": name }));
            registry().load(&json!({ "root": "root", "nodes": nodes }).to_string()).expect("the file is valid")
        });
        let (mut memory, mut world) = (before.memory(), World::default());
        before.tick(&mut world, &mut memory);
        before.reload(&after, &mut memory, &mut world);
        after.tick(&mut world, &mut memory)
    }
    let kept = |children: [&str; 2]| json!({ "name": "kept_sequence", "children": children });
    assert_eq!(reloaded(&kept(["Succeeder", "Failer"]), &kept(["Runner", "Failer"])), Status::Failure);
    assert_eq!(reloaded(&kept(["Succeeder", "Failer"]), &kept(["Failer", "Succeeder"])), Status::Failure);

    let tree = tree! { for (): kept_sequence { succeed, fail } };
    let mut memory = tree.memory();
    tree.tick(&mut (), &mut memory);
    let saved = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
    let edited = saved.replacen("[1,", "[9,", 1);
    assert_ne!(saved, edited);
    tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&edited)).expect("it is a memory of this tree");
    assert_eq!(tree.tick(&mut (), &mut memory), Status::Success, "no child is left");
}
