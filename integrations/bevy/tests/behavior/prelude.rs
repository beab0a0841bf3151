//! Names of the prelude are not in the preludes of Bevy: a name that two globs import cannot be used.

#[allow(unused_imports, reason = "the names of two globs must not collide")]
use bevy_app::prelude::*;
#[allow(unused_imports, reason = "the names of two globs must not collide")]
use bevy_ecs::prelude::*;
#[allow(unused_imports, reason = "the names of two globs must not collide")]
use bevy_time::prelude::*;
use bt_bevy::prelude::*;

#[derive(Component)]
struct Position(f32);

struct Guard;
impl Behavior for Guard {
    type Data = &'static Position;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Guard>: selector { sequence { is_far, wait(secs(1)), wait(millis(1)), fail } run } }
    }
}
fn is_far(guard: &Agent<Guard>) -> bool {
    guard.data.0 > 10.0
}

#[test]
fn both_preludes_are_imported() {
    let names = (
        Status::Success,
        Outcome::Success,
        End::Halted(Cause::Stopped),
        TreeSystems,
        TreeSystemsOf::<Guard>::new(),
        Duration::ZERO,
    );
    assert_eq!(names.0, Status::from(names.1));
    let _: (Key<u32>, Board, Mind<Guard>, TreePlugin<Guard>) =
        (Key::new("a"), Board::new(), Mind::new(), TreePlugin::new());
    let _: Option<(Done, TaskEnd, NodeId)> = None;
    let _: Option<(TreeEnded<Guard>, StateChanged<Guard>)> = None;
}
