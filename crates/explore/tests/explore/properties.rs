//! Each kind of property, holding and violated.

use bt_core::prelude::*;
use bt_explore::{Finding, choose, explore, flip};

/// Counts to 3, and may stop.
#[derive(Clone, Copy, Default, Hash, Debug)]
struct Count(u8);

fn count(count: &mut Count) -> Status {
    if count.0 == 3 {
        return Status::Success;
    }
    count.0 += u8::from(flip("counts"));
    Status::Running
}

fn tree() -> impl Node<Count> + Save {
    tree! { count }
}

/// Takes a way from which there is none back.
fn way(count: &mut Count) -> Status {
    if count.0 == 0 {
        count.0 = if flip("the wrong way") { 9 } else { 1 };
    }
    if count.0 == 1 { Status::Success } else { Status::Running }
}

#[test]
fn always_and_never() {
    let exploration = explore(tree(), Count(0))
        .always("is at most 3", |tick| tick.ctx.0 <= 3)
        .always("is at most 2", |tick| tick.ctx.0 <= 2)
        .never("is 2", |tick| tick.ctx.0 == 2)
        .run();
    let violated: Vec<_> =
        exploration.violations().map(|verdict| (&*verdict.name, verdict.run().map(|run| run.ticks.len()))).collect();
    assert_eq!(violated, [("is at most 2", Some(3)), ("is 2", Some(2))]);
    assert!(!exploration.holds() && exploration.is_complete());
    assert_eq!(exploration.states(), 6, "0 before the first tick; 0, 1, 2, 3 while running; 3 after the end");
}

#[test]
fn sometimes() {
    let exploration = explore(tree(), Count(0))
        .sometimes("is 3", |tick| tick.ctx.0 == 3)
        .sometimes("is 4", |tick| tick.ctx.0 == 4)
        .run();
    assert!(matches!(&exploration.verdicts()[0].result, Finding::Reached(run) if run.ticks.len() == 3));
    assert!(matches!(&exploration.verdicts()[1].result, Finding::NotReached));
    assert_eq!(exploration.violations().count(), 1);
}

#[test]
fn eventually_holds_if_choices_are_fair() {
    // Nothing counts in the run that never flips: it is not fair.
    explore(tree(), Count(0)).eventually("ends", |tick| tick.status == Status::Success).check();
}

#[test]
fn eventually_is_violated_where_there_is_no_way_back() {
    let exploration =
        explore(tree! { for Count: way }, Count(0)).eventually("ends", |tick| tick.status == Status::Success).run();
    let violation = exploration.violations().next().expect("9 is a trap").to_string();
    assert!(
        violation.starts_with("violated: ends\nnote: after this run of 1 tick, it cannot happen any more\n"),
        "{violation}"
    );
}

#[test]
fn eventually_is_not_violated_by_a_trap_behind_it() {
    // The tree ends after 3 once; then it is over for good.
    let once = tree! { for Count: sequence { run_once { count } run } };
    let exploration = explore(once, Count(0))
        .eventually("counts to 3", |tick| tick.ctx.0 == 3)
        .always_possible("counts to 3, again and again", |tick| tick.returned("count", Status::Success))
        .run();
    let violated: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
    assert_eq!(violated, ["counts to 3, again and again"]);
}

#[test]
fn eventually_counts_in_the_last_tick_of_a_single_run() {
    let exploration = explore(tree(), Count(0))
        .single_run()
        .eventually("ends", |tick| tick.status == Status::Success)
        .eventually("fails", |tick| tick.status == Status::Failure)
        .run();
    let violated: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
    assert_eq!(violated, ["fails"]);
}

#[test]
fn leads_to() {
    let exploration = explore(tree! { for Count: way }, Count(0))
        .leads_to("1 is followed by success", |tick| tick.ctx.0 == 1, |tick| tick.status == Status::Success)
        .leads_to("9 is followed by success", |tick| tick.ctx.0 == 9, |tick| tick.status == Status::Success)
        .leads_to("nothing is followed by nothing", |tick| tick.ctx.0 == 5, |_| false)
        .run();
    let violated: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
    assert_eq!(violated, ["9 is followed by success"]);
}

