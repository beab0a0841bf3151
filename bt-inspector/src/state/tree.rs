//! A registered tree.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bt_core::StateBytes;
use bt_core::describe::Description;

use super::breakpoints::Breakpoints;
use super::lock;
use super::overview::Overview;

/// A tree that agents share.
pub(crate) struct Tree {
    pub(crate) key: usize,
    pub(crate) name: String,
    pub(crate) fingerprint: u64,
    pub(crate) description: Description,
    /// The size of each node's state; empty if it is not known, as of a recording.
    pub(crate) bytes: Vec<StateBytes>,
    /// The folder that the locations of nodes are relative to, if it is known.
    pub(crate) folder: Option<String>,
    pub(super) breakpoints: Mutex<Arc<Breakpoints>>,
    pub(crate) overview: Overview,
}

impl Tree {
    pub(crate) fn breakpoints(&self) -> Arc<Breakpoints> {
        Arc::clone(&lock(&self.breakpoints))
    }
}

/// Returns the folder that the locations of nodes are relative to: the first that contains the file of a location, of the current folder, that of the
/// package if cargo runs the program, that of the program, and those above them.
pub(super) fn source_folder(description: &Description) -> Option<String> {
    let file = &description.nodes().iter().find_map(|node| node.location.as_ref())?.file;
    let file = Path::new(file);
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let starts = [std::env::current_dir().ok(), package, std::env::current_exe().ok()];
    let folder =
        starts.iter().flatten().flat_map(|start| start.ancestors()).find(|folder| folder.join(file).is_file())?;
    folder.to_str().filter(|_| file.is_relative()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use bt_core::prelude::*;

    #[test]
    fn the_folder_of_the_sources_is_found_above_the_current_one() {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let description = tree.description();
        let folder = super::source_folder(&description).expect("the sources of this test are here");
        let location = description.nodes()[0].location.clone().expect("a node of `tree!` has a location");
        let path = std::path::Path::new(&folder).join(location.file);
        assert!(path.is_file(), "{}", path.display());
    }
}
