//! Tests of the example.

use std::collections::BTreeSet;

use bt_core::observe::Last;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_examples::input::{Input, Key};
use bt_examples::panes::Pane;
use bt_examples::play::{Play, draw, screen};
use glam::{Vec2, vec2};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

use crate::simulation::Simulation;
use crate::tree::melee_enemy;
use crate::view::Game;
use crate::world::{Enemy, EventKind, LogEntry, Mood, World};

const SEEDS: std::ops::Range<u64> = 1..6;
const TICKS: u32 = 6000;

/// Runs a simulation and calls `look` after each tick. Returns all log entries.
fn simulation(seed: u64, mut look: impl FnMut(&World, &[LogEntry])) -> Vec<LogEntry> {
    let mut simulation = Simulation::new(melee_enemy(), seed);
    let mut all = Vec::new();
    for _ in 0..TICKS {
        let log = simulation.tick_automatically();
        look(&simulation.world, &log);
        all.extend(log);
    }
    all
}

/// Returns a simulation with one student, and with the player at a fixed position.
fn alone(at: Vec2, player: Vec2) -> Simulation<impl for<'w> Node<Enemy<'w>>> {
    let mut world = World::new(1);
    world.students.truncate(1);
    world.students[0].position = at;
    world.students[0].spawn = at;
    world.player.position = player;
    Simulation::in_world(world, melee_enemy(), 1)
}

/// Runs ticks without moving the player. Returns the events.
fn wait<N: for<'w> Node<Enemy<'w>> + 'static>(simulation: &mut Simulation<N>, ticks: u32) -> Vec<EventKind> {
    for _ in 0..ticks {
        simulation.tick(None);
    }
    simulation.world.log.drain(..).map(|entry| entry.what).collect()
}

fn mood<N: for<'w> Node<Enemy<'w>> + 'static>(simulation: &Simulation<N>) -> Mood {
    simulation.world.students[0].mood
}

#[test]
fn an_enemy_gets_suspicious_within_150_and_feels_threatened_within_75() {
    let at = vec2(300.0, 50.0);
    let mut simulation = alone(at, at + Vec2::Y * 200.0);
    wait(&mut simulation, 1);
    assert_eq!(mood(&simulation), Mood::Calm);
    let here = simulation.world.students[0].position;
    simulation.world.player.position = here + Vec2::Y * 140.0;
    wait(&mut simulation, 1);
    assert_eq!(mood(&simulation), Mood::Suspicious);
    simulation.world.player.position = here + Vec2::Y * 76.0;
    wait(&mut simulation, 1);
    assert_eq!(mood(&simulation), Mood::Suspicious);
    simulation.world.player.position = here + Vec2::Y * 74.0;
    wait(&mut simulation, 1);
    assert_eq!(mood(&simulation), Mood::Threatened);
}

#[test]
fn an_enemy_chases_strikes_gives_up_and_idles_again() {
    let at = vec2(300.0, 50.0);
    let mut simulation = alone(at, at + Vec2::Y * 70.0);
    let log = wait(&mut simulation, 40);
    assert_eq!(log.last(), Some(&EventKind::Strikes));
    assert_eq!(simulation.world.player.hits, 1);
    simulation.world.player.position = simulation.world.students[0].position + Vec2::Y * 300.0;
    let log = wait(&mut simulation, 30);
    assert!(matches!(log.as_slice(), [EventKind::Turns { mood: Mood::Calm, .. }, EventKind::Wanders]), "{log:?}");
    assert_eq!(simulation.world.player.hits, 1, "the strike missed");
}

#[test]
fn an_enemy_chases_until_the_player_is_far_enough() {
    let at = vec2(300.0, 50.0);
    for away in [80.0, 250.0, 300.0] {
        let mut simulation = alone(at, at + Vec2::Y * 60.0);
        wait(&mut simulation, 10);
        assert_eq!(mood(&simulation), Mood::Threatened);
        let here = simulation.world.students[0].position;
        simulation.world.player.position = here + Vec2::Y * away;
        let log = wait(&mut simulation, 2);
        assert!(matches!(log[0], EventKind::Turns { mood: Mood::Calm, .. }), "{away}: {log:?}");
        assert_ne!(mood(&simulation), Mood::Threatened, "{away}");
    }
}

#[test]
fn no_enemy_chases_a_distant_player() {
    for seed in SEEDS {
        let mut since: [Option<Duration>; 5] = [None; 5];
        let (mut longest, mut chases) = (secs(0), 0);
        let log = simulation(seed, |world, _| {
            for (student, since) in world.students.iter().zip(&mut since) {
                if student.mood != Mood::Threatened {
                    chases += u32::from(since.is_some());
                    *since = None;
                    continue;
                }
                // Both may have moved after the check in this tick.
                let distance = student.position.distance(world.player.position);
                assert!(distance < 90.0, "seed {seed}: {distance}");
                let began = *since.get_or_insert(world.now);
                longest = longest.max(world.now.saturating_sub(began));
            }
        });
        let strikes = log.iter().filter(|entry| entry.what == EventKind::Strikes).count();
        assert!(longest < secs(30) && chases > 3 && strikes > 2, "seed {seed}: {longest:?}, {chases}, {strikes}");
    }
}

