//! Observers behind a pointer, for erased nodes.

use core::fmt;

use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::status::{End, Status};

macro_rules! erased {
    ($($event:ident($($arg:ident: $Arg:ty),*) $(-> $Result:ty)?;)+) => {
        /// An observer whose type is erased. See [`Observer`].
        #[allow(missing_docs, reason = "the events of an observer")]
        pub trait DynObserver {
            $(fn $event(&mut self, $($arg: $Arg),*) $(-> $Result)?;)+
        }

        impl<O: Observer> DynObserver for O {
            $(fn $event(&mut self, $($arg: $Arg),*) $(-> $Result)? {
                Observer::$event(self, $($arg),*)
            })+
        }

        impl Observer for WithDyn<'_> {
            const INLINE: bool = false;

            $(fn $event(&mut self, $($arg: $Arg),*) $(-> $Result)? {
                self.0.$event($($arg),*)
            })+
        }
    };
}

/// An erased observer as an [`Observer`].
pub struct WithDyn<'a>(pub &'a mut dyn DynObserver);

erased! {
    begin(tick: Tick);
    end(tick: Tick, status: Option<Status>);
    enter(at: NodeId);
    open(at: NodeId);
    tick(at: NodeId, status: Status);
    close(at: NodeId, end: End);
    state(at: NodeId, state: usize);
    score(at: NodeId, score: f32);
    error(at: NodeId, error: &dyn fmt::Display);
    replacement(at: NodeId) -> Option<Status>;
    force_state(at: NodeId) -> Option<usize>;
    choose(at: NodeId, left: usize) -> Option<usize>;
    exit(at: NodeId, status: Status);
}

/// Erases the type of an observer. Returns `None` if it is disabled or asleep.
pub fn as_dyn<O: Observer>(observer: &mut O) -> Option<&mut dyn DynObserver> {
    if O::ON && !(O::SLEEPS && observer.is_asleep()) { Some(observer) } else { None }
}
