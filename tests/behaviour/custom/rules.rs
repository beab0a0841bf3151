//! What every custom composite can rely on, in both engines: one test per sentence.

use std::sync::atomic::{AtomicU32, Ordering};

use bt_core::composite::{Children, Several};
use bt_core::composite::{Composed, compose};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use bt_tests::world::{Event, World, told};
use serde_json::json;

const S: Status = Status::Success;
const F: Status = Status::Failure;
const R: Status = Status::Running;
const E: Status = Status::Error;

/// A composite whose rule is a function of the children and of the number of ticks in this run and of all runs.
macro_rules! composite {
    ($name:ident, $running:ty, |$children:ident, $open:ident, $kept:ident, $ctx:ident| $rule:expr) => {
        #[derive(Clone, Copy)]
        struct $name;

        #[composite]
        impl Composite<World> for $name {
            type Running = $running;
            type Open = u32;
            type Kept = u32;

            fn tick(
                &self,
                $children: &mut impl Children<World>,
                $open: &mut u32,
                $kept: &mut u32,
                $ctx: &mut World,
            ) -> Status {
                *$open += 1;
                *$kept += 1;
                $rule
            }

            fn close(&self, open: &mut u32, kept: &mut u32, world: &mut World, end: End) {
                world.see(Event::Close(1000 * *kept + 100 * *open, end));
            }
        }
    };
}

/// Runs the test with the composite over three leaves, written and in containers, in both engines.
macro_rules! both {
    ($rule:expr, |$tree:ident| $test:expr) => {{
        let rule = $rule;
        {
            let $tree = tree! { for World: compose(rule) { told(0), told(1), told(2) } };
            $test;
        }
        {
            let $tree = tree! { for World: compose(rule) { told(0), ..vec![told(1), told(2)] } };
            $test;
        }
        {
            let $tree = tree! { for World: compose(rule) { ..vec![told(0), told(1)], told(2) } };
            $test;
        }
        {
            let $tree = tree! { for World: compose(rule) { ..vec![told(0), told(1), told(2)] } };
            $test;
        }
        {
            let $tree = &loaded(rule);
            $test;
        }
    }};
}

fn loaded<X>(rule: X) -> LoadedTree<World>
where
    X: Composite<World, Open = u32, Kept = u32> + Copy + Send + Sync + 'static,
{
    let mut registry = Registry::new();
    registry.add_composite("Own", move |_: NoProperties| rule);
    for number in 0..3 {
        registry.add_leaf(&format!("told{number}"), told(number));
    }
    let file = json!({ "root": "r", "nodes": {
        "r": { "name": "Own", "children": ["a", "b", "c"] },
        "a": { "name": "told0" }, "b": { "name": "told1" }, "c": { "name": "told2" }
    } });
    registry.load(&file.to_string()).expect("the file is valid")
}

/// The events that matter here: ticks and ends.
fn seen(world: &World) -> Vec<Event> {
    world.take_seen().into_iter().filter(|event| matches!(event, Event::Tick(..) | Event::Close(..))).collect()
}

composite!(Both, Several, |children, open, _kept, world| {
    let statuses = [children.tick(2, world), children.tick(0, world)];
    if *open == 2 { S } else { statuses[0] }
});

#[test]
fn running_children_are_halted_in_order_when_the_rule_ends() {
    both!(Both, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        assert_eq!(seen(&world), [Event::Tick(2, R), Event::Tick(0, R)]);
        assert_eq!(tree.tick(&mut world, &mut memory), S);
        assert_eq!(
            seen(&world),
            [
                Event::Tick(2, R),
                Event::Tick(0, R),
                Event::Close(0, End::Halted(Cause::Ended)),
                Event::Close(2, End::Halted(Cause::Ended)),
                Event::Close(2200, End::Success)
            ]
        );
    });
}

