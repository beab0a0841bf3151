//! Counterexamples: tables, recordings, tests.

use bt_core::observe::Recorded;
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_core::testing::TreeTest;
use bt_explore::{Exploration, Run, explore, flip};

#[derive(Clone, Hash, Default, Debug)]
struct Robot {
    door_open: bool,
}

fn door_closed(robot: &Robot) -> bool {
    !robot.door_open
}

fn drive(_: &mut Robot) -> Status {
    Status::Running
}

fn tree() -> impl Node<Robot> + Save {
    tree! { mem_sequence { selector { door_closed, fail } drive "to the dock", drive } }
}

fn exploration() -> Exploration {
    explore(tree(), Robot::default())
        .free("to the dock")
        .without_errors()
        .environment(|robot| robot.door_open ^= flip("the door moves"))
        .never("drives with the door open", |tick| tick.is_running("to the dock") && tick.ctx.door_open)
        .never("drives on with the door open", |tick| {
            tick.is_running("drive")
                && tick.was_running("to the dock")
                && tick.ctx.door_open
                && !tick.is_running("to the dock")
        })
        .show(|robot| format!("{robot:?}"))
        .run()
}

fn run(exploration: &Exploration, name: &str) -> Run {
    exploration.verdict(name).and_then(|verdict| verdict.run()).expect("it is violated").clone()
}

#[test]
fn a_run_is_written_as_a_table() {
    assert_eq!(
        run(&exploration(), "drives with the door open").to_string(),
        "\
tick  status   leaves
   1  running  door_closed: success, to the dock: running
               chosen: the door moves: 0 of 2
               context: Robot { door_open: false }
   2  running  to the dock: running
               chosen: the door moves: 1 of 2
               context: Robot { door_open: true }
"
    );
}

#[test]
fn a_run_is_a_recording() {
    let run = run(&exploration(), "drives with the door open");
    let recorded = Recorded::read(run.recording().as_bytes()).expect("the inspector reads it");
    assert_eq!(recorded.description, tree().description());
    let statuses: Vec<_> = recorded.ticks.iter().map(|tick| tick.status).collect();
    assert_eq!(statuses, [Some(Status::Running), Some(Status::Running)]);
    assert_eq!(recorded.ticks.iter().map(|tick| tick.now).collect::<Vec<_>>(), [secs(0), secs(1)]);
    assert!(run.recording().contains("door_open: true"));
    let path = std::env::temp_dir().join(format!("bt-explore-{}.jsonl", std::process::id()));
    run.record(&path).expect("the folder can be written");
    assert_eq!(std::fs::read_to_string(&path).expect("it was just written"), run.recording());
    std::fs::remove_file(path).expect("it was just written");
}

#[test]
fn a_run_is_a_test() {
    let source = run(&exploration(), "drives on with the door open").to_test("the_door", "tree()", "Robot::default()");
    assert_eq!(
        source,
        r#"#[test]
fn the_door() {
    let mut test = TreeTest::new(tree(), Robot::default());
    test.replace("door_closed", [Status::Success]);
    test.replace("to the dock", [Status::Running, Status::Success]);
    test.replace_node(NodeId::new(5), [Status::Running]);
    test.tick();
    test.log();
    test.tick();
    assert_ne!(test.log(), [
        "to the dock: success",
        "drive: running",
    ]);
}
"#
    );
    // What it says, with `assert_eq!`: it repeats the run.
    let mut test = TreeTest::new(tree(), Robot::default());
    test.replace("door_closed", [Status::Success]);
    test.replace("to the dock", [Status::Running, Status::Success]);
    test.replace_node(NodeId::new(5), [Status::Running]);
    test.tick();
    test.log();
    test.tick();
    assert_eq!(test.log(), ["to the dock: success", "drive: running"]);
}

#[test]
fn a_test_of_a_random_composite_has_its_draws() {
    #[derive(Clone)]
    struct Npc(rand_pcg::Pcg32);
    impl std::hash::Hash for Npc {
        fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
    }
    impl Random for Npc {
        type Rng = rand_pcg::Pcg32;
        fn rng(&mut self) -> &mut rand_pcg::Pcg32 {
            &mut self.0
        }
    }
    fn no(_: &mut Npc) -> bool {
        false
    }
    let npc = || Npc(rand_pcg::Pcg32::seed_from_u64(1));
    let tree = || tree! { for Npc: random_selector { no "a", no "b", no "c" } };
    let exploration =
        explore(tree(), npc()).never("c comes first", |tick| tick.visits("c") == 1 && tick.ctx.0 == npc().0).run();
    let run = exploration.violations().next().and_then(|verdict| verdict.run()).expect("all come").clone();
    assert!(
        run.to_test("order", "tree()", "npc()").contains("test.choose(\"random_selector\", [0, 0, 0]);"),
        "{}",
        run.to_test("", "", "")
    );

    let mut test = TreeTest::new(tree(), npc());
    test.choose("random_selector", [2, 1, 0]);
    test.tick();
    assert_eq!(test.log(), ["c: failure", "b: failure", "a: failure"]);
    // Then the generator draws.
    test.tick();
    assert_eq!(test.log().len(), 3);
}

#[test]
fn a_test_in_which_time_passes_says_so() {
    #[derive(Clone, Hash, Default)]
    struct Npc(Duration);
    impl Clock for Npc {
        fn now(&self) -> Duration {
            self.0
        }
    }
    let exploration = explore(tree! { for Npc: wait(secs(1)) }, Npc::default())
        .clock([millis(500)], |npc| &mut npc.0)
        .never("ends", |tick| tick.status == Status::Success)
        .run();
    let run = exploration.violations().next().and_then(|verdict| verdict.run()).expect("it ends").clone();
    assert!(
        run.to_test("time", "tree()", "Npc::default()")
            .contains("    // The clock advances before each tick: 500ms, 500ms, 500ms.\n")
    );
}
