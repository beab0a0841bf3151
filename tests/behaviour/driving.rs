//! Loops that tick a tree at a rate, when it is due, until it ends or is stopped.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bt_core::Status::{Failure, Running, Success};
use bt_core::drive::{AsyncDriver, AsyncTime, DriveReport, Driver, MissedTicks, StopHandle, drive, drive_async};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_tests::flag::Flag;

/// A clock that only the sleep of a loop advances, and the work of a tick.
#[derive(Clone, Default)]
struct Time {
    now: Arc<AtomicU64>,
    /// When the last sleep ends.
    timer: Arc<Mutex<Option<Duration>>>,
}

impl Time {
    fn now(&self) -> Duration {
        millis(self.now.load(Ordering::Relaxed))
    }

    fn pass(&self, time: Duration) {
        self.now.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::Relaxed);
    }

    fn sleep(&self, wanted: Duration) -> Sleep {
        let end = self.now() + wanted;
        *self.timer.lock().unwrap() = Some(end);
        Sleep { time: self.clone(), end }
    }
}

struct Sleep {
    time: Time,
    end: Duration,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.time.now() >= self.end { Poll::Ready(()) } else { Poll::Pending }
    }
}

struct Robot {
    time: Time,
    /// How long the next ticks take.
    takes: Vec<u64>,
    /// When it was ticked.
    ticks: Vec<u128>,
    halts: u32,
    is_hit: bool,
    drive: Arc<Mutex<(bool, Option<Waker>)>>,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.time.now()
    }
}

impl Robot {
    fn new(takes: &[u64]) -> Self {
        let takes = takes.iter().rev().copied().collect();
        Self { time: Time::default(), takes, ticks: vec![], halts: 0, is_hit: false, drive: Arc::default() }
    }
}

/// Succeeds in the tick after the last one that takes a time.
struct Work;

#[leaf]
impl Leaf<Robot> for Work {
    type Open = ();

    fn tick(&self, (): &mut (), robot: &mut Robot) -> Status {
        robot.ticks.push(robot.now().as_millis());
        match robot.takes.pop() {
            Some(takes) => {
                robot.time.pass(millis(takes));
                Running
            }
            None => Success,
        }
    }

    fn close(&self, (): &mut (), robot: &mut Robot, end: End) {
        robot.halts += u32::from(matches!(end, End::Halted(_)));
    }
}

#[action]
fn go(robot: &mut Robot) -> impl Future<Output = ()> {
    let drive = robot.drive.clone();
    std::future::poll_fn(move |cx| {
        let mut drive = drive.lock().unwrap();
        drive.1 = Some(cx.waker().clone());
        if drive.0 { Poll::Ready(()) } else { Poll::Pending }
    })
}

/// A loop by the time of its robot.
fn timed<'c, N: Node<Robot>>(
    tree: &'c N,
    robot: &'c mut Robot,
) -> AsyncDriver<'c, N, Robot, impl Fn() -> Duration, impl FnMut(Duration) -> Sleep> {
    let (clock, timer) = (robot.time.clone(), robot.time.clone());
    drive_async(tree, robot, move || clock.now(), move |time| timer.sleep(time))
}

/// Runs a loop to its end. Its sleeps advance the time; `events` happen at their times.
fn run<N: Node<Robot>, B: FnMut(&mut Robot)>(
    mut driver: Driver<'_, N, Robot, (), B, AsyncTime<impl Fn() -> Duration, impl FnMut(Duration) -> Sleep>>,
    time: &Time,
    events: &[(u64, &dyn Fn())],
) -> DriveReport {
    let mut left = events.iter().peekable();
    let mut future = pin!(driver.until_end());
    let yielded = Arc::new(Flag::default());
    let waker = Waker::from(yielded.clone());
    loop {
        *time.timer.lock().unwrap() = None;
        if let Poll::Ready(report) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return report;
        }
        if yielded.take() {
            continue;
        }
        let timer = *time.timer.lock().unwrap();
        let event = left.next_if(|(at, _)| timer.is_none_or(|timer| millis(*at) < timer));
        match (event, timer) {
            (Some((at, event)), _) => {
                time.pass(millis(*at).saturating_sub(time.now()));
                event();
            }
            (None, Some(timer)) => time.pass(timer.saturating_sub(time.now())),
            (None, None) => panic!("the loop sleeps forever"),
        }
    }
}

