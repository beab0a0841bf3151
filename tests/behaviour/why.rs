//! `Description::why`: a test for each form of the sentence.

use bt_core::describe::Description;
use bt_core::observe::{Event, RecordFile, Recorded, Recorder, Recording, TickRecord, Why};
use bt_core::prelude::*;
use bt_core::testing::{ManualClock, scripted};

use Status::{Failure as F, Running as R, Success as S};

/// A recorded run of a tree.
struct Run<N: Node<ManualClock>> {
    tree: N,
    memory: Memory<N>,
    recording: Recording,
    clock: ManualClock,
    description: Description,
}

fn run<N: Node<ManualClock>>(tree: N, ticks: usize) -> Run<N> {
    let (memory, description) = (tree.memory(), tree.description());
    let mut run = Run { tree, memory, recording: Recording::new(1000), clock: ManualClock::default(), description };
    run.tick(ticks);
    run
}

impl<N: Node<ManualClock>> Run<N> {
    fn tick(&mut self, ticks: usize) -> &mut Self {
        for _ in 0..ticks {
            self.tree.tick_with(&mut self.clock, &mut self.memory, &mut self.recording);
            self.clock.advance(secs(1));
        }
        self
    }

    fn halt(&mut self) -> &mut Self {
        self.tree.halt_with(&mut self.clock, &mut self.memory, &mut self.recording);
        self
    }

    fn why(&self, path: &str, tick: u64) -> String {
        let node = self.description.find(path).unwrap_or_else(|| panic!("no node {path}")).id;
        self.description.why(self.recording.ticks(), tick, node).to_string()
    }
}

/// A leaf that returns these statuses, and then repeats the last.
fn leaf(name: &'static str, statuses: &[Status]) -> bt_core::testing::Scripted {
    scripted(name, statuses.to_vec())
}

/// Conditions that hold in some seconds, of which each tick takes one.
macro_rules! conditions {
    ($($name:ident = $seconds:pat),+) => {
        $(fn $name(clock: &ManualClock) -> bool {
            matches!(clock.now().as_secs(), $seconds)
        })+
    };
}

fn shake(_: &mut ManualClock) {}

conditions! { dark = 0..=1, herded = 1, there = 1, calm = 9, wolf_near = 3 }

#[test]
fn a_node_after_a_failed_one_was_not_visited() {
    let run = run(
        tree! {
            for ManualClock: selector {
                sequence "fight" { leaf("enemy_near", &[F, S, S, F]), leaf("attack", &[R]) }
                leaf("patrol", &[R]),
            }
        },
        5,
    );
    assert_eq!(
        run.why("attack", 4),
        "not visited: `enemy_near` failed at tick 4; it last succeeded at tick 2; \
         `attack` was halted at tick 3, when `enemy_near` failed; it last succeeded at tick 2"
    );
    assert_eq!(
        run.why("attack", 0),
        "not visited: `enemy_near` failed at tick 0; it has not succeeded before in the recorded ticks; \
         `attack` has not been visited before in the recorded ticks"
    );
    assert_eq!(run.why("attack", 2), "running since tick 1, because `enemy_near` succeeded");
    assert_eq!(run.why("patrol", 1), "halted at tick 1: `attack` took over, because `enemy_near` succeeded");
    assert_eq!(
        run.why("patrol", 2),
        "not visited: `attack` has run since tick 1; \
         `patrol` was halted at tick 1, when `attack` took over, because `enemy_near` succeeded"
    );
    assert_eq!(run.why("patrol", 4), "running since tick 3, because `enemy_near` failed");
    assert_eq!(run.why("selector", 2), "running since tick 0: `attack` has run since tick 1");
    assert_eq!(
        run.why("fight", 3),
        "failed at tick 3, after it had run since tick 1: `enemy_near` failed at tick 3; it last succeeded at tick 2"
    );
}

