//! Tests of the example.

use bt_core::board::look_up;
use bt_core::prelude::*;
use bt_examples::panes::Pane;
use bt_examples::play::{Play, screen};

use crate::simulation::{Cores, Simulation};
use crate::tree::villager;
use crate::view::Dashboard;
use crate::village::{
    ACTIVITIES, Activity, Body, Entity, FOOD, Life, Place, TICK, Village, Villager, WORKPLACE, hour, hours,
};

const DAY: u32 = 288;

fn simulation(people: usize, seed: u64) -> Simulation<impl for<'v> Node<Life<'v>> + Save + Sync> {
    Simulation::new(villager(), people, seed)
}

fn food(village: &Village) -> i64 {
    *village.board.get(&FOOD).expect("the key is defined")
}

#[test]
fn the_counts_of_10000_villagers_add_up() {
    let mut simulation = simulation(10_000, 1);
    let mut seen = [0; ACTIVITIES.len()];
    let start = food(&simulation.village);
    for _ in 0..DAY {
        simulation.tick(Cores::All);
        let counts = simulation.counts();
        assert_eq!(counts.iter().sum::<usize>(), simulation.herd.len());
        assert_eq!(food(&simulation.village), start + simulation.totals.produced - simulation.totals.eaten);
        for (seen, count) in seen.iter_mut().zip(counts) {
            *seen = count.max(*seen);
        }
    }
    assert_eq!(simulation.herd.len(), 10_000);
    assert_eq!(simulation.totals.left, simulation.totals.joined);
    assert!((50..200).contains(&simulation.totals.left), "about 1% are replaced: {}", simulation.totals.left);
    let most = |activity: Activity| seen[activity as usize];
    assert_eq!(most(Activity::Sleeping), 10_000);
    assert!(most(Activity::Working) > 9_000 && most(Activity::Eating) > 2_000, "{seen:?}");
    assert!(most(Activity::Fleeing) > 1_000, "a wolf appeared: {seen:?}");
    assert_eq!(most(Activity::Nothing), 0, "every villager has an activity");
}

#[test]
fn the_result_depends_on_the_seed_but_not_on_the_number_of_cores() {
    let trace = |cores, seed| {
        let mut simulation = simulation(800, seed);
        let lines = simulation.trace(4 * DAY, cores);
        let bodies: Vec<Body> = simulation.people.into_iter().map(|villager| villager.body).collect();
        (lines, bodies)
    };
    let one = trace(Cores::One, 3);
    assert!(one == trace(Cores::All, 3));
    assert!(one.0 != trace(Cores::All, 4).0);
    assert!(one.0.iter().any(|line| line.contains("the bell rings") && line.contains("dancing")), "{:#?}", one.0);
}

#[test]
fn a_loaded_village_continues_like_the_saved_one() {
    let mut one = simulation(300, 5);
    let mut saved = Vec::new();
    for tick in 0..3 * DAY {
        if tick % 101 == 50 {
            saved.push((tick, one.save().expect("the village can be saved")));
        }
        one.tick(Cores::One);
    }
    let end = one.save().expect("the village can be saved");
    for (tick, save) in saved {
        let mut other = simulation(7, 99);
        other.load(&save).expect("same tree");
        for _ in tick..3 * DAY {
            other.tick(Cores::All);
        }
        assert!(other.save().expect("the village can be saved") == end, "saved at tick {tick}");
    }
}

#[test]
fn loading_a_save_of_another_tree_fails_and_changes_nothing() {
    let mut village = simulation(20, 1);
    village.trace(30, Cores::One);
    let before = village.save().expect("the village can be saved");
    let mut save: serde_json::Value = serde_json::from_str(&before).expect("valid JSON");
    save["herd"]["fingerprint"] = 5.into();
    let error = village.load(&save.to_string()).unwrap_err();
    assert!(error.to_string().contains("made for a tree with another structure"), "{error}");
    assert!(village.load("{}").is_err());
    assert!(village.save().expect("the village can be saved") == before);
}

/// Ticks a single villager. Returns its activity.
fn tick_alone<N: for<'v> Node<Life<'v>>>(
    tree: &N,
    memory: &mut Memory<N>,
    villager: &mut Villager,
    village: &mut Village,
) -> Activity {
    village.now += TICK;
    tree.tick(&mut Life { villager, village }, memory);
    villager.body.activity
}

