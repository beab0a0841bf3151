//! The words that depend on the time. Each original is compared for every sequence of statuses and of time steps.

use bt_core::Status::{self, Failure, Running, Success};
use bt_core::prelude::*;

use super::{Children, Scripted, World};

/// Runs an original and its counterpart for a few ticks that are 0, 1 or 2 seconds apart, and compares them.
fn same<N: Node<World>, S: Default>(tree: &N, original: impl Fn(&mut S, &mut Children<'_>) -> Status) {
    const TICKS: u32 = 5;
    let statuses = [Success, Failure, Running];
    for number in 0..9_usize.pow(TICKS) {
        let (mut left, mut state, mut now) = (number, S::default(), secs(1));
        let (mut memory, mut children) = (tree.memory(), <[super::Child; 3]>::default());
        for tick in 0..TICKS {
            let script = [Some(statuses[left % 3]), None, None];
            now += secs((left / 3 % 3) as u64);
            left /= 9;
            let [mut ours, mut theirs] = [(); 2].map(|()| World { script, now, ..World::default() });
            let found = tree.tick(&mut ours, &mut memory);
            let expected = original(&mut state, &mut Children { children: &mut children, world: &mut theirs });
            assert_eq!((found, &ours.log), (expected, &theirs.log), "case {number}, tick {tick}");
        }
    }
}

#[test]
fn delay_and_sleep_of_behaviortree_cpp_are_delay_and_wait() {
    same(&tree! { delay(secs(2)) { Scripted(0) } }, |start: &mut Option<(Duration, bool)>, children| {
        let (from, is_over) = start.get_or_insert((children.world.now, false));
        *is_over |= children.since(*from) >= secs(2);
        if !*is_over {
            return Running;
        }
        let status = children.tick(0);
        if status != Running {
            *start = None;
        }
        status
    });
    same(&tree! { for World: wait(secs(2)) }, |start: &mut Option<Duration>, children| {
        if children.since(*start.get_or_insert(children.world.now)) < secs(2) {
            return Running;
        }
        *start = None;
        Success
    });
}

#[test]
fn timeout_of_behaviortree_cpp_and_time_limit_of_unreal_are_timeout() {
    same(&tree! { timeout(secs(2)) { Scripted(0) } }, |start: &mut Option<Duration>, children| {
        if children.since(*start.get_or_insert(children.world.now)) > secs(2) {
            children.halt(0);
            *start = None;
            return Failure;
        }
        let status = children.tick(0);
        if status != Running {
            *start = None;
        }
        status
    });
}

#[test]
fn timeout_of_py_trees_ticks_its_child_once_more() {
    // The child is ticked first. Only if it still runs then, the time decides.
    let tree = tree! { timeout(secs(2)) { Scripted(0) } };
    let mut memory = tree.memory();
    let mut world = World { script: [Some(Running), None, None], now: secs(1), ..World::default() };
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    world.now = secs(4);
    world.script[0] = Some(Success);
    assert_eq!(tree.tick(&mut world, &mut memory), Failure, "py_trees returns SUCCESS");
    assert_eq!(world.log, "aA");
}

#[test]
fn cooldown_of_unreal_is_cooldown() {
    // The branch is locked for a time after it was left.
    same(&tree! { cooldown(secs(2)) { Scripted(0) } }, |left: &mut Option<Duration>, children| {
        let is_locked = left.is_some_and(|left| children.since(left) < secs(2));
        if is_locked && !children.children[0].is_open {
            return Failure;
        }
        let status = children.tick(0);
        if status != Running {
            *left = Some(children.world.now);
        }
        status
    });
}

#[test]
fn wait_of_bevy_behave_ends_one_tick_later_at_the_deadline() {
    let tree = tree! { for World: wait(secs(2)) };
    let mut memory = tree.memory();
    let mut world = World { now: secs(1), ..World::default() };
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    world.now = secs(3);
    assert_eq!(tree.tick(&mut world, &mut memory), Success, "bevy_behave compares with >");
}

#[test]
fn a_cooldown_in_a_selector_limits_the_rate_like_rate_controller_of_nav2() {
    // The differences in the row: the time counts from every end, and a failure is not returned.
    let tree = tree! { for World: selector { cooldown(secs(2)) { Scripted(0) } run } };
    same(&tree, |(running, last): &mut (bool, Option<Duration>), children| {
        if !*running && last.is_some_and(|last| children.since(last) < secs(2)) {
            return Running;
        }
        let status = children.tick(0);
        *running = status == Running;
        if !*running {
            *last = Some(children.world.now);
        }
        if status == Failure { Running } else { status }
    });
}
