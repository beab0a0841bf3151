//! Machines as processes: one is killed, one is stopped, and what they did is recorded.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use bt_core::observe::RecordFile;
use bt_core::prelude::*;

/// A process and what it prints. It is killed at the end.
struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warehouse"));
        let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it can be started");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, lines }
    }

    /// Waits for a line that contains a text, and returns all lines up to it.
    #[track_caller]
    fn wait_for(&self, text: &str) -> Vec<String> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        loop {
            let left = Duration::from_secs(40).saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("waited too long for {text:?} after {lines:#?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("it ended before {text:?} after {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.contains(text)) {
                return lines;
            }
        }
    }

    /// Sends a signal.
    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.expect("it can be started").success(), "{name}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The values of a robot that are checked.
#[derive(serde::Serialize)]
struct Shown {
    epoch: &'static str,
    tick: u64,
}

/// Returns an endpoint on a free port.
fn endpoint() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    format!("tcp/{}", listener.local_addr().expect("it is bound"))
}

/// A new folder, which is deleted at the end.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn robots_of_a_killed_machine_continue_and_recordings_show_that_each_was_at_one_machine() {
    let folder = Temporary(std::env::temp_dir().join(format!("warehouse-{}", std::process::id())));
    let _ = fs::remove_dir_all(&folder.0);
    let (record, endpoint) = (folder.0.to_string_lossy().into_owned(), endpoint());
    let arguments = ["--robots", "40", "--machines", "3", "--seconds", "16", "--address", "127.0.0.1:0"];
    let story = Process::start(&[&arguments[..], &["--endpoint", &endpoint, "--record", &record]].concat());
    story.wait_for("machine-2 is killed");
    story.wait_for("robots of machine-2 continue elsewhere");
    story.wait_for("machine-4 joined");
    let lines = story.wait_for("all 40 robots are there");
    let last = &lines[lines.len() - 2];
    let (_, robots) = last.split_once("robots: ").expect("it says how many each machine has");
    let machines: Vec<_> = robots.split(", ").filter(|machine| !machine.ends_with(" 0")).collect();
    assert_eq!(machines.len(), 3, "{last}");
    drop(story);

    let checked = Command::new(env!("CARGO_BIN_EXE_warehouse")).args(["--check", &record]).output();
    let checked = checked.expect("it can be started");
    let text = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let numbers: Vec<u64> = text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [robots, ticks, epochs, repeated] = numbers[..] else { panic!("{text}") };
    assert_eq!(robots, 40);
    // 20 ticks per second; each robot of the killed machine loses the ticks since its last snapshot.
    assert!(ticks > 40 * 200 && epochs > 50 && repeated < 20 * 30, "{text}");
}

#[test]
fn a_robot_at_two_machines_at_a_time_is_found() {
    let folder = Temporary(std::env::temp_dir().join(format!("warehouse-two-{}", std::process::id())));
    fs::create_dir_all(&folder.0).expect("it can be created");
    let tree = tree! { for (): run };
    for machine in ["machine-1", "machine-2"] {
        let path = folder.0.join(format!("{machine}.jsonl"));
        let mut file = RecordFile::create(path, "robots", &tree).expect("it can be created");
        file.name(0, &format!("{machine}/robot 1")).expect("it can be written");
        file.show(0, &Shown { epoch: "7", tick: 1 });
        file.finish().expect("it can be written");
    }
    let folder = folder.0.to_string_lossy().into_owned();
    let checked = Command::new(env!("CARGO_BIN_EXE_warehouse")).args(["--check", &folder]).output();
    let error = String::from_utf8_lossy(&checked.expect("it can be started").stderr).into_owned();
    assert!(error.starts_with("robot 1: epoch 7 is at machine-"), "{error}");
}

#[test]
fn robots_of_a_machine_that_is_stopped_continue_and_it_is_told() {
    let endpoint = endpoint();
    let config = bt_fleet::HubConfig::new("warehouse").address("127.0.0.1:0").listen(&endpoint);
    let _hub = bt_fleet::FleetHub::serve(config.keeper(Duration::from_secs(2))).expect("it can be served");
    let machine = |name, robots| Process::start(&["--machine", name, "--endpoint", &endpoint, "--robots", robots]);
    let one = machine("one", "6");
    one.wait_for("robot 6");
    let two = machine("two", "0");
    two.wait_for("Moved");
    two.signal("-STOP");
    one.wait_for("Recovered");
    two.signal("-CONT");
    two.wait_for("Dropped");
    two.wait_for("Moved");
    drop(one);
    two.wait_for("Recovered");
}

#[test]
fn a_machine_that_adds_its_robots_after_a_restart_of_the_hub_resets_none() {
    let endpoint = endpoint();
    let hub = || {
        let config = bt_fleet::HubConfig::new("warehouse").address("127.0.0.1:0").listen(&endpoint);
        bt_fleet::FleetHub::serve(config.keeper(Duration::from_secs(1))).expect("it can be served")
    };
    let machine = |name| Process::start(&["--machine", name, "--endpoint", &endpoint, "--robots", "6"]);
    let first = hub();
    let one = machine("one");
    one.wait_for("robot 6");
    drop(first);
    // Its lease is over.
    one.wait_for("robots 0 ");
    let _second = hub();
    let two = machine("two");
    let lines = two.wait_for("there is an agent with this name");
    assert!(!lines.iter().any(|line| line.contains("Added")), "{lines:#?}");
    let lines = one.wait_for("Left");
    assert!(!lines.iter().any(|line| line.contains("Dropped")), "{lines:#?}");
    two.wait_for("Moved");
}

#[test]
fn what_is_wrong_in_the_command_is_said() {
    let error = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_warehouse")).args(arguments).output();
        let output = output.expect("it can be started");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error(&["--robots"]).starts_with("missing value of `--robots`\nusage: warehouse"));
    assert!(error(&["--dance", "1"]).starts_with("unknown option `--dance`\nusage: warehouse"));
    assert_eq!(error(&["--robots", "many"]), "expected a number for `--robots`, found `many`\n");
    assert_eq!(error(&["--machines", "1"]), "expected at least 2 machines, found 1: one of them is killed\n");
}
