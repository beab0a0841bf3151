//! The keeper of a fleet's herds: its thread and its messages.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use zenoh::sample::Sample;
use zenoh::{Session, Wait as _};

use crate::FleetError;
use crate::change::Change;
use crate::etcd::EtcdLock;
use crate::keys::{self, MemberId};
use crate::network::{network, send_bytes};
use crate::shard::keeper::{Event, Keeper};
use crate::shard::message::{ToKeeper, decode, encode};
use crate::worker::Worker;

/// How often the keeper looks for leases that are over.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The shortest lease: with it, there are two polls of a process between two of its beats.
const MIN_LEASE: Duration = Duration::from_millis(200);
/// The maximum number of messages that wait. The network waits while there are more.
const MAX_WAITING: usize = 4096;
/// The maximum number of herds.
const MAX_HERDS: usize = 64;

/// What arrives at the keeper.
struct Message {
    herd: String,
    from: MemberId,
    content: ToKeeper,
}

/// Starts the keeper of a fleet.
pub(crate) fn keep<C: Fn(&Change) + Send + 'static>(
    session: &Session,
    fleet: &str,
    lease: Duration,
    etcd: Vec<String>,
    changed: impl Fn() -> C,
) -> Result<Worker, FleetError> {
    if lease < MIN_LEASE {
        let (setting, reason) = ("lease".to_owned(), format!("expected at least {MIN_LEASE:?}, found {lease:?}"));
        return Err(FleetError::Setting { setting, reason });
    }
    let (sender, messages) = sync_channel(MAX_WAITING);
    let receive = move |sample: Sample| {
        let Some((herd, from)) = keys::parse_process(sample.key_expr()) else { return };
        let Some(content) = decode(&sample.payload().to_bytes()) else { return };
        // This only fails after the thread has ended.
        let _ = sender.send(Message { herd, from, content });
    };
    session.declare_subscriber(keys::to_keeper(fleet)).callback(receive).background().wait().map_err(network)?;
    let lock = if etcd.is_empty() { None } else { Some(EtcdLock::request(etcd, fleet, changed())?) };
    let (own_term, changed) = (term(), changed());
    let (session, fleet) = (session.clone(), fleet.to_owned());
    Worker::start("bt-fleet keeper", move |stop| {
        let mut herds = None::<Herds>;
        while !stop.is_requested() {
            let term = lock.as_ref().map_or(Some(own_term), EtcdLock::term);
            // With another term, it is another keeper.
            herds = herds.take().filter(|herds| Some(herds.term) == term);
            let is_open = match term {
                Some(term) => {
                    let new = || Herds::new(session.clone(), fleet.clone(), lease, term);
                    let herds = herds.get_or_insert_with(new);
                    let is_open = herds.receive(&messages);
                    herds.poll(&changed);
                    is_open
                }
                // They are for the keeper.
                None => !matches!(messages.recv_timeout(POLL_INTERVAL), Err(RecvTimeoutError::Disconnected)),
            };
            if !is_open {
                break;
            }
        }
    })
}

/// A later keeper has a greater term, if the clock of its machine is right. Otherwise, it takes one that is greater than those of processes.
fn term() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The keepers of all herds.
struct Herds {
    session: Session,
    fleet: String,
    lease: Duration,
    start: Instant,
    term: u64,
    keepers: BTreeMap<String, Keeper>,
}

impl Herds {
    fn new(session: Session, fleet: String, lease: Duration, term: u64) -> Self {
        Self { session, fleet, lease, start: Instant::now(), term, keepers: BTreeMap::new() }
    }

    /// Handles all messages that are there, or waits for one. Returns `false` if there are no more.
    fn receive(&mut self, messages: &Receiver<Message>) -> bool {
        match messages.recv_timeout(POLL_INTERVAL) {
            Ok(message) => self.handle(message),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        for message in messages.try_iter().take(MAX_WAITING) {
            self.handle(message);
        }
        true
    }

    fn handle(&mut self, Message { herd, from, content }: Message) {
        if self.keepers.len() < MAX_HERDS && !self.keepers.contains_key(&herd) {
            // No lease of an earlier keeper holds longer than one from the start of this one.
            self.keepers.insert(herd.clone(), Keeper::new(self.term, self.lease, Duration::ZERO));
        }
        if let Some(keeper) = self.keepers.get_mut(&herd) {
            keeper.received(self.start.elapsed(), &from, content);
        }
    }

    fn poll(&mut self, changed: &impl Fn(&Change)) {
        for (herd, keeper) in &mut self.keepers {
            for (to, message) in keeper.poll(self.start.elapsed()) {
                send_bytes(&self.session, keys::to_process(&self.fleet, herd, &to), encode(&message));
            }
            for event in keeper.events() {
                changed(&match event {
                    Event::Gone { machine, agents } => Change::Recovered { machine, agents },
                    Event::Refused { machine, agent, reason } => Change::Refused { machine, agent, reason },
                    Event::Lost { agents } => Change::Lost { agents },
                    Event::Outranked { term } => Change::NotKeeping {
                        reason: format!(
                            "a process follows another keeper, or has received a forged message, with the term {term}"
                        ),
                    },
                });
            }
        }
    }
}
