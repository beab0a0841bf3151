//! Errors that nothing receives: neither an observer nor the context. They are noted with debug assertions and std, to be
//! [reported](crate::report).

#[cfg(not(all(debug_assertions, feature = "std")))]
pub(crate) use ignored::*;
#[cfg(all(debug_assertions, feature = "std"))]
pub(crate) use reported::*;

#[cfg(all(debug_assertions, feature = "std"))]
mod reported {
    use alloc::string::{String, ToString};
    use core::cell::Cell;
    use core::fmt;
    use core::sync::atomic::{AtomicBool, Ordering};

    use crate::id::NodeId;
    use crate::status::Status;

    /// `true` if errors that nothing receives are reported.
    pub(crate) const ON: bool = true;

    /// The last error of the tick that this thread executes.
    pub(crate) struct Fault {
        pub(crate) at: NodeId,
        /// Whether the context has received it.
        is_received: bool,
        pub(crate) reason: Option<String>,
    }

    std::thread_local! {
        static LAST: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Whether a thread has ever had an error. Until then, a tick only costs a load.
    static HAS_ANY: AtomicBool = AtomicBool::new(false);

    fn note(fault: Fault) {
        HAS_ANY.store(true, Ordering::Relaxed);
        LAST.set(Some(fault));
    }

    fn take() -> Option<Fault> {
        if HAS_ANY.load(Ordering::Relaxed) { LAST.take() } else { None }
    }

    /// Notes that the context receives the error of a node.
    pub(crate) fn received(at: NodeId) {
        note(Fault { at, is_received: true, reason: None });
    }

    /// Notes the reason of the error that a node returns.
    #[cold]
    pub(crate) fn explained(at: NodeId, reason: &dyn fmt::Display) {
        note(Fault { at, is_received: false, reason: Some(reason.to_string()) });
    }

    /// Notes that a node has returned `Error`, if `is_error` is `true`.
    #[inline(always)]
    pub(crate) fn returned(is_error: bool, at: NodeId) {
        if is_error {
            passed_on(at);
        }
    }

    #[cold]
    fn passed_on(at: NodeId) {
        // The nodes below have greater ids. An error of theirs is the cause.
        let last = take().filter(|last| last.at >= at);
        note(last.unwrap_or(Fault { at, is_received: false, reason: None }));
    }

    /// A tick of a whole tree. Holds the last error of the tick that contains it, in which a leaf ticks another tree.
    pub(crate) struct Ticked(Option<Fault>);

    impl Ticked {
        pub(crate) fn begin() -> Self {
            Self(take())
        }

        /// Returns the error of a tick without an observer, if nothing has received it.
        pub(crate) fn end(self, status: Status, is_observed: bool) -> Option<Fault> {
            let last = take();
            if let Some(outer) = self.0 {
                note(outer);
            }
            last.filter(|fault| status == Status::Error && !(is_observed || fault.is_received))
        }
    }
}

#[cfg(not(all(debug_assertions, feature = "std")))]
mod ignored {
    use core::fmt;

    use crate::id::NodeId;

    pub(crate) const ON: bool = false;

    #[inline(always)]
    pub(crate) const fn received(_: NodeId) {}

    #[inline(always)]
    pub(crate) const fn explained(_: NodeId, _: &dyn fmt::Display) {}

    #[inline(always)]
    pub(crate) const fn returned(_: bool, _: NodeId) {}
}
