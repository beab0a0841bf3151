//! Children in containers: `..expression`, and `#[cfg(…)]` before a child.

use bt_core::prelude::*;
use bt_core::rand_core::{Rng, SeedableRng};
use bt_tests::world::{Events, Told, World, act, check, entered, left, told};
use rand_pcg::Pcg32;

/// Ticks and halts both trees at random, and compares everything.
fn same<A: Node<World> + Save, B: Node<World> + Save>(spread: &A, written: &B) {
    assert_eq!(spread.description().to_string(), written.description().to_string());
    same_runs(spread, written);
}

fn same_runs<A: Node<World> + Save, B: Node<World> + Save>(spread: &A, written: &B) {
    assert_eq!(spread.count(), written.count());
    let mut random = Pcg32::seed_from_u64(2);
    let statuses = [Status::Success, Status::Failure, Status::Running, Status::Running, Status::Error];
    for _ in 0..200 {
        let told: Vec<_> = (0..50).map(|_| statuses[(random.next_u32() as usize % 41) / 10 % 5]).collect();
        let (mut one, mut other) = (World::telling(&told), World::telling(&told));
        let (mut first, mut second) = (spread.memory(), written.memory());
        for step in 0..12 {
            let (mut events, mut others) = (Events::default(), Events::default());
            match random.next_u32() % 8 {
                0 => {
                    spread.halt_with(&mut one, &mut first, &mut events);
                    written.halt_with(&mut other, &mut second, &mut others);
                }
                1 => {
                    let save = serde_json::to_string(&spread.saved(&first)).expect("it is data");
                    spread.load(&mut first, &mut serde_json::Deserializer::from_str(&save)).expect("the same tree");
                    let save = postcard::to_allocvec(&spread.saved(&first)).expect("it is data");
                    spread.load(&mut first, &mut postcard::Deserializer::from_bytes(&save)).expect("the same tree");
                }
                2 => {
                    let by = bt_core::Shift::new(secs(1), secs(2));
                    spread.shift(&mut first, by);
                    written.shift(&mut second, by);
                }
                _ => {
                    let status = spread.tick_with(&mut one, &mut first, &mut events);
                    assert_eq!(status, written.tick_with(&mut other, &mut second, &mut others), "{told:?} {step}");
                }
            }
            assert_eq!(events.0, others.0, "{told:?} {step}");
            assert_eq!(one.take_seen(), other.take_seen(), "{told:?} {step}");
        }
    }
}

macro_rules! composites {
    ($($test:ident: [$($keyword:tt)+];)+) => {$(
        #[test]
        fn $test() {
            let vec = || (2..4).map(told).collect::<Vec<_>>();
            let none = None::<Told>;
            same(
                &tree! { for World: $($keyword)+ { told(0), ..[told(1)], ..vec(), ..none, ..Some(told(4)), told(5) } },
                &tree! { for World: $($keyword)+ { told(0), told(1), told(2), told(3), told(4), told(5) } },
            );
            same(
                &tree! { for World: $($keyword)+ { ..vec() } },
                &tree! { for World: $($keyword)+ { told(2), told(3) } },
            );
            same(
                &tree! { for World: $($keyword)+ { ..[told(0), told(1), told(2)], told(3) } },
                &tree! { for World: $($keyword)+ { told(0), told(1), told(2), told(3) } },
            );
        }
    )+};
}

composites! {
    selectors: [selector];
    sequences: [sequence];
    mem_selectors: [mem_selector];
    mem_sequences: [mem_sequence];
    parallels: [parallel];
    parallels_with_thresholds: [parallel(success = 2, failure = 2)];
    mem_parallels: [mem_parallel(failure = 2)];
    random_selectors: [random_selector];
    random_sequences: [random_sequence];
    own_composites: [super::custom::visit_all];
    own_composites_of_one_at_a_time: [super::custom::round_robin];
}