/// A stop button, which is looked at in each tick or only between two steps.
#[derive(Clone, Copy, Default, Hash, Debug)]
struct Button(bool);

fn is_pressed(button: &Button) -> bool {
    button.0
}

fn press(button: &mut Button) {
    button.0 |= flip("press");
}

fn drive(_: &mut Button) -> Status {
    if choose(2) == 0 { Status::Running } else { Status::Success }
}

#[test]
fn responds_within_ticks() {
    let reactive = tree! { for Button: sequence { !is_pressed, mem_sequence { drive, drive } } };
    let stops = |tick: &bt_explore::Ticked<'_, Button>| !tick.is_running("drive");
    explore(&reactive, Button(false)).environment(press).responds("stops", |tick| tick.ctx.0, stops, 0).check();

    let late = tree! { for Button: mem_sequence { drive, !is_pressed, drive } };
    for (within, holds) in [(0, false), (1, false), (100, false)] {
        let exploration =
            explore(&late, Button(false)).environment(press).responds("stops", |tick| tick.ctx.0, stops, within).run();
        assert_eq!(exploration.holds(), holds, "within {within}");
        let run = exploration.violations().next().and_then(|verdict| verdict.run()).expect("it is violated");
        assert_eq!(u32::try_from(run.ticks.len()), Ok(within + 1), "a shortest one");
    }
}

#[test]
fn responds_counts_the_ticks_after_the_trigger() {
    // Looks at the button in each second tick.
    #[derive(Clone, Copy, Default, Hash)]
    struct Slow {
        button: Button,
        tick: u8,
        stopped: bool,
    }
    fn look(slow: &mut Slow) {
        slow.tick = (slow.tick + 1) % 2;
        slow.stopped |= slow.tick == 0 && slow.button.0;
    }
    for (within, holds) in [(0, false), (1, true)] {
        let exploration = explore(tree! { for Slow: look }, Slow::default())
            .environment(|slow| press(&mut slow.button))
            .responds("stops", |tick| tick.ctx.button.0 && !tick.before.button.0, |tick| tick.ctx.stopped, within)
            .run();
        assert_eq!(exploration.holds(), holds, "within {within}");
    }
}

#[test]
fn before_the_end() {
    fn any(_: &mut ()) -> Status {
        bt_explore::pick("any", &[Status::Running, Status::Success, Status::Failure])
    }
    let holds = |tree: &dyn Fn() -> BoxNode<(), bt_core::SaveMemory>| {
        let (grasped, released) = ("grasp", "release");
        explore(tree(), ())
            .before_end(
                "released",
                move |tick| tick.returned(grasped, Status::Success),
                move |tick| tick.returned(released, Status::Success),
            )
            .run()
            .holds()
    };
    assert!(!holds(&|| BoxNode::saving(tree! { for (): mem_sequence { any "grasp", any "release" } })));
    assert!(holds(&|| BoxNode::saving(
        tree! { for (): mem_sequence { any "grasp", until_success { any "release" } } }
    )));
}

#[test]
fn no_leaf_ticks_twice() {
    fn fail_or_run(_: &mut ()) -> Status {
        if flip("runs") { Status::Running } else { Status::Failure }
    }
    let retries = tree! { for (): retry(2) { fail_or_run } };
    assert!(!explore(&retries, ()).no_leaf_ticks_twice().run().holds());
    let plain = tree! { for (): selector { fail_or_run, fail_or_run } };
    assert!(explore(&plain, ()).no_leaf_ticks_twice().run().holds());
}

#[test]
fn two_children_of_a_selector_overlap_within_a_tick() {
    let tree = tree! { for Button: selector { sequence { is_pressed, run "brake" } run "drive" } };
    let exploration = explore(&tree, Button(false))
        .environment(press)
        .never("both after a tick", |tick| tick.is_running("brake") && tick.is_running("drive"))
        .never("both within a tick", |tick| tick.overlapped("brake", "drive"))
        .always("the drive is halted", |tick| {
            !(tick.was_running("drive") && tick.is_running("brake"))
                || tick.halted("drive") && tick.closed("drive") == Some(End::Halted(Cause::Preempted))
        })
        .sometimes("brakes", |tick| tick.opened("brake") && tick.visits("brake") == 1)
        .run();
    let violated: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
    assert_eq!(violated, ["both within a tick"]);
}

