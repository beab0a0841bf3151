//! Decorators, ours and a user's.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::decorator::{AfterChild, Decorated, Gate, StatusMap, decorate};
use bt_core::prelude::*;
use bt_core::{Never, Outcomes};
use bt_tests::world::{Event, Events, World, ZERO, told};

use crate::support::running;

#[test]
fn invert_and_the_bang_turn_success_and_failure_around() {
    let mut run = running(tree! { invert { told(1) } });
    assert_eq!([Success, Failure, Running, Error].map(|told| run.tick(&[told])), [Failure, Success, Running, Error]);
    let mut run = running(tree! { !told(1) });
    assert_eq!([Success, Failure, Running].map(|told| run.tick(&[told])), [Failure, Success, Running]);
}

#[test]
fn force_success_and_force_failure_leave_running_and_error_alone() {
    let mut run = running(tree! { force_success { told(1) } });
    assert_eq!([Success, Failure, Running, Error].map(|told| run.tick(&[told])), [Success, Success, Running, Error]);
    let mut run = running(tree! { force_failure { told(1) } });
    assert_eq!([Success, Failure, Running, Error].map(|told| run.tick(&[told])), [Failure, Failure, Running, Error]);
}

#[test]
fn repeat_starts_once_per_tick_and_never_ends() {
    let mut run = running(tree! { repeat { told(1) } });
    assert_eq!([Success, Failure, Running, Success].map(|told| run.tick(&[told])), [Running; 4]);
    assert_eq!(run.tick(&[Error]), Error);
}

#[test]
fn repeat_n_counts_both_outcomes_within_the_tick_and_succeeds() {
    let mut run = running(tree! { repeat(3) { told(1) } });
    assert_eq!(run.tick(&[Success, Failure, Failure]), Success);
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.tick(&[Failure, Success]), Success);
    assert_eq!(run.opened(), [1]);
}

#[test]
fn repeat_zero_succeeds_and_retry_zero_fails_without_the_child() {
    assert_eq!(running(tree! { repeat(ZERO) { told(1) } }).tick(&[]), Success);
    assert_eq!(running(tree! { retry(ZERO) { told(1) } }).tick(&[]), Failure);
}

#[test]
fn retry_starts_again_after_failures_within_the_tick() {
    let mut run = running(tree! { retry(3) { told(1) } });
    assert_eq!(run.tick(&[Failure, Failure, Success]), Success);
    assert_eq!(run.tick(&[Failure, Failure, Failure]), Failure);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.tick(&[Failure, Failure]), Failure);
}

#[test]
fn until_failure_and_until_success_start_once_per_tick_and_succeed() {
    let mut run = running(tree! { until_failure { told(1) } });
    assert_eq!(
        [Success, Running, Success, Failure].map(|told| run.tick(&[told])),
        [Running, Running, Running, Success]
    );
    let mut run = running(tree! { until_success { told(1) } });
    assert_eq!(
        [Failure, Running, Failure, Success].map(|told| run.tick(&[told])),
        [Running, Running, Running, Success]
    );
}

#[test]
fn wait_until_is_running_until_the_child_succeeds() {
    let mut run = running(tree! { wait_until { told(1) } });
    assert_eq!([Failure, Running, Success].map(|told| run.tick(&[told])), [Running, Running, Success]);
}

#[test]
fn a_loop_between_two_runs_has_nothing_to_halt() {
    let mut run = running(tree! { until_success { told(1) } });
    run.tick(&[Failure]);
    run.halt();
    assert!(run.halted().is_empty());
    assert!(!run.is_running());
}

#[test]
fn limit_lets_so_many_runs_begin_in_the_life_of_the_memory() {
    let mut run = running(tree! { limit(2) { told(1) } });
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.tick(&[]), Failure);
    run.reset();
    assert_eq!(run.tick(&[Success]), Success);
}

#[test]
fn run_once_keeps_the_outcome_of_the_one_run() {
    let mut run = running(tree! { run_once { told(1) } });
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Failure]), Failure);
    assert_eq!(run.tick(&[]), Failure);
    run.reset();
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.tick(&[]), Success);
}

