//! What a member does, without a network.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bt_inspector::{CollectFilter, Connection, Inspector, TickStream};

use crate::keys::PageId;
use crate::kind::Kind;

/// The maximum number of open pages and streams.
const MAX_PAGES: usize = 32;
/// The maximum number of hubs that are known.
const MAX_HUBS: usize = 64;
/// The maximum size of a message, in bytes.
pub(crate) const MAX_MESSAGE: usize = 1 << 20;
/// How long a page stays open whose hub does not seem to be there. Its messages can arrive before the news that it is there.
const HUB_TIMEOUT: Duration = Duration::from_secs(10);
/// How long ticks are stored for a hub that is gone and may come back.
const STREAM_TIMEOUT: Duration = Duration::from_secs(60);

/// The pages, and the streams of ticks, that hubs have opened at an inspector.
pub(crate) struct Member {
    pub(crate) inspector: Arc<Inspector>,
    hubs: BTreeSet<String>,
    pages: BTreeMap<PageId, OpenPage>,
}

struct OpenPage {
    opened: Opened,
    /// The time since which its hub is not there.
    absent: Option<Duration>,
    /// Whether its hub has gone, and has not opened it again.
    is_lost: bool,
}

enum Opened {
    Page(Box<Connection>),
    Stream(TickStream),
}

impl Opened {
    /// Returns how long it stays open while its hub is not there.
    const fn timeout(&self) -> Duration {
        match self {
            Self::Page(_) => HUB_TIMEOUT,
            Self::Stream(_) => STREAM_TIMEOUT,
        }
    }

    fn updates(&mut self, now: Duration) -> Vec<String> {
        match self {
            Self::Page(connection) => connection.updates(now),
            Self::Stream(stream) => stream.updates(),
        }
    }
}

impl Member {
    pub(crate) fn new(inspector: Arc<Inspector>) -> Self {
        Self { inspector, hubs: BTreeSet::new(), pages: BTreeMap::new() }
    }

