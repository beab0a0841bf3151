//! Driving loops under the paused time of tokio: each tick is at an exact time.

use std::sync::{Arc, Mutex};

use bt_core::Status::{Running, Success};
use bt_core::drive::{AsyncDriver, drive_async};
use bt_core::prelude::*;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// The milliseconds at which the robot was ticked, and those at which it was halted.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<(Vec<u128>, Vec<u128>)>>);

struct Robot {
    start: Instant,
    log: Log,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Robot {
    fn new() -> Self {
        Self { start: Instant::now(), log: Log::default() }
    }
}

impl Log {
    fn take(&self) -> (Vec<u128>, Vec<u128>) {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Succeeds in the fifth tick.
struct Work;

#[leaf]
impl Leaf<Robot> for Work {
    type Open = u32;

    fn open(&self, _: &mut Robot) -> u32 {
        5
    }

    fn tick(&self, left: &mut u32, robot: &mut Robot) -> Status {
        robot.log.0.lock().unwrap().0.push(robot.now().as_millis());
        *left -= 1;
        if *left == 0 { Success } else { Running }
    }

    fn close(&self, _: &mut u32, robot: &mut Robot, end: End) {
        if matches!(end, End::Halted(_)) {
            robot.log.0.lock().unwrap().1.push(robot.now().as_millis());
        }
    }
}

fn timed<'c, N: Node<Robot>>(
    tree: &'c N,
    robot: &'c mut Robot,
) -> AsyncDriver<'c, N, Robot, impl Fn() -> Duration, fn(Duration) -> Sleep> {
    let start = robot.start;
    drive_async(tree, robot, move || start.elapsed(), sleep)
}

/// Runs a future in a runtime whose time passes only while all tasks sleep.
fn paused(future: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(future);
}

#[test]
fn ticks_are_at_exact_times() {
    paused(async {
        let (tree, mut robot) = (tree! { for Robot: Work }, Robot::new());
        let report = timed(&tree, &mut robot).every(millis(50)).until_end().await;
        assert_eq!(robot.log.take(), (vec![0, 50, 100, 150, 200], vec![]));
        assert_eq!((report.status, report.ticks, report.time), (Some(Success), 5, millis(200)));
        assert_eq!((report.longest, robot.now()), (secs(0), millis(200)));
    });
}

#[test]
fn a_tree_is_ticked_exactly_when_it_is_due() {
    paused(async {
        let (tree, mut robot) = (tree! { for Robot: mem_sequence { wait(secs(3)), Work } }, Robot::new());
        let report = timed(&tree, &mut robot).every(millis(500)).when_due().until_end().await;
        assert_eq!(robot.log.take(), (vec![3000, 3500, 4000, 4500, 5000], vec![]));
        assert_eq!((report.ticks, report.saved), (6, 5));
    });
}

#[test]
fn a_loop_is_canceled_or_stopped_at_an_exact_time() {
    paused(async {
        // A timeout around the loop; it continues until the driver is dropped.
        let (tree, mut robot) = (tree! { for Robot: Work }, Robot::new());
        let log = robot.log.clone();
        let mut driver = timed(&tree, &mut robot).every(millis(10));
        assert!(timeout(millis(33), driver.until_stopped()).await.is_err());
        drop(driver);
        assert_eq!(log.take(), (vec![0, 10, 20, 30], vec![33]));

        // A task that is aborted.
        let task = tokio::spawn(async {
            let (tree, mut robot) = (tree! { for Robot: Work }, Robot { start: Instant::now(), log });
            timed(&tree, &mut robot).every(millis(10)).until_stopped().await
        });
        let log = robot.log.clone();
        sleep(millis(33)).await;
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
        assert_eq!(log.take(), (vec![0, 10, 20, 30], vec![33]));

        // A stop.
        let (tree, mut robot) = (tree! { for Robot: Work }, Robot::new());
        let mut driver = timed(&tree, &mut robot).every(millis(10));
        let stop = driver.stop_handle();
        let stopper = tokio::spawn(async move {
            sleep(millis(33)).await;
            stop.stop();
        });
        let report = driver.until_stopped().await;
        assert_eq!((report.is_stopped, report.ticks, report.time), (true, 4, millis(33)));
        drop(driver);
        assert_eq!(robot.log.take(), (vec![0, 10, 20, 30], vec![33]));
        stopper.await.unwrap();
    });
}
