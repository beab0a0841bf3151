//! behavior-tree-lite: boxed nodes, the state in them. They speak to the world through a callback that takes any type.

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
    fn tick(&mut self, ask: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        let answer = ask(&self.0).and_then(|answer| answer.downcast::<BehaviorResult>().ok());
        answer.map_or(BehaviorResult::Fail, |answer| *answer)
    }
}

/// What the callback does for a leaf.
fn perform(what: Do, agent: &mut Agent) -> BehaviorResult {
    let answer = |success| if success { BehaviorResult::Success } else { BehaviorResult::Fail };
    match what {
        Do::Odd => answer(leaf::odd(agent)),
        Do::Never => answer(leaf::never(agent)),
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
        parent.add_child(child).expect("a composite takes any number of children");
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
        tree.tick(&mut callback, &mut context);
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
