//! The context of the tree: a box of 200 x 60 on a canvas of 800 x 600, and a mouse.

use bt_core::prelude::*;
use glam::{Vec2, vec2};

/// The size of the canvas.
pub(crate) const CANVAS: Vec2 = vec2(800.0, 600.0);
/// The size of the box.
pub(crate) const SIZE: Vec2 = vec2(200.0, 60.0);
/// The duration of a tick.
pub(crate) const TICK: Duration = millis(50);
/// The maximum distance that the simulated mouse moves per tick.
const REACH: f32 = 40.0;

/// The colors of the box.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub(crate) enum Paint {
    Blue,
    Red,
}

/// The context of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The upper left corner of the box.
    pub(crate) position: Vec2,
    pub(crate) color: Paint,
    pub(crate) mouse: Option<Vec2>,
    pub(crate) jumps: u32,
    now: Duration,
    random: fastrand::Rng,
    /// The time until which the simulated mouse rests.
    rests: Duration,
    aim: Vec2,
}

impl Clock for Scene {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Scene {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            position: (CANVAS - SIZE) / 2.0,
            color: Paint::Blue,
            mouse: None,
            jumps: 0,
            now: Duration::ZERO,
            random: fastrand::Rng::with_seed(seed),
            rests: Duration::ZERO,
            aim: Vec2::ZERO,
        }
    }

    /// Returns the values shown in the inspector.
    pub(crate) fn values(&self) -> impl serde::Serialize + use<> {
        serde_json::json!({ "position": self.position, "color": self.color, "mouse": self.mouse, "jumps": self.jumps })
    }

    pub(crate) fn step(&mut self) {
        self.now += TICK;
    }

    pub(crate) fn is_mouse_over(&self) -> bool {
        self.mouse.is_some_and(|mouse| {
            let inside = mouse - self.position;
            inside.cmpge(Vec2::ZERO).all() && inside.cmplt(SIZE).all()
        })
    }

    /// Moves the upper left corner of the box to a random point of the canvas. As in the article, a part of the box may be outside.
    pub(crate) fn jump(&mut self) {
        self.position = self.random_point();
        self.jumps += 1;
    }

    fn random_point(&mut self) -> Vec2 {
        vec2(self.random.f32(), self.random.f32()) * CANVAS
    }

    /// Moves the simulated mouse: usually towards the box, sometimes to a random point.
    pub(crate) fn move_mouse(&mut self) {
        let mouse = self.mouse.unwrap_or(Vec2::ZERO);
        if self.now >= self.rests && mouse.distance(self.aim) < 1.0 {
            let interested = self.random.u8(0..4) > 0;
            let visible = (self.position + SIZE).min(CANVAS);
            self.aim = if interested { self.position.midpoint(visible) } else { self.random_point() };
            self.rests = self.now + millis(self.random.u64(100..900));
        }
        self.mouse = Some(mouse + (self.aim - mouse).clamp_length_max(REACH));
    }

    /// Returns descriptions of the changes since `before`.
    pub(crate) fn changes_since(&self, before: &Self) -> impl Iterator<Item = String> {
        let hover = (self.is_mouse_over() != before.is_mouse_over()).then(|| {
            if self.is_mouse_over() { "the mouse enters the box" } else { "the mouse leaves the box" }.to_owned()
        });
        let color = (self.color != before.color).then(|| format!("the box turns {:?}", self.color));
        let jump = (self.jumps != before.jumps)
            .then(|| format!("the box jumps to {:.0}, {:.0}", self.position.x, self.position.y));
        [hover, color, jump].into_iter().flatten()
    }
}
