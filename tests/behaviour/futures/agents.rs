//! Agents sleep until a future wakes them.

use std::future::Future;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::task::{Context, Waker};

use bt_core::Status::{Failure, Running, Success};
use bt_core::Wake;
use bt_core::drive::drive;
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_tests::flag::Flag;

use super::{Robot, go, is_hit};

#[test]
fn a_brain_sleeps_until_its_future_wakes_it() {
    let tree = Arc::new(tree! {
        selector { sequence { is_hit, |robot: &mut Robot| robot.hit = false } timeout(secs(9)) { go("dock") } }
    });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!((brain.due(), brain.tick_due(secs(0), &mut robot)), (Wake::At(secs(9) + Duration::from_nanos(1)), None));
    let woken = Arc::new(Flag::default());
    brain.on_wake(woken.clone().into());
    robot.drives[0].send(true);
    assert!(woken.take());
    assert_eq!((brain.due(), brain.tick_due(secs(0), &mut robot)), (Wake::Next, Some(Success)));
    // The next run times out.
    assert_eq!(brain.tick_due(secs(1), &mut robot), Some(Running));
    robot.now = secs(10);
    assert_eq!(brain.tick_due(secs(10), &mut robot), Some(Failure));
    assert!(!robot.drives[1].is_waited_for());
    // A waker works from any thread; that of a clone is another.
    let (waker, mut copy) = (brain.waker(), brain.clone());
    assert_eq!(brain.tick_due(secs(10), &mut robot), Some(Running));
    assert_eq!(copy.tick_due(secs(10), &mut robot), Some(Running));
    std::thread::spawn(move || waker.wake()).join().unwrap();
    assert_eq!(copy.tick_due(secs(10), &mut robot), None);
    assert_eq!(brain.tick_due(secs(10), &mut robot), Some(Running));
}

#[test]
fn the_future_of_a_cleanup_that_a_halt_has_left_wakes_its_agent() {
    let tree = Arc::new(tree! { if is_hit { go("dock") } else { finally { go("shelf"), go("home") } } });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    brain.tick(&mut robot);
    robot.hit = true;
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!(robot.log, ["drive to shelf", "drive to home"]);
    let woken = Arc::new(Flag::default());
    brain.on_wake(woken.clone().into());
    robot.drives[1].send(true);
    assert!(woken.take());
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!(robot.log.last().map(String::as_str), Some("drive to dock"));
}

#[test]
fn a_stopped_loop_sleeps_until_the_future_of_its_cleanup_wakes_it() {
    #[action]
    fn cancel(robot: &mut Robot) -> impl Future<Output = bool> + use<> {
        let (acknowledged, later) = robot.later();
        std::thread::spawn(move || {
            std::thread::sleep(millis(5));
            acknowledged.send(true);
        });
        later
    }

    let tree = tree! { finally { go("shelf"), cancel } };
    let mut robot = Robot::default();
    // With a period of an hour, only the future ends the sleep.
    let mut driver = drive(&tree, &mut robot).every(secs(3600));
    driver.tick_once();
    driver.stop_handle().stop();
    let report = driver.until_end();
    assert!(report.is_stopped && report.time < secs(60));
    assert!(!tree.is_cleaning_up(driver.memory()));
}

#[test]
fn a_herd_sleeps_until_the_future_of_an_agent_wakes_it() {
    let mut herd = Herd::new(tree! { mem_sequence { go("dock"), |robot: &mut Robot| robot.stock += 1 } });
    herd.grow(3);
    let mut robots = [(); 3].map(|()| Robot::default());
    let woken = Arc::new(Flag::default());
    herd.on_wake(woken.clone().into());
    assert_eq!(herd.tick_due(secs(0), &mut robots).total(), 3);
    assert_eq!((herd.tick_due(secs(1), &mut robots).total(), herd.next_due()), (0, Wake::Event));
    robots[1].drives[0].send(true);
    assert_eq!((woken.take(), herd.next_due()), (true, Wake::Next));
    let agents: Vec<_> = herd.ids().collect();
    assert_eq!([herd.due(agents[0]), herd.due(agents[1])], [Some(Wake::Event), Some(Wake::Next)]);
    let counts = herd.tick_due(secs(2), &mut robots);
    assert_eq!((counts.total(), counts.of(Success), robots[1].stock), (1, 1, 1));
    // It has ended, so it starts again, and then sleeps.
    assert_eq!(herd.tick_due(secs(3), &mut robots).total(), 1);
    assert_eq!(herd.par_tick_due(secs(4), &mut robots).total(), 0);
    robots[2].drives[0].send(true);
    assert_eq!(herd.par_tick_due(secs(5), &mut robots).total(), 1);
    assert_eq!(herd.par_tick_due(secs(5), &mut robots).total(), 1);
    robots[2].drives[1].send(true);
    assert_eq!(herd.tick_due(secs(6), &mut robots).of(Success), 1);
    // An agent that was removed is not woken.
    let first = herd.ids().next().unwrap();
    herd.remove(first, &mut robots[0]);
    assert!(!robots[0].drives[0].is_waited_for());
    // The agents of a clone start their futures again.
    let mut copy = herd.clone();
    let drives = robots[1].drives.len();
    assert_eq!(copy.tick_due(secs(7), &mut robots).total(), 2);
    assert_eq!(robots[1].drives.len(), drives + 1);
}

#[test]
fn without_a_waker_a_tree_with_a_future_is_ticked_in_every_tick() {
    let tree = tree! { go("dock") };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    let status = tree.tick(&mut robot, &mut memory);
    assert_eq!(tree.due(status, &memory, &mut robot), Wake::Next);
    let flag = Arc::new(Flag::default());
    let waker = || flag.clone().into();
    let visit = &mut bt_core::protocol::WakeVisit::with_waker(&mut robot, &waker);
    assert_eq!(tree.due_with(status, &memory, visit), Wake::Event);
    robot.drives[0].send(true);
    assert!(flag.take());
    let visit = &mut bt_core::protocol::WakeVisit::with_waker(&mut robot, &waker);
    assert_eq!(tree.due_with(status, &memory, visit), Wake::Next);
}

#[test]
fn a_request_from_another_thread_wakes_a_sleeper() {
    #[action]
    async fn lend(robot: AsyncContext<Robot>, handles: Sender<AsyncContext<Robot>>) {
        handles.send(robot.clone()).unwrap();
        robot.until(|robot| robot.stock > 0).await;
    }
    let (sender, handles) = channel();
    let tree = Arc::new(tree! { selector { is_hit, lend(sender) } });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    while brain.due() == Wake::Next {
        assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    }
    assert_eq!((brain.due(), brain.tick_due(secs(0), &mut robot)), (Wake::Event, None));
    let woken = Arc::new(Flag::default());
    brain.on_wake(woken.clone().into());
    let handle = handles.recv().unwrap();
    let request = std::thread::spawn(move || {
        let mut request = Box::pin(handle.try_with(|robot| robot.stock = 7));
        assert!(request.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        request
    });
    let _request = request.join().unwrap();
    assert!(woken.take(), "the sleep of a loop ends");
    assert_eq!((brain.due(), brain.tick_due(secs(0), &mut robot), robot.stock), (Wake::Next, Some(Success), 7));
}
