use bt_core::prelude::*;

struct Guard {
    enemy: Option<f32>,  // the distance to the nearest enemy, in meters
    post: u32,           // the guard's current post
}

fn enemy_near(guard: &Guard) -> bool {          // a condition
    guard.enemy.is_some_and(|meters| meters < 10.0)
}
fn attack(_: &mut Guard) -> Status {            // an action
    Status::Running
}
fn next_post(guard: &mut Guard) -> Status {     // another action
    guard.post += 1;
    Status::Running
}

#[subtree]
fn guard() -> impl Node<Guard> {
    tree! {
        selector {
            sequence "fight" { enemy_near, attack }
            next_post
        }
    }
}

fn main() {
    let tree = guard();                               // one tree for all guards
    let mut ann = Guard { enemy: None, post: 0 };
    let mut ben = Guard { enemy: None, post: 7 };
    let mut ann_memory = tree.memory();               // one memory for each guard
    let mut ben_memory = tree.memory();

    tree.tick(&mut ann, &mut ann_memory);
    tree.tick(&mut ben, &mut ben_memory);
    assert_eq!((ann.post, ben.post), (1, 8));

    ann.enemy = Some(3.0);                            // in the next tick Ann fights
    assert_eq!(tree.tick(&mut ann, &mut ann_memory), Status::Running);
    tree.tick(&mut ben, &mut ben_memory);
    assert_eq!((ann.post, ben.post), (1, 9));

    println!("{}", tree.description());
}

#[test]
fn a_guard_stops_its_patrol_to_fight() {
    let mut test = bt_core::testing::TreeTest::new(guard(), Guard { enemy: None, post: 0 });
    test.tick();
    assert_eq!(test.log(), ["enemy_near: failure", "next_post: running"]);
    test.ctx.enemy = Some(3.0);
    test.tick();
    assert_eq!(test.log(), ["enemy_near: success", "attack: running", "next_post: halted"]);
}
