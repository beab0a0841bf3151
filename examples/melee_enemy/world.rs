//! The world that the enemies share: a court with boxes and meeting points, students, and the player.

use bt_core::prelude::*;
use glam::{Vec2, vec2};

/// The size of the court.
pub(crate) const COURT: Vec2 = vec2(640.0, 400.0);
/// The duration of a tick.
pub(crate) const TICK: Duration = millis(50);
/// The duration of a tick in seconds.
pub(crate) const DT: f32 = 0.05;
/// The maximum distance between a student and the meeting point it is attached to.
const LEASH: f32 = 40.0;

/// The kinds of things that an enemy can target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(any(test, feature = "inspect"), derive(serde::Serialize))] // for the model in `explored.rs`, and for the inspector's page
pub(crate) enum Kind {
    Player,
    Student,
    Box,
    MeetingPoint,
}

/// A thing in the world: its kind and index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspect", derive(serde::Serialize))]
pub(crate) struct Thing {
    pub(crate) kind: Kind,
    pub(crate) index: usize,
}

/// The mood that a student's face shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspect", derive(serde::Serialize))]
pub(crate) enum Mood {
    Calm,
    Suspicious,
    Threatened,
}

/// The body of an enemy. The state of its tree is stored separately, in its memory.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "inspect", derive(serde::Serialize))]
pub(crate) struct Student {
    /// Its own time, which stands still while a page holds it, and goes back with it.
    pub(crate) now: Duration,
    pub(crate) position: Vec2,
    pub(crate) spawn: Vec2,
    pub(crate) facing: Vec2,
    pub(crate) mood: Mood,
    /// The last target found.
    pub(crate) target: Option<Thing>,
    /// The point to wander to.
    pub(crate) point: Option<Vec2>,
    /// The meeting point that the student is attached to.
    pub(crate) attached: Option<usize>,
    /// The student that this student talks to.
    pub(crate) talks_to: Option<usize>,
    /// The distance that the student keeps from the one that it talks to.
    pub(crate) room: Option<f32>,
    /// The time of the last move in a fight.
    pub(crate) fought: Option<Duration>,
}

/// A box and its current height.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    pub(crate) position: Vec2,
    pub(crate) height: f32,
}

/// The player.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) position: Vec2,
    pub(crate) heading: Vec2,
    pub(crate) hits: u32,
}

/// The state of the world.
pub(crate) struct World {
    pub(crate) now: Duration,
    pub(crate) player: Player,
    pub(crate) students: Vec<Student>,
    pub(crate) boxes: Vec<Lifted>,
    pub(crate) meeting_points: Vec<Vec2>,
    pub(crate) random: fastrand::Rng,
    /// The events since the log was last drained.
    pub(crate) log: Vec<LogEntry>,
}

/// An event with its time and student.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LogEntry {
    pub(crate) at: Duration,
    pub(crate) student: usize,
    pub(crate) what: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum EventKind {
    Turns { mood: Mood, distance: f32 },
    Strikes,
    Lifts { which: usize },
    Drops { which: usize },
    Attaches { to: usize },
    Talks { to: usize },
    Wanders,
}

/// The context of the tree: a student in the world.
pub(crate) struct Enemy<'w> {
    pub(crate) world: &'w mut World,
    pub(crate) id: usize,
}

impl Clock for Enemy<'_> {
    fn now(&self) -> Duration {
        self.world.students[self.id].now
    }
}

