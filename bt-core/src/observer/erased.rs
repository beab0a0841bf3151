//! Observers behind a pointer, for erased nodes.

use core::fmt;

use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::status::{End, Status};

/// An observer whose type is erased.
pub trait DynObserver {
    /// See [`Observer::begin`].
    fn begin(&mut self, tick: Tick);
    /// See [`Observer::end`].
    fn end(&mut self, tick: Tick, status: Option<Status>);
    /// See [`Observer::enter`].
    fn enter(&mut self, at: NodeId);
    /// See [`Observer::open`].
    fn open(&mut self, at: NodeId);
    /// See [`Observer::tick`].
    fn tick(&mut self, at: NodeId, status: Status);
    /// See [`Observer::close`].
    fn close(&mut self, at: NodeId, end: End);
    /// See [`Observer::state`].
    fn state(&mut self, at: NodeId, state: usize);
    /// See [`Observer::score`].
    fn score(&mut self, at: NodeId, score: f32);
    /// See [`Observer::error`].
    fn error(&mut self, at: NodeId, error: &dyn fmt::Display);
    /// See [`Observer::replacement`].
    fn replacement(&mut self, at: NodeId) -> Option<Status>;
    /// See [`Observer::force_state`].
    fn force_state(&mut self, at: NodeId) -> Option<usize>;
    /// See [`Observer::choose`].
    fn choose(&mut self, at: NodeId, left: usize) -> Option<usize>;
    /// See [`Observer::exit`].
    fn exit(&mut self, at: NodeId, status: Status);
}

macro_rules! forward {
    ($($event:ident($($arg:ident: $Arg:ty),*);)+) => {
        impl<O: Observer> DynObserver for O {
            fn begin(&mut self, tick: Tick) {
                Observer::begin(self, tick);
            }

            fn end(&mut self, tick: Tick, status: Option<Status>) {
                Observer::end(self, tick, status);
            }

            fn replacement(&mut self, at: NodeId) -> Option<Status> {
                Observer::replacement(self, at)
            }

            fn force_state(&mut self, at: NodeId) -> Option<usize> {
                Observer::force_state(self, at)
            }

            fn choose(&mut self, at: NodeId, left: usize) -> Option<usize> {
                Observer::choose(self, at, left)
            }

            $(fn $event(&mut self, at: NodeId, $($arg: $Arg),*) {
                Observer::$event(self, at, $($arg),*);
            })+
        }

        impl Observer for WithDyn<'_> {
            const INLINE: bool = false;

            fn begin(&mut self, tick: Tick) {
                self.0.begin(tick);
            }

            fn end(&mut self, tick: Tick, status: Option<Status>) {
                self.0.end(tick, status);
            }

            fn replacement(&mut self, at: NodeId) -> Option<Status> {
                self.0.replacement(at)
            }

            fn force_state(&mut self, at: NodeId) -> Option<usize> {
                self.0.force_state(at)
            }

            fn choose(&mut self, at: NodeId, left: usize) -> Option<usize> {
                self.0.choose(at, left)
            }

            $(fn $event(&mut self, at: NodeId, $($arg: $Arg),*) {
                self.0.$event(at, $($arg),*);
            })+
        }
    };
}

/// An erased observer as an [`Observer`].
pub struct WithDyn<'a>(pub &'a mut dyn DynObserver);

forward! {
    enter();
    open();
    tick(status: Status);
    close(end: End);
    state(state: usize);
    score(score: f32);
    error(error: &dyn fmt::Display);
    exit(status: Status);
}

/// Erases the type of an observer. Returns `None` if it is disabled or asleep.
pub fn as_dyn<O: Observer>(observer: &mut O) -> Option<&mut dyn DynObserver> {
    if O::ON && !(O::SLEEPS && observer.is_asleep()) { Some(observer) } else { None }
}
