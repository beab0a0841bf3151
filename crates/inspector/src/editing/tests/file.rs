//! Tests of the files of documents.

use std::fs;
use std::path::{Path, PathBuf};

use crate::editing::file::{DocumentFile, Found};

/// Returns an empty folder without links.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bt-inspector-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the temporary folder is writable");
    fs::canonicalize(folder).expect("it is there")
}

pub(super) fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the folder is writable");
}

pub(super) fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("it is there")
}

fn open(path: &Path) -> DocumentFile {
    DocumentFile::new(path).expect("it is there, or its folder")
}

#[test]
fn a_file_is_read_when_it_may_have_changed() {
    let folder = folder("poll");
    let path = folder.join("guard.bt");
    write(&path, "a");
    let mut file = open(&path);
    assert_eq!(file.read().expect("it is there").as_deref(), Some("a"));
    // It is so new that another change could have the same time.
    write(&path, "b");
    assert_eq!(file.poll().expect("it is there"), Found::Text("b".into()));
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let set_time = || fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(long_ago));
    set_time().expect("the time can be set");
    assert_ne!(file.poll().expect("it is there"), Found::Same);
    assert_eq!(file.poll().expect("it is there"), Found::Same, "it is old, and the same");
    file.write(Some("b"), "c").expect("it is writable");
    assert_eq!(read(&path), "c");
    fs::remove_file(&path).expect("it is there");
    assert_eq!(file.poll().expect("the folder is there"), Found::Missing);
    assert_eq!(file.poll().expect("the folder is there"), Found::Same);
    file.write(None, "d").expect("it is created");
    assert_eq!(file.poll().expect("it is there"), Found::Text("d".into()));
}

#[test]
fn a_new_file_is_found_by_its_folder() {
    let folder = folder("new");
    let mut file = open(&folder.join("new.bt"));
    assert_eq!(file.read().expect("the folder is there"), None);
    file.write(None, "a").expect("it is created");
    assert_eq!(read(&folder.join("new.bt")), "a");
    assert!(DocumentFile::new(&folder.join("none/new.bt")).is_err(), "no folder");
    assert!(DocumentFile::new(&folder.join("..")).and_then(|mut file| file.read()).is_err(), "a folder");
}

#[test]
fn what_is_no_text_or_too_large_is_an_error() {
    let folder = folder("garbage");
    let path = folder.join("a.bt");
    fs::write(&path, b"\xff\xfe\x00garbage").expect("the folder is writable");
    assert!(open(&path).read().is_err_and(|error| error.to_string().contains("UTF-8")));
    fs::write(&path, vec![b'a'; (8 << 20) + 1]).expect("the folder is writable");
    assert!(
        open(&path).read().is_err_and(|error| error.to_string() == "the file is too large: the limit is 8388608 bytes")
    );
}

