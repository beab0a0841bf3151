//! Many rounds beside a program that saves at the same time, without an order between both.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, content, save_by_rename, save_in_place};
use crate::exchange::Moment;
use crate::write::write_at;
use crate::{Before, WriteError, read, write};

const ROUNDS: usize = 1000;
/// On a slow disk, there are fewer rounds.
const MAX_TIME: Duration = Duration::from_secs(30);

/// Writes beside a program that saves from one of the moments on. Returns the number of rounds in which the text was not written.
fn beside(name: &str, save: fn(&Path, &str)) -> usize {
    const MOMENTS: [Option<Moment>; 4] = [None, Some(Moment::Compared), Some(Moment::Exchanged), Some(Moment::Checked)];
    let folder = Folder::new(name);
    let path = folder.file("a.bt");
    let (round_begins, round_ends) = (Barrier::new(2), Barrier::new(2));
    // The number of the round in which the other program may save.
    let now = AtomicUsize::new(0);
    let (mut refused, mut faults, begin) = (0, Vec::new(), Instant::now());
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1.. {
                round_begins.wait();
                loop {
                    match now.load(Ordering::Acquire) {
                        usize::MAX => return,
                        begun if begun >= round => break,
                        _ => thread::yield_now(),
                    }
                }
                save(&path, &format!("theirs {round}"));
                round_ends.wait();
            }
        });
        for round in 1..=ROUNDS {
            if begin.elapsed() > MAX_TIME {
                break;
            }
            let old = format!("old {round}");
            fs::write(&path, &old).expect("the folder is writable");
            round_begins.wait();
            let aim = MOMENTS[round % MOMENTS.len()];
            if aim.is_none() {
                now.store(round, Ordering::Release);
            }
            let written = write_at(&path, Before::Text(&old), b"ours", &mut |moment| {
                if Some(moment) == aim {
                    now.store(round, Ordering::Release);
                }
            });
            // The moment does not come if the file was compared too late.
            now.store(round, Ordering::Release);
            round_ends.wait();
            refused += usize::from(written.is_err());
            let found = content(&path);
            if found != format!("theirs {round}") || matches!(written, Err(WriteError::Io(_))) {
                faults.push(format!("round {round}, from {aim:?} on: {written:?}, {found:?}"));
            }
        }
        now.store(usize::MAX, Ordering::Release);
        round_begins.wait();
    });
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(folder.names(), ["a.bt"]);
    refused
}

#[test]
fn no_save_of_an_editor_that_renames_is_lost() {
    assert!(beside("renames", save_by_rename) < ROUNDS);
}

#[test]
fn no_save_of_an_editor_that_writes_in_place_is_lost() {
    assert!(beside("in-place", save_in_place) < ROUNDS);
}

#[test]
fn writers_lose_nothing_of_each_other() {
    const THREADS: usize = 4;
    const LINES: usize = 25;
    let folder = Folder::new("writers");
    let path = folder.file("a.bt");
    fs::write(&path, "").expect("the folder is writable");
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let path = &path;
            scope.spawn(move || {
                for line in 0..LINES {
                    loop {
                        let text = read(path, 1 << 20).expect("it is always there");
                        match write(path, Before::Text(&text), format!("{text}{thread}/{line}\n")) {
                            Ok(()) => break,
                            Err(WriteError::Changed) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    });
    let text = content(&path);
    for (thread, line) in (0..THREADS).flat_map(|thread| (0..LINES).map(move |line| (thread, line))) {
        assert!(text.contains(&format!("{thread}/{line}\n")), "{thread}/{line} is lost");
    }
    assert_eq!((text.lines().count(), folder.names()), (THREADS * LINES, vec!["a.bt".to_owned()]));
}