#[test]
fn an_answer_has_links() {
    let run = run(tree! { for ManualClock: sequence { leaf("near", &[S, F]), leaf("attack", &[S]) } }, 2);
    let why = run.description.why(run.recording.ticks(), 1, NodeId::new(2));
    let parts: Vec<_> = why
        .parts()
        .iter()
        .map(|part| (part.text.as_str(), part.link.map(|link| (link.node.index(), link.tick))))
        .collect();
    assert_eq!(
        parts,
        [
            ("not visited: ", None),
            ("`near` failed at tick 1", Some((1, 1))),
            ("; ", None),
            ("it last succeeded at tick 0", Some((1, 0))),
            ("; ", None),
            ("`attack` last succeeded at tick 0", Some((2, 0))),
        ]
    );
    let json = serde_json::to_value(&why).expect("it is data");
    assert_eq!(json[1], serde_json::json!({ "text": "`near` failed at tick 1", "link": { "node": 1, "tick": 1 } }));
    assert_eq!(json[0], serde_json::json!({ "text": "not visited: " }));
    assert_eq!(serde_json::from_value::<Why>(json).expect("it was just written"), why);
}

#[test]
fn a_decorator_may_not_tick_its_child() {
    let run = run(
        tree! {
            for ManualClock: sequence { cooldown(secs(3)) { leaf("shoot", &[S]) } delay(secs(2)) { leaf("aim", &[R]) } }
        },
        2,
    );
    assert_eq!(
        run.why("shoot", 1),
        "not visited: `cooldown(time: 3s)` failed at tick 1, without ticking a child; `shoot` last succeeded at tick 0"
    );
    assert_eq!(run.why("delay", 1), "halted at tick 1: `cooldown(time: 3s)` failed, without ticking a child");
    assert_eq!(run.why("delay", 0), "running since tick 0, without ticking a child, because `shoot` succeeded");
    assert_eq!(
        run.why("aim", 0),
        "not visited: `delay(time: 2s)` was running at tick 0, without ticking a child; \
         `aim` has not been visited before in the recorded ticks"
    );
}

#[test]
fn a_decorator_may_halt_or_reverse_its_child() {
    let run = run(
        tree! {
            for ManualClock: selector {
                timeout(secs(2)) { leaf("drive", &[R]) }
                !(leaf("blocked", &[S])),
                leaf("wait", &[R]),
            }
        },
        4,
    );
    assert_eq!(run.why("drive", 3), "halted at tick 3: `timeout(time: 2s)` failed");
    assert_eq!(run.why("timeout", 3), "failed at tick 3, after it had run since tick 0, without ticking a child");
    assert_eq!(run.why("invert", 3), "failed at tick 3: `blocked` succeeded");
    assert_eq!(run.why("wait", 3), "running since tick 3, because `invert` failed");
}

#[test]
fn a_composite_may_continue_at_a_running_child() {
    let run =
        run(tree! { for ManualClock: mem_sequence { leaf("a", &[S]), leaf("b", &[R, R, S]), leaf("c", &[R]) } }, 5);
    assert_eq!(
        run.why("a", 1),
        "not visited: `mem_sequence` continued with `b` at tick 1; `b` has run since tick 0; `a` last succeeded at tick 0"
    );
    assert_eq!(
        run.why("a", 2),
        "not visited: `mem_sequence` continued with `b` at tick 2; `b` had run since tick 0; `a` last succeeded at tick 0"
    );
    assert_eq!(
        run.why("c", 1),
        "not visited: `b` has run since tick 0; `c` has not been visited before in the recorded ticks"
    );
    assert_eq!(run.why("c", 4), "running since tick 2, because `b` succeeded");
    assert_eq!(run.why("b", 2), "succeeded at tick 2, after it had run since tick 0");
}

#[test]
fn a_kept_sequence_may_start_in_the_middle() {
    let run = run(tree! { for ManualClock: kept_sequence { leaf("a", &[S]), leaf("b", &[F, S]), leaf("c", &[R]) } }, 2);
    assert_eq!(
        run.why("a", 1),
        "not visited: `kept_sequence` started with `b` at tick 1; `c` has run since tick 1; `a` last succeeded at tick 0"
    );
}

#[test]
fn all_children_may_have_failed() {
    let run =
        run(tree! { for ManualClock: sequence { selector { leaf("a", &[F]), leaf("b", &[F]) } leaf("c", &[S]) } }, 1);
    assert_eq!(run.why("selector", 0), "failed at tick 0, as did all children that it visited");
    assert_eq!(
        run.why("c", 0),
        "not visited: `selector` failed at tick 0, as did all children that it visited; \
         `c` has not been visited before in the recorded ticks"
    );
}

