//! Reading regular files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The error for a folder in the place of a file.
pub(crate) const FOLDER: &str = "expected a file, found a folder";

/// Reads a regular file as text. Symbolic links are followed.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is not a regular file, is larger than `limit` bytes, or is not UTF-8. A pipe or a device is an error at
/// once: nothing waits for its data.
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<String> {
    read_text(open(path)?, limit)
}

/// Reads a text to its end.
///
/// # Errors
///
/// Returns an error if the text cannot be read, is larger than `limit` bytes, or is not UTF-8.
pub fn read_text(from: impl Read, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    if from.take(limit.saturating_add(1)).read_to_end(&mut bytes)? as u64 > limit {
        return Err(io::Error::other(format!("the file is too large: the limit is {limit} bytes")));
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "expected a text in UTF-8, found other bytes"))
}

/// Opens a regular file for reading. Symbolic links are followed.
///
/// # Errors
///
/// Returns an error if the file cannot be opened, or is not a regular file. A pipe is an error at once: nothing waits for a writer.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    open_as(path.as_ref(), File::options().read(true))
}

/// Opens a regular file.
pub(crate) fn open_as(path: &Path, options: &mut fs::OpenOptions) -> io::Result<File> {
    let is_file = |about: &fs::Metadata| match about.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(io::Error::other(FOLDER)),
        _ => Err(io::Error::other("not a regular file")),
    };
    // Before it is opened: to open a device can already do something.
    is_file(&fs::metadata(path)?)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // A pipe that takes the place of the file meanwhile is opened without waiting.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    is_file(&file.metadata()?)?;
    Ok(file)
}
