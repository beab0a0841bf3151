//! Reports errors that nothing receives, once for each tree.

use alloc::collections::BTreeSet;
use alloc::string::ToString;
use std::sync::{Mutex, PoisonError};

use crate::describe::{Description, Visitor, fingerprint_by};
use crate::node::NodeShape;
use crate::silent::Fault;

/// The number of trees of which an error is reported.
const MAX_TREES: usize = 100;

/// The trees of which an error was reported, by their fingerprints.
static REPORTED: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// Reports the error of a tick, if it is the first one of the tree.
#[cold]
pub(crate) fn unreceived<N: NodeShape>(tree: &N, fault: &Fault) {
    report(&|visitor| tree.describe(visitor), fault);
}

fn report(describe: &dyn Fn(&mut dyn Visitor), fault: &Fault) {
    let reported = || REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if reported().len() >= MAX_TREES || !reported().insert(fingerprint_by(describe)) {
        return;
    }
    let description = Description::by(describe);
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
