//! Random composites.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_tests::world::{Chance, World, told};
use rand_pcg::Pcg32;

use crate::support::running;

#[test]
fn a_random_selector_asks_each_child_at_most_once_until_one_does_not_fail() {
    let mut run = running(tree! { random_selector { told(0), told(1), told(2) } });
    assert_eq!(run.tick(&[Failure, Failure, Failure]), Failure);
    let mut ticked = run.ticked();
    ticked.sort_unstable();
    assert_eq!(ticked, [0, 1, 2]);
    assert_eq!(run.tick(&[Failure, Success]), Success);
}

#[test]
fn a_random_sequence_asks_each_child_at_most_once_until_one_does_not_succeed() {
    let mut run = running(tree! { random_sequence { told(0), told(1), told(2) } });
    assert_eq!(run.tick(&[Success, Success, Success]), Success);
    assert_eq!(run.tick(&[Success, Failure]), Failure);
}

#[test]
fn it_goes_on_at_the_running_child_and_asks_nobody_twice() {
    let mut run = running(tree! { random_selector { told(0), told(1), told(2) } });
    assert_eq!(run.tick(&[Failure, Running]), Running);
    let first = run.ticked();
    assert_eq!(run.tick(&[Failure, Failure]), Failure);
    let second = run.ticked();
    assert_eq!(second[0], first[1]);
    assert!(run.opened() == second[1..] && !first.contains(&second[1]));
}

#[test]
fn halting_it_halts_the_running_child() {
    let mut run = running(tree! { random_sequence { told(0), told(1) } });
    run.tick(&[Running]);
    let ticked = run.ticked();
    run.halt();
    assert_eq!(run.halted(), ticked);
}

/// How often each of the children comes first in so many runs, when all of them fail.
fn firsts<N: Node<World>>(tree: &N, children: usize, runs: u32) -> Vec<f64> {
    let mut memory = tree.memory();
    let mut world = World::telling(&[Failure]);
    let mut counts = vec![0.0; children];
    for _ in 0..runs {
        tree.tick(&mut world, &mut memory);
        let first = world.take_seen().into_iter().find_map(|event| match event {
            bt_tests::world::Event::Tick(number, _) => Some(number as usize),
            _ => None,
        });
        counts[first.expect("a child was ticked")] += 1.0;
    }
    counts
}

/// Pearson's chi-square of counts against expected shares.
fn chi_square(counts: &[f64], weights: &[f64]) -> f64 {
    let (runs, all): (f64, f64) = (counts.iter().sum(), weights.iter().sum());
    let term = |(count, weight): (&f64, &f64)| (count - runs * weight / all).powi(2) / (runs * weight / all);
    counts.iter().zip(weights).map(term).sum()
}

/// What a chi-square of so many degrees of freedom exceeds once in ten thousand.
const CRITICAL: [f64; 4] = [0.0, 15.14, 18.42, 21.11];

#[test]
fn the_first_choice_follows_the_weights() {
    let half = 0.5;
    let tree = tree! { random_selector { 3 => told(0), 1 => told(1), half => told(2), told(3) } };
    let counts = firsts(&tree, 4, 20_000);
    assert!(chi_square(&counts, &[3.0, 1.0, 0.5, 1.0]) < CRITICAL[3], "{counts:?}");
}

#[test]
fn without_weights_all_are_alike() {
    let counts = firsts(&tree! { random_selector { told(0), told(1), told(2) } }, 3, 20_000);
    assert!(chi_square(&counts, &[1.0; 3]) < CRITICAL[2], "{counts:?}");
}

#[test]
fn the_order_is_drawn_anew_for_each_run() {
    let mut run = running(tree! { random_selector { told(0), told(1), told(2), told(3) } });
    let orders: std::collections::BTreeSet<_> = (0..200)
        .map(|_| {
            run.tick(&[Failure; 4]);
            run.ticked()
        })
        .collect();
    assert_eq!(orders.len(), 24, "all orders of four come up");
}

