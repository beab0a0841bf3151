//! Futures that wait until something holds, and those who wake them.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Locks. The data is valid also after a panic elsewhere.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Those who wait for a change. An entry exists as long as its future: there are never more than futures.
#[derive(Default)]
pub(crate) struct Waiters(Mutex<Wakers>);

#[derive(Default)]
struct Wakers {
    next: u64,
    by_id: BTreeMap<u64, Waker>,
}

impl Waiters {
    /// Wakes all. They look at their conditions again.
    pub(crate) fn wake(&self) {
        // A waker can run code of the user, so it is called without the lock.
        for waker in std::mem::take(&mut lock(&self.0).by_id).into_values() {
            waker.wake();
        }
    }

    /// Waits until a condition on what has changed returns something.
    pub(crate) fn until<T, F: FnMut() -> Option<T> + Unpin>(self: &Arc<Self>, condition: F) -> Until<F> {
        Until { waiters: self.clone(), id: None, condition }
    }
}

/// A future that is ready when its condition returns something.
pub(crate) struct Until<F> {
    waiters: Arc<Waiters>,
    id: Option<u64>,
    condition: F,
}

impl<T, F: FnMut() -> Option<T> + Unpin> Future for Until<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let this = &mut *self;
        {
            let mut wakers = lock(&this.waiters.0);
            let id = *this.id.get_or_insert_with(|| {
                wakers.next += 1;
                wakers.next
            });
            wakers.by_id.insert(id, cx.waker().clone());
        }
        // A change between the condition and the waker would be lost in the other order.
        (this.condition)().map_or(Poll::Pending, Poll::Ready)
    }
}

impl<F> Drop for Until<F> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            lock(&self.waiters.0).by_id.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures::FutureExt;

    use super::*;

    #[test]
    fn a_future_is_ready_when_its_condition_holds() {
        let (waiters, number) = (Arc::new(Waiters::default()), Arc::new(AtomicU32::new(0)));
        let seen = number.clone();
        let mut future = waiters.until(move || Some(seen.load(Ordering::Relaxed)).filter(|number| *number > 1));
        let mut polls = 0;
        let mut poll = || {
            polls += 1;
            (&mut future).now_or_never()
        };
        assert_eq!(poll(), None);
        number.store(2, Ordering::Relaxed);
        assert_eq!((poll(), polls), (Some(2), 2));
    }

    #[test]
    fn a_dropped_future_leaves_nothing() {
        let waiters = Arc::new(Waiters::default());
        for _ in 0..3 {
            assert_eq!(waiters.until(|| None::<()>).now_or_never(), None);
        }
        assert!(lock(&waiters.0).by_id.is_empty());
    }

    #[test]
    fn a_change_in_another_thread_wakes() {
        let (waiters, number) = (Arc::new(Waiters::default()), Arc::new(AtomicU32::new(0)));
        let seen = number.clone();
        let future = waiters.until(move || Some(seen.load(Ordering::Acquire)).filter(|number| *number > 0));
        let thread = std::thread::spawn(move || {
            number.store(7, Ordering::Release);
            waiters.wake();
        });
        assert_eq!(futures::executor::block_on(future), 7);
        thread.join().expect("the thread does not panic");
    }
}