#[test]
fn states_across_runs_are_kept_for_each_child() {
    let limited = |number| tree! { for World: limit(1) { act(number) } };
    let tree = tree! { for World: selector { ..(0..40).map(limited).collect::<Vec<_>>() } };
    let (mut world, mut memory) = (World::telling(&[Status::Success]), tree.memory());
    for _ in 0..41 {
        tree.tick(&mut world, &mut memory);
    }
    assert_eq!(world.take_seen().len(), 40);
    let array: [_; 40] = std::array::from_fn(|number| limited(u32::try_from(number).expect("small")));
    let tree = tree! { for World: selector { ..array } };
    let mut memory = tree.memory();
    for _ in 0..41 {
        tree.tick(&mut world, &mut memory);
        let save = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
        tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("the same tree");
    }
    assert_eq!(world.take_seen().len(), 40);
}

#[test]
fn without_children_a_composite_ends_as_if_all_had_let_it_pass() {
    let none = || None::<Told>;
    let tick = |tree: BoxNode<World>| tree.tick(&mut World::default(), &mut tree.memory());
    assert_eq!(tick(boxed(tree! { for World: selector { ..none() } })), Status::Failure);
    assert_eq!(tick(boxed(tree! { for World: sequence { ..none() } })), Status::Success);
    assert_eq!(tick(boxed(tree! { for World: random_selector { ..none() } })), Status::Failure);
    assert_eq!(tick(boxed(tree! { for World: mem_sequence { ..Vec::<Told>::new() } })), Status::Success);
    assert_eq!(tick(boxed(tree! { for World: parallel { ..none() } })), Status::Success);
    assert_eq!(tick(boxed(tree! { for World: parallel(success = one) { ..none() } })), Status::Failure);
    assert_eq!(tick(boxed(tree! { for World: mem_parallel { ..[Told(0); 0] } })), Status::Success);
}

#[test]
fn functions_and_closures_can_be_spread() {
    fn add(n: &mut u32) {
        *n += 1;
    }
    let by = |by: u32| move |n: &mut u32| *n += by;
    let tree = tree! { for u32: sequence { ..[add, add], ..Some(by(10)), ..vec![by(100), by(1000)] } };
    let mut n = 0;
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 1112);
    // A function has no name of its own there.
    assert_eq!(tree.description().lines()[1], "├─ [add, add]");
}

#[test]
fn the_children_of_a_container_can_be_references_and_boxes() {
    let step = tree! { for u32: |n: &mut u32| *n += 1 };
    let boxes = vec![boxed(tree! { for u32: succeed }), boxed(tree! { for u32: |n: &mut u32| *n += 10 })];
    let tree = tree! { for u32: sequence { ..[&step, &step], ..boxes } };
    let mut n = 0;
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 12);
}

#[test]
fn an_optional_child_may_follow_one_that_always_succeeds_only_if_it_may_be_missing() {
    // The compiler does not know whether there is a child, so `run` can be reached.
    let tree = |nap: Option<u32>| tree! { for u32: selector { ..nap.map(|_| tree! { for u32: succeed }), run } };
    assert_eq!(tree(None).tick(&mut 0, &mut tree(None).memory()), Status::Running);
    assert_eq!(tree(Some(1)).tick(&mut 0, &mut tree(Some(1)).memory()), Status::Success);
}

#[test]
fn a_child_can_depend_on_the_configuration() {
    let tree = tree! {
        for u32: sequence {
            #[cfg(any())] missing_function,
            #[cfg(all())] |n: &mut u32| *n += 1,
            #[cfg(test)] #[cfg(not(any()))] sequence "debug" { |n: &mut u32| *n += 10 }
            |n: &mut u32| *n += 100,
        }
    };
    let mut n = 0;
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 111);
    assert_eq!(tree.count(), 5);
    assert!(tree.description().to_string().contains("sequence \"debug\""));
}

#[test]
#[should_panic(expected = "`Recovery` expects 2 children, found 3")]
fn a_wrong_number_of_children_of_an_own_composite_panics_when_it_starts() {
    let tree = tree! { for World: super::custom::recovery(1) { ..(0..3).map(told).collect::<Vec<_>>() } };
    tree.tick(&mut World::default(), &mut tree.memory());
}

