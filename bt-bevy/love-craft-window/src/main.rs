//! The example `crowd` in a window: a square full of customers who queue for love potions.
//!
//! ```sh
//! cargo run --release
//! cargo run --release --features inspector -- --inspect
//! ```

use std::collections::HashMap;
use std::process::ExitCode;

use bevy::camera::ScalingMode;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use bt_examples::options::Options;
use crowd::app::{Crowd, TICK, counts};
use crowd::square::{self, Customer, Doing, Place, Position};

fn main() -> ExitCode {
    let options = match Options::from_command_line(0) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let window = Window { title: "crowd: one tree for all".to_owned(), ..Window::default() };
    let exit = App::new()
        .add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..WindowPlugin::default() }))
        .add_plugins(Crowd::new(options).in_schedule(FixedUpdate))
        .insert_resource(Time::<Fixed>::from_duration(TICK))
        .insert_resource(ClearColor(Color::srgb(0.16, 0.18, 0.22)))
        .add_systems(Startup, draw_square)
        .add_systems(Update, (draw_new, walk_smoothly, color, count))
        .run();
    match exit {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// What a customer is drawn with.
#[derive(Resource)]
struct Shapes {
    body: Handle<Mesh>,
    colors: HashMap<Doing, Handle<ColorMaterial>>,
}

/// The line with the numbers.
#[derive(Component)]
struct Counts;

/// The height of the letters, in units of the square.
const LETTERS: f32 = 1.3;
const FONT_SIZE: f32 = 48.0;

fn color_of(doing: Doing) -> Color {
    match doing {
        Doing::Wandering => Color::srgb(0.9, 0.9, 0.88),
        Doing::Queueing => Color::srgb(0.95, 0.8, 0.3),
        Doing::Drinking => Color::srgb(0.8, 0.45, 0.9),
        Doing::Courting => Color::srgb(0.95, 0.35, 0.35),
        Doing::Kissing => Color::srgb(1.0, 0.6, 0.75),
        Doing::Working => Color::srgb(0.4, 0.6, 0.95),
        Doing::Chatting => Color::srgb(0.45, 0.85, 0.5),
        Doing::Sulking => Color::srgb(0.45, 0.47, 0.5),
    }
}

/// Returns a point of the square in the world, whose center is 0.
fn place(at: [f32; 2]) -> Vec3 {
    let [x, y] = at;
    Vec3::new(x - square::SIZE.x / 2.0, square::SIZE.y / 2.0 - y, 0.0)
}

/// Returns a text at a point of the world.
fn text(text: &str, at: Vec3, color: Color) -> impl Bundle {
    let size = Vec3::splat(LETTERS / FONT_SIZE);
    let font = TextFont { font_size: FONT_SIZE.into(), ..TextFont::default() };
    (Text2d::new(text), font, TextColor(color), Transform::from_translation(at).with_scale(size))
}

fn draw_square(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut colors: ResMut<Assets<ColorMaterial>>) {
    let scaling_mode = ScalingMode::AutoMin { min_width: square::SIZE.x + 6.0, min_height: square::SIZE.y + 12.0 };
    let projection = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));

    let ground = meshes.add(Rectangle::new(square::SIZE.x + 3.0, square::SIZE.y + 3.0));
    let paved = colors.add(Color::srgb(0.22, 0.24, 0.28));
    commands.spawn((Mesh2d(ground), MeshMaterial2d(paved), Transform::from_xyz(0.0, 0.0, -2.0)));
    let site = meshes.add(Rectangle::new(4.0, 1.6));
    let roof = colors.add(Color::srgb(0.2, 0.42, 0.45));
    for (at, name) in Place::ALL {
        let at = place(at.at().into());
        let behind = Transform::from_translation(at.with_z(-1.0));
        commands.spawn((Mesh2d(site.clone()), MeshMaterial2d(roof.clone()), behind));
        commands.spawn(text(name, at + Vec3::new(0.0, 1.7, 2.0), Color::srgb(0.5, 0.85, 0.85)));
    }
    let below = Vec3::new(0.0, -square::SIZE.y / 2.0 - 3.0, 0.0);
    commands.spawn((text("", below, Color::WHITE), Counts));
    // The legend.
    let all = Doing::ALL;
    let body = meshes.add(Circle::new(0.45));
    let colors: HashMap<_, _> = all.into_iter().map(|doing| (doing, colors.add(color_of(doing)))).collect();
    for (doing, index) in all.into_iter().zip(0_u16..) {
        let at = Vec3::new((f32::from(index) - 3.5) * 9.5, square::SIZE.y / 2.0 + 3.5, 0.0);
        let dot = Transform::from_translation(at - Vec3::X * 4.0);
        commands.spawn((Mesh2d(body.clone()), MeshMaterial2d(colors[&doing].clone()), dot));
        let name = format!("{doing:?}").to_lowercase();
        commands.spawn((text(&name, at - Vec3::X * 3.2, color_of(doing)), Anchor::CENTER_LEFT));
    }
    commands.insert_resource(Shapes { body, colors });
}

/// Draws customers that have come.
fn draw_new(new: Query<(Entity, &Position, &Customer), Without<Mesh2d>>, shapes: Res<Shapes>, mut commands: Commands) {
    for (entity, position, customer) in &new {
        let color = MeshMaterial2d(shapes.colors[&customer.doing].clone());
        let at = Transform::from_translation(place(position.0.into()));
        commands.entity(entity).insert((Mesh2d(shapes.body.clone()), color, at));
    }
}

/// Moves the bodies between the ticks of the trees.
fn walk_smoothly(mut customers: Query<(&Position, &mut Transform)>, time: Res<Time>) {
    let part = 1.0 - (-12.0 * time.delta_secs()).exp();
    for (position, mut body) in &mut customers {
        let way = place(position.0.into()) - body.translation;
        if way.length_squared() > 1e-6 {
            body.translation += way * part;
        }
    }
}

fn color(
    mut customers: Query<(&Customer, &mut MeshMaterial2d<ColorMaterial>), Changed<Customer>>,
    shapes: Res<Shapes>,
) {
    for (customer, mut color) in &mut customers {
        let new = &shapes.colors[&customer.doing];
        if color.0 != *new {
            color.0 = new.clone();
        }
    }
}

fn count(world: &mut World, texts: &mut QueryState<&mut Text2d, With<Counts>>) {
    let counts = counts(world);
    for mut text in texts.iter_mut(world) {
        if text.0 != counts {
            text.0.clone_from(&counts);
        }
    }
}
