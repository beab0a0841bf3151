//! An engine that brings behavior trees under its own name: a context, a leaf, a decorator, a composite and a macro.

pub use bt_core as bt;
pub use bt_core::Never;
pub use bt_core::board::{is_set, set};
pub use bt_core::composite::{Composed, Returns, compose};
pub use bt_core::decorator::{AfterChild, Decorated, StatusMap, decorate};
pub use bt_core::prelude::*;
pub use bt_dynamic as files;
pub use bt_inspector as inspector;

use bt_core::composite::Children;

/// The context of all trees of the engine.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    pub health: i32,
    pub log: Vec<String>,
    pub now: Duration,
}

impl Clock for Actor {
    fn now(&self) -> Duration {
        self.now
    }
}

/// Writes a line.
#[action]
pub fn say(actor: &mut Actor, text: &String) {
    actor.log.push(text.clone());
}

/// Ticks its child until it has failed twice in a run.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
pub struct Twice {}

#[decorator]
impl<C: ?Sized> Decorator<C> for Twice {
    type Open = bool;
    fn end(&self, outcome: Outcome, failed: &mut bool, _: &mut (), _: &mut C) -> AfterChild<Never> {
        if outcome == Outcome::Failure && !std::mem::replace(failed, true) {
            AfterChild::Again
        } else {
            AfterChild::End(outcome)
        }
    }
}

pub const fn twice<N>(child: N) -> Decorated<Twice, N> {
    decorate(Twice {}, child)
}

/// Ticks its first child; when it fails, the others, and the first again.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub struct Recovery {
    pub retries: u32,
}

#[composite(children = 2..)]
impl<C: ?Sized> Composite<C> for Recovery {
    type Open = u32;
    fn tick(&self, children: &mut impl Children<C>, retries: &mut u32, _: &mut (), ctx: &mut C) -> Status {
        loop {
            let first = children.running().filter(|child| *child > 0);
            if first.is_none() {
                match children.tick(0, ctx) {
                    Status::Failure if *retries < self.retries => *retries += 1,
                    other => return other,
                }
            }
            for child in first.unwrap_or(1)..children.len() {
                match children.tick(child, ctx) {
                    Status::Success => {}
                    other => return other,
                }
            }
        }
    }
}

pub const fn recovery<L>(retries: u32, children: L) -> Composed<Recovery, L> {
    compose(Recovery { retries }, children)
}

/// Returns a registry of everything that the engine brings.
pub fn registry() -> files::Registry<Actor> {
    let mut registry = files::Registry::new().with_clock();
    registry.add::<say>("Say");
    registry.add_decorator("Twice", |twice: Twice| twice);
    registry.add_composite("Recovery", |recovery: Recovery| recovery);
    registry
}

/// A tree that says something while there is nothing else to do.
#[macro_export]
macro_rules! guard {
    ($first:expr, $text:literal) => {
        $crate::bt::tree! { for $crate::Actor: selector { $first, $crate::say($text.into()) } }
    };
}
