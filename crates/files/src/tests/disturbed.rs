//! Another program writes at each moment at which it can.

use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::path::Path;

use super::{Folder, content, save_by_rename, save_in_place};
use crate::exchange::Moment;
use crate::write::write_at;
use crate::{Before, WriteError};

const MOMENTS: [Moment; 3] = [Moment::Compared, Moment::Exchanged, Moment::Checked];

/// Writes "new" in place of "old", and lets another program act at a moment. Returns whether "new" was reported as written.
fn disturbed(path: &Path, moment: Moment, mut act: impl FnMut(&Path)) -> bool {
    fs::write(path, "old").expect("the folder is writable");
    let written = write_at(path, Before::Text("old"), b"new", &mut |now| {
        if now == moment {
            act(path);
        }
    });
    match written {
        Ok(()) => true,
        Err(WriteError::Changed) => false,
        Err(error) => panic!("{moment:?}: {error}"),
    }
}

/// Saves as an editor that keeps the old file under another name.
fn save_with_backup(path: &Path, text: &str) {
    fs::rename(path, path.with_extension("bt~")).expect("the folder is writable");
    fs::write(path, text).expect("the folder is writable");
}

#[test]
fn what_another_program_saves_stays() {
    let folder = Folder::new("disturbed");
    let path = folder.file("a.bt");
    for save in [save_by_rename, save_in_place, save_with_backup] {
        for moment in MOMENTS {
            let written = disturbed(&path, moment, |path| save(path, "theirs"));
            assert_eq!(content(&path), "theirs", "{moment:?}");
            assert_eq!(written, moment != Moment::Compared, "{moment:?}: it was saved after ours");
            assert!(folder.names().iter().all(|name| !name.starts_with(".bt-")), "{:?}", folder.names());
        }
    }
}

#[test]
fn a_program_that_has_opened_the_file_before_is_found() {
    let folder = Folder::new("opened");
    let path = folder.file("a.bt");
    for moment in MOMENTS {
        for truncates in [true, false] {
            fs::write(&path, "old").expect("the folder is writable");
            // The file of the other program; it is opened again for each round, before anything is compared.
            let mut theirs = File::options().write(true).open(&path).expect("it is there");
            let written = write_at(&path, Before::Text("old"), b"new", &mut |now| {
                if now == moment {
                    if truncates {
                        theirs.set_len(0).expect("it is open");
                    }
                    theirs.rewind().and_then(|()| theirs.write_all(b"theirs")).expect("it is open");
                }
            });
            assert!(matches!(written, Err(WriteError::Changed)), "{moment:?}");
            assert_eq!(content(&path), "theirs", "{moment:?}");
        }
    }
}

#[test]
fn a_save_while_another_one_is_put_back_stays() {
    let folder = Folder::new("twice");
    let path = folder.file("a.bt");
    let saves: [fn(&Path, &str); 2] = [save_by_rename, save_in_place];
    for [first, second] in [saves, [saves[1], saves[0]]] {
        fs::write(&path, "old").expect("the folder is writable");
        let mut count = 0;
        let written = write_at(&path, Before::Text("old"), b"new", &mut |now| match now {
            Moment::Compared => first(&path, "first"),
            // The third is saved while the second is put back.
            Moment::PutsBack if count < 2 => {
                count += 1;
                second(&path, &format!("later {count}"));
            }
            Moment::PutsBack | Moment::Exchanged | Moment::Checked => {}
        });
        assert!(matches!(written, Err(WriteError::Changed)));
        assert_eq!(content(&path), "later 2");
    }
}

#[test]
fn a_file_that_is_removed_meanwhile_is_not_created() {
    let folder = Folder::new("removed");
    let path = folder.file("a.bt");
    let written = disturbed(&path, Moment::Compared, |path| fs::remove_file(path).expect("it is there"));
    assert!(!written && folder.names().is_empty(), "{:?}", folder.names());
    // What was saved is put back, since what was removed afterwards is the new file.
    fs::write(&path, "old").expect("the folder is writable");
    let written = write_at(&path, Before::Text("old"), b"new", &mut |now| match now {
        Moment::Compared => save_by_rename(&path, "theirs"),
        Moment::PutsBack => fs::remove_file(&path).expect("it is there"),
        Moment::Exchanged | Moment::Checked => {}
    });
    assert!(matches!(written, Err(WriteError::Changed)));
    assert_eq!((content(&path), folder.names()), ("theirs".to_owned(), vec!["a.bt".to_owned()]));
}
