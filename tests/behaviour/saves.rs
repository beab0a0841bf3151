//! Saving and loading.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{World, act, told};
use serde_json::Deserializer;

fn patrol() -> impl Node<World> + Save {
    tree! { mem_sequence { limit(3) { told(1) }, timeout(secs(9)) { told(2) }, told(3) } }
}

/// A save in the middle of a run.
fn save() -> String {
    let tree = patrol();
    let mut memory = tree.memory();
    tree.tick(&mut World::telling(&[Success, Running]), &mut memory);
    serde_json::to_string(&tree.saved(&memory)).expect("it can be saved")
}

fn load<N: Save>(tree: &N, save: &str) -> Result<Memory<N>, String> {
    tree.load(&mut Deserializer::from_str(save)).map_err(|error| error.to_string())
}

#[test]
fn a_run_goes_on_where_it_was_saved() {
    let tree = patrol();
    let mut memory = load(&tree, &save()).expect("it is the same tree");
    let mut world = World::telling(&[Success, Running]);
    world.now = secs(5);
    assert_eq!(tree.tick(&mut world, &mut memory), Running);
    assert_eq!(world.take_seen().len(), 3 + 1 + 4, "the second leaf closes, the third opens: {world:?}");
}

#[test]
fn what_is_kept_across_runs_is_saved() {
    let tree =
        tree! { for World: selector { limit(1) { told(1) }, run_once { told(2) }, cooldown(secs(5)) { told(3) } } };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Failure, Failure, Success]);
    assert_eq!(tree.tick(&mut world, &mut memory), Success);
    let save = serde_json::to_string(&tree.saved(&memory)).expect("it can be saved");
    let mut memory = load(&tree, &save).expect("it is the same tree");
    assert_eq!(tree.tick(&mut world, &mut memory), Failure);
    assert_eq!(*world.ticked.borrow(), 3, "none of them begins again");
    memory.reset();
    world.told = vec![Success];
    assert_eq!(tree.tick(&mut world, &mut memory), Success);
}

#[test]
fn a_tree_of_another_structure_refuses_it() {
    let other = tree! { for World: mem_sequence { limit(3) { told(1) }, told(2), told(3) } };
    let error = load(&other, &save()).unwrap_err();
    assert!(error.starts_with("this save was made for a tree of another structure: its fingerprint is 0x"), "{error}");
}

#[test]
fn names_kinds_and_nesting_make_the_structure_but_not_parameters_and_labels() {
    fn go(_: &mut World) -> Status {
        Running
    }
    fn stay(_: &mut World) -> Status {
        Running
    }
    let tree = tree! { for World: sequence { limit(3) { go }, invert { go } } };
    let same = tree! { for World: sequence "s" { limit(4) "l" { self::go_elsewhere::go }, !go } };
    assert_eq!(tree.fingerprint(), same.fingerprint());
    assert_ne!(tree.fingerprint(), tree! { for World: sequence { limit(3) { go }, invert { stay } } }.fingerprint());
    assert_ne!(tree.fingerprint(), tree! { for World: sequence { limit(3) { invert { go } }, go } }.fingerprint());
    assert_ne!(tree.fingerprint(), tree! { for World: selector { limit(3) { go }, invert { go } } }.fingerprint());
}

mod go_elsewhere {
    use bt_core::prelude::*;

    pub(crate) fn go(_: &mut super::World) -> Status {
        Status::Running
    }
}

