//! The macros of the program that are watched.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bt_behavior3::Diagnostic;
use bt_dynamic::compiled::{Site, on_invalid};

use crate::announce::announce;
use crate::events::Events;
use crate::message::Message;
use crate::report::{Report, ReportKind};
use crate::trees::place;
use crate::{location, watcher};

/// A source file as the compiler names it, and the folder of its package.
type Named = (&'static str, Option<&'static str>);

/// What is known of the program.
struct Program {
    /// `None` if the thread was not needed or cannot be started.
    thread: Option<Sender<Message>>,
    /// Source files, if they are on this machine.
    files: Option<HashMap<Named, Option<PathBuf>>>,
    /// Whether it was reported that sources are not visible.
    is_blind: bool,
    /// The macros of which it was reported that their trees stay as compiled.
    fixed: Option<HashSet<usize>>,
}

static PROGRAM: Mutex<Program> = Mutex::new(Program { thread: None, files: None, is_blind: false, fixed: None });

fn program() -> MutexGuard<'static, Program> {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether a tree of a macro can follow its source. The first call begins to watch it. `own` says for each node of the user whether its form is known.
///
/// Expansions call it.
pub fn is_live(site: &'static Site, own: &[bool]) -> bool {
    if own.contains(&false) {
        stays(site, OPAQUE);
        return false;
    }
    // Where its source is not visible, it stays as it was compiled.
    site.begin(watch);
    true
}

/// Reports that a tree stays as compiled, because its tokens come from a macro. Expansions call it.
pub fn is_generated(site: &'static Site) {
    stays(site, GENERATED);
}

/// Reports once that a tree stays as compiled.
fn stays(site: &'static Site, reason: &'static str) {
    if program().fixed.get_or_insert_default().insert(site.id()) {
        let file = location::file(site).unwrap_or_else(|| PathBuf::from(site.file));
        say(Report::new(file, place(site), ReportKind::Unseen { reason }));
    }
}

const GENERATED: &str = "the tree stays as compiled: its tokens come from a macro";
const OPAQUE: &str = "the tree stays as compiled: a node of your own is not the result of `decorate` or `compose`, or its state cannot be saved";
const BLIND: &str = "trees stay as compiled: their sources cannot be found";
const ALONE: &str = "trees stay as compiled: no thread can watch their sources";

/// Reports a literal in a closure that has no value of its type.
fn invalid(site: &'static Site, reason: String) {
    let file = location::file(site).unwrap_or_else(|| PathBuf::from(site.file));
    let errors = vec![Diagnostic::at(place(site), reason)];
    say(Report::new(file, place(site), ReportKind::Refused { errors }));
}

/// Begins to watch the source of a macro.
fn watch(site: &'static Site) {
    on_invalid(invalid);
    let mut program = program();
    let files = program.files.get_or_insert_default();
    let file = files.entry((site.file, site.folder)).or_insert_with(|| location::file(site)).clone();
    let started = file.ok_or(BLIND).and_then(|file| {
        let thread = match program.thread.take() {
            Some(thread) => thread,
            None => watcher::start(Events::new, announce).map_err(|_| ALONE)?,
        };
        let sent = thread.send(Message::Site(site, file)).map_err(|_| ALONE);
        program.thread = Some(thread);
        sent
    });
    let Err(reason) = started else { return };
    let is_first = !std::mem::replace(&mut program.is_blind, true);
    drop(program);
    if is_first {
        say(Report::new(Path::new(site.file).to_path_buf(), place(site), ReportKind::Unseen { reason }));
    }
}

/// The maximum time for a reply of the thread.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends a request to the thread that watches. Returns `None` if there is none, and on that thread itself.
pub(crate) fn ask<T>(question: impl FnOnce(Sender<T>) -> Message) -> Option<T> {
    if watcher::is_here() {
        return None;
    }
    let thread = program().thread.clone()?;
    let (reply, answer) = channel();
    thread.send(question(reply)).ok()?;
    answer.recv_timeout(PATIENCE).ok()
}

/// Reports on the thread that watches, if there is one: the receiver may evaluate trees.
fn say(report: Report) {
    let thread = program().thread.clone();
    let left = match thread {
        Some(thread) => thread.send(Message::Report(report)).err().map(|error| error.0),
        None => Some(Message::Report(report)),
    };
    if let Some(Message::Report(report)) = left {
        announce(&report);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::{ask, program, watcher};

    #[test]
    fn the_thread_that_watches_does_not_wait_for_its_own_reply() {
        let (sender, _messages) = channel();
        program().thread = Some(sender);
        let asks = || ask::<()>(|_| unreachable!("nothing is sent"));
        let watcher = thread::Builder::new().name(watcher::THREAD.to_owned()).spawn(asks);
        assert_eq!(watcher.expect("there are threads").join().expect("nothing was sent"), None);
        program().thread = None;
    }
}
