//! Conditions and actions that keep their state between runs.

use bt_core::decorator::{AfterChild, Decorated, StatusMap, decorate};
use bt_core::prelude::*;
use bt_core::{Never, Outcomes};
use bt_dynamic::{LoadedTree, Registry};

use super::{Npc, flag, note, stay, ticked};

/// Every other run is turned around.
struct EveryOther;

#[decorator]
impl<C: ?Sized> Decorator<C> for EveryOther {
    type Kept = bool;
    const RETURNS: StatusMap = StatusMap { always: Outcomes::SUCCESS.or(Outcomes::FAILURE), ..StatusMap::SAME };

    fn end(&self, outcome: Outcome, (): &mut (), odd: &mut bool, _: &mut C) -> AfterChild<Never> {
        *odd = !*odd;
        AfterChild::End(if *odd { outcome } else { Outcome::from(outcome == Outcome::Failure) })
    }
}

fn every_other<N>(child: N) -> Decorated<EveryOther, N> {
    decorate(EveryOther, child)
}

/// A machine of two states: `a` with a guarded transition to `b`, and `b` with a transition back.
fn guarded(guard: impl Node<Npc> + Save) -> impl StateMachine<Npc> + Save {
    tree! { machine { state a { stay("a"), guard -> b } state b { stay("b"), !flag -> a } } }
}

/// The same machine from a file, with a registered leaf for its guard.
fn loaded<N: Node<Npc> + Save + Send + Sync + 'static>(
    guard: impl Fn() -> N + Send + Sync + 'static,
) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_with("Guard", move |_: bt_dynamic::NoProperties| guard());
    registry.add::<flag>("Flag").add_leaf("StayA", || stay("a")).add_leaf("StayB", || stay("b"));
    registry
        .load(
            r#"{ "root": "m", "nodes": {
                "m": { "name": "machine", "children": ["a", "b"] },
                "a": { "name": "state", "properties": { "name": "a", "transitions": ["Guard -> b"] }, "children": ["sa"] },
                "b": { "name": "state", "properties": { "name": "b", "transitions": ["!Flag -> a"] }, "children": ["sb"] },
                "sa": { "name": "StayA" }, "sb": { "name": "StayB" }
            } }"#,
        )
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_condition_of_an_arrow_keeps_its_count() {
    let flags = [true, false, true, true];
    let guard = || tree! { for Npc: limit(1) { flag } };
    let expected = ["b", "closed", "a"];
    assert_eq!(ticked(&guarded(guard()), &flags), expected, "the transition is followed once in the agent's life");
    assert_eq!(ticked(&loaded(guard), &flags), expected);
}

#[test]
fn the_condition_of_an_arrow_keeps_its_time() {
    let flags = [true, false, true, true, true];
    let guard = || tree! { for Npc: cooldown(secs(4)) { flag } };
    let expected = ["b", "closed", "a", "closed", "b"];
    assert_eq!(ticked(&guarded(guard()), &flags), expected);
    assert_eq!(ticked(&loaded(guard), &flags), expected);
}

#[test]
fn the_condition_of_an_arrow_keeps_what_a_decorator_of_ones_own_does() {
    let flags = [false; 5];
    let guard = || tree! { for Npc: every_other { flag } };
    let expected = ["a", "closed", "b", "closed", "a", "closed", "b"];
    assert_eq!(ticked(&guarded(guard()), &flags), expected);
    assert_eq!(ticked(&loaded(guard), &flags), expected);
}

#[test]
fn arrows_from_any_state_keep_their_count() {
    let tree = tree! {
        for Npc: machine { state a { stay("a") } state b { stay("b"), !flag -> a } any { limit(1) { flag } -> b } }
    };
    assert_eq!(ticked(&tree, &[true, false, true, true]), ["b", "closed", "a"]);
}

#[test]
fn hooks_keep_their_count() {
    let tree = tree! {
        for Npc: machine {
            state a { stay("a"), enter: limit(1) { note("enter") }, exit: run_once { note("exit") }, flag -> b }
            state b { stay("b"), !flag -> a }
        }
    };
    let expected = ["enter", "a", "closed", "exit", "b", "closed", "a", "closed", "b"];
    assert_eq!(ticked(&tree, &[false, true, false, true]), expected);
}

#[test]
fn the_action_of_a_service_keeps_its_count() {
    let tree = tree! { for Npc: service(secs(0), run_once { note("once") }) { stay("child") } };
    assert_eq!(ticked(&tree, &[true; 4]), ["once", "child"]);
    let mut registry = Registry::<Npc>::new().with_clock();
    registry
        .add_leaf("Stay", || stay("child"))
        .add_with("Once", |_: bt_dynamic::NoProperties| tree! { for Npc: run_once { note("once") } });
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "service", "properties": { "every": 0, "action": "Once" }, "child": "2" }, "2": { "name": "Stay" }
    } }"#;
    assert_eq!(ticked(&registry.load(file).expect("nothing is wrong with it"), &[true; 4]), ["once", "child"]);
}
