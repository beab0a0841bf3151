//! Balloons: what chibis say and feel.

use bevy::math::{UVec2, Vec2, vec2};
use love_craft::{Balloon, Topic};

use super::canvas::{Canvas, Cell, INK, Paint, Pen, rgb};
use super::chibi;

/// The size of a picture in pixels.
const PIXELS: UVec2 = UVec2::new(72, 72);
/// The corner of the first picture.
const CORNER: UVec2 = UVec2::new(0, chibi::ALL_PIXELS.y);
/// The width of all pictures in pixels.
pub(crate) const WIDTH: u32 = PIXELS.x * COUNT;

/// All balloons, in the order of their pictures.
const COUNT: u32 = 15;
const ALL: [Balloon; COUNT as usize] = [
    Balloon::Topic(Topic::Music),
    Balloon::Topic(Topic::Flowers),
    Balloon::Topic(Topic::Cake),
    Balloon::Topic(Topic::Stars),
    Balloon::Topic(Topic::Ships),
    Balloon::Topic(Topic::Cats),
    Balloon::Heart,
    Balloon::Tears,
    Balloon::Anger,
    Balloon::Smile,
    Balloon::Bored,
    Balloon::Gossip,
    Balloon::Hello,
    Balloon::Rain,
    Balloon::Seeds,
];
fn cell(index: u32) -> Cell {
    // The middle of the balloon, without its tail.
    Cell { corner: CORNER + UVec2::new(index * PIXELS.x, 0), pixels: PIXELS, size: Vec2::splat(1.5), foot: 0.56 }
}

/// Returns the picture of a balloon.
pub(crate) fn picture(balloon: Balloon) -> Cell {
    let found = ALL.into_iter().zip(0..).find(|(one, _)| *one == balloon);
    cell(found.map_or(0, |(_, index)| index))
}

/// Draws all balloons.
pub(crate) fn draw(canvas: &mut Canvas) {
    for (balloon, index) in ALL.into_iter().zip(0..) {
        // The inner part goes from -1 to 1.
        let mut pen = canvas.pen(cell(index), 20.0);
        for (paint, by) in [(INK, 0.0), (rgb(0xffffff), 0.1)] {
            pen.polygon(paint, &[vec2(-0.4, -1.1), vec2(0.35 - by, -1.1), vec2(-0.25, -1.85 + 2.0 * by)]);
            pen.rectangle(paint, Vec2::ZERO, vec2(1.65 - by, 1.45 - by), 0.8 - by);
        }
        icon(&mut pen, balloon);
    }
}

fn icon(pen: &mut Pen<'_>, balloon: Balloon) {
    match balloon {
        Balloon::Topic(topic) => of_topic(pen, topic, chibi::color(topic)),
        Balloon::Heart => pen.heart(vec2(0.0, -0.1), 0.95),
        Balloon::Tears => {
            let blue = rgb(0x4a90d9);
            for (x, y) in [(-0.45, -0.2), (0.45, 0.1)] {
                pen.circle(blue, vec2(x, y - 0.25), 0.36);
                pen.polygon(blue, &[vec2(x - 0.33, y - 0.1), vec2(x + 0.33, y - 0.1), vec2(x, y + 0.75)]);
            }
        }
        Balloon::Anger => {
            let red = rgb(0xd93b3b);
            pen.line(red, vec2(-0.35, 0.9), vec2(-0.3, -0.15), 0.42);
            pen.circle(red, vec2(-0.3, -0.75), 0.25);
            pen.line(red, vec2(0.4, 0.9), vec2(0.35, -0.15), 0.42);
            pen.circle(red, vec2(0.35, -0.75), 0.25);
        }
        Balloon::Smile => {
            pen.circle(rgb(0xf7cf46), Vec2::ZERO, 1.05);
            [-0.35, 0.35].into_iter().for_each(|x| pen.ellipse(INK, vec2(x, 0.3), vec2(0.13, 0.2)));
            pen.fill(INK, |at| {
                let from = (at - vec2(0.0, 0.05)).length();
                at.y < -0.1 && from > 0.52 && from < 0.72
            });
        }
        Balloon::Bored => {
            for (at, size) in [(vec2(-0.5, -0.35), 0.45), (vec2(0.45, 0.3), 0.6)] {
                let corner = |x: f32, y: f32| at + vec2(x, y) * size;
                pen.line(INK, corner(-1.0, 1.0), corner(1.0, 1.0), 0.2);
                pen.line(INK, corner(1.0, 1.0), corner(-1.0, -1.0), 0.2);
                pen.line(INK, corner(-1.0, -1.0), corner(1.0, -1.0), 0.2);
            }
        }
        Balloon::Gossip => {
            for y in [-0.6, 0.0, 0.6] {
                pen.fill(rgb(0x6b3fa0), |at| at.x.abs() < 1.1 && (at.y - y - 0.16 * (at.x * 7.0).sin()).abs() < 0.11);
            }
        }
        Balloon::Hello => {
            let green = rgb(0x3a9d4f);
            pen.line(green, vec2(0.0, 0.95), vec2(0.0, -0.15), 0.45);
            pen.circle(green, vec2(0.0, -0.8), 0.28);
        }
        Balloon::Rain => {
            let gray = rgb(0x8b97a8);
            [(-0.5, 0.3, 0.45), (0.1, 0.5, 0.55), (0.6, 0.25, 0.42)]
                .into_iter()
                .for_each(|(x, y, radius)| pen.circle(gray, vec2(x, y), radius));
            [-0.6, 0.0, 0.6]
                .into_iter()
                .for_each(|x| pen.line(rgb(0x4a90d9), vec2(x + 0.1, -0.3), vec2(x - 0.1, -0.95), 0.18));
        }
        Balloon::Seeds => {
            for (x, y) in [(-0.6, 0.4), (0.1, 0.6), (0.65, 0.1), (-0.2, -0.1), (-0.7, -0.55), (0.4, -0.6)] {
                pen.ellipse(rgb(0x8a5a2b), vec2(x, y), vec2(0.24, 0.16));
            }
        }
    }
}

