//! Tests of reading and writing beside other programs.

// Elsewhere, files cannot be exchanged.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod disturbed;
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod rounds;
mod simple;

use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder without links, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the temporary folder is writable");
        Self(fs::canonicalize(folder).expect("it is there"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the names of all files.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Saves as an editor that renames a new file.
fn save_by_rename(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).and_then(|()| fs::rename(new, path)).expect("the folder is writable");
}

/// Saves as an editor that truncates the file and writes.
fn save_in_place(path: &Path, text: &str) {
    fs::write(path, text).expect("the folder is writable");
}

fn content(path: &Path) -> String {
    fs::read_to_string(path).expect("it is there")
}