#[test]
fn ticks_begin_at_multiples_of_the_period() {
    let tree = tree! { for Robot: Work };
    let mut robot = Robot::new(&[1, 9, 0]);
    let time = robot.time.clone();
    let report = run(timed(&tree, &mut robot).every(millis(10)), &time, &[]);
    assert_eq!(robot.ticks, [0, 10, 20, 30]);
    assert_eq!(
        report,
        DriveReport { status: Some(Success), ticks: 4, longest: millis(9), time: millis(30), ..DriveReport::default() }
    );
    assert_eq!(report.to_string(), "Success after 4 ticks in 30.0ms (longest 9.0ms)");
}

#[test]
fn a_late_tick_skips_others_or_they_are_caught_up_or_delayed() {
    for (missed, times, counts) in [
        (MissedTicks::Skip, [0, 40, 50, 60], (1, 3)),
        (MissedTicks::Burst, [0, 35, 36, 37], (3, 0)),
        (MissedTicks::Delay, [0, 45, 55, 65], (1, 0)),
    ] {
        let tree = tree! { for Robot: Work };
        let mut robot = Robot::new(&[35, 1, 1]);
        let time = robot.time.clone();
        let report = run(timed(&tree, &mut robot).every(millis(10)).missed_ticks(missed), &time, &[]);
        assert_eq!((robot.ticks, (report.overruns, report.skipped)), (times.to_vec(), counts), "{missed:?}");
    }
}

#[test]
fn a_future_ends_the_sleep_before_the_period_is_over() {
    let tree = tree! { for Robot: mem_sequence { go, Work } };
    let mut robot = Robot::new(&[0]);
    let (time, drive_state) = (robot.time.clone(), robot.drive.clone());
    let arrive = || {
        let mut drive = drive_state.lock().unwrap();
        drive.0 = true;
        drive.1.take().unwrap().wake();
    };
    let report = run(timed(&tree, &mut robot).every(secs(1)), &time, &[(2300, &arrive)]);
    // At 0, 1 and 2 s, at the event, and then at the rate again.
    assert_eq!((robot.ticks, report.ticks, report.early), (vec![2300, 3000], 5, 1));
}

#[test]
fn a_tree_can_be_ticked_only_when_it_is_due() {
    #[condition(event)]
    fn is_hit(robot: &Robot) -> bool {
        robot.is_hit
    }
    let tree = tree! { for Robot: selector { sequence { is_hit, Work } mem_sequence { wait(millis(95)), Work } } };
    let mut robot = Robot::new(&[]);
    let time = robot.time.clone();
    let report = run(timed(&tree, &mut robot).every(millis(10)).when_due(), &time, &[]);
    assert_eq!((robot.ticks, report.ticks, report.saved), (vec![100], 2, 9));

    // An event in between: the ticks at 10 to 40 ms are saved.
    let mut robot = Robot::new(&[]);
    let time = robot.time.clone();
    let driver = timed(&tree, &mut robot).every(millis(10)).when_due();
    let waker = driver.waker();
    let report = run(
        driver.before_tick(|robot| robot.is_hit = robot.now() > millis(40)),
        &time,
        &[(45, &|| {
            waker.wake_by_ref();
        })],
    );
    assert_eq!((robot.ticks, report.ticks, report.saved, report.early), (vec![45], 2, 4, 1));

    // Until an event.
    let tree = tree! { for Robot: mem_sequence { go, Work } };
    let mut robot = Robot::new(&[]);
    let (time, drive_state) = (robot.time.clone(), robot.drive.clone());
    let arrive = || {
        let mut drive = drive_state.lock().unwrap();
        drive.0 = true;
        drive.1.take().unwrap().wake();
    };
    let report = run(timed(&tree, &mut robot).every(millis(10)).when_due(), &time, &[(1000, &arrive)]);
    assert_eq!((robot.ticks, report.ticks, report.saved), (vec![1000], 2, 100));
}

