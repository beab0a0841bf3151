//! The library against a naive interpreter: the same statuses, the same visits, the same halts, in the same order.

mod edited;
mod edits;
mod erased;
mod exhaustive;
mod files;
mod ids;
mod live;
mod loaded;
mod own;
mod random;
mod recorded;
mod rewind;
mod sleeping;
mod source;
mod text;
mod why;
mod written;

use bt_conformance::reference::Reference;
use bt_conformance::spec::Spec;
use bt_core::observe::{RecordFile, Recorded, Recorder};
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World};
use proptest::test_runner::{Config, RngAlgorithm};

/// Whether all cases are tried, as with the environment variable `CI`. Otherwise they are fewer, so that the tests of the workspace take a minute less.
fn tries_all() -> bool {
    std::env::var_os("CI").is_some_and(|ci| !ci.is_empty())
}

/// Returns a configuration for so many random cases, an eighth of them without `CI`, or as many as the environment variable `PROPTEST_CASES` says.
fn cases(all: u32) -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = cases.unwrap_or(if tries_all() { all } else { all / 8 });
    // Without optimization, the default generator takes a tenth of the time of these tests.
    Config { cases, rng_algorithm: RngAlgorithm::XorShift, ..Config::default() }
}

/// What looks at a tick: events in memory, and both kinds of recordings.
fn watching<N: Node<World>>(tree: &N) -> (Events, Recorder, RecordFile<Vec<u8>>) {
    let file = RecordFile::new(Vec::new(), "random", tree).expect("a vector takes all");
    (Events::default(), Recorder::new(100_000), file)
}

/// What happens to an agent.
#[derive(Clone, Copy, Debug)]
enum Doing {
    /// So many milliseconds pass, then the tree is ticked.
    Tick(u64),
    /// The tree is halted.
    Halt,
}

/// Runs a tree three ways, observed, hardly observed and naively, and compares them after each step. What an observer sees is also recorded, in memory
/// and as a file, and told again.
///
/// Between two steps, `put_aside` replaces one of the memories: by a copy, for example, or by what was saved and loaded again.
fn same<N: Node<World>>(
    spec: &Spec,
    tree: &N,
    told: &[Status],
    doings: &[Doing],
    put_aside: impl Fn(&Memory<N>) -> Memory<N>,
) {
    let mut worlds = [World::telling(told), World::telling(told), World::telling(told)];
    let (mut observed, mut unobserved) = (tree.memory(), tree.memory());
    let mut reference = Reference::new(spec);
    let description = tree.description();
    // Of one type, because a tree is compiled for each type of observer.
    let (mut watches, mut watches_too, mut sleeps) = (Some(watching(tree)), Some(watching(tree)), None);
    let mut all = Events::default();
    for (step, doing) in doings.iter().enumerate() {
        let now = millis(step as u64);
        let mut observer = watches.for_agent(3, now);
        // One that is mostly not there: then the tree is ticked as if nobody ever looked.
        let mut now_and_then = if step % 4 == 3 { &mut watches_too } else { &mut sleeps }.for_agent(3, now);
        let mut expected = Vec::new();
        let [world, quiet, naive] = &mut worlds;
        match doing {
            Doing::Tick(pass) => {
                for world in [&mut *world, &mut *quiet, &mut *naive] {
                    world.now += millis(*pass);
                }
                let status = reference.tick(naive, &mut expected);
                assert_eq!(tree.tick_with(world, &mut observed, &mut observer), status, "observed");
                assert_eq!(tree.tick_with(quiet, &mut unobserved, &mut now_and_then), status, "unobserved");
            }
            Doing::Halt => {
                reference.halt(Cause::Stopped, naive, &mut expected);
                tree.halt_with(world, &mut observed, &mut observer);
                tree.halt(quiet, &mut unobserved);
            }
        }
        let events = watches.as_mut().map(|(events, ..)| std::mem::take(events)).expect("it watches");
        assert_eq!(events.0, expected, "what the observer saw");
        all.0.extend(&events.0);
        for event in events.0 {
            if let Event::Tick(id, status) = event {
                let node = &description.nodes()[id as usize];
                assert!(node.returns.contains(status.into()), "{node} gave {status:?}");
            }
        }
        let seen = naive.take_seen();
        assert_eq!(world.take_seen(), seen, "what the leaves saw");
        assert_eq!(quiet.take_seen(), seen, "what the leaves saw, unobserved");
        assert_eq!(observed.is_running(), reference.is_running());
        assert_eq!(unobserved.is_running(), reference.is_running());
        observed = put_aside(&observed);
    }
    let (_, recorder, file) = watches.expect("it watches");
    let recorded = Recorded::read(&*file.finish().expect("a vector takes all")).expect("it was just written");
    assert_eq!(recorded.description, description);
    let mut told = Events::default();
    recorded.ticks.iter().for_each(|tick| tick.replay(&recorded.description, &mut told));
    assert_eq!(told.0, all.0, "what is told again");
    if let Some(recording) = recorder.recording(3) {
        assert_eq!(recording.ticks().collect::<Vec<_>>(), recorded.ticks, "memory and file");
    }
}