#[test]
fn halting_halts_the_running_children_and_then_closes_the_composite() {
    both!(Both, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        tree.tick(&mut world, &mut memory);
        seen(&world);
        tree.halt(&mut world, &mut memory);
        let halted = [
            Event::Close(0, End::Halted(Cause::Stopped)),
            Event::Close(2, End::Halted(Cause::Stopped)),
            Event::Close(1100, End::Halted(Cause::Stopped)),
        ];
        assert_eq!(seen(&world), halted);
        tree.halt(&mut world, &mut memory);
        assert_eq!(seen(&world), [], "it is not running");
    });
}

#[test]
fn open_is_new_in_each_run_and_kept_is_not() {
    both!(Both, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        for _ in 0..2 {
            tree.tick(&mut world, &mut memory);
        }
        seen(&world);
        for _ in 0..2 {
            tree.tick(&mut world, &mut memory);
        }
        assert_eq!(seen(&world).last(), Some(&Event::Close(4200, End::Success)));
    });
}

composite!(OneByOne, bt_core::composite::OneAtATime, |children, open, _kept, world| {
    let child = *open as usize - 1;
    let status = children.tick(child % 3, world);
    if status == F { R } else { status }
});

#[test]
fn another_child_that_runs_replaces_the_running_one_after_it_was_ticked() {
    both!(OneByOne, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        assert_eq!(seen(&world), [Event::Tick(0, R)]);
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        assert_eq!(seen(&world), [Event::Tick(1, R), Event::Close(0, End::Halted(Cause::Preempted))]);
    });
}

#[test]
fn another_child_that_ends_leaves_the_running_one_running() {
    both!(OneByOne, |tree| {
        let (mut world, mut memory) = (World::telling(&[R, F, F, R]), tree.memory());
        for _ in 0..3 {
            assert_eq!(tree.tick(&mut world, &mut memory), R);
        }
        let ticks = [
            Event::Tick(0, R),
            Event::Tick(1, F),
            Event::Close(1, End::Failure),
            Event::Tick(2, F),
            Event::Close(2, End::Failure),
        ];
        assert_eq!(seen(&world), ticks);
        tree.halt(&mut world, &mut memory);
        assert_eq!(seen(&world)[0], Event::Close(0, End::Halted(Cause::Stopped)));
    });
}

#[test]
fn a_composite_can_run_without_a_running_child() {
    both!(OneByOne, |tree| {
        let (mut world, mut memory) = (World::telling(&[F]), tree.memory());
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        seen(&world);
        tree.halt(&mut world, &mut memory);
        assert_eq!(seen(&world), [Event::Close(1100, End::Halted(Cause::Stopped))]);
    });
}

composite!(TwiceOfSeveral, Several, |children, _open, _kept, world| {
    let first = [0, 1, 2].map(|child| children.tick(child, world));
    let second = [0, 1, 2].map(|child| children.tick(child, world));
    if first == second { R } else { second[0] }
});

composite!(TwiceOfOne, bt_core::composite::OneAtATime, |children, _open, _kept, world| {
    let first = children.tick(2, world);
    let second = children.tick(2, world);
    if first == second { R } else { second }
});

#[test]
fn a_child_that_runs_is_resumed_if_it_is_ticked_again_in_the_same_tick() {
    fn opened(world: &World) -> Vec<u32> {
        let opened = world.take_seen().into_iter().filter_map(|event| match event {
            Event::Open(child) => Some(child),
            Event::Enter(_) | Event::Tick(..) | Event::Close(..) | Event::Exit(..) | Event::State(..) => None,
        });
        opened.collect()
    }
    both!(TwiceOfSeveral, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        for starts in [vec![0, 1, 2], vec![]] {
            assert_eq!(tree.tick(&mut world, &mut memory), R);
            assert_eq!(opened(&world), starts);
        }
        let (mut world, mut memory) = (World::telling(&[R, R, R, S, S, F]), tree.memory());
        for _ in 0..2 {
            assert_eq!(tree.tick(&mut world, &mut memory), S);
            assert_eq!(opened(&world), [0, 1, 2], "each ended in the tick in which it was opened");
        }
    });
    both!(TwiceOfOne, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        for starts in [vec![2], vec![]] {
            assert_eq!(tree.tick(&mut world, &mut memory), R);
            assert_eq!(opened(&world), starts);
        }
        let (mut world, mut memory) = (World::telling(&[R, S]), tree.memory());
        for _ in 0..2 {
            assert_eq!(tree.tick(&mut world, &mut memory), S);
            assert_eq!(opened(&world), [2], "it ended in the tick in which it was opened");
        }
    });
}