/// A context whose clock is a little late.
struct Late(Time, u32);

impl Clock for Late {
    fn now(&self) -> Duration {
        self.0.now().saturating_sub(millis(1))
    }
}

#[test]
fn a_clock_that_is_a_little_late_does_not_postpone_a_due_tick() {
    let late = tree! { for Late: mem_sequence { |late: &mut Late| late.1 += 1, wait(millis(99)) } };
    let (time, clock) = (Time::default(), Time::default());
    let mut ctx = Late(clock.clone(), 0);
    let sleep = |wanted: Duration| {
        time.pass(wanted);
        clock.pass(wanted);
        std::future::ready(())
    };
    let mut driver = drive_async(&late, &mut ctx, || time.now(), sleep).every(millis(10)).when_due();
    let mut future = pin!(driver.until_end());
    let report = loop {
        if let Poll::Ready(report) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break report;
        }
    };
    assert_eq!((report.status, report.ticks, report.time), (Some(Success), 2, millis(100)));
}

#[test]
fn a_stopped_loop_halts_the_tree() {
    let tree = tree! { for Robot: Work };
    let mut robot = Robot::new(&[0; 100]);
    let time = robot.time.clone();
    let driver = timed(&tree, &mut robot).every(millis(10));
    let stop: StopHandle = driver.stop_handle();
    let report = run(driver, &time, &[(25, &|| stop.stop())]);
    assert_eq!((&robot.ticks[..], robot.halts, report.is_stopped), (&[0, 10, 20][..], 1, true));
    assert_eq!(report.to_string(), "stopped after 3 ticks in 25.0ms (longest 0.0ns)");
    // At once, and not only when the driver is dropped.
    let mut driver = drive(&tree, &mut robot);
    assert_eq!(driver.tick_once(), Running);
    driver.stop_handle().stop();
    assert!(driver.until_stopped().is_stopped && !driver.memory().is_running());
    assert_eq!(driver.ctx().halts, 2);
    drop(driver);
    // A loop that is stopped before it begins does not tick.
    let mut driver = drive(&tree, &mut robot);
    driver.stop_handle().stop();
    assert_eq!((driver.until_end().status, driver.until_stopped().ticks), (None, 0));
}