#[test]
fn a_property_sees_a_cleanup_that_a_halt_has_left() {
    fn cancel(_: &mut Button) -> Status {
        if flip("acknowledged") { Status::Success } else { Status::Running }
    }
    /// Returns whether nothing starts beside the cancellation, and whether each halt leads to its end.
    fn holds(tree: impl Node<Button> + Save) -> [bool; 2] {
        let exploration = explore(tree, Button(false))
            .environment(press)
            .never("the brake beside the cancellation", |tick| tick.is_running("brake") && tick.is_running("cancel"))
            .leads_to("the cancellation ends", |tick| tick.halted("drive"), |tick| tick.closed("cancel").is_some())
            .run();
        let names: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
        ["the brake beside the cancellation", "the cancellation ends"].map(|name| !names.contains(&name))
    }
    let waits = tree! { for Button: if is_pressed { run "brake" } else { finally { run "drive", cancel "cancel" } } };
    assert_eq!(holds(waits), [true, true]);
    let beside = tree! {
        for Button: selector { sequence { is_pressed, run "brake" } finally { run "drive", cancel "cancel" } }
    };
    assert_eq!(holds(beside), [false, true]);
}

#[test]
fn a_panic_is_a_violation() {
    fn step(count: &mut Count) {
        count.0 += u8::from(flip("step"));
        assert!(count.0 < 3, "{} is too much", count.0);
    }
    let exploration = explore(tree! { for Count: step }, Count(0)).run();
    let violation = exploration.violations().next().expect("it panics");
    assert_eq!(violation.name, "no panic: 3 is too much");
    let run = violation.run().expect("a run");
    assert_eq!((run.ticks.len(), run.ticks[2].status), (3, None));
    assert_eq!(run.ticks[2].log, ["panic: 3 is too much"]);
}

#[test]
#[should_panic = "violated: is at most 1\nnote: in the last of 2 ticks\ntick  status   leaves\n   1  running  count: running\n"]
fn check_panics_with_the_run() {
    explore(tree(), Count(0)).always("is at most 1", |tick| tick.ctx.0 <= 1).check();
}

#[test]
#[should_panic = "no node is named `cuont` in this tree:\ncount\n"]
fn a_path_that_names_no_node_panics() {
    explore(tree(), Count(0)).always("counts", |tick| tick.is_running("cuont")).check();
}

/// May end in three ways.
fn mission(count: &mut Count) -> Status {
    count.0 = 1;
    bt_explore::pick("mission", &[Status::Running, Status::Success, Status::Failure])
}

#[test]
fn the_end_of_a_single_run_is_the_end_of_what_can_happen() {
    let exploration = explore(tree! { for Count: mission }, Count(0))
        .single_run()
        .eventually("ends", |tick| tick.status != Status::Running)
        .eventually("succeeds", |tick| tick.status == Status::Success)
        .leads_to("a start leads to success", |tick| tick.ctx.0 == 1, |tick| tick.status == Status::Success)
        .leads_to(
            "a failure leads to success",
            |tick| tick.status == Status::Failure,
            |tick| tick.status == Status::Success,
        )
        .responds(
            "responds to a failure",
            |tick| tick.status == Status::Failure,
            |tick| tick.status == Status::Success,
            5,
        )
        .always_possible("can succeed", |tick| tick.status == Status::Success)
        .run();
    let violated: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
    assert_eq!(
        violated,
        ["succeeds", "a start leads to success", "a failure leads to success", "responds to a failure"]
    );
    let run = exploration.verdict("succeeds").and_then(|verdict| verdict.run()).expect("it is violated");
    assert_eq!(run.ticks.last().and_then(|tick| tick.status), Some(Status::Failure));
    assert!(
        run.to_test("mission", "tree()", "ctx()")
            .ends_with("panic!(\"replace this with what must be possible after this run\");\n}\n")
    );
}