#[test]
fn fleeing_ends_when_the_entity_disappears() {
    let tree = villager();
    let (mut memory, mut villager, mut village) = (tree.memory(), Villager::new(1), Village::new(1));
    village.now = hours(10);
    let wolf = |id| Entity { id, name: "wolf".to_owned(), position: villager.body.position, leaves_at: hours(99) };
    let (first, second) = (wolf(1), wolf(2));
    village.entities.push(Entity { position: first.position + 10.0, ..first });
    villager.board.set(&WORKPLACE, Place::Square);
    assert_eq!(tick_alone(&tree, &mut memory, &mut villager, &mut village), Activity::Fleeing);
    village.entities.clear();
    assert_ne!(tick_alone(&tree, &mut memory, &mut villager, &mut village), Activity::Fleeing);
    // A second wolf with the same name is another entity: the villager does not continue to flee from the first.
    village.entities.push(Entity { position: villager.body.position + 10.0, ..second });
    assert_eq!(tick_alone(&tree, &mut memory, &mut villager, &mut village), Activity::Fleeing);
    village.entities[0].id = 3;
    assert_ne!(tick_alone(&tree, &mut memory, &mut villager, &mut village), Activity::Fleeing);
}

#[test]
fn the_cooldown_prevents_two_meals_within_three_hours() {
    let tree = villager();
    let (mut memory, mut villager, mut village) = (tree.memory(), Villager::new(2), Village::new(9));
    village.now = hours(7);
    let mut last: Option<Duration> = None;
    let mut meals = 0;
    for _ in 0..10 * DAY {
        villager.body.hunger = 1.0; // always hungry
        let ate = villager.body.ate;
        tick_alone(&tree, &mut memory, &mut villager, &mut village);
        if villager.body.ate > ate {
            assert!(last.is_none_or(|last| village.now >= last + hours(3)));
            last = Some(village.now);
            meals += 1;
        }
    }
    assert!(meals > 20, "{meals}");
}

#[test]
fn the_workplace_falls_back_to_the_shared_board() {
    let village = Village::new(1);
    let mut villager = Villager::new(1);
    villager.board.unset(&WORKPLACE);
    let place = |villager: &mut Villager| look_up(&WORKPLACE, &Life { villager, village: &village }).copied();
    assert_eq!(place(&mut villager), Some(Place::Fields));
    villager.board.set(&WORKPLACE, Place::Smithy);
    assert_eq!(place(&mut villager), Some(Place::Smithy));
}

#[test]
fn all_sleep_at_night_and_replaced_agents_get_new_ids() {
    let mut simulation = simulation(2000, 8);
    while hour(simulation.village.now) != 3 {
        simulation.tick(Cores::All);
    }
    assert_eq!(simulation.counts()[Activity::Sleeping as usize], 2000);
    let old: Vec<_> = simulation.herd.ids().collect();
    let left = simulation.totals.left;
    while hour(simulation.village.now) != 6 {
        simulation.tick(Cores::All);
    }
    let removed = old.iter().filter(|member| !simulation.herd.has(**member)).count();
    assert!(removed > 5 && removed == simulation.totals.left - left, "{removed}");
    assert_eq!((simulation.herd.len(), simulation.herd.slots()), (2000, 2000));
}

#[test]
fn a_memory_takes_32_bytes() {
    assert_eq!(
        simulation(3, 1).drawing().last().map(String::as_str),
        Some("37 nodes, 32 bytes of memory per agent, 3 agents")
    );
}

#[test]
fn a_small_terminal_shows_the_tree_or_the_village_and_how_to_quit() {
    let mut view = Dashboard::new(simulation(100, 1), Cores::One);
    view.tick();
    for (pane, text) in [(Pane::Tree, "selector"), (Pane::Scene, "villagers per activity")] {
        let rows = screen(&mut view, pane, (40, 10));
        assert!(rows[9].contains(" q: quit "), "{rows:#?}");
        assert!(rows.concat().contains(text), "{rows:#?}");
    }
    let rows = screen(&mut view, Pane::Tree, (80, 24));
    assert!(rows.concat().contains("selector") && rows.concat().contains("villagers per activity"), "{rows:#?}");
}
