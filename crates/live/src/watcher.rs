//! The thread that watches the sources of a program.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use bt_behavior3::Diagnostic;

use crate::events::Events;
use crate::message::Message;
use crate::report::Report;
use crate::source_file::SourceFile;

/// The time between two checks of all files where the system reports no changes.
const POLL: Duration = Duration::from_millis(200);
/// The same where it does: an event may be lost, or a network has none.
const SLOW_POLL: Duration = Duration::from_secs(1);

/// What the thread has.
struct Watcher<A> {
    files: BTreeMap<PathBuf, SourceFile>,
    events: Events,
    announce: A,
    inbox: Receiver<Message>,
    outbox: Sender<Message>,
    /// When all files are checked next.
    poll: Instant,
}

/// Starts a thread that watches files. It calls `announce` with each report.
///
/// # Errors
///
/// Returns an error on systems without threads.
pub(crate) fn start(
    events: impl FnOnce(Sender<Message>) -> Events + Send + 'static,
    announce: impl Fn(&Report) + Send + 'static,
) -> io::Result<Sender<Message>> {
    let (outbox, inbox) = channel();
    let given = outbox.clone();
    let run = move || {
        let (files, events, poll) = (BTreeMap::new(), events(outbox.clone()), Instant::now());
        Watcher { files, events, announce, inbox, outbox, poll }.run();
    };
    thread::Builder::new().name(THREAD.to_owned()).spawn(run)?;
    Ok(given)
}

/// The name of the thread.
pub(crate) const THREAD: &str = "bt-live";

/// Returns whether this is the thread that watches, which cannot reply to itself.
pub(crate) fn is_here() -> bool {
    thread::current().name() == Some(THREAD)
}

impl<A: Fn(&Report)> Watcher<A> {
    fn run(mut self) {
        loop {
            let now = Instant::now();
            let next = self.files.values().filter_map(|file| file.next(now)).chain([self.poll]).min();
            let wait = next.map_or(SLOW_POLL, |next| next.saturating_duration_since(now));
            let first = self.inbox.recv_timeout(wait).ok();
            let now = Instant::now();
            let more: Vec<_> = first.into_iter().chain(self.inbox.try_iter()).collect();
            for message in more {
                self.take(message, now);
            }
            if self.poll <= now {
                self.poll = now + if self.events.are_there() { SLOW_POLL } else { POLL };
                self.files.values_mut().for_each(|file| file.poll(now));
            }
            self.work(now);
        }
    }

    fn take(&mut self, message: Message, now: Instant) {
        match message {
            Message::Site(site, path) => {
                self.events.add(&path);
                self.files.entry(path).or_insert_with_key(|path| SourceFile::new(path.clone())).add(site, now);
            }
            Message::Changed(name) => {
                let is_it = |file: &&mut SourceFile| {
                    name.as_deref().is_none_or(|name: &OsStr| file.path().file_name() == Some(name))
                };
                self.files.values_mut().filter(is_it).for_each(|file| file.changed(now));
            }
            Message::Outcome(mut outcome) => {
                for file in self.files.values_mut() {
                    match file.outcome(outcome) {
                        Ok(reports) => return reports.iter().for_each(&self.announce),
                        Err(other) => outcome = other,
                    }
                }
            }
            Message::Report(report) => (self.announce)(&report),
            Message::Sources(reply) => {
                let mut reports = Vec::new();
                let mut watched = Vec::new();
                for file in self.files.values_mut() {
                    // A fault of a parser must not end the thread.
                    drop(catch_unwind(AssertUnwindSafe(|| file.catch_up(now, &mut reports))));
                    watched.push(file.watched());
                }
                drop(reply.send(watched));
                reports.iter().for_each(&self.announce);
            }
            Message::Text { path, text, applies, reply } => {
                let mut reports = Vec::new();
                // A fault of a parser must not end the thread.
                let found = catch_unwind(AssertUnwindSafe(|| match self.files.get_mut(&path) {
                    Some(file) if applies => {
                        let applied = file.apply(&text, now, &mut reports);
                        // From now on, errors are those of this text.
                        reports.extend(file.work(now, &self.outbox));
                        applied
                    }
                    Some(file) => {
                        file.catch_up(now, &mut reports);
                        file.check(&text)
                    }
                    None => Err(vec![Diagnostic::of_tree("", format!("{} is not watched", path.display()))]),
                }));
                let fault = |_| Err(vec![Diagnostic::of_tree("", "the text cannot be read".to_owned())]);
                drop(reply.send(found.unwrap_or_else(fault)));
                reports.iter().for_each(&self.announce);
            }
        }
    }

    fn work(&mut self, now: Instant) {
        for file in self.files.values_mut() {
            // A fault of a parser must not end the thread.
            let work = || file.work(now, &self.outbox);
            let reports = catch_unwind(AssertUnwindSafe(work)).unwrap_or_default();
            if file.is_back() {
                self.events.renew(file.path());
            }
            reports.iter().for_each(&self.announce);
        }
    }
}