    pub(crate) fn has_pages(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Handles a message. What is unknown or too much is ignored.
    pub(crate) fn received(&mut self, page: PageId, kind: Kind, texts: &str) {
        let has_room = self.pages.len() < MAX_PAGES || self.pages.contains_key(&page);
        match kind {
            // A hub opens a page again if it has not seen this member meanwhile. The page then starts over.
            Kind::Open if has_room => self.open(page, Opened::Page(Box::new(self.inspector.connect()))),
            // Of a stream, all stored ticks are sent again: those that were sent last may not have arrived.
            Kind::Collect if has_room => {
                if let Ok(filter) = serde_json::from_str::<CollectFilter>(texts) {
                    self.open(page, Opened::Stream(self.inspector.collect(filter)));
                }
            }
            Kind::Open | Kind::Collect => {}
            Kind::Text if texts.len() > MAX_MESSAGE => {}
            Kind::Text => {
                if let Some(OpenPage { opened: Opened::Page(connection), .. }) = self.pages.get_mut(&page) {
                    texts.split('\n').for_each(|text| connection.receive(text));
                }
            }
            Kind::Close => _ = self.pages.remove(&page),
        }
    }

    fn open(&mut self, page: PageId, opened: Opened) {
        self.pages.insert(page, OpenPage { opened, absent: None, is_lost: false });
    }

    pub(crate) fn hub_joined(&mut self, hub: String) {
        if self.hubs.len() < MAX_HUBS {
            self.hubs.insert(hub);
        }
    }

    /// Closes the pages of a hub, so that agents that are held continue. Its streams store ticks for a while, and send nothing until the hub opens them again.
    pub(crate) fn hub_left(&mut self, hub: &str) {
        self.hubs.remove(hub);
        self.pages.retain(|page, open| page.hub != hub || matches!(open.opened, Opened::Stream(_)));
        for (_, open) in self.pages.iter_mut().filter(|(page, _)| page.hub == hub) {
            open.is_lost = true;
        }
    }

    /// Returns what streams have not sent yet, a part at a time, when the program ends.
    pub(crate) fn last_updates(&mut self) -> Vec<(PageId, Vec<String>)> {
        let streams = self.pages.iter_mut().filter_map(|(page, open)| match &mut open.opened {
            Opened::Stream(stream) if !open.is_lost => Some((page.clone(), stream.updates())),
            _ => None,
        });
        streams.filter(|(_, updates)| !updates.is_empty()).collect()
    }

    /// Returns what has changed for each page, if anything. `now` is the time since any fixed moment.
    pub(crate) fn updates(&mut self, now: Duration) -> Vec<(PageId, Vec<String>)> {
        let hubs = &self.hubs;
        self.pages.retain(|page, OpenPage { opened, absent, is_lost }| {
            if hubs.contains(&page.hub) && !*is_lost {
                *absent = None;
                return true;
            }
            now.saturating_sub(*absent.get_or_insert(now)) < opened.timeout()
        });
        // What is sent to a hub that is not there is lost.
        let is_there = |page: &PageId, open: &OpenPage| match open.opened {
            Opened::Page(_) => true,
            Opened::Stream(_) => hubs.contains(&page.hub) && !open.is_lost,
        };
        let present = self.pages.iter_mut().filter(|(page, open)| is_there(page, open));
        let updates = present.map(|(page, open)| (page.clone(), open.opened.updates(now)));
        updates.filter(|(_, updates)| !updates.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use bt_core::prelude::*;

    use super::*;

    fn member() -> Member {
        Member::new(Arc::new(Inspector::without_server()))
    }

    fn page(hub: &str, page: u64) -> PageId {
        PageId { hub: hub.to_owned(), page }
    }

    #[test]
    fn a_page_is_greeted_answered_and_closed() {
        let mut member = member();
        assert_eq!(member.updates(secs(0)), []);
        member.received(page("h", 1), Kind::Text, "{\"select\":7}");
        assert!(!member.has_pages(), "the page is not open");
        member.received(page("h", 1), Kind::Open, "");
        member.received(page("h", 1), Kind::Text, "{\"select\":7}\n{\"select\":8}");
        let updates = member.updates(secs(0));
        let [(id, texts)] = updates.as_slice() else { panic!("{updates:?}") };
        assert_eq!(*id, page("h", 1));
        assert!(texts[0].starts_with("{\"hello\":"), "{texts:?}");
        let texts = texts.join("\n");
        assert!(texts.contains("unknown agent 7") && texts.contains("unknown agent 8"), "{texts}");
        member.received(page("h", 1), Kind::Close, "");
        assert_eq!((member.updates(secs(1)), member.inspector.pages()), (vec![], 0));
    }

    #[test]
    fn pages_and_messages_are_bounded() {
        let mut member = member();
        for number in 0..40 {
            member.received(page("h", number), Kind::Open, "");
        }
        assert_eq!(member.inspector.pages(), MAX_PAGES);
        member.updates(secs(0));
        member.received(page("h", 3), Kind::Open, "");
        assert_eq!(member.inspector.pages(), MAX_PAGES, "it replaces itself");
        assert!(member.updates(secs(0)).iter().any(|(id, texts)| *id == page("h", 3) && texts[0].contains("hello")));
        member.received(page("h", 1), Kind::Text, &"x".repeat(MAX_MESSAGE + 1));
        assert!(!format!("{:?}", member.updates(secs(0))).contains("too long"), "it was not parsed");
        member.received(page("h", 1), Kind::Text, &"x".repeat(MAX_MESSAGE));
        assert!(format!("{:?}", member.updates(secs(0))).contains("too long"));
    }

    #[test]
    fn the_hubs_that_are_known_are_bounded() {
        let mut member = member();
        (0..1000).for_each(|number| member.hub_joined(format!("{number:016x}")));
        assert_eq!(member.hubs.len(), MAX_HUBS);
    }

    #[test]
    fn agents_that_are_held_continue_when_the_hub_leaves() {
        let mut member = member();
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let ann = member.inspector.agent(member.inspector.tree("counter", &tree), "Ann");
        member.hub_joined("h".to_owned());
        member.hub_joined("other".to_owned());
        member.received(page("h", 1), Kind::Open, "");
        member.received(page("h", 1), Kind::Text, "{\"select\":0}\n{\"pause\":0}");
        assert!(ann.is_held());
        member.hub_left("other");
        assert!(ann.is_held());
        member.hub_left("h");
        assert!(!ann.is_held());
    }

    #[test]
    fn a_page_of_a_hub_that_is_not_there_is_closed() {
        let mut member = member();
        member.received(page("h", 1), Kind::Open, "");
        member.received(page("gone", 1), Kind::Open, "");
        member.updates(secs(5));
        member.hub_joined("h".to_owned());
        member.updates(secs(14));
        assert_eq!(member.inspector.pages(), 2);
        member.updates(secs(15));
        assert_eq!(member.inspector.pages(), 1);
    }

    #[test]
    fn a_stream_stores_ticks_while_its_hub_is_away_for_a_minute() {
        let mut member = member();
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut ann = member.inspector.agent(member.inspector.tree("counter", &tree), "Ann");
        member.received(page("h", 0), Kind::Collect, "no filter");
        assert!(!member.has_pages());
        member.hub_joined("h".to_owned());
        member.received(page("h", 0), Kind::Collect, "{}");
        assert_eq!((member.inspector.pages(), ann.is_asleep()), (0, false));
        let mut tick = |member: &mut Member, seconds| {
            tree.tick_with(&mut 0, &mut tree.memory(), &mut ann);
            let updates = member.updates(secs(seconds));
            updates.into_iter().flat_map(|(_, texts)| texts).filter(|text| text.starts_with("{\"tick\"")).count()
        };
        assert_eq!(tick(&mut member, 0), 1);
        member.hub_left("h");
        assert_eq!(tick(&mut member, 1), 0, "it would be lost");
        member.hub_joined("h".to_owned());
        assert_eq!(tick(&mut member, 2), 0, "what is sent now would make those before old");
        member.received(page("h", 0), Kind::Collect, "{}");
        assert_eq!(tick(&mut member, 50), 4, "all that is stored");
        member.hub_left("h");
        assert_eq!((tick(&mut member, 51), tick(&mut member, 111)), (0, 0));
        assert!(!member.has_pages() && ann.is_asleep());
    }
}
