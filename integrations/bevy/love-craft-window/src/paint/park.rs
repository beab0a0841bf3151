//! The park: its ground, trees, benches and gate, and the birds.

use bevy::math::{UVec2, Vec2, vec2};
use bevy::prelude::Image;
use love_craft::{Flight, Site, Town};

use super::canvas::{Canvas, Cell, INK, Pen, faint, rgb};
use super::{balloon, chibi};

/// The pixels of a unit.
const UNIT: f32 = 36.0;
const SITES: [Site; 3] = [Site::Tree, Site::Bench, Site::Gate];

/// Returns the picture of what is at a site.
pub(crate) fn site(site: Site) -> Cell {
    let (column, size, foot) = match site {
        Site::Tree => (0, vec2(6.0, 6.6), 0.06),
        Site::Bench => (220, vec2(3.4, 1.7), 0.1),
        Site::Gate => (350, vec2(3.2, 4.6), 0.05),
    };
    Cell { corner: CORNER + UVec2::new(BIRDS * BIRD.x + column, 0), pixels: (size * UNIT).as_uvec2(), size, foot }
}

/// The corner of the first picture.
const CORNER: UVec2 = UVec2::new(balloon::WIDTH, chibi::ALL_PIXELS.y);
/// The height of all pictures in pixels.
pub(crate) const HEIGHT: u32 = 240;
/// The size of a bird in pixels, and the number of their pictures.
const BIRD: UVec2 = UVec2::new(50, 40);
const BIRDS: u32 = 4;

fn bird_cell(index: u32) -> Cell {
    let corner = CORNER + UVec2::new(index * BIRD.x, 0);
    Cell { corner, pixels: BIRD, size: BIRD.as_vec2() / 50.0, foot: 0.12 }
}

/// Returns the picture of a bird. `step` alternates.
pub(crate) fn bird(flight: Flight, step: bool) -> Cell {
    bird_cell(match (flight, step) {
        (Flight::Standing, _) | (Flight::Pecking, false) => 0,
        (Flight::Pecking, true) => 1,
        (Flight::Flying, false) => 2,
        (Flight::Flying, true) => 3,
    })
}

/// Draws all sites and birds.
pub(crate) fn draw(canvas: &mut Canvas) {
    for one in SITES {
        draw_site(&mut canvas.pen(site(one), UNIT), one);
    }
    for index in 0..BIRDS {
        draw_bird(&mut canvas.pen(bird_cell(index), 50.0), index);
    }
}

fn draw_site(pen: &mut Pen<'_>, site: Site) {
    match site {
        Site::Tree => {
            pen.ellipse(faint(INK, 0.2), Vec2::ZERO, vec2(2.6, 0.38));
            pen.line(rgb(0x6b4a2b), vec2(0.0, 0.15), vec2(0.0, 3.2), 0.7);
            pen.line(rgb(0x6b4a2b), vec2(0.0, 2.0), vec2(0.9, 3.2), 0.35);
            let crown = [(-1.55, 3.5, 1.25), (1.5, 3.5, 1.3), (0.0, 3.25, 1.4), (-0.85, 4.7, 1.25), (0.9, 4.75, 1.2)];
            for (x, y, radius) in crown {
                pen.circle(rgb(0x2f6b3c), vec2(x, y), radius + 0.08);
            }
            for (x, y, radius) in crown {
                pen.circle(rgb(0x3f8f4f), vec2(x, y), radius);
            }
            for (x, y, radius) in crown {
                pen.circle(faint(rgb(0x63b56a), 0.75), vec2(x - 0.25, y + 0.3), radius * 0.6);
            }
        }
        Site::Bench => {
            pen.ellipse(faint(INK, 0.2), Vec2::ZERO, vec2(1.55, 0.14));
            for x in [-1.2, 1.2] {
                pen.line(rgb(0x4a4458), vec2(x, 0.02), vec2(x, 1.1), 0.16);
            }
            for y in [0.5, 0.85, 1.12] {
                pen.rectangle(rgb(0x5a3a1e), vec2(0.0, y), vec2(1.55, 0.13), 0.06);
                pen.rectangle(rgb(0xb07a45), vec2(0.0, y + 0.02), vec2(1.5, 0.09), 0.05);
            }
        }
        Site::Gate => {
            for x in [-1.2, 1.2] {
                pen.rectangle(rgb(0x7d7787), vec2(x, 1.4), vec2(0.28, 1.4), 0.06);
                pen.rectangle(rgb(0x9a94a5), vec2(x - 0.05, 1.4), vec2(0.16, 1.35), 0.05);
                pen.rectangle(rgb(0x5d5868), vec2(x, 0.12), vec2(0.38, 0.12), 0.03);
            }
            pen.fill(rgb(0x5d5868), |at| {
                let from = (at - vec2(0.0, 2.7)).length();
                at.y > 2.7 && from > 1.05 && from < 1.45
            });
            pen.heart(vec2(0.0, 3.95), 0.42);
        }
    }
}