#[test]
fn a_parallel_ends_or_has_ended_children() {
    let run = run(
        tree! {
            for ManualClock: selector {
                parallel { leaf("drive", &[R]), leaf("safe", &[S, S, F]), leaf("look", &[R]) }
                mem_parallel { leaf("say", &[S]), leaf("stop", &[R]) }
            }
        },
        5,
    );
    assert_eq!(run.why("drive", 2), "halted at tick 2: `safe` failed; it last succeeded at tick 1");
    assert_eq!(run.why("look", 2), "halted at tick 2: `safe` failed; it last succeeded at tick 1");
    assert_eq!(
        run.why("parallel", 0),
        "running since tick 0: `drive` has run since tick 0, `look` has run since tick 0"
    );
    assert_eq!(run.why("look", 1), "running since tick 0");
    assert_eq!(run.why("say", 4), "not visited: `mem_parallel` has run since tick 2; `say` last succeeded at tick 2");
}

#[test]
fn a_branch_is_chosen_by_its_condition() {
    let run = run(tree! { for ManualClock: if dark { leaf("sleep", &[R]) } else { leaf("work", &[R]) } }, 4);
    assert_eq!(
        run.why("work", 1),
        "not visited: `dark` succeeded at tick 1; `work` has not been visited before in the recorded ticks"
    );
    assert_eq!(run.why("sleep", 2), "halted at tick 2: `dark` failed; it last succeeded at tick 1");
    assert_eq!(run.why("work", 3), "running since tick 2, because `dark` failed");
}

#[test]
fn a_match_ticks_another_node() {
    fn hour(clock: &ManualClock) -> u64 {
        clock.now().as_secs()
    }
    let run = run(tree! { for ManualClock: match hour { 0 | 1 => leaf("sleep", &[R]), _ => leaf("work", &[R]) } }, 3);
    assert_eq!(
        run.why("work", 1),
        "not visited: `match` ticked `sleep` at tick 1; `work` has not been visited before in the recorded ticks"
    );
    assert_eq!(run.why("sleep", 2), "halted at tick 2: `work` took over");
}

#[test]
fn a_utility_selector_has_scores() {
    fn hunger(clock: &ManualClock) -> f32 {
        clock.now().as_secs_f32() / 4.0
    }
    let run =
        run(tree! { for ManualClock: utility_selector { hunger => leaf("eat", &[R]), 0.4 => leaf("rest", &[R]) } }, 3);
    assert_eq!(
        run.why("eat", 1),
        "not visited: `utility_selector` ticked `rest` with the score 0.4 at tick 1; `eat` had the score 0.25; \
         `eat` has not been visited before in the recorded ticks"
    );
    assert_eq!(run.why("rest", 2), "halted at tick 2: `eat` took over");
}

#[test]
fn a_random_selector_goes_on_where_it_runs() {
    struct Last;
    impl Observer for Last {
        fn choose(&mut self, _: NodeId, left: usize) -> Option<usize> {
            Some(left - 1)
        }
    }
    let leaf = |name, status| scripted(name, [status]);
    let tree = tree! { for bt_tests::world::World: random_selector { leaf("a", F), leaf("b", R), leaf("c", F) } };
    let (mut world, mut memory, mut recording) =
        (bt_tests::world::World::default(), tree.memory(), Recording::new(100));
    for _ in 0..2 {
        tree.tick_with(&mut world, &mut memory, &mut (&mut recording, &mut Last));
    }
    let why = |node, tick| tree.description().why(recording.ticks(), tick, NodeId::new(node)).to_string();
    assert_eq!(
        why(1, 0),
        "not visited: `random_selector` started with `c` at tick 0; `b` has run since tick 0; \
         `a` has not been visited before in the recorded ticks"
    );
    assert_eq!(why(3, 1), "not visited: `b` has run since tick 0; `c` last failed at tick 0");
    assert_eq!(why(2, 1), "running since tick 0, because `c` failed");
}

