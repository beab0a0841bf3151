//! The service worker, which stores a version of the site in the browser.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use bt_inspector::FILES;

use crate::pages;

const WORKER: &str = include_str!("../static/sw.js");
/// Writes the service worker. Call it last: the version is a hash of all files.
pub(crate) fn write(folder: &Path) -> io::Result<()> {
    let mut files = files(folder)?;
    files.sort();
    let mut version = DefaultHasher::new();
    for file in &files {
        file.strip_prefix(folder).unwrap_or(file).hash(&mut version);
        fs::read(file)?.hash(&mut version);
    }
    let inspector = FILES.iter().map(|(name, ..)| format!("inspector/{name}"));
    let pages = pages::FILES.iter().map(|(name, _)| (*name).to_owned());
    // What all pages need.
    let shell: Vec<_> = ["index.html".to_owned()].into_iter().chain(pages).chain(inspector).collect();
    let shell = serde_json::to_string(&shell)?;
    let worker = WORKER.replace("<!--version-->", &format!("{:016x}", version.finish())).replace("[/*shell*/]", &shell);
    fs::write(folder.join("sw.js"), worker)
}

/// Returns all files in a folder and those below.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { all.extend(files(&path)?) } else { all.push(path) }
    }
    Ok(all)
}
