//! What tests over DDS share: they run only where nobody else can hear them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use bt_ros2::{Config, RosNode, block_on};
use futures::FutureExt;
use futures::future::{Either, select};

/// The longest time that a test waits for an event. It only ends tests that hang.
const LONG: Duration = Duration::from_secs(60);

/// Fails unless loopback is the only network.
fn check_networks() {
    let networks = std::fs::read_to_string("/proc/net/dev").expect("the networks can be listed");
    let others: Vec<_> = networks
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, _)| name.trim())
        .filter(|name| *name != "lo")
        .collect();
    assert!(
        others.is_empty(),
        "DDS would announce itself on {others:?}: run the tests with `tests/namespace.sh cargo test`"
    );
}

/// Returns a domain of its own for a test.
pub(crate) fn domain() -> u16 {
    static NEXT: OnceLock<AtomicU16> = OnceLock::new();
    check_networks();
    // Tests of another process, in the same namespace, have other domains with some luck; and names of their own anyway.
    let next = NEXT.get_or_init(|| AtomicU16::new(u16::try_from(std::process::id() % 180).unwrap_or(0)));
    1 + next.fetch_add(1, Ordering::Relaxed) % 220
}

/// Opens a node.
pub(crate) fn node(name: &str, domain: u16) -> RosNode {
    check_networks();
    RosNode::open(Config::new(name).domain(domain).loopback()).expect("the node can be opened")
}

/// Waits for a future. Fails after a long time.
pub(crate) fn finish<T>(what: &str, future: impl Future<Output = T>) -> T {
    block_on(within(what, future))
}

/// A future that panics after a long time.
pub(crate) async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match select(future.boxed_local(), futures_timer::Delay::new(LONG)).await {
        Either::Left((value, _)) => value,
        Either::Right(_) => panic!("{what}: nothing has happened for {LONG:?}"),
    }
}