#[test]
fn run_once_does_not_count_a_run_that_was_halted_or_ended_in_an_error() {
    let mut run = running(tree! { run_once { told(1) } });
    run.tick(&[Running]);
    run.halt();
    assert_eq!(run.tick(&[Error]), Error);
    assert_eq!(run.tick(&[Success]), Success);
}

#[test]
fn past_its_deadline_a_timeout_halts_its_child_without_ticking_it_and_fails() {
    let mut run = running(tree! { timeout(secs(5)) { told(1) } });
    run.tick(&[Running]);
    run.world.now = secs(5);
    assert_eq!(run.tick(&[Running]), Running);
    run.world.now += millis(1);
    assert_eq!(run.tick(&[]), Failure);
    assert_eq!(run.halted(), [1]);
}

#[test]
fn a_delay_starts_its_child_once_its_time_has_passed() {
    let mut run = running(tree! { delay(secs(1)) { told(1) } });
    assert_eq!(run.tick(&[]), Running);
    run.world.now = secs(1);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Failure]), Failure);
    assert_eq!(run.tick(&[]), Running);
}

#[test]
fn a_cooldown_counts_from_the_end_of_a_run_also_of_one_halted() {
    let mut run = running(tree! { cooldown(secs(10)) { told(1) } });
    assert_eq!(run.tick(&[Success]), Success);
    run.world.now = secs(9);
    assert_eq!(run.tick(&[]), Failure);
    run.world.now = secs(10);
    assert_eq!(run.tick(&[Running]), Running);
    run.world.now = secs(15);
    run.halt();
    run.world.now = secs(24);
    assert_eq!(run.tick(&[]), Failure);
    run.world.now = secs(25);
    assert_eq!(run.tick(&[Success]), Success);
}

/// Turns a second success in a row into a failure.
struct NotTwiceInARow;

#[decorator]
impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
    type Kept = bool;
    fn end(&self, outcome: Outcome, (): &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
        *succeeded = outcome == Outcome::Success && !*succeeded;
        AfterChild::End(Outcome::from(*succeeded))
    }
}

fn not_twice_in_a_row<N>(child: N) -> Decorated<NotTwiceInARow, N> {
    decorate(NotTwiceInARow, child)
}

#[test]
fn a_decorator_of_the_users_is_as_easy_to_use_as_ours() {
    let mut run = running(tree! { sequence { not_twice_in_a_row { told(1) } not_twice_in_a_row < told(2) > } });
    assert_eq!(run.tick(&[Success, Success]), Success);
    assert_eq!(run.tick(&[Success]), Failure);
    assert_eq!(run.tick(&[Success, Success]), Failure);
}

/// Lets its child begin only where the world's time is even, and notes how runs end.
struct EvenSeconds {
    pause: bool,
}

#[decorator]
impl Decorator<World> for EvenSeconds {
    type Pause = ();
    const RETURNS: StatusMap = StatusMap { always: Outcomes::RUNNING.or(Outcomes::FAILURE), ..StatusMap::SAME };

    fn open(&self, open: &mut (), kept: &mut (), world: &mut World) -> Gate<()> {
        self.resume(open, kept, world)
    }

    fn resume(&self, (): &mut (), (): &mut (), world: &mut World) -> Gate<()> {
        match world.now.as_secs() % 2 {
            0 => Gate::Go,
            _ if self.pause => Gate::Pause(()),
            _ => Gate::End(Outcome::Failure),
        }
    }
}

fn even_seconds<N>(pause: bool, child: N) -> Decorated<EvenSeconds, N> {
    decorate(EvenSeconds { pause }, child)
}

#[test]
fn a_policy_may_pause_a_running_child_or_end_it() {
    let mut run = running(tree! { even_seconds(true) { told(1) } });
    run.tick(&[Running]);
    run.world.now = secs(1);
    assert_eq!(run.tick(&[]), Running);
    run.world.now = secs(2);
    assert_eq!(run.tick(&[Success]), Success);
    assert!(run.opened().is_empty(), "it was resumed");

    let mut run = running(tree! { even_seconds(false) { told(1) } });
    run.tick(&[Running]);
    run.world.now = secs(1);
    assert_eq!(run.tick(&[]), Failure);
    assert_eq!(run.halted(), [1]);
}

