//! Nodes of BehaviorTree.CPP and Nav2 that are several words here, or that have the tree ticked again.

use bt_core::Status::{self, Failure, Running, Success};
use bt_core::prelude::*;

use super::{Children, Scripted, World, holds, same, same_statuses};

/// `Tree::tickOnce`: ticks the tree again while a node has asked for it.
fn tick_once(mut tick: impl FnMut(&mut bool) -> Status) -> Status {
    loop {
        let mut again = false;
        let status = tick(&mut again);
        if status != Running || !again {
            return status;
        }
    }
}

/// `SequenceWithMemory::tick`: has the tree ticked again after a child that ends at once.
fn sequence_with_memory(from: usize, done: &mut usize, again: &mut bool, children: &mut Children<'_>) -> Status {
    while from + *done < 3 {
        let was_idle = !children.children[from + *done].is_open;
        let status = children.tick(from + *done);
        if status != Success {
            return status;
        }
        *done += 1;
        if was_idle && from + *done < 3 {
            *again = true;
            return Running;
        }
    }
    *done = 0;
    Success
}

/// `ReactiveSequence` over the first child and a node of the others.
fn guarded(children: &mut Children<'_>, node: impl FnOnce(&mut Children<'_>) -> Status) -> Status {
    match children.tick(0) {
        Success => node(children),
        other => {
            (1..3).for_each(|index| children.halt(index));
            other
        }
    }
}

/// Returns the visits of a tick in which all leaves succeed.
fn visits(tree: &impl Node<World>) -> String {
    let mut world = World { script: [Some(Success); 3], ..World::default() };
    assert_eq!(tree.tick(&mut world, &mut tree.memory()), Success);
    world.log
}

#[test]
fn sequence_with_memory_is_kept_sequence_if_nothing_is_before_it() {
    same(&tree! { kept_sequence { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |done: &mut usize, children| {
        tick_once(|again| sequence_with_memory(0, done, again, children))
    });
}

#[test]
fn a_condition_before_sequence_with_memory_is_checked_again_between_its_children() {
    let original = |done: &mut usize, children: &mut Children<'_>| {
        tick_once(|again| guarded(children, |children| sequence_with_memory(1, done, again, children)))
    };
    let mut world = World { script: [Some(Success); 3], ..World::default() };
    let mut children = Children { children: &mut Default::default(), world: &mut world };
    assert_eq!(original(&mut 0, &mut children), Success);
    assert_eq!(world.log, "abac");

    assert_eq!(visits(&tree! { sequence { Scripted(0), kept_sequence { Scripted(1), Scripted(2) } } }), "abc");
    let before_each = tree! {
        kept_sequence { sequence { Scripted(0), Scripted(1) } sequence { Scripted(0), Scripted(2) } }
    };
    assert_eq!(visits(&before_each), "abac");
    same_statuses(&before_each, 3, 3, original);
}

#[test]
fn a_condition_before_repeat_is_checked_again_between_runs() {
    let original = |children: &mut Children<'_>| {
        let mut done = 0;
        tick_once(|again| {
            guarded(children, |children| {
                let status = children.tick(1);
                done += u32::from(status == Success);
                *again = status == Success && done < 2;
                if *again { Running } else { status }
            })
        })
    };
    let mut world = World { script: [Some(Success); 3], ..World::default() };
    let mut children = Children { children: &mut Default::default(), world: &mut world };
    assert_eq!(original(&mut children), Success);
    assert_eq!(world.log, "abab");
    assert_eq!(visits(&tree! { sequence { Scripted(0), repeat_while_success(2) { Scripted(1) } } }), "abb");
    assert_eq!(visits(&tree! { repeat_while_success(2) { sequence { Scripted(0), Scripted(1) } } }), "abab");
}

#[test]
fn repeat_and_retry_without_an_end_start_their_child_once_per_tick_here() {
    /// `RepeatNode` and `RetryNode` with -1, below `tickExactlyOnce`.
    fn endless(children: &mut Children<'_>, repeats: Status) -> Status {
        loop {
            let was_idle = !children.children[0].is_open;
            match children.tick(0) {
                status if status == repeats && was_idle => return Running,
                status if status == repeats => {}
                other => return other,
            }
        }
    }
    let repeat = tree! { force_failure { until_failure { Scripted(0) } } };
    same_statuses(&repeat, 1, 5, |(): &mut (), children| endless(children, Success));
    let retry = tree! { until_success { Scripted(0) } };
    same_statuses(&retry, 1, 5, |(): &mut (), children| endless(children, Failure));
    for (tree, status) in [(visits_of(&repeat, Success), Running), (visits_of(&retry, Failure), Running)] {
        assert_eq!(tree, ("a".to_owned(), status));
    }
}

fn visits_of(tree: &impl Node<World>, status: Status) -> (String, Status) {
    let mut world = World { script: [Some(status), None, None], ..World::default() };
    let found = tree.tick(&mut world, &mut tree.memory());
    (world.log, found)
}