#[test]
fn only_files_in_the_folders_are_in_them() {
    let folder = folder("inside");
    fs::create_dir(folder.join("trees")).expect("the folder is writable");
    fs::create_dir(folder.join("trees2")).expect("the folder is writable");
    let inside = [folder.join("trees")];
    for (path, is_in) in
        [("trees/a.bt", true), ("trees/../a.bt", false), ("trees2/a.bt", false), ("trees2/../trees/a.bt", true)]
    {
        write(&folder.join(path), "a");
        assert_eq!(open(&folder.join(path)).is_in(&inside), is_in, "{path}");
    }
    assert!(!open(&folder.join("trees/a.bt")).is_in(&[]));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_link_is_its_target() {
        let folder = folder("link");
        fs::create_dir(folder.join("trees")).expect("the folder is writable");
        write(&folder.join("secret"), "secret");
        symlink(folder.join("secret"), folder.join("trees/link.bt")).expect("links are possible");
        let file = open(&folder.join("trees/link.bt"));
        assert_eq!(file.path(), folder.join("secret"));
        assert!(!file.is_in(&[folder.join("trees")]), "it leads out of the folder");
        symlink(folder.join("none"), folder.join("trees/broken.bt")).expect("links are possible");
        assert!(DocumentFile::new(&folder.join("trees/broken.bt")).is_err());
    }

    #[test]
    fn a_file_that_was_swapped_with_a_link_is_neither_read_nor_written() {
        let folder = folder("swap-file");
        let path = folder.join("a.bt");
        write(&path, "mine");
        write(&folder.join("secret"), "secret");
        let mut file = open(&path);
        file.read().expect("it is there");
        fs::remove_file(&path).expect("it is there");
        symlink(folder.join("secret"), &path).expect("links are possible");
        let expected = "not a file, or a link to one";
        assert!(file.read().is_err_and(|error| error.to_string() == expected));
        assert!(file.poll().is_err_and(|error| error.to_string() == expected));
        assert!(file.write(Some("mine"), "hostile").is_err_and(|error| error.to_string() == expected));
        assert_eq!(read(&folder.join("secret")), "secret");
    }

    #[test]
    fn a_folder_that_was_swapped_with_a_link_is_neither_read_nor_written() {
        let folder = folder("swap-folder");
        for name in ["trees", "other"] {
            fs::create_dir(folder.join(name)).expect("the folder is writable");
            write(&folder.join(name).join("a.bt"), name);
        }
        let mut file = open(&folder.join("trees/a.bt"));
        file.read().expect("it is there");
        fs::rename(folder.join("trees"), folder.join("away")).expect("the folder is writable");
        symlink(folder.join("other"), folder.join("trees")).expect("links are possible");
        assert!(file.read().is_err_and(|error| error.to_string().starts_with("a link leads elsewhere")));
        assert!(file.poll().is_err());
        assert!(file.write(Some("trees"), "hostile").is_err_and(|error| error.to_string() == "a link leads elsewhere"));
        assert_eq!(read(&folder.join("other/a.bt")), "other");
        assert_eq!(fs::read_dir(folder.join("other")).expect("a folder").count(), 1, "nothing is left beside it");
        // Also if the file is new there.
        let mut file = open(&folder.join("away/new.bt"));
        fs::rename(folder.join("away"), folder.join("gone")).expect("the folder is writable");
        symlink(folder.join("other"), folder.join("away")).expect("links are possible");
        assert!(file.write(None, "hostile").is_err());
        assert_eq!(fs::read_dir(folder.join("other")).expect("a folder").count(), 1);
    }

    #[test]
    fn writing_never_leaves_the_folder_while_a_link_comes_and_goes() {
        let folder = folder("race");
        for name in ["trees", "other"] {
            fs::create_dir(folder.join(name)).expect("the folder is writable");
            write(&folder.join(name).join("a.bt"), name);
        }
        symlink(folder.join("other"), folder.join("link")).expect("links are possible");
        let mut file = open(&folder.join("trees/a.bt"));
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    let swap = |from: &str, to: &str| fs::rename(folder.join(from), folder.join(to)).expect("a folder");
                    swap("trees", "away");
                    swap("link", "trees");
                    swap("trees", "link");
                    swap("away", "trees");
                }
            });
            let (mut written, mut refused) = (0, 0);
            let mut is_left = false;
            for _ in 0..3000 {
                let before = file.read().ok().flatten();
                match file.write(before.as_deref(), "hostile") {
                    Ok(()) => written += 1,
                    Err(_) => refused += 1,
                }
                is_left |= before.as_deref() == Some("other");
                is_left |= read(&folder.join("other/a.bt")) != "other";
            }
            // Before anything can panic: the other thread would go on.
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(!is_left, "of {} writes", written + refused);
        });
        assert_eq!(read(&folder.join("other/a.bt")), "other");
    }

    #[test]
    fn a_pipe_in_the_place_of_the_file_does_not_block() {
        let folder = folder("pipe");
        let path = folder.join("a.bt");
        write(&path, "a");
        let mut file = open(&path);
        fs::remove_file(&path).expect("it is there");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(file.read().is_err() && file.poll().is_err() && file.write(Some("a"), "a").is_err());
        }
    }

    #[test]
    fn rights_are_kept_and_respected() {
        let folder = folder("rights");
        let path = folder.join("a.bt");
        write(&path, "a");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
        let mut file = open(&path);
        file.write(Some("a"), "b").expect("it is writable");
        let mode = || fs::metadata(&path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((read(&path).as_str(), mode()), ("b", 0o640));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).expect("it is ours");
        // The system's administrator may write anything.
        if fs::File::options().write(true).open(&path).is_err() {
            assert!(file.write(Some("b"), "c").is_err());
            assert_eq!(read(&path), "b");
        }
    }
}
