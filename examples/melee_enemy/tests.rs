//! What the story promises.

use bt_core::prelude::*;
use glam::{Vec2, vec2};

use crate::story::Story;
use crate::tree::melee_enemy;
use crate::world::{Enemy, EventKind, Mood, News, World};

const SEEDS: std::ops::Range<u64> = 1..6;
const TICKS: u32 = 6000;

/// What happens in a story that plays by itself, with a look at the world after each tick.
fn story(seed: u64, mut look: impl FnMut(&World, &[News])) -> Vec<News> {
    let mut story = Story::new(melee_enemy(), seed);
    let mut all = Vec::new();
    for _ in 0..TICKS {
        let news = story.tick_by_itself();
        look(&story.world, &news);
        all.extend(news);
    }
    all
}

/// A story of one student, with the player standing where it is put.
fn alone(at: Vec2, player: Vec2) -> Story<impl for<'w> Node<Enemy<'w>>> {
    let mut world = World::new(1);
    world.students.truncate(1);
    world.students[0].position = at;
    world.students[0].spawn = at;
    world.player.position = player;
    Story::in_world(world, melee_enemy(), 1)
}

/// So many ticks in which the player does not move; what happens.
fn wait<N: for<'w> Node<Enemy<'w>>>(story: &mut Story<N>, ticks: u32) -> Vec<EventKind> {
    for _ in 0..ticks {
        story.tick(None);
    }
    story.world.news.drain(..).map(|news| news.what).collect()
}

fn mood<N: for<'w> Node<Enemy<'w>>>(story: &Story<N>) -> Mood {
    story.world.students[0].mood
}

#[test]
fn an_enemy_gets_suspicious_within_150_and_feels_threatened_within_75() {
    let at = vec2(300.0, 50.0);
    let mut story = alone(at, at + Vec2::Y * 200.0);
    wait(&mut story, 1);
    assert_eq!(mood(&story), Mood::Calm);
    let here = story.world.students[0].position;
    story.world.player.position = here + Vec2::Y * 140.0;
    wait(&mut story, 1);
    assert_eq!(mood(&story), Mood::Suspicious);
    story.world.player.position = here + Vec2::Y * 76.0;
    wait(&mut story, 1);
    assert_eq!(mood(&story), Mood::Suspicious);
    story.world.player.position = here + Vec2::Y * 74.0;
    wait(&mut story, 1);
    assert_eq!(mood(&story), Mood::Threatened);
}

#[test]
fn it_chases_strikes_gives_up_and_goes_back_to_what_it_did() {
    let at = vec2(300.0, 50.0);
    let mut story = alone(at, at + Vec2::Y * 70.0);
    let news = wait(&mut story, 40);
    assert_eq!(news.last(), Some(&EventKind::Strikes));
    assert_eq!(story.world.player.hits, 1);
    story.world.player.position = story.world.students[0].position + Vec2::Y * 300.0;
    let news = wait(&mut story, 30);
    assert!(matches!(news.as_slice(), [EventKind::Turns { mood: Mood::Calm, .. }, EventKind::Wanders]), "{news:?}");
    assert_eq!(story.world.player.hits, 1, "it struck into the air");
}

#[test]
fn it_chases_until_the_player_has_distanced_himself_enough() {
    let at = vec2(300.0, 50.0);
    for away in [80.0, 250.0, 300.0] {
        let mut story = alone(at, at + Vec2::Y * 60.0);
        wait(&mut story, 10);
        assert_eq!(mood(&story), Mood::Threatened);
        let here = story.world.students[0].position;
        story.world.player.position = here + Vec2::Y * away;
        let news = wait(&mut story, 2);
        assert!(matches!(news[0], EventKind::Turns { mood: Mood::Calm, .. }), "{away}: {news:?}");
        assert_ne!(mood(&story), Mood::Threatened, "{away}");
    }
}

#[test]
fn in_any_story_nobody_chases_somebody_who_is_far_away() {
    for seed in SEEDS {
        let mut since: [Option<Duration>; 5] = [None; 5];
        let (mut longest, mut chases) = (secs(0), 0);
        let news = story(seed, |world, _| {
            for (student, since) in world.students.iter().zip(&mut since) {
                if student.mood != Mood::Threatened {
                    chases += u32::from(since.is_some());
                    *since = None;
                    continue;
                }
                // Within a tick both may have moved on.
                let distance = student.position.distance(world.player.position);
                assert!(distance < 90.0, "seed {seed}: {distance}");
                let began = *since.get_or_insert(world.now);
                longest = longest.max(world.now.saturating_sub(began));
            }
        });
        let strikes = news.iter().filter(|news| news.what == EventKind::Strikes).count();
        assert!(longest < secs(30) && chases > 3 && strikes > 2, "seed {seed}: {longest:?}, {chases}, {strikes}");
    }
}

#[test]
fn who_has_talked_is_detached() {
    let mut world = World::new(3);
    world.boxes.clear();
    world.player.position = vec2(600.0, 400.0);
    world.students.truncate(2);
    for (index, student) in (0_u8..).zip(&mut world.students) {
        student.position = vec2(150.0 + 20.0 * f32::from(index), 170.0);
        student.spawn = student.position;
    }
    let mut story = Story::in_world(world, melee_enemy(), 3);
    let mut talked = 0;
    for _ in 0..4000 {
        let before: Vec<_> = story.world.students.iter().map(|student| student.talks_to).collect();
        story.tick(None);
        for (student, before) in story.world.students.iter().zip(before) {
            if before.is_some() && student.talks_to.is_none() {
                assert_eq!(student.attached, None);
                talked += 1;
            }
        }
    }
    assert!(talked > 1, "{talked}");
}