composite!(Careless, Several, |children, _open, _kept, world| {
    for child in 0..children.len() {
        let _ = children.tick(child, world);
    }
    S
});

#[test]
fn an_error_of_a_child_ends_the_composite_whatever_the_rule_does() {
    both!(Careless, |tree| {
        let (mut world, mut memory) = (World::telling(&[R, E]), tree.memory());
        assert_eq!(tree.tick(&mut world, &mut memory), E);
        assert_eq!(
            seen(&world),
            [
                Event::Tick(0, R),
                Event::Tick(1, E),
                Event::Close(1, End::Error),
                Event::Close(0, End::Halted(Cause::Ended)),
                Event::Close(1100, End::Error)
            ]
        );
    });
}

composite!(Queries, Several, |children, open, _kept, world| {
    assert_eq!(children.len(), 3);
    let running: Vec<_> = (0..3).map(|child| children.is_running(child)).collect();
    match *open {
        1 => {
            assert_eq!((running, children.running()), (vec![false; 3], None));
            children.halt(0, world);
            children.tick(1, world);
            children.tick(2, world);
            assert_eq!(children.running(), Some(1));
            R
        }
        _ => {
            assert_eq!(running, [false, true, true]);
            children.halt(1, world);
            children.halt(1, world);
            children.halt(3, world);
            children.halt(9, world);
            assert!(!children.is_running(3) && !children.is_running(9));
            assert_eq!(children.running(), Some(2));
            R
        }
    }
});

#[test]
fn a_rule_can_ask_which_children_run_and_halt_them() {
    both!(Queries, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        tree.tick(&mut world, &mut memory);
        assert_eq!(seen(&world), [Event::Tick(1, R), Event::Tick(2, R)]);
        tree.tick(&mut world, &mut memory);
        assert_eq!(seen(&world), [Event::Close(1, End::Halted(Cause::Preempted))]);
    });
}

composite!(Scores, Several, |children, _open, _kept, world| {
    fn rule(mut children: impl Children<World>, world: &mut World) -> Status {
        for child in 0..children.len() {
            children.score(child, [0.5, 2.0, 1.0][child]);
        }
        children.tick(1, world)
    }
    rule(children, world)
});

#[test]
fn observers_receive_the_scores_that_a_rule_reports() {
    #[derive(Default)]
    struct Seen(Vec<(usize, f32)>);
    impl Observer for Seen {
        fn score(&mut self, at: NodeId, score: f32) {
            self.0.push((at.index(), score));
        }
    }
    both!(Scores, |tree| {
        let (mut world, mut memory) = (World::telling(&[S]), tree.memory());
        let mut seen = Seen::default();
        assert_eq!(tree.tick_with(&mut world, &mut memory, &mut seen), S);
        assert_eq!(seen.0, [(1, 0.5), (2, 2.0), (3, 1.0)]);
    });
}

composite!(Beyond, Several, |children, _open, kept, world| {
    if *kept == 2 { children.tick(3, world) } else { children.tick(0, world) }
});

#[test]
fn ticking_a_child_that_does_not_exist_panics_and_the_memory_can_be_used_again() {
    both!(Beyond, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        tree.tick(&mut world, &mut memory);
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tree.tick(&mut world, &mut memory)));
        assert!(panic.is_err());
        seen(&world);
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        tree.halt(&mut world, &mut memory);
        // `kept` is 3, so the panic has not reset it.
        assert_eq!(seen(&world).last(), Some(&Event::Close(3100, End::Halted(Cause::Stopped))));
    });
}