#[test]
fn a_driver_that_is_dropped_halts_the_tree() {
    let tree = tree! { for Robot: Work };
    let mut robot = Robot::new(&[0; 100]);
    {
        let mut driver = timed(&tree, &mut robot).every(millis(1));
        assert_eq!((driver.tick_once(), driver.memory().is_running()), (Running, true));
        let mut future = pin!(driver.until_end());
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(robot.halts, 1);
}

#[test]
fn a_thread_is_blocked_between_ticks() {
    let tree = tree! { for Robot: mem_sequence { go, Work } };
    let mut robot = Robot::new(&[0, 0]);
    let drive_state = robot.drive.clone();
    let mut driver = drive(&tree, &mut robot).every(secs(3600));
    driver.tick_once();
    std::thread::spawn(move || {
        let mut drive = drive_state.lock().unwrap();
        drive.0 = true;
        drive.1.take().unwrap().wake();
    });
    let mut events = 0;
    let waker = driver.waker();
    let stop = driver.stop_handle();
    let mut driver = driver.before_tick(|_| {
        events += 1;
        if events < 3 { waker.wake_by_ref() } else { stop.stop() }
    });
    let report = driver.until_stopped();
    assert!(report.is_stopped && report.early == 3, "{report}");
}

#[test]
fn a_tree_that_ends_starts_again_until_the_loop_is_stopped() {
    let tree = tree! { for Robot: Work };
    let mut robot = Robot::new(&[]);
    let driver = drive(&tree, &mut robot).every(Duration::ZERO);
    let stop = driver.stop_handle();
    let mut driver = driver.before_tick(move |robot| {
        if robot.ticks.len() == 4 {
            stop.stop();
        }
    });
    let report = driver.until_stopped();
    assert_eq!((report.ticks, report.status), (5, Some(Success)));
}

#[test]
fn a_loop_continues_with_a_memory_and_reports_to_an_observer() {
    let tree = tree! { for Robot: mem_sequence { |robot: &mut Robot| robot.is_hit = true, Work, fail } };
    let mut robot = Robot::new(&[0]);
    let mut memory = tree.memory();
    tree.tick(&mut robot, &mut memory);
    robot.is_hit = false;
    let mut statuses = Statuses::default();
    let report = drive(&tree, &mut robot).with_memory(memory).every(millis(1)).observe(&mut statuses).until_end();
    assert_eq!((report.status, report.ticks, robot.is_hit), (Some(Failure), 1, false));
    assert!(statuses.last(NodeId::ROOT).is_some());
}

#[test]
fn a_loop_can_be_a_task_of_a_runtime() {
    fn spawn<T: Future + Send + 'static>(task: T) -> T {
        task
    }
    let task = spawn(async {
        let tree = tree! { for Robot: go };
        timed(&tree, &mut Robot::new(&[])).every(millis(1)).until_end().await
    });
    let waker = Arc::new(Count);
    let mut task = pin!(task);
    assert!(task.as_mut().poll(&mut Context::from_waker(&waker.clone().into())).is_pending());
}

struct Count;

impl std::task::Wake for Count {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {}
}

/// A future that its own poll wakes: from this thread, or from another.
struct WokenByPoll {
    is_polled: bool,
    by_thread: bool,
}

impl Future for WokenByPoll {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.is_polled, true) {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        if self.by_thread {
            std::thread::spawn(|| waker.wake()).join().unwrap();
        } else {
            waker.wake();
        }
        Poll::Pending
    }
}

#[test]
fn an_event_in_a_tick_causes_the_next_one_at_once_but_a_future_that_wakes_itself_waits_for_it() {
    let mut robot = Robot::new(&[]);
    let time = robot.time.clone();
    let tree = tree! { for Robot: |_: &mut Robot| WokenByPoll { is_polled: false, by_thread: true } };
    let report = run(timed(&tree, &mut robot).every(secs(1)), &time, &[]);
    assert_eq!((report.ticks, report.early, report.time), (2, 1, secs(0)));

    let tree = tree! { for Robot: |_: &mut Robot| WokenByPoll { is_polled: false, by_thread: false } };
    for when_due in [false, true] {
        let sleep = |wanted| {
            time.pass(wanted);
            std::future::ready(())
        };
        let driver = drive_async(&tree, &mut robot, || time.now(), sleep).every(secs(1));
        let mut driver = if when_due { driver.when_due() } else { driver };
        assert_eq!(driver.tick_once(), Running);
        assert_eq!(driver.report().early, 0);
        let mut future = pin!(driver.until_end());
        let report = loop {
            if let Poll::Ready(report) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                break report;
            }
        };
        assert_eq!((report.ticks, report.early, report.time), (2, 0, secs(1)));
    }
    // An action of the same tree is another.
    let tree = tree! {
        for Robot: mem_parallel {
            go,
            |robot: &mut Robot| {
                let mut drive = robot.drive.lock().unwrap();
                drive.0 = true;
                drive.1.take().unwrap().wake();
            },
        }
    };
    let report = run(timed(&tree, &mut robot).every(secs(1)), &time, &[]);
    assert_eq!((report.ticks, report.early), (2, 1));
}

#[test]
fn an_asynchronous_loop_lets_other_tasks_run_after_each_tick() {
    let tree = tree! { for Robot: Work };
    let mut robot = Robot::new(&[0; 10]);
    let mut driver = timed(&tree, &mut robot).every(Duration::ZERO);
    let mut future = pin!(driver.until_end());
    let mut polls = 1;
    while future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        polls += 1;
    }
    assert_eq!(polls, 11);
}

