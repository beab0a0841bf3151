//! Tests of the game.

use std::collections::BTreeSet;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimeUpdateStrategy};
use bt_bevy::bt_core::describe::{Description, Kind};
use bt_bevy::prelude::*;
use glam::{Vec2, vec2};

use crate::chibi::Chibi;
use crate::walking::Walk;
use crate::{Balloon, Bird, Flight, Game, Held, Level, Love, Mood, Pose, Position, Role, TICK, Talk, Topic, Weather};
use crate::{carry, pick_up, put_down};

fn app(game: Game) -> App {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, game)).insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    app.finish();
    app.cleanup();
    app
}

/// Returns a park without anybody, and without rain.
fn empty() -> App {
    let mut app = app(Game::new(1).crowd(0));
    app.update();
    let birds: Vec<_> = app.world_mut().query_filtered::<Entity, With<Bird>>().iter(app.world()).collect();
    for bird in birds {
        app.world_mut().despawn(bird);
    }
    app
}

fn chibi(app: &mut App, topic: Topic, is_meddler: bool, at: Vec2) -> Entity {
    let mood = Mood { energy: 1.0, ..Mood::default() };
    let role = Role { topic, is_meddler, looks: 0 };
    app.world_mut().spawn((Mind::<Chibi>::new(), Position(at), role, mood, Walk::default())).id()
}

fn at(app: &App, one: Entity) -> Vec2 {
    app.world().get::<Position>(one).expect("it is there").0
}

fn run_until(app: &mut App, what: &str, holds: impl Fn(&mut App) -> bool) {
    for _ in 0..900 {
        if holds(app) {
            return;
        }
        app.update();
    }
    panic!("not within 90 s: {what}");
}

#[test]
fn the_tree_has_as_many_nodes_as_that_of_the_original() {
    let description = Description::of(&crate::tree::chibi());
    let kinds = |is_meant: fn(Kind) -> bool| {
        let nodes = description.nodes().iter().filter(move |node| is_meant(node.kind));
        nodes.map(|node| node.name.clone()).collect::<BTreeSet<_>>()
    };
    let [actions, conditions, decorators] = [
        kinds(|kind| kind == Kind::Action),
        kinds(|kind| kind == Kind::Condition),
        kinds(|kind| kind == Kind::Decorator),
    ];
    let numbers = (description.nodes().len(), actions.len(), conditions.len(), decorators.len());
    assert_eq!(numbers, (92, 21, 15, 2), "{actions:?} {conditions:?} {decorators:?}");
}

#[test]
fn two_who_like_the_same_topic_talk_kiss_and_leave() {
    let mut app = empty();
    let one = chibi(&mut app, Topic::Cats, false, vec2(20.0, 10.0));
    let other = chibi(&mut app, Topic::Cats, false, vec2(22.0, 10.0));
    run_until(&mut app, "they talk", |app| app.world().get::<Talk>(one).is_some_and(|talk| talk.with == other));
    run_until(&mut app, "one smiles", |app| {
        let balloon = |one| app.world().get::<Mood>(one).and_then(|mood| mood.balloon);
        balloon(one) == Some(Balloon::Smile) || balloon(other) == Some(Balloon::Smile)
    });
    // They may bore each other first, and talk again.
    run_until(&mut app, "they are in love", |app| app.world().get::<Love>(one).is_some_and(|love| love.of == other));
    run_until(&mut app, "they kiss", |app| app.world().resource::<Level>().all_couples == 1);
    assert_eq!(app.world().get::<Mood>(other).map(|mood| mood.pose), Some(Pose::Kissing));
    run_until(&mut app, "they have left", |app| app.world().get_entity(one).is_err());
    assert!(app.world().get_entity(other).is_err(), "both leave");
    assert_eq!(app.world().resource::<Level>().all_couples, 1, "a couple counts once");
}

#[test]
fn a_meddler_interrupts_a_talk_and_then_leaves_others_alone_for_a_while() {
    let mut app = empty();
    let one = chibi(&mut app, Topic::Cats, false, vec2(20.0, 10.0));
    let other = chibi(&mut app, Topic::Music, false, vec2(22.0, 10.0));
    run_until(&mut app, "they talk", |app| app.world().get::<Talk>(one).is_some());
    let beside = at(&app, other) + vec2(0.5, 1.0);
    let meddler = chibi(&mut app, Topic::Cats, true, beside);
    app.update();
    app.update();
    let balloons = [one, other].map(|one| app.world().get::<Mood>(one).and_then(|mood| mood.balloon));
    assert!(balloons.contains(&Some(Balloon::Anger)), "{balloons:?}");
    run_until(&mut app, "the talk has ended", |app| app.world().get::<Talk>(one).is_none());
    assert!(app.world().get::<Talk>(other).is_none());
    run_until(&mut app, "it is quiet", |app| {
        let now = app.world().resource::<Time>().elapsed();
        app.world().get::<Mood>(meddler).is_some_and(|mood| mood.quiet_until > now)
    });
    assert!(app.world().get::<Talk>(meddler).is_none() && app.world().get::<Love>(meddler).is_none());
}

