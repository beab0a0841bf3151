//! A lock of etcd: a hub is the keeper only while it has the lock.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::lock::lock;
use crate::worker::Worker;
use crate::{Change, FleetError};

/// How long etcd keeps the lock of a hub that has gone.
const TTL: Duration = Duration::from_secs(5);
/// The interval at which the lock is renewed, or requested again.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long an answer is awaited. A lock that was not renewed holds long enough for another attempt.
const TIMEOUT: Duration = Duration::from_secs(1);
/// How often the thread looks whether it has to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Why a hub is not the keeper that has the lock of one which was.
const LAPSED: &str = "the lock was not renewed in time";
/// Terms of locks are greater than those of keepers without one, which are times.
const FIRST_TERM: u64 = 1 << 63;

/// The lock, which a thread requests and renews. Dropping it releases the lock.
pub(crate) struct EtcdLock {
    held: Arc<Mutex<Option<Held>>>,
    _worker: Worker,
}

/// How long the lock holds without an answer of etcd.
#[derive(Clone, Copy)]
struct Held {
    term: u64,
    /// By both clocks: one stands still while the machine sleeps, the other one can be set.
    until: Instant,
    until_time: SystemTime,
}

impl EtcdLock {
    /// Requests the lock of a fleet at a cluster, of which any member answers.
    pub(crate) fn request(
        endpoints: Vec<String>,
        fleet: &str,
        changed: impl Fn(&Change) + Send + 'static,
    ) -> Result<Self, FleetError> {
        for endpoint in &endpoints {
            if !endpoint.strip_prefix("http://").is_some_and(|rest| rest.contains(':')) {
                let reason = format!(
                    "expected `http://`, an address and a port, such as `http://127.0.0.1:2379`, found `{endpoint}`"
                );
                return Err(FleetError::Setting { setting: "etcd".to_owned(), reason });
            }
        }
        let held = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&held);
        let mut client = Client::new(endpoints, format!("bt/{fleet}/keeper"));
        let worker = Worker::start("bt-fleet etcd", move |stop| {
            let mut told = None;
            while !stop.is_requested() {
                let begun = Instant::now();
                let before = client.term;
                let result = client.renew();
                let is_lapsed = client.term.is_some() && client.term == before && holds(&mut lock(&shared)).is_none();
                if is_lapsed {
                    // The keeper has ended meanwhile. A new one has another term.
                    client.release();
                } else if let Ok(renewed) = result {
                    *lock(&shared) = Some(renewed);
                } else if client.term.is_none() {
                    *lock(&shared) = None;
                }
                // A lock that was not renewed may still hold.
                let is_held = holds(&mut lock(&shared)).is_some();
                let state = if is_held { Ok(()) } else { Err(result.err().unwrap_or_else(|| LAPSED.to_owned())) };
                if told.as_ref() != Some(&state) {
                    changed(&match state.clone() {
                        Ok(()) => Change::Keeping,
                        Err(reason) => Change::NotKeeping { reason },
                    });
                    told = Some(state);
                }
                while !stop.is_requested() && begun.elapsed() < INTERVAL {
                    std::thread::sleep(POLL_INTERVAL);
                }
            }
            *lock(&shared) = None;
            client.release();
        })?;
        Ok(Self { held, _worker: worker })
    }

    /// Returns the term of the keeper, while the lock holds.
    pub(crate) fn term(&self) -> Option<u64> {
        holds(&mut lock(&self.held))
    }
}

/// Returns the term of a lock that holds. One that does not hold is forgotten, so that the same one never holds again.
fn holds(held: &mut Option<Held>) -> Option<u64> {
    *held = held.filter(|held| Instant::now() < held.until && SystemTime::now() < held.until_time);
    held.map(|held| held.term)
}

/// A client of etcd, by its JSON gateway.
struct Client {
    agent: ureq::Agent,
    /// The first one has answered last.
    endpoints: Vec<String>,
    key: String,
    /// The lease of etcd, with which the key of the lock vanishes.
    lease: Option<String>,
    /// The term of the lock, if the key is that of this hub.
    term: Option<u64>,
}

impl Client {
    fn new(endpoints: Vec<String>, key: String) -> Self {
        let agent = ureq::Agent::config_builder().timeout_global(Some(TIMEOUT)).build().into();
        Self { agent, endpoints, key, lease: None, term: None }
    }

    /// Renews the lock, or requests it. Returns how long it holds, or why it does not.
    fn renew(&mut self) -> Result<Held, String> {
        let (begun, begun_time) = (Instant::now(), SystemTime::now());
        if let Some(lease) = &self.lease {
            let answer = self.post("lease/keepalive", &json!({ "ID": lease }))?;
            // A lease that is over has no time to live.
            if number(&answer["result"]["TTL"]).is_none() {
                (self.lease, self.term) = (None, None);
            }
        }
        if self.lease.is_none() {
            let answer = self.post("lease/grant", &json!({ "TTL": TTL.as_secs() }))?;
            self.lease = Some(answer["ID"].as_str().ok_or("etcd has answered without a lease")?.to_owned());
        }
        if self.term.is_none() {
            let key = BASE64_STANDARD.encode(&self.key);
            let is_free = json!({ "key": key, "target": "CREATE", "createRevision": "0", "result": "EQUAL" });
            let put = json!({ "requestPut": { "key": key, "value": key, "lease": self.lease } });
            let answer = self.post("kv/txn", &json!({ "compare": [is_free], "success": [put] }))?;
            if answer["succeeded"] != json!(true) {
                return Err("another hub has the lock".to_owned());
            }
            // Each change of etcd has a greater revision than all before.
            let revision = number(&answer["header"]["revision"]).ok_or("etcd has answered without a revision")?;
            self.term = Some(FIRST_TERM | revision);
        }
        let term = self.term.ok_or("the lock was not requested")?;
        // Clocks run at rates that differ by at most 10 %.
        let holds = TTL * 9 / 10;
        Ok(Held { term, until: begun + holds, until_time: begun_time + holds })
    }

    /// Gives the lock to the next hub at once.
    fn release(&mut self) {
        self.term = None;
        if let Some(lease) = self.lease.take() {
            // Otherwise, the lock is over soon.
            let _ = self.post("lease/revoke", &json!({ "ID": lease }));
        }
    }

    fn post(&mut self, path: &str, body: &Value) -> Result<Value, String> {
        let endpoint = self.endpoints.first().ok_or("no endpoint")?.clone();
        let url = format!("{}/v3/{path}", endpoint.trim_end_matches('/'));
        let answer = self.agent.post(&url).send_json(body).and_then(|mut answer| answer.body_mut().read_json());
        answer.map_err(|error| {
            // The next attempt is at another member of the cluster.
            self.endpoints.rotate_left(1);
            if path != "lease/keepalive" {
                // Of a lease that etcd does not know, there is no lock.
                self.lease = None;
            }
            format!("{endpoint}: {error}")
        })
    }
}

/// Returns a number, which the gateway writes as a text.
fn number(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}