#[test]
fn with_a_period_of_zero_a_loop_sleeps_until_it_is_due() {
    let tree = tree! { for Robot: mem_sequence { wait(millis(95)), Work } };
    let mut robot = Robot::new(&[]);
    let time = robot.time.clone();
    let report = run(timed(&tree, &mut robot).every(Duration::ZERO).when_due(), &time, &[]);
    assert_eq!((robot.ticks, report.ticks), (vec![95], 2));
}

fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn a_pause_between_two_loops_misses_no_ticks() {
    for missed in [MissedTicks::Skip, MissedTicks::Burst] {
        let tree = tree! { for Robot: Work };
        let mut robot = Robot::new(&[]);
        let time = robot.time.clone();
        let mut driver = timed(&tree, &mut robot).every(millis(10)).missed_ticks(missed);
        at_once(driver.until_end());
        time.pass(millis(300));
        let report = at_once(driver.until_end());
        assert_eq!((report.ticks, report.overruns, report.skipped), (2, 0, 0));
        driver.ctx().takes.push(0);
        assert_eq!(driver.tick_once(), Running);
        driver.halt();
        assert_eq!(driver.report().time, millis(300));
        drop(driver);
        assert_eq!(robot.halts, 1);
    }
}

#[test]
fn a_loop_tells_the_running_leaves_of_a_pause() {
    struct Still;

    #[leaf]
    impl Leaf<Robot> for Still {
        fn tick(&self, (): &mut (), _: &mut Robot) -> Status {
            Running
        }

        fn pause(&self, (): &mut (), robot: &mut Robot) {
            robot.takes.push(1);
        }

        fn unpause(&self, (): &mut (), robot: &mut Robot) {
            robot.takes.push(2);
        }
    }

    let tree = tree! { for Robot: sequence { Still } };
    let mut robot = Robot::new(&[]);
    let mut driver = timed(&tree, &mut robot).every(millis(10));
    assert_eq!(driver.tick_once(), Running);
    driver.pause();
    driver.unpause();
    assert_eq!(driver.ctx().takes, [1, 2]);
    assert_eq!(driver.tick_once(), Running);
}

#[test]
fn an_observer_receives_the_time_of_the_loop() {
    let tree = tree! { for Robot: Work };
    let mut robot = Robot::new(&[5, 5]);
    let time = robot.time.clone();
    let mut lines = vec![];
    let mut log =
        bt_core::observe::ChangeLog::new(&tree, |change| lines.push((change.tick.now, change.to.to_string())));
    let mut driver = timed(&tree, &mut robot).every(millis(10)).observe(&mut log);
    driver.tick_once();
    time.pass(millis(5));
    driver.tick_once();
    time.pass(millis(5));
    driver.halt();
    drop(driver);
    assert_eq!(lines, [(millis(0), "Running".to_owned()), (millis(20), "Halted".to_owned())]);
}

#[test]
fn whoever_changes_the_context_between_two_loops_makes_the_tree_due() {
    #[condition(event)]
    fn is_hit(robot: &Robot) -> bool {
        robot.is_hit
    }
    let tree = tree! { for Robot: selector { is_hit, (bt_core::prelude::run()) } };
    let mut robot = Robot::new(&[]);
    let time = robot.time.clone();
    let sleep = |wanted| {
        time.pass(wanted);
        std::future::ready(())
    };
    let mut driver = drive_async(&tree, &mut robot, || time.now(), sleep).every(millis(10)).when_due();
    assert_eq!(driver.tick_once(), Running);
    driver.ctx().is_hit = true;
    // Without that, it would wait for an event.
    let mut future = pin!(driver.until_end());
    let polled = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(polled, Poll::Ready(DriveReport { status: Some(Success), ticks: 2, .. })), "{polled:?}");
}
