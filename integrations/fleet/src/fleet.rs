//! A program that is a member of a fleet.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use bt_inspector::Inspector;
use zenoh::liveliness::LivelinessToken;
use zenoh::{Session, Wait as _};

use crate::events::{self, Event};
use crate::keys::{self, Direction, MemberId, PageId};
use crate::kind::Kind;
use crate::member::Member;
use crate::network::{self, network};
use crate::worker::{Stop, Worker};
use crate::{Config, FleetError};

/// The interval between updates.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// How long the last ticks are sent when the program ends.
const LAST_UPDATES: Duration = Duration::from_secs(5);
/// The size of messages to which updates are joined, in bytes.
const MESSAGE: usize = 1 << 20;
/// The interval at which an inspector is maintained.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);
/// How long a tick that waits at a breakpoint sleeps before it looks again.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A program that publishes its [`Inspector`] to a fleet. Dropping it leaves the fleet and closes the pages, so that agents that are held continue.
pub struct Fleet {
    pub(crate) inspector: Arc<Inspector>,
    pub(crate) name: String,
    pub(crate) machine: String,
    pub(crate) session: Session,
    events: SyncSender<Event>,
    worker: Worker,
}

impl Fleet {
    /// Joins a fleet. This function does not wait for a hub: the machine connects when a hub is there, and reconnects when it comes back.
    ///
    /// Several programs may join with the same name. Each of them is shown.
    ///
    /// # Errors
    ///
    /// Returns an error if a name, an endpoint or the configuration file is invalid, if an endpoint of [`Config::listen`] cannot be bound, or if no thread can be started.
    pub fn join(config: Config) -> Result<Self, FleetError> {
        let Config { fleet, machine, inspector, network: settings } = config;
        keys::check_name("fleet", &fleet)?;
        keys::check_name("machine", &machine)?;
        let inspector = inspector.unwrap_or_else(|| {
            let inspector = Inspector::without_server();
            inspector.waits_by(|| std::thread::sleep(POLL_INTERVAL));
            Arc::new(inspector)
        });
        let session = settings.open()?;
        let id = MemberId { machine: machine.clone(), session: keys::random_id() };
        let (sender, events) = events::subscribe(&session, &fleet, &id)?;
        // A hub that sees the token can send messages: declare it last.
        let token = session.liveliness().declare_token(keys::member_token(&fleet, &id)).wait().map_err(network)?;
        let thread = MemberThread {
            fleet: fleet.clone(),
            id,
            member: Member::new(Arc::clone(&inspector)),
            session: session.clone(),
            _token: token,
        };
        let worker = Worker::start("bt-fleet", move |stop| thread.run(events, stop))?;
        Ok(Self { inspector, name: fleet, machine, session, events: sender, worker })
    }

    /// Returns the inspector, with which the program registers its trees and agents.
    #[must_use]
    pub fn inspector(&self) -> &Inspector {
        &self.inspector
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.worker.stop();
        // If there is no space for the event, the thread does not wait for one.
        let _ = self.events.try_send(Event::Stop);
    }
}

/// The thread that carries the messages of pages.
struct MemberThread {
    fleet: String,
    id: MemberId,
    member: Member,
    session: Session,
    _token: LivelinessToken,
}

impl MemberThread {
    fn run(mut self, events: Receiver<Event>, stop: &Stop) {
        // An inspector with a server is maintained by it.
        let is_maintained = !self.member.inspector.url().is_empty();
        let start = Instant::now();
        let (mut next_frame, mut next_maintenance) = (Duration::ZERO, MAINTENANCE_INTERVAL);
        while !stop.is_requested() {
            let next = if self.member.has_pages() { next_frame.min(next_maintenance) } else { next_maintenance };
            match events.recv_timeout(next.saturating_sub(start.elapsed())) {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let now = start.elapsed();
            if now >= next_maintenance {
                next_maintenance = now + MAINTENANCE_INTERVAL;
                if !is_maintained {
                    self.member.inspector.maintain(now);
                }
            }
            if now >= next_frame {
                next_frame = now + FRAME_INTERVAL;
                self.send_updates(now);
            }
        }
        // The last ticks, for what records them. Other threads may still tick agents.
        let end = start.elapsed() + LAST_UPDATES;
        loop {
            let updates = self.member.last_updates();
            if updates.is_empty() || start.elapsed() > end {
                break;
            }
            self.send(updates);
        }
        // Nothing waits for a thread that has ended: the network does not have to wait for space.
        drop(events);
        let _ = self.session.close().wait();
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Message { page, kind, texts } => self.member.received(page, kind, &texts),
            Event::HubJoined(hub) => self.member.hub_joined(hub),
            Event::HubLeft(hub) => self.member.hub_left(&hub),
            Event::Stop => {}
        }
    }

    fn send_updates(&mut self, now: Duration) {
        let updates = self.member.updates(now);
        self.send(updates);
    }

    fn send(&self, updates: Vec<(PageId, Vec<String>)>) {
        for (page, updates) in updates {
            let key = keys::of_page(&self.fleet, Direction::From, &self.id, &page);
            for texts in joined(updates) {
                network::send(&self.session, key.clone(), Kind::Text, texts);
            }
        }
    }
}

/// Joins texts to messages of about [`MESSAGE`] bytes.
fn joined(updates: Vec<String>) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    for update in updates {
        match messages.last_mut().filter(|last| last.len() + update.len() < MESSAGE) {
            Some(last) => {
                last.push('\n');
                last.push_str(&update);
            }
            None => messages.push(update),
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::{MESSAGE, joined};

    #[test]
    fn texts_are_joined_to_messages_of_limited_size() {
        let text = "x".repeat(MESSAGE / 3);
        let messages = joined(vec![text.clone(), text.clone(), text.clone(), "y".repeat(2 * MESSAGE), text.clone()]);
        let parts: Vec<_> = messages.iter().map(|message| message.split('\n').count()).collect();
        assert_eq!(parts, [2, 1, 1, 1]);
        assert_eq!(messages[0], format!("{text}\n{text}"));
        assert!(joined(Vec::new()).is_empty());
    }
}
