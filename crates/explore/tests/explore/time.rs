//! Clocks in steps.

use bt_core::Shift;
use bt_core::prelude::*;
use bt_explore::{choose, explore};

#[derive(Clone, Hash, Default, Debug)]
struct Npc {
    now: Duration,
    shots: u8,
    seen: Duration,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

fn shoot(npc: &mut Npc) {
    npc.shots = (npc.shots + 1) % 2;
}

fn drive(_: &mut Npc) -> Status {
    if choose(2) == 0 { Status::Running } else { Status::Success }
}

#[test]
fn states_that_differ_only_in_the_time_are_one() {
    let waiting =
        explore(tree! { for Npc: wait(secs(2)) }, Npc::default()).clock([millis(500)], |npc| &mut npc.now).run();
    // Not running, and 1.5, 1.0, 0.5 and 0 s left.
    assert_eq!((waiting.states(), waiting.is_complete()), (5, true));
    let cooling = explore(tree! { for Npc: cooldown(secs(2)) { shoot } }, Npc::default())
        .clock([millis(500)], |npc| &mut npc.now)
        .run();
    assert!(cooling.is_complete());
    assert!(cooling.states() <= 12, "{cooling}");
}

#[test]
fn a_cooldown_that_is_over_is_one_state_however_long_ago() {
    let tree = tree! { for Npc: selector { sequence { |npc: &Npc| npc.shots == 0, cooldown(secs(1)) { shoot } } run } };
    let exploration = explore(tree, Npc::default()).clock([millis(400)], |npc| &mut npc.now).run();
    assert!(exploration.is_complete() && exploration.states() < 8, "{exploration}");
    assert_eq!(exploration.stuck_states(), 1);
}

#[test]
fn a_timeout_ends_its_child_in_all_runs() {
    let tree = tree! { for Npc: timeout(secs(1)) { drive } };
    let exploration = explore(tree, Npc::default())
        .clock([millis(300)], |npc| &mut npc.now)
        .sometimes("fails", |tick| tick.status == Status::Failure && tick.halted("drive"))
        .responds("ends", |tick| tick.opened("drive"), |tick| !tick.is_running("drive"), 4)
        .check();
    let run = exploration.verdict("fails").and_then(|verdict| verdict.run()).expect("it fails");
    // Started at 0.3 s, it is ticked at 0.6, 0.9 and 1.2 s, and halted at 1.5 s.
    assert_eq!(run.ticks.len(), 5, "{run}");
    assert!(run.to_string().contains("time: 1.5s"), "{run}");
}

#[test]
fn steps_of_several_lengths_are_choices() {
    let exploration = explore(tree! { for Npc: wait(secs(1)) }, Npc::default())
        .clock([millis(250), millis(500)], |npc| &mut npc.now)
        .sometimes("takes 2 ticks more", |tick| tick.status == Status::Success)
        .check();
    let run = exploration.verdicts()[0].run().expect("it ends");
    assert_eq!(run.ticks.iter().map(|tick| tick.passed).collect::<Vec<_>>()[1..], [millis(500), millis(500)]);
    assert_eq!(exploration.states(), 5);
}

#[test]
fn moments_of_the_context_are_converted() {
    fn see(npc: &mut Npc) -> Status {
        if choose(2) == 1 {
            npc.seen = npc.now;
        }
        Status::Running
    }
    let start = || Npc { seen: Duration::ZERO, ..Npc::default() };
    let recent = |tick: &bt_explore::Ticked<'_, Npc>| tick.ctx.now.saturating_sub(tick.ctx.seen) <= secs(2);
    let exploration = explore(tree! { for Npc: see }, start())
        .clock([secs(1)], |npc| &mut npc.now)
        .shift(|npc, by: Shift| npc.seen = by.time(npc.seen))
        // Older than 3 s is old.
        .normalize(|npc| npc.seen = npc.seen.max(npc.now.saturating_sub(secs(3))))
        .sometimes("was seen within 2 s", recent)
        .run();
    assert!(exploration.is_complete() && exploration.states() <= 5, "{exploration}");
}

#[test]
fn loaded_trees_forget_what_has_passed_too() {
    use bt_dynamic::Registry;
    let fixed = tree! {
        for Npc: mem_selector {
            timeout(millis(700)) { cooldown(secs(1)) { drive } }
            delay(millis(300)) { wait(millis(600)) }
        }
    };
    let file = bt_dynamic::to_behavior3(&fixed.description(), "timed");
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("drive", drive);
    let loaded = registry.load_from(&file, None).expect("the file has the leaves of the tree");
    let (fixed, loaded) = (explore(fixed, Npc::default()), explore(loaded, Npc::default()));
    let fixed = fixed.clock([millis(200)], |npc| &mut npc.now).run();
    let loaded = loaded.clock([millis(200)], |npc| &mut npc.now).run();
    assert!(fixed.is_complete() && loaded.is_complete());
    // Only a cooldown that has never begun is another state there than one that is over.
    assert!((fixed.states()..=2 * fixed.states()).contains(&loaded.states()), "{fixed}{loaded}");
    assert_eq!(loaded.unseen().nodes, fixed.unseen().nodes);
}

#[test]
#[should_panic = "`shift` needs a clock"]
fn a_shift_without_a_clock_panics() {
    let _ = explore(tree! { for Npc: drive }, Npc::default()).shift(|_, _| {});
}

#[test]
#[should_panic = "a clock needs at least one step"]
fn a_clock_without_steps_panics() {
    let _ = explore(tree! { for Npc: drive }, Npc::default()).clock([], |npc| &mut npc.now);
}

/// Ends 2 s after it began.
struct Talk {
    shifts: bool,
}

#[leaf]
impl Leaf<Npc> for Talk {
    type Open = Duration;

