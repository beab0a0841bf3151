//! Asynchronous actions: futures that ticks poll.

use std::future::{Future, pending, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{Shift, Wake};
use bt_dynamic::Registry;

/// A future whose output comes from outside.
struct Later<T>(Arc<Mutex<(Option<T>, Option<Waker>)>>, Arc<AtomicUsize>);

/// The outside of it.
struct Done<T>(Arc<Mutex<(Option<T>, Option<Waker>)>>);

impl<T> Future for Later<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let mut inner = self.0.lock().unwrap();
        inner.1 = Some(cx.waker().clone());
        inner.0.take().map_or(Poll::Pending, Poll::Ready)
    }
}

impl<T> Done<T> {
    fn send(&self, value: T) {
        let waker = {
            let mut inner = self.0.lock().unwrap();
            inner.0 = Some(value);
            inner.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether the future still exists.
    fn is_waited_for(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

#[derive(Default)]
struct Robot {
    now: Duration,
    hit: bool,
    log: Vec<String>,
    errors: Vec<String>,
    /// The drives that were started, oldest first.
    drives: Vec<Done<bool>>,
    polls: Arc<AtomicUsize>,
    stock: u32,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.now
    }
}

impl OnError<String> for Robot {
    fn on_error(&mut self, _: NodeId, error: String) {
        self.errors.push(error);
    }
}

impl Robot {
    fn later<T>(&self) -> (Done<T>, Later<T>) {
        let inner = Arc::new(Mutex::new((None, None)));
        (Done(inner.clone()), Later(inner, self.polls.clone()))
    }

    fn drive(&mut self, goal: &str) -> Later<bool> {
        self.log.push(format!("drive to {goal}"));
        let (done, later) = self.later();
        self.drives.push(done);
        later
    }

    fn polls(&self) -> usize {
        self.polls.load(Ordering::Relaxed)
    }
}

#[action]
fn go(robot: &mut Robot, goal: &'static str) -> impl Future<Output = bool> {
    robot.drive(goal)
}

#[action]
async fn fetch(robot: AsyncContext<Robot>, goal: String) -> bool {
    let text = goal.clone();
    let drive = robot.with(move |robot| robot.drive(&text)).await;
    if !drive.await {
        return false;
    }
    robot.with(|robot| robot.stock += 1).await;
    let drive = robot.with(move |robot| robot.drive("home")).await;
    drive.await
}

#[condition(event)]
fn is_hit(robot: &Robot) -> bool {
    robot.hit
}

#[test]
fn a_future_is_polled_by_ticks_when_it_was_woken() {
    let tree = tree! { go("dock") };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    for _ in 0..3 {
        assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    }
    assert_eq!((robot.log.len(), robot.polls()), (1, 1));
    robot.drives[0].send(true);
    assert_eq!(tree.tick(&mut robot, &mut memory), Success);
    assert_eq!((robot.polls(), memory.is_running()), (2, false));
    // The next run is another future.
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    robot.drives[1].send(false);
    assert_eq!(tree.tick(&mut robot, &mut memory), Failure);
}

#[test]
fn the_state_of_a_future_is_a_pointer() {
    fn open<N: NodeShape>(_: &N) -> usize {
        size_of::<N::Open>()
    }
    #[action]
    fn again(_: &mut Robot) -> impl Future<Output = Status> {
        ready(Running)
    }
    assert_eq!(open(&go("dock")), 8);
    assert_eq!(open(&fetch(String::new())), 8);
    assert_eq!(open(&again()), 16);
}

#[test]
fn a_future_that_is_ready_ends_in_the_tick_that_starts_it() {
    #[action]
    fn now(_: &mut Robot) -> impl Future<Output = bool> {
        ready(true)
    }
    #[action]
    async fn at_once() {}
    let tree = tree! { for Robot: mem_sequence { now, at_once } };
    assert_eq!(tree.tick(&mut Robot::default(), &mut tree.memory()), Success);
}

#[test]
fn halting_drops_the_future_at_each_await_point() {
    let tree = tree! {
        selector {
            sequence { is_hit, |robot: &mut Robot| robot.log.push("hurt".into()) }
            fetch("shelf".to_owned())
        }
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

#[test]
fn the_output_maps_like_that_of_any_action() {
    #[action]
    fn fails(_: &mut Robot) -> impl Future<Output = Result<(), String>> {
        ready(Err("no battery".to_owned()))
    }
    #[action]
    async fn none() -> Option<bool> {
        None
    }
    #[action]
    fn applies(_: &mut Robot) -> impl Future<Output = impl FnOnce(&mut Robot) -> bool> {
        async {
            |robot: &mut Robot| {
                robot.stock += 1;
                robot.stock > 1
            }
        }
    }
    #[action]
    fn applies_or_fails(_: &mut Robot, fails: bool) -> impl Future<Output = Result<impl FnOnce(&mut Robot), String>> {
        ready(if fails { Err("lost".to_owned()) } else { Ok(|robot: &mut Robot| robot.stock += 10) })
    }
    #[action]
    async fn applies_boxed() -> Option<Box<dyn FnOnce(&mut Robot) -> Status + Send>> {
        Some(Box::new(|_| Failure))
    }
    #[action]
    fn pinned(_: &mut Robot) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(async { false })
    }
    let (mut robot, mut statuses) = (Robot::default(), vec![]);
    macro_rules! tick {
        ($($node:expr),+) => {$(
            let tree = tree! { for Robot: $node };
            statuses.push(tree.tick(&mut robot, &mut tree.memory()));
        )+};
    }
    tick!(fails, none, applies, applies, applies_or_fails(true), applies_or_fails(false), applies_boxed, pinned);
    assert_eq!(statuses, [Error, Failure, Failure, Success, Error, Success, Failure, Failure]);
    assert_eq!((robot.stock, robot.errors), (12, vec!["no battery".to_owned(), "lost".to_owned()]));
}

#[test]
fn an_output_that_is_running_calls_the_action_again() {
    #[action]
    fn try_again(robot: &mut Robot) -> impl Future<Output = Status> {
        robot.stock += 1;
        ready(if robot.stock < 3 { Running } else { Success })
    }
    let tree = tree! { try_again };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    let statuses = [(); 3].map(|()| tree.tick(&mut robot, &mut memory));
    assert_eq!((statuses, robot.stock), ([Running, Running, Success], 3));

    #[action]
    fn in_a_second(robot: &mut Robot) -> impl Future<Output = bt_core::Step<Wake>> {
        robot.stock += 1;
        ready(bt_core::Step::Running(Wake::At(robot.now + secs(1))))
    }
    let tree = tree! { in_a_second };
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut robot), Wake::At(secs(1)));
    tree.shift(&mut memory, Shift::new(secs(0), secs(5)));
    assert_eq!(tree.due(Running, &memory, &mut robot), Wake::At(secs(6)));
}

#[test]
fn closures_and_plain_functions_can_return_futures() {
    fn anywhere(stock: u32) -> impl Future<Output = bool> {
        ready(stock < 100)
    }
    fn plain(robot: &mut Robot) -> impl Future<Output = bool> + use<> {
        robot.drive("dock")
    }
    let tree = tree! {
        for Robot: mem_sequence {
            plain,
            |robot: &mut Robot| anywhere(robot.stock),
            |_: &mut Robot| async { |robot: &mut Robot| robot.stock = 7 }
        }
    };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    robot.drives[0].send(true);
    assert_eq!((tree.tick(&mut robot, &mut memory), robot.stock), (Success, 7));
}

#[test]
fn a_context_can_borrow_or_be_generic() {
    struct Ctx<'w> {
        log: &'w mut Vec<u32>,
    }
    #[action]
    fn note(ctx: &mut Ctx<'_>, number: u32) -> impl Future<Output = impl FnOnce(&mut Ctx<'_>)> {
        ctx.log.push(number);
        async move { move |ctx: &mut Ctx<'_>| ctx.log.push(number + 1) }
    }
    trait Counter {
        fn count(&mut self) -> u32;
    }
    impl Counter for Ctx<'_> {
        fn count(&mut self) -> u32 {
            u32::try_from(self.log.len()).unwrap()
        }
    }
    #[action]
    fn counted<C: Counter>(ctx: &mut C, at_least: u32) -> impl Future<Output = bool> {
        let count = ctx.count();
        async move { count >= at_least }
    }
    #[action]
    async fn nothing() {}
    let tree = tree! { mem_sequence { note(1), counted(2), nothing, !counted(3) } };
    let mut log = vec![];
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut Ctx { log: &mut log }, &mut memory), Success);
    assert_eq!(log, [1, 2]);
}

