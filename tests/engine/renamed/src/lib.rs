//! A crate that renames bt-core. Attributes find the name in Cargo.toml.
#![cfg(test)]

use bt::board::set;
use bt::composite::{compose, Children, Composed};
use bt::decorator::{decorate, Decorated};
use bt::prelude::*;

struct Npc {
    hunger: u32,
    mind: Mind,
}

#[derive(Blackboard, Default)]
struct Mind {
    target: Option<u32>,
}

impl HasBoard<Mind> for Npc {
    fn board(&self) -> &Mind {
        &self.mind
    }
    fn board_mut(&mut self) -> &mut Mind {
        &mut self.mind
    }
}

#[action]
fn eat(npc: &mut Npc, bite: u32) -> Status {
    npc.hunger = npc.hunger.saturating_sub(bite);
    if npc.hunger == 0 {
        Status::Success
    } else {
        Status::Running
    }
}

#[condition]
fn hungry(npc: &Npc) -> bool {
    npc.hunger > 0
}

struct Count;

#[leaf]
impl Leaf<Npc> for Count {
    type Open = u32;
    fn open(&self, _: &mut Npc) -> u32 {
        0
    }
    fn tick(&self, count: &mut u32, _: &mut Npc) -> Status {
        *count += 1;
        Status::from(*count > 0)
    }
}

struct Same;

#[decorator]
impl<C: ?Sized> Decorator<C> for Same {}

fn same<N>(child: N) -> Decorated<Same, N> {
    decorate(Same, child)
}

struct First;

#[composite]
impl<C: ?Sized> Composite<C> for First {
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

fn first<L>(children: L) -> Composed<First, L> {
    compose(First, children)
}

#[subtree]
fn day() -> impl Node<Npc> {
    tree! {
        selector {
            sequence { hungry, first { same { eat(2) } fail } }
            machine { state idle { Count, success -> done } state done { set(Mind::TARGET, 3), success -> success } }
        }
    }
}

#[test]
fn everything_works_under_another_name() {
    let tree = day();
    let (mut npc, mut memory) = (Npc { hunger: 3, mind: Mind::default() }, tree.memory());
    let statuses: Vec<_> = (0..4).map(|_| tree.tick(&mut npc, &mut memory)).collect();
    assert_eq!(statuses[..2], [Status::Running, Status::Success]);
    assert_eq!((npc.hunger, npc.mind.target), (0, Some(3)));
    let built_in = bt::tree_from_json!("../tree.b3.json", for Npc: Eat => eat);
    npc.hunger = 2;
    assert_eq!(built_in.tick(&mut npc, &mut built_in.memory()), Status::Success);
}
