//! What the system reports of changed files, where it does.

use std::path::Path;
use std::sync::mpsc::Sender;
#[cfg(not(target_family = "wasm"))]
use std::{
    collections::HashSet,
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

#[cfg(not(target_family = "wasm"))]
use notify::{
    EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};

use crate::message::Message;

/// What the system reports of changed files. Folders are watched: most editors write another file and rename it.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct Events {
    /// `None` where files are polled.
    watcher: Option<RecommendedWatcher>,
    folders: HashSet<PathBuf>,
    names: Names,
}

/// The names of files that are watched.
#[cfg(not(target_family = "wasm"))]
type Names = Arc<Mutex<HashSet<OsString>>>;

#[cfg(not(target_family = "wasm"))]
impl Events {
    /// Creates events that are sent as messages.
    pub(crate) fn new(outbox: Sender<Message>) -> Self {
        let names = Names::default();
        let known = Arc::clone(&names);
        let handler = move |event: notify::Result<notify::Event>| {
            for name in changed(event, &known.lock().unwrap_or_else(PoisonError::into_inner)) {
                drop(outbox.send(Message::Changed(name)));
            }
        };
        Self { watcher: notify::recommended_watcher(handler).ok(), folders: HashSet::new(), names }
    }

    /// Creates none: files are polled.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        Self { watcher: None, folders: HashSet::new(), names: Names::default() }
    }

    pub(crate) const fn are_there(&self) -> bool {
        self.watcher.is_some()
    }

    /// Watches a file.
    pub(crate) fn add(&mut self, file: &Path) {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).extend(file.file_name().map(OsString::from));
        if let Some(folder) = file.parent()
            && self.folders.insert(folder.to_path_buf())
        {
            self.watch(folder);
        }
    }

    /// Watches the folder of a file again, which may be another one of the same name.
    pub(crate) fn renew(&mut self, file: &Path) {
        let Some(folder) = file.parent() else { return };
        if let Some(watcher) = &mut self.watcher {
            // It is an error if it does not exist anymore.
            drop(watcher.unwatch(folder));
            self.watch(folder);
        }
    }

    fn watch(&mut self, folder: &Path) {
        let mode = RecursiveMode::NonRecursive;
        // There is a limit of folders that a user can watch.
        self.watcher.take_if(|watcher| watcher.watch(folder, mode).is_err());
    }
}

/// Returns the names of watched files that may have changed; `None` for all.
#[cfg(not(target_family = "wasm"))]
fn changed(event: notify::Result<notify::Event>, known: &HashSet<OsString>) -> Vec<Option<OsString>> {
    let Ok(event) = event else { return vec![None] };
    match event.kind {
        // Reading a file is such an event.
        EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write) => Vec::new(),
        _ if event.need_rescan() => vec![None],
        _ => {
            let names = event.paths.iter().filter_map(|path| path.file_name());
            names.filter(|name| known.contains(*name)).map(|name| Some(name.to_owned())).collect()
        }
    }
}

/// There are none.
#[cfg(target_family = "wasm")]
pub(crate) struct Events;

#[cfg(target_family = "wasm")]
impl Events {
    pub(crate) fn new(_: Sender<Message>) -> Self {
        Self
    }

    pub(crate) const fn are_there(&self) -> bool {
        false
    }

    pub(crate) fn add(&mut self, _: &Path) {}

    pub(crate) fn renew(&mut self, _: &Path) {}
}
