//! A folder that is not left through links.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

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
            let held = PathBuf::from(std::format!("/proc/self/fd/{}", open.as_raw_fd()));
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
}

fn leads_elsewhere() -> io::Error {
    io::Error::other("a link leads elsewhere")
}
