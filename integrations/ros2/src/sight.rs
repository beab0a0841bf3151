//! The endpoints of others that DDS has found.

use std::collections::{BTreeMap, BTreeSet};

use rustdds::{DomainParticipant, GUID};

/// The endpoints of others that are alive, by the name of their topic.
///
/// The events of discovery do not say that a program was silent for longer than its lease, as one that has crashed. This does.
pub(crate) struct Sight {
    readers: BTreeMap<String, BTreeSet<GUID>>,
    writers: BTreeMap<String, BTreeSet<GUID>>,
    /// Whether endpoints may have appeared. Otherwise, this only shows which are gone.
    pub(crate) has_news: bool,
}

impl Sight {
    pub(crate) fn of(participant: &DomainParticipant, has_news: bool) -> Self {
        let (mut readers, mut writers) = (BTreeMap::<_, BTreeSet<_>>::new(), BTreeMap::<_, BTreeSet<_>>::new());
        for reader in participant.discovered_readers() {
            let topic = reader.subscription_topic_data.topic_name().clone();
            readers.entry(topic).or_default().insert(reader.reader_proxy.remote_reader_guid);
        }
        for writer in participant.discovered_writers() {
            let topic = writer.publication_topic_data.topic_name;
            writers.entry(topic).or_default().insert(writer.writer_proxy.remote_writer_guid);
        }
        Self { readers, writers, has_news }
    }

    /// Returns who receives a topic.
    pub(crate) fn readers(&self, topic: &str) -> BTreeSet<GUID> {
        self.readers.get(topic).cloned().unwrap_or_default()
    }

    /// Returns who sends a topic.
    pub(crate) fn writers(&self, topic: &str) -> BTreeSet<GUID> {
        self.writers.get(topic).cloned().unwrap_or_default()
    }
}
