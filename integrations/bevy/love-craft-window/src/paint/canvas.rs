//! A canvas on which shapes are drawn with smooth edges.

use bevy::asset::RenderAssetUsages;
use bevy::math::{UVec2, Vec2, vec2};
use bevy::prelude::Image;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

/// A color and its opacity, each from 0 to 1.
pub(crate) type Paint = [f32; 4];

/// Returns an opaque color from 0xRRGGBB.
pub(crate) const fn rgb(color: u32) -> Paint {
    let [_, red, green, blue] = color.to_be_bytes();
    [red as f32 / 255.0, green as f32 / 255.0, blue as f32 / 255.0, 1.0]
}

/// The color of outlines.
pub(crate) const INK: Paint = rgb(0x2a2030);

/// Returns a color with an opacity.
pub(crate) const fn faint([red, green, blue, _]: Paint, opacity: f32) -> Paint {
    [red, green, blue, opacity]
}

/// The samples of a pixel in each direction.
const SAMPLES: u16 = 4;

/// A cell of a canvas: a picture.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    /// The corner above left, and the size, in pixels.
    pub(crate) corner: UVec2,
    pub(crate) pixels: UVec2,
    /// The size in units of the park.
    pub(crate) size: Vec2,
    /// What is at the place of the picture: the middle, at a height from 0 to 1.
    pub(crate) foot: f32,
}

/// A canvas.
pub(crate) struct Canvas {
    size: UVec2,
    pixels: Vec<Paint>,
}

impl Canvas {
    /// Creates a transparent canvas.
    pub(crate) fn new(size: UVec2) -> Self {
        let count = usize::try_from(size.x * size.y).unwrap_or(0);
        Self { size, pixels: vec![[0.0; 4]; count] }
    }

    /// Returns the pen for a cell. Its origin is the place of the picture, and a unit is `unit` pixels.
    pub(crate) fn pen(&mut self, cell: Cell, unit: f32) -> Pen<'_> {
        let pixels = cell.pixels.as_vec2();
        Pen { unit, origin: vec2(pixels.x / 2.0, pixels.y * (1.0 - cell.foot)), cell, canvas: self }
    }

    /// Returns the canvas as an image.
    pub(crate) fn image(self) -> Image {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
        let byte = |value: f32| (value * 255.0).round() as u8;
        let bytes = self.pixels.iter().flat_map(|pixel| pixel.map(byte)).collect();
        let size = Extent3d { width: self.size.x, height: self.size.y, depth_or_array_layers: 1 };
        Image::new(size, TextureDimension::D2, bytes, TextureFormat::Rgba8UnormSrgb, RenderAssetUsages::RENDER_WORLD)
    }
}

/// Draws in a cell of a canvas. The y axis points up.
pub(crate) struct Pen<'a> {
    canvas: &'a mut Canvas,
    cell: Cell,
    unit: f32,
    origin: Vec2,
}

impl Pen<'_> {
    /// Fills what is inside a shape.
    pub(crate) fn fill(&mut self, paint: Paint, is_inside: impl Fn(Vec2) -> bool) {
        let Cell { corner: at, pixels: size, .. } = self.cell;
        for y in 0..size.y {
            for x in 0..size.x {
                let corner = UVec2::new(x, y).as_vec2();
                let samples = (0..SAMPLES * SAMPLES).filter(|sample| {
                    let inside = vec2(f32::from(sample % SAMPLES), f32::from(sample / SAMPLES)) + 0.5;
                    let at = (corner + inside / f32::from(SAMPLES) - self.origin) / self.unit;
                    is_inside(vec2(at.x, -at.y))
                });
                let count = u16::try_from(samples.count()).unwrap_or(0);
                if count > 0 {
                    let share = f32::from(count) / f32::from(SAMPLES * SAMPLES);
                    let index = (at.y + y) * self.canvas.size.x + at.x + x;
                    if let Some(pixel) = self.canvas.pixels.get_mut(usize::try_from(index).unwrap_or(usize::MAX)) {
                        *pixel = over(*pixel, faint(paint, paint[3] * share));
                    }
                }
            }
        }
    }

    /// Fills an ellipse.
    pub(crate) fn ellipse(&mut self, paint: Paint, center: Vec2, radius: Vec2) {
        self.fill(paint, |at| ((at - center) / radius).length_squared() < 1.0);
    }

    /// Fills a circle.
    pub(crate) fn circle(&mut self, paint: Paint, center: Vec2, radius: f32) {
        self.ellipse(paint, center, Vec2::splat(radius));
    }

    /// Draws a line with round ends.
    pub(crate) fn line(&mut self, paint: Paint, from: Vec2, to: Vec2, width: f32) {
        let way = to - from;
        self.fill(paint, |at| {
            let along = ((at - from).dot(way) / way.length_squared().max(1e-6)).clamp(0.0, 1.0);
            (at - from - way * along).length() < width / 2.0
        });
    }

    /// Fills a rectangle with round corners.
    pub(crate) fn rectangle(&mut self, paint: Paint, center: Vec2, half: Vec2, radius: f32) {
        self.fill(paint, |at| ((at - center).abs() - half + radius).max(Vec2::ZERO).length() < radius);
    }

    /// Fills a heart of about twice this size.
    pub(crate) fn heart(&mut self, center: Vec2, size: f32) {
        self.fill(rgb(0xe2365f), |at| {
            let at = (at - center) / size;
            let base = at.x * at.x + at.y * at.y - 0.62;
            base * base * base < at.x * at.x * at.y * at.y * at.y * 1.6
        });
    }

    /// Fills a polygon.
    pub(crate) fn polygon(&mut self, paint: Paint, corners: &[Vec2]) {
        self.fill(paint, |at| {
            let next = corners.iter().cycle().skip(1);
            let is_crossed = |(from, to): &(&Vec2, &Vec2)| {
                (from.y > at.y) != (to.y > at.y) && at.x < (to.x - from.x) * (at.y - from.y) / (to.y - from.y) + from.x
            };
            corners.iter().zip(next).filter(is_crossed).count() % 2 == 1
        });
    }
}

/// Returns a color with another one over it.
fn over(below: Paint, above: Paint) -> Paint {
    let opacity = above[3] + below[3] * (1.0 - above[3]);
    let mix = |index: usize| (above[index] * above[3] + below[index] * below[3] * (1.0 - above[3])) / opacity;
    if opacity > 0.0 { [mix(0), mix(1), mix(2), opacity] } else { below }
}
