//! Files that are replaced as a whole.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::exchange::{Moment, exchange};
use crate::folder::RealFolder;
use crate::read::{FOLDER, open_as};

/// What a file has to contain before it is written.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a> {
    /// The file need not be there, and any content is replaced.
    Anything,
    /// The file must not be there.
    Nothing,
    /// The file has to contain this text, as the caller has read it.
    Text(&'a str),
}

/// Why a file was not written.
#[derive(Debug)]
pub enum WriteError {
    /// The file is not what the caller has read: it was changed or removed. What another program has saved is in its place.
    Changed,
    /// The file was to be created, and there is one.
    Exists,
    /// The file or its folder cannot be written.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("another program has changed the file at the same time"),
            Self::Exists => f.write_str("the file exists"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Changed | Self::Exists => None,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io(error) => error,
            WriteError::Exists => Self::new(ErrorKind::AlreadyExists, error),
            WriteError::Changed => Self::other(error),
        }
    }
}

/// Replaces the content of a file, or creates the file. The content is first written to a new file in the same folder. If writing fails
/// or the program is killed, the old content remains; the next writer removes what is left of the new file.
///
/// The file is compared with `before` right before it is replaced. On Linux and macOS both files are then exchanged, the displaced one is compared once more,
/// and what another program has saved in the meantime is put back. Two things cannot be found: a program that had opened the file, does not truncate it and writes
/// after that, and, where files cannot be exchanged, a save in the microseconds after the first comparison. Writers with this function
/// wait for each other, where the system can lock a folder.
///
/// Symbolic links are followed. The permissions are kept, and so is the owner if the program may set it. Another hard link keeps
/// the old content. With [`Before::Anything`], a path that is not a regular file, such as `/dev/stdout`, is written directly.
///
/// # Errors
///
/// Returns an error if the file is not what `before` states, or if the file or its folder cannot be written.
pub fn write(path: impl AsRef<Path>, before: Before<'_>, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
    let (path, content) = (path.as_ref(), content.as_ref());
    if matches!(before, Before::Anything) && fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
        return Ok(File::options().write(true).open(path)?.write_all(content)?);
    }
    write_real(&real_path(path)?, before, content)
}

/// Replaces the content of a file, or creates the file, like [`write()`], but at a path without links, such as
/// [`real_path`] returns.
///
/// # Errors
///
/// Returns the errors of [`write()`], and one if a link is in the place of the file or of a folder above
/// it, even if the link was put there meanwhile. Nothing is then written elsewhere.
pub fn write_real(path: &Path, before: Before<'_>, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
    write_at(path, before, content.as_ref(), &mut |_| {})
}

/// Returns the path of a file without links. The file need not be there, but its folder.
///
/// # Errors
///
/// Returns an error if there is no such folder, or if a link leads nowhere.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(path).is_err() => {
            let name = path.file_name().ok_or(error)?;
            let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            Ok(fs::canonicalize(folder)?.join(name))
        }
        real => real,
    }
}

/// Writes a file. `at` is called at the moments at which another program can disturb.
pub(crate) fn write_at(
    path: &Path,
    before: Before<'_>,
    content: &[u8],
    at: &mut dyn FnMut(Moment),
) -> Result<(), WriteError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::other("expected the path of a file").into());
    };
    let folder = RealFolder::open(folder)?;
    let lock = folder.lock()?;
    let target = folder.file(name);
    let old = match fs::symlink_metadata(&target) {
        Ok(about) if about.is_file() => {
            if matches!(before, Before::Nothing) {
                return Err(WriteError::Exists);
            }
            // A rename would replace a file that is read-only, too.
            open_as(&target, File::options().write(true))?;
            Some(about)
        }
        Ok(about) if about.is_dir() => return Err(io::Error::other(FOLDER).into()),
        Ok(_) => return Err(io::Error::other("not a file, or a link to one").into()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let (file, beside) = Beside::create(&target, lock.is_some())?;
    // It is empty yet.
    folder.check(&beside.0)?;
    fill(file, content, old)?;
    match before {
        Before::Anything => fs::rename(&beside.0, &target)?,
        Before::Nothing => put_new(&beside.0, &target, content)?,
        Before::Text(text) => {
            if !exchange(&beside.0, &target, text.as_bytes(), &folder, at)? {
                return Err(WriteError::Changed);
            }
        }
    }
    drop(beside);
    folder.sync();
    Ok(())
}

/// A new file beside the one that it replaces. It is removed with this value, unless it was renamed.
struct Beside(PathBuf);

impl Beside {
    /// Creates the file. While the folder is locked, such a file is one that a killed program has left.
    fn create(target: &Path, is_locked: bool) -> io::Result<(File, Self)> {
        let mut number = 0;
        loop {
            let path = target.with_file_name(format!(".bt-{number}.tmp"));
            match File::create_new(&path) {
                Ok(file) => return Ok((file, Self(path))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    if !is_locked || fs::remove_file(&path).is_err() {
                        number += 1;
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // It is gone if it was renamed, and an error before this is the one to report.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a new file, with the owner and the permissions of an old one.
fn fill(mut file: File, content: &[u8], old: Option<Metadata>) -> io::Result<()> {
    if let Some(old) = old {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only the system's administrator may give files away.
            let _ = fchown(&file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(old.permissions())?;
    }
    file.write_all(content)?;
    file.sync_all()
}

/// Gives a new file its name, which must not exist.
fn put_new(beside: &Path, target: &Path, content: &[u8]) -> Result<(), WriteError> {
    let is_there = |error: &io::Error| error.kind() == ErrorKind::AlreadyExists;
    let created = fs::hard_link(beside, target).or_else(|error| {
        if is_there(&error) {
            return Err(error);
        }
        // A file system without hard links.
        File::create_new(target)?.write_all(content)
    });
    created.map_err(|error| if is_there(&error) { WriteError::Exists } else { error.into() })
}