#[test]
fn a_machine_is_in_another_state() {
    let mut run = run(
        tree! {
            for ManualClock: machine "sheep" {
                state graze { leaf("eat", &[R]), herded -> obey }
                state obey { exit: shake, leaf("follow", &[R]), calm -> graze }
                state fear { leaf("flee", &[R, S]), success -> graze }
                any { wolf_near -> fear }
            }
        },
        4,
    );
    assert_eq!(
        run.why("follow", 0),
        "not visited: `sheep` has been in state `graze` since tick 0; `follow` has not been visited before in the recorded ticks"
    );
    assert_eq!(run.why("eat", 1), "halted at tick 1: state `obey` was entered, because `herded` succeeded");
    assert_eq!(
        run.why("eat", 2),
        "not visited: `sheep` has been in state `obey` since tick 1, because `herded` succeeded; \
         `eat` was halted at tick 1, when state `obey` was entered, because `herded` succeeded"
    );
    assert_eq!(run.why("follow", 2), "running since tick 1, because `herded` succeeded");
    assert_eq!(run.why("wolf_near", 1), "not visited: `herded` succeeded at tick 1; `wolf_near` last failed at tick 0");
    assert_eq!(
        run.why("herded", 2),
        "not visited: `sheep` has been in state `obey` since tick 1, because `herded` succeeded; `herded` last succeeded at tick 1"
    );
    assert_eq!(
        run.why("shake", 2),
        "not visited: `sheep` has been in state `obey` since tick 1, because `herded` succeeded; \
         `shake` has not been visited before in the recorded ticks"
    );
    run.tick(2);
    assert_eq!(run.why("fear", 3), "running since tick 3: `flee` has run since tick 3, because `wolf_near` succeeded");
    assert_eq!(
        run.why("eat", 4),
        "not visited: `sheep` entered state `graze` at tick 4, after its last visit; \
         `eat` was halted at tick 1, when state `obey` was entered, because `herded` succeeded"
    );
    assert_eq!(run.why("eat", 5), "running since tick 5");
}

#[test]
fn a_machine_may_have_ended() {
    let run = run(tree! { for ManualClock: machine { state a { leaf("go", &[R]), there -> success } } }, 2);
    assert_eq!(run.why("go", 1), "halted at tick 1: `there` succeeded; it last failed at tick 0");
    assert_eq!(
        run.why("machine", 1),
        "succeeded at tick 1, after it had run since tick 0: `there` succeeded at tick 1; it last failed at tick 0"
    );
}

#[test]
fn a_tree_may_be_halted_from_outside() {
    let mut run = run(tree! { for ManualClock: sequence { leaf("a", &[S]), leaf("b", &[R]) } }, 2);
    run.halt();
    assert_eq!(run.why("b", 2), "halted at tick 2 from outside");
    assert_eq!(
        run.why("a", 2),
        "not visited: the tree was halted from outside at tick 2; `a` last succeeded at tick 1"
    );
}

/// Returns a tick with these events.
fn tick(number: u64, events: &str) -> TickRecord {
    let events = Event::from_text(events).expect("they are events");
    TickRecord { agent: 0, number, now: secs(number), status: None, events, cut: 0, reasons: Vec::new(), replaced: 0 }
}

#[test]
fn an_error_has_its_text() {
    let description = tree! { for ManualClock: sequence { leaf("a", &[S]), leaf("b", &[R]) } }.description();
    let mut ticks = [tick(0, "0e 1e")];
    ticks[0].reasons.push((NodeId::new(1), "no battery".to_owned()));
    let why = |node| description.why(&ticks, 0, NodeId::new(node)).to_string();
    assert_eq!(why(0), "returned an error at tick 0: `a` returned an error (no battery)");
    assert_eq!(why(1), "returned an error at tick 0 (no battery)");
    assert_eq!(
        why(2),
        "not visited: `a` returned an error at tick 0 (no battery); `b` has not been visited before in the recorded ticks"
    );
}

