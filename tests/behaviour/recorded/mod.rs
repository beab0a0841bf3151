//! Unit tests that are written from recordings. `generated.rs` has one with each form of statement, and they are tests, too; `conformance/recorded.rs` carries out those of
//! random trees.

#[rustfmt::skip]
mod generated;

use bt_core::describe::Description;
use bt_core::observe::{Event, Recording, TickRecord};
use bt_core::prelude::*;
use bt_core::testing::{NotRepeatable, RecordedTest};
use bt_tests::world::{World, check, entered, told};

use Status::{Failure as F, Running as R, Success as S};

#[subtree]
fn reactive() -> impl Node<World> {
    tree! { selector { sequence "fight" { check(1) "near", told(2) "attack" } told(3) "patrol" } }
}

#[subtree]
fn timed() -> impl Node<World> {
    tree! {
        selector {
            cooldown(millis(300)) { told(1) "shoot" }
            timeout(millis(250)) { service(millis(100), entered(2)) { told(3) "aim" } }
            delay(millis(100)) { told(4) "rest" }
        }
    }
}

#[subtree]
fn chosen() -> impl Node<World> {
    tree! {
        sequence {
            random_sequence "words" { told(1) "a", told(2) "b" }
            random_selector { told(3), invert { told(3) } }
        }
    }
}

/// What happens before a tick: so many milliseconds pass, or the tree is halted.
#[derive(Clone, Copy)]
enum Doing {
    Pass(u64),
    Halt,
}

use Doing::{Halt, Pass};

fn record<N: Node<World>>(tree: &N, told: &[Status], doings: impl IntoIterator<Item = Doing>) -> Vec<TickRecord> {
    let (mut world, mut memory, mut recording) = (World::telling(told), tree.memory(), Recording::new(10_000));
    for doing in doings {
        if let Pass(time) = doing {
            world.now += millis(time);
        }
        let now = world.now;
        let mut observer = recording.for_agent(0, now);
        match doing {
            Pass(_) => _ = tree.tick_with(&mut world, &mut memory, &mut observer),
            Halt => tree.halt_with(&mut world, &mut memory, &mut observer),
        }
    }
    recording.ticks().collect()
}

fn source<N: Node<World>>(
    tree: &N,
    (name, call): (&str, &str),
    ticks: &[TickRecord],
    range: core::ops::RangeInclusive<u64>,
) -> Result<String, NotRepeatable> {
    RecordedTest::new(name, call, "World::default()").clock("ctx.now = now").source(&tree.description(), ticks, range)
}

/// `BOOK=overwrite cargo test -p bt-tests --test behaviour recorded` writes the file.
#[test]
fn the_generated_tests_are_up_to_date() {
    let even = |times| core::iter::repeat_n(Pass(40), times);
    let uneven = [Pass(10), Pass(70), Pass(120), Halt, Pass(5)];
    let mut text = "//! Written from recordings: see `the_generated_tests_are_up_to_date`.\n\nuse bt_tests::world::World;\n\nuse super::{chosen, reactive, timed};\n".to_owned();
    let mut add = |source: Result<String, NotRepeatable>| {
        text += "\n";
        text += &source.expect("the ticks can be repeated");
    };
    let told = [[F, R].repeat(12), vec![S, R]].concat();
    let ticks = record(&reactive(), &told, even(13));
    add(source(&reactive(), ("many_statuses", "reactive()"), &ticks, 10..=12));
    let ticks = record(&timed(), &[S, R, R, F, S, R], uneven);
    add(source(&timed(), ("uneven_times_and_a_halt", "timed()"), &ticks, 0..=4));
    let ticks = record(&timed(), &[S, R, R, F, S, R], even(4));
    add(source(&timed(), ("even_times", "timed()"), &ticks, 3..=3));
    let ticks = record(&chosen(), &[S, S, F], even(2));
    add(source(&chosen(), ("choices", "chosen()"), &ticks, 0..=1));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/behaviour/recorded/generated.rs");
    if std::env::var("BOOK").is_ok_and(|book| book == "overwrite") {
        std::fs::write(path, &text).expect("the folder is writable");
    }
    let written = std::fs::read_to_string(path).expect("the file exists");
    assert!(written == text, "tests/behaviour/recorded/generated.rs is out of date: run with BOOK=overwrite");
}