    fn open(&self, npc: &mut Npc) -> Duration {
        npc.now
    }

    fn tick(&self, began: &mut Duration, npc: &mut Npc) -> Status {
        if npc.now.saturating_sub(*began) >= secs(2) { Status::Success } else { Status::Running }
    }

    fn shift(&self, began: &mut Duration, by: Shift) {
        if self.shifts {
            *began = by.time(*began);
        }
    }
}

#[test]
fn a_leaf_knows_when_it_began() {
    let exploration = explore(tree! { for Npc: (Talk { shifts: true }) }, Npc::default())
        .clock([millis(500)], |npc| &mut npc.now)
        .responds("ends after 2 s", |tick| tick.opened("Talk"), |tick| tick.status == Status::Success, 4)
        .never("ends at once", |tick| tick.before.now == tick.ctx.now)
        .check();
    assert_eq!(exploration.states(), 5);
}

#[test]
#[should_panic = "a tick must not depend on the time itself"]
fn a_leaf_that_does_not_convert_its_moments_panics() {
    explore(tree! { for Npc: (Talk { shifts: false }) }, Npc::default()).clock([millis(500)], |npc| &mut npc.now).run();
}

#[test]
#[should_panic = "a tick must not depend on the time itself"]
fn a_context_whose_moments_are_not_converted_panics() {
    fn see(npc: &mut Npc) -> Status {
        if npc.seen.is_zero() {
            npc.seen = npc.now;
        }
        Status::from(npc.now.saturating_sub(npc.seen) < secs(5))
    }
    explore(tree! { for Npc: see }, Npc::default()).clock([millis(500)], |npc| &mut npc.now).run();
}

#[test]
#[should_panic = "no time passes: `timeout(time: 1s)` needs a clock\nhelp: call `.clock(["]
fn timed_nodes_without_a_clock_panic() {
    explore(tree! { for Npc: timeout(secs(1)) { drive } }, Npc::default()).run();
}

#[test]
fn an_environment_may_advance_the_time() {
    let exploration = explore(tree! { for Npc: timeout(secs(1)) { drive } }, Npc::default())
        .environment(|npc| npc.now = (npc.now + millis(400)).min(secs(3)))
        .sometimes("times out", |tick| tick.halted("drive"))
        .check();
    assert!(exploration.to_string().contains("note: `timeout(time: 1s)` needs a clock, but there is none"));
}
