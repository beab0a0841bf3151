//! What `due` expects of nodes that are not running: it neither has an effect nor sleeps too long.

use std::cell::Cell;
use std::sync::Arc;

use bt_core::Status::{Running, Success};
use bt_core::composite::{ChildWakes, Children};
use bt_core::composite::{Composed, compose};
use bt_core::decorator::decorate;
use bt_core::prelude::*;
use bt_core::{Shift, Step, Wake, protocol::Foreseen};
use bt_dynamic::{LoadedTree, NoProperties, Registry};

#[derive(Default)]
struct Npc {
    now: Duration,
    hit: bool,
    asked: Cell<u32>,
}

impl Npc {
    fn ask(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.hit
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

#[condition(event)]
fn is_hit(npc: &Npc) -> bool {
    npc.ask()
}

#[condition]
fn polled(npc: &Npc) -> bool {
    npc.ask()
}

fn busy(_: &mut Npc) -> Status {
    Running
}

fn go(_: &mut Npc) {}

fn nap(npc: &mut Npc) -> Step<Wake> {
    if npc.now < secs(5) { Step::Running(Wake::At(secs(5))) } else { Step::Done(Outcome::Success) }
}

/// When the tree has to be ticked again after one tick at second 1, and how many conditions `due` has evaluated.
fn due_and_asked<N: Node<Npc>>(tree: &N) -> (Wake, u32) {
    let (mut npc, mut memory) = (Npc { now: secs(1), ..Npc::default() }, tree.memory());
    let status = tree.tick(&mut npc, &mut memory);
    npc.asked.set(0);
    (tree.due(status, &memory, &mut npc), npc.asked.get())
}

fn due<N: Node<Npc>>(tree: &N) -> Wake {
    due_and_asked(tree).0
}

fn load(nodes: &str) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add::<is_hit>("IsHit").add_leaf("Busy", busy).add_leaf("Go", go).add_leaf("Nap", nap);
    registry.add::<polled>("Polled");
    registry.load(&format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#)).unwrap()
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_parallel_that_the_foreseen_outcomes_of_its_ended_children_would_end_is_ticked() {
    assert_eq!(due(&tree! { for Npc: parallel { run, cooldown(SECOND) { go } } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: parallel { run, limit(1) { go } } }), Wake::Next);
    assert_eq!(
        due(&tree! { for Npc: #[allow(threshold)] parallel(failure = 2) { run, cooldown(SECOND) { go } } }),
        Wake::At(secs(2))
    );
    assert_eq!(due(&tree! { for Npc: parallel(failure = 2) { run, limit(1) { go } limit(1) { go } } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: mem_parallel { run, cooldown(SECOND) { go } } }), Wake::Event);

    let child = r#""2": { "name": "Runner" }, "4": { "name": "Go" }"#;
    for (parallel, decorator, expected) in [
        (r#""name": "parallel""#, r#""name": "cooldown", "properties": { "time": 1000 }"#, Wake::Next),
        (r#""name": "parallel""#, r#""name": "Limiter", "properties": { "maxLoop": 1 }"#, Wake::Next),
        (
            r#""name": "parallel", "properties": { "failure": 2 }"#,
            r#""name": "cooldown", "properties": { "time": 1000 }"#,
            Wake::At(secs(2)),
        ),
        (r#""name": "mem_parallel""#, r#""name": "Limiter", "properties": { "maxLoop": 1 }"#, Wake::Event),
    ] {
        let nodes =
            format!(r#""1": {{ {parallel}, "children": ["2", "3"] }}, {child}, "3": {{ {decorator}, "child": "4" }}"#);
        assert_eq!(due(&load(&nodes)), expected, "{nodes}");
    }
}

#[test]
fn due_evaluates_no_condition_that_could_change_with_time() {
    assert_eq!(due_and_asked(&tree! { for Npc: selector { polled, run } }), (Wake::Next, 0));
    assert_eq!(due_and_asked(&tree! { for Npc: sequence { polled, run } }), (Wake::Next, 0));
    assert_eq!(due_and_asked(&tree! { for Npc: selector { Npc::ask, run } }), (Wake::Next, 0));
    assert_eq!(due_and_asked(&tree! { for Npc: selector { is_hit, run } }), (Wake::Event, 1));
    assert_eq!(due_and_asked(&tree! { for Npc: selector { by_event { polled } run } }), (Wake::Event, 1));
    assert_eq!(due_and_asked(&tree! { for Npc: selector { by_event { Npc::ask } run } }), (Wake::Event, 1));
    assert_eq!(due_and_asked(&tree! { for Npc: selector { by_event { !polled } polled } }), (Wake::Event, 1));

    let two = |first: &str| {
        load(&format!(r#""1": {{ "name": "Priority", "children": ["2", "3"] }}, {first}, "3": {{ "name": "Runner" }}"#))
    };
    assert_eq!(due_and_asked(&two(r#""2": { "name": "Polled" }"#)), (Wake::Next, 0));
    assert_eq!(due_and_asked(&two(r#""2": { "name": "IsHit" }"#)), (Wake::Event, 1));
    let by_event = r#""2": { "name": "by_event", "child": "4" }, "4": { "name": "Polled" }"#;
    assert_eq!(due_and_asked(&two(by_event)), (Wake::Event, 1));
}

#[test]
fn an_unbounded_loop_above_an_event_condition_waits_for_the_event() {
    assert_eq!(due(&tree! { for Npc: wait_until { is_hit } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: wait_until { by_event { polled } } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: wait_until { polled } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: mem_sequence { wait_until { is_hit } go } }), Wake::Event);
    assert_eq!(due(&load(r#""1": { "name": "wait_until", "child": "2" }, "2": { "name": "IsHit" }"#)), Wake::Event);
    assert_eq!(due(&load(r#""1": { "name": "wait_until", "child": "2" }, "2": { "name": "Polled" }"#)), Wake::Next);
}

#[test]
fn a_loop_that_waits_for_an_event_goes_on_after_it() {
    let tree = tree! { for Npc: mem_sequence { wait_until { is_hit } nap } };
    let (mut npc, mut memory) = (Npc { now: secs(1), ..Npc::default() }, tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Event);
    npc.hit = true;
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Next, "the event has occurred, but there was no tick");
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::At(secs(5)));
    npc.now = secs(5);
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
}

#[test]
fn the_time_of_an_action_is_converted_to_another_clock() {
    fn check<N: Node<Npc>>(tree: &N) {
        let (mut npc, mut memory) = (Npc { now: secs(1), ..Npc::default() }, tree.memory());
        let status = tree.tick(&mut npc, &mut memory);
        assert_eq!(tree.due(status, &memory, &mut npc), Wake::At(secs(5)));
        tree.shift(&mut memory, Shift::new(secs(1), secs(101)));
        assert_eq!(tree.due(status, &memory, &mut npc), Wake::At(secs(105)));
    }

    #[action]
    fn long_nap(npc: &mut Npc, until: Duration) -> Step<Wake> {
        if npc.now < until { Step::Running(Wake::At(until)) } else { Step::Done(Outcome::Success) }
    }

    #[action]
    fn maybe_nap(npc: &mut Npc) -> Option<Step<Wake>> {
        Some(nap(npc))
    }

    check(&tree! { for Npc: nap });
    check(&tree! { long_nap(secs(5)) });
    check(&tree! { maybe_nap });
    check(&tree! { for Npc: mem_sequence { nap } });
    check(&load(r#""1": { "name": "Nap" }"#));
}

/// Implements `wake`.
struct Sentry;

#[leaf]
impl Leaf<Npc> for Sentry {
    type Open = Duration;

    fn open(&self, npc: &mut Npc) -> Duration {
        npc.now + secs(3)
    }

    fn tick(&self, end: &mut Duration, npc: &mut Npc) -> Status {
        if npc.now < *end { Running } else { Success }
    }

    fn wake(&self, end: &Duration) -> Wake {
        Wake::At(*end)
    }
}

/// Implements `wake`.
struct Passing;

#[decorator]
impl<C: ?Sized> Decorator<C> for Passing {
    fn wake(&self, (): &(), (): &(), child: Option<Wake>) -> Wake {
        child.unwrap_or(Wake::Next)
    }
}

#[test]
fn a_leaf_and_a_decorator_with_the_method_wake_sleep() {
    assert_eq!(due(&tree! { for Npc: (Sentry) }), Wake::At(secs(4)));
    let passing = decorate(Passing, tree! { for Npc: wait(secs(3)) });
    assert_eq!(due(&passing), Wake::At(secs(4)));
}

#[test]
fn a_brain_is_ticked_when_it_is_due_or_has_been_woken() {
    let tree = Arc::new(tree! { for Npc: selector { sequence { is_hit, run } wait(secs(3)) } });
    let (mut npc, mut brain) = (Npc { now: secs(1), ..Npc::default() }, Brain::new(&tree));
    assert_eq!(brain.due(), Wake::Next);
    assert_eq!(brain.tick_due(secs(1), &mut npc), Some(Running));
    assert_eq!((brain.due(), brain.tick_due(secs(1), &mut npc)), (Wake::At(secs(4)), None));
    assert_eq!(brain.clone().due(), Wake::At(secs(4)));

    npc.hit = true;
    assert_eq!(brain.tick_due(secs(2), &mut npc), None, "the event was not reported");
    brain.wake();
    assert_eq!(brain.tick_due(secs(2), &mut npc), Some(Running));
    assert_eq!((brain.due(), brain.tick_due(secs(99), &mut npc)), (Wake::Event, None));

    npc.hit = false;
    npc.now = secs(10);
    brain.wake();
    assert_eq!(brain.tick_due(secs(10), &mut npc), Some(Running));
    npc.now = secs(13);
    assert_eq!(brain.tick_due(secs(13), &mut npc), Some(Success));
}

#[test]
fn everything_else_that_ticks_or_changes_a_brain_wakes_it() {
    type Change = fn(&mut Brain<Npc>, &mut Npc);
    let changes: [(&str, Change); 5] = [
        ("tick", |brain, npc| assert_eq!(brain.tick(npc), Running)),
        ("halt", |brain, npc| brain.halt(npc)),
        ("reset", |brain, _| brain.reset()),
        ("shift", |brain, _| brain.shift(Shift::new(secs(1), secs(2)))),
        ("wake", |brain, _| brain.wake()),
    ];
    let tree = Arc::new(tree! { for Npc: wait(secs(3)) });
    for (name, change) in changes {
        let (mut npc, mut brain) = (Npc { now: secs(1), ..Npc::default() }, Brain::new(&tree));
        assert_eq!(brain.tick_due(secs(1), &mut npc), Some(Running));
        assert_eq!(brain.due(), Wake::At(secs(4)));
        change(&mut brain, &mut npc);
        assert_eq!(brain.due(), Wake::Next, "{name}");
    }

    let (mut npc, mut brain) = (Npc { now: secs(1), ..Npc::default() }, Brain::saving(&tree));
    assert_eq!(brain.tick_due(secs(1), &mut npc), Some(Running));
    let save = serde_json::to_string(&brain.saved()).unwrap();
    brain.load(&mut serde_json::Deserializer::from_str("[")).unwrap_err();
    assert_eq!(brain.due(), Wake::At(secs(4)), "a failed load changes nothing");
    brain.load(&mut serde_json::Deserializer::from_str(&save)).unwrap();
    assert_eq!(brain.due(), Wake::Next);
    assert_eq!(brain.tick_due(secs(1), &mut npc), Some(Running));
    assert_eq!(brain.due(), Wake::At(secs(4)));
}

/// Implements `foresee`: it ends like its child.
struct Through;

#[decorator]
impl<C: ?Sized> Decorator<C> for Through {
    fn foresee(&self, (): &(), child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        child()
    }
}

/// Implements `wake` and `foresee`: it ends like its first child.
struct First;

#[composite]
impl<C: ?Sized> Composite<C> for First {
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }

    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        children.running()
    }

    fn foresee(&self, (): &(), children: &mut dyn ChildWakes) -> Foreseen {
        children.foresee(0)
    }
}

#[test]
fn decorators_and_composites_of_the_user_are_foreseen() {
    const fn first<L>(children: L) -> Composed<First, L> {
        compose(First, children)
    }
    let through = decorate(Through, tree! { is_hit });
    assert_eq!(due_and_asked(&tree! { for Npc: selector { &through, wait(secs(3)) } }), (Wake::At(secs(4)), 1));
    let tree = tree! { for Npc: selector { first { is_hit, busy } wait(secs(3)) } };
    assert_eq!(due_and_asked(&tree), (Wake::At(secs(4)), 1));

    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add::<is_hit>("IsHit").add_decorator("Through", |NoProperties {}| Through);
    registry.add_composite("First", |NoProperties {}| First);
    for own in [r#""name": "Through", "child": "4""#, r#""name": "First", "children": ["4"]"#] {
        let tree = registry.load(&format!(
            r#"{{ "root": "1", "nodes": {{
                "1": {{ "name": "Priority", "children": ["2", "3"] }},
                "2": {{ {own} }},
                "3": {{ "name": "Wait", "properties": {{ "milliseconds": 3000 }} }},
                "4": {{ "name": "IsHit" }}
            }} }}"#
        ));
        assert_eq!(due_and_asked(&tree.unwrap()), (Wake::At(secs(4)), 1), "{own}");
    }
}

#[test]
fn a_reactive_sequence_is_due_when_a_child_before_the_running_one_changes() {
    let tree = tree! { for Npc: sequence { force_success { cooldown(SECOND) { go } } run } };
    assert_eq!(due(&tree), Wake::At(secs(2)));
    let nap_longer = tree! { for Npc: sequence { force_success { cooldown(SECOND) { go } } nap } };
    assert_eq!(due(&nap_longer), Wake::At(secs(2)));
    let nap_shorter = tree! { for Npc: sequence { force_success { cooldown(secs(9)) { go } } nap } };
    assert_eq!(due(&nap_shorter), Wake::At(secs(5)));

    let loaded = |millis: u32, last: &str| {
        load(&format!(
            r#""1": {{ "name": "Sequence", "children": ["2", "3"] }}, "2": {{ "name": "force_success", "child": "4" }},
               "4": {{ "name": "cooldown", "properties": {{ "time": {millis} }}, "child": "5" }}, "5": {{ "name": "Go" }},
               "3": {{ "name": "{last}" }}"#
        ))
    };
    assert_eq!(due(&loaded(1000, "Runner")), Wake::At(secs(2)));
    assert_eq!(due(&loaded(1000, "Nap")), Wake::At(secs(2)));
    assert_eq!(due(&loaded(9000, "Nap")), Wake::At(secs(5)));
}

#[condition(event)]
fn is_dark(light: &bool) -> bool {
    !*light
}

#[test]
fn a_negated_condition_of_a_transition_is_foreseen_in_loaded_trees_as_in_written_ones() {
    fn due<N: Node<bool>>(tree: &N) -> [Wake; 2] {
        let mut memory = tree.memory();
        let status = tree.tick(&mut false, &mut memory);
        [false, true].map(|light| tree.due(status, &memory, &mut { light }))
    }

    let written = tree! {
        for bool: machine { state night { run, !is_dark -> day } state day { run, is_dark -> night } }
    };
    let mut registry = Registry::<bool>::new();
    registry.add_leaf("is_dark", is_dark());
    let loaded = registry.load(
        &serde_json::json!({ "root": "lamp", "nodes": {
            "lamp": { "name": "machine", "children": ["night", "day"] },
            "night": { "name": "state", "properties": { "name": "night", "transitions": ["!is_dark -> day"] }, "child": "1" },
            "day": { "name": "state", "properties": { "name": "day", "transitions": ["is_dark -> night"] }, "child": "2" },
            "1": { "name": "Runner" }, "2": { "name": "Runner" }
        } })
        .to_string(),
    );
    let loaded = loaded.expect("the file is valid");
    assert_eq!(due(&written), [Wake::Event, Wake::Next]);
    assert_eq!(due(&loaded), due(&written));
}
