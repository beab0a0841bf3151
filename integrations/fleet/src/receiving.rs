//! What members send, and which of them are there: for a hub, and for what records them.

use std::sync::Arc;

use zenoh::liveliness::LivelinessToken;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait as _};

use crate::FleetError;
use crate::keys::{self, MemberId};
use crate::kind::Kind;
use crate::network::network;

/// Receives what members send. Threads of the network call it.
pub(crate) trait Receiver: Send + Sync + 'static {
    /// Called when a member has come.
    fn joined(&self, member: MemberId);

    /// Called when a member has gone.
    fn left(&self, member: &MemberId);

    /// Called with texts of a page, or of a stream, separated by line feeds.
    fn received(&self, member: &MemberId, page: u64, texts: &str);
}

/// Receives what members send to a hub with this id, until the session closes. Returns the token with which members see the hub. What no member sends is ignored.
pub(crate) fn receive(
    session: &Session,
    fleet: &str,
    hub: &str,
    receiver: &Arc<impl Receiver>,
) -> Result<LivelinessToken, FleetError> {
    let to = Arc::clone(receiver);
    let messages = session.declare_subscriber(keys::from_members(fleet, hub));
    messages.callback(move |sample| _ = message(&*to, &sample)).background().wait().map_err(network)?;
    let token = session.liveliness().declare_token(keys::hub_token(fleet, hub)).wait().map_err(network)?;
    let to = Arc::clone(receiver);
    let see = move |sample: Sample| {
        let Some(member) = keys::parse_member(sample.key_expr()) else { return };
        match sample.kind() {
            SampleKind::Put => to.joined(member),
            SampleKind::Delete => to.left(&member),
        }
    };
    let members = session.liveliness().declare_subscriber(keys::all_members(fleet)).history(true);
    members.callback(see).background().wait().map_err(network)?;
    Ok(token)
}

fn message(to: &impl Receiver, sample: &Sample) -> Option<()> {
    let (member, page) = keys::parse_page(sample.key_expr())?;
    if Kind::of(&sample.attachment()?.to_bytes())? == Kind::Text {
        to.received(&member, page.page, &sample.payload().try_to_string().ok()?);
    }
    Some(())
}