/// Draws a bird that looks to the right.
fn draw_bird(pen: &mut Pen<'_>, index: u32) {
    let [feathers, wing] = [rgb(0x6f5a4a), rgb(0x4d3d33)];
    let is_flying = index >= 2;
    let head = if index == 1 { vec2(0.26, 0.12) } else { vec2(0.22, 0.42) };
    if !is_flying {
        pen.ellipse(faint(INK, 0.2), vec2(0.0, 0.0), vec2(0.26, 0.06));
        pen.line(rgb(0xd98a3d), vec2(-0.03, 0.02), vec2(-0.03, 0.14), 0.05);
        pen.line(rgb(0xd98a3d), vec2(0.07, 0.02), vec2(0.07, 0.14), 0.05);
    }
    pen.ellipse(feathers, vec2(0.0, 0.26), vec2(0.26, 0.18));
    pen.polygon(wing, &[vec2(-0.18, 0.3), vec2(-0.46, 0.4), vec2(-0.4, 0.22)]);
    pen.circle(feathers, head, 0.14);
    pen.polygon(rgb(0xe8a33d), &[head + vec2(0.1, 0.05), head + vec2(0.26, -0.02), head + vec2(0.1, -0.06)]);
    pen.circle(INK, head + vec2(0.04, 0.03), 0.03);
    match index {
        2 => pen.polygon(wing, &[vec2(-0.12, 0.3), vec2(0.14, 0.3), vec2(-0.12, 0.68)]),
        3 => pen.polygon(wing, &[vec2(-0.12, 0.28), vec2(0.14, 0.28), vec2(-0.14, -0.06)]),
        _ => pen.ellipse(wing, vec2(-0.05, 0.28), vec2(0.16, 0.1)),
    }
}

/// Draws the ground: meadow, a way from the gate, flowers.
pub(crate) fn ground(Town { size, scale, .. }: &Town) -> Image {
    let size = *size;
    // A larger park has a coarser ground.
    let unit = 12.0 / scale;
    let pixels = (size * unit).as_uvec2();
    let mut canvas = Canvas::new(pixels);
    let mut pen = canvas.pen(Cell { corner: UVec2::ZERO, pixels, size, foot: 0.5 }, unit);
    pen.fill(rgb(0x9ccf7a), |_| true);
    for (paint, low) in [(rgb(0x94c873), 0.15), (rgb(0xa7d987), 0.75)] {
        pen.fill(paint, |at| {
            let wave =
                (at.x * 0.37 + (at.y * 0.29).sin() * 2.0).sin() * (at.y * 0.41 + (at.x * 0.23).cos() * 2.0).sin();
            (wave * 0.5 + 0.5 - low).abs() < 0.12
        });
    }
    // The way, on which nobody has to walk.
    let from_way = |at: Vec2| (at.y - (at.x * 0.16).sin() * 2.2).abs();
    for (paint, width) in [(rgb(0xc9b68c), 1.7), (rgb(0xdccba3), 1.4)] {
        pen.fill(paint, |at| from_way(at) < width);
    }
    let mut seed = 7_u32;
    let mut chance = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(seed >> 16).unwrap_or(0)) / 65536.0
    };
    for index in 0..90 {
        let at = (vec2(chance(), chance()) - 0.5) * size;
        if from_way(at) > 2.2 {
            let paint = [rgb(0xffffff), rgb(0xf7d64a), rgb(0xe98ab0)][index % 3];
            pen.circle(paint, at, 0.14 * scale);
        }
    }
    canvas.image()
}
