//! The decorators and composites of a user, in loaded trees.

use bt_conformance::spec::Own;
use bt_core::composite::{Adopted, ChildWakes, Children, Several};
use bt_core::decorator::Gate;
use bt_core::prelude::*;
use bt_core::{Never, Wake};
use bt_dynamic::Registry;
use bt_tests::world::{Event, World};

use crate::loaded::Number;

pub(crate) struct Patience(pub(crate) u32);

#[decorator]
impl Decorator<World> for Patience {
    type Open = u32;
    type Kept = u32;

    fn open(&self, _: &mut u32, runs: &mut u32, world: &mut World) -> Gate<Never> {
        *runs += 1;
        if runs.is_multiple_of(3) {
            return Gate::End(Outcome::Failure);
        }
        world.see(Event::Open(self.0));
        Gate::Go
    }

    fn resume(&self, ticks: &mut u32, _: &mut u32, _: &mut World) -> Gate<Never> {
        *ticks += 1;
        if *ticks > self.0 % 4 { Gate::End(Outcome::Failure) } else { Gate::Go }
    }

    fn close(&self, _: &mut u32, _: &mut u32, world: &mut World, end: End) {
        world.see(Event::Close(self.0, end));
    }
}

pub(crate) struct Backwards;

#[composite]
impl<C: ?Sized> Composite<C> for Backwards {
    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        children.running()
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let last = children.running().unwrap_or(children.len() - 1);
        let mut back = (0..=last).rev().map(|child| children.tick(child, ctx));
        back.find(|status| *status != Status::Success).unwrap_or(Status::Success)
    }
}

pub(crate) struct Crowd;

#[composite]
impl<C: ?Sized> Composite<C> for Crowd {
    type Running = Several;

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let statuses: Vec<_> = (0..children.len()).map(|child| children.tick(child, ctx)).collect();
        let worst = [Status::Error, Status::Running, Status::Failure];
        worst.into_iter().find(|status| statuses.contains(status)).unwrap_or(Status::Success)
    }
}

pub(crate) struct RoundRobin;

#[composite]
impl<C: ?Sized> Composite<C> for RoundRobin {
    type Kept = usize;

    fn adopt(&self, (): &mut (), current: &mut usize, children: &mut Adopted<'_>) -> bool {
        let moved = children.moved().nth(*current).flatten();
        *current = children.running().next().or(moved).unwrap_or(0);
        true
    }

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), current: &mut usize, ctx: &mut C) -> Status {
        let status = children.tick(*current, ctx);
        *current = (*current + usize::from(status == Status::Success)) % children.len();
        status
    }
}

pub(crate) struct Shift;

#[composite]
impl<C: ?Sized> Composite<C> for Shift {
    /// The child of this run, plus 1.
    type Open = usize;
    type Kept = usize;

    fn tick(&self, children: &mut impl Children<C>, child: &mut usize, runs: &mut usize, ctx: &mut C) -> Status {
        if *child == 0 {
            *runs += 1;
            *child = 1 + *runs % children.len();
        }
        children.tick(*child - 1, ctx)
    }
}

/// Adds all of them to a registry.
pub(crate) fn add(registry: &mut Registry<World>) {
    for own in Own::ALL {
        let name = own.name();
        match own {
            Own::Patience => registry.add_decorator(name, |Number { number }| Patience(number)),
            Own::Backwards => registry.add_composite(name, |_: Number| Backwards),
            Own::Crowd => registry.add_composite(name, |_: Number| Crowd),
            Own::RoundRobin => registry.add_composite(name, |_: Number| RoundRobin),
            Own::Shift => registry.add_composite(name, |_: Number| Shift),
        };
    }
}