fn of_topic(pen: &mut Pen<'_>, topic: Topic, paint: Paint) {
    match topic {
        Topic::Music => {
            [(-0.5, -0.65), (0.6, -0.45)]
                .into_iter()
                .for_each(|(x, y)| pen.ellipse(paint, vec2(x, y), vec2(0.38, 0.3)));
            pen.line(paint, vec2(-0.2, -0.6), vec2(-0.2, 0.75), 0.18);
            pen.line(paint, vec2(0.9, -0.4), vec2(0.9, 0.95), 0.18);
            pen.line(paint, vec2(-0.2, 0.7), vec2(0.9, 0.9), 0.32);
        }
        Topic::Flowers => {
            for turn in [0.0_f32, 1.0, 2.0, 3.0, 4.0] {
                pen.circle(paint, Vec2::from_angle(turn * core::f32::consts::TAU / 5.0 + 0.3) * 0.6, 0.45);
            }
            pen.circle(rgb(0xf7cf46), Vec2::ZERO, 0.38);
        }
        Topic::Cake => {
            pen.rectangle(paint, vec2(0.0, -0.45), vec2(0.95, 0.5), 0.12);
            pen.rectangle(rgb(0xfff1d6), vec2(0.0, 0.02), vec2(0.95, 0.22), 0.15);
            pen.rectangle(INK, vec2(0.0, 0.02), vec2(0.95, 0.03), 0.02);
            pen.line(rgb(0xe2365f), vec2(0.0, 0.3), vec2(0.0, 0.7), 0.16);
            pen.circle(rgb(0xf7cf46), vec2(0.0, 0.9), 0.16);
        }
        Topic::Stars => {
            let corner = |index: u8| {
                let radius = if index.is_multiple_of(2) { 1.15 } else { 0.48 };
                Vec2::from_angle(core::f32::consts::FRAC_PI_2 + f32::from(index) * core::f32::consts::PI / 5.0) * radius
            };
            pen.polygon(paint, &core::array::from_fn::<_, 10, _>(|index| corner(u8::try_from(index).unwrap_or(0))));
        }
        Topic::Ships => {
            pen.polygon(paint, &[vec2(-1.1, -0.3), vec2(1.1, -0.3), vec2(0.7, -0.95), vec2(-0.7, -0.95)]);
            pen.polygon(INK, &[vec2(-0.06, -0.3), vec2(0.06, -0.3), vec2(0.06, 1.1), vec2(-0.06, 1.1)]);
            pen.polygon(paint, &[vec2(0.12, 1.05), vec2(0.12, -0.15), vec2(0.95, -0.15)]);
            pen.polygon(paint, &[vec2(-0.12, 0.8), vec2(-0.12, -0.15), vec2(-0.75, -0.15)]);
        }
        Topic::Cats => {
            pen.ellipse(paint, vec2(0.0, -0.2), vec2(0.95, 0.75));
            for side in [-1.0, 1.0] {
                pen.polygon(paint, &[vec2(side * 0.9, -0.1), vec2(side * 0.8, 1.0), vec2(side * 0.2, 0.45)]);
                pen.ellipse(INK, vec2(side * 0.38, -0.1), vec2(0.12, 0.2));
            }
            pen.polygon(INK, &[vec2(-0.12, -0.4), vec2(0.12, -0.4), vec2(0.0, -0.55)]);
        }
    }
}
