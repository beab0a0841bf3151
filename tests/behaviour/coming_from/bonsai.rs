//! The words of bonsai-bt, compared with the crate itself for every sequence of statuses of a few ticks.

use bonsai_bt::Behavior::{
    Action, AlwaysSucceed, If, Invert, Race, Select, Sequence, Timeout, WaitForever, WhenAll, WhenAny, While,
};
use bonsai_bt::{ActionArgs, BT, Behavior, Event, UpdateArgs};
use bt_core::Status::{self, Failure, Running, Success};
use bt_core::prelude::*;

use super::{Scripted, World};

const STATUSES: [Status; 3] = [Success, Failure, Running];

/// Compares a tree with one of bonsai whose actions are the numbers of the leaves. The first `conditions` leaves cannot
/// run. Halts are not compared: bonsai has none.
fn same<N: Node<World>>(tree: &N, theirs: &Behavior<usize>, conditions: usize, used: usize, ticks: u32) {
    let kinds = 3_usize.pow(u32::try_from(used).expect("three leaves"));
    for number in 0..kinds.pow(ticks) {
        let (mut left, mut memory) = (number, tree.memory());
        let mut bonsai = BT::new(theirs.clone(), World::default());
        for tick in 0..ticks {
            let mut script = [None; 3];
            for (index, one) in script.iter_mut().take(used).enumerate() {
                let status = STATUSES[left % 3];
                *one = Some(if index < conditions && status == Running { Success } else { status });
                left /= 3;
            }
            let mut ours = World { script, ..World::default() };
            let found = tree.tick(&mut ours, &mut memory);
            *bonsai.blackboard_mut() = World { script, ..World::default() };
            let event: Event = UpdateArgs { dt: 1.0 }.into();
            let (expected, _) = bonsai.tick(&event, &mut act).expect("it is reset after each end");
            let expected = match expected {
                bonsai_bt::Status::Success => Success,
                bonsai_bt::Status::Failure => Failure,
                bonsai_bt::Status::Running => Running,
            };
            let ours = ours.log.replace(char::is_uppercase, "");
            assert_eq!((found, &ours), (expected, &bonsai.blackboard().log), "case {number}, tick {tick}");
            if expected != Running {
                bonsai.reset_bt();
            }
        }
    }
}

fn act(args: ActionArgs<'_, Event, usize>, world: &mut World) -> (bonsai_bt::Status, f64) {
    world.log.push(char::from(b'a' + u8::try_from(*args.action).expect("three leaves")));
    match world.script[*args.action] {
        Some(Success) | None => (bonsai_bt::Status::Success, args.dt),
        Some(Running) => bonsai_bt::RUNNING,
        Some(_) => (bonsai_bt::Status::Failure, args.dt),
    }
}

fn all() -> Vec<Behavior<usize>> {
    vec![Action(0), Action(1), Action(2)]
}

/// A condition that notes that it was ticked.
fn asks(index: usize) -> impl Fn(&mut World) -> bool + Copy + Send + Sync + 'static {
    move |world| {
        world.log.push(char::from(b'a' + u8::try_from(index).expect("three leaves")));
        world.script[index] != Some(Failure)
    }
}

#[test]
fn sequence_and_select_have_memory() {
    same(&tree! { mem_sequence { Scripted(0), Scripted(1), Scripted(2) } }, &Sequence(all()), 0, 3, 3);
    same(&tree! { mem_selector { Scripted(0), Scripted(1), Scripted(2) } }, &Select(all()), 0, 3, 3);
}

#[test]
fn without_memory_they_are_reactive() {
    same(&tree! { sequence { Scripted(0), Scripted(1), Scripted(2) } }, &Sequence(all()).memory(false), 0, 3, 3);
    same(&tree! { selector { Scripted(0), Scripted(1), Scripted(2) } }, &Select(all()).memory(false), 0, 3, 3);
}

#[test]
fn invert_always_succeed_and_wait_forever() {
    same(&tree! { invert { Scripted(0) } }, &Invert(Box::new(Action(0))), 0, 1, 4);
    same(&tree! { force_success { Scripted(0) } }, &AlwaysSucceed(Box::new(Action(0))), 0, 1, 4);
    same(&tree! { for World: run }, &WaitForever, 0, 1, 2);
}

#[test]
fn if_is_mem_if() {
    let theirs = If(Box::new(Action(0)), Box::new(Action(1)), Box::new(Action(2)));
    let tree = tree! { mem_if asks(0) { Scripted(1) } else { Scripted(2) } };
    same(&tree, &theirs, 1, 3, 3);
}

#[test]
fn when_all_when_any_and_race_are_mem_parallel() {
    same(&tree! { mem_parallel { Scripted(0), Scripted(1), Scripted(2) } }, &WhenAll(all()), 0, 3, 3);
    let any = tree! { mem_parallel(success = one, failure = all) { Scripted(0), Scripted(1), Scripted(2) } };
    same(&any, &WhenAny(all()), 0, 3, 3);
    let race = tree! { mem_parallel(success = one) { Scripted(0), Scripted(1), Scripted(2) } };
    same(&race, &Race(all()), 0, 3, 3);
}

#[test]
fn while_is_a_parallel_with_a_loop_that_starts_once_per_tick() {
    // The body of bonsai starts again within the tick, so it must run for a while: here it never succeeds.
    let theirs = While(Box::new(Action(0)), vec![Action(1)]);
    let tree = tree! { parallel(success = one) { Scripted(0), force_failure { until_failure { Scripted(1) } } } };
    for number in 0..6_usize.pow(4) {
        let (mut left, mut memory) = (number, tree.memory());
        let mut bonsai = BT::new(theirs.clone(), World::default());
        for _ in 0..4 {
            let script = [Some(STATUSES[left % 3]), Some(STATUSES[1 + left / 3 % 2]), None];
            left /= 6;
            let mut ours = World { script, ..World::default() };
            let found = tree.tick(&mut ours, &mut memory);
            *bonsai.blackboard_mut() = World { script, ..World::default() };
            let (expected, _) = bonsai.tick(&UpdateArgs { dt: 1.0 }.into(), &mut act).expect("it is reset");
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "case {number}");
            assert_eq!(ours.log.replace(char::is_uppercase, ""), bonsai.blackboard().log, "case {number}");
            if found != Running {
                bonsai.reset_bt();
            }
        }
    }
}

#[test]
fn timeout_of_bonsai_ticks_its_child_first_and_counts_the_first_tick() {
    // After two ticks of one second, the child that still runs is given up; ours counts from the first tick on.
    let mut bonsai = BT::new(Timeout(2.0, Box::new(Action(0))), World::default());
    let mut world = World { script: [Some(Running), None, None], ..World::default() };
    let tree = tree! { timeout(secs(2)) { Scripted(0) } };
    let mut memory = tree.memory();
    let statuses = [1, 2, 3, 4].map(|second| {
        world.now = secs(second);
        bonsai.blackboard_mut().script = world.script;
        let theirs = bonsai.tick(&UpdateArgs { dt: 1.0 }.into(), &mut act).map(|(status, _)| status);
        (tree.tick(&mut world, &mut memory), theirs)
    });
    let (fails, runs) = (Some(bonsai_bt::Status::Failure), Some(bonsai_bt::Status::Running));
    assert_eq!(statuses, [(Running, runs), (Running, fails), (Running, None), (Failure, None)]);
}