#[test]
fn what_is_no_save_is_an_error_that_says_so() {
    let tree = patrol();
    let save = save();
    let mut fields: serde_json::Value = serde_json::from_str(&save).expect("it is JSON");
    fields.as_object_mut().expect("it is an object").remove("fingerprint");
    let without_fingerprint = fields.to_string();
    let cases = [
        ("", "EOF while parsing a value"),
        ("3", "invalid type: integer `3`, expected a save"),
        ("{}", "missing field `fingerprint`"),
        ("[]", "missing field `fingerprint`"),
        (&without_fingerprint, "missing field `fingerprint`"),
        (r#"{"fingerprint": "x"}"#, "invalid type: string \"x\", expected u64"),
        (r#"{"fingerprint": 1, "more": 2}"#, "made for a tree of another structure"),
        (&save[..save.len() / 2], "EOF while parsing"),
        (&save.replace('[', "{"), ""),
    ];
    for (text, expected) in cases {
        let error = load(&tree, text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let fingerprint = tree.fingerprint();
    let error = load(&tree, &format!(r#"{{"fingerprint": {fingerprint}}}"#)).unwrap_err();
    assert!(error.contains("missing field `memory`"), "{error}");
}

#[test]
fn a_save_can_be_sorted_by_its_field_names() {
    let sorted: serde_json::Value = serde_json::from_str(&save()).expect("it is JSON");
    assert!(load(&patrol(), &sorted.to_string()).expect("it is the same save").is_running());
}

#[test]
fn a_herd_is_saved_with_its_places() {
    let mut herd = Herd::new(patrol());
    let members: Vec<_> = (0..4).map(|_| herd.add()).collect();
    let mut worlds = vec![World::telling(&[Success, Running]); 4];
    herd.tick_all(&mut worlds);
    herd.remove(members[1], &mut worlds[1]);
    let save = serde_json::to_string(&herd.saved()).expect("it can be saved");

    let mut loaded = Herd::new(patrol());
    loaded.load(&mut Deserializer::from_str(&save)).expect("it is the same tree");
    assert_eq!((loaded.len(), loaded.places()), (3, 4));
    assert!(!loaded.has(members[1]));
    assert!(loaded.memory(members[3]).is_some_and(Memory::is_running));
    let new = loaded.add();
    assert!(new.index() == 1 && new != members[1]);

    let mut other = Herd::new(tree! { for World: told(1) });
    assert!(other.load(&mut Deserializer::from_str(&save)).is_err());
    assert!(other.is_empty(), "it stays as it was");
}

/// Every number in some JSON, once for each, as large as can be.
fn with_large_numbers(value: &serde_json::Value) -> Vec<serde_json::Value> {
    use serde_json::Value;
    match value {
        Value::Number(_) => vec![u32::MAX.into(), u16::MAX.into(), u8::MAX.into()],
        Value::Array(items) => (0..items.len())
            .flat_map(|index| {
                with_large_numbers(&items[index]).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[index] = item;
                    Value::Array(items)
                })
            })
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "fingerprint")
            .flat_map(|(name, field)| {
                with_large_numbers(field).into_iter().map(move |field| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), field);
                    Value::Object(fields)
                })
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_save_with_numbers_that_no_run_gives_is_an_error_or_goes_on() {
    let tree = tree! {
        for World: parallel(success = all, failure = 5) {
            repeat(5) { act(1) },
            retry(5) { act(2) },
            mem_parallel(success = 2, failure = 2) { act(3), act(4), act(5) }
            limit(3) { act(6) }
            timeout(secs(1)) { wait(secs(9)) }
            random_selector { act(7), act(8) }
        }
    };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Success, Running, Failure, Running, Success, Running, Failure, Running, Running]);
    tree.tick(&mut world, &mut memory);
    let save = serde_json::to_value(tree.saved(&memory)).expect("it can be saved");
    let broken = with_large_numbers(&save);
    assert!(broken.len() > 20, "{save}");
    let mut loaded = 0;
    for save in broken {
        let Ok(mut memory) = load(&tree, &save.to_string()) else { continue };
        loaded += 1;
        for told in [Failure, Success, Running, Failure] {
            world.told = vec![told];
            world.now += secs(1);
            tree.tick(&mut world, &mut memory);
        }
        tree.halt(&mut world, &mut memory);
    }
    assert!(loaded > 5, "{loaded}");
}