#[test]
fn a_talk_takes_its_time_keeps_the_students_apart_and_detaches_them() {
    let mut world = World::new(3);
    world.boxes.clear();
    world.player.position = vec2(600.0, 400.0);
    world.students.truncate(2);
    for (index, student) in (0_u8..).zip(&mut world.students) {
        student.position = vec2(150.0 + 20.0 * f32::from(index), 170.0);
        student.spawn = student.position;
    }
    let mut simulation = Simulation::in_world(world, melee_enemy(), 3);
    let talk = simulation.description().find("talk").expect("a leaf of the tree").id;
    let (mut talked, mut ended, mut statuses) = (0, 0, Statuses::default());
    for _ in 0..4000 {
        let before: Vec<_> = simulation.world.students.iter().map(|student| student.talks_to).collect();
        simulation.tick(Some((0, &mut statuses)));
        let students = &simulation.world.students;
        for (student, before) in students.iter().zip(before) {
            if before.is_some() && student.talks_to.is_none() {
                assert_eq!(student.attached, None);
                talked += 1;
            }
        }
        let last = statuses.last(talk).filter(|_| statuses.is_fresh(talk) && !statuses.is_running(talk));
        if let Some(last) = last {
            assert_eq!(last, Last::Returned(Status::Success), "also if the other has left");
            let distance = students[0].position.distance(students[1].position);
            // The other may have come nearer by a step since.
            assert!(distance > 10.0 - 1.5, "they have kept their distance: {distance}");
            assert_eq!(students[0].room, None);
            ended += 1;
        }
    }
    assert!(talked > 1 && ended > 1, "{talked} {ended}");
}

#[test]
fn a_suspicious_enemy_calms_down_after_3_seconds() {
    let at = vec2(300.0, 50.0);
    let mut simulation = alone(at, at + Vec2::Y * 140.0);
    wait(&mut simulation, 1);
    simulation.world.player.position = at + Vec2::Y * 300.0;
    assert!(wait(&mut simulation, 59).is_empty());
    assert!(matches!(wait(&mut simulation, 2).as_slice(), [EventKind::Turns { mood: Mood::Calm, .. }, ..]));
}

#[test]
fn an_enemy_next_to_a_box_does_not_lift_it_twice_in_a_row() {
    let mut simulation = alone(vec2(220.0, 75.0), vec2(600.0, 400.0));
    simulation.world.meeting_points.clear();
    let log = wait(&mut simulation, 1200);
    let lifts = log.iter().filter(|what| matches!(what, EventKind::Lifts { .. })).count();
    assert!(lifts >= 2, "{log:?}");
    for pair in log.windows(3) {
        let twice = matches!(pair, [EventKind::Lifts { .. }, EventKind::Drops { .. }, EventKind::Lifts { .. }]);
        assert!(!twice, "{log:?}");
    }
}

#[test]
fn a_lifted_box_rises_and_falls_again() {
    let mut simulation = alone(vec2(220.0, 75.0), vec2(600.0, 400.0));
    assert_eq!(wait(&mut simulation, 1), [EventKind::Lifts { which: 1 }]);
    wait(&mut simulation, 8);
    assert!(simulation.world.boxes[1].height > 5.0);
    // The player approaches: the box drops immediately.
    simulation.world.player.position = simulation.world.students[0].position + Vec2::Y * 74.0;
    let log = wait(&mut simulation, 1);
    assert!(log.contains(&EventKind::Drops { which: 1 }), "{log:?}");
    simulation.world.player.position = vec2(600.0, 400.0);
    wait(&mut simulation, 60);
    assert!(simulation.world.boxes[1].height <= 0.0);
}

#[test]
fn a_student_alone_does_not_talk() {
    let mut simulation = alone(vec2(150.0, 170.0), vec2(600.0, 400.0));
    simulation.world.boxes.clear();
    let log = wait(&mut simulation, 1000);
    assert!(log.contains(&EventKind::Attaches { to: 0 }), "{log:?}");
    assert!(!log.iter().any(|what| matches!(what, EventKind::Talks { .. })), "{log:?}");
}

#[test]
fn moods_change_at_the_specified_distances() {
    for seed in SEEDS {
        let log = simulation(seed, |_, _| {});
        let mut turns = 0;
        for LogEntry { what, .. } in &log {
            match what {
                EventKind::Turns { mood: Mood::Suspicious, distance } => {
                    assert!((75.0..=150.0).contains(distance), "{what:?}");
                }
                EventKind::Turns { mood: Mood::Threatened, distance } => assert!(*distance <= 75.0, "{what:?}"),
                EventKind::Turns { mood: Mood::Calm, distance } => assert!(*distance > 75.0, "{what:?}"),
                _ => continue,
            }
            turns += 1;
        }
        assert!(turns > 10, "seed {seed}: {turns} turns");
    }
}

