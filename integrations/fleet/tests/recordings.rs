//! A hub that records its machines, over the loopback address.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use bt_core::observe::{Event, Recorded};
use bt_core::prelude::*;
use bt_core::testing::RecordedTest;
use bt_fleet::{Config, Fleet, FleetError, FleetHub, HubConfig, RecordConfig};
use bt_inspector::{CollectFilter, Inspector};
use common::{TestHub, endpoint, wait_for};

/// A new folder, which is deleted at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("bt-fleet-recorded-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process, which is killed at the end.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns all recordings of a folder, in order, of the machine with a name.
fn read(folder: &Path, machine: &str) -> Vec<Recorded> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is there").path()).collect();
    paths.sort();
    let is_of = |path: &PathBuf| path.to_string_lossy().contains(&format!("-{machine}-"));
    let files = paths.iter().filter(|path| is_of(path)).map(|path| fs::read(path).expect("it is there"));
    // Nothing is in a file that was created just now.
    files.filter(|file| !file.is_empty()).map(|file| Recorded::read(&*file).expect("it is a recording")).collect()
}

/// Returns the numbers of the recorded ticks of an agent.
fn ticks(folder: &Path, machine: &str) -> Vec<u64> {
    read(folder, machine).iter().flat_map(|file| &file.ticks).map(|tick| tick.number).collect()
}

fn recording(fleet: &str, endpoint: &str, folder: &Temporary) -> HubConfig {
    HubConfig::new(fleet).listen(endpoint).record(RecordConfig::new(&folder.0))
}

fn counter() -> impl Node<u32> {
    tree! { sequence { |n: &u32| *n < 1000, |n: &mut u32| { *n += 1; Status::Running } } }
}

#[test]
fn all_ticks_of_all_machines_are_recorded_until_they_leave() {
    let (endpoint, folder) = (endpoint(), Temporary::new("all"));
    let _hub = TestHub::with(recording("recorded", &endpoint, &folder));
    let tree = counter();
    for machine in ["robot-1", "robot-2"] {
        let fleet = Fleet::join(Config::new("recorded", machine).connect(&endpoint)).expect("it can join");
        let mut arm = fleet.inspector().agent(fleet.inspector().tree("counter", &tree), "arm");
        wait_for("the recorder", || (!arm.is_asleep()).then_some(()));
        assert_eq!(fleet.inspector().pages(), 0, "a recorder is no page");
        let (mut n, mut memory) = (0, tree.memory());
        for tick in 0..100 {
            tree.tick_with(&mut n, &mut memory, &mut arm.at(secs(tick)));
            arm.show(|| n);
        }
        // The last ticks are sent when the program ends.
        drop((arm, fleet));
        wait_for("the last tick", || (ticks(&folder.0, machine).last() == Some(&99)).then_some(()));
        assert_eq!(ticks(&folder.0, machine), (0..100).collect::<Vec<_>>());
        let recorded = &read(&folder.0, machine)[0];
        assert_eq!((recorded.names[&0].clone(), recorded.fingerprint), (format!("{machine}/arm"), tree.fingerprint()));
        assert_eq!(recorded.variables.last().and_then(|last| last.value.as_deref()), Some("100"));
        // What `bt test` writes, and what `bt-inspector` reads.
        let test =
            RecordedTest::new("recorded", "counter()", "0").source(&recorded.description, &recorded.ticks, 0..=9);
        assert!(test.expect("it can be written").contains("fn recorded()"));
        assert_eq!(Inspector::open("127.0.0.1:0", [recorded.clone()]).expect("a port is free").pages(), 0);
    }
}

#[test]
fn the_tick_that_has_panicked_is_recorded() {
    let (endpoint, folder) = (endpoint(), Temporary::new("panics"));
    let _hub = TestHub::with(recording("panics", &endpoint, &folder));
    let program = std::thread::spawn(move || {
        let fleet = Fleet::join(Config::new("panics", "robot").connect(&endpoint)).expect("it can join");
        let tree = tree! {
            sequence {
                |_: &mut u32| Status::Success,
                |n: &mut u32| {
                    assert!(*n < 50, "a bug");
                    *n += 1;
                    Status::Running
                },
            }
        };
        let mut arm = fleet.inspector().agent(fleet.inspector().tree("counter", &tree), "arm");
        wait_for("the recorder", || (!arm.is_asleep()).then_some(()));
        let mut n = 0;
        loop {
            tree.tick_with(&mut n, &mut tree.memory(), &mut arm);
        }
    });
    assert!(program.join().is_err());
    wait_for("the last tick", || (ticks(&folder.0, "robot").last() == Some(&50)).then_some(()));
    let recorded = read(&folder.0, "robot");
    let last = recorded.last().and_then(|file| file.ticks.last()).expect("it has ticks");
    assert_eq!((last.status, Event::to_text(&last.events).as_str()), (None, "0o 1s 2o"));
}