#[test]
fn missing_ticks_are_stated() {
    let tree = tree! {
        for ManualClock: selector { sequence { leaf("near", &[F]), leaf("attack", &[R]) } leaf("rest", &[R]) }
    };
    let description = tree.description();
    let mut ticks =
        vec![tick(3, "0r 1r 2s 3r"), tick(7, "0R 1f 2f 4R"), tick(9, "0R 1f 2f 4R"), tick(10, "0R 1f 2f 4R")];
    let why = |ticks: &[TickRecord], tick, node| description.why(ticks, tick, NodeId::new(node)).to_string();
    assert_eq!(why(&ticks, 3, 3), "running since tick 3, because `near` succeeded");
    assert_eq!(why(&ticks, 5, 3), "tick 5 is not recorded; the last recorded tick before it is 3");
    assert_eq!(why(&ticks, 1, 3), "tick 1 is not recorded");
    assert_eq!(why(&[], 1, 3), "tick 1 is not recorded");
    assert_eq!(why(&ticks, 3, 99), "there is no node #99 in this tree");
    assert_eq!(
        why(&ticks, 7, 3),
        "not visited: `near` failed at tick 7; it last succeeded at tick 3; `attack` was last running at tick 3; ticks 4 to 6 are not recorded"
    );
    assert_eq!(why(&ticks, 10, 4), "running since before tick 9, because `near` failed at tick 10");
    ticks[1].cut = 5;
    assert_eq!(
        why(&ticks, 7, 3),
        "not visited: only a part of the tick is recorded; `attack` was last running at tick 3; ticks 4 to 6 are not recorded; tick 7 is not recorded in full"
    );
    // A machine was put into a state.
    let outside =
        "not visited: the tree was not ticked at tick 0; `rest` has not been visited before in the recorded ticks";
    assert_eq!(why(&[tick(0, "")], 0, 4), outside);
    // A tick that is not over.
    assert_eq!(why(&[tick(0, "0o 1o 2s")], 0, 1), "visited at tick 0; the visit is not over");
    assert_eq!(
        why(&[tick(0, "0o 1o 2s")], 0, 4),
        "not visited: `selector` was visited at tick 0, and its visit is not over; `rest` has not been visited before in the recorded ticks"
    );
}

#[test]
fn recordings_of_agents_and_files_have_the_same_answers() {
    let tree = tree! { for ManualClock: selector { leaf("near", &[F, S]), leaf("rest", &[R]) } };
    let (mut recorder, mut file) =
        (Recorder::new(1000), RecordFile::new(Vec::new(), "tree", &tree).expect("a vector takes all"));
    for (agent, ticks) in [(3, 4), (5, 1)] {
        let (mut clock, mut memory) = (ManualClock::default(), tree.memory());
        for _ in 0..ticks {
            let mut both = (&mut recorder, &mut file);
            tree.tick_with(&mut clock, &mut memory, &mut both.for_agent(agent, secs(1)));
        }
    }
    let recorded = Recorded::read(&*file.finish().expect("a vector takes all")).expect("it was just written");
    let node = NodeId::new(2);
    let of_file = recorded.description.why(recorded.ticks_of(3), 3, node);
    assert_eq!(tree.description().why(recorder.recording(3).expect("it was ticked").ticks(), 3, node), of_file);
    assert_eq!(
        of_file.to_string(),
        "not visited: `near` succeeded at tick 3; it last failed at tick 0; `rest` was halted at tick 1, when `near` succeeded; it last failed at tick 0"
    );
    assert_eq!(
        recorded.description.why(recorded.ticks_of(5), 0, node).to_string(),
        "running since tick 0, because `near` failed"
    );
}

#[test]
fn a_cleanup_that_goes_on_is_what_others_wait_for() {
    fn safe(clock: &ManualClock) -> bool {
        clock.now() < secs(1)
    }

    let tree = tree! {
        for ManualClock: if safe {
            finally { leaf("drive", &[R]), leaf("cancel", &[R, R, R, S]) }
        } else {
            leaf("hold", &[R]),
        }
    };
    let run = run(tree, 5);
    let asked = [("drive", 1), ("finally", 1), ("if", 2), ("hold", 2), ("cancel", 2), ("hold", 4)];
    let answers = asked.map(|(path, tick)| format!("{path} @{tick}: {}", run.why(path, tick)));
    assert_eq!(
        answers,
        [
            "drive @1: halted at tick 1: `safe` failed; it last succeeded at tick 0",
            "finally @1: halted at tick 1: `safe` failed; it last succeeded at tick 0",
            "if @2: running since tick 0, and waits for a cleanup: `cancel` has run since tick 1",
            "hold @2: not visited: `if` waits for a cleanup: `cancel` has run since tick 1; `hold` has not been visited before in the recorded ticks",
            "cancel @2: running since tick 1, because `safe` failed",
            "hold @4: running since tick 4, because `safe` failed",
        ]
    );
}

#[test]
fn a_finally_ends_as_its_body_did() {
    let tree = tree! { for ManualClock: finally { leaf("drive", &[R, F]), leaf("cancel", &[R, S]) } };
    let run = run(tree, 3);
    assert_eq!(
        run.why("finally", 2),
        "failed at tick 2, after it had run since tick 0: `drive` failed at tick 1; it has not succeeded before in the recorded ticks"
    );
}
