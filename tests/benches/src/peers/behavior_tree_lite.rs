//! behavior-tree-lite: boxed nodes that contain the state. They access the context through a callback that takes any type.

use behavior_tree_lite::{
    BehaviorCallback, BehaviorNode, BehaviorNodeContainer, BehaviorResult, Context, FallbackNode, SequenceNode,
};

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

#[derive(Clone, Copy)]
enum Do {
    Odd,
    Never,
    First,
    Stay,
    Second,
}

struct Leaf(Do);

impl BehaviorNode for Leaf {
    fn tick(&mut self, callback: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        let result = callback(&self.0).and_then(|result| result.downcast::<BehaviorResult>().ok());
        result.map_or(BehaviorResult::Fail, |result| *result)
    }
}

/// Runs a leaf for the callback.
fn perform(what: Do, agent: &mut Agent) -> BehaviorResult {
    let result = |success| if success { BehaviorResult::Success } else { BehaviorResult::Fail };
    match what {
        Do::Odd => result(leaf::odd(agent)),
        Do::Never => result(leaf::never(agent)),
        Do::First => {
            leaf::first(agent);
            BehaviorResult::Success
        }
        Do::Stay => {
            leaf::first(agent);
            BehaviorResult::Running
        }
        Do::Second => {
            leaf::second(agent);
            BehaviorResult::Success
        }
    }
}

fn node(what: Do) -> BehaviorNodeContainer {
    BehaviorNodeContainer::new_node(Leaf(what))
}

fn with(
    mut parent: BehaviorNodeContainer,
    children: impl IntoIterator<Item = BehaviorNodeContainer>,
) -> BehaviorNodeContainer {
    for child in children {
        parent.add_child(child).expect("a composite accepts any number of children");
    }
    parent
}

fn sequence(children: impl IntoIterator<Item = BehaviorNodeContainer>) -> BehaviorNodeContainer {
    with(BehaviorNodeContainer::new_node(SequenceNode::default()), children)
}

fn fallback(children: impl IntoIterator<Item = BehaviorNodeContainer>) -> BehaviorNodeContainer {
    with(BehaviorNodeContainer::new_node(FallbackNode::default()), children)
}

fn flips() -> BehaviorNodeContainer {
    fallback([sequence([node(Do::Odd), node(Do::First)]), node(Do::Second)])
}

fn stays() -> BehaviorNodeContainer {
    fallback([sequence([node(Do::Odd), node(Do::Stay)]), node(Do::Second)])
}

fn falls() -> BehaviorNodeContainer {
    fallback([
        sequence([node(Do::Never), node(Do::Never), node(Do::First)]),
        sequence([node(Do::Never), node(Do::First)]),
        node(Do::Second),
    ])
}

fn run(mut tree: BehaviorNodeContainer, ticks: u32, flips: bool) -> u64 {
    let mut context = Context::default();
    ticking(ticks, flips, |agent| {
        let mut callback = |what: &dyn std::any::Any| -> Option<Box<dyn std::any::Any>> {
            let what = what.downcast_ref::<Do>()?;
            Some(Box::new(perform(*what, agent)))
        };
        tree.tick(&mut callback, &mut context)
    })
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "behavior-tree-lite 0.3",
        flips: |ticks| run(flips(), ticks, true),
        stays: |ticks| run(stays(), ticks, false),
        falls: |ticks| run(falls(), ticks, false),
        agent: || taken(falls),
        create: |count| creating(count, falls),
    }
}