impl World {
    /// Creates a court with five students.
    pub(crate) fn new(seed: u64) -> Self {
        let students =
            [vec2(100.0, 80.0), vec2(200.0, 120.0), vec2(480.0, 90.0), vec2(120.0, 300.0), vec2(420.0, 260.0)];
        let boxes = [vec2(60.0, 130.0), vec2(220.0, 70.0), vec2(530.0, 150.0), vec2(170.0, 330.0), vec2(380.0, 220.0)];
        Self {
            now: Duration::ZERO,
            player: Player { position: vec2(610.0, 380.0), heading: Vec2::ZERO, hits: 0 },
            students: students.map(Student::at).to_vec(),
            boxes: boxes.map(|position| Lifted { position, height: 0.0 }).to_vec(),
            meeting_points: vec![vec2(150.0, 150.0), vec2(450.0, 180.0)],
            random: fastrand::Rng::with_seed(seed),
            log: Vec::new(),
        }
    }

    /// Advances the time: moves the player and lets boxes fall.
    pub(crate) fn step(&mut self) {
        const FALL: f32 = 30.0;
        self.now += TICK;
        self.player.position = (self.player.position + self.player.heading * DT).clamp(Vec2::ZERO, COURT);
        for thing in &mut self.boxes {
            thing.height = (thing.height - FALL * DT).max(0.0);
        }
        for student in &mut self.students {
            let point = student.attached.and_then(|point| self.meeting_points.get(point));
            if point.is_some_and(|point| point.distance(student.position) > LEASH) {
                student.attached = None;
            }
        }
    }

    /// Returns the position of a thing.
    pub(crate) fn position(&self, thing: Thing) -> Option<Vec2> {
        match thing.kind {
            Kind::Player => Some(self.player.position),
            Kind::Student => self.students.get(thing.index).map(|student| student.position),
            Kind::Box => self.boxes.get(thing.index).map(|thing| thing.position),
            Kind::MeetingPoint => self.meeting_points.get(thing.index).copied(),
        }
    }

    /// Returns all things of a kind.
    pub(crate) fn things(&self, kind: Kind) -> impl Iterator<Item = Thing> + use<> {
        let count = match kind {
            Kind::Player => 1,
            Kind::Student => self.students.len(),
            Kind::Box => self.boxes.len(),
            Kind::MeetingPoint => self.meeting_points.len(),
        };
        (0..count).map(move |index| Thing { kind, index })
    }
}

impl Student {
    fn at(position: Vec2) -> Self {
        Self {
            now: Duration::ZERO,
            position,
            spawn: position,
            facing: Vec2::X,
            mood: Mood::Calm,
            target: None,
            point: None,
            attached: None,
            talks_to: None,
            room: None,
            fought: None,
        }
    }
}

impl Enemy<'_> {
    pub(crate) fn me(&mut self) -> &mut Student {
        &mut self.world.students[self.id]
    }

    pub(crate) fn position(&self) -> Vec2 {
        self.world.students[self.id].position
    }

    pub(crate) fn distance(&self, to: Vec2) -> f32 {
        self.position().distance(to)
    }

    /// Returns the position of the target, if any.
    pub(crate) fn target(&self) -> Option<Vec2> {
        self.world.students[self.id].target.and_then(|target| self.world.position(target))
    }

    /// Clears the target if it is still `thing`.
    pub(crate) fn forget(&mut self, thing: Thing) {
        let me = self.me();
        me.target = me.target.filter(|target| *target != thing);
    }

    pub(crate) fn turn_to(&mut self, to: Vec2) {
        let position = self.position();
        self.me().facing = (to - position).normalize_or(Vec2::X);
    }

    /// Moves towards a point for one tick.
    pub(crate) fn go(&mut self, to: Vec2, speed: f32) {
        self.turn_to(to);
        let me = self.me();
        me.position = (me.position + (to - me.position).clamp_length_max(speed * DT)).clamp(Vec2::ZERO, COURT);
    }

    pub(crate) fn log(&mut self, what: EventKind) {
        self.world.log.push(LogEntry { at: self.world.now, student: self.id, what });
    }

    pub(crate) fn make_face(&mut self, mood: Mood) {
        if self.me().mood != mood {
            self.me().mood = mood;
            let distance = self.distance(self.world.player.position);
            self.log(EventKind::Turns { mood, distance });
        }
    }
}
