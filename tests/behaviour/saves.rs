//! Saving and loading.

use bt_core::Status::{Failure, Running, Success};
use bt_core::decorator::decorate;
use bt_core::prelude::*;
use bt_tests::world::{World, act, told};
use serde_json::Deserializer;

fn patrol() -> impl Node<World> + Save {
    tree! { mem_sequence { limit(3) { told(1) } timeout(secs(9)) { told(2) } told(3) } }
}

/// A save in the middle of a run.
fn save() -> String {
    let tree = patrol();
    let mut memory = tree.memory();
    tree.tick(&mut World::telling(&[Success, Running]), &mut memory);
    serde_json::to_string(&tree.saved(&memory)).expect("it can be saved")
}

fn load<N: Save>(tree: &N, save: &str) -> Result<Memory<N>, String> {
    let mut memory = tree.memory();
    let loaded = tree.load(&mut memory, &mut Deserializer::from_str(save));
    loaded.map(|()| memory).map_err(|error| error.to_string())
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
        tree! { for World: selector { limit(1) { told(1) } run_once { told(2) } cooldown(secs(5)) { told(3) } } };
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
fn a_tree_with_another_time_accepts_it_and_at_most_its_own_time_is_left() {
    fn check<N: Save + Node<World>>(tree: impl Fn(u64) -> N, lengths: [u64; 2], end: u64) {
        let [saved, loads] = lengths.map(tree);
        let (mut world, mut memory) = (World::default(), saved.memory());
        assert_eq!(saved.tick(&mut world, &mut memory), Running);
        let save = serde_json::to_string(&saved.saved(&memory)).expect("it can be saved");
        let mut memory = load(&loads, &save).expect("the fingerprint does not depend on the time");
        for second in 1..=end {
            world.now = secs(second);
            let expected = if second == end { Success } else { Running };
            assert_eq!(loads.tick(&mut world, &mut memory), expected, "{lengths:?} after {second} s");
        }
    }
    let file = |seconds: u64| {
        let wait = format!(r#""name": "Wait", "properties": {{ "milliseconds": {} }}"#, seconds * 1000);
        let registry = bt_dynamic::Registry::<World>::new().with_clock();
        registry.load(&format!(r#"{{ "root": "1", "nodes": {{ "1": {{ {wait} }} }} }}"#)).expect("it is valid")
    };
    // A save of `wait(5s)` ends after 5 s, or 1 s after the first tick of `wait(1s)`.
    for (lengths, end) in [([5, 5], 5), ([5, 9], 5), ([5, 1], 2), ([5, 3], 4)] {
        check(|seconds| tree! { for World: wait(secs(seconds)) }, lengths, end);
        check(file, lengths, end);
    }
}

#[test]
fn a_tree_of_another_structure_refuses_it() {
    let other = tree! { for World: mem_sequence { limit(3) { told(1) } told(2), told(3) } };
    let error = load(&other, &save()).unwrap_err();
    assert!(
        error.starts_with("the save was made for a tree with another structure: expected fingerprint 0x"),
        "{error}"
    );
}

#[test]
fn names_kinds_and_nesting_make_the_structure_but_not_parameters_and_labels() {
    fn go(_: &mut World) -> Status {
        Running
    }
    fn stay(_: &mut World) -> Status {
        Running
    }
    let tree = tree! { for World: sequence { limit(3) { go } invert { go } } };
    let same = tree! { for World: sequence "s" { limit(4) "l" { self::go_elsewhere::go } !go } };
    assert_eq!(tree.fingerprint(), same.fingerprint());
    assert_ne!(tree.fingerprint(), tree! { for World: sequence { limit(3) { go } invert { stay } } }.fingerprint());
    assert_ne!(tree.fingerprint(), tree! { for World: sequence { limit(3) { invert { go } } go } }.fingerprint());
    assert_ne!(tree.fingerprint(), tree! { for World: selector { limit(3) { go } invert { go } } }.fingerprint());
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
        (r#"{"fingerprint": 1, "more": 2}"#, "made for a tree with another structure"),
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
    assert_eq!((loaded.len(), loaded.slots()), (3, 4));
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
            repeat(5) { act(1) }
            retry(5) { act(2) }
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

#[test]
fn the_types_of_states_make_the_structure_too() {
    fn number<T: Clone + Default + Send + Sync + 'static>() -> u64 {
        struct Counts<T>(std::marker::PhantomData<T>);
        #[leaf]
        impl<T: Clone + Default + Send + Sync + 'static> Leaf<()> for Counts<T> {
            type Open = T;
            fn name(&self) -> &'static str {
                "counts"
            }
            fn open(&self, (): &mut ()) -> T {
                T::default()
            }
            fn tick(&self, _: &mut T, (): &mut ()) -> Status {
                Running
            }
        }
        tree! { for (): mem_sequence { (Counts::<T>(std::marker::PhantomData)) } }.fingerprint()
    }
    mod moved {
        #[derive(Clone, Default)]
        pub(super) struct Walked(#[expect(dead_code, reason = "only its type matters")] u32);
        pub(super) mod large {
            #[derive(Clone, Default)]
            pub(crate) struct Walked(#[expect(dead_code, reason = "only its type matters")] u64);
        }
        pub(super) mod here {
            #[derive(Clone, Default)]
            pub(crate) struct Walked(#[expect(dead_code, reason = "only its type matters")] u32);
        }
    }
    assert_eq!(number::<u32>(), number::<u32>());
    assert_ne!(number::<u32>(), number::<i64>(), "another size");
    assert_ne!(number::<u32>(), number::<f32>(), "another name");
    assert_ne!(number::<Vec<u32>>(), number::<Vec<u8>>(), "another name within");
    assert_ne!(number::<moved::Walked>(), number::<moved::large::Walked>(), "the same name, another size");
    assert_eq!(
        number::<Vec<moved::Walked>>(),
        number::<Vec<moved::here::Walked>>(),
        "in which module it is does not matter"
    );
}

#[test]
fn the_type_of_an_actions_state_makes_the_structure_too() {
    mod before {
        use super::*;
        #[action]
        pub(super) fn count(_: &mut World, #[open] n: &mut u32) -> Status {
            *n += 1;
            Running
        }
    }
    mod after {
        use super::*;
        #[action]
        pub(super) fn count(_: &mut World, #[open] n: &mut i64) -> Status {
            *n += 1;
            Running
        }
    }
    let (before, after) =
        (tree! { for World: sequence { before::count() } }, tree! { for World: sequence { after::count() } });
    let mut memory = before.memory();
    before.tick(&mut World::default(), &mut memory);
    let bytes = postcard::to_allocvec(&before.saved(&memory)).expect("it can be saved");
    assert!(before.load(&mut before.memory(), &mut postcard::Deserializer::from_bytes(&bytes)).is_ok());
    assert!(after.load(&mut after.memory(), &mut postcard::Deserializer::from_bytes(&bytes)).is_err());
}

#[test]
fn the_type_of_a_decorators_state_makes_the_structure_too() {
    struct Keeps<T>(std::marker::PhantomData<T>);
    #[decorator]
    impl<C: ?Sized, T: Clone + Default + Send + Sync + 'static> Decorator<C> for Keeps<T> {
        type Kept = T;
    }
    fn keeps<T: Clone + Default + Send + Sync + 'static>() -> u64 {
        tree! { for (): (decorate(Keeps::<T>(std::marker::PhantomData), succeed())) }.fingerprint()
    }
    assert_ne!(keeps::<u32>(), keeps::<u64>());
}

#[test]
fn a_parallel_ends_although_the_counts_of_an_edited_save_do_not_fit_its_children() {
    let tree = tree! { for World: mem_parallel(success = 2, failure = 2) { act(1), act(2), act(3) } };
    let mut memory = tree.memory();
    tree.tick(&mut World::telling(&[Success, Failure, Running]), &mut memory);
    let save = serde_json::to_string(&tree.saved(&memory)).expect("it can be saved");
    assert!(save.contains(r#""marks":3"#), "{save}");
    // Nothing was counted, too much was counted, all have ended, and none has ended.
    for (part, other) in [
        ("\"successes\":1", "\"successes\":0"),
        ("\"failures\":1", "\"failures\":7"),
        ("\"marks\":3", "\"marks\":7"),
        ("\"marks\":3", "\"marks\":0"),
    ] {
        let edited = save.replace(part, other);
        assert_ne!(edited, save);
        let mut memory = load(&tree, &edited).expect("it is of this tree");
        let ends = (0..9).any(|_| tree.tick(&mut World::telling(&[Success]), &mut memory) != Running);
        assert!(ends, "{edited}");
    }
}

#[test]
fn a_herd_with_lists_of_unequal_length_is_no_save() {
    let mut herd = Herd::new(patrol());
    herd.grow(3);
    let save = serde_json::to_value(herd.saved()).expect("it can be saved");
    for (list, expected) in [
        ("places", "expected 2 memories, one per slot, found 3"),
        ("memories", "expected 3 memories, one per slot, found 2"),
    ] {
        let mut save = save.clone();
        save["memory"][list].as_array_mut().expect("it is a list").pop();
        assert_eq!(herd.load(save).unwrap_err().to_string(), expected);
    }
    let mut twice = save.clone();
    twice["memory"]["places"][0] = twice["memory"]["places"][1].clone();
    assert_eq!(herd.load(twice).unwrap_err().to_string(), "duplicate agent number 2");
    assert_eq!(herd.len(), 3, "it stays as it was");
}

#[test]
fn a_member_that_was_made_after_a_save_is_nobody_once_that_is_loaded() {
    let mut herd = Herd::new(patrol());
    let mut world = World::telling(&[Running]);
    let ann = herd.add();
    let save = serde_json::to_value(herd.saved()).expect("it can be saved");
    herd.remove(ann, &mut world);
    let mut after: Vec<_> = (0..3).map(|_| herd.add()).collect();
    herd.load(save.clone()).expect("it is the same tree");
    assert!(herd.has(ann), "from before the save");
    // However many come and go, none of them is taken for one of those.
    for _ in 0..5 {
        assert!(after.iter().all(|member| !herd.has(*member)));
        herd.remove(ann, &mut world);
        let more: Vec<_> = (0..3).map(|_| herd.add()).collect();
        assert!(after.iter().all(|member| !herd.has(*member) && !more.contains(member)));
        after.extend(more);
        herd.load(save.clone()).expect("it is the same tree");
    }
}

#[test]
fn what_the_fuzzer_has_found_is_an_error_or_goes_on() {
    for (name, seed) in bt_tests::hostile::seeds() {
        bt_tests::hostile::any(&seed);
        // Cut off, and with each byte changed.
        for at in 1..seed.len() {
            bt_tests::hostile::any(&seed[..at]);
        }
        for at in (1..seed.len()).step_by(1 + seed.len() / 300) {
            for change in [1, 0x80] {
                let mut seed = seed.clone();
                seed[at] ^= change;
                bt_tests::hostile::any(&seed);
            }
        }
        assert!(!name.is_empty());
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core/fuzz/corpus/saves");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).expect("it is there") {
        bt_tests::hostile::any(&std::fs::read(entry.expect("it can be listed").path()).expect("it can be read"));
        found += 1;
    }
    assert!(found >= bt_tests::hostile::seeds().len(), "{found}");
}

#[test]
#[ignore = "rewrites the initial inputs of the fuzzer; only needed when the format of saves changes"]
fn write_the_seeds_of_the_fuzzer() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core/fuzz/corpus/saves");
    for (name, seed) in bt_tests::hostile::seeds() {
        std::fs::write(folder.join(name), seed).expect("it can be written");
    }
}

#[test]
fn boxes_and_containers_are_part_of_the_structure_of_a_save() {
    let plain = || tree! { for World: mem_sequence { told(1), told(2) } };
    let list = |nodes: usize| vec![told(1); nodes];
    let fingerprints = [
        plain().fingerprint(),
        BoxNode::<World>::new(plain()).fingerprint(),
        BoxNode::<World, bt_core::SaveMemory>::saving(plain()).fingerprint(),
        tree! { for World: mem_sequence { ..list(2) } }.fingerprint(),
        tree! { for World: mem_sequence { told(1), ..list(1) } }.fingerprint(),
        tree! { for World: mem_sequence { ..[told(1), told(2)] } }.fingerprint(),
        tree! { for World: mem_sequence { ..Some(told(1)), told(2) } }.fingerprint(),
    ];
    for (index, one) in fingerprints.iter().enumerate() {
        assert!(!fingerprints[index + 1..].contains(one), "{index}");
    }
}
