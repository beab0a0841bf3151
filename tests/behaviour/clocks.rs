//! Times: clocks that jump, and memories that are taken over to another clock. Each in both engines.

use bt_core::Never;
use bt_core::Status::{Failure, Running, Success};
use bt_core::decorator::{Decorated, Gate, decorate};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{Shift, Timed, Wake};
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use bt_tests::world::Chance;
use rand_pcg::Pcg32;

use crate::support::Replace;

#[derive(Clone, Default)]
struct Npc {
    now: Duration,
    /// What was done when.
    done: Vec<u64>,
    chance: Chance,
}

impl Random for Npc {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.chance.0
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

fn child(npc: &mut Npc) -> Status {
    npc.done.push(npc.now.as_secs());
    Running
}

fn note(npc: &mut Npc) {
    npc.done.push(npc.now.as_secs());
}

/// A tree from a file with one node above a leaf that is always running.
fn loaded(name: &str, properties: &str) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("Child", child).add_leaf("Note", note);
    let child = if name == "Wait" { "" } else { r#", "child": "2""# };
    let file = format!(
        r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{name}", "properties": {{ {properties} }} {child} }}, "2": {{ "name": "Child" }} }} }}"#
    );
    registry.load(&file).unwrap_or_else(|error| panic!("{error}"))
}

/// Ticks a tree at these times, and returns the statuses and when its leaves did something.
fn at<N: Node<Npc>>(tree: &N, times: &[u64]) -> (Vec<Status>, Vec<u64>) {
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    let statuses = times.iter().map(|time| {
        npc.now = secs(*time);
        tree.tick(&mut npc, &mut memory)
    });
    (statuses.collect(), npc.done)
}

/// Both engines do the same at these times.
fn both<N: Node<Npc>>(tree: &N, loaded: &LoadedTree<Npc>, times: &[u64]) -> (Vec<Status>, Vec<u64>) {
    let result = at(tree, times);
    assert_eq!(at(loaded, times), result, "loaded");
    result
}

#[test]
fn a_delay_that_has_let_its_child_start_does_not_take_that_back() {
    let tree = tree! { for Npc: delay(secs(2)) { child } };
    let (_, done) = both(&tree, &loaded("delay", r#""time": 2000"#), &[10, 12, 13, 0, 1]);
    assert_eq!(done, [12, 13, 0, 1]);
}

#[test]
fn after_a_jump_back_no_time_is_longer_than_it_is() {
    let jump = [100, 101, 0, 1, 2, 3];
    let wait = tree! { for Npc: wait(secs(3)) };
    let (statuses, _) = both(&wait, &loaded("Wait", r#""milliseconds": 3000"#), &jump);
    assert_eq!(statuses, [Running, Running, Running, Running, Running, Success]);

    let timeout = tree! { for Npc: timeout(secs(2)) { child } };
    let (statuses, _) = both(&timeout, &loaded("MaxTime", r#""maxTime": 2000"#), &jump);
    assert_eq!(
        statuses,
        [Running, Running, Running, Running, Running, Failure],
        "two seconds after the jump, and past"
    );

    let delay = tree! { for Npc: delay(secs(3)) { child } };
    let (_, done) = both(&delay, &loaded("delay", r#""time": 3000"#), &jump);
    assert_eq!(done, [3]);

    let service = tree! { for Npc: service(secs(2), note) { run } };
    let (_, done) = at(&service, &jump);
    assert_eq!(done, [100, 2]);
    let (_, done) = at(&loaded("service", r#""every": 2000, "action": "Note""#), &jump);
    assert_eq!(done, [100, 100, 101, 0, 1, 2, 2, 3], "its child notes each tick");

    let cooldown = tree! { for Npc: cooldown(secs(2)) { note } };
    let (statuses, done) = at(&cooldown, &jump);
    assert_eq!(done, [100, 2]);
    assert_eq!(statuses, [Success, Failure, Failure, Failure, Success, Failure]);
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("Note", note);
    let file = r#"{ "root": "1", "nodes": { "1": { "name": "cooldown", "properties": { "time": 2000 }, "child": "2" }, "2": { "name": "Note" } } }"#;
    assert_eq!(at(&registry.load(file).expect("nothing is wrong with it"), &jump), (statuses, done));
}

#[test]
fn what_a_clock_skips_has_passed() {
    let (statuses, done) =
        both(&tree! { for Npc: timeout(secs(2)) { child } }, &loaded("MaxTime", r#""maxTime": 2000"#), &[1, 1_000_000]);
    assert_eq!((statuses, done), (vec![Running, Failure], vec![1]));
}

/// A clock that counts, and whose other method stands still.
#[derive(Default)]
struct Counter {
    nanos: u64,
    /// When something was noted.
    notes: Vec<u64>,
}

impl Clock for Counter {
    fn now(&self) -> Duration {
        secs(7)
    }

    fn nanos(&self) -> u64 {
        self.nanos
    }
}

fn notes(counter: &mut Counter) {
    counter.notes.push(counter.nanos / 1_000_000_000);
}

#[action]
async fn pause(counter: AsyncContext<Counter>) {
    counter.wait(secs(2)).await;
}

#[test]
fn trees_read_the_nanoseconds_of_a_clock_also_if_it_returns_another_time() {
    /// Ticks a tree in the seconds 0 to 2.
    fn ticked<N: Node<Counter>>(tree: &N) -> ([Status; 3], Vec<u64>) {
        let (mut counter, mut memory) = (Counter::default(), tree.memory());
        let statuses = [0, 1, 2].map(|second| {
            counter.nanos = second * 1_000_000_000;
            tree.tick(&mut counter, &mut memory)
        });
        (statuses, counter.notes)
    }
    let file = |name: &str, properties: &str, child: &str| {
        let mut registry = Registry::<Counter>::new().with_clock();
        registry.add_leaf("Notes", notes);
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{name}", "properties": {{ {properties} }} {child} }}, "2": {{ "name": "Notes" }}, "3": {{ "name": "run" }} }} }}"#
        );
        registry.load(&file).unwrap_or_else(|error| panic!("{error}"))
    };
    let (notes_below, run_below) = (r#", "child": "2""#, r#", "child": "3""#);

    let waits = ([Running, Running, Success], vec![]);
    assert_eq!(ticked(&tree! { for Counter: wait(secs(2)) }), waits);
    assert_eq!(ticked(&file("Wait", r#""milliseconds": 2000"#, "")), waits);
    assert_eq!(ticked(&tree! { for Counter: pause() }), waits);

    let delays = ([Running, Running, Success], vec![2]);
    assert_eq!(ticked(&tree! { for Counter: delay(secs(2)) { notes } }), delays);
    assert_eq!(ticked(&file("delay", r#""time": 2000"#, notes_below)), delays);

    let ends = ([Running, Running, Failure], vec![]);
    assert_eq!(ticked(&tree! { for Counter: timeout(secs(1)) { run } }), ends);
    assert_eq!(ticked(&file("MaxTime", r#""maxTime": 1000"#, run_below)), ends);

    let cools = ([Success, Failure, Success], vec![0, 2]);
    assert_eq!(ticked(&tree! { for Counter: cooldown(secs(2)) { notes } }), cools);
    assert_eq!(ticked(&file("cooldown", r#""time": 2000"#, notes_below)), cools);

    let serves = ([Running; 3], vec![0, 2]);
    assert_eq!(ticked(&tree! { for Counter: service(secs(2), notes) { run } }), serves);
    assert_eq!(ticked(&file("service", r#""every": 2000, "action": "Notes""#, run_below)), serves);

    let tree = tree! { for Counter: wait(secs(2)) };
    let (mut counter, mut memory) = (Counter::default(), tree.memory());
    let status = tree.tick(&mut counter, &mut memory);
    assert_eq!(tree.due(status, &memory, &mut counter), Wake::At(secs(2)));
}

#[test]
fn the_largest_number_of_nanoseconds_is_a_time() {
    let tree = tree! { for Counter: mem_sequence { wait(secs(1)), wait(secs(1)) } };
    let (mut counter, mut memory) = (Counter { nanos: u64::MAX - 1, ..Counter::default() }, tree.memory());
    assert_eq!(tree.tick(&mut counter, &mut memory), Running);
    counter.nanos = u64::MAX;
    assert_eq!(tree.tick(&mut counter, &mut memory), Running, "the second wait has begun");
    assert_eq!(tree.tick(&mut counter, &mut memory), Success, "time ends here");
}

#[test]
fn times_without_an_end_are_no_overflow() {
    let forever = Duration::MAX;
    let tree = tree! { for Npc: timeout(forever) { child } };
    assert_eq!(at(&tree, &[u64::MAX / 2, u64::MAX / 2 + 1]).0, [Running, Running]);
    let tree = loaded("MaxTime", r#""maxTime": 1.7e13"#);
    assert_eq!(at(&tree, &[1 << 33, 1 << 34]).0, [Running, Running]);
}

#[test]
fn the_period_of_a_service_begins_when_its_action_was_done() {
    let quarters = [0, 600, 1500, 2000, 2400, 2500, 3400];
    let tick = |tree: &dyn Fn(&mut Npc)| {
        let mut npc = Npc::default();
        let mut done = Vec::new();
        for time in quarters {
            npc.now = millis(time);
            npc.done.clear();
            tree(&mut npc);
            if !npc.done.is_empty() {
                done.push(time);
            }
        }
        done
    };
    let tree = tree! { for Npc: service(secs(1), note) { run } };
    let memory = std::cell::RefCell::new(tree.memory());
    let written = tick(&|npc| _ = tree.tick(npc, &mut memory.borrow_mut()));
    assert_eq!(written, [0, 1500, 2500]);
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("Note", note);
    let file = r#"{ "root": "1", "nodes": { "1": { "name": "service", "properties": { "every": 1000, "action": "Note" }, "child": "2" }, "2": { "name": "Runner" } } }"#;
    let tree = registry.load(file).expect("nothing is wrong with it");
    let memory = std::cell::RefCell::new(tree.memory());
    assert_eq!(tick(&|npc| _ = tree.tick(npc, &mut memory.borrow_mut())), written);
}

/// A leaf of the user's that waits, with its own time.
struct Nap;

#[leaf]
impl Leaf<Npc> for Nap {
    type Open = Duration;

    fn open(&self, npc: &mut Npc) -> Duration {
        npc.now + secs(10)
    }

    fn tick(&self, until: &mut Duration, npc: &mut Npc) -> Status {
        if npc.now < *until { Running } else { Success }
    }

    fn shift(&self, until: &mut Duration, by: Shift) {
        *until = by.time(*until);
    }
}

/// The same as the state of an action.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
struct Until(Duration);

impl Timed for Until {
    fn shift(&mut self, by: Shift) {
        self.0 = by.time(self.0);
    }
}

#[action]
fn doze(npc: &mut Npc, #[open] until: &mut Until, #[open] ticks: &mut u32) -> Status {
    if *ticks == 0 {
        until.0 = npc.now + secs(10);
    }
    *ticks += 1;
    if npc.now < until.0 { Running } else { Success }
}

/// A decorator of the user's that keeps a time.
struct Rest;

#[decorator]
impl Decorator<Npc> for Rest {
    type Kept = Duration;

    fn open(&self, (): &mut (), until: &mut Duration, npc: &mut Npc) -> Gate<Never> {
        if npc.now < *until { Gate::End(Outcome::Failure) } else { Gate::Go }
    }

    fn close(&self, (): &mut (), until: &mut Duration, npc: &mut Npc, _: End) {
        *until = npc.now + secs(10);
    }

    fn shift(&self, _: Option<&mut ()>, until: &mut Duration, by: Shift) {
        *until = by.time(*until);
    }
}

fn rest<N>(child: N) -> Decorated<Rest, N> {
    decorate(Rest, child)
}

/// A tree is ticked once at `times[0]` of a clock, and in another run again under a clock that begins anew: `left` seconds later something comes of it, and not before.
fn shifted<N: Node<Npc> + Save>(tree: &N, left: u64, other: Status) {
    let (mut npc, mut memory) = (Npc { now: secs(100_000), ..Npc::default() }, tree.memory());
    let first = tree.tick(&mut npc, &mut memory);
    npc.now += secs(10 - left);
    let save = serde_json::to_string(&(npc.now, tree.saved(&memory))).expect("it is data");

    let (then, save): (Duration, serde_json::Value) = serde_json::from_str(&save).expect("it was just written");
    for new_clock in [secs(0), secs(3), secs(5_000_000)] {
        let mut memory = tree.memory();
        tree.load(&mut memory, save.clone()).expect("it was just saved");
        let mut npc = Npc { now: new_clock, ..Npc::default() };
        tree.shift(&mut memory, Shift::new(then, npc.now));
        let before = tree.tick(&mut npc, &mut memory.clone());
        assert_ne!(before, other, "too early: {first:?}");
        npc.now += millis(1000 * left - 1);
        assert_eq!(tree.tick(&mut npc, &mut memory), before);
        npc.now += millis(2);
        assert_eq!(tree.tick(&mut npc, &mut memory), other, "{new_clock:?}");
    }
}

#[test]
fn what_was_left_is_left_under_another_clock() {
    for left in [1, 2, 9] {
        shifted(&tree! { for Npc: wait(secs(10)) }, left, Success);
        shifted(&tree! { for Npc: timeout(secs(10)) { run } }, left, Failure);
        shifted(&tree! { for Npc: delay(secs(10)) { succeed } }, left, Success);
        shifted(&tree! { for Npc: cooldown(secs(10)) { succeed } }, left, Success);
        shifted(&tree! { for Npc: cooldown(secs(10)) { wait(secs(0)) } }, left, Success);
        shifted(&tree! { for Npc: (Nap) }, left, Success);
        shifted(&tree! { for Npc: doze() }, left, Success);
        shifted(&tree! { for Npc: rest { succeed } }, left, Success);
        shifted(&loaded("Wait", r#""milliseconds": 10000"#), left, Success);
        shifted(&loaded("MaxTime", r#""maxTime": 10000"#), left, Failure);
    }
}

#[test]
fn agents_that_sleep_notice_a_clock_that_goes_back() {
    #[action]
    async fn pause(npc: bt_core::task::AsyncContext<Npc>) {
        npc.wait(millis(100)).await;
    }
    fn check<N: Node<Npc> + Clone + Send + Sync + 'static>(tree: N) {
        let mut npc = Npc::default();
        let (mut memory, mut brain, mut herd) =
            (tree.memory(), Brain::new(&std::sync::Arc::new(tree.clone())), Herd::new(tree.clone()));
        herd.add();
        // Until the hour at which they start, the clock has not gone back; then it starts again.
        for (now, is_over) in [(3_600_000, false), (3_600_050, false), (0, false), (99, false), (100, true)] {
            npc.now = millis(now);
            assert_eq!(tree.tick(&mut npc, &mut memory), if is_over { Success } else { Running }, "ticked at {now}");
            let status = brain.tick_due(npc.now, &mut npc);
            assert_eq!(status == Some(Success), is_over, "brain at {now}");
            let mut status = None;
            herd.for_each_due(npc.now, |agent| status = Some(agent.tick(&mut npc)));
            assert_eq!(status == Some(Success), is_over, "herd at {now}");
        }
    }
    check(tree! { for Npc: wait(millis(100)) });
    check(tree! { for Npc: pause });
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_with("Pause", |_: NoProperties| pause());
    for node in [r#""name": "Wait", "properties": { "milliseconds": 100 }"#, r#""name": "Pause""#] {
        let tree = registry.load(&format!(r#"{{ "root": "1", "nodes": {{ "1": {{ {node} }} }} }}"#)).expect("valid");
        check(std::sync::Arc::new(tree));
    }
}

#[test]
fn what_has_never_run_is_due_after_a_shift_and_a_clock_that_is_set_back() {
    let at = |seconds| Npc { now: secs(seconds), ..Npc::default() };
    let by = Shift::new(secs(0), secs(100));
    let tree = tree! { for Npc: cooldown(secs(10)) { succeed } };
    let mut memory = tree.memory();
    tree.shift(&mut memory, by);
    assert_eq!(tree.tick(&mut at(99), &mut memory), Success);
    let tree = tree! { for Npc: service(secs(10), |npc: &mut Npc| npc.done.push(1)) { run } };
    let (mut npc, mut memory) = (at(99), tree.memory());
    tree.shift(&mut memory, by);
    tree.tick(&mut npc, &mut memory);
    assert_eq!(npc.done, [1]);
}

#[test]
fn the_times_of_conditions_and_hooks_are_shifted() {
    fn flag(npc: &Npc) -> bool {
        !npc.done.is_empty()
    }
    let tree = tree! {
        for Npc: machine { state a { run, cooldown(secs(10)) { flag } -> b } state b { run, !flag -> a } }
    };
    let (mut npc, mut memory) = (Npc { now: secs(100_000), done: vec![1], ..Npc::default() }, tree.memory());
    tree.tick(&mut npc, &mut memory);
    npc.done.clear();
    tree.tick(&mut npc, &mut memory);
    // Back in `a`, and eight of the ten seconds have passed.
    tree.shift(&mut memory, Shift::new(secs(100_008), secs(0)));
    npc = Npc { now: secs(1), done: vec![1], ..Npc::default() };
    let mut states = Vec::new();
    for second in 1..4 {
        npc.now = secs(second);
        let mut statuses = Statuses::default();
        tree.tick_with(&mut npc, &mut memory, &mut statuses);
        states.push(statuses.is_running(NodeId::new(1)));
    }
    assert_eq!(states, [true, false, false]);
}

#[test]
fn the_times_of_hooks_are_shifted() {
    let tree = tree! {
        for Npc: machine {
            state a { run, enter: cooldown(secs(10)) { note }, |_: &Npc| true -> b }
            state b { run, |_: &Npc| true -> a }
        }
    };
    let (mut npc, mut memory) = (Npc { now: secs(100_000), ..Npc::default() }, tree.memory());
    tree.tick(&mut npc, &mut memory);
    assert_eq!(npc.done, [100_000]);
    tree.shift(&mut memory, Shift::new(secs(100_008), secs(0)));
    npc = Npc::default();
    for second in 0..6 {
        npc.now = secs(second);
        tree.tick(&mut npc, &mut memory);
    }
    assert_eq!(npc.done, [2], "two of the ten seconds were left, and every second tick enters `a`");
}

#[test]
fn it_is_shifted_wherever_it_stands() {
    for left in [2, 9] {
        shifted(&tree! { for Npc: selector { fail, sequence { succeed, wait(secs(10)) } } }, left, Success);
        shifted(&tree! { for Npc: mem_sequence { succeed, wait(secs(10)) } }, left, Success);
        shifted(&tree! { for Npc: mem_parallel { succeed, wait(secs(10)) } }, left, Success);
        shifted(&tree! { for Npc: parallel { succeed, wait(secs(10)) } }, left, Success);
        shifted(&tree! { for Npc: #[allow(pointless)] repeat(1) { !wait(secs(10)) } }, left, Success);
        shifted(&tree! { for Npc: service(secs(1), note) { wait(secs(10)) } }, left, Success);
        shifted(
            &tree! { for Npc: mem_selector { fail, fail, fail, fail, fail, fail, fail, fail, wait(secs(10)) } },
            left,
            Success,
        );
        shifted(
            &tree! {
                for Npc: mem_parallel {
                    succeed,
                    succeed,
                    succeed,
                    succeed,
                    succeed,
                    succeed,
                    succeed,
                    succeed,
                    wait(secs(10)),
                }
            },
            left,
            Success,
        );
        shifted(&tree! { for Npc: kept_sequence { succeed, wait(secs(10)) } }, left, Success);
        shifted(&tree! { for Npc: random_sequence { succeed, wait(secs(10)) } }, left, Success);
        let waits =
            |seconds: &[u64]| seconds.iter().map(|time| tree! { for Npc: wait(secs(*time)) }).collect::<Vec<_>>();
        shifted(&tree! { for Npc: sequence { ..waits(&[0, 10]) } }, left, Success);
        shifted(&tree! { for Npc: mem_sequence { succeed, ..waits(&[0, 10]), succeed } }, left, Success);
        shifted(&tree! { for Npc: random_sequence { ..waits(&[0, 10]) } }, left, Success);
        shifted(&tree! { for Npc: parallel { ..waits(&[0, 10]) } }, left, Success);
        shifted(&tree! { for Npc: mem_parallel { ..waits(&[0, 10, 2]), succeed } }, left, Success);
        shifted(&tree! { for Npc: super::custom::visit_all { ..waits(&[0, 10]) } }, left, Success);
        shifted(&tree! { for Npc: super::custom::visit_all { wait(secs(10)), wait(secs(10)) } }, left, Success);
        shifted(&tree! { for Npc: machine { state a { wait(secs(10)), success -> success } } }, left, Success);
        let never = |npc: &Npc| npc.done.len() > 9;
        shifted(
            &tree! {
                for Npc: machine {
                    state a { wait(secs(10)), success -> success, never -> b }
                    state b { run, never -> c }
                    state c { run, never -> d }
                    state d { run, never -> e }
                    state e { run, never -> f }
                    state f { run, never -> g }
                    state g { run, never -> h }
                    state h { run, never -> i }
                    state i { run, never -> j }
                    state j { run, never -> a }
                }
            },
            left,
            Success,
        );
        let mut registry = Registry::<Npc>::new().with_clock();
        registry.add_with("Nap", |_: NoProperties| Nap).add_decorator("Rest", |_: NoProperties| Rest);
        registry.add_with("Static", |_: NoProperties| tree! { for Npc: mem_sequence { succeed, wait(secs(10)) } });
        for (root, child) in [
            ("Inverter", "Nap"),
            ("Rest", "Succeeder"),
            ("cooldown", "Succeeder"),
            ("delay", "Succeeder"),
            ("Inverter", "Static"),
        ] {
            let other = if root == "Inverter" { Failure } else { Success };
            let time = if matches!(root, "cooldown" | "delay") { r#""time": 10000"# } else { "" };
            let file = format!(
                r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{root}", "properties": {{ {time} }}, "child": "2" }}, "2": {{ "name": "{child}" }} }} }}"#
            );
            shifted(&registry.load(&file).unwrap_or_else(|error| panic!("{error}")), left, other);
        }
    }
}

#[test]
fn boxes_brains_and_herds_are_shifted_too() {
    let tree = tree! { for Npc: mem_sequence { succeed, wait(secs(10)) } };
    let by = Shift::new(secs(100), secs(0));
    let (then, now) = (Npc { now: secs(100), ..Npc::default() }, Npc { now: secs(10), ..Npc::default() });

    let erased = tree! { for Npc: sequence { boxed(tree) } };
    let mut memory = erased.memory();
    erased.tick(&mut then.clone(), &mut memory);
    erased.shift(&mut memory, by);
    assert_eq!(erased.tick(&mut now.clone(), &mut memory), Success);

    let mut brain = Brain::new(&std::sync::Arc::new(tree));
    brain.tick(&mut then.clone());
    brain.shift(by);
    assert_eq!(brain.tick(&mut now.clone()), Success);

    let mut herd = Herd::new(tree);
    let agent = herd.add();
    herd.tick(agent, &mut then.clone());
    herd.shift(by);
    assert_eq!(herd.tick(agent, &mut now.clone()), Some(Success));
}

#[test]
fn wherever_the_origin_of_the_clock_is_both_engines_do_the_same() {
    for origin in [0, 1 << 33, 18_446_744_000, 18_446_744_073, 63_800_000_000] {
        let run = |tree: &dyn Fn(&mut Npc) -> Status| {
            let mut npc = Npc::default();
            let mut statuses = Vec::new();
            for tick in 0..24 {
                npc.now = secs(origin) + millis(500 * tick);
                statuses.push(tree(&mut npc));
            }
            (statuses, npc.done.len())
        };
        macro_rules! same {
            ($written:expr, $name:literal, $properties:literal) => {
                let (written, loaded) = ($written, loaded($name, $properties));
                let (first, second) =
                    (std::cell::RefCell::new(written.memory()), std::cell::RefCell::new(loaded.memory()));
                let one = run(&|npc| written.tick(npc, &mut first.borrow_mut()));
                assert_eq!(one, run(&|npc| loaded.tick(npc, &mut second.borrow_mut())), "{} at {origin}", $name);
                assert!($name == "MaxTime" || one.0.contains(&Running));
            };
        }
        same!(tree! { for Npc: wait(millis(1500)) }, "Wait", r#""milliseconds": 1500"#);
        same!(tree! { for Npc: timeout(millis(1500)) { child } }, "MaxTime", r#""maxTime": 1500"#);
        same!(tree! { for Npc: delay(millis(1500)) { child } }, "delay", r#""time": 1500"#);
        same!(tree! { for Npc: cooldown(millis(1500)) { child } }, "cooldown", r#""time": 1500"#);
        same!(
            tree! { for Npc: service(millis(1000), note) { child } },
            "service",
            r#""every": 1000, "action": "Note""#
        );
    }
}

#[test]
fn the_period_of_a_service_is_kept_across_runs() {
    let times = [0, 1, 2, 3, 4, 5, 6, 7];
    let load = |root: &str| {
        let mut registry = Registry::<Npc>::new().with_clock();
        registry.add_leaf("Note", note);
        let file = format!(
            r#"{{ "root": "{root}", "nodes": {{
                "f": {{ "name": "fresh", "child": "s" }},
                "s": {{ "name": "service", "properties": {{ "every": 3000, "action": "Note" }}, "child": "e" }},
                "e": {{ "name": "Succeeder" }}
            }} }}"#
        );
        registry.load(&file).expect("nothing is wrong with it")
    };
    let (statuses, done) = both(&tree! { for Npc: service(secs(3), note) { succeed } }, &load("s"), &times);
    assert_eq!((statuses, done), (vec![Success; 8], vec![0, 3, 6]), "each tick is a run of the child");
    let (_, done) = both(&tree! { for Npc: fresh { service(secs(3), note) { succeed } } }, &load("f"), &times);
    assert_eq!(done, times, "below `fresh`, the action is run at each start");
}

#[test]
fn the_period_of_a_service_goes_on_while_its_child_does_not_run() {
    fn hungry(npc: &Npc) -> bool {
        !(2..9).contains(&npc.now.as_secs())
    }
    let tree = tree! { for Npc: sequence { hungry, service(secs(3), note) { run } } };
    assert_eq!(at(&tree, &[0, 1, 2, 8, 9, 10, 12]).1, [0, 9, 12], "the period is over when the child starts again");
    let tree = tree! { for Npc: sequence { hungry, service(secs(20), note) { run } } };
    assert_eq!(at(&tree, &[0, 1, 2, 8, 9, 19, 20]).1, [0, 20]);
}

/// A leaf of which only some store a time.
struct Either {
    is_time: bool,
}

#[leaf]
impl Leaf<Npc> for Either {
    type Open = Duration;

    fn open(&self, _: &mut Npc) -> Duration {
        secs(10)
    }

    fn tick(&self, value: &mut Duration, npc: &mut Npc) -> Status {
        npc.done.push(value.as_secs());
        Running
    }

    fn shift(&self, value: &mut Duration, by: Shift) {
        if self.is_time {
            *value = by.time(*value);
        }
    }
}

#[test]
fn the_running_child_of_a_container_shifts_its_state_itself() {
    for (is_time, after) in [(true, 15), (false, 10)] {
        let children = vec![Either { is_time: !is_time }, Either { is_time }, Either { is_time: !is_time }];
        let tree = tree! { for Npc: selector { ..children } };
        let (mut npc, mut memory) = (Npc::default(), tree.memory());
        tree.tick_with(&mut npc, &mut memory, &mut Replace(NodeId::new(1), Failure));
        tree.shift(&mut memory, Shift::new(secs(0), secs(5)));
        tree.tick_with(&mut npc, &mut memory, &mut Replace(NodeId::new(1), Failure));
        assert_eq!(npc.done, [10, after]);
    }
}

#[test]
fn a_wait_that_is_over_leaves_no_time_behind() {
    let tree = loaded("Wait", r#""milliseconds": 10000"#);
    let saved = |start| {
        let (mut npc, mut memory) = (Npc { now: secs(start), ..Npc::default() }, tree.memory());
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.now += secs(10);
        assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        tree.shift(&mut memory, Shift::new(secs(0), secs(0)));
        serde_json::to_string(&tree.saved(&memory)).expect("it is data")
    };
    assert_eq!(saved(100), saved(7));
}