#[test]
fn a_clone_and_a_loaded_memory_start_the_future_again() {
    let tree = tree! { mem_sequence { |robot: &mut Robot| robot.stock += 1, go("dock") } };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    let mut copy = memory.clone();
    let saved = serde_json::to_string(&tree.saved(&memory)).unwrap();
    assert_eq!(tree.tick(&mut robot, &mut copy), Running);
    let mut loaded = tree.load(&mut serde_json::Deserializer::from_str(&saved)).unwrap();
    assert_eq!(tree.tick(&mut robot, &mut loaded), Running);
    assert_eq!((robot.drives.len(), robot.stock), (3, 1));
    robot.drives[0].send(true);
    assert_eq!(tree.tick(&mut robot, &mut copy), Running);
    assert_eq!(tree.tick(&mut robot, &mut memory), Success);
    // Binary saves as well.
    let bytes = postcard::to_allocvec(&tree.saved(&copy)).unwrap();
    let mut loaded = tree.load(&mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    assert_eq!(tree.tick(&mut robot, &mut loaded), Running);
    assert_eq!(robot.drives.len(), 4);
}

#[test]
fn a_future_that_panics_is_dropped_and_the_action_starts_again() {
    #[action]
    async fn break_down(robot: AsyncContext<Robot>) {
        assert!(!robot.with(|robot| robot.hit).await, "hit");
    }
    let tree = tree! { for Robot: selector { fail, break_down } };
    let (mut robot, mut memory) = (Robot { hit: true, ..Robot::default() }, tree.memory());
    let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tree.tick(&mut robot, &mut memory)));
    assert!(panics.is_err() && !memory.is_running());
    robot.hit = false;
    assert_eq!(tree.tick(&mut robot, &mut memory), Success);
}

