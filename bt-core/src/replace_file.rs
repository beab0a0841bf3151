//! Files that are replaced as a whole.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::real_folder::RealFolder;

/// Replaces the content of a file, or creates the file. The content is first written to a new file in the same folder, which is
/// then renamed. If writing fails or the program is killed, the old content remains.
///
/// Symbolic links are followed. The permissions are kept, and so is the owner if the program may set it. Another hard link keeps
/// the old content. A path that is not a regular file, such as `/dev/stdout`, is written directly.
///
/// # Errors
///
/// Returns an error if the file or its folder cannot be written.
pub fn replace_file(path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> io::Result<()> {
    let (path, content) = (path.as_ref(), content.as_ref());
    // A rename would replace a file that is read-only, too.
    let (target, old) = match File::options().write(true).open(path) {
        Ok(mut file) => match file.metadata()? {
            about if about.is_file() => (fs::canonicalize(path)?, Some(about)),
            _ => return file.write_all(content),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => (PathBuf::from(path), None),
        Err(error) => return Err(error),
    };
    replace(&target, content, old, |_| Ok(()))
}

/// Replaces the content of a file, or creates the file, like [`replace_file`], but at a path without links, such as
/// [`canonicalize`](fs::canonicalize) returns.
///
/// # Errors
///
/// Returns an error if the file or its folder cannot be written, or if a link is in the place of the file or of a folder above
/// it, even if the link was put there meanwhile. Nothing is then written elsewhere.
pub fn replace_real_file(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::other("expected the path of a file"));
    };
    let folder = RealFolder::open(folder)?;
    let path = folder.file(name);
    let old = match fs::symlink_metadata(&path) {
        Ok(about) if about.is_file() => {
            // A rename would replace a file that is read-only, too.
            File::options().write(true).open(&path)?;
            Some(about)
        }
        Ok(_) => return Err(io::Error::other("not a file, or a link to one")),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // The new file is empty yet, and its rename replaces a link, not what it leads to.
    replace(&path, content.as_ref(), old, |beside| folder.check(beside))
}

/// Replaces a file by a new one beside it. `check` receives the path of the new file before anything is written.
fn replace(
    target: &Path,
    content: &[u8],
    old: Option<Metadata>,
    check: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let mut number = 0;
    let (beside, file) = loop {
        let beside = target.with_file_name(std::format!(".bt-{}-{number}.tmp", std::process::id()));
        match File::create_new(&beside) {
            Ok(file) => break (beside, file),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    };
    let written = check(&beside).and_then(|()| write(file, content, old));
    let replaced = written.and_then(|()| fs::rename(&beside, target));
    if replaced.is_err() {
        // The error to report is the first.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// Writes a new file, with the owner and the permissions of an old one.
fn write(mut file: File, content: &[u8], old: Option<Metadata>) -> io::Result<()> {
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
