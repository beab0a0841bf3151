//! Draws the park, the chibis and the birds.

use bevy::camera::ScalingMode;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use love_craft::{Bird, Held, Mood, Pose, Position, Role, Site, Town};

use crate::paint::{balloon, chibi, park};

/// The room above and below the park.
pub(crate) const MARGIN: Vec2 = Vec2::new(0.0, 2.4);

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.16, 0.2, 0.2)));
    app.add_systems(Startup, draw_park);
    app.add_systems(Update, (draw_chibis, draw_birds, move_smoothly, show_chibis, show_balloons, show_birds).chain());
}

/// The pictures, each with its cells.
#[derive(Resource)]
struct Pictures {
    chibi: (Handle<Image>, Handle<TextureAtlasLayout>),
    balloon: (Handle<Image>, Handle<TextureAtlasLayout>),
    bird: (Handle<Image>, Handle<TextureAtlasLayout>),
}

/// A balloon above its parent.
#[derive(Component)]
struct Above;

/// Returns a point of the park in the world, whose center is 0. What is in front is drawn over what is behind.
fn place(town: &Town, at: Vec2, height: f32) -> Vec3 {
    let depth = at.y / town.size.y;
    Vec3::new(at.x - town.size.x / 2.0, town.size.y / 2.0 - at.y + height, 1.0 + depth)
}

/// Returns the point of the park at a point of the world.
pub(crate) fn park_point(town: &Town, at: Vec2) -> Vec2 {
    Vec2::new(at.x + town.size.x / 2.0, town.size.y / 2.0 - at.y)
}

/// Returns the point of a picture that is at its place: the middle, at a height of the picture.
const fn foot(height: f32) -> Anchor {
    Anchor(Vec2::new(0.0, height - 0.5))
}

fn draw_park(
    town: Res<Town>,
    mut images: ResMut<Assets<Image>>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    mut commands: Commands,
) {
    let all = town.size + 2.0 * MARGIN;
    let scaling_mode = ScalingMode::AutoMin { min_width: all.x, min_height: all.y };
    commands.spawn((
        Camera2d,
        Projection::Orthographic(OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() }),
    ));
    let ground = Sprite { custom_size: Some(town.size), ..Sprite::from_image(images.add(park::ground(town.size))) };
    commands.spawn(ground);
    for kind in [Site::Tree, Site::Bench, Site::Gate] {
        let image = images.add(park::site(kind));
        let (size, height) = park::size(kind);
        for (_, at) in town.sites.iter().filter(|(site, _)| *site == kind) {
            let sprite = Sprite { custom_size: Some(size), ..Sprite::from_image(image.clone()) };
            // Who sits on a bench is in front of it.
            let behind = if kind == Site::Bench { Vec2::new(0.0, -0.4) } else { Vec2::ZERO };
            commands.spawn((sprite, foot(height), Transform::from_translation(place(&town, *at + behind, 0.0))));
        }
    }
    let mut atlas = |image: Image, cell: UVec2, columns: u32, rows: u32| {
        (images.add(image), layouts.add(TextureAtlasLayout::from_grid(cell, columns, rows, None, None)))
    };
    commands.insert_resource(Pictures {
        chibi: atlas(chibi::image(), chibi::CELL, chibi::COLUMNS, chibi::ROWS),
        balloon: atlas(balloon::image(), balloon::CELL, balloon::COLUMNS, 1),
        bird: atlas(park::birds(), park::BIRD_CELL, park::BIRDS, 1),
    });
}

fn sprite((image, layout): &(Handle<Image>, Handle<TextureAtlasLayout>), size: Vec2) -> Sprite {
    let sprite = Sprite::from_atlas_image(image.clone(), TextureAtlas { layout: layout.clone(), index: 0 });
    Sprite { custom_size: Some(size), ..sprite }
}

/// Draws chibis that have come.
fn draw_chibis(
    new: Query<(Entity, &Position), (With<Role>, Without<Sprite>)>,
    town: Res<Town>,
    pictures: Res<Pictures>,
    mut commands: Commands,
) {
    for (entity, position) in &new {
        let at = Transform::from_translation(place(&town, position.0, 0.0));
        let balloon = (sprite(&pictures.balloon, balloon::SIZE), Above, Visibility::Hidden, Transform::default());
        commands
            .entity(entity)
            .insert((sprite(&pictures.chibi, chibi::SIZE), foot(chibi::FEET), at))
            .with_child(balloon);
    }
}

