//! Draws the park, the chibis and the birds: one mesh of all pictures, from back to front, so that thousands are one call of the graphics card.

use bevy::asset::RenderAssetUsages;
use bevy::camera::ScalingMode;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::sprite_render::AlphaMode2d;
use love_craft::{Bird, Flight, Held, Mood, Pose, Position, Role, Site, Town};

use crate::paint::{Cell, SHEET, balloon, chibi, park, sheet};

/// The room beside the park, and above and below it.
pub(crate) const MARGIN: Vec2 = Vec2::new(0.0, 2.4);

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.16, 0.2, 0.2)));
    app.add_systems(Startup, draw_park);
    app.add_systems(Update, (appear, move_smoothly, draw).chain());
}

/// Where a picture is shown, between the ticks of the trees.
#[derive(Component)]
struct Shown {
    at: Vec2,
    is_moving: bool,
    looks_left: bool,
}

/// The mesh of all pictures.
#[derive(Component)]
struct Pictures;

/// Returns a point of the park in the world, whose center is 0.
fn place(town: &Town, at: Vec2) -> Vec2 {
    Vec2::new(at.x - town.size.x / 2.0, town.size.y / 2.0 - at.y)
}

/// Returns the point of the park at a point of the world.
pub(crate) fn park_point(town: &Town, at: Vec2) -> Vec2 {
    Vec2::new(at.x + town.size.x / 2.0, town.size.y / 2.0 - at.y)
}

fn draw_park(
    town: Res<Town>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let all = town.size + 2.0 * MARGIN;
    let scaling_mode = ScalingMode::AutoMin { min_width: all.x, min_height: all.y };
    let projection = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    // The pictures have smooth edges.
    commands.spawn((Camera2d, Msaa::Off, Projection::Orthographic(projection)));
    let ground = Sprite { custom_size: Some(town.size), ..Sprite::from_image(images.add(park::ground(&town))) };
    commands.spawn(ground);
    let material = ColorMaterial {
        alpha_mode: AlphaMode2d::Blend,
        texture: Some(images.add(sheet())),
        ..ColorMaterial::default()
    };
    commands.spawn((
        Pictures,
        Mesh2d(meshes.add(Quads::default().mesh())),
        MeshMaterial2d(materials.add(material)),
        Transform::from_xyz(0.0, 0.0, 1.0),
        NoFrustumCulling,
    ));
}

type New = (Without<Shown>, Or<(With<Role>, With<Bird>)>);

/// Shows new chibis and birds.
fn appear(new: Query<(Entity, &Position), New>, mut commands: Commands) {
    for (entity, position) in &new {
        commands.entity(entity).insert(Shown { at: position.0, is_moving: false, looks_left: false });
    }
}

/// Moves the pictures between the ticks of the trees, facing their direction.
fn move_smoothly(mut all: Query<(&Position, &mut Shown, Has<Held>)>, time: Res<Time>) {
    let part = 1.0 - (-14.0 * time.delta_secs()).exp();
    for (position, mut shown, is_held) in &mut all {
        let way = position.0 - shown.at;
        if way.x.abs() > 0.05 {
            shown.looks_left = way.x < 0.0;
        }
        shown.is_moving = way.length() > 0.05;
        // What is held follows the hand at once.
        shown.at = if is_held { position.0 } else { shown.at + way * part };
    }
}

/// Returns whether it is the first half of a step that takes `seconds`.
fn is_first_half(time: &Time, entity: Entity, seconds: f32) -> bool {
    let offset = f32::from(u8::try_from(entity.index_u32() % 64).unwrap_or(0)) / 64.0;
    (time.elapsed_secs() / seconds + offset).fract() < 0.5
}

fn draw(
    chibis: Query<(Entity, &Role, &Mood, &Shown, Has<Held>)>,
    birds: Query<(Entity, &Bird, &Shown)>,
    pictures: Query<&Mesh2d, With<Pictures>>,
    mut meshes: ResMut<Assets<Mesh>>,
    town: Res<Town>,
    time: Res<Time>,
) {
    let mut quads = Quads::default();
    for (site, at) in &town.sites {
        // Who sits on a bench is in front of it.
        let behind = if *site == Site::Bench { Vec2::new(0.0, -0.4) } else { Vec2::ZERO };
        quads.add(at.y + behind.y, place(&town, *at + behind), park::site(*site), false);
    }
    for (entity, bird, shown) in &birds {
        let height = if bird.flight == Flight::Flying { Vec2::new(0.0, 2.0) } else { Vec2::ZERO };
        let picture = park::bird(bird.flight, is_first_half(&time, entity, 0.24));
        quads.add(shown.at.y, place(&town, shown.at) + height, picture, shown.looks_left);
    }
    for (entity, role, mood, shown, is_held) in &chibis {
        // A leaf that has walked may have been halted.
        let pose = if mood.pose == Pose::Walking && !shown.is_moving { Pose::Standing } else { mood.pose };
        let step = is_first_half(&time, entity, if pose == Pose::Walking { 0.36 } else { 0.5 });
        let (front, height) = if is_held { (town.size.y, 0.7) } else { (0.0, 0.0) };
        let at = place(&town, shown.at) + Vec2::new(0.0, height);
        quads.add(shown.at.y + front, at, chibi::picture(*role, pose, step), shown.looks_left);
        if let Some(balloon) = mood.balloon {
            let above = Vec2::new(0.5, 3.0 + 0.06 * (time.elapsed_secs() * 4.0).sin());
            quads.add(shown.at.y + 2.0 * town.size.y, at + above, balloon::picture(balloon), false);
        }
    }
    for mesh in &pictures {
        // The mesh exists as long as its entity.
        let _ = meshes.insert(mesh.0.id(), quads.mesh());
    }
}

/// Pictures in the world, each with its depth: what is larger is in front.
#[derive(Default)]
struct Quads(Vec<(f32, [Vec2; 2], Cell, bool)>);

impl Quads {
    /// Adds a picture at a point of the world.
    fn add(&mut self, depth: f32, at: Vec2, picture: Cell, is_flipped: bool) {
        let corner = at - picture.size * Vec2::new(0.5, picture.foot);
        self.0.push((depth, [corner, corner + picture.size], picture, is_flipped));
    }

    /// Returns the mesh of all pictures.
    fn mesh(&mut self) -> Mesh {
        self.0.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut positions, mut places, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for ((_, [low, high], picture, is_flipped), first) in self.0.iter().zip((0_u32..).step_by(4)) {
            let [mut left, mut right] = [picture.corner, picture.corner + picture.pixels];
            if *is_flipped {
                (left.x, right.x) = (right.x, left.x);
            }
            let [left, right] = [left, right].map(|pixel| pixel.as_vec2() / SHEET.as_vec2());
            positions.extend([[low.x, low.y, 0.0], [high.x, low.y, 0.0], [high.x, high.y, 0.0], [low.x, high.y, 0.0]]);
            places.extend([[left.x, right.y], [right.x, right.y], [right.x, left.y], [left.x, left.y]]);
            indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, places)
            .with_inserted_indices(Indices::U32(indices))
    }
}