#[test]
fn a_condition_of_compilation_keeps_what_is_allowed_and_stands_before_dots() {
    let tree = tree! {
        for World: selector {
            act(1),
            #[cfg(all())] ..[act(2), act(3)],
            #[cfg(any())] ..no_such_nodes(),
            succeed,
            #[cfg(all())] #[allow(unreachable)] succeed,
        }
    };
    assert_eq!(tree.description().nodes().len(), 6);
}

#[test]
fn in_the_states_of_a_machine() {
    let two = || vec![told(1), told(2)];
    let enter = || vec![entered(100), entered(103)];
    let guards = || vec![check(9), check(6)];
    // Descriptions show guards as they are written.
    same_runs(
        &tree! {
            for World: machine {
                state a {
                    selector { told(0), ..two() }
                    enter: sequence { ..enter() },
                    exit: cooldown(secs(1)) { left(101) },
                    limit(3) { selector { ..guards() } } -> b,
                    success -> success,
                    failure -> b,
                }
                state b { sequence { ..two() } exit: left(102), success -> c, failure -> failure }
                state c { told(3), selector { ..guards() } -> a, check(8) -> b }
                any { selector { ..guards() } -> c }
            }
        },
        &tree! {
            for World: machine {
                state a {
                    selector { told(0), told(1), told(2) }
                    enter: sequence { entered(100), entered(103) },
                    exit: cooldown(secs(1)) { left(101) },
                    limit(3) { selector { check(9), check(6) } } -> b,
                    success -> success,
                    failure -> b,
                }
                state b { sequence { told(1), told(2) } exit: left(102), success -> c, failure -> failure }
                state c { told(3), selector { check(9), check(6) } -> a, check(8) -> b }
                any { selector { check(9), check(6) } -> c }
            }
        },
    );
}

#[test]
fn the_number_of_children_is_shown() {
    let tree = tree! { for World: sequence { ..vec![told(0), told(1)], ..[told(2)] } };
    assert_eq!((tree.count(), tree.description().nodes().len()), (4, 4));
}

#[test]
fn of_many_children_a_loaded_tree_does_the_same() {
    const CHILDREN: u32 = 150;
    let loaded = |word: &str, properties: &str| {
        #[derive(serde::Deserialize)]
        struct Number {
            number: u32,
        }
        let mut registry = bt_dynamic::Registry::<World>::new().with_random();
        registry.add_with("Told", |Number { number }: Number| told(number));
        let children: Vec<_> = (0..CHILDREN).map(|child| format!("\"{child}\"")).collect();
        let leaf = |child| format!(r#""{child}": {{ "name": "Told", "properties": {{ "number": {child} }} }}"#);
        let leaves: Vec<_> = (0..CHILDREN).map(leaf).collect();
        let file = format!(
            r#"{{ "root": "r", "nodes": {{ "r": {{ "name": "{word}", "properties": {{ {properties} }}, "children": [{}] }}, {} }} }}"#,
            children.join(","),
            leaves.join(",")
        );
        registry.load(&file).unwrap_or_else(|error| panic!("{error}"))
    };
    let all = || (0..CHILDREN).map(told).collect::<Vec<_>>();
    same_runs(&tree! { for World: selector { ..all() } }, &loaded("selector", ""));
    same_runs(&tree! { for World: mem_sequence { ..all() } }, &loaded("mem_sequence", ""));
    same_runs(&tree! { for World: random_sequence { ..all() } }, &loaded("random_sequence", ""));
    same_runs(&tree! { for World: random_selector { ..all() } }, &loaded("random_selector", ""));
    let thresholds = r#""success": 70, "failure": 70"#;
    same_runs(&tree! { for World: parallel(success = 70, failure = 70) { ..all() } }, &loaded("parallel", thresholds));
    same_runs(
        &tree! { for World: mem_parallel(success = 70, failure = 70) { ..all() } },
        &loaded("mem_parallel", thresholds),
    );
}
