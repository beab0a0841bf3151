//! The smallest tree in Bevy: a guard patrols, and flees when it is hurt. It runs without a window.
//!
//! ```sh
//! cargo run --example guard
//! ```

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bt_bevy::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Component)]
struct Position(f32);

#[derive(QueryData)]
#[query_data(mutable)]
struct Body {
    health: &'static Health,
    position: &'static mut Position,
}

struct Guard;

impl Behavior for Guard {
    type Data = Body;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! {
            for Agent<'_, '_, Guard>: selector {
                sequence "flee" { is_hurt, run_away }
                mem_sequence "patrol" { walk(5.0), wait(millis(300)), walk(-5.0) }
            }
        }
    }
}

fn is_hurt(guard: &Agent<Guard>) -> bool {
    guard.health.0 < 3
}

fn run_away(guard: &mut Agent<Guard>) -> Status {
    guard.position.0 -= 2.0;
    Status::Running
}

#[action]
fn walk(guard: &mut Agent<'_, '_, Guard>, to: f32) -> Status {
    let way = to - guard.position.0;
    guard.position.0 += way.clamp(-1.0, 1.0);
    if way.abs() <= 1.0 { Status::Success } else { Status::Running }
}

fn main() {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new()));
    app.insert_resource(bevy_time::TimeUpdateStrategy::ManualDuration(millis(100)));
    let ann = app.world_mut().spawn((Mind::<Guard>::new(), Health(9), Position(0.0))).id();
    for frame in 0..24 {
        if frame == 20 {
            app.world_mut().entity_mut(ann).insert(Health(2));
        }
        app.update();
        let position = app.world().get::<Position>(ann).map_or(0.0, |position| position.0);
        println!("{frame:2}  {position:5.1}");
    }
}
