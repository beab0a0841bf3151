use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::{app, update};

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Wind(f32);
#[derive(Resource)]
struct Storm;
#[derive(Component)]
struct Landmark(f32);
#[derive(Component)]
struct Arrived;

struct Leaf;
impl Behavior for Leaf {
    type Data = &'static mut Position;
    type Params = (Res<'static, Wind>, Option<Res<'static, Storm>>, Query<'static, 'static, &'static Landmark>);
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Leaf>: selector { sequence { is_there, arrive } drift } }
    }
}
fn is_there(leaf: &Agent<Leaf>) -> bool {
    leaf.params.2.iter().any(|mark| mark.0 <= leaf.data.0)
}
fn arrive(leaf: &mut Agent<Leaf>) {
    let entity = leaf.entity;
    leaf.commands().entity(entity).insert(Arrived).remove::<Mind<Leaf>>();
}
fn drift(leaf: &mut Agent<Leaf>) -> Status {
    leaf.data.0 += if leaf.params.1.is_some() { 0.0 } else { leaf.params.0.0 };
    Status::Running
}

#[test]
fn entities_are_ticked_on_several_threads() {
    bevy_tasks::ComputeTaskPool::get_or_init(|| bevy_tasks::TaskPoolBuilder::new().num_threads(2).build());
    let positions = |plugin| {
        let mut app = app(plugin);
        app.insert_resource(Wind(1.0));
        app.world_mut().spawn(Landmark(4.0));
        for number in 0..2000_u16 {
            app.world_mut().spawn((Mind::<Leaf>::new(), Position(f32::from(number % 5))));
        }
        update(&mut app, 3);
        let mut arrived = app.world_mut().query_filtered::<(), With<Arrived>>();
        let arrived = arrived.iter(app.world()).count();
        let mut positions = app.world_mut().query::<&Position>();
        (arrived, positions.iter(app.world()).map(|position| position.0).sum::<f32>())
    };
    let sequential = positions(TreePlugin::<Leaf>::new());
    assert_eq!(sequential.0, 1200);
    assert_eq!(positions(TreePlugin::<Leaf>::new().parallel()), sequential);
}
