//! A file whose tree is reloaded when the file changes.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::editable::EditableOf;
use crate::error::LoadError;
use crate::followed::Followed;
use crate::live_tree::LiveTreeOf;
use crate::load::registry::RegistryOf;
use crate::tree::LoadedTreeOf;
use crate::versions::ChangeOf;
use bt_core::{Contexts, Single};

/// The time that a file must be invalid or missing before that is an error: an editor may write it in pieces, or remove it before it writes the new
/// one.
const SETTLE: Duration = Duration::from_millis(200);

/// A file whose tree is reloaded when the file changes. Its methods are those of [`FileTreeOf`].
pub type FileTree<C> = FileTreeOf<Single<C>>;

/// A file whose tree is reloaded when the file changes. With the feature `text`, a file whose name ends with `.bt` contains the text of
/// a `tree!`. A file whose name ends with `.xml` is XML of BehaviorTree.CPP, which the crate `bt-btcpp` reads. A change of a file that it includes is not
/// noticed.
///
/// If [`ChangeOf::apply`](crate::ChangeOf::apply) is not called for an agent, the agent migrates to the new tree in its next tick. Migration works across the last 8 changes. After more changes
/// without a tick, the agent starts a new run, and its running nodes are not halted.
///
/// ```no_run
/// use bt_dynamic::{FileTree, Registry};
/// use bt_core::prelude::*;
///
/// struct Npc;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut registry = Registry::<Npc>::new();
/// registry.add_leaf("Walk", |_: &mut Npc| Status::Running);
/// let mut file = FileTree::open("npc.b3.json", registry)?;
/// let (mut npc, mut memory) = (Npc, file.tree().memory());
/// loop {
///     match file.poll() {                                         // queries the file system; call it occasionally
///         Some(Ok(change)) => _ = change.apply(&mut memory, &mut npc),  // for each agent
///         Some(Err(error)) => eprintln!("{error}"),               // the old tree stays
///         None => {}
///     }
///     file.tree().tick(&mut npc, &mut memory);
/// }
/// # }
/// ```
///
/// Recordings to files and the inspector follow a change by themselves, with the next tick that they observe.
pub struct FileTreeOf<F: Contexts> {
    path: PathBuf,
    registry: Arc<RegistryOf<F>>,
    live: LiveTreeOf<F>,
    current: Arc<LoadedTreeOf<F>>,
    /// The version of the file that was read last; `None` if there was no file.
    seen: Option<Stamp>,
    /// The texts that are known.
    followed: Arc<Followed>,
    /// The error of the version that was read last, and since when it has that version. `None` once it is reported.
    error: Option<(FileError, Instant)>,
}

/// The error for a file that cannot be loaded.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub reason: Reason,
}

/// The reason why a file cannot be loaded.
#[derive(Debug)]
pub enum Reason {
    /// The file cannot be read.
    Io(std::io::Error),
    /// The content is invalid.
    Load(LoadError),
}

impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.reason {
            Reason::Io(error) => write!(out, "{path}: {error}"),
            // As a compiler writes it, so that an editor finds the place.
            Reason::Load(LoadError::Invalid(errors)) if errors.iter().any(|error| error.place.is_some()) => {
                for (index, error) in errors.iter().enumerate() {
                    let between = if error.place.is_some() { ":" } else { ": " };
                    write!(out, "{}{path}{between}{error}", if index == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
            Reason::Load(error) => write!(out, "{path}: {error}"),
        }
    }
}

impl std::error::Error for FileError {}

impl<F: Contexts> FileTreeOf<F> {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is invalid.
    pub fn open(path: impl Into<PathBuf>, registry: RegistryOf<F>) -> Result<Self, FileError> {
        let (path, registry) = (path.into(), Arc::new(registry));
        let seen = stamp(&path);
        let text = read(&path)?;
        let followed = Arc::new(Followed::new(&path, &text));
        let (live, current) = LiveTreeOf::of(load(&path, &text, &registry)?);
        Ok(Self { path, registry, live, current, seen, followed, error: None })
    }

    /// Returns the current tree.
    pub fn tree(&self) -> &LoadedTreeOf<F> {
        &self.current
    }

    /// Returns the current tree as a shared pointer.
    pub fn shared(&self) -> Arc<LoadedTreeOf<F>> {
        Arc::clone(&self.current)
    }

    /// Returns a node with the current tree of the file: for herds, for agents with a memory of their own, and for surrounding trees. [`poll`](Self::poll) updates the
    /// tree.
    ///
    /// ```no_run
    /// use bt_dynamic::{FileTree, Registry};
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Clone)]
    /// struct Npc;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let registry = Registry::<Npc>::new();
    /// let mut file = FileTree::open("npc.b3.json", registry)?;
    /// let mut herd = Herd::new(file.live());
    /// let mut npcs = vec![Npc; 1000];
    /// let keys: Vec<_> = npcs.iter().map(|_| herd.add()).collect();
    /// # let now = secs(0);
    /// if let Some(Ok(change)) = file.poll() {
    ///     for (key, npc) in keys.iter().zip(&mut npcs) {
    ///         let (_, memory) = herd.get_mut(*key).unwrap();
    ///         let migrated = change.apply(memory, npc); // without it, an agent migrates in its next tick
    ///         assert!(!migrated.starts_afresh);
    ///     }
    ///     herd.wake_all();
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn live(&self) -> LiveTreeOf<F> {
        self.live.clone()
    }

    /// Returns the tree of the file for an editor, which replaces the tree without writing the file. The next [`poll`](Self::poll) returns the change. The edited tree
    /// remains until the file changes. If the file then contains the text that the editor applied, nothing happens.
    ///
    /// ```
    /// use bt_dynamic::{FileTree, Registry};
    /// use bt_core::prelude::*;
    ///
    /// let mut registry = Registry::<u32>::new();
    /// registry.add_leaf("Walk", |steps: &mut u32| *steps += 1).add_leaf("Run", |steps: &mut u32| *steps += 10);
    /// let file = |leaf| format!(r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{leaf}" }} }} }}"#);
    ///
    /// let path = std::env::temp_dir().join(format!("editable-{}.json", std::process::id()));
    /// std::fs::write(&path, file("Walk"))?;
    /// let mut walker = FileTree::open(&path, registry)?;
    /// walker.editable().apply(&file("Run"))?;
    /// assert!(walker.poll().is_some_and(|change| change.is_ok()));
    /// let mut steps = 0;
    /// walker.tree().tick(&mut steps, &mut walker.tree().memory());
    /// assert_eq!(steps, 10);
    /// assert!(walker.poll().is_none()); // the file has not changed
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn editable(&self) -> EditableOf<F> {
        EditableOf::new(self.live(), Arc::clone(&self.registry)).of_file(Arc::clone(&self.followed))
    }

    /// Loads the file if it has changed since the last call. If that fails, retains the old tree.
    ///
    /// Each change is returned once. A program may still be writing the file, so an error is returned only if the file has not changed for 200 ms. A
    /// missing file is such an error, too.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn poll(&mut self) -> Option<Result<ChangeOf<F>, FileError>> {
        if let Some(new) = self.live.tree().filter(|tree| !Arc::ptr_eq(tree, &self.current)) {
            let old = std::mem::replace(&mut self.current, Arc::clone(&new));
            return Some(Ok(ChangeOf { old, new }));
        }
        let now = stamp(&self.path);
        if now != self.seen {
            self.seen = now;
            self.error = None;
            match self.reload() {
                Ok(change) => return change.map(Ok),
                Err(error) => self.error = Some((error, Instant::now())),
            }
        }
        let (error, _) = self.error.take_if(|(_, since)| since.elapsed() >= SETTLE)?;
        self.followed.forget();
        Some(Err(error))
    }

    /// Loads the file. Returns `None` if its text is known.
    fn reload(&mut self) -> Result<Option<ChangeOf<F>>, FileError> {
        let Self { path, registry, live, .. } = self;
        let take = |text: &str| Ok(live.replace(load(path, text, registry)?));
        let change = self.followed.take(|| read(path), take)?.flatten();
        if let Some(change) = &change {
            self.current = Arc::clone(&change.new);
        }
        Ok(change)
    }
}

/// Identifies one version of a file, without reading it where the system allows that.
#[derive(PartialEq)]
struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
    /// The inode and the time of its last change, which programs cannot set.
    #[cfg(unix)]
    inode: [i64; 3],
    /// On other systems, a hash of the content.
    #[cfg(not(unix))]
    content: u64,
}

#[cfg(unix)]
fn stamp(path: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let about = fs::metadata(path).ok()?;
    let inode = [about.ino().cast_signed(), about.ctime(), about.ctime_nsec()];
    Some(Stamp { modified: about.modified().ok(), len: about.len(), inode })
}

#[cfg(not(unix))]
fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    let content = if about.is_file() { crate::followed::hash(&fs::read(path).ok()?) } else { 0 };
    Some(Stamp { modified: about.modified().ok(), len: about.len(), content })
}

fn read(path: &Path) -> Result<String, FileError> {
    // Reading a pipe would block.
    let is_other = fs::metadata(path).is_ok_and(|about| !about.is_file());
    let text = if is_other { Err(std::io::Error::other("not a regular file")) } else { fs::read_to_string(path) };
    text.map_err(|error| FileError { path: path.into(), reason: Reason::Io(error) })
}

fn load<F: Contexts>(path: &Path, text: &str, registry: &RegistryOf<F>) -> Result<LoadedTreeOf<F>, FileError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let loaded = match extension {
        #[cfg(feature = "text")]
        Some("bt") => registry.load_tree(text),
        Some("xml") => registry
            .read_any(text, path.parent().unwrap_or(Path::new("")))
            .and_then(|project| registry.load_from(&project, None)),
        _ => registry.load(text),
    };
    loaded.map_err(|error| FileError { path: path.into(), reason: Reason::Load(error) })
}
