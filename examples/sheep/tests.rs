//! Tests of the example.

use bt_core::prelude::*;
use bt_examples::panes::Pane;
use bt_examples::play::{Play, screen};
use glam::{Vec2, vec2};

use crate::flock::{MEADOW, Sheep};
use crate::simulation::{STATES, Simulation};
use crate::tree::sheep;
use crate::view::Game;

fn simulation(sheep_count: usize, seed: u64) -> Simulation<impl for<'f> StateMachine<Sheep<'f>>> {
    Simulation::new(sheep(), sheep_count, seed)
}

/// Returns a simulation with one sheep in the center of the meadow.
fn alone() -> Simulation<impl for<'f> StateMachine<Sheep<'f>>> {
    let mut simulation = simulation(1, 1);
    simulation.bodies[0].position = MEADOW / 2.0;
    simulation
}

/// Returns the name of the first sheep's state.
fn state<N: for<'f> StateMachine<Sheep<'f>>>(simulation: &Simulation<N>) -> Option<&'static str> {
    simulation.states().next().flatten().map(|index| STATES[index])
}

#[test]
fn a_sheep_obeys_the_dog_then_stops_then_grazes() {
    let mut simulation = alone();
    simulation.tick();
    assert_eq!(state(&simulation), Some("idle"));
    simulation.sight.dog = Some(MEADOW / 2.0 + vec2(30.0, 0.0));
    for _ in 0..20 {
        simulation.tick();
        assert_eq!(state(&simulation), Some("obey"));
    }
    assert!(simulation.bodies[0].position.x < MEADOW.x / 2.0 - 5.0, "the sheep runs from the dog");
    simulation.sight.dog = None;
    simulation.tick();
    assert_eq!(state(&simulation), Some("stopping"));
    let mut ticks = 0;
    while state(&simulation) == Some("stopping") {
        simulation.tick();
        ticks += 1;
    }
    assert_eq!(state(&simulation), Some("idle"));
    assert!((5..100).contains(&ticks), "stopping takes {ticks} ticks");
}

#[test]
fn the_wolf_has_priority_over_the_dog() {
    let mut simulation = alone();
    simulation.sight.dog = Some(MEADOW / 2.0 + vec2(30.0, 0.0));
    simulation.tick();
    simulation.sight.wolf = Some(MEADOW / 2.0 - vec2(30.0, 0.0));
    simulation.tick();
    assert_eq!(state(&simulation), Some("fear"));
    for _ in 0..60 {
        simulation.tick();
    }
    let away = simulation.bodies[0].position.distance(MEADOW / 2.0 - vec2(30.0, 0.0));
    assert!(away > 50.0, "the sheep runs from the wolf: {away}");
    simulation.sight.wolf = None;
    simulation.sight.dog = None;
    simulation.tick();
    assert_ne!(state(&simulation), Some("fear"));
}

/// Returns the average distance of a sheep to its nearest neighbor.
fn average_distance(bodies: &[crate::flock::Body]) -> f32 {
    let nearest = |one: usize| {
        let others = bodies.iter().enumerate().filter(|(other, _)| *other != one);
        others.map(|(_, other)| other.position.distance(bodies[one].position)).fold(f32::INFINITY, f32::min)
    };
    let distances: Vec<f32> = (0..bodies.len()).map(nearest).collect();
    distances.iter().sum::<f32>() / f32::from(u16::try_from(distances.len()).expect("few sheep"))
}

#[test]
fn the_flock_stays_together_without_crowding() {
    let mut simulation = simulation(120, 2);
    for _ in 0..1800 {
        simulation.move_dog_and_wolf();
        simulation.tick();
    }
    assert!(simulation.bodies.iter().all(|body| body.position.clamp(Vec2::ZERO, MEADOW) == body.position));
    let distance = average_distance(&simulation.bodies);
    assert!((2.0..20.0).contains(&distance), "average distance {distance}");
}

#[test]
fn all_states_occur_and_each_sheep_is_always_in_one() {
    let mut simulation = simulation(200, 3);
    let mut most = [0; STATES.len()];
    for _ in 0..2400 {
        simulation.move_dog_and_wolf();
        simulation.tick();
        let counts = simulation.counts();
        assert_eq!(counts.iter().sum::<usize>(), 200);
        for (most, count) in most.iter_mut().zip(counts) {
            *most = count.max(*most);
        }
    }
    assert_eq!(most[0], 200, "all sheep graze at some time: {most:?}");
    assert!(most[1..].iter().all(|most| *most > 20), "{most:?}");
}

#[test]
fn the_trace_depends_only_on_the_seed() {
    let trace = |seed| simulation(60, seed).trace(400);
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1), trace(2));
}

#[test]
fn a_sheep_can_be_forced_into_a_state() {
    let mut simulation = alone();
    simulation.tick();
    let machine = sheep();
    let mut memory = machine.memory();
    let mut context = Sheep { body: &mut simulation.bodies[0], me: 0, sight: &simulation.sight };
    machine.to("fear", &mut context, &mut memory).expect("the state exists");
    assert!(machine.to("panic", &mut context, &mut memory).is_err());
    assert_eq!(size_of_val(&memory), 1);
}

#[test]
fn the_wolf_appears_and_disappears_within_2000_ticks() {
    let mut simulation = Simulation::new(sheep(), 60, 1);
    let (mut afraid, mut calm_again) = (false, false);
    for _ in 0..2000 {
        simulation.move_dog_and_wolf();
        simulation.tick();
        let states: Vec<_> = simulation.states().collect();
        afraid |= simulation.sight.wolf.is_some() && states.contains(&Some(3));
        calm_again |= afraid && simulation.sight.wolf.is_none() && !states.contains(&Some(3));
    }
    assert!(afraid && calm_again, "{afraid}, {calm_again}");
}

#[test]
fn a_small_terminal_shows_the_tree_or_the_meadow_and_how_to_quit() {
    let mut game = Game::new(simulation(300, 1));
    game.tick();
    for (pane, text) in [(Pane::Tree, "machine"), (Pane::Scene, "the dog is simulated")] {
        let rows = screen(&mut game, pane, (40, 10));
        assert!(rows[9].contains(" q: quit "), "{rows:#?}");
        assert!(rows.concat().contains(text), "{rows:#?}");
    }
    let rows = screen(&mut game, Pane::Tree, (80, 24));
    assert!(rows.concat().contains("machine") && rows.concat().contains("the dog is simulated"), "{rows:#?}");
}
