//! Observers behind a pointer, for erased nodes.

use core::fmt;

use crate::id::NodeId;
use crate::observer::{Observer, Tick};
use crate::silent;
use crate::status::{End, Status};

macro_rules! erased {
    ($($event:ident($($arg:ident: $Arg:ty),*) $(-> $Result:ty)? = $none:expr;)+) => {
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

        #[allow(unused_variables, reason = "what nothing receives")]
        impl Observer for IfAny<'_> {
            const INLINE: bool = false;

            $(fn $event(&mut self, $($arg: $Arg),*) $(-> $Result)? {
                match &mut self.0 {
                    Some(observer) => observer.$event($($arg),*),
                    None => $none,
                }
            })+
        }
    };
}

/// An erased observer as an [`Observer`].
pub struct WithDyn<'a>(pub &'a mut dyn DynObserver);

/// An optional erased observer, for a node without nodes below it, which is compiled once for both cases.
pub struct IfAny<'a>(pub Option<&'a mut dyn DynObserver>);

erased! {
    begin(tick: Tick) = ();
    end(tick: Tick, status: Option<Status>) = ();
    enter(at: NodeId) = ();
    open(at: NodeId) = ();
    tick(at: NodeId, status: Status) = ();
    close(at: NodeId, end: End) = ();
    state(at: NodeId, state: usize) = ();
    score(at: NodeId, score: f32) = ();
    error(at: NodeId, error: &dyn fmt::Display) = silent::explained(at, error);
    failure(at: NodeId, reason: &dyn fmt::Display) = ();
    replacement(at: NodeId) -> Option<Status> = None;
    force_state(at: NodeId) -> Option<usize> = None;
    choose(at: NodeId, left: usize) -> Option<usize> = None;
    exit(at: NodeId, status: Status) = ();
}

/// Erases the type of an observer. Returns `None` if it is disabled or asleep.
pub fn as_dyn<O: Observer>(observer: &mut O) -> Option<&mut dyn DynObserver> {
    if O::ON && !(O::SLEEPS && observer.is_asleep()) { Some(observer) } else { None }
}