#[test]
fn all_stand_under_trees_while_it_rains_and_talk_again_afterwards() {
    let mut app = app(Game::new(3).crowd(40));
    run_until(&mut app, "it rains", |app| app.world().resource::<Weather>().is_raining);
    for _ in 0..70 {
        app.update();
    }
    assert!(app.world().resource::<Weather>().is_raining, "it rains for eight seconds at least");
    let mut chibis = app.world_mut().query::<(&Mood, &Role)>();
    let wet: Vec<_> = chibis.iter(app.world()).filter(|(mood, _)| mood.balloon != Some(Balloon::Rain)).collect();
    assert!(wet.is_empty(), "{wet:?}");
    run_until(&mut app, "the sun shines", |app| !app.world().resource::<Weather>().is_raining);
    run_until(&mut app, "some talk", |app| {
        let mut talks = app.world_mut().query::<&Talk>();
        talks.iter(app.world()).count() > 0
    });
}

#[test]
fn the_hand_carries_a_chibi_whose_talk_ends_and_who_meets_others_where_it_is_put_down() {
    let mut app = empty();
    let one = chibi(&mut app, Topic::Cats, false, vec2(10.0, 10.0));
    let other = chibi(&mut app, Topic::Cats, false, vec2(12.0, 10.0));
    run_until(&mut app, "they talk", |app| app.world().get::<Talk>(one).is_some());
    let here = at(&app, one);
    assert!(!pick_up(app.world_mut(), here + 5.0), "nobody is there");
    assert!(pick_up(app.world_mut(), here - vec2(0.5, 0.0)));
    assert!(app.world().get::<Held>(one).is_some());
    assert!(app.world().get::<Talk>(one).is_none() && app.world().get::<Talk>(other).is_none());
    carry(app.world_mut(), vec2(30.0, 20.0));
    for _ in 0..50 {
        app.update();
    }
    assert_eq!(at(&app, one), vec2(30.0, 20.0), "it does not walk");
    assert_eq!(app.world().get::<Mood>(one).map(|mood| mood.pose), Some(Pose::Dangling));
    carry(app.world_mut(), vec2(-7.0, 1000.0));
    assert_eq!(at(&app, one), vec2(0.5, 26.5), "it stays in the park");
    // The other one walks about: it is met where it is.
    let there = at(&app, other) + vec2(1.0, 0.0);
    carry(app.world_mut(), there);
    put_down(app.world_mut());
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(app.world().get::<Talk>(one).map(|talk| talk.with), Some(other), "at once");
}

#[test]
fn a_chibi_that_vanishes_in_a_talk_or_in_love_leaves_the_other_one_free() {
    let mut app = empty();
    let one = chibi(&mut app, Topic::Cats, false, vec2(20.0, 10.0));
    let other = chibi(&mut app, Topic::Cats, false, vec2(22.0, 10.0));
    run_until(&mut app, "they talk", |app| app.world().get::<Talk>(one).is_some());
    app.world_mut().despawn(other);
    app.update();
    assert!(app.world().get::<Talk>(one).is_none());
    let third = chibi(&mut app, Topic::Cats, false, vec2(22.0, 10.0));
    run_until(&mut app, "love", |app| app.world().get::<Love>(third).is_some());
    app.world_mut().despawn(third);
    for _ in 0..3 {
        app.update();
    }
    assert!(app.world().get::<Love>(one).is_none());
    assert_eq!(app.world().get::<Mood>(one).and_then(|mood| mood.balloon), Some(Balloon::Tears));
}

#[test]
fn birds_fly_away_from_a_chibi_and_come_down_elsewhere() {
    let mut app = app(Game::new(1).crowd(0));
    app.update();
    let (bird, here) = {
        let mut birds = app.world_mut().query_filtered::<(Entity, &Position), With<Bird>>();
        birds.iter(app.world()).map(|(bird, position)| (bird, position.0)).next().expect("there are birds")
    };
    let flight = |app: &App| app.world().get::<Bird>(bird).map(|bird| bird.flight);
    app.update();
    assert_ne!(flight(&app), Some(Flight::Flying));
    chibi(&mut app, Topic::Cats, false, here);
    app.update();
    assert_eq!(flight(&app), Some(Flight::Flying));
    run_until(&mut app, "it has come down", |app| flight(app) == Some(Flight::Pecking));
    assert!(at(&app, bird).distance(here) > 3.0);
    assert!(crate::leaves::beside_bird(here, here).is_finite(), "who stands where the bird is does not vanish");
}

