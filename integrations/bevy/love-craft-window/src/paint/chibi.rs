//! Pictures of chibis.

use bevy::math::{UVec2, Vec2, vec2};
use love_craft::{Pose, Role, Topic};

use super::canvas::{Canvas, Cell, INK, Paint, Pen, faint, rgb};

/// The size of a picture in pixels, and the pixels of a unit.
const PIXELS: UVec2 = UVec2::new(112, 128);
const UNIT: f32 = 42.667;
/// A row per clothes: the topics, and the coat of meddlers. A column per hair and frame.
const ROWS: u32 = 7;
const HAIRS: u32 = 4;
const FRAMES: u32 = 7;
/// The size of all pictures in pixels.
pub(crate) const ALL_PIXELS: UVec2 = UVec2::new(PIXELS.x * HAIRS * FRAMES, PIXELS.y * ROWS);

/// A picture of a pose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    Stand,
    Left,
    Right,
    Talk,
    Sit,
    Kiss,
    Dangle,
}

const ALL: [Frame; FRAMES as usize] =
    [Frame::Stand, Frame::Left, Frame::Right, Frame::Talk, Frame::Sit, Frame::Kiss, Frame::Dangle];

fn cell(row: u32, hair: u32, frame: Frame) -> Cell {
    let corner = UVec2::new(hair * FRAMES + frame as u32, row) * PIXELS;
    Cell { corner, pixels: PIXELS, size: PIXELS.as_vec2() / UNIT, foot: 0.08 }
}

/// The color of the clothes of chibis that like a topic.
pub(crate) const fn color(topic: Topic) -> Paint {
    rgb(match topic {
        Topic::Music => 0x3f7fd0,
        Topic::Flowers => 0xe56a9b,
        Topic::Cake => 0xf0b429,
        Topic::Stars => 0x7d5fc7,
        Topic::Ships => 0x2fa7a0,
        Topic::Cats => 0xe07b39,
    })
}

/// Returns the picture of a chibi. `step` alternates while it walks or talks.
pub(crate) fn picture(role: Role, pose: Pose, step: bool) -> Cell {
    let topic = Topic::ALL.into_iter().zip(0..).find(|(topic, _)| *topic == role.topic);
    let row = if role.is_meddler { ROWS - 1 } else { topic.map_or(0, |(_, row)| row) };
    let frame = match (pose, step) {
        (Pose::Standing, _) | (Pose::Talking, false) => Frame::Stand,
        (Pose::Walking, true) => Frame::Left,
        (Pose::Walking, false) => Frame::Right,
        (Pose::Talking, true) => Frame::Talk,
        (Pose::Sitting, _) => Frame::Sit,
        (Pose::Kissing, _) => Frame::Kiss,
        (Pose::Dangling, _) => Frame::Dangle,
    };
    cell(row, u32::from(role.looks) % HAIRS, frame)
}

/// Draws all chibis in all poses.
pub(crate) fn draw(canvas: &mut Canvas) {
    let topics = Topic::ALL.into_iter().map(Some).chain([None]);
    for (topic, row) in topics.zip(0..) {
        for hair in 0..HAIRS {
            for frame in ALL {
                body(&mut canvas.pen(cell(row, hair, frame), UNIT), topic, hair, frame);
            }
        }
    }
}

