//! Errors that nothing receives: neither an observer nor the context. With debug assertions and std, the first one of a
//! tree is reported, once.

#[cfg(not(all(debug_assertions, feature = "std")))]
pub(crate) use ignored::*;
#[cfg(all(debug_assertions, feature = "std"))]
pub(crate) use reported::*;

#[cfg(all(debug_assertions, feature = "std"))]
mod reported {
    use alloc::collections::BTreeSet;
    use alloc::string::{String, ToString};
    use core::cell::Cell;
    use core::fmt;
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, PoisonError};

    use crate::describe::Description;
    use crate::id::NodeId;
    use crate::node::NodeShape;
    use crate::status::Status;
    use crate::tree::Tree;

    /// `true` if errors that nothing receives are reported.
    pub(crate) const ON: bool = true;

    /// The number of trees of which an error is reported.
    const MAX_TREES: usize = 100;

    /// The trees of which an error was reported, by their fingerprints.
    static REPORTED: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

    /// The last error of the tick that this thread executes.
    struct Fault {
        at: NodeId,
        /// Whether the context has received it.
        is_received: bool,
        reason: Option<String>,
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

    /// Notes that a node has returned `Error`, if that is so.
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

        /// Reports the error of a tick without an observer, if nothing has received it.
        pub(crate) fn end<N: NodeShape>(self, tree: &N, status: Status, is_observed: bool) {
            let last = take();
            if let Some(outer) = self.0 {
                note(outer);
            }
            if let Some(fault) = last
                && status == Status::Error
                && !(is_observed || fault.is_received)
            {
                report(tree, &fault);
            }
        }
    }

    #[cold]
    fn report<N: NodeShape>(tree: &N, fault: &Fault) {
        let reported = || REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
        if reported().len() >= MAX_TREES || !reported().insert(tree.fingerprint()) {
            return;
        }
        let description = Description::of(tree);
        let node = description.node(fault.at).map_or_else(|| fault.at.to_string(), ToString::to_string);
        let reason =
            fault.reason.as_ref().map_or_else(|| " without a reason".into(), |reason| alloc::format!(": {reason}"));
        let text = alloc::format!(
            "{node} returned `Error`{reason}\nhelp: implement `OnError`, or tick the tree with an observer; an error that \
             nothing receives is reported once per tree, in debug builds"
        );
        #[cfg(feature = "tracing")]
        if tracing::dispatcher::has_been_set() {
            tracing::warn!(target: "bt", "{text}");
            return;
        }
        std::eprintln!("bt-core: {text}");
    }
}

#[cfg(not(all(debug_assertions, feature = "std")))]
#[allow(clippy::unused_self, reason = "the methods are those of the ticks whose errors are reported")]
mod ignored {
    use core::fmt;

    use crate::id::NodeId;
    use crate::node::NodeShape;
    use crate::status::Status;

    pub(crate) const ON: bool = false;

    #[inline(always)]
    pub(crate) const fn received(_: NodeId) {}

    #[inline(always)]
    pub(crate) const fn explained(_: NodeId, _: &dyn fmt::Display) {}

    #[inline(always)]
    pub(crate) const fn returned(_: bool, _: NodeId) {}

    pub(crate) struct Ticked;

    impl Ticked {
        #[inline(always)]
        pub(crate) const fn begin() -> Self {
            Self
        }

        #[inline(always)]
        pub(crate) const fn end<N: NodeShape>(self, _: &N, _: Status, _: bool) {}
    }
}