#[test]
fn the_hand_carries_a_bird_which_pecks_where_it_is_put_down() {
    let mut app = app(Game::new(1).crowd(0));
    app.update();
    let (bird, here) = {
        let mut birds = app.world_mut().query_filtered::<(Entity, &Position), With<Bird>>();
        birds.iter(app.world()).map(|(bird, position)| (bird, position.0)).next().expect("there are birds")
    };
    let flight = |app: &App| app.world().get::<Bird>(bird).map(|bird| bird.flight);
    assert!(pick_up(app.world_mut(), here));
    assert!(app.world().get::<Held>(bird).is_some());
    let there = vec2(30.0, 20.0);
    carry(app.world_mut(), there);
    for _ in 0..50 {
        app.update();
        assert_eq!((at(&app, bird), flight(&app)), (there, Some(Flight::Flying)), "it does not fly away");
    }
    put_down(app.world_mut());
    app.update();
    app.update();
    assert_ne!(flight(&app), Some(Flight::Flying));
    assert_eq!(at(&app, bird), there);
    // In the air, too.
    chibi(&mut app, Topic::Cats, false, there);
    app.update();
    assert_eq!(flight(&app), Some(Flight::Flying));
    app.update();
    let up = at(&app, bird);
    assert!(pick_up(app.world_mut(), up));
    app.update();
    let held = at(&app, bird);
    app.update();
    assert_eq!(at(&app, bird), held);
}

#[test]
fn a_level_that_is_reached_leads_to_the_next_and_one_whose_time_is_over_begins_again() {
    let mut app = app(Game::new(1));
    app.update();
    let (number, goal) = {
        let level = app.world().resource::<Level>();
        (level.number, level.goal())
    };
    app.world_mut().resource_mut::<Level>().couples = goal;
    app.update();
    let level = app.world().resource::<Level>();
    assert_eq!((level.number, level.couples, level.result.map(|(_, won)| won)), (number + 1, 0, Some(true)));
    let ends = level.ends;
    app.world_mut().resource_mut::<Level>().couples = 1;
    while app.world().resource::<Time>().elapsed() < ends {
        // The chibis must not reach it by themselves.
        let level = &mut *app.world_mut().resource_mut::<Level>();
        level.couples = level.couples.min(1);
        app.update();
    }
    let level = app.world().resource::<Level>();
    assert_eq!((level.number, level.couples, level.result.map(|(_, won)| won)), (number + 1, 0, Some(false)));
    assert!(level.ends > ends);
}

#[test]
fn the_crowd_keeps_its_size_and_finds_love_by_itself() {
    let mut app = app(Game::new(5).crowd(200));
    for _ in 0..1200 {
        app.update();
    }
    let chibis = app.world_mut().query::<&Role>().iter(app.world()).count();
    assert!((190..=200).contains(&chibis), "{chibis}: those who have left are replaced, one per tick");
    let level = app.world().resource::<Level>();
    assert!(level.all_couples > 20, "{}", level.all_couples);
}

#[cfg(feature = "terminal")]
mod terminal {
    use bt_examples::input::Input;
    use bt_examples::options::Options;
    use bt_examples::panes::Pane;
    use bt_examples::play::{Play as _, screen};

    use crate::view::{Scene, trace};

    #[test]
    fn a_run_with_a_seed_repeats() {
        let run = |seed| trace(Options::headless(900, seed));
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }

    #[test]
    fn the_park_fits_a_small_terminal_and_the_pointer_carries_chibis() {
        let mut scene = Scene::new(Options::headless(0, 1));
        scene.tick();
        for size in [(1, 1), (20, 5), (80, 24)] {
            let text = screen(&mut scene, Pane::default(), size).concat();
            assert_eq!(text.contains("bench"), size.0 == 80, "{text}");
        }
        let rows = screen(&mut scene, Pane::default(), (80, 24));
        let (row, column) = rows
            .iter()
            .zip(0..)
            .skip(2)
            .find_map(|(line, row)| Some((row, u16::try_from(line.chars().position(|one| one == 'o')?).ok()?)))
            .expect("a chibi is seen");
        scene.input(Input::Pointer { column, row, pressed: true });
        scene.input(Input::Pointer { column: 40, row: 3, pressed: true });
        scene.tick();
        let rows = screen(&mut scene, Pane::default(), (80, 24));
        assert!(["o", "x"].contains(&&*rows[3].chars().nth(40).unwrap_or_default().to_string()), "{rows:#?}");
        scene.input(Input::Pointer { column: 40, row: 3, pressed: false });
        scene.tick();
    }
}