#[test]
#[should_panic = "two properties have the name `ends`"]
fn two_properties_of_one_name_panic() {
    let _ = explore(tree(), Count(0)).sometimes("ends", |_| true).never("ends", |_| false);
}

/// A naive model checker: all runs of a random automaton, by brute force on its graph.
mod brute_force {
    use super::*;
    use proptest::prelude::*;

    /// For each state, the states after it; a run ends in a state from 100 on, with success if it is even.
    #[derive(Clone, Debug)]
    struct Automaton(Vec<Vec<u8>>);

    fn automaton() -> impl Strategy<Value = Automaton> {
        (2..6_u8).prop_flat_map(|states| {
            let next = prop_oneof![6 => 0..states, 1 => 100..102_u8];
            proptest::collection::vec(proptest::collection::vec(next, 1..4), usize::from(states)).prop_map(Automaton)
        })
    }

    impl Automaton {
        fn reachable(&self, from: u8) -> std::collections::BTreeSet<u8> {
            let (mut seen, mut todo) = (std::collections::BTreeSet::new(), vec![from]);
            while let Some(state) = todo.pop() {
                if seen.insert(state) {
                    todo.extend(self.0.get(usize::from(state)).into_iter().flatten());
                }
            }
            seen
        }

        /// Whether all fair runs from a state come to a goal, in this state or a later one.
        fn comes_to(&self, from: u8, goal: &dyn Fn(u8) -> bool) -> bool {
            let (mut seen, mut todo) = (std::collections::BTreeSet::new(), vec![from]);
            while let Some(state) = todo.pop() {
                if goal(state) || !seen.insert(state) {
                    continue;
                }
                if !self.reachable(state).iter().any(|state| goal(*state)) {
                    return false;
                }
                todo.extend(self.0.get(usize::from(state)).into_iter().flatten());
            }
            true
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        #[test]
        fn properties_are_those_of_the_graph(automaton in automaton(), trigger in 0..3_u8, goal in prop_oneof![0..3_u8, Just(100_u8)]) {
            let table = automaton.clone();
            let step = move |state: &mut u8| {
                let next = &table.0[usize::from(*state)];
                *state = next[choose(next.len())];
                match *state {
                    100 => Status::Success,
                    101 => Status::Failure,
                    _ => Status::Running,
                }
            };
            let is = |state: u8| move |tick: &bt_explore::Ticked<'_, u8>| *tick.ctx == state;
            let exploration = explore(tree! { for u8: step }, 0)
                .single_run()
                .eventually("eventually", is(goal))
                .leads_to("leads to", is(trigger), is(goal))
                .always_possible("possible", is(goal))
                .sometimes("sometimes", is(goal))
                .never("never", is(goal))
                .run();
            let first = |state: u8| &automaton.0[usize::from(state)];
            let reached: std::collections::BTreeSet<u8> = first(0).iter().flat_map(|state| automaton.reachable(*state)).collect();
            let holds = |name: &str| exploration.verdict(name).is_some_and(|verdict| !verdict.is_violated());
            let expected = first(0).iter().all(|next| automaton.comes_to(*next, &|state| state == goal));
            prop_assert_eq!(holds("eventually"), expected, "eventually");
            let expected = !reached.contains(&trigger) || automaton.comes_to(trigger, &|state| state == goal);
            prop_assert_eq!(holds("leads to"), expected, "leads to");
            let still = |state: &u8| *state >= 100 || first(*state).iter().any(|next| automaton.reachable(*next).contains(&goal));
            let expected = still(&0) && reached.iter().all(still);
            prop_assert_eq!(holds("possible"), expected, "possible");
            prop_assert_eq!(holds("sometimes"), reached.contains(&goal));
            prop_assert_eq!(holds("never"), !reached.contains(&goal));
        }
    }
}

#[test]
#[should_panic = "an exploration has at most 64 properties about the future: `64` is one more"]
fn too_many_properties_about_the_future_panic() {
    let mut exploration = explore(tree(), Count(0)).always("is at most 3", |tick| tick.ctx.0 <= 3);
    for number in 0..65 {
        exploration = exploration.always_possible(&number.to_string(), |_| true);
    }
    let _ = exploration;
}