static TICKS: AtomicU32 = AtomicU32::new(0);

composite!(Endless, bt_core::composite::OneAtATime, |children, _open, _kept, world| {
    loop {
        TICKS.fetch_add(1, Ordering::Relaxed);
        if children.tick(0, world) == E {
            return E;
        }
    }
});

#[test]
fn a_rule_that_never_ends_a_tick_ends_with_an_error_in_a_file() {
    let tree = loaded(Endless);
    let mut memory = tree.memory();
    let mut world = World::telling(&[S]);
    assert_eq!(tree.tick(&mut world, &mut memory), E);
    assert!(TICKS.load(Ordering::Relaxed) > 1000);
    assert!(tree.error(&memory).expect("the cause").to_string().contains("Own"));
}

#[derive(Clone, Copy)]
struct At(Duration);

#[composite]
impl<C: ?Sized + Clock> Composite<C> for At {
    type Open = Duration;
    fn tick(&self, _: &mut impl Children<C>, since: &mut Duration, (): &mut (), ctx: &mut C) -> Status {
        if *since == Duration::ZERO {
            *since = ctx.now();
        }
        if ctx.now() >= *since + self.0 { Status::Success } else { Status::Running }
    }
    fn shift(&self, open: Option<&mut Duration>, (): &mut (), by: bt_core::Shift) {
        if let Some(since) = open {
            *since = by.time(*since);
        }
    }
}

#[test]
fn times_of_a_composite_and_of_its_children_are_shifted() {
    fn test<N: Node<World>>(tree: &N) {
        let (mut world, mut memory) = (World { now: secs(10), ..World::default() }, tree.memory());
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        tree.shift(&mut memory, bt_core::Shift::new(secs(10), secs(100)));
        world.now = secs(104);
        assert_eq!(tree.tick(&mut world, &mut memory), R);
        world.now = secs(105);
        assert_eq!(tree.tick(&mut world, &mut memory), S);
    }
    test(&tree! { for World: compose(At(secs(5))) { told(0) } });
    test(&tree! { for World: compose(FirstOf) { wait(secs(5)), run } });
    let mut registry = Registry::<World>::new().with_clock();
    registry.add_composite("At", |_: NoProperties| At(secs(5)));
    let file = r#"{ "root": "r", "nodes": { "r": { "name": "At", "children": ["a"] }, "a": { "name": "run" } } }"#;
    test(&registry.load(file).expect("the file is valid"));
}

/// Ticks only its first child.
#[derive(Clone, Copy)]
struct FirstOf;

#[composite]
impl<C: ?Sized> Composite<C> for FirstOf {
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

#[test]
fn the_memory_is_a_sum_for_one_child_at_a_time_and_a_product_for_several() {
    /// Ticks all children.
    struct All;
    #[composite]
    impl<C: ?Sized> Composite<C> for All {
        type Running = Several;
        fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
            (0..children.len()).map(|child| children.tick(child, ctx)).last().unwrap_or(Status::Success)
        }
    }
    let one = tree! { for World: compose(FirstOf) { wait(secs(1)), wait(secs(1)), wait(secs(1)) } };
    let several = tree! { for World: compose(All) { wait(secs(1)), wait(secs(1)), wait(secs(1)) } };
    let wait = size_of::<u64>();
    assert!(size_of_val(&one.memory()) <= wait + 16, "{}", size_of_val(&one.memory()));
    assert!((3 * wait..=3 * wait + 24).contains(&size_of_val(&several.memory())));
}

#[test]
fn a_composite_of_leaves_without_state_is_saved_and_loaded() {
    both!(Both, |tree| {
        let (mut world, mut memory) = (World::telling(&[R]), tree.memory());
        tree.tick(&mut world, &mut memory);
        let save = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
        let mut memory = tree.memory();
        tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("the same tree");
        seen(&world);
        assert_eq!(tree.tick(&mut world, &mut memory), S);
        assert_eq!(seen(&world).last(), Some(&Event::Close(2200, End::Success)));
    });
}

