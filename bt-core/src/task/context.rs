//! The access of a future to the context of its agent.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::future::{Future, pending, poll_fn};
use core::task::{Poll, Waker};
use core::time::Duration;
use std::sync::Mutex;

use crate::clock::{Clock, Moment};
use crate::task::mailbox::{Mailbox, Open, Post, Timer};
use crate::task::signal::lock;

/// The access of an asynchronous action to the context of its agent.
///
/// A future cannot hold a reference to the context, which is borrowed only for a tick. It can send functions, which are
/// called with the context while the action is ticked. An `#[action]` that is an `async fn` takes an `AsyncContext` as its
/// first parameter:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::task::AsyncContext;
///
/// struct Robot { now: Duration, position: u32 }
/// impl Clock for Robot { fn now(&self) -> Duration { self.now } }
///
/// #[action]
/// async fn drive(robot: AsyncContext<Robot>, goal: u32) -> bool {
///     while robot.with(move |robot| robot.position < goal).await {
///         robot.wait(secs(1)).await;
///         robot.with(|robot| robot.position += 1).await;
///     }
///     true
/// }
///
/// let tree = tree! { drive(2) };
/// let (mut robot, mut memory) = (Robot { now: secs(0), position: 0 }, tree.memory());
/// let statuses: Vec<_> = (0..3)
///     .map(|second| {
///         robot.now = secs(second);
///         tree.tick(&mut robot, &mut memory)
///     })
///     .collect();
/// assert_eq!(statuses, [Status::Running, Status::Running, Status::Success]);
/// ```
///
/// After the action has ended or was halted, no function is called.
///
/// A clone has access to the same context, and can be moved to another task or thread. Its requests make the agent due, and
/// are answered in the next tick.
pub struct AsyncContext<C: ?Sized>(Arc<Post<C>>);

impl<C: ?Sized> Clone for AsyncContext<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C: ?Sized> fmt::Debug for AsyncContext<C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AsyncContext").finish_non_exhaustive()
    }
}

/// The answer to a request.
struct Answer<T> {
    value: Option<T>,
    waker: Option<Waker>,
}

