//! What the story promises.

use bt_core::prelude::*;
use glam::{Vec2, vec2};

use crate::flock::{MEADOW, Sheep};
use crate::story::{STATES, Story};
use crate::tree::sheep;

fn story(sheep_count: usize, seed: u64) -> Story<impl for<'f> StateMachine<Sheep<'f>>> {
    Story::new(sheep(), sheep_count, seed)
}

/// One sheep in the middle of the meadow.
fn alone() -> Story<impl for<'f> StateMachine<Sheep<'f>>> {
    let mut story = story(1, 1);
    story.bodies[0].position = MEADOW / 2.0;
    story
}

/// The name of the first sheep's state.
fn state<N: for<'f> StateMachine<Sheep<'f>>>(story: &Story<N>) -> Option<&'static str> {
    story.states().next().flatten().map(|index| STATES[index])
}

#[test]
fn a_sheep_obeys_the_dog_then_stops_then_grazes() {
    let mut story = alone();
    story.tick();
    assert_eq!(state(&story), Some("idle"));
    story.sight.dog = Some(MEADOW / 2.0 + vec2(30.0, 0.0));
    for _ in 0..20 {
        story.tick();
        assert_eq!(state(&story), Some("obey"));
    }
    assert!(story.bodies[0].position.x < MEADOW.x / 2.0 - 5.0, "it runs from the dog");
    story.sight.dog = None;
    story.tick();
    assert_eq!(state(&story), Some("stopping"));
    let mut ticks = 0;
    while state(&story) == Some("stopping") {
        story.tick();
        ticks += 1;
    }
    assert_eq!(state(&story), Some("idle"));
    assert!((5..100).contains(&ticks), "it takes a while: {ticks}");
}

#[test]
fn fear_of_the_wolf_comes_before_the_dog() {
    let mut story = alone();
    story.sight.dog = Some(MEADOW / 2.0 + vec2(30.0, 0.0));
    story.tick();
    story.sight.wolf = Some(MEADOW / 2.0 - vec2(30.0, 0.0));
    story.tick();
    assert_eq!(state(&story), Some("fear"));
    for _ in 0..60 {
        story.tick();
    }
    let away = story.bodies[0].position.distance(MEADOW / 2.0 - vec2(30.0, 0.0));
    assert!(away > 50.0, "it runs from the wolf: {away}");
    story.sight.wolf = None;
    story.sight.dog = None;
    story.tick();
    assert_ne!(state(&story), Some("fear"));
}

/// How far a sheep is from the next one, on the average.
fn room(bodies: &[crate::flock::Body]) -> f32 {
    let nearest = |one: usize| {
        let others = bodies.iter().enumerate().filter(|(other, _)| *other != one);
        others.map(|(_, other)| other.position.distance(bodies[one].position)).fold(f32::INFINITY, f32::min)
    };
    let rooms: Vec<f32> = (0..bodies.len()).map(nearest).collect();
    rooms.iter().sum::<f32>() / f32::from(u16::try_from(rooms.len()).expect("few sheep"))
}

#[test]
fn the_flock_moves_together_and_keeps_apart() {
    let mut story = story(120, 2);
    for _ in 0..1800 {
        story.let_others_act();
        story.tick();
    }
    assert!(story.bodies.iter().all(|body| body.position.clamp(Vec2::ZERO, MEADOW) == body.position));
    let room = room(&story.bodies);
    assert!((2.0..20.0).contains(&room), "they neither stand in one place nor run off alone: {room}");
}

#[test]
fn all_states_come_up_and_every_sheep_is_always_in_one() {
    let mut story = story(200, 3);
    let mut most = [0; STATES.len()];
    for _ in 0..2400 {
        story.let_others_act();
        story.tick();
        let counts = story.counts();
        assert_eq!(counts.iter().sum::<usize>(), 200);
        for (most, count) in most.iter_mut().zip(counts) {
            *most = count.max(*most);
        }
    }
    assert_eq!(most[0], 200, "all graze at times: {most:?}");
    assert!(most[1..].iter().all(|most| *most > 20), "{most:?}");
}

#[test]
fn the_same_seed_gives_the_same_flock() {
    let trace = |seed| story(60, seed).trace(400);
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1), trace(2));
}

#[test]
fn a_sheep_can_be_forced_into_a_state() {
    let mut story = alone();
    story.tick();
    let machine = sheep();
    let mut memory = machine.memory();
    let mut context = Sheep { body: &mut story.bodies[0], me: 0, sight: &story.sight };
    machine.to("fear", &mut context, &mut memory).expect("there is such a state");
    assert!(machine.to("panic", &mut context, &mut memory).is_err());
    assert_eq!(size_of_val(&memory), 1);
}

#[test]
fn in_the_run_of_the_readme_the_wolf_comes_and_goes() {
    let mut story = Story::new(sheep(), 60, 1);
    let (mut afraid, mut calm_again) = (false, false);
    for _ in 0..2000 {
        story.let_others_act();
        story.tick();
        let states: Vec<_> = story.states().collect();
        afraid |= story.sight.wolf.is_some() && states.contains(&Some(3));
        calm_again |= afraid && story.sight.wolf.is_none() && !states.contains(&Some(3));
    }
    assert!(afraid && calm_again, "{afraid}, {calm_again}");
}
