//! Machines as processes: one is killed, one is stopped, and what they did is recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bt_core::observe::Recorded;

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

/// What was recorded of a tick of a robot.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ticked {
    epoch: u128,
    tick: u64,
    machine: String,
}

/// Returns what was recorded of each robot: in each file in order.
fn recorded(folder: &Path) -> BTreeMap<String, Vec<Ticked>> {
    let mut robots: BTreeMap<String, Vec<Ticked>> = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("it is there") {
        let file = fs::read(entry.expect("it is there").path()).expect("it is there");
        let recorded = Recorded::read(&*file).expect("it is a recording");
        assert_eq!(recorded.dropped, []);
        let mut epochs = BTreeMap::new();
        for change in &recorded.variables {
            let value = change.value.as_deref().unwrap_or_default();
            match change.name.as_str() {
                "epoch" => _ = epochs.insert(change.agent, value.trim_matches('"')),
                // It changes with each tick.
                "tick" => {
                    let (machine, robot) = recorded.names[&change.agent].split_once('/').expect("it has both names");
                    robots.entry(robot.to_owned()).or_default().push(Ticked {
                        epoch: u128::from_str_radix(epochs[&change.agent], 16).expect("it is a number"),
                        tick: value.parse().expect("it is a number"),
                        machine: machine.to_owned(),
                    });
                }
                _ => {}
            }
        }
        let ticks = recorded.ticks.len();
        let shown = recorded.variables.iter().filter(|change| change.name == "tick").count();
        assert!(shown + recorded.names.len() >= ticks && shown <= ticks, "{shown} of {ticks}");
    }
    robots
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

    let robots = recorded(&folder.0);
    assert_eq!(robots.len(), 40);
    for (robot, ticked) in &robots {
        let mut machines = BTreeMap::new();
        for one in ticked {
            assert_eq!(
                machines.entry(one.epoch).or_insert(&one.machine),
                &&one.machine,
                "{robot}: an epoch at two machines"
            );
        }
        // No tick number was ticked twice in an epoch.
        let all: BTreeSet<_> = ticked.iter().map(|one| (one.epoch, one.tick)).collect();
        assert_eq!(all.len(), ticked.len(), "{robot}");
        // Later epochs continue: a kill goes back by at most the snapshots of a second and what was on its way.
        let sorted: Vec<_> = all.into_iter().collect();
        for two in sorted.windows(2) {
            let ([(epoch, tick), (next_epoch, next)], least) = ([two[0], two[1]], two[0].1.saturating_sub(60));
            assert!(if epoch == next_epoch { next > tick } else { next >= least }, "{robot}: {two:?}");
        }
    }
    let moved = robots.values().filter(|ticked| ticked.iter().any(|one| one.machine != ticked[0].machine)).count();
    assert!(moved > 10, "{moved}");
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