#[test]
fn in_any_story_nobody_is_talked_to_who_does_something_else() {
    for seed in SEEDS {
        let mut doing = [EventKind::Wanders; 5];
        story(seed, |_, news| {
            for News { student, what, .. } in news {
                if let EventKind::Talks { to } = what {
                    let other = doing[*to];
                    assert!(
                        matches!(other, EventKind::Attaches { .. } | EventKind::Talks { .. }),
                        "seed {seed}: student {student} talks to {to}, who {other:?}"
                    );
                }
                doing[*student] = *what;
            }
        });
    }
}

#[test]
fn someone_suspicious_whom_the_player_leaves_calms_down_after_some_seconds() {
    let at = vec2(300.0, 50.0);
    let mut story = alone(at, at + Vec2::Y * 140.0);
    wait(&mut story, 1);
    story.world.player.position = at + Vec2::Y * 300.0;
    assert!(wait(&mut story, 59).is_empty());
    assert!(matches!(wait(&mut story, 2).as_slice(), [EventKind::Turns { mood: Mood::Calm, .. }, ..]));
}

#[test]
fn next_to_a_box_an_enemy_lifts_it_every_other_time_only() {
    let mut story = alone(vec2(220.0, 75.0), vec2(600.0, 400.0));
    story.world.meeting_points.clear();
    let news = wait(&mut story, 1200);
    let lifts = news.iter().filter(|what| matches!(what, EventKind::Lifts { .. })).count();
    assert!(lifts >= 2, "{news:?}");
    for pair in news.windows(3) {
        let twice = matches!(pair, [EventKind::Lifts { .. }, EventKind::Drops { .. }, EventKind::Lifts { .. }]);
        assert!(!twice, "{news:?}");
    }
}

#[test]
fn a_lifted_box_goes_up_and_falls_down_again() {
    let mut story = alone(vec2(220.0, 75.0), vec2(600.0, 400.0));
    assert_eq!(wait(&mut story, 1), [EventKind::Lifts { which: 1 }]);
    wait(&mut story, 8);
    assert!(story.world.boxes[1].height > 5.0);
    // Somebody comes: the box drops at once.
    story.world.player.position = story.world.students[0].position + Vec2::Y * 74.0;
    let news = wait(&mut story, 1);
    assert!(news.contains(&EventKind::Drops { which: 1 }), "{news:?}");
    story.world.player.position = vec2(600.0, 400.0);
    wait(&mut story, 60);
    assert!(story.world.boxes[1].height <= 0.0);
}

#[test]
fn nobody_talks_alone() {
    let mut story = alone(vec2(150.0, 170.0), vec2(600.0, 400.0));
    story.world.boxes.clear();
    let news = wait(&mut story, 1000);
    assert!(news.contains(&EventKind::Attaches { to: 0 }), "{news:?}");
    assert!(!news.iter().any(|what| matches!(what, EventKind::Talks { .. })), "{news:?}");
}

#[test]
fn in_any_story_moods_change_at_the_right_distances() {
    for seed in SEEDS {
        let news = story(seed, |_, _| {});
        let mut turns = 0;
        for News { what, .. } in &news {
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
fn in_any_story_whoever_felt_threatened_gives_up_and_idles_again() {
    for seed in SEEDS {
        let news = story(seed, |_, _| {});
        let of = |student: usize| news.iter().filter(move |news| news.student == student).map(|news| news.what);
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
fn in_any_story_nobody_lifts_twice_in_a_row() {
    for seed in SEEDS {
        let news = story(seed, |_, _| {});
        let lifts = news.iter().filter(|news| matches!(news.what, EventKind::Lifts { .. })).count();
        assert!(lifts > 5, "seed {seed}: {lifts} lifts");
        for student in 0..5 {
            let of: Vec<_> = news.iter().filter(|news| news.student == student).map(|news| news.what).collect();
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
fn in_any_story_only_those_talk_who_have_met() {
    for seed in SEEDS {
        let mut talks = 0;
        story(seed, |world, news| {
            for News { student, what, .. } in news {
                let EventKind::Talks { to } = what else { continue };
                let (one, other) = (&world.students[*student], &world.students[*to]);
                assert!(one.attached.is_some() && one.attached == other.attached, "seed {seed}");
                assert!(one.position.distance(other.position) <= 80.0, "seed {seed}");
                talks += 1;
            }
        });
        assert!(talks > 1, "seed {seed}: {talks} talks");
    }
}

#[test]
fn the_same_seed_tells_the_same_story() {
    let trace = |seed| Story::new(melee_enemy(), seed).trace(TICKS);
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1), trace(2));
}

#[test]
fn an_enemy_remembers_in_48_bytes() {
    let drawing = Story::new(melee_enemy(), 1).drawing();
    assert_eq!(drawing.last().map(String::as_str), Some("46 nodes, 48 bytes for each enemy"));
}
