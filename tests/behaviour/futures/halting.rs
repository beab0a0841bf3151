//! Halting drops the future.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll, Waker};

use bt_core::Status::{Error, Running, Success};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;

use super::{Robot, fetch, is_hit};

#[test]
fn halting_drops_the_future_at_each_await_point() {
    let tree = tree! {
        selector { sequence { is_hit, |robot: &mut Robot| robot.log.push("hurt".into()) } fetch("shelf".to_owned()) }
    };
    // The awaits: the drive to the shelf, and the drive home.
    for point in 0..2 {
        for is_halted_from_outside in [false, true] {
            let (mut robot, mut memory) = (Robot::default(), tree.memory());
            assert_eq!(tree.tick(&mut robot, &mut memory), Running);
            for arrived in 0..point {
                robot.drives[arrived].send(true);
                assert_eq!(tree.tick(&mut robot, &mut memory), Running);
            }
            assert!(robot.drives[point].is_waited_for());
            if is_halted_from_outside {
                tree.halt(&mut robot, &mut memory);
            } else {
                robot.hit = true;
                assert_eq!(tree.tick(&mut robot, &mut memory), Success);
            }
            assert!(!robot.drives[point].is_waited_for(), "await {point}");
            // Its result comes too late.
            robot.drives[point].send(true);
            robot.hit = false;
            let drives = robot.drives.len();
            assert_eq!(tree.tick(&mut robot, &mut memory), Running);
            assert_eq!((robot.drives.len(), robot.stock), (drives + 1, u32::try_from(point).unwrap()));
        }
    }
}

/// Notes when the future that holds it is dropped.
struct Guard(Arc<AtomicUsize>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Clone)]
struct Drops(Arc<AtomicUsize>);

/// Has an await of each kind, and notes after which it is.
#[action]
async fn steps(robot: AsyncContext<Robot>, drops: Drops) {
    let _guard = Guard(drops.0);
    let note = |step: u32| robot.with(move |robot| robot.log.push(step.to_string()));
    note(1).await;
    robot.next_tick().await;
    note(2).await;
    robot.wait(secs(1)).await;
    note(3).await;
    let drive = robot.with(|robot| robot.drive("dock")).await;
    drive.await;
    note(4).await;
    for _ in 0..130 {
        robot.with(|_| ()).await;
    }
    note(5).await;
    std::future::pending::<()>().await;
}

fn break_if_hit(robot: &mut Robot) -> Status {
    if robot.hit { Error } else { Running }
}

/// Halts an action by a tick.
type Halt<'a> = &'a dyn Fn(&mut Robot, &mut dyn FnMut(&mut Robot));
/// Checks one way to halt an action.
type Check<'a> = &'a mut dyn FnMut(Halt<'_>, Brain<Robot>, &Drops);

/// Ways to halt an action: the tree, and what halts the action in a tick.
fn each_way(halts: Check<'_>) {
    let drops = || Drops(Arc::default());
    let hit: Halt<'_> = &|robot, tick| {
        robot.hit = true;
        tick(robot);
    };
    macro_rules! ways {
        ($($drops:ident: $tree:expr;)+) => {$(
            let $drops = drops();
            let tree = Arc::new($tree);
            halts(hit, Brain::new(&tree), &$drops);
        )+};
    }
    ways! {
        a: tree! { selector { sequence { is_hit, succeed } steps(a.clone()) } };
        b: tree! { parallel(failure = one) { !is_hit, steps(b.clone()) } };
        c: tree! { machine { state work { steps(c.clone()), is_hit -> rest } state rest { run, !is_hit -> work } } };
        d: tree! { mem_parallel(success = one) { break_if_hit, steps(d.clone()) } };
        e: tree! { sequence { !is_hit, retry(3) { timeout(secs(100)) { steps(e.clone()) } } } };
    }
    let late = drops();
    let tree = Arc::new(tree! { timeout(secs(50)) { steps(late.clone()) } });
    halts(
        &|robot, tick| {
            robot.now += secs(100);
            tick(robot);
        },
        Brain::new(&tree),
        &late,
    );
}

#[test]
fn each_way_of_halting_cancels_an_action_at_each_of_its_awaits() {
    // The log after so many ticks, and the ticks in which a drive ends or a second has passed.
    for (ticks, log) in [(1, 1), (2, 2), (3, 4), (4, 5), (5, 6), (6, 6)] {
        each_way(&mut |halt, mut brain, drops| {
            let mut robot = Robot::default();
            for tick in 0..ticks {
                if tick == 2 {
                    robot.now += secs(1);
                }
                if tick == 3 {
                    robot.drives[0].send(true);
                }
                assert_eq!(brain.tick(&mut robot), Running);
            }
            assert_eq!((robot.log.len(), drops.0.load(Ordering::Relaxed)), (log, 0), "{:?}", robot.log);
            halt(&mut robot, &mut |robot| {
                brain.tick(robot);
            });
            assert_eq!((robot.log.len(), drops.0.load(Ordering::Relaxed)), (log, 1), "after {ticks} ticks");
            for drive in &robot.drives {
                assert!(!drive.is_waited_for());
                drive.send(true);
            }
            // It does not continue.
            robot.hit = false;
            let before = robot.log.clone();
            brain.tick(&mut robot);
            assert_eq!(robot.log[before.len()..], ["1"]);
            brain.halt(&mut robot);
        });
    }
}

#[test]
fn a_request_to_the_context_is_not_answered_after_a_halt() {
    #[action]
    async fn work(robot: AsyncContext<Robot>, handles: Handles) {
        handles.0.send(robot.clone()).unwrap();
        pending::<()>().await;
    }
    #[derive(Clone)]
    struct Handles(Sender<AsyncContext<Robot>>);

    let (sender, handles): (_, Receiver<AsyncContext<Robot>>) = channel();
    let tree = tree! { work(Handles(sender)) };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    let handle = handles.recv().unwrap();
    let mut cx = Context::from_waker(Waker::noop());

    // From outside of the action, a request is answered in the next tick.
    let mut first = Box::pin(handle.try_with(|robot| robot.stock += 1));
    assert!(first.as_mut().poll(&mut cx).is_pending());
    // One that is dropped before is not.
    let mut dropped = Box::pin(handle.with(|robot| robot.stock += 10));
    assert!(dropped.as_mut().poll(&mut cx).is_pending());
    drop(dropped);
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    assert_eq!((robot.stock, first.as_mut().poll(&mut cx)), (1, Poll::Ready(Some(()))));

    // One that waits when the action ends, and one that comes after it, have no answer.
    let mut last = Box::pin(handle.try_with(|robot| robot.stock += 1));
    assert!(last.as_mut().poll(&mut cx).is_pending());
    tree.halt(&mut robot, &mut memory);
    assert_eq!(last.as_mut().poll(&mut cx), Poll::Ready(None));
    assert_eq!(Box::pin(handle.try_with(|robot| robot.stock)).as_mut().poll(&mut cx), Poll::Ready(None));
    assert!(Box::pin(handle.with(|robot| robot.stock)).as_mut().poll(&mut cx).is_pending());
    tree.tick(&mut robot, &mut memory);
    assert_eq!(robot.stock, 1);
}
