//! What is recorded of each member.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use bt_inspector::TickCollector;

use super::folder::Folder;
use crate::keys::MemberId;

/// The maximum number of members that are recorded, and of those that have gone and may come back.
const MAX_MEMBERS: usize = 1024;
const MAX_GONE: usize = 256;
/// How long nothing is recorded after the folder could not be written.
const PAUSE: Duration = Duration::from_secs(10);

/// The members that are recorded, in one folder.
pub(crate) struct Recordings {
    folder: Folder,
    members: BTreeMap<MemberId, TickCollector>,
    /// Members whose connection was lost, in order. They send again what may not have arrived.
    gone: Vec<(MemberId, TickCollector)>,
    /// Until when nothing is recorded.
    paused: Option<Duration>,
}

impl Recordings {
    pub(crate) const fn new(folder: Folder) -> Self {
        Self { folder, members: BTreeMap::new(), gone: Vec::new(), paused: None }
    }

    /// Adds a member. Returns whether it is to be recorded.
    pub(crate) fn joined(&mut self, member: &MemberId) -> bool {
        if self.members.len() >= MAX_MEMBERS && !self.members.contains_key(member) {
            return false;
        }
        let before = self.gone.iter().position(|(gone, _)| gone == member);
        let collector = before.map_or_else(TickCollector::new, |index| self.gone.remove(index).1);
        self.members.entry(member.clone()).or_insert(collector);
        true
    }

    /// Called when a member has gone. It may come back.
    pub(crate) fn left(&mut self, member: &MemberId, now: Duration) -> io::Result<()> {
        let mut result = Ok(());
        if let Some(collector) = self.members.remove(member) {
            if self.gone.len() == MAX_GONE {
                let (forgotten, _) = self.gone.remove(0);
                result = self.folder.forget(&forgotten);
            }
            self.gone.push((member.clone(), collector));
        }
        let result = result.and(self.folder.left(member));
        self.paused_after(result, now)
    }

    /// Writes what a member has sent. After an error, nothing is written for a while.
    pub(crate) fn received(&mut self, member: &MemberId, texts: &str, now: Duration) -> io::Result<()> {
        let Some(collector) = self.members.get_mut(member) else { return Ok(()) };
        for text in texts.split('\n') {
            let tick = collector.receive(text);
            if self.paused.is_some_and(|until| now < until) {
                continue;
            }
            let Some(tick) = tick else { continue };
            if let Err(error) = self.folder.write(member, &tick) {
                return self.paused_after(Err(error), now);
            }
        }
        Ok(())
    }

    /// Writes all that is not written yet.
    pub(crate) fn flush(&mut self, now: Duration) -> io::Result<()> {
        if self.paused.is_some_and(|until| now < until) {
            return Ok(());
        }
        let result = self.folder.flush();
        self.paused_after(result, now)
    }

    /// Pauses after an error.
    fn paused_after(&mut self, result: io::Result<()>, now: Duration) -> io::Result<()> {
        if result.is_err() {
            self.paused = Some(now + PAUSE);
        }
        result
    }
}
