//! Registered leaves and decorators: names, fingerprints, runs.

use bt_core::prelude::*;
use bt_dynamic::{NoProperties, Registry};
use serde_json::json;

use super::{Npc, Steps, closing, file, load, registry};

#[test]
fn a_decorator_of_ones_own_is_closed_after_its_child_and_once() {
    let written = tree! { for Npc: closing(3) { (Steps { name: 'a', steps: 9 }) } };
    let mut loaded = file(&json!({ "name": "closing", "properties": { "after": 3 }, "child": "a" }));
    loaded["nodes"]["a"]["properties"]["steps"] = json!(9);
    let loaded = load(&loaded);
    let (mut one, mut other) = (Npc::new(), Npc::new());
    let (mut first, mut second) = (written.memory(), loaded.memory());
    let mut both = |halt: bool| {
        if halt {
            written.halt(&mut one, &mut first);
            loaded.halt(&mut other, &mut second);
        } else {
            assert_eq!(written.tick(&mut one, &mut first), loaded.tick(&mut other, &mut second));
        }
        let seen = one.take();
        assert_eq!(other.take(), seen);
        seen
    };
    assert_eq!([both(false), both(false), both(false)], ["a( a1", "a2", "a3"]);
    assert_eq!(both(false), "a3) closing3:Failure", "it ends in `resume`");
    assert_eq!(both(false), "a( a1");
    assert_eq!(both(true), "a1) closing0:Halted(Stopped)");
}

#[test]
fn duplicate_and_built_in_names_are_errors() {
    let load = |registry: &Registry<Npc>| {
        let file = r#"{ "title": "t", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
        registry.load(file).err().map(|error| error.to_string())
    };
    let mut registry = registry();
    assert_eq!(load(&registry), None);
    registry.add_leaf("steps", succeed);
    let line = line!() - 1;
    let error = load(&registry).expect("the name is taken");
    let (before, after) = error.split_once(" and at ").expect("two places");
    assert!(before.starts_with("tree \"t\": `steps` is registered twice: at ") && before.contains(".rs:"), "{error}");
    assert!(after.replace('\\', "/").ends_with(&format!("reloads/registered.rs:{line}:14")), "{error}");
    let mut registry = Registry::<Npc>::new();
    registry.add_leaf("Sequence", succeed);
    let error = load(&registry).expect("it hides a word");
    assert!(error.contains("`Sequence` is a built-in name"), "{error}");
}

#[test]
fn a_leaf_that_is_made_of_properties_shows_them() {
    #[derive(serde::Deserialize)]
    struct Way {
        count: u32,
        #[serde(default)]
        fast: bool,
    }
    let mut registry = Registry::<u32>::new();
    registry.add_with("Walk", |way: Way| move |steps: &mut u32| *steps += way.count * (1 + u32::from(way.fast)));
    let file =
        r#"{ "root": "1", "nodes": { "1": { "name": "Walk", "properties": { "count": 3, "allow": "pointless" } } } }"#;
    let tree = registry.load(file).expect("the file is valid");
    let drawn = tree.description().to_string();
    assert!(drawn.starts_with("Walk(") && drawn.trim_end().ends_with("3)"), "{drawn}");
    let palette = registry.palette();
    let walk = palette.iter().find(|entry| entry.name == "Walk").expect("it is offered");
    let params: Vec<_> = walk.params.iter().map(|param| (&*param.name, param.required)).collect();
    assert_eq!((params.as_slice(), &*walk.insert), (&[("count", true), ("fast", false)][..], "Walk(count = 1)"));
}

#[test]
fn trees_of_other_closures_have_other_fingerprints() {
    let mut registry = Registry::<u32>::new();
    registry.add_leaf("Walk", |n: &mut u32| *n += 1).add_leaf("Fight", |n: &mut u32| *n += 2);
    let load = |name: &str| {
        let file =
            json!({ "root": "1", "nodes": { "1": { "name": "Sequence", "children": ["2"] }, "2": { "name": name } } });
        registry.load(&file.to_string()).expect("nothing is wrong with it")
    };
    assert_ne!(load("Walk").fingerprint(), load("Fight").fingerprint());
    assert_eq!(load("Walk").fingerprint(), load("Walk").fingerprint());
}

#[test]
fn a_leaf_of_another_registry_that_has_only_the_name_does_not_go_on() {
    let text = r#"{ "root": "1", "nodes": { "1": { "name": "Stand" } } }"#;
    let mut registry = Registry::<Npc>::new();
    registry.add_with("Stand", |_: NoProperties| Steps { name: 'a', steps: 9 });
    let mut other = Registry::<Npc>::new();
    other.add_with("Stand", |_: NoProperties| run());
    let [old, new] = [registry, other].map(|registry| registry.load(text).expect("nothing is wrong with it"));
    let (mut npc, mut memory) = (Npc::new(), old.memory());
    old.tick(&mut npc, &mut memory);
    let migrated = old.reload(&new, &mut memory, &mut npc);
    assert_eq!(migrated.halted, [NodeId::ROOT]);
    assert_eq!(npc.take(), "a( a1 a1)");
    assert_eq!(new.tick(&mut npc, &mut memory), Status::Running);
}
