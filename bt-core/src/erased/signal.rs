//! The wakers of a brain's agent.

#[cfg(not(feature = "async"))]
pub(super) use none::AgentSignal;

#[cfg(feature = "async")]
pub(super) use crate::task::AgentSignal;

/// Without futures, nothing uses the waker of an agent.
#[cfg(not(feature = "async"))]
#[allow(clippy::unused_self, reason = "the methods are those of the signal with wakers")]
mod none {
    use core::task::Waker;

    #[derive(Clone)]
    pub(in crate::erased) struct AgentSignal;

    impl AgentSignal {
        pub(in crate::erased) const fn new() -> Self {
            Self
        }

        pub(in crate::erased) fn waker(&self) -> Waker {
            Waker::noop().clone()
        }

        pub(in crate::erased) fn is_used(&self) -> bool {
            false
        }

        pub(in crate::erased) fn take(&self) -> bool {
            false
        }

        pub(in crate::erased) fn is_woken(&self) -> bool {
            false
        }
    }
}
