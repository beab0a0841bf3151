//! The thread that records the agents of all machines.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use zenoh::Session;

use crate::change::Change;
use crate::keys::{self, Direction, MemberId, PageId};
use crate::kind::Kind;
use crate::receiving::{Receiver, receive};
use crate::recordings::folder::Folder;
use crate::recordings::members::Recordings;
use crate::worker::Worker;
use crate::{FleetError, RecordConfig, network};

/// How often what was received is written.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum number of messages that wait. The network waits while there are more.
const MAX_WAITING: usize = 1024;
/// The smallest limit of a folder, in bytes.
const MIN_LIMIT: u64 = 1_000_000;

/// What arrives at the recorder.
enum Event {
    Joined(MemberId),
    Left(MemberId),
    Text(MemberId, String),
}

impl Receiver for SyncSender<Event> {
    fn joined(&self, member: MemberId) {
        // This only fails after the thread has ended, here and below.
        let _ = self.send(Event::Joined(member));
    }

    fn left(&self, member: &MemberId) {
        let _ = self.send(Event::Left(member.clone()));
    }

    fn received(&self, member: &MemberId, _: u64, texts: &str) {
        let _ = self.send(Event::Text(member.clone(), texts.to_owned()));
    }
}

/// Starts recording the members of a fleet.
pub(crate) fn record(
    session: &Session,
    fleet: &str,
    config: RecordConfig,
    changed: impl Fn(&Change) + Send + 'static,
) -> Result<Worker, FleetError> {
    let RecordConfig { folder: path, limit, filter } = config;
    if limit < MIN_LIMIT {
        let reason = format!("expected at least {MIN_LIMIT} bytes, found {limit}");
        return Err(FleetError::Setting { setting: "limit of recordings".to_owned(), reason });
    }
    // A filter is plain data.
    let filter = serde_json::to_string(&filter).unwrap_or_default();
    let open = Folder::open(path.clone(), limit);
    let mut recordings = Recordings::new(open.map_err(|error| FleetError::Folder { folder: path, error })?);
    let (sender, events) = sync_channel(MAX_WAITING);
    let id = keys::random_id();
    let token = receive(session, fleet, &id, &Arc::new(sender))?;
    let (session, fleet) = (session.clone(), fleet.to_owned());
    Worker::start("bt-fleet recording", move |stop| {
        let (start, mut next_flush) = (Instant::now(), Duration::ZERO);
        let report = |result: io::Result<()>| {
            if let Err(error) = result {
                changed(&Change::Unrecorded { reason: error.to_string() });
            }
        };
        while !stop.is_requested() {
            match events.recv_timeout(FLUSH_INTERVAL) {
                Ok(Event::Joined(member)) => {
                    if recordings.joined(&member) {
                        let page = PageId { hub: id.clone(), page: 0 };
                        let key = keys::of_page(&fleet, Direction::To, &member, &page);
                        network::send(&session, key, Kind::Collect, filter.clone());
                    }
                }
                Ok(Event::Left(member)) => report(recordings.left(&member, start.elapsed())),
                Ok(Event::Text(member, texts)) => report(recordings.received(&member, &texts, start.elapsed())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if start.elapsed() >= next_flush {
                next_flush = start.elapsed() + FLUSH_INTERVAL;
                report(recordings.flush(start.elapsed()));
            }
        }
        drop(token);
        report(recordings.flush(start.elapsed()));
    })
}
