//! A folder that is not left through links.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::{Duration, Instant};

/// The time for which a writer waits until another one in the same folder has finished.
#[cfg(unix)]
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A folder without links in its path. On Linux, the paths of its files lead to this folder while the value is used, even if a
/// link or another folder takes its place. Elsewhere, or without `/proc`, this is only [checked](Self::check).
pub struct RealFolder {
    path: PathBuf,
    /// The folder, which is open as long as its path is used.
    open: Option<File>,
}

impl RealFolder {
    /// Opens the folder with a path as [`canonicalize`](fs::canonicalize) returns it.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such folder, or if a link leads to it.
    pub fn open(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd as _;
            // Only a folder has this file: a pipe would wait for a writer.
            let open = File::open(path.join("."))?;
            let held = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
            match fs::read_link(&held) {
                Ok(real) if real == path => return Ok(Self { path: held, open: Some(open) }),
                Ok(_) => return Err(leads_elsewhere()),
                Err(_) => {}
            }
        }
        Ok(Self { path: PathBuf::from(path), open: None })
    }

    /// Returns the path of a file in the folder, which is valid as long as this value lives.
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// Checks that an opened file, with a path from [`file`](Self::file), was not reached through a link in the place of a
    /// folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the file was reached through a link.
    pub fn check(&self, file: &Path) -> io::Result<()> {
        if self.open.is_some() || fs::canonicalize(file)? == file { Ok(()) } else { Err(leads_elsewhere()) }
    }

    /// Waits until no other writer is in the folder, and keeps others away until the value is dropped. `None` if the file system
    /// has no such locks.
    #[cfg(unix)]
    pub(crate) fn lock(&self) -> io::Result<Option<File>> {
        use rustix::fs::{FlockOperation, flock};
        use rustix::io::Errno;

        let Ok(folder) = File::open(self.file(".")) else { return Ok(None) };
        let end = Instant::now() + MAX_WAIT;
        loop {
            match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Some(folder)),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) if Instant::now() < end => std::thread::sleep(Duration::from_millis(1)),
                Err(Errno::WOULDBLOCK) => return Err(io::Error::other("another program keeps the folder locked")),
                Err(_) => return Ok(None),
            }
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn lock(&self) -> io::Result<Option<File>> {
        let _ = self;
        Ok(None)
    }

    /// Waits until the names of the files are on the disk, where the system can do that.
    pub(crate) fn sync(&self) {
        // The content is there already, and the error would be reported too late.
        let _ = File::open(self.file(".")).and_then(|folder| folder.sync_all());
    }
}

fn leads_elsewhere() -> io::Error {
    io::Error::other("a link leads elsewhere")
}