#[test]
fn try_catch_is_a_mem_selector() {
    let tree = tree! { mem_selector { mem_sequence { Scripted(0), Scripted(1) } force_failure { Scripted(2) } } };
    same(&tree, 3, 3, |(at, catches): &mut (usize, bool), children| {
        while !*catches {
            match children.tick(*at) {
                Running => return Running,
                Success if *at == 1 => {
                    *at = 0;
                    return Success;
                }
                Success => *at += 1,
                _ => (*at, *catches) = (0, true),
            }
        }
        match children.tick(2) {
            Running => Running,
            _ => {
                *catches = false;
                Failure
            }
        }
    });
}

/// A node with a precondition that is only checked when it is idle.
fn unless(running: &mut bool, children: &mut Children<'_>, end: Status) -> Status {
    if !*running && children.holds(0) {
        return end;
    }
    let status = children.tick(1);
    *running = status == Running;
    status
}

#[test]
fn preconditions_are_mem_if() {
    let skip = tree! { mem_if holds(0) { succeed } else { Scripted(1) } };
    same(&skip, 2, 4, |running, children| unless(running, children, Success));
    let fail = tree! { mem_if holds(0) { fail } else { Scripted(1) } };
    same(&fail, 2, 4, |running, children| unless(running, children, Failure));
    // The node `Precondition`.
    same(&tree! { mem_if holds(0) { Scripted(1) } }, 2, 4, |running: &mut bool, children| {
        if !*running && !children.holds(0) {
            return Failure;
        }
        let status = children.tick(1);
        *running = status == Running;
        status
    });
}

#[test]
fn while_is_an_if_that_succeeds() {
    same(&tree! { if holds(0) { Scripted(1) } else { succeed } }, 2, 4, |(): &mut (), children| {
        if children.holds(0) {
            return children.tick(1);
        }
        children.halt(1);
        Success
    });
}

#[test]
fn postconditions_are_actions_after_the_node() {
    let mark = |world: &mut World| world.log.push('!');
    let tree = tree! { for World: mem_sequence { Scripted(0), mark } };
    same(&tree, 1, 4, |(): &mut (), children| {
        let status = children.tick(0);
        if status == Success {
            children.world.log.push('!');
        }
        status
    });
    let tree = tree! { for World: mem_selector { Scripted(0), force_failure { mark } } };
    same(&tree, 1, 4, |(): &mut (), children| {
        let status = children.tick(0);
        if status == Failure {
            children.world.log.push('!');
        }
        status
    });
}

/// Whether the variable has changed since the last check: its version is the status of the first leaf.
#[condition]
fn updated(world: &World, #[kept] last: &mut Option<u8>) -> bool {
    let version = world.script[0].map(|status| status as u8);
    std::mem::replace(last, version) != version
}

#[test]
fn nodes_that_wait_for_an_update_are_conditions_with_kept_state() {
    /// `EntryUpdatedDecorator::tick`.
    fn decorator((running, last): &mut (bool, Option<u8>), children: &mut Children<'_>, otherwise: Status) -> Status {
        let version = children.world.script[0].map(|status| status as u8);
        if !*running && std::mem::replace(last, version) == version {
            return otherwise;
        }
        let status = children.tick(1);
        *running = status == Running;
        status
    }
    let skip = tree! { mem_if updated { Scripted(1) } else { succeed } };
    same(&skip, 2, 4, |state, children| decorator(state, children, Success));
    let wait = tree! { mem_sequence { wait_until { updated } Scripted(1) } };
    same(&wait, 2, 4, |state, children| decorator(state, children, Running));
}

#[test]
fn a_loop_over_a_queue_is_repeat_while_success() {
    #[derive(Default)]
    struct Robot {
        queue: Vec<u32>,
        goal: u32,
        visited: Vec<u32>,
    }
    fn next(robot: &mut Robot) -> bool {
        robot.queue.pop().map(|goal| robot.goal = goal).is_some()
    }
    fn visit(robot: &mut Robot) -> bool {
        robot.visited.push(robot.goal);
        robot.goal != 7
    }
    let tree = tree! {
        for Robot: repeat_while_success(|robot: &Robot| u32::try_from(robot.queue.len()).unwrap_or(u32::MAX)) {
            mem_sequence { next, visit }
        }
    };
    for (queue, status, visited) in
        [(vec![3, 2, 1], Success, vec![1, 2, 3]), (vec![3, 7, 1], Failure, vec![1, 7]), (vec![], Success, vec![])]
    {
        let mut robot = Robot { queue, ..Robot::default() };
        assert_eq!(tree.tick(&mut robot, &mut tree.memory()), status);
        assert_eq!(robot.visited, visited);
    }
}

#[test]
fn nonblocking_sequence_of_nav2_is_parallel() {
    same(&tree! { parallel { Scripted(0), Scripted(1), Scripted(2) } }, 3, 3, |(): &mut (), children| {
        let mut all = Success;
        for index in 0..3 {
            match children.tick(index) {
                Failure => {
                    (0..3).for_each(|index| children.halt(index));
                    return Failure;
                }
                Running => all = Running,
                _ => {}
            }
        }
        all
    });
}

#[test]
fn single_trigger_of_nav2_is_limit() {
    same(&tree! { limit(1) { Scripted(0) } }, 1, 5, |done: &mut bool, children| {
        if *done {
            return Failure;
        }
        let status = children.tick(0);
        *done = status != Running;
        status
    });
}
