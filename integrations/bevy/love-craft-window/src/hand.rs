//! The player's hand: the mouse, or a finger.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use love_craft::{Town, carry, pick_up, put_down};

use crate::draw::park_point;

/// A chibi is held at the middle of its body.
const GRIP: Vec2 = Vec2::new(0.0, 1.0);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, (point, act).chain()).init_resource::<Pointer>();
}

/// The input of the player in this frame.
#[derive(Resource, Default)]
struct Pointer {
    /// A point of the park.
    at: Option<Vec2>,
    is_pressed: bool,
    is_released: bool,
}

fn point(
    mut pointer: ResMut<Pointer>,
    window: Query<&Window, With<PrimaryWindow>>,
    camera: Query<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    town: Res<Town>,
) {
    let (Ok(window), Ok((camera, transform))) = (window.single(), camera.single()) else { return };
    let finger = touches.first_pressed_position();
    let at = finger.or_else(|| window.cursor_position());
    let at = at.and_then(|at| camera.viewport_to_world_2d(transform, at).ok());
    *pointer = Pointer {
        at: at.map(|at| park_point(&town, at) + GRIP),
        is_pressed: touches.any_just_pressed() || buttons.just_pressed(MouseButton::Left),
        is_released: touches.any_just_released()
            || touches.any_just_canceled()
            || buttons.just_released(MouseButton::Left)
            || !window.focused,
    };
}

fn act(world: &mut World) {
    let Pointer { at, is_pressed, is_released } = *world.resource::<Pointer>();
    if let Some(at) = at {
        if is_pressed {
            pick_up(world, at);
        }
        carry(world, at);
    }
    if is_released {
        put_down(world);
    }
}
