//! Enter, open, tick, close, exit.

use bt_core::Status::{Failure, Running, Success};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World, check, told};

use crate::support::running;

#[test]
fn a_leaf_is_entered_opened_ticked_closed_and_left() {
    let mut run = running(tree! { told(7) });
    run.tick(&[Running]);
    assert_eq!(
        run.world.take_seen(),
        [Event::Enter(7), Event::Open(7), Event::Tick(7, Running), Event::Exit(7, Running)]
    );
    run.tick(&[Success]);
    assert_eq!(
        run.world.take_seen(),
        [Event::Enter(7), Event::Tick(7, Success), Event::Close(7, End::Success), Event::Exit(7, Success)]
    );
}

#[test]
fn a_leaf_that_is_halted_is_closed_only() {
    let mut run = running(tree! { told(7) });
    run.tick(&[Running]);
    run.halt();
    assert_eq!(run.world.take_seen(), [Event::Close(7, End::Halted(Cause::Stopped))]);
}

#[test]
fn an_observer_is_told_of_every_visit_in_order() {
    let tree = tree! { for World: selector { sequence { check(1), told(2) } told(3) } };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Failure, Running, Success, Running]);
    let mut events = Events::default();
    tree.tick_with(&mut world, &mut memory, &mut events);
    assert_eq!(
        std::mem::take(&mut events.0),
        [
            Event::Enter(0),
            Event::Open(0),
            Event::Enter(1),
            Event::Open(1),
            Event::Enter(2),
            Event::Open(2),
            Event::Tick(2, Failure),
            Event::Close(2, End::Failure),
            Event::Exit(2, Failure),
            Event::Tick(1, Failure),
            Event::Close(1, End::Failure),
            Event::Exit(1, Failure),
            Event::Enter(4),
            Event::Open(4),
            Event::Tick(4, Running),
            Event::Exit(4, Running),
            Event::Tick(0, Running),
            Event::Exit(0, Running),
        ]
    );
    tree.tick_with(&mut world, &mut memory, &mut events);
    let closed: Vec<_> = events.0.iter().filter(|event| matches!(event, Event::Close(..))).collect();
    assert_eq!(closed, [&Event::Close(2, End::Success), &Event::Close(4, End::Halted(Cause::Preempted))]);
}

#[test]
fn halting_from_outside_is_told_deepest_first() {
    let tree = tree! { for World: mem_sequence { invert { told(1) } } };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Running]);
    tree.tick(&mut world, &mut memory);
    let mut events = Events::default();
    tree.halt_with(&mut world, &mut memory, &mut events);
    assert_eq!(events.0, [2, 1, 0].map(|id| Event::Close(id, End::Halted(Cause::Stopped))));
}

#[test]
fn statuses_tell_fresh_marks_from_old_ones_and_halts() {
    let tree = tree! { for World: selector { told(1), told(2) } };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Failure, Running, Success]);
    let mut statuses = Statuses::default();
    assert_eq!(statuses.last(NodeId::ROOT), None);
    tree.tick_with(&mut world, &mut memory, &mut statuses);
    assert!(statuses.is_running(NodeId::new(2)));
    tree.tick_with(&mut world, &mut memory, &mut statuses);
    assert_eq!(
        tree.description().draw().with(&statuses).to_string(),
        "selector   Success *\n├─ told    Success *\n└─ told    Halted *\n".replace("told", "Told")
    );
}

#[test]
fn only_the_observer_nobody_is_off() {
    const { assert!(!<() as Observer>::ON && !<&mut () as Observer>::ON) }
    const { assert!(Events::ON && <&mut Events as Observer>::ON) }
}
