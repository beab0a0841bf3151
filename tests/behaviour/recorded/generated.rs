//! Written from recordings: see `the_generated_tests_are_up_to_date`.

use bt_tests::world::World;

use super::{chosen, reactive, timed};

#[test]
fn many_statuses() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(reactive(), World::default());
    test.replace("reactive/fight/near", [vec![Status::Failure; 12], vec![Status::Success; 1]].concat());
    test.replace("reactive/fight/attack", [Status::Running]);
    test.replace("reactive/patrol", [Status::Running]);
    for _tick in 0..=9 {
        test.tick();
    }
    test.log();
    for tick in 10..=11 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["near: failure", "patrol: running"], "tick {tick}");
    }
    // Tick 12
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["near: success", "attack: running", "patrol: halted"]);
}

#[test]
fn uneven_times_and_a_halt() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut times = [Duration::from_millis(10), Duration::from_millis(80), Duration::from_millis(200), Duration::from_millis(205)].into_iter();
    let mut test = TreeTest::new(timed(), World::default()).before_each_tick(move |ctx| {
        let now = times.next().unwrap_or_default();
        ctx.now = now;
    });
    test.replace("timed/shoot", [Status::Success]);
    test.replace("timed/aim", [Status::Running, Status::Running, Status::Failure]);
    test.replace("timed/entered(number: 2)", [Status::Success]);
    // Tick 0
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["shoot: success"]);
    for tick in 1..=2 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["entered(number: 2): success", "aim: running"], "tick {tick}");
    }
    // Tick 3
    {
        let (ctx, now) = (&mut test.ctx, Duration::from_millis(200));
        ctx.now = now;
    }
    test.halt();
    assert_eq!(test.log(), ["aim: halted"]);
    // Tick 4
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: failure"]);
}

#[test]
fn even_times() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut times = (0..).map(|tick| Duration::from_millis(40) + Duration::from_millis(40) * tick);
    let mut test = TreeTest::new(timed(), World::default()).before_each_tick(move |ctx| {
        let now = times.next().unwrap_or_default();
        ctx.now = now;
    });
    test.replace("timed/shoot", [Status::Success]);
    test.replace("timed/aim", [Status::Running, Status::Running, Status::Failure]);
    test.replace("timed/entered(number: 2)", [Status::Success]);
    for _tick in 0..=2 {
        test.tick();
    }
    test.log();
    // Tick 3
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: failure"]);
}

#[test]
fn choices() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(chosen(), World::default());
    test.replace("chosen/words/a", [Status::Success, Status::Failure]);
    test.replace("chosen/words/b", [Status::Success]);
    test.replace_node(NodeId::new(6), [Status::Failure]);
    test.replace_node(NodeId::new(8), [Status::Success]);
    test.choose("chosen/words", [0, 0, 1, 0]);
    test.choose("chosen/random_selector", [0, 0]);
    // Tick 0
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: success", "b: success", "Told: failure", "Told: success"]);
    // Tick 1
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["b: success", "a: failure"]);
}
