//! The messages between a process and the keeper, over a network.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use zenoh::pubsub::Subscriber;
use zenoh::sample::Sample;
use zenoh::{Session, Wait as _};

use crate::FleetError;
use crate::fleet::Fleet;
use crate::keys::{self, MemberId};
use crate::lock::lock;
use crate::network::{network, send_bytes};
use crate::shard::member::Member;
use crate::shard::message::{ToProcess, decode, encode};
use crate::worker::Worker;

/// How often the thread looks whether a beat is due.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The maximum number of messages that wait. The network waits while there are more.
const MAX_WAITING: usize = 256;

/// What the thread waits for.
enum Event {
    Message(Box<ToProcess>),
    /// There is something to send.
    Wake,
}

/// Carries the messages of a process until it is dropped. Its lease is renewed however long a tick takes.
pub(crate) struct Carrier {
    pub(crate) member: Arc<Mutex<Member>>,
    start: Instant,
    events: SyncSender<Event>,
    _worker: Worker,
    _subscriber: Subscriber<()>,
}

impl Carrier {
    pub(crate) fn start(fleet: &Fleet, herd: &str) -> Result<Self, FleetError> {
        let (events, received) = sync_channel(MAX_WAITING);
        let sender = events.clone();
        let receive = move |sample: Sample| {
            if let Some(message) = decode(&sample.payload().to_bytes()) {
                // This only fails after the thread has ended.
                let _ = sender.send(Event::Message(Box::new(message)));
            }
        };
        let session = fleet.session.clone();
        // A program may take part twice.
        let id = MemberId { machine: fleet.machine.clone(), session: keys::random_id() };
        let subscriber = session.declare_subscriber(keys::to_process(&fleet.name, herd, &id)).callback(receive);
        let subscriber = subscriber.wait().map_err(network)?;
        let (member, start) = (Arc::new(Mutex::new(Member::new())), Instant::now());
        let (carried, key) = (Arc::clone(&member), keys::from_process(&fleet.name, herd, &id));
        let worker = Worker::start("bt-fleet shard", move |stop| {
            while !stop.is_requested() && receive_all(&received, &carried, start) {
                send_all(&session, &key, &carried, start);
            }
        })?;
        Ok(Self { member, start, events, _worker: worker, _subscriber: subscriber })
    }

    /// Returns the time of the process's clock, which leases are measured by.
    pub(crate) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Sends soon what there is to send.
    pub(crate) fn wake(&self) {
        let _ = self.events.try_send(Event::Wake);
    }
}

/// Handles the messages that are there, or waits for one. Returns `false` if there are no more.
fn receive_all(events: &Receiver<Event>, member: &Mutex<Member>, start: Instant) -> bool {
    let first = match events.recv_timeout(POLL_INTERVAL) {
        Ok(event) => Some(event),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => return false,
    };
    for event in first.into_iter().chain(events.try_iter().take(MAX_WAITING)) {
        if let Event::Message(message) = event {
            lock(member).received(start.elapsed(), *message);
        }
    }
    true
}

fn send_all(session: &Session, key: &str, member: &Mutex<Member>, start: Instant) {
    let messages = lock(member).poll(start.elapsed());
    for message in messages {
        send_bytes(session, key.to_owned(), encode(&message));
    }
}
