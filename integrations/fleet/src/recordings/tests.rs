//! What is in a folder after members have sent ticks.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use bt_core::observe::Recorded;
use bt_core::prelude::*;
use bt_inspector::{CollectFilter, Inspector, TickStream, Watched};

use super::folder::Folder;
use super::members::Recordings;
use crate::keys::MemberId;

/// A new folder, which is deleted at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bt-fleet-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn files(&self) -> Vec<(String, u64)> {
        let entries = fs::read_dir(&self.0).expect("it is there").map(|entry| entry.expect("it is there"));
        let mut files: Vec<_> = entries
            .map(|entry| {
                (entry.file_name().to_string_lossy().into_owned(), entry.metadata().expect("it is there").len())
            })
            .collect();
        files.sort();
        files
    }

    fn names(&self) -> Vec<String> {
        self.files().into_iter().map(|(name, _)| name).collect()
    }

    fn read(&self, name: &str) -> Recorded {
        let file = fs::read(self.0.join(name)).expect("it is there");
        let recorded = Recorded::read(&*file).expect("it is a recording");
        assert_eq!(recorded.dropped, []);
        recorded
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn recordings(path: &Path, limit: u64) -> Recordings {
    Recordings::new(Folder::open(path.to_owned(), limit).expect("it can be created"))
}

fn member(machine: &str) -> MemberId {
    MemberId { machine: machine.to_owned(), session: "0".repeat(16) }
}

/// A program with one agent.
struct Program {
    inspector: Inspector,
    watched: Watched,
    ticks: u64,
}

fn counter() -> impl Node<u64> {
    tree! { |n: &mut u64| { *n += 1; Status::Running } }
}

impl Program {
    fn new(tree: &str) -> Self {
        let inspector = Inspector::without_server();
        let watched = inspector.agent(inspector.tree(tree, &counter()), "arm");
        Self { inspector, watched, ticks: 0 }
    }

    fn stream(&self) -> TickStream {
        self.inspector.collect(CollectFilter::default())
    }

    /// Ticks the agent, and returns what is sent.
    fn run(&mut self, ticks: u64, stream: &mut TickStream) -> String {
        let (tree, now) = (counter(), self.ticks);
        for tick in now..now + ticks {
            tree.tick_with(&mut self.ticks, &mut tree.memory(), &mut self.watched.at(secs(tick)));
            self.watched.show(|| ["a value"; 4]);
        }
        stream.updates().join("\n")
    }
}

const NOW: Duration = Duration::ZERO;

#[test]
fn each_member_and_tree_has_a_file_that_is_a_recording() {
    let folder = Temporary::new("each");
    let mut recordings = recordings(&folder.0, 1 << 20);
    let mut programs = [Program::new("guard"), Program::new("../wäch ter")];
    for (program, machine) in programs.iter_mut().zip(["robot-1", ".."]) {
        let mut stream = program.stream();
        assert!(recordings.joined(&member(machine)));
        recordings.received(&member(machine), &program.run(3, &mut stream), NOW).expect("it is written");
    }
    recordings.flush(NOW).expect("it is written");
    assert_eq!(folder.names(), ["000001-robot-1-guard.jsonl", "000002-------wäch-ter.jsonl"]);
    let recorded = folder.read("000001-robot-1-guard.jsonl");
    assert_eq!((recorded.name.as_str(), recorded.names[&0].as_str()), ("guard", "robot-1/arm"));
    let ticks: Vec<_> = recorded.ticks.iter().map(|tick| (tick.number, tick.now.as_secs())).collect();
    assert_eq!(ticks, [(0, 0), (1, 1), (2, 2)]);
    assert_eq!(recorded.variables[0].value.as_deref(), Some(r#"["a value","a value","a value","a value"]"#));
    let strange = &folder.names()[1];
    assert_eq!(folder.read(strange).name, "../wäch ter");
}

#[test]
fn a_member_that_has_not_joined_is_not_recorded() {
    let folder = Temporary::new("unknown");
    let mut recordings = recordings(&folder.0, 1 << 20);
    let mut program = Program::new("guard");
    let mut stream = program.stream();
    recordings.received(&member("robot-1"), &program.run(3, &mut stream), NOW).expect("nothing is written");
    assert_eq!(folder.names(), [] as [&str; 0]);
}

#[test]
fn the_folder_stays_below_its_limit_also_in_the_next_run() {
    let folder = Temporary::new("limit");
    let limit = 1 << 20;
    let mut program = Program::new("guard");
    fs::create_dir_all(&folder.0).expect("it can be created");
    fs::write(folder.0.join("notes.txt"), vec![b'x'; 1 << 21]).expect("it can be written");
    let mut last = 0;
    for _ in 0..2 {
        let mut recordings = recordings(&folder.0, limit);
        let mut stream = program.stream();
        recordings.joined(&member("robot-1"));
        for _ in 0..200 {
            recordings.received(&member("robot-1"), &program.run(100, &mut stream), NOW).expect("it is written");
            recordings.flush(NOW).expect("it is written");
            let sizes: u64 =
                folder.files().iter().filter(|(name, _)| name != "notes.txt").map(|(_, bytes)| bytes).sum();
            assert!(sizes <= limit, "{sizes}");
        }
        let names = folder.names();
        assert!((14..=18).contains(&names.len()), "{names:?}");
        assert_eq!(names.last().map(String::as_str), Some("notes.txt"));
        // The last ticks are there, each once, and each file can be read alone.
        let files: Vec<_> = names[..names.len() - 1].iter().map(|name| folder.read(name)).collect();
        let ticks: Vec<_> = files.iter().flat_map(|file| file.ticks.iter().map(|tick| tick.number)).collect();
        assert_eq!(ticks.last(), Some(&(program.ticks - 1)));
        let of_run: Vec<_> = ticks.iter().copied().filter(|tick| *tick >= last).collect();
        assert!(of_run.windows(2).all(|two| two[1] == two[0] + 1), "{of_run:?}");
        assert!(files.iter().all(|file| file.names[&0] == "robot-1/arm"));
        last = program.ticks;
    }
}

#[test]
fn what_a_member_sends_again_after_its_connection_was_lost_is_written_once() {
    let folder = Temporary::new("again");
    let mut recordings = recordings(&folder.0, 1 << 20);
    let (mut program, robot) = (Program::new("guard"), member("robot-1"));
    let mut stream = program.stream();
    recordings.joined(&robot);
    recordings.received(&robot, &program.run(3, &mut stream), NOW).expect("it is written");
    recordings.left(&robot, NOW).expect("it is written");
    program.run(2, &mut stream);
    let mut again = program.stream();
    recordings.joined(&robot);
    recordings.received(&robot, &program.run(1, &mut again), NOW).expect("it is written");
    recordings.flush(NOW).expect("it is written");
    assert_eq!(folder.names().len(), 1, "the file goes on");
    let recorded = folder.read(&folder.names()[0]);
    assert_eq!(recorded.ticks.iter().map(|tick| tick.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert!(recorded.variables.iter().all(|change| change.after > 0), "values follow their tick");
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_and_tried_again_later() {
    let folder = Temporary::new("gone");
    let mut recordings = recordings(&folder.0, 1 << 20);
    let (mut program, robot) = (Program::new("guard"), member("robot-1"));
    let mut stream = program.stream();
    recordings.joined(&robot);
    fs::remove_dir_all(&folder.0).expect("it is there");
    fs::write(&folder.0, "a file").expect("it can be written");
    let error = recordings.received(&robot, &program.run(3, &mut stream), NOW).expect_err("there is no folder");
    assert!(matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory), "{error}");
    recordings.received(&robot, &program.run(3, &mut stream), secs(9)).expect("it is not tried");
    fs::remove_file(&folder.0).expect("it is there");
    recordings.received(&robot, &program.run(3, &mut stream), secs(10)).expect("it is written");
    recordings.flush(secs(10)).expect("it is written");
    let names = folder.names();
    let ticks: Vec<_> = folder.read(&names[0]).ticks.iter().map(|tick| tick.number).collect();
    assert_eq!((names.len(), ticks), (1, vec![6, 7, 8]));
}

#[test]
fn a_file_that_was_deleted_meanwhile_is_reported() {
    let folder = Temporary::new("deleted");
    let mut recordings = recordings(&folder.0, 1 << 20);
    let (mut program, robot) = (Program::new("guard"), member("robot-1"));
    let mut stream = program.stream();
    recordings.joined(&robot);
    recordings.received(&robot, &program.run(3, &mut stream), NOW).expect("it is written");
    fs::remove_file(folder.0.join("000001-robot-1-guard.jsonl")).expect("it is there");
    assert_eq!(recordings.flush(NOW).expect_err("it is gone").kind(), io::ErrorKind::NotFound);
    // What follows later is in the next file.
    recordings.received(&robot, &program.run(1, &mut stream), secs(10)).expect("it is written");
    recordings.flush(secs(10)).expect("it is written");
    let ticks: Vec<_> = folder.read("000002-robot-1-guard.jsonl").ticks.iter().map(|tick| tick.number).collect();
    assert_eq!(ticks, [3]);
}

#[test]
fn long_names_are_cut_and_files_of_others_stay() {
    let folder = Temporary::new("names");
    fs::create_dir_all(folder.0.join("000007-folder.jsonl")).expect("it can be created");
    fs::write(folder.0.join("000002-important.jsonl"), vec![b'x'; 1 << 21]).expect("it can be written");
    let mut recordings = recordings(&folder.0, 1 << 20);
    let (mut program, robot) = (Program::new(&"日".repeat(100)), member(&"é".repeat(100)));
    let mut stream = program.stream();
    recordings.joined(&robot);
    recordings.received(&robot, &program.run(3, &mut stream), NOW).expect("it is written");
    recordings.flush(NOW).expect("it is written");
    let expected = format!("000001-{}-{}.jsonl", "é".repeat(30), "日".repeat(20));
    assert_eq!(folder.names(), [&expected, "000002-important.jsonl", "000007-folder.jsonl"]);
    assert_eq!(folder.read(&expected).name, "日".repeat(100));
}