#[derive(Default)]
struct Watch {
    now: Duration,
    looks: Vec<u64>,
}

impl Clock for Watch {
    fn now(&self) -> Duration {
        self.now
    }
}

#[action]
fn look(watch: &mut Watch, succeeds: bool) -> bool {
    watch.looks.push(watch.now.as_secs());
    succeeds
}

#[test]
fn service_acts_when_its_child_first_starts_and_every_so_often_while_it_is_ticked() {
    let tree = tree! {
        for Watch: service(secs(3), look(false)) {
            |watch: &mut Watch| { if watch.now < secs(8) { Running } else { Success } },
        }
    };
    let (mut watch, mut memory) = (Watch::default(), tree.memory());
    for second in 0..=8 {
        watch.now = secs(second);
        let expected = if second < 8 { Running } else { Success };
        assert_eq!(tree.tick(&mut watch, &mut memory), expected, "the action's outcome does not matter");
    }
    assert_eq!(watch.looks, [0, 3, 6]);
    // A tick that comes late does it once. A new run within the period does not.
    for second in [20, 21] {
        watch.now = secs(second);
        tree.tick(&mut watch, &mut memory);
        tree.halt(&mut watch, &mut memory);
    }
    assert_eq!(watch.looks, [0, 3, 6, 20]);
    assert_eq!(tree.description().nodes()[0].params[0].value, "3s");
    assert_eq!(tree.description().nodes()[0].params[1].value, "look(false)");
}

#[test]
fn a_service_gives_what_its_child_gives() {
    fn returns<N: Node<Watch>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    assert_eq!(
        returns(&tree! { service(secs(3), look(true)) { |_: &Watch| true } }),
        Outcomes::SUCCESS.or(Outcomes::FAILURE)
    );
    assert_eq!(returns(&tree! { service(secs(3), !look(true)) { |_: &mut Watch| () } }), Outcomes::SUCCESS);
}