/// Draws birds that have come.
fn draw_birds(
    new: Query<(Entity, &Position), (With<Bird>, Without<Sprite>)>,
    town: Res<Town>,
    pictures: Res<Pictures>,
    mut commands: Commands,
) {
    for (entity, position) in &new {
        let at = Transform::from_translation(place(&town, position.0, 0.0));
        commands.entity(entity).insert((sprite(&pictures.bird, park::BIRD), foot(0.12), at));
    }
}

/// Moves the pictures between the ticks of the trees. They look to where they go.
fn move_smoothly(
    mut all: Query<(&Position, &mut Transform, &mut Sprite, Has<Held>, Option<&Bird>)>,
    town: Res<Town>,
    time: Res<Time>,
) {
    let part = 1.0 - (-14.0 * time.delta_secs()).exp();
    for (position, mut picture, mut sprite, is_held, bird) in &mut all {
        let is_flying = bird.is_some_and(|bird| bird.flight == love_craft::Flight::Flying);
        let height = if is_held {
            0.7
        } else if is_flying {
            2.0
        } else {
            0.0
        };
        let target = place(&town, position.0, height);
        let way = target - picture.translation;
        if way.length_squared() < 1e-6 {
            continue;
        }
        if way.x.abs() > 0.05 && sprite.flip_x != (way.x < 0.0) {
            sprite.flip_x = way.x < 0.0;
        }
        // What is held follows the hand at once.
        picture.translation =
            if is_held { target.with_z(3.0) } else { (picture.translation + way * part).with_z(target.z) };
    }
}

/// Returns whether it is the first half of a step that takes so many seconds.
fn is_first_half(time: &Time, entity: Entity, seconds: f32) -> bool {
    let offset = f32::from(u8::try_from(entity.index_u32() % 64).unwrap_or(0)) / 64.0;
    (time.elapsed_secs() / seconds + offset).fract() < 0.5
}

fn show_chibis(
    mut chibis: Query<(Entity, &Role, &Mood, &mut Sprite, &Transform, &Position)>,
    time: Res<Time>,
    town: Res<Town>,
) {
    for (entity, role, mood, mut sprite, picture, position) in &mut chibis {
        let is_moving = picture.translation.truncate().distance(place(&town, position.0, 0.0).truncate()) > 0.05;
        // A leaf that has walked may have been halted.
        let pose = if mood.pose == Pose::Walking && !is_moving { Pose::Standing } else { mood.pose };
        let seconds = if pose == Pose::Walking { 0.36 } else { 0.5 };
        show(&mut sprite, chibi::index(role, pose, is_first_half(&time, entity, seconds)));
    }
}

fn show_birds(mut birds: Query<(Entity, &Bird, &mut Sprite)>, time: Res<Time>) {
    for (entity, bird, mut sprite) in &mut birds {
        show(&mut sprite, park::bird_index(bird.flight, is_first_half(&time, entity, 0.24)));
    }
}

fn show_balloons(
    moods: Query<&Mood>,
    mut balloons: Query<(&ChildOf, &mut Sprite, &mut Visibility, &mut Transform), With<Above>>,
    time: Res<Time>,
) {
    for (above, mut sprite, mut visibility, mut at) in &mut balloons {
        let balloon = moods.get(above.parent()).ok().and_then(|mood| mood.balloon);
        let visible = if balloon.is_some() { Visibility::Inherited } else { Visibility::Hidden };
        visibility.set_if_neq(visible);
        if let Some(balloon) = balloon {
            show(&mut sprite, balloon::index(balloon));
            // Over all chibis.
            at.translation = Vec3::new(0.5, 3.0 + 0.06 * (time.elapsed_secs() * 4.0).sin(), 1.5);
        }
    }
}

/// Shows a cell of the picture.
fn show(sprite: &mut Mut<Sprite>, index: usize) {
    if sprite.texture_atlas.as_ref().is_some_and(|atlas| atlas.index != index)
        && let Some(atlas) = &mut sprite.texture_atlas
    {
        atlas.index = index;
    }
}
