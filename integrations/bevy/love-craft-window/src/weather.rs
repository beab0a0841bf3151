//! Draws the rain.

use bevy::prelude::*;
use love_craft::{Town, Weather};

const DROPS: u16 = 240;
const SPEED: f32 = 26.0;
const WIND: f32 = -5.0;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, draw).add_systems(Update, (fall, show));
}

/// A drop of the rain.
#[derive(Component)]
struct Drop;

/// What is shown while it rains.
#[derive(Component)]
struct OfRain;

fn draw(town: Res<Town>, mut commands: Commands) {
    let shade = Sprite::from_color(Color::srgba(0.1, 0.16, 0.32, 0.3), town.size);
    commands.spawn((shade, Transform::from_xyz(0.0, 0.0, 5.0), OfRain, Visibility::Hidden));
    for index in 0..DROPS {
        // Spread evenly, in no visible order.
        let share = |factor: f32| (f32::from(index) * factor).fract() - 0.5;
        let at = (Vec2::new(share(0.618_034), share(0.754_878)) * town.size).extend(6.0);
        let drop = Sprite::from_color(Color::srgba(0.75, 0.85, 1.0, 0.7), Vec2::new(0.07, 0.8) * town.scale);
        let tilted = Transform::from_translation(at).with_rotation(Quat::from_rotation_z(-0.19));
        commands.spawn((drop, tilted, Drop, OfRain, Visibility::Hidden));
    }
}

fn fall(mut drops: Query<&mut Transform, With<Drop>>, weather: Res<Weather>, town: Res<Town>, time: Res<Time>) {
    if !weather.is_raining {
        return;
    }
    let half = town.size / 2.0;
    for mut drop in &mut drops {
        let at = drop.translation.truncate() + Vec2::new(WIND, -SPEED) * time.delta_secs();
        // What falls out below comes in above.
        let inside = (at + half).rem_euclid(town.size) - half;
        drop.translation = inside.extend(drop.translation.z);
    }
}

fn show(mut rain: Query<&mut Visibility, With<OfRain>>, weather: Res<Weather>) {
    let visible = if weather.is_raining { Visibility::Inherited } else { Visibility::Hidden };
    for mut visibility in &mut rain {
        visibility.set_if_neq(visible);
    }
}