impl<C: ?Sized + 'static> AsyncContext<C> {
    /// Creates the two ends of the requests of one run: for the future, and for the task.
    #[doc(hidden)]
    pub fn new() -> (Self, Mailbox<C>) {
        let post = Post::new();
        (Self(Arc::clone(&post)), Mailbox(post))
    }

    /// Calls a function with the context, and returns its result.
    ///
    /// Inside the action, the function is called in the same tick. After 128 polls in one tick, the action continues in the next
    /// tick. Elsewhere, the function is called in the next tick. If the returned future is dropped before that, the function is
    /// not called. The future never completes if the action has ended: see [`try_with`](Self::try_with).
    pub fn with<T, F>(&self, call: F) -> impl Future<Output = T> + Send + 'static + use<C, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&mut C) -> T + Send + 'static,
    {
        let answer = self.try_with(call);
        async move {
            match answer.await {
                Some(value) => value,
                None => pending().await,
            }
        }
    }

    /// Like [`with`](Self::with), but the result is `None` if the action has ended. Use this method where a future outlives the
    /// action.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::task::AsyncContext;
    ///
    /// #[action]
    /// async fn work(n: AsyncContext<u32>) {
    ///     let worker = n.clone();
    ///     std::thread::spawn(move || {
    ///         // `block_on` of any runtime.
    /// #       let block_on = |future| { let _: &dyn core::future::Future<Output = Option<()>> = &future; };
    ///         block_on(worker.try_with(|n| *n += 1));
    ///     });
    ///     n.next_tick().await;
    /// }
    /// # let tree = tree! { work };
    /// # let mut memory = tree.memory();
    /// # assert_eq!(tree.tick(&mut 0, &mut memory), Status::Running);
    /// # assert_eq!(tree.tick(&mut 0, &mut memory), Status::Success);
    /// ```
    pub fn try_with<T, F>(&self, call: F) -> impl Future<Output = Option<T>> + Send + 'static + use<C, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&mut C) -> T + Send + 'static,
    {
        let answer = Arc::new(Mutex::new(Answer { value: None, waker: None }));
        let (post, mut call) = (Arc::clone(&self.0), Some(call));
        poll_fn(move |cx| {
            lock(&answer).waker = Some(cx.waker().clone());
            if let Some(call) = call.take() {
                let answer = Arc::downgrade(&answer);
                post.send(Box::new(move |ctx| {
                    // If nothing waits for the answer any more, the function is not called.
                    let Some(answer) = answer.upgrade() else { return };
                    let value = ctx.map(call);
                    let waker = {
                        let mut answer = lock(&answer);
                        answer.value = value;
                        answer.waker.take()
                    };
                    if let Some(waker) = waker {
                        waker.wake();
                    }
                }));
            }
            // The value comes before the end of the action, so it is read after that.
            let is_closed = post.is_closed();
            match lock(&answer).value.take() {
                Some(value) => Poll::Ready(Some(value)),
                None if is_closed => Poll::Ready(None),
                None => Poll::Pending,
            }
        })
    }

    /// Waits for the next tick of the action. The agent is due in the next tick. Never completes if the action has ended.
    pub fn next_tick(&self) -> impl Future<Output = ()> + Send + 'static + use<C> {
        self.tick(|open| &mut open.on_tick)
    }

    /// Waits until a condition on the context holds. The condition is evaluated at once and in each tick of the action. The
    /// condition has to depend on events: the agent sleeps until it is woken for another reason, such as `Herd::wake`, a waker,
    /// or another node of its tree. Never completes if the action has ended.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::task::AsyncContext;
    /// use std::sync::Arc;
    ///
    /// #[action]
    /// async fn receive(orders: AsyncContext<Vec<u32>>) {
    ///     orders.until(|orders| !orders.is_empty()).await;
    ///     orders.with(|orders| orders.remove(0)).await;
    /// }
    ///
    /// let tree = Arc::new(tree! { receive });
    /// let (mut orders, mut brain) = (vec![], Brain::new(&tree));
    /// brain.tick_due(secs(0), &mut orders);
    /// assert_eq!(brain.due(), bt_core::Wake::Event);
    /// orders.push(7);
    /// brain.wake();
    /// assert_eq!(brain.tick_due(secs(0), &mut orders), Some(Status::Success));
    /// ```
    pub fn until<F>(&self, condition: F) -> impl Future<Output = ()> + Send + 'static + use<C, F>
    where
        F: FnMut(&C) -> bool + Send + 'static,
    {
        let (ctx, mut condition) = (self.clone(), Some(condition));
        async move {
            while let Some(mut held) = condition.take() {
                let (again, holds) = ctx
                    .with(move |ctx| {
                        let holds = held(ctx);
                        (held, holds)
                    })
                    .await;
                if !holds {
                    condition = Some(again);
                    ctx.tick(|open| &mut open.on_event).await;
                }
            }
        }
    }

    /// Waits for the next tick, on one of the lists of wakers.
    fn tick(&self, list: fn(&mut Open<C>) -> &mut Vec<Waker>) -> impl Future<Output = ()> + Send + 'static + use<C> {
        let (post, mut began) = (Arc::clone(&self.0), None);
        poll_fn(move |cx| {
            let mut open = lock(&post.open);
            let began = *began.get_or_insert(open.ticks);
            if open.ticks > began {
                return Poll::Ready(());
            }
            let is_closed = open.is_closed;
            let wakers = list(&mut open);
            if !is_closed && !wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
                wakers.push(cx.waker().clone());
            }
            Poll::Pending
        })
    }
}

impl<C: ?Sized + Clock + 'static> AsyncContext<C> {
    /// Waits for a time by the clock of the context. The agent sleeps until then. Never completes if the action has ended.
    /// A clock that jumps back has the same effect as on `wait` in a tree: see [`Clock`].
    pub fn wait(&self, time: Duration) -> impl Future<Output = ()> + Send + 'static + use<C> {
        let post = Arc::clone(&self.0);
        let now = self.with(|ctx| Moment::now(ctx));
        async move {
            let timer = Arc::new(Mutex::new(Timer::new(time, now.await)));
            {
                let mut open = lock(&post.open);
                open.now = Some(Moment::now);
                open.timers.push(Arc::downgrade(&timer));
            }
            poll_fn(move |cx| {
                let mut timer = lock(&timer);
                if timer.is_over {
                    return Poll::Ready(());
                }
                timer.waker = Some(cx.waker().clone());
                Poll::Pending
            })
            .await;
        }
    }
}