/// A context that borrows, written with an elided lifetime.
struct Log<'w>(&'w mut Vec<u32>);

struct LastOnly;

#[composite]
impl Composite<Log<'_>> for LastOnly {
    fn tick(&self, children: &mut impl Children<Log<'_>>, (): &mut (), (): &mut (), log: &mut Log<'_>) -> Status {
        log.0.push(0);
        children.tick(children.len() - 1, log)
    }
}

fn last_only<L>(children: L) -> Composed<LastOnly, L> {
    compose(LastOnly, children)
}

#[test]
fn the_context_of_a_composite_may_have_elided_lifetimes() {
    #[action]
    fn push(log: &mut Log<'_>, number: u32) {
        log.0.push(number);
    }

    #[subtree]
    fn last() -> impl Node<Log<'_>> {
        tree! { last_only { push(1), push(2) } }
    }

    let (tree, mut log) = (last(), vec![]);
    assert_eq!(tree.tick(&mut Log(&mut log), &mut tree.memory()), Status::Success);
    assert_eq!(log, [0, 2]);
}

/// Children that do nothing, one of which runs.
struct Still(Option<usize>);

impl Children<World> for Still {
    fn len(&self) -> usize {
        3
    }

    fn is_running(&self, child: usize) -> bool {
        self.0 == Some(child)
    }

    fn tick(&mut self, _: usize, _: &mut World) -> Status {
        R
    }

    fn halt(&mut self, _: usize, _: &mut World) {
        self.0 = None;
    }
}

#[test]
fn children_of_ones_own_need_no_search_for_the_running_one() {
    assert_eq!([None, Some(0), Some(2)].map(|running| Still(running).running()), [None, Some(0), Some(2)]);
}

composite!(Once, Several, |children, _open, _kept, world| children.tick(0, world));

#[test]
fn a_child_that_is_ticked_once_is_not_repeated() {
    // Nearly as many runs as a tick may restart.
    const RUNS: u32 = bt_dynamic::MAX_RESTARTS - 1;
    let mut registry = Registry::<World>::new();
    registry.add_composite("Own", |_: NoProperties| Once).add_leaf("told", told(0));
    let file = json!({ "root": "r", "nodes": {
        "r": { "name": "Repeater", "properties": { "maxLoop": RUNS }, "child": "o" },
        "o": { "name": "Own", "children": ["t"] },
        "t": { "name": "told" }
    } });
    let tree = registry.load(&file.to_string()).expect("the file is valid");
    assert_eq!(tree.tick(&mut World::telling(&[S]), &mut tree.memory()), S);
}

/// Marks children that do not exist, and asks for their marks.
struct Outside;

#[composite]
impl<C: ?Sized> Composite<C> for Outside {
    type Marks = bt_core::composite::PerRun;
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), _: &mut C) -> Status {
        let len = children.len();
        (len..len + 20).for_each(|child| children.mark(child));
        Status::from((0..len + 20).all(|child| !children.is_marked(child)))
    }
}

#[test]
fn a_child_that_does_not_exist_has_no_mark() {
    fn outside<L>(children: L) -> Composed<Outside, L> {
        compose(Outside, children)
    }

    for tree in [
        boxed(tree! { for World: outside { succeed, succeed } }),
        boxed(tree! { for World: outside { ..vec![succeed(); 3], succeed } }),
        boxed(tree! {
            for World: outside { succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed, succeed }
        }),
    ] {
        assert_eq!(tree.tick(&mut World::default(), &mut tree.memory()), S);
    }
    let mut registry = Registry::<World>::new();
    registry.add_composite("Outside", |_: NoProperties| Outside);
    let file =
        json!({ "root": "b", "nodes": { "b": { "name": "Outside", "children": ["c"] }, "c": { "name": "succeed" } } });
    let tree = registry.load(&file.to_string()).expect("the file is valid");
    assert_eq!(tree.tick(&mut World::default(), &mut tree.memory()), S);
}
