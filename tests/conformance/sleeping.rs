//! Random trees whose agents sleep: they do the same as if they were ticked in every frame, also if the clock goes back.
//!
//! The leaves are others than in the other tests: they know when they continue, and their outcomes change with time or by
//! events.

use std::sync::Arc;

use bt_conformance::engine::build_with;
use bt_conformance::spec::{Args, Spec};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{SaveMemory, Wake};
use bt_dynamic::{LiveTree, Registry};
use bt_tests::world::{Event, World};
use bt_words::Word;
use proptest::prelude::*;

use crate::edited::{Edited, edits};
use crate::loaded::{Number, load_edited, load_with, reachable, with_words};
use crate::random;

/// A leaf that naps for a time, then succeeds or fails.
pub(crate) struct Nap(pub(crate) u32);

#[leaf]
impl Leaf<World> for Nap {
    type Open = Duration;

    fn wake(&self, end: &Duration) -> Wake {
        Wake::At(*end)
    }

    fn open(&self, world: &mut World) -> Duration {
        world.see(Event::Open(self.0));
        world.now + millis(u64::from(self.0 % 5) * 60)
    }

    fn tick(&self, end: &mut Duration, world: &mut World) -> Status {
        if world.now < *end { Status::Running } else { Status::from(self.0.is_multiple_of(2)) }
    }

    fn close(&self, _: &mut Duration, world: &mut World, end: End) {
        world.see(Event::Close(self.0, end));
    }

    fn shift(&self, end: &mut Duration, by: bt_core::Shift) {
        *end = by.time(*end);
    }
}

/// A nap as an asynchronous action.
#[action]
async fn nap(world: AsyncContext<World>, number: u32) -> bool {
    world.with(move |world| world.see(Event::Open(number))).await;
    world.wait(millis(u64::from(number % 5) * 60)).await;
    if number.is_multiple_of(3) {
        world.next_tick().await;
    }
    world.with(move |world| world.see(Event::Tick(number, Status::Running))).await;
    number.is_multiple_of(2)
}

/// An action with an effect. Some say when they continue, or wait for an event; others are ticked in every frame.
pub(crate) fn effect(number: u32) -> impl Fn(&mut World) -> bt_core::Step<Wake> + Copy + Send + Sync + 'static {
    use bt_core::{Outcome, Step};
    move |world| {
        let outcome = Outcome::from((u64::from(number / 4) + world.events).is_multiple_of(2));
        match number % 4 {
            // Until the clock is a multiple of 100 ms later.
            0 if world.now.as_millis() % 200 < 100 => {
                let left = 100 - u64::try_from(world.now.as_millis() % 100).unwrap_or(0);
                Step::Running(Wake::At(world.now + millis(left)))
            }
            1 if world.events % 2 == 0 => Step::Running(Wake::Event),
            2 if world.now.as_millis() % 3 == 0 => Step::Running(Wake::Next),
            _ => {
                world.see(Event::Tick(number, outcome.into()));
                Step::Done(outcome)
            }
        }
    }
}

/// A condition. The outcome of an even one changes by events, that of an odd one with time.
pub(crate) fn holds(number: u32) -> impl Fn(&World) -> bool + Copy + Send + Sync + 'static {
    move |world| match number % 2 {
        0 => (u64::from(number / 2) + world.events) % 3 != 0,
        _ => (u128::from(number / 2) + world.now.as_millis() / 70) % 3 != 0,
    }
}

/// The same tree with `by_event` above even conditions, and nowhere else.
fn by_events(spec: Spec) -> Spec {
    match spec {
        Spec::Condition(number) if number % 2 == 0 => {
            Spec::Word(Word::ByEvent, Args::default(), vec![Spec::Condition(number)])
        }
        Spec::Word(Word::ByEvent, args, children) => {
            Spec::Word(Word::Invert, args, children.into_iter().map(by_events).collect())
        }
        Spec::Word(word, args, children) => Spec::Word(word, args, children.into_iter().map(by_events).collect()),
        spec => spec,
    }
}

fn built(spec: &Spec) -> BoxNode<World> {
    build_with(spec, |leaf| match *leaf {
        Spec::Leaf(number) if number % 4 == 3 => boxed(tree! { for World: nap(number) }),
        Spec::Leaf(number) => boxed(tree! { for World: (Nap(number)) }),
        Spec::Action(number) => boxed(tree! { for World: effect(number) }),
        Spec::Condition(number) => boxed(tree! { for World: holds(number) }),
        Spec::Word(..) | Spec::Machine { .. } | Spec::Own(..) => unreachable!("it is no leaf"),
    })
}

/// One frame: what is added to the time, in milliseconds, and whether there is an event.
pub(crate) type Frame = (i64, bool);

/// Runs a tree that is ticked in every frame beside a brain and a herd that sleep. Returns how many ticks each took.
fn same<N: Node<World> + Send + Sync + 'static>(tree: N, frames: &[Frame]) -> [usize; 3] {
    same_edited(tree, frames, |_| false)
}

