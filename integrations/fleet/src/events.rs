//! What a member's thread waits for.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait as _};

use crate::FleetError;
use crate::keys::{self, MemberId, PageId};
use crate::kind::Kind;
use crate::member::MAX_MESSAGE;
use crate::network::network;

/// The maximum number of events that wait. The network waits while there are more.
const MAX_EVENTS: usize = 256;

/// What a member's thread waits for.
pub(crate) enum Event {
    Message {
        page: PageId,
        kind: Kind,
        texts: String,
    },
    HubJoined(String),
    HubLeft(String),
    /// The program leaves the fleet.
    Stop,
}

impl Event {
    /// Returns the event of a message, or `None` if no hub sends such a message.
    fn of_message(sample: &Sample) -> Option<Self> {
        let (_, page) = keys::parse_page(sample.key_expr())?;
        let kind = Kind::of(&sample.attachment()?.to_bytes())?;
        if sample.payload().len() > MAX_MESSAGE {
            return None;
        }
        Some(Self::Message { page, kind, texts: sample.payload().try_to_string().ok()?.into_owned() })
    }

    fn of_hub(sample: &Sample) -> Option<Self> {
        let hub = keys::parse_hub(sample.key_expr())?;
        Some(match sample.kind() {
            SampleKind::Put => Self::HubJoined(hub),
            SampleKind::Delete => Self::HubLeft(hub),
        })
    }
}

/// Receives the messages to a member, and which hubs are there, until the session closes.
pub(crate) fn subscribe(
    session: &Session,
    fleet: &str,
    member: &MemberId,
) -> Result<(SyncSender<Event>, Receiver<Event>), FleetError> {
    let (sender, events) = sync_channel(MAX_EVENTS);
    // Sending only fails after the thread has ended.
    let send = |event: fn(&Sample) -> Option<Event>| {
        let sender = sender.clone();
        move |sample: Sample| _ = event(&sample).map(|event| sender.send(event))
    };
    let messages = session.declare_subscriber(keys::to_member(fleet, member)).callback(send(Event::of_message));
    messages.background().wait().map_err(network)?;
    let hubs = session.liveliness().declare_subscriber(keys::all_hubs(fleet)).history(true);
    hubs.callback(send(Event::of_hub)).background().wait().map_err(network)?;
    Ok((sender, events))
}
