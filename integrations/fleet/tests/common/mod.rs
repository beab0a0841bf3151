//! What the tests share.

#![allow(dead_code, reason = "each test uses a part")]

use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bt_fleet::{Change, FleetHub, HubConfig, HubConnection};
use zenoh::{Session, Wait as _};

/// Returns an endpoint on a free port.
pub(crate) fn endpoint() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    format!("tcp/{}", listener.local_addr().expect("it is bound"))
}

/// Opens a session of zenoh, of which a fleet knows nothing.
pub(crate) fn open(listen: &[&str], connect: &[&str]) -> Session {
    let mut config = zenoh::Config::default();
    let settings = [("listen/endpoints", format!("{listen:?}")), ("connect/endpoints", format!("{connect:?}"))];
    for (key, value) in
        settings.iter().map(|(key, value)| (*key, value.as_str())).chain([("scouting/multicast/enabled", "false")])
    {
        config.insert_json5(key, value).expect("it is valid");
    }
    zenoh::open(config).wait().expect("it can be opened")
}

/// Waits until a function returns a value.
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "waited too long for: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A hub, and the machines that came and went.
pub(crate) struct TestHub {
    pub(crate) hub: FleetHub,
    changes: Arc<Mutex<Vec<Change>>>,
}

impl TestHub {
    pub(crate) fn serve(fleet: &str, endpoint: &str) -> Self {
        Self::with(HubConfig::new(fleet).listen(endpoint))
    }

    pub(crate) fn with(config: HubConfig) -> Self {
        let changes = Arc::new(Mutex::new(Vec::new()));
        let changed = Arc::clone(&changes);
        let config = config.address("127.0.0.1:0").on_change(move |change| {
            changed.lock().unwrap_or_else(PoisonError::into_inner).push(change.clone());
        });
        Self { hub: FleetHub::serve(config).expect("it can be served"), changes }
    }

    pub(crate) fn changes(&self) -> Vec<Change> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, change: &Change) {
        wait_for(&format!("{change:?}"), || self.changes().contains(change).then_some(()));
    }
}

/// Waits until the updates of a page contain a text, and returns them.
#[track_caller]
pub(crate) fn wait_for_update(page: &mut HubConnection, text: &str) -> String {
    let (start, mut all) = (Instant::now(), String::new());
    wait_for(text, || {
        all += &page.updates(start.elapsed()).join("\n");
        all.contains(text).then_some(())
    });
    all
}
