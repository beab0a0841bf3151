//! A tree of each kind.

use std::fmt::Display;

use bt_core::decorator::{AfterChild, Decorated, decorate};
use bt_core::prelude::*;
use bt_core::{Never, Outcome};

use crate::Agent;
use crate::world::{Count, Shield, World, hold, hop, later, say};

pub(crate) fn machine() -> impl Node<World> {
    tree! {
        for World: machine {
            state day { enter: say("dawn"), (Count), later(1000.0) -> night }
            state night { say("dark"), exit: hop }
        }
    }
}

pub(crate) fn service() -> impl Node<World> {
    tree! { for World: service(millis(100), say("look")) { (Count) } }
}

pub(crate) fn matching() -> impl Node<World> {
    tree! { for World: match |world: &World| world.shield.held + 2 { 2 => say("two"), 3..=9 => say("more"), _ => hop } }
}

pub(crate) fn utility() -> impl Node<World> {
    tree! {
        for World: utility_selector {
            2 => say("constant"),
            |world: &World| f64::from(world.shield.held) + 1.0 => say("computed"),
        }
    }
}

/// A decorator that says a word after each run of its child.
pub(crate) struct Cry(&'static str);

#[decorator]
impl Decorator<World> for Cry {
    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), world: &mut World) -> AfterChild<Never> {
        world.say(self.0);
        AfterChild::End(outcome)
    }
}

const fn cry<N>(word: &'static str, child: N) -> Decorated<Cry, N> {
    decorate(Cry(word), child)
}

pub(crate) fn own() -> impl Node<World> {
    tree! { for World: cry("ho") { say("hum") } }
}

pub(crate) fn island() -> impl Node<World> {
    let words = vec![say("some"), say("words")];
    tree! {
        for World: sequence {
            sequence { ..words }
            within(|world: &mut World| -> &mut Shield { &mut world.shield }) { hold(7) }
            |world: &mut World| world.say(world.shield.held),
        }
    }
}

pub(crate) fn generic<T: Default + Display>() -> impl Node<World> {
    tree! { for World: sequence { |world: &mut World| world.say(T::default()), say("generic") } }
}

pub(crate) fn boxed() -> BoxNode<World> {
    BoxNode::new(tree! { for World: invert { say("box") } })
}

/// A tree in the expression of another.
pub(crate) fn nested() -> impl Node<World> {
    tree! {
        for World: sequence {
            say("out"),
            |world: &mut World| {
                let tree = tree! { for World: say("in") };
                tree.tick(world, &mut tree.memory())
            },
            hop,
        }
    }
}

macro_rules! said {
    ($word:literal) => {
        tree! { for World: say($word) }
    };
}

pub(crate) fn in_macro() -> impl Node<World> {
    said!("macro")
}

/// A context that borrows.
struct Ctx<'w> {
    words: &'w mut Vec<String>,
}

#[action]
fn put(ctx: &mut Ctx<'_>, word: &'static str) {
    ctx.words.push(word.to_owned());
}

#[subtree]
fn over_borrowed() -> impl Node<Ctx<'_>> {
    tree! { sequence { put("lent"), |ctx: &mut Ctx<'_>| ctx.words.push("words".to_owned()) } }
}

pub(crate) fn borrowed<'a>() -> Agent<'a> {
    let tree = over_borrowed();
    let mut memory = tree.memory();
    Agent::of("borrowed", move || {
        let mut words = Vec::new();
        _ = tree.tick(&mut Ctx { words: &mut words }, &mut memory);
        words.join(" ")
    })
}
