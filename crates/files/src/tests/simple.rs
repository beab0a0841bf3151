//! Writing without other programs.

use std::fs;

use super::{Folder, content};
use crate::{Before, WriteError, read, real_path, write, write_real};

#[test]
fn a_file_is_created_and_replaced() {
    let folder = Folder::new("create");
    let path = folder.file("a.bt");
    write(&path, Before::Nothing, "a").expect("there is none");
    assert!(matches!(write(&path, Before::Nothing, "b"), Err(WriteError::Exists)));
    write(&path, Before::Text("a"), "b").expect("it contains that");
    assert!(matches!(write(&path, Before::Text("a"), "c"), Err(WriteError::Changed)));
    assert_eq!(content(&path), "b");
    write(&path, Before::Anything, "d").expect("the folder is writable");
    assert_eq!(content(&path), "d");
    assert!(matches!(write(folder.file("b.bt"), Before::Text("a"), "c"), Err(WriteError::Changed)));
    write(folder.file("b.bt"), Before::Anything, "e").expect("the folder is writable");
    assert_eq!(folder.names(), ["a.bt", "b.bt"]);
    assert!(matches!(write(folder.file("none/a.bt"), Before::Anything, "a"), Err(WriteError::Io(_))));
}

#[test]
fn what_a_killed_writer_has_left_is_removed() {
    let folder = Folder::new("left");
    let path = folder.file("a.bt");
    fs::write(folder.file(".bt-0.tmp"), "half of a te").expect("the folder is writable");
    write(&path, Before::Nothing, "a").expect("there is none");
    assert_eq!(content(&path), "a");
    if cfg!(unix) {
        assert_eq!(folder.names(), ["a.bt"]);
    }
}

#[test]
fn a_file_is_read_up_to_a_limit() {
    let folder = Folder::new("limit");
    let path = folder.file("a.bt");
    fs::write(&path, "four").expect("the folder is writable");
    assert_eq!(read(&path, 4).expect("it is there"), "four");
    assert!(read(&path, 3).is_err_and(|error| error.to_string() == "the file is too large: the limit is 3 bytes"));
    assert!(read(&folder.0, 3).is_err_and(|error| error.to_string() == "expected a file, found a folder"));
    assert!(read(folder.file("none"), 3).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_an_error_at_once() {
    let folder = Folder::new("pipe");
    let path = folder.file("pipe");
    let made = rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0);
    made.expect("the folder is writable");
    assert!(read(&path, 10).is_err_and(|error| error.to_string() == "not a regular file"));
    let written = write(&path, Before::Text(""), "a").map_err(|error| error.to_string());
    assert_eq!(written, Err("not a file, or a link to one".to_owned()));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = Folder::new("links");
    let (path, link) = (folder.file("a.bt"), folder.file("link.bt"));
    fs::write(&path, "a").expect("the folder is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
    symlink(&path, &link).expect("links are possible");
    write(&link, Before::Text("a"), "b").expect("it contains that");
    assert_eq!(content(&path), "b");
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
    assert!(matches!(write_real(&link, Before::Text("b"), "c"), Err(WriteError::Io(_))), "not through a link");
    symlink(folder.file("none"), folder.file("broken")).expect("links are possible");
    assert!(real_path(&folder.file("broken")).is_err());
    assert_eq!(content(&path), "b");
}
