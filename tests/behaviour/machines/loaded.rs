//! Machines that are loaded from files.

use bt_core::Status::{Failure, Running};
use bt_core::prelude::*;
use bt_tests::world::{Events, World, check, told};

use crate::support::Replace;

#[test]
fn a_loaded_machine_is_asked_for_its_state_and_forced_like_a_written_one() {
    use bt_dynamic::{NoProperties, Registry, StateError};
    let mut registry = bt_dynamic::Registry::<World>::new();
    registry.add_with("One", |_: NoProperties| told(1)).add_with("Two", |_: NoProperties| told(2));
    registry.add_with("Check", |_: NoProperties| check(9));
    let machine = r#"
        "m": { "name": "machine", "title": "mood", "children": ["a", "b"] },
        "a": { "name": "state", "properties": { "name": "a", "transitions": ["Check -> b"] }, "children": ["1"] },
        "b": { "name": "state", "properties": { "name": "b", "transitions": ["Check -> a"] }, "children": ["2"] },
        "1": { "name": "One" }, "2": { "name": "Two" }"#;
    let load = |registry: &Registry<World>, root: &str, more: &str| {
        registry
            .load(&format!(r#"{{ "root": "{root}", "nodes": {{ {machine} {more} }} }}"#))
            .expect("nothing is wrong with it")
    };
    let loaded = load(&registry, "m", "");
    let written =
        tree! { for World: machine "mood" { state a { told(1), check(9) -> b } state b { told(2), check(9) -> a } } };
    let mood = loaded.machine("mood").expect("it has that title");
    assert_eq!(mood.id(), NodeId::ROOT);
    assert!(loaded.machine("m").is_some() && loaded.machine("a").is_none());
    let mut worlds = [World::telling(&[Failure, Running]), World::telling(&[Failure, Running])];
    let (mut first, mut second) = (written.memory(), loaded.memory());
    let mut step = |what: &str| {
        let mut events = [Events::default(), Events::default()];
        let [one, other] = &mut worlds;
        if what == "tick" {
            let status = written.tick_with(one, &mut first, &mut events[0]);
            assert_eq!(loaded.tick_with(other, &mut second, &mut events[1]), status);
        } else {
            written.to_with(what, one, &mut first, &mut events[0]).expect("there is such a state");
            mood.to_with(what, other, &mut second, &mut events[1]).expect("there is such a state");
        }
        assert_eq!(events[0].0, events[1].0, "{what}");
        assert_eq!(one.take_seen(), other.take_seen());
        assert_eq!(written.state(&first), mood.state(&second));
        mood.state(&second)
    };
    for (what, state) in
        [("b", "b"), ("tick", "b"), ("a", "a"), ("tick", "a"), ("a", "a"), ("tick", "a"), ("b", "b"), ("tick", "b")]
    {
        assert_eq!(step(what), Some(state), "{what}");
    }
    loaded.halt(&mut worlds[1], &mut second);
    assert_eq!(mood.state(&second), None);

    let above = load(&registry, "s", r#", "s": { "name": "Sequence", "children": ["m"] }"#);
    let (mood, mut memory) = (above.machine("m").expect("it has that id"), above.memory());
    let mut world = World::telling(&[Failure, Running]);
    assert_eq!(mood.to("b", &mut world, &mut memory), Err(StateError::NotRunning));
    above.tick(&mut world, &mut memory);
    mood.to("b", &mut world, &mut memory).expect("it runs");
    assert_eq!(mood.state(&memory), Some("b"));
    assert_eq!(
        mood.to("c", &mut world, &mut memory).unwrap_err().to_string(),
        "unknown state `c`; the states are: a, b"
    );
}

#[test]
fn a_negated_condition_is_replaced_as_in_a_written_machine() {
    fn ended<N: Node<World>>(tree: &N, node: u32, by: Status) -> Status {
        let mut world = World::telling(&[Running, Status::Success]);
        tree.tick_with(&mut world, &mut tree.memory(), &mut Replace(NodeId::new(node), by))
    }
    let written = tree! { for World: machine { state a { told(1), !check(9) -> success } } };
    let mut registry = bt_dynamic::Registry::<World>::new();
    registry.add_leaf("One", told(1)).add_with("Check", |_: bt_dynamic::NoProperties| check(9));
    let file = r#"{ "root": "m", "nodes": {
        "m": { "name": "machine", "children": ["a"] }, "1": { "name": "One" },
        "a": { "name": "state", "properties": { "name": "a", "transitions": ["!Check -> success"] }, "children": ["1"] }
    } }"#;
    let loaded = registry.load(file).expect("nothing is wrong with it");
    let name = |tree: &bt_core::describe::Description, node| tree.node(NodeId::new(node)).map(|node| node.name.clone());
    assert_eq!(name(&written.description(), 3).as_deref(), Some("invert"));
    assert_eq!(name(&loaded.description(), 3).as_deref(), Some("invert"));
    for (node, by, status) in [
        (3, Status::Success, Status::Success),
        (3, Failure, Running),
        (4, Failure, Status::Success),
        (4, Status::Success, Running),
    ] {
        assert_eq!(ended(&written, node, by), status, "{node} {by:?}");
        assert_eq!(ended(&loaded, node, by), status, "{node} {by:?}");
    }
}
