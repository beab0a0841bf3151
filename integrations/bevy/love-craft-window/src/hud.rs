//! The texts: the level, its result, and what to do.

use bevy::prelude::*;
use love_craft::{Level, Town};

use crate::draw::MARGIN;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, write).add_systems(Update, (show_level, show_result));
}

const FONT_SIZE: f32 = 56.0;
const HELP: &str = "Drag a chibi to another one in the same color. Carry the meddlers in black away.";

/// The line about the level.
#[derive(Component)]
struct OfLevel;

/// The result of the last level.
#[derive(Component)]
struct OfResult;

/// Returns a text of a height at a point of the world.
fn text(text: &str, at: Vec3, height: f32) -> impl Bundle {
    let font = TextFont { font_size: FONT_SIZE.into(), ..TextFont::default() };
    let place = Transform::from_translation(at).with_scale(Vec3::splat(height / FONT_SIZE));
    (Text2d::new(text), font, TextColor(Color::WHITE), place)
}

fn write(town: Res<Town>, mut commands: Commands) {
    let scale = town.scale;
    let edge = town.size.y.midpoint(MARGIN.y);
    commands.spawn((text("", Vec3::new(0.0, edge, 10.0), 1.5 * scale), OfLevel));
    commands.spawn(text(HELP, Vec3::new(0.0, -edge, 10.0), 0.95 * scale));
    commands.spawn((text("", Vec3::new(0.0, 0.0, 10.0), 3.4 * scale), OfResult)).with_child((
        Sprite::from_color(Color::srgba(0.1, 0.08, 0.14, 0.75), Vec2::new(860.0, 110.0)),
        Transform::from_xyz(0.0, 0.0, -0.1),
    ));
}

fn show_level(mut text: Query<&mut Text2d, With<OfLevel>>, level: Res<Level>, time: Res<Time<Fixed>>) {
    for mut text in &mut text {
        let now = level.text(time.elapsed());
        if text.0 != now {
            text.0 = now;
        }
    }
}

fn show_result(mut text: Query<(&mut Text2d, &mut Visibility), With<OfResult>>, level: Res<Level>) {
    for (mut text, mut visibility) in &mut text {
        let result = level.result.map(|(_, is_reached)| if is_reached { "Next level!" } else { "Try again!" });
        visibility.set_if_neq(if result.is_some() { Visibility::Inherited } else { Visibility::Hidden });
        if let Some(result) = result
            && text.0 != result
        {
            result.clone_into(&mut text.0);
        }
    }
}
