//! Putting a new file in the place of another one, which may be changed by other programs at the same time.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::folder::RealFolder;
use crate::seen::Seen;

/// The maximum number of saves of other programs that are put back, one after the other.
const MAX_SAVES: usize = 1000;

/// A moment at which tests let another program write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// The file was compared last; what is saved now is displaced.
    Compared,
    /// The new file is in its place.
    Exchanged,
    /// What was displaced was compared, for the first time.
    Checked,
    /// What another program has saved is put back next.
    PutsBack,
}

/// Puts the file `beside` in the place of `target` if that contains `before`. Returns whether it is there. Then, or if not, `beside` can be removed.
///
/// Two writers of this package have to exclude each other.
pub(crate) fn exchange(
    beside: &Path,
    target: &Path,
    before: &[u8],
    folder: &RealFolder,
    at: &mut dyn FnMut(Moment),
) -> io::Result<bool> {
    let new = Seen::at(beside)?;
    match Seen::at(target) {
        Ok(found) if found.contains(before) => {}
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    at(Moment::Compared);
    match swap(beside, target) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if is_unsupported(&error) => {
            fs::rename(beside, target)?;
            return Ok(true);
        }
        Err(error) => return Err(error),
    }
    at(Moment::Exchanged);
    let is_displaced = || Seen::at(beside).is_ok_and(|displaced| displaced.contains(before));
    if is_displaced() {
        at(Moment::Checked);
        folder.sync();
        // A program that had opened the file before, and writes in place, has had time for it.
        if is_displaced() {
            return Ok(true);
        }
    }
    put_back(beside, target, new, at).map_err(|error| keep(beside, target, &error))?;
    Ok(false)
}

/// Puts back what another program has saved. What is saved meanwhile replaces it, as it would have done without this.
fn put_back(beside: &Path, target: &Path, new: Seen, at: &mut dyn FnMut(Moment)) -> io::Result<()> {
    let mut in_place = new;
    for _ in 0..MAX_SAVES {
        let saved = Seen::at(beside)?;
        at(Moment::PutsBack);
        match swap(beside, target) {
            Ok(()) => {}
            // What was removed, or moved away, is the new file.
            Err(error) if error.kind() == ErrorKind::NotFound => return fs::hard_link(beside, target),
            Err(error) => return Err(error),
        }
        if Seen::at(beside)? == in_place {
            return Ok(());
        }
        in_place = saved;
    }
    Err(io::Error::other("other programs save it all the time"))
}

/// Gives what another program has saved a name under which it stays.
fn keep(beside: &Path, target: &Path, error: &io::Error) -> io::Error {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".saved");
    let kept = match fs::rename(beside, beside.with_file_name(&name)) {
        Ok(()) => PathBuf::from(name),
        Err(_) => beside.file_name().map(PathBuf::from).unwrap_or_default(),
    };
    io::Error::new(
        error.kind(),
        format!("what another program has saved at the same time is now in `{}` beside it: {error}", kept.display()),
    )
}

/// Exchanges two files.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn swap(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn swap(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(ErrorKind::Unsupported))
}

/// Returns whether the system, or the file system, cannot exchange two files.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput)
}
