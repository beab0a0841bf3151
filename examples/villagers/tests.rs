//! What the story promises.

use bt_core::board::look_up;
use bt_core::prelude::*;

use crate::story::{Cores, Story};
use crate::tree::villager;
use crate::village::{
    ACTIVITIES, Activity, Body, Entity, FOOD, Life, Place, TICK, Village, Villager, WORKPLACE, hour, hours,
};

const DAY: u32 = 288;

fn story(people: usize, seed: u64) -> Story<impl for<'v> Node<Life<'v>> + Save + Sync> {
    Story::new(villager(), people, seed)
}

fn food(village: &Village) -> i64 {
    *village.board.get(&FOOD).expect("it is defined")
}

#[test]
fn in_a_village_of_ten_thousand_the_counts_add_up() {
    let mut story = story(10_000, 1);
    let mut seen = [0; ACTIVITIES.len()];
    let start = food(&story.village);
    for _ in 0..DAY {
        story.tick(Cores::All);
        let counts = story.counts();
        assert_eq!(counts.iter().sum::<usize>(), story.herd.len());
        assert_eq!(food(&story.village), start + story.sums.brought - story.sums.eaten);
        for (seen, count) in seen.iter_mut().zip(counts) {
            *seen = count.max(*seen);
        }
    }
    assert_eq!(story.herd.len(), 10_000);
    assert_eq!(story.sums.left, story.sums.came);
    assert!((50..200).contains(&story.sums.left), "one in a hundred leaves: {}", story.sums.left);
    let most = |activity: Activity| seen[activity as usize];
    assert_eq!(most(Activity::Sleeping), 10_000);
    assert!(most(Activity::Working) > 9_000 && most(Activity::Eating) > 2_000, "{seen:?}");
    assert!(most(Activity::Fleeing) > 1_000, "a wolf was there: {seen:?}");
    assert_eq!(most(Activity::Nothing), 0, "everybody always does something");
}

#[test]
fn the_same_seed_gives_the_same_village_on_one_core_and_on_all() {
    let trace = |cores, seed| {
        let mut story = story(800, seed);
        let lines = story.trace(4 * DAY, cores);
        let bodies: Vec<Body> = story.people.into_iter().map(|villager| villager.body).collect();
        (lines, bodies)
    };
    let one = trace(Cores::One, 3);
    assert!(one == trace(Cores::All, 3));
    assert!(one.0 != trace(Cores::All, 4).0);
    assert!(one.0.iter().any(|line| line.contains("the bell rings") && line.contains("dancing")), "{:#?}", one.0);
}

#[test]
fn saved_and_loaded_in_mid_run_it_goes_on_as_without() {
    let mut one = story(300, 5);
    let mut saved = Vec::new();
    for tick in 0..3 * DAY {
        if tick % 101 == 50 {
            saved.push((tick, one.save().expect("it can be saved")));
        }
        one.tick(Cores::One);
    }
    let end = one.save().expect("it can be saved");
    for (tick, save) in saved {
        let mut other = story(7, 99);
        other.load(&save).expect("it is the same tree");
        for _ in tick..3 * DAY {
            other.tick(Cores::All);
        }
        assert!(other.save().expect("it can be saved") == end, "saved at tick {tick}");
    }
}

#[test]
fn a_save_of_another_tree_is_refused_and_nothing_is_lost() {
    let mut village = story(20, 1);
    village.trace(30, Cores::One);
    let before = village.save().expect("it can be saved");
    let mut save: serde_json::Value = serde_json::from_str(&before).expect("it is JSON");
    save["herd"]["fingerprint"] = 5.into();
    let error = village.load(&save.to_string()).unwrap_err();
    assert!(error.to_string().contains("made for a tree of another structure"), "{error}");
    assert!(village.load("{}").is_err());
    assert!(village.save().expect("it can be saved") == before);
}

/// Ticks one villager alone, and says what it does.
fn live<N: for<'v> Node<Life<'v>>>(
    tree: &N,
    memory: &mut Memory<N>,
    who: &mut Villager,
    village: &mut Village,
) -> Activity {
    village.now += TICK;
    tree.tick(&mut Life { who, village }, memory);
    who.body.activity
}

#[test]
fn an_entity_that_disappears_in_mid_run_ends_the_flight() {
    let tree = villager();
    let (mut memory, mut who, mut village) = (tree.memory(), Villager::new(1), Village::new(1));
    village.now = hours(10);
    let wolf = |id| Entity { id, name: "wolf".to_owned(), position: who.body.position, leaves_at: hours(99) };
    let (first, second) = (wolf(1), wolf(2));
    village.entities.push(Entity { position: first.position + 10.0, ..first });
    who.board.set(&WORKPLACE, Place::Square);
    assert_eq!(live(&tree, &mut memory, &mut who, &mut village), Activity::Fleeing);
    village.entities.clear();
    assert_ne!(live(&tree, &mut memory, &mut who, &mut village), Activity::Fleeing);
    // Another wolf is another entity, also by the same name: one does not go on fleeing from the first.
    village.entities.push(Entity { position: who.body.position + 10.0, ..second });
    assert_eq!(live(&tree, &mut memory, &mut who, &mut village), Activity::Fleeing);
    village.entities[0].id = 3;
    assert_ne!(live(&tree, &mut memory, &mut who, &mut village), Activity::Fleeing);
}

#[test]
fn nobody_eats_twice_within_three_hours() {
    let tree = villager();
    let (mut memory, mut who, mut village) = (tree.memory(), Villager::new(2), Village::new(9));
    village.now = hours(7);
    let mut last: Option<Duration> = None;
    let mut meals = 0;
    for _ in 0..10 * DAY {
        who.body.hunger = 1.0; // always hungry
        let ate = who.body.ate;
        live(&tree, &mut memory, &mut who, &mut village);
        if who.body.ate > ate {
            assert!(last.is_none_or(|last| village.now >= last + hours(3)));
            last = Some(village.now);
            meals += 1;
        }
    }
    assert!(meals > 20, "{meals}");
}

#[test]
fn who_has_no_workplace_of_its_own_works_where_the_village_says() {
    let village = Village::new(1);
    let mut who = Villager::new(1);
    who.board.unset(&WORKPLACE);
    let place = |who: &mut Villager| look_up(&WORKPLACE, &Life { who, village: &village }).copied();
    assert_eq!(place(&mut who), Some(Place::Fields));
    who.board.set(&WORKPLACE, Place::Smithy);
    assert_eq!(place(&mut who), Some(Place::Smithy));
}

#[test]
fn at_night_all_sleep_and_newcomers_have_memories_of_their_own() {
    let mut story = story(2000, 8);
    while hour(story.village.now) != 3 {
        story.tick(Cores::All);
    }
    assert_eq!(story.counts()[Activity::Sleeping as usize], 2000);
    let old: Vec<_> = story.herd.members().collect();
    let left = story.sums.left;
    while hour(story.village.now) != 6 {
        story.tick(Cores::All);
    }
    let gone = old.iter().filter(|member| !story.herd.has(**member)).count();
    assert!(gone > 5 && gone == story.sums.left - left, "{gone}");
    assert_eq!((story.herd.len(), story.herd.places()), (2000, 2000));
}

#[test]
fn a_villager_remembers_in_48_bytes() {
    assert_eq!(story(3, 1).drawing().last().map(String::as_str), Some("37 nodes, 48 bytes of memory for each of 3"));
}