#[test]
fn the_same_seed_makes_the_same_run() {
    let tree = tree! { random_sequence { told(0), random_selector { 2 => told(1), told(2) } told(3) } };
    let run = |seed| {
        let mut world = World::telling(&[Success, Failure, Running]);
        world.chance = Chance(Pcg32::seed_from_u64(seed));
        let mut memory = tree.memory();
        for _ in 0..50 {
            tree.tick(&mut world, &mut memory);
        }
        world.take_seen()
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}

#[test]
#[should_panic(expected = "the weight of a child must be positive and finite")]
fn a_computed_weight_that_is_none_panics_while_the_tree_is_built() {
    let none = std::hint::black_box(0.0);
    let _ = tree! { for World: random_selector { none => told(0), told(1) } };
}

#[test]
fn weights_are_described_where_there_are_any() {
    let tree = tree! { for World: random_selector { 3 => told(0), random_sequence { told(1) } } };
    assert_eq!(
        tree.description().lines()[..3],
        ["random_selector(weights: [3.0, 1.0])", "├─ Told", "└─ random_sequence"]
    );
}

#[test]
fn a_random_composite_of_eight_plain_children_takes_two_bytes() {
    fn go(_: &mut World) -> Status {
        Running
    }
    let tree = tree! { random_selector { go, go, go, go, go, go, go, go } };
    assert_eq!(size_of_val(&tree.memory()), 2);
}

/// How often each of some probabilities lets its child start in 10 000 ticks.
fn starts(probability: f64) -> u32 {
    let tree = tree! { for World: chance(probability) { succeed } };
    let (mut world, mut memory) = (World::default(), tree.memory());
    let ticks = (0..10_000).filter(|_| tree.tick(&mut world, &mut memory) == Status::Success);
    u32::try_from(ticks.count()).expect("there are fewer")
}

#[test]
fn chance_starts_its_child_with_its_probability() {
    for (probability, expected) in
        [(0.0, 0..=0), (-1.0, 0..=0), (f64::NAN, 0..=0), (1.0, 10_000..=10_000), (7.0, 10_000..=10_000)]
    {
        assert!(expected.contains(&starts(probability)), "{probability}");
    }
    for (probability, expected) in [(0.1, 900..=1100), (0.5, 4800..=5200), (0.9, 8900..=9100)] {
        assert!(expected.contains(&starts(probability)), "{probability}");
    }
}

#[test]
fn chance_draws_once_per_run_and_leaves_a_running_child_alone() {
    let tree = tree! { for World: chance(0.5) { run } };
    let (mut world, mut memory) = (World::default(), tree.memory());
    while tree.tick(&mut world, &mut memory) == Status::Failure {}
    let drawn = world.chance.0.clone();
    for _ in 0..100 {
        assert_eq!(tree.tick(&mut world, &mut memory), Status::Running);
    }
    assert_eq!(world.chance.0, drawn);
}

#[test]
fn a_loaded_chance_is_the_written_one() {
    let registry = bt_dynamic::Registry::<World>::new().with_random();
    let load = |probability: &str| {
        registry.load(&format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "chance", "properties": {{ {probability} }}, "child": "2" }}, "2": {{ "name": "Succeeder" }} }} }}"#
        ))
    };
    let loaded = load(r#""probability": 0.3"#).expect("nothing is wrong with it");
    let written = tree! { for World: chance(0.3) { succeed } };
    assert_eq!(loaded.description().to_string(), written.description().to_string());
    let (mut one, mut other) = (World::default(), World::default());
    let (mut first, mut second) = (loaded.memory(), written.memory());
    for _ in 0..1000 {
        assert_eq!(loaded.tick(&mut one, &mut first), written.tick(&mut other, &mut second));
    }
    for (wrong, expected) in [
        ("", "node 1 (\"chance\"): missing property `probability`"),
        (r#""probability": 1.5"#, "node 1 (\"chance\"): property `probability`: expected a probability from 0 to 1"),
        (
            r#""probability": "often""#,
            "node 1 (\"chance\"): unknown value `often`; note: expected a number, a range, the name of a registered value or a variable, `{name}` or in a text `var(name)`",
        ),
        (r#""probabilty": 1"#, "did you mean `probability`?"),
    ] {
        let error = load(wrong).expect_err(wrong).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = bt_dynamic::Registry::<()>::new()
        .load(r#"{ "root": "1", "nodes": { "1": { "name": "chance", "properties": { "probability": 1 }, "child": "2" }, "2": { "name": "Succeeder" } } }"#)
        .expect_err("there is no generator");
    assert!(error.to_string().contains("with_random"), "{error}");
}

/// A generator of one number.
struct Always(u64);

impl bt_core::rand_core::TryRng for Always {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((self.0 >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill((self.0 >> 56) as u8);
        Ok(())
    }
}

#[test]
fn what_is_drawn_at_a_bound_belongs_to_what_is_above_it() {
    struct Npc {
        rng: Always,
        ticked: Vec<u32>,
    }
    impl Random for Npc {
        type Rng = Always;
        fn rng(&mut self) -> &mut Always {
            &mut self.rng
        }
    }
    #[action]
    fn note(npc: &mut Npc, number: u32) -> Status {
        npc.ticked.push(number);
        Success
    }
    // A probability of 0 is never, even if the smallest number is drawn.
    let mut npc = Npc { rng: Always(0), ticked: Vec::new() };
    let tree = tree! { for Npc: chance(|_: &Npc| 0.0) { note(0) } };
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Failure);
    let tree = tree! { for Npc: random_selector { note(1), note(2) } };
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
    npc.rng = Always(1 << 63);
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
    assert_eq!(npc.ticked, [1, 2]);
}
