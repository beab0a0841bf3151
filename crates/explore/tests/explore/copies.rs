//! Explorations tick copies of an agent. What a copy does not contain is refused, or found.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{BoxNode, SaveMemory};
use bt_dynamic::Registry;
use bt_explore::{FreeContext, explore, free_tree};

#[derive(Clone, Default, Hash, Debug)]
struct Robot {
    x: u8,
}

/// Sets `x` in its second tick.
#[action]
async fn fetch(robot: AsyncContext<Robot>) -> bool {
    robot.next_tick().await;
    robot.with(|robot| robot.x = 9).await;
    true
}

#[test]
#[should_panic = "`deliver/fetch` is asynchronous: states are copied, and a future cannot be copied\nhelp: call `.free(\"deliver/fetch\")`"]
fn an_asynchronous_leaf_is_refused() {
    explore(tree! { for Robot: sequence "deliver" { fetch } }, Robot::default())
        .never("x is 9", |tick| tick.ctx.x == 9)
        .check();
}

#[test]
#[should_panic = "is asynchronous"]
fn a_closure_that_returns_a_future_is_refused() {
    explore(tree! { for Robot: |_: &mut Robot| async { true } }, Robot::default()).check();
}

#[test]
#[should_panic = "is asynchronous"]
fn an_asynchronous_leaf_in_a_box_is_refused() {
    let inner = BoxNode::<Robot, SaveMemory>::saving(tree! { for Robot: fetch });
    explore(tree! { for Robot: invert { inner } }, Robot::default()).check();
}

#[test]
#[should_panic = "`fetch` is asynchronous"]
fn an_asynchronous_leaf_of_a_loaded_tree_is_refused() {
    let mut registry = Registry::<Robot>::new();
    registry.add::<fetch>("fetch");
    let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "fetch" } } }"#).expect("a valid tree");
    explore(tree, Robot::default()).check();
}

#[test]
fn an_asynchronous_leaf_can_be_free() {
    let tree = tree! { for Robot: sequence "deliver" { fetch, succeed } };
    let one = explore(&tree, Robot::default()).free("deliver/fetch").check();
    let other = explore(free_tree(&tree).expect("it has only words and leaves"), FreeContext::default()).check();
    assert_eq!((one.states(), one.transitions()), (other.states(), other.transitions()));
}

#[test]
#[should_panic = "a copy of an agent must behave like the agent"]
fn a_static_counter_is_found() {
    static TICKS: AtomicU32 = AtomicU32::new(0);
    let seventh = |_: &Robot| TICKS.fetch_add(1, Relaxed) % 7 == 6;
    explore(tree! { for Robot: seventh }, Robot::default()).run();
}

#[test]
#[should_panic = "a tick must depend only on the context, the memory and its choices"]
fn a_static_counter_behind_a_condition_is_found() {
    static TICKS: AtomicU32 = AtomicU32::new(0);
    let seen = |_: &Robot| bt_explore::flip("seen");
    let second = |_: &Robot| TICKS.fetch_add(1, Relaxed).is_multiple_of(2);
    explore(tree! { for Robot: sequence { seen "seen", second "second" } }, Robot::default())
        .never("second fails", |tick| tick.returned("second", Status::Failure))
        .run();
}

#[test]
#[should_panic = "a copy of an agent must behave like the agent"]
fn a_counter_that_copies_share_is_found() {
    #[derive(Clone, Default)]
    struct Shared {
        ticks: Arc<AtomicU32>,
    }
    impl std::hash::Hash for Shared {
        fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
    }
    fn seventh(shared: &Shared) -> bool {
        shared.ticks.fetch_add(1, Relaxed) % 7 == 6
    }
    explore(tree! { for Shared: seventh }, Shared::default()).run();
}

/// A state whose copy begins again.
#[derive(Default, Debug)]
struct Forgetful(u32);

impl Clone for Forgetful {
    fn clone(&self) -> Self {
        Self(0)
    }
}

impl serde::Serialize for Forgetful {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_unit()
    }
}

impl<'de> serde::Deserialize<'de> for Forgetful {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        <()>::deserialize(input).map(|()| Self(0))
    }
}

struct Work;
#[leaf]
impl Leaf<Robot> for Work {
    type Open = Forgetful;
    fn tick(&self, done: &mut Forgetful, robot: &mut Robot) -> Status {
        done.0 += 1;
        if done.0 < 3 {
            return Status::Running;
        }
        robot.x = 9;
        Status::Success
    }
}

#[test]
#[should_panic = "a copy of an agent must behave like the agent"]
fn a_state_that_is_not_copied_is_found() {
    explore(tree! { for Robot: (Work) }, Robot::default()).never("x is 9", |tick| tick.ctx.x == 9).run();
}

#[test]
fn repeated_runs_are_not_part_of_what_was_explored() {
    let exploration =
        explore(tree! { for Robot: |robot: &mut Robot| robot.x = (robot.x + 1) % 5 }, Robot::default()).run();
    assert_eq!((exploration.states(), exploration.transitions()), (5, 5));
}