#[test]
fn the_ticks_of_a_process_that_was_killed_are_there() {
    let (endpoint, folder) = (endpoint(), Temporary::new("killed"));
    let _hub = TestHub::with(recording("warehouse", &endpoint, &folder));
    let programs = std::env::current_exe().expect("it is this test");
    let programs = programs.parent().and_then(Path::parent).expect("it is in a folder of cargo");
    let robot = Command::new(programs.join("examples/robots")).args(["robot", &endpoint]).spawn();
    let robot = Killed(robot.expect("the example is built with the tests"));
    wait_for("ticks", || (ticks(&folder.0, "robot").last() >= Some(&9)).then_some(()));
    drop(robot);
    let recorded = &read(&folder.0, "robot")[0];
    assert_eq!(recorded.names.values().collect::<Vec<_>>(), ["robot/cart 1", "robot/cart 2", "robot/cart 3"]);
    for agent in 0..3 {
        let ticks: Vec<_> = recorded.ticks_of(agent).map(|tick| tick.number).collect();
        assert!(ticks.len() >= 9 && ticks.windows(2).all(|two| two[1] == two[0] + 1), "{ticks:?}");
    }
}

#[test]
fn only_what_is_selected_is_recorded() {
    let (endpoint, folder) = (endpoint(), Temporary::new("selected"));
    let only = RecordConfig::new(&folder.0).only(CollectFilter::default().agents("Left"));
    let _hub = TestHub::with(HubConfig::new("selected").listen(&endpoint).record(only));
    let fleet = Fleet::join(Config::new("selected", "robot").connect(&endpoint)).expect("it can join");
    let tree = counter();
    let key = fleet.inspector().tree("counter", &tree);
    let agent = |name| fleet.inspector().agent(key.clone(), name);
    let (mut left, right) = (agent("left arm"), agent("right arm"));
    wait_for("the recorder", || (!left.is_asleep()).then_some(()));
    assert!(right.is_asleep(), "it costs nothing");
    tree.tick_with(&mut 0, &mut tree.memory(), &mut left);
    wait_for("a tick", || (ticks(&folder.0, "robot") == [0]).then_some(()));
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error() {
    let folder = Temporary::new("file");
    fs::write(&folder.0, "a file").expect("it can be written");
    let serve = |record| FleetHub::serve(HubConfig::new("f").address("127.0.0.1:0").listen(&endpoint()).record(record));
    let Err(error) = serve(RecordConfig::new(&folder.0)) else { panic!("it is no folder") };
    assert!(
        matches!(error, FleetError::Folder { .. }) && error.to_string().starts_with("cannot record in "),
        "{error}"
    );
    let Err(error) = serve(RecordConfig::new(&folder.0).limit(1000)) else { panic!("it is too small") };
    assert_eq!(error.to_string(), "limit of recordings: expected at least 1000000 bytes, found 1000");
    fs::remove_file(&folder.0).expect("it is there");
}

#[test]
fn a_program_that_ends_with_many_ticks_sends_all() {
    let (endpoint, folder) = (endpoint(), Temporary::new("burst"));
    let _hub = TestHub::with(recording("burst", &endpoint, &folder));
    let fleet = Fleet::join(Config::new("burst", "robot").connect(&endpoint)).expect("it can join");
    let tree = counter();
    let mut arm = fleet.inspector().agent(fleet.inspector().tree("counter", &tree), "arm");
    wait_for("the recorder", || (!arm.is_asleep()).then_some(()));
    for _ in 0..3000 {
        tree.tick_with(&mut 0, &mut tree.memory(), &mut arm);
    }
    drop((arm, fleet));
    wait_for("the last tick", || (ticks(&folder.0, "robot").last() == Some(&2999)).then_some(()));
    assert_eq!(ticks(&folder.0, "robot"), (0..3000).collect::<Vec<_>>());
}