/// The same with a tree that is edited before some frames: whether it is says the function.
pub(crate) fn same_edited<N: Node<World> + Send + Sync + 'static>(
    tree: N,
    frames: &[Frame],
    mut edit: impl FnMut(usize) -> bool,
) -> [usize; 3] {
    let tree = Arc::new(tree);
    let (mut memory, mut brain, mut herd) = (tree.memory(), Brain::new(&tree), Herd::new(tree.clone()));
    let agent = herd.add();
    let mut worlds = [(); 3].map(|()| World::default());
    let (mut last, mut ticks) = ([None; 3], [0; 3]);
    for (frame, (pass, is_event)) in frames.iter().enumerate() {
        for world in &mut worlds {
            let millis = millis(pass.unsigned_abs());
            world.now = if *pass < 0 { world.now.saturating_sub(millis) } else { world.now + millis };
            world.events += u64::from(*is_event);
        }
        if *is_event {
            brain.wake();
            herd.wake(agent);
        }
        if edit(frame) {
            brain.wake();
            herd.wake_all();
        }
        let [always, for_brain, for_herd] = &mut worlds;
        let now = always.now;
        let mut of_herd = None;
        herd.for_each_due(now, |agent| of_herd = Some(agent.tick(for_herd)));
        let statuses = [Some(tree.tick(always, &mut memory)), brain.tick_due(now, for_brain), of_herd];
        for (agent, status) in statuses.into_iter().enumerate().filter(|(_, status)| status.is_some()) {
            last[agent] = status;
            ticks[agent] += 1;
        }
        assert_eq!(last, [last[0]; 3], "frame {frame}, {now:?}");
        let seen = worlds.each_ref().map(World::take_seen);
        assert!(seen[1] == seen[0] && seen[2] == seen[0], "frame {frame}, {now:?}: {seen:?}");
    }
    ticks
}

pub(crate) fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let pass = prop_oneof![19 => 0..60_i64, 1 => -1000..0_i64];
    proptest::collection::vec((pass, prop::bool::weighted(0.1)), 1..60)
}

proptest! {
    #![proptest_config(crate::cases(4096))]

    #[test]
    fn agents_that_sleep_do_the_same(spec in random::spec(), frames in frames()) {
        let spec = by_events(reachable(&spec));
        same(built(&spec), &frames);
        let loaded = load_with(&spec, |registry| {
            registry.add_with("told", |Number { number }| Nap(number));
            registry.add_with("Act", |Number { number }| effect(number));
            registry.add_with("Check", |Number { number }| holds(number));
        });
        same(loaded, &frames);
        let asynchronous = load_with(&spec, |registry| {
            registry.add_with("told", |Number { number }| nap(number));
            registry.add_with("Act", |Number { number }| effect(number));
            registry.add_with("Check", |Number { number }| holds(number));
        });
        same(asynchronous, &frames);
    }
}

proptest! {
    #[test]
    fn machines_that_sleep_do_the_same(frames in frames()) {
        let tree = || tree! {
            for World: machine "by events" {
                state idle { (Nap(4)), by_event { holds(0) } -> work, success -> work }
                state work { mem_sequence { effect(0), (Nap(3)) } !by_event { holds(4) } -> rest, failure -> idle }
                state rest { run, by_event { holds(2) } -> idle }
                any { by_event { sequence { holds(6), !holds(8) } } -> rest }
            }
        };
        same(tree(), &frames);
        let quiet: Vec<_> = frames.iter().map(|(pass, _)| (pass.abs(), false)).collect();
        let [always, brain, herd] = same(tree(), &quiet);
        prop_assert!(brain == herd && (always < 20 || brain < always));
        same(
            tree! {
                for World: machine "by events and with time" {
                    state idle { (Nap(4)), by_event { holds(0) } -> work, holds(1) -> work }
                    state work {
                        selector { sequence { by_event { holds(2) } effect(3) } run }
                        by_event { holds(6) } -> idle,
                    }
                    any { holds(5) -> idle }
                }
            },
            &frames,
        );
    }
}

/// The leaves of trees that are edited.
fn leaves(registry: &mut Registry<World>) {
    registry.add_with("told", |Number { number }| Nap(number));
    registry.add_with("Act", |Number { number }| effect(number));
    registry.add_with("Check", |Number { number }| match number % 2 {
        0 => BoxNode::<World, SaveMemory>::saving(tree! { for World: by_event { holds(number) } }),
        _ => BoxNode::<World, SaveMemory>::saving(tree! { for World: holds(number) }),
    });
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn agents_that_sleep_while_their_tree_is_edited_do_the_same(
        spec in random::spec_of_file(),
        frames in frames(),
        changes in proptest::collection::btree_map(1..60_usize, edits(), 1..5),
    ) {
        let (mut next, live) = (0, LiveTree::new());
        let mut tree = Edited::of(&spec, &mut next);
        let replace = |tree: &Edited| {
            // Conditions change with time.
            let without = |word, args, _| (if word == Word::ByEvent { Word::Invert } else { word }, args);
            live.replace(load_edited(&with_words(&tree.spec(), &without), tree.ids(), leaves));
        };
        replace(&tree);
        same_edited(live.clone(), &frames, |frame| {
            let edits = changes.get(&frame);
            if let Some(edits) = edits {
                tree = tree.edited(edits, &mut next);
                replace(&tree);
            }
            edits.is_some()
        });
    }
}

#[test]
fn they_are_ticked_less_often() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut sum = [0, 0, 0];
    for _ in 0..400 {
        let (spec, frames) = (random::spec(), frames()).new_tree(&mut runner).expect("a tree").current();
        let ticks = same(built(&by_events(reachable(&spec))), &frames);
        sum = std::array::from_fn(|agent| sum[agent] + ticks[agent]);
    }
    // Most of the trees have a node above their running one that has to be asked in every frame.
    let [always, brain, herd] = sum;
    assert!(brain * 5 < always * 4 && herd * 5 < always * 4, "{brain} and {herd} of {always} ticks");
}
