//! When a future is polled, and what it can wait for.

use std::future::{Future, ready};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{Shift, Wake};

use super::{Robot, fetch, go};

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
fn a_time_of_zero_is_over_at_once() {
    #[action]
    async fn pause(robot: AsyncContext<Robot>) {
        robot.wait(secs(0)).await;
        robot.with(|robot| robot.stock += 1).await;
    }
    let tree = tree! { pause };
    let mut robot = Robot { now: secs(7), ..Robot::default() };
    assert_eq!((tree.tick(&mut robot, &mut tree.memory()), robot.stock), (Success, 1));
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