#[test]
fn a_number_that_is_written_is_part_of_the_type() {
    fn returns<N: Node<()>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let none = ZERO;
    assert_eq!(
        returns(&tree! { for (): repeat(3) { wait_until { |(): &()| true } } }),
        Outcomes::SUCCESS.or(Outcomes::RUNNING)
    );
    assert_eq!(returns(&tree! { for (): #[allow(pointless)] repeat(3) { run } }), Outcomes::RUNNING);
    assert_eq!(
        returns(&tree! { for (): #[allow(pointless)] repeat(none) { run } }),
        Outcomes::SUCCESS.or(Outcomes::RUNNING)
    );
    assert_eq!(returns(&tree! { for (): #[allow(pointless)] retry(2) { succeed } }), Outcomes::SUCCESS);
    assert_eq!(
        returns(&tree! { for (): #[allow(pointless)] retry(none) { succeed } }),
        Outcomes::SUCCESS.or(Outcomes::FAILURE)
    );
    assert_eq!(tree! { for (): repeat(3) { fail } }.description().to_string(), "repeat(times: 3)\n└─ fail\n");
}

/// Ends whatever its child does: the first texts' Succeeder.
#[derive(Clone, Copy)]
struct Swallow {
    running: Option<Outcome>,
    error: Outcome,
}

#[decorator]
impl Decorator<World> for Swallow {
    type Open = u32;
    const RETURNS: StatusMap = StatusMap {
        on_running: Outcomes::RUNNING.or(Outcomes::SUCCESS).or(Outcomes::FAILURE),
        on_error: Outcomes::ERROR.or(Outcomes::SUCCESS),
        ..StatusMap::SAME
    };

    fn running(&self, ticks: &mut u32, (): &mut (), _: &mut World) -> Option<Outcome> {
        *ticks += 1;
        self.running.filter(|_| *ticks > 1)
    }

    fn error(&self, _: &mut u32, (): &mut (), _: &mut World) -> Outcome {
        self.error
    }

    fn close(&self, _: &mut u32, (): &mut (), world: &mut World, end: End) {
        world.see(Event::Close(99, end));
    }
}

#[test]
fn a_decorator_may_end_while_its_child_runs_and_make_something_else_of_an_error() {
    fn returns<N: Node<World>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    use bt_dynamic::{NoProperties, Registry};
    let swallow = Swallow { running: Some(Outcome::Success), error: Outcome::Success };
    let written = tree! { for World: (decorate(swallow, tree! { for World: told(1) })) };
    let mut registry = Registry::<World>::new();
    registry.add_decorator("swallow", move |_: NoProperties| swallow).add_with("told", |_: NoProperties| told(1));
    let file = r#"{ "root": "1", "nodes": { "1": { "name": "swallow", "child": "2" }, "2": { "name": "told" } } }"#;
    let loaded = registry.load(file).expect("nothing is wrong with it");

    let mut worlds = [World::default(), World::default()];
    let (mut first, mut second) = (written.memory(), loaded.memory());
    let mut both = |told: Status| {
        let mut events = [Events::default(), Events::default()];
        for world in &mut worlds {
            world.told = vec![told];
        }
        let [one, other] = &mut worlds;
        let status = written.tick_with(one, &mut first, &mut events[0]);
        assert_eq!(loaded.tick_with(other, &mut second, &mut events[1]), status);
        assert_eq!(events[0].0, events[1].0);
        let seen = one.take_seen();
        assert_eq!(other.take_seen(), seen);
        (status, seen.into_iter().filter(|event| matches!(event, Event::Close(..))).collect::<Vec<_>>())
    };
    assert_eq!(both(Status::Running), (Status::Running, vec![]));
    let closes = vec![Event::Close(1, End::Halted(Cause::Ended)), Event::Close(99, End::Success)];
    assert_eq!(both(Status::Running), (Status::Success, closes), "the child is halted first");
    assert_eq!(
        both(Status::Error),
        (Status::Success, vec![Event::Close(1, End::Error), Event::Close(99, End::Success)])
    );
    assert_eq!(both(Status::Failure).0, Status::Failure);
    let never = |effect: StatusMap| effect.of(Outcomes::ERROR);
    assert_eq!(never(StatusMap { on_error: Outcomes::FAILURE, ..StatusMap::SAME }), Outcomes::FAILURE);
    assert!(returns(&written).errs());
}

/// A decorator that lets its child run every other time.
struct EveryOther;

#[decorator]
impl<C: ?Sized> Decorator<C> for EveryOther {
    type Kept = bool;

    fn open(&self, (): &mut (), odd: &mut bool, _: &mut C) -> Gate<Never> {
        *odd = !*odd;
        if *odd { Gate::Go } else { Gate::End(Outcome::Failure) }
    }
}

const fn every_other<N>(child: N) -> Decorated<EveryOther, N> {
    decorate(EveryOther, child)
}

#[action]
fn count(world: &mut World, #[kept] ticks: &mut u32) {
    *ticks += 1;
    world.see(Event::Open(*ticks));
}

#[test]
fn fresh_forgets_what_is_kept_below_when_it_starts() {
    let mut run = running(tree! {
        fresh {
            mem_sequence {
                limit(1) { told(1) }
                force_success { limit(1) { told(2) } }
                run_once { told(3) }
                cooldown(secs(9)) { told(4) }
                boxed(tree! { limit(1) { told(5) } }),
                every_other { told(6) }
                machine { state only { limit(1) { told(7) } success -> success, failure -> failure } }
            }
        }
    });
    for _ in 0..3 {
        assert_eq!(run.tick(&[Success; 7]), Success);
        assert_eq!(run.ticked(), [1, 2, 3, 4, 5, 6, 7]);
    }
}

#[test]
fn fresh_does_not_forget_while_it_runs() {
    let mut run = running(tree! { fresh { repeat(3) { limit(2) { told(1) } } } });
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Success, Success]), Success, "the third start is beyond the limit");
    assert_eq!(run.tick(&[Success, Running]), Running);
    run.halt();
    assert_eq!(run.tick(&[Success, Success]), Success, "a halt ends the run");
}

#[test]
fn fresh_does_not_touch_what_is_kept_beside_or_above_it() {
    let mut run = running(
        tree! { selector { limit(2) { sequence { fresh { limit(1) { told(1) } } limit(1) { told(2) } } } told(3) } },
    );
    assert_eq!(run.tick(&[Success, Success]), Success);
    assert_eq!(run.tick(&[Success, Success]), Success, "the limit beside it is used up");
    assert_eq!(run.ticked(), [1, 3]);
    assert_eq!(run.tick(&[Success]), Success, "and so is the one above it");
    assert_eq!(run.ticked(), [3]);
}

#[test]
fn a_decorator_of_ones_own_can_forget_too() {
    struct PerVisit;

    #[decorator]
    impl<C: ?Sized> Decorator<C> for PerVisit {
        const FORGETS: bool = true;
    }

    const fn per_visit<N>(child: N) -> Decorated<PerVisit, N> {
        decorate(PerVisit, child)
    }

    let written = tree! { for World: per_visit { repeat(2) { count() } } };
    let mut registry = bt_dynamic::Registry::<World>::new();
    registry.add::<count>("Count").add_decorator("PerVisit", |_: bt_dynamic::NoProperties| PerVisit);
    let loaded = registry
        .load(
            r#"{ "root": "p", "nodes": {
                "p": { "name": "PerVisit", "child": "r" }, "c": { "name": "Count" },
                "r": { "name": "repeat", "properties": { "times": 2 }, "child": "c" }
            } }"#,
        )
        .expect("nothing is wrong with it");
    let (mut one, mut other) = (written.memory(), loaded.memory());
    let mut world = World::default();
    for _ in 0..2 {
        written.tick(&mut world, &mut one);
        assert_eq!(world.take_seen(), [Event::Open(1), Event::Open(2)]);
        loaded.tick(&mut world, &mut other);
        assert_eq!(world.take_seen(), [Event::Open(1), Event::Open(2)]);
    }
}

/// A decorator that opens if the world's condition holds, and always has a reason.
struct Grumbling;

#[decorator]
impl Decorator<World> for Grumbling {
    const RETURNS: StatusMap = StatusMap { always: Outcomes::ERROR, ..StatusMap::SAME };

    fn open(&self, (): &mut (), (): &mut (), world: &mut World) -> Gate<Never> {
        if world.tell_condition() == Success { Gate::Go } else { Gate::End(Outcome::Error) }
    }

    fn reason(&self, _: &World, show: &mut dyn FnMut(&dyn std::fmt::Display)) {
        show(&"closed");
    }
}

fn grumbling<N>(child: N) -> Decorated<Grumbling, N> {
    decorate(Grumbling, child)
}

#[test]
fn a_decorator_of_the_user_states_a_reason_for_an_error_only_and_keeps_what_is_below() {
    #[derive(Default)]
    struct Reasons(Vec<String>);
    impl Observer for Reasons {
        fn error(&mut self, at: NodeId, error: &dyn std::fmt::Display) {
            self.0.push(format!("{at} {error}"));
        }
    }
    fn is<N: Node<World>>(tree: &N) {
        let (mut memory, mut reasons) = (tree.memory(), Reasons::default());
        let mut tick = |is_open| {
            let mut world = World::telling(&[if is_open { Success } else { Failure }]);
            let status = tree.tick_with(&mut world, &mut memory, &mut reasons);
            (status, std::mem::take(&mut reasons.0).join(" "))
        };
        assert_eq!(tick(true), (Success, String::new()));
        assert_eq!(tick(true), (Failure, String::new()), "the limit below has counted the first run");
        assert_eq!(tick(false), (Status::Error, "#0 closed".to_owned()));
    }
    is(&tree! { for World: grumbling { limit(1) { succeed } } });
    let mut registry = bt_dynamic::Registry::<World>::new();
    registry.add_decorator("Grumbling", |_: bt_dynamic::NoProperties| Grumbling);
    is(&registry
        .load(
            r#"{ "root": "g", "nodes": {
                "g": { "name": "Grumbling", "child": "l" }, "s": { "name": "Succeeder" },
                "l": { "name": "limit", "properties": { "runs": 1 }, "child": "s" }
            } }"#,
        )
        .expect("nothing is wrong with it"));
}
