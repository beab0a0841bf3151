//! The state of a running asynchronous action.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::sync::{Mutex, PoisonError};

use crate::clock::Shift;
use crate::id::NodeId;
use crate::leaf::{ActionOutputIn, OutputState};
use crate::node::Visit;
use crate::observer::Observer;
use crate::status::{Interrupt, Never, Step};
use crate::task::mailbox::{Mail, Requests};
use crate::task::output::FutureOutput;
use crate::task::signal::FutureSignal;
use crate::wake::{Wake, WakeVisit};

/// The number of times that one tick polls a future whose requests to the context it answers.
const POLLS: u32 = 128;

/// The state of a running asynchronous action: its future. `R` is the output of the future, `O` the state of an action with
/// that output.
///
/// A clone does not contain the future: it starts again in its next tick. So does a state that was loaded from a save.
pub struct Task<R, O = Never, M = ()>(State<R, O, M>);

enum State<R, O, M> {
    /// The action is called in the next tick.
    Start,
    Future(Box<Polled<R, M>>),
    /// The future has ended with `Running`; the action is called again at the time that this state returns.
    Again(O),
}

type BoxFuture<R> = Pin<Box<dyn Future<Output = R> + Send>>;

struct Polled<R, M> {
    /// A future is not `Sync`, and nothing else is done with it than to poll it. The mutex is never locked.
    future: Mutex<BoxFuture<R>>,
    signal: Arc<FutureSignal>,
    mail: M,
}

impl<R, O: OutputState, M: Mail> Task<R, O, M> {
    /// The state before the first tick.
    pub const START: Self = Self(State::Start);

    /// Returns `true` if the action has to be called, because there is no future.
    pub fn is_start(&self) -> bool {
        !matches!(self.0, State::Future(_))
    }

    /// Sets the future.
    pub fn begin(&mut self, future: BoxFuture<R>, mail: M) {
        let signal = mail.signal().0;
        signal.set();
        self.0 = State::Future(Box::new(Polled { future: Mutex::new(future), signal, mail }));
    }

    /// Drops the future if the run is halted.
    pub fn interrupt(&mut self, how: Interrupt) {
        match how {
            Interrupt::Halt(_) => self.0 = State::Start,
            Interrupt::Pause | Interrupt::Unpause => {}
        }
    }

    /// Polls the future, if it was woken, and returns the step of the node.
    pub fn poll<C: ?Sized, K, Obs: Observer>(&mut self, at: NodeId, visit: &mut Visit<'_, C, Obs>) -> Step<()>
    where
        R: FutureOutput<C, K>,
        R::Meaning: ActionOutputIn<C, Open = O>,
        M: Requests<C>,
    {
        // If a poll panics, the future is dropped.
        let State::Future(mut polled) = core::mem::replace(&mut self.0, State::Start) else { return Step::Running(()) };
        let Some(output) = polled.poll(visit.ctx) else {
            self.0 = State::Future(polled);
            return Step::Running(());
        };
        drop(polled);
        output.apply(visit.ctx).into_step(at, visit).map(|again| self.0 = State::Again(again))
    }
}

impl<R: 'static, O: OutputState, M: Mail> OutputState for Task<R, O, M> {
    fn wake<C: ?Sized>(&self, visit: &mut WakeVisit<'_, C>) -> Wake {
        let polled = match &self.0 {
            State::Start => return Wake::Next,
            State::Again(output) => return output.wake(visit),
            State::Future(polled) => polled,
        };
        let Some(waker) = visit.waker() else { return Wake::Next };
        polled.signal.pass_on_to(waker.clone());
        // A wake before this line has not reached the waker.
        if polled.signal.is_woken() {
            if polled.signal.take_event() {
                waker.wake();
            }
            return Wake::Next;
        }
        polled.mail.due()
    }

    fn shift(&mut self, by: Shift) {
        match &mut self.0 {
            State::Start => {}
            State::Again(output) => output.shift(by),
            State::Future(polled) => polled.mail.shift(by),
        }
    }
}

impl<R, M: Mail> Polled<R, M> {
    fn poll<C: ?Sized>(&mut self, ctx: &mut C) -> Option<R>
    where
        M: Requests<C>,
    {
        if !M::HAS_REQUESTS && !self.signal.is_woken() {
            return None;
        }
        let signal = Arc::clone(&self.signal);
        let _polling = signal.polling();
        self.mail.begin_tick(ctx);
        self.mail.answer(ctx);
        if !self.signal.is_woken() {
            return None;
        }
        // The agent is being ticked, so it need not be woken.
        self.signal.disconnect();
        let waker = Waker::from(Arc::clone(&self.signal));
        let future = self.future.get_mut().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..POLLS {
            self.signal.clear();
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return Some(output);
            }
            if !self.mail.answer(ctx) {
                break;
            }
        }
        None
    }
}

impl<R, O: Clone, M> Clone for Task<R, O, M> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            State::Start | State::Future(_) => State::Start,
            State::Again(output) => State::Again(output.clone()),
        })
    }
}

impl<R, O, M> fmt::Debug for Task<R, O, M> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_started = !matches!(self.0, State::Start);
        out.debug_struct("Task").field("is_started", &is_started).finish_non_exhaustive()
    }
}

#[cfg(feature = "serde")]
impl<R, O: serde::Serialize, M> serde::Serialize for Task<R, O, M> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let output = match &self.0 {
            State::Start | State::Future(_) => None,
            State::Again(output) => Some(output),
        };
        // A unit is `None` again in some formats.
        (output.is_some(), output).serialize(out)
    }
}

#[cfg(feature = "serde")]
impl<'de, R, O: serde::Deserialize<'de>, M> serde::Deserialize<'de> for Task<R, O, M> {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let (_, output): (bool, Option<O>) = serde::Deserialize::deserialize(input)?;
        Ok(Self(output.map_or(State::Start, State::Again)))
    }
}
