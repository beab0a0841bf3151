//! Asynchronous actions: futures that ticks poll.

mod agents;
mod halting;
mod memories;
mod outputs;
mod polling;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bt_core::prelude::*;
use bt_core::task::AsyncContext;

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