/// Draws a chibi that looks to the right. Without a topic, it is a meddler.
fn body(pen: &mut Pen<'_>, topic: Option<Topic>, hair: u32, frame: Frame) {
    let clothes = topic.map_or(rgb(0x4a4458), color);
    let skin = [rgb(0xffdcc0), rgb(0xf3c49b), rgb(0xc98d5f), rgb(0xffe4d0)][hair as usize];
    let hairs = [rgb(0x5b3a1e), rgb(0x2b2430), rgb(0xd9a441), rgb(0xa8442f)];
    let locks = topic.map_or(rgb(0x1c1a22), |topic| hairs[(hair as usize + topic as usize) % 4]);
    let dark = |[red, green, blue, opacity]: Paint| [red * 0.75, green * 0.75, blue * 0.75, opacity];
    // How much the body is lower than that of one who stands.
    let down = if frame == Frame::Sit { 0.22 } else { 0.0 };
    if frame != Frame::Dangle {
        pen.ellipse(faint(INK, 0.22), vec2(0.0, 0.03), vec2(0.56, 0.15));
    }
    // Legs.
    let feet = match frame {
        Frame::Stand | Frame::Talk | Frame::Kiss => [vec2(-0.17, 0.1), vec2(0.17, 0.1)],
        Frame::Left => [vec2(-0.34, 0.16), vec2(0.3, 0.1)],
        Frame::Right => [vec2(-0.28, 0.1), vec2(0.34, 0.18)],
        Frame::Sit => [vec2(0.3, 0.14), vec2(0.44, 0.1)],
        Frame::Dangle => [vec2(-0.3, 0.05), vec2(0.26, 0.0)],
    };
    for (foot, hip) in feet.into_iter().zip([-0.15, 0.15]) {
        pen.line(rgb(0x3b3a4a), vec2(hip, 0.5 - down), foot, 0.22);
        pen.ellipse(INK, foot + vec2(0.05, -0.02), vec2(0.18, 0.11));
    }
    // The arm behind, the body, the arm in front.
    let shoulder = vec2(0.28, 0.86 - down);
    let hand = match frame {
        Frame::Stand | Frame::Sit => vec2(0.42, 0.55 - down),
        Frame::Left => vec2(0.2, 0.5),
        Frame::Right => vec2(0.52, 0.6),
        Frame::Talk => vec2(0.68, 0.98),
        Frame::Kiss => vec2(0.62, 0.84),
        Frame::Dangle => vec2(0.62, 1.25),
    };
    let other = match frame {
        Frame::Left => vec2(-0.52, 0.6),
        Frame::Right => vec2(-0.2, 0.5),
        Frame::Dangle => vec2(-0.62, 1.25),
        Frame::Stand | Frame::Talk | Frame::Sit | Frame::Kiss => vec2(-0.42, 0.55 - down),
    };
    pen.line(dark(clothes), shoulder * vec2(-1.0, 1.0), other, 0.2);
    pen.circle(skin, other, 0.11);
    pen.line(INK, vec2(0.0, 0.52 - down), vec2(0.0, 0.82 - down), 0.72);
    pen.line(clothes, vec2(0.0, 0.53 - down), vec2(0.0, 0.82 - down), 0.64);
    pen.ellipse(dark(clothes), vec2(0.0, 0.32 - down), vec2(0.29, 0.08));
    pen.line(clothes, shoulder, hand, 0.2);
    pen.circle(skin, hand, 0.11);
    head(pen, vec2(0.0, 1.5 - down), skin, locks, hair, topic.is_none(), frame);
}

fn head(pen: &mut Pen<'_>, at: Vec2, skin: Paint, locks: Paint, hair: u32, is_meddler: bool, frame: Frame) {
    const RADIUS: f32 = 0.6;
    // Behind the head.
    match hair {
        1 => pen.rectangle(locks, at - vec2(0.06, 0.14), vec2(0.66, 0.56), 0.3),
        2 => pen.ellipse(locks, at + vec2(-0.72, 0.05), vec2(0.22, 0.42)),
        3 => [-0.42, 0.42].into_iter().for_each(|x| pen.circle(locks, at + vec2(x, 0.58), 0.22)),
        _ => (),
    }
    pen.circle(INK, at, RADIUS + 0.04);
    pen.circle(skin, at, RADIUS);
    // The hair above a wavy line.
    let fringe = |at: Vec2| 0.12 + 0.1 * (at.x * 6.0 + f32::from(u8::try_from(hair).unwrap_or(0))).sin() - 0.25 * at.x;
    pen.fill(locks, |point| {
        let point = point - at;
        point.length() < RADIUS + 0.05 && point.y > fringe(point).max(-0.1)
    });
    // The face, which looks to the right.
    let eyes = [at + vec2(-0.08, -0.08), at + vec2(0.32, -0.08)];
    for eye in eyes {
        if frame == Frame::Kiss {
            pen.line(INK, eye - vec2(0.09, 0.0), eye + vec2(0.09, 0.02), 0.05);
        } else {
            pen.ellipse(INK, eye, vec2(0.075, 0.13));
            pen.circle(rgb(0xffffff), eye + vec2(0.025, 0.05), 0.035);
        }
    }
    if is_meddler {
        pen.line(INK, eyes[0] + vec2(-0.12, 0.24), eyes[0] + vec2(0.12, 0.15), 0.06);
        pen.line(INK, eyes[1] + vec2(-0.12, 0.15), eyes[1] + vec2(0.12, 0.24), 0.06);
        // A hat.
        pen.rectangle(INK, at + vec2(0.0, 0.78), vec2(0.36, 0.3), 0.06);
        pen.rectangle(rgb(0x8d2f3f), at + vec2(0.0, 0.6), vec2(0.36, 0.08), 0.02);
        pen.rectangle(INK, at + vec2(0.0, 0.5), vec2(0.66, 0.07), 0.06);
    }
    for cheek in [vec2(-0.22, -0.26), vec2(0.42, -0.26)] {
        pen.ellipse(faint(rgb(0xff7f7f), 0.45), at + cheek, vec2(0.1, 0.06));
    }
    let mouth = at + vec2(0.12, -0.32);
    match frame {
        Frame::Talk | Frame::Dangle => pen.ellipse(rgb(0x9c2f3a), mouth, vec2(0.09, 0.1)),
        Frame::Kiss => pen.circle(rgb(0xc24a5a), mouth + vec2(0.14, 0.02), 0.06),
        Frame::Stand | Frame::Left | Frame::Right | Frame::Sit => {
            pen.line(INK, mouth - vec2(0.07, 0.0), mouth + vec2(0.07, 0.0), 0.04);
        }
    }
}