/// Returns a tick with these events.
fn tick(number: u64, events: &str) -> TickRecord {
    let events = Event::from_text(events).expect("they are events");
    let status = Some(Status::Running);
    TickRecord { agent: 0, number, now: Duration::ZERO, status, events, cut: 0, reasons: Vec::new(), replaced: 0 }
}

fn error(tree: &Description, ticks: &[TickRecord], range: core::ops::RangeInclusive<u64>) -> String {
    let source = RecordedTest::new("test", "tree()", "()").source(tree, ticks, range);
    source.expect_err("the ticks cannot be repeated").to_string()
}

#[test]
fn what_cannot_be_repeated_is_an_error() {
    let tree = tree! { for (): selector { fail, run } }.description();
    let mut ticks =
        vec![tick(3, "0R 1f 2R"), tick(4, "0R 1f 2R"), tick(5, "0r 1f 2r"), tick(7, "0R 1f 2R"), tick(8, "0o 1o")];
    assert_eq!(error(&tree, &ticks, 9..=20), "no tick from 9 to 20 is recorded");
    assert_eq!(
        error(&tree, &ticks, 4..=5),
        "the run that tick 4 belongs to began before the recording; help: the next run begins at tick 5"
    );
    assert_eq!(error(&tree, &ticks, 5..=7), "tick 6 is not recorded; help: select only ticks before or after that");
    ticks[3].number = 6;
    ticks[4].number = 7;
    assert_eq!(error(&tree, &ticks, 6..=7), "tick 7 is not over: a visit of `selector` did not end");
    ticks[3].cut = 2;
    assert_eq!(error(&tree, &ticks, 5..=6), "tick 6 is recorded only in part: 2 events are missing");
    for tick in &mut ticks[..2] {
        tick.replaced = 1;
    }
    ticks[2] = tick(5, "0R 1f 2R");
    assert_eq!(
        error(&tree, &ticks, 4..=5),
        "the tree was replaced before tick 5: a test repeats ticks of one tree, so end before it, or begin with it"
    );
    assert_eq!(error(&tree, &ticks, 3..=4), "the tree was another one at tick 3");
    assert_eq!(
        error(&tree, &ticks, 5..=5),
        "the run that tick 5 belongs to began before tick 5, the first after the tree was replaced"
    );
    let kept = tree! { for (): sequence { limit(3) { run } } }.description();
    assert_eq!(
        error(&kept, &[TickRecord { replaced: 1, ..tick(0, "0r 1r 2r") }, tick(1, "0R 1R 2R")], 1..=1),
        "the state before tick 1 is not recorded: `limit(runs: 3)` keeps state across runs, and the tree was replaced before tick 1"
    );
    assert_eq!(
        error(&kept, &[tick(5, "0r 1r 2r")], 5..=5),
        "the state before tick 5 is not recorded: `limit(runs: 3)` keeps state across runs, and the recording has no tick 0 of a new agent"
    );
    let machine = tree! { for (): machine { state a { run } #[allow(unreachable)] state b { run } } }.description();
    let ticks = [tick(0, "0r 0@0 1r 2r"), TickRecord { status: None, ..tick(1, "2h 1h 0@1") }];
    assert_eq!(error(&machine, &ticks, 0..=1), "in tick 1, a machine was put into a state from outside");
    for (tree, fault) in [
        (tree! { for World: utility_selector { 1 => succeed } }.description(), "depends on scores of the context"),
        (
            tree! { for World: match |world: &World| world.events { 0 => succeed, _ => fail } }.description(),
            "depends on a value of the context",
        ),
        (tree! { for World: chance(0.5) { succeed } }.description(), "draws a random number"),
        (tree! { for World: repeat(2..=3) { succeed } }.description(), "draws a random number"),
    ] {
        let error = error(&tree, &[tick(0, "0s 1s")], 0..=0);
        assert!(
            error.contains(fault) && error.ends_with(", which is not recorded: it was visited in tick 0"),
            "{error}"
        );
    }
}