#[test]
fn threatened_enemies_give_up_and_idle_again() {
    for seed in SEEDS {
        let log = simulation(seed, |_, _| {});
        let of = |student: usize| log.iter().filter(move |entry| entry.student == student).map(|entry| entry.what);
        let mut gave_up = 0;
        for student in 0..5 {
            let all: Vec<_> = of(student).collect();
            let Some(threatened) =
                all.iter().position(|what| matches!(what, EventKind::Turns { mood: Mood::Threatened, .. }))
            else {
                continue;
            };
            let after = &all[threatened..];
            let calm = after.iter().position(|what| matches!(what, EventKind::Turns { mood: Mood::Calm, .. }));
            if calm.is_some_and(|calm| after[calm..].contains(&EventKind::Wanders)) {
                gave_up += 1;
            }
        }
        assert!(gave_up > 0, "seed {seed}");
    }
}

#[test]
fn no_enemy_lifts_twice_in_a_row() {
    for seed in SEEDS {
        let log = simulation(seed, |_, _| {});
        let lifts = log.iter().filter(|entry| matches!(entry.what, EventKind::Lifts { .. })).count();
        assert!(lifts > 5, "seed {seed}: {lifts} lifts");
        for student in 0..5 {
            let of: Vec<_> = log.iter().filter(|entry| entry.student == student).map(|entry| entry.what).collect();
            for three in of.windows(3) {
                assert!(
                    !matches!(three, [EventKind::Lifts { .. }, EventKind::Drops { .. }, EventKind::Lifts { .. }]),
                    "seed {seed}: student {student}"
                );
            }
        }
    }
}

#[test]
fn only_students_at_the_same_meeting_point_start_to_talk() {
    for seed in SEEDS {
        let mut talks = 0;
        // Where the students were attached at the end of the last ticks. A talk is heard 10 ticks after its start.
        let mut attached = std::collections::VecDeque::new();
        simulation(seed, |world, log| {
            attached.push_back(world.students.iter().map(|student| student.attached).collect::<Vec<_>>());
            for LogEntry { student, what, .. } in log {
                let EventKind::Talks { to } = what else { continue };
                let is_together = |at: &Vec<Option<usize>>| at[*student].is_some() && at[*student] == at[*to];
                assert!(attached.iter().take(2).any(is_together), "seed {seed}: {student} and {to}, {attached:?}");
                talks += 1;
            }
            attached.drain(..attached.len().saturating_sub(11));
        });
        assert!(talks > 1, "seed {seed}: {talks} talks");
    }
}

#[test]
fn a_fight_and_the_trigger_area_are_drawn() {
    let at = vec2(300.0, 150.0);
    let simulation = alone(at, at + Vec2::Y * 25.0);
    let mut game = Game::new(simulation);
    let mut terminal = Terminal::new(TestBackend::new(160, 50)).expect("the test backend cannot fail");
    game.input(Input::Key(Key::Char('p')));
    let mut signs = BTreeSet::new();
    for _ in 0..20 {
        game.tick();
        terminal.draw(|frame| draw(&mut game, Pane::default(), frame)).expect("the test backend cannot fail");
        let screen = terminal.backend().buffer();
        let circle = screen.content().iter().filter(|cell| cell.symbol() == "·" && cell.fg == Color::Yellow).count();
        assert!(circle > 30, "{circle}");
        let cells: Vec<_> = screen.content().windows(2).filter(|pair| pair[0].symbol() == "0").collect();
        signs.extend(cells.iter().filter(|pair| pair[1].fg == Color::Red).map(|pair| pair[1].symbol().to_owned()));
    }
    assert!(["/", "\\", "|", "─"].iter().all(|sign| signs.contains(*sign)), "{signs:?}");
}

#[test]
fn the_trace_depends_only_on_the_seed() {
    let trace = |seed| Simulation::new(melee_enemy(), seed).trace(TICKS);
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1), trace(2));
}

#[test]
fn a_memory_takes_48_bytes() {
    let drawing = Simulation::new(melee_enemy(), 1).drawing();
    assert_eq!(drawing.last().map(String::as_str), Some("46 nodes, 48 bytes per enemy"));
    assert!(drawing.iter().any(|line| line.ends_with("talk(time: 5s)")), "{drawing:#?}");
}

#[test]
fn a_small_terminal_shows_the_tree_or_the_court_and_how_to_quit() {
    let mut game = Game::new(Simulation::new(melee_enemy(), 1));
    (0..100).for_each(|_| game.tick());
    for (pane, text) in [(Pane::Tree, " melee_enemy "), (Pane::Scene, "☻")] {
        let rows = screen(&mut game, pane, (40, 10));
        assert!(rows[9].contains(" q: quit "), "{rows:#?}");
        assert!(rows.concat().contains(text), "{rows:#?}");
    }
    let rows = screen(&mut game, Pane::Tree, (80, 24));
    assert!(rows.concat().contains(" melee_enemy ") && rows.concat().contains("☻"), "{rows:#?}");
}
