//! Where the source file of a tree is.

use std::env;
use std::path::{Path, PathBuf};

use bt_dynamic::compiled::Site;

/// The folder of the sources of a program that was compiled elsewhere.
const FOLDER: &str = "BT_LIVE_SOURCES";

/// Returns the source file of a tree; `None` if it is not on this machine.
pub(crate) fn file(site: &Site) -> Option<PathBuf> {
    let file = Path::new(site.file);
    match env::var_os(FOLDER) {
        Some(folder) => find(file, Some(Path::new(&folder))),
        None => find(file, site.folder.map(Path::new)),
    }
}

/// The compiler names files as it is called: relative to the workspace, which is the package's folder or one above it.
fn find(file: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    let is_there = |path: &PathBuf| path.is_file();
    if file.is_absolute() {
        return Some(file.to_path_buf()).filter(is_there);
    }
    let here = folder.is_none().then(env::current_dir).and_then(Result::ok);
    folder.or(here.as_deref())?.ancestors().map(|folder| folder.join(file)).find(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_from_the_folder_of_the_package() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let expected = folder.join("src/location.rs");
        assert!(expected.is_file());
        assert_eq!(find(Path::new("src/location.rs"), Some(folder)), Some(expected.clone()));
        assert_eq!(find(Path::new("crates/live/src/location.rs"), Some(folder)), Some(expected.clone()));
        assert_eq!(find(&expected, Some(folder)), Some(expected.clone()));
        assert_eq!(find(&expected, None), Some(expected));
        assert_eq!(find(Path::new("src/no.rs"), Some(folder)), None);
        assert_eq!(find(Path::new("/no/src/lib.rs"), Some(folder)), None);
        assert_eq!(find(Path::new("src/location.rs"), Some(Path::new("/no"))), None);
    }
}