#[test]
fn a_brain_sleeps_until_its_future_wakes_it() {
    let tree = Arc::new(tree! {
        selector {
            sequence { is_hit, |robot: &mut Robot| robot.hit = false }
            timeout(secs(9)) { go("dock") }
        }
    });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!((brain.due(), brain.tick_due(secs(0), &mut robot)), (Wake::At(secs(9)), None));
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

#[derive(Default)]
struct Flag(std::sync::atomic::AtomicBool);

impl Flag {
    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

impl std::task::Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
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
    let visit = &mut bt_core::WakeVisit::with_waker(&mut robot, &waker);
    assert_eq!(tree.due_with(status, &memory, visit), Wake::Event);
    robot.drives[0].send(true);
    assert!(flag.take());
    let visit = &mut bt_core::WakeVisit::with_waker(&mut robot, &waker);
    assert_eq!(tree.due_with(status, &memory, visit), Wake::Next);
}

#[test]
fn a_future_waits_by_the_clock_of_the_context() {
    #[action]
    async fn blink(robot: AsyncContext<Robot>, times: u32) {
        for _ in 0..times {
            robot.with(|robot| robot.stock += 1).await;
            robot.wait(millis(500)).await;
        }
    }
    let tree = Arc::new(tree! { blink(2) });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    assert_eq!((brain.tick_due(secs(0), &mut robot), brain.due()), (Some(Running), Wake::At(millis(500))));
    robot.now = millis(499);
    assert_eq!(brain.tick(&mut robot), Running);
    assert_eq!(robot.stock, 1);
    robot.now = millis(500);
    assert_eq!((brain.tick_due(millis(500), &mut robot), brain.due()), (Some(Running), Wake::At(secs(1))));
    // On another clock.
    brain.shift(Shift::new(millis(500), secs(100)));
    robot.now = secs(100);
    assert_eq!((brain.tick_due(secs(100), &mut robot), brain.due()), (Some(Running), Wake::At(millis(100_500))));
    robot.now = millis(100_500);
    assert_eq!((brain.tick_due(millis(100_500), &mut robot), robot.stock), (Some(Success), 2));
}

#[test]
fn a_tick_answers_a_bounded_number_of_requests() {
    #[action]
    async fn spin(robot: AsyncContext<Robot>) -> bool {
        loop {
            robot.with(|robot| robot.stock += 1).await;
        }
    }
    #[action]
    async fn step(robot: AsyncContext<Robot>) -> bool {
        loop {
            robot.with(|robot| robot.stock += 1).await;
            robot.next_tick().await;
        }
    }
    let tree = tree! { spin };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!((tree.tick(&mut robot, &mut memory), robot.stock), (Running, 128));
    assert_eq!((tree.tick(&mut robot, &mut memory), robot.stock), (Running, 256));

    let tree = Arc::new(tree! { step });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    for tick in 1..5 {
        assert_eq!((brain.tick_due(secs(0), &mut robot), robot.stock), (Some(Running), tick));
        assert_eq!(brain.due(), Wake::Next);
    }
}

#[test]
fn a_thread_with_a_channel_ends_an_action() {
    #[action]
    fn compute(robot: &mut Robot, number: u32) -> impl Future<Output = impl FnOnce(&mut Robot)> {
        let (done, later) = robot.later();
        std::thread::spawn(move || done.send(number * number));
        async move {
            let square = later.await;
            move |robot: &mut Robot| robot.stock = square
        }
    }
    let tree = Arc::new(tree! { compute(12) });
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    let (sender, receiver) = channel();
    brain.on_wake(Arc::new(Unpark(Mutex::new(sender))).into());
    let mut status = brain.tick_due(secs(0), &mut robot);
    while status == Some(Running) {
        if brain.due() != Wake::Next {
            receiver.recv().unwrap();
        }
        status = brain.tick_due(secs(0), &mut robot);
    }
    assert_eq!((status, robot.stock), (Some(Success), 144));
}

struct Unpark(Mutex<Sender<()>>);

impl std::task::Wake for Unpark {
    fn wake(self: Arc<Self>) {
        let _ = self.0.lock().unwrap().send(());
    }
}

#[test]
fn loaded_trees_have_asynchronous_leaves() {
    let mut registry = Registry::<Robot>::new().with_clock();
    registry
        .add_with("Go", |_: Nothing| go("dock"))
        .add::<is_hit>("IsHit")
        .add_leaf("Fetch", || fetch("shelf".to_owned()));
    let tree = registry
        .load(
            r#"{ "root": "1", "nodes": {
                "1": { "name": "Priority", "children": ["2", "3"] },
                "2": { "name": "Sequence", "children": ["4", "5"] },
                "3": { "name": "MemSequence", "children": ["6", "7"] },
                "4": { "name": "IsHit" },
                "5": { "name": "Runner" },
                "6": { "name": "Go" },
                "7": { "name": "Fetch" }
            } }"#,
        )
        .unwrap();
    let tree = Arc::new(tree);
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    assert_eq!((brain.tick_due(secs(0), &mut robot), brain.due()), (Some(Running), Wake::Event));
    assert_eq!(brain.tick_due(secs(0), &mut robot), None);
    robot.drives[0].send(true);
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!(robot.log, ["drive to dock", "drive to shelf"]);
    let mut copy = brain.clone();
    assert_eq!(copy.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!(robot.log[2..], ["drive to shelf"]);
    robot.hit = true;
    brain.wake();
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert!(!robot.drives[1].is_waited_for() && robot.drives[2].is_waited_for());
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Nothing {}

#[test]
fn a_substituted_status_does_not_call_the_action() {
    use bt_core::testing::TreeTest;
    let tree = tree! { mem_sequence { go("dock"), |robot: &mut Robot| robot.stock += 1 } };
    let mut test = TreeTest::new(tree, Robot::default());
    test.replace("go", [Running, Running, Success]);
    let statuses = [(); 3].map(|()| test.tick());
    assert_eq!((statuses, test.ctx.log.len(), test.ctx.stock), ([Running, Running, Success], 0, 1));
}

#[test]
fn a_request_from_a_thread_has_an_answer_if_it_was_called() {
    /// Polls a future on this thread until it is ready.
    fn block_on<T>(future: impl Future<Output = T>) -> T {
        struct Unpark(std::thread::Thread);
        impl std::task::Wake for Unpark {
            fn wake(self: Arc<Self>) {
                self.0.unpark();
            }
        }
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        let mut future = std::pin::pin!(future);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
            std::thread::park();
        }
    }
    #[action]
    async fn lend(robot: AsyncContext<Robot>, handles: Sender<AsyncContext<Robot>>) {
        handles.send(robot.clone()).unwrap();
        robot.until(|robot| robot.stock >= 3).await;
    }
    for _ in 0..200 {
        let (sender, handles) = channel::<AsyncContext<Robot>>();
        let tree = tree! { lend(sender) };
        let (mut robot, mut memory) = (Robot::default(), tree.memory());
        assert_eq!(tree.tick(&mut robot, &mut memory), Running);
        let handle = handles.recv().unwrap();
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let worker = std::thread::spawn(move || {
            let one = || {
                let calls = counted.clone();
                block_on(handle.try_with(move |robot| {
                    robot.stock += 1;
                    calls.fetch_add(1, Ordering::Relaxed);
                }))
            };
            std::iter::from_fn(|| Some(one())).take(5).flatten().count()
        });
        while tree.tick(&mut robot, &mut memory) == Running {}
        assert_eq!(worker.join().unwrap(), calls.load(Ordering::Relaxed));
    }
}
