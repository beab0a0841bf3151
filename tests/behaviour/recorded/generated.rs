//! Written from recordings: see `the_generated_tests_are_up_to_date`.

use bt_tests::world::World;

use super::{chosen, reactive, restarts, sheep, timed};

#[test]
fn reactive_whole() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(reactive(), World::default());
    test.replace("reactive/fight/near", [
        vec![Status::Failure; 3], vec![Status::Success; 3], vec![Status::Failure; 3], vec![Status::Success; 3],
        vec![Status::Failure; 3], vec![Status::Success; 3], vec![Status::Failure; 1],
    ].concat());
    test.replace("reactive/fight/attack", [
        Status::Running, Status::Failure, Status::Error, Status::Running, Status::Failure, Status::Error, Status::Running, Status::Failure,
        Status::Error,
    ]);
    test.replace("reactive/patrol", [
        Status::Running, Status::Running, Status::Running, Status::Success, Status::Running, Status::Running, Status::Running, Status::Success,
        Status::Running, Status::Running, Status::Running, Status::Success, Status::Running,
    ]);
    for tick in 0..=2 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["near: failure", "patrol: running"], "tick {tick}");
    }
    // Tick 3
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["near: success", "attack: running", "patrol: halted"]);
    // Tick 4
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["near: success", "attack: failure", "patrol: success"]);
    // Tick 5
    assert_eq!(test.tick(), Status::Error);
    assert_eq!(test.log(), ["near: success", "attack: error"]);
    for tick in 6..=8 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["near: failure", "patrol: running"], "tick {tick}");
    }
    // Tick 9
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["near: success", "attack: running", "patrol: halted"]);
    // Tick 10
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["near: success", "attack: failure", "patrol: success"]);
    // Tick 11
    assert_eq!(test.tick(), Status::Error);
    assert_eq!(test.log(), ["near: success", "attack: error"]);
    for tick in 12..=14 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["near: failure", "patrol: running"], "tick {tick}");
    }
    // Tick 15
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["near: success", "attack: running", "patrol: halted"]);
    // Tick 16
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["near: success", "attack: failure", "patrol: success"]);
    // Tick 17
    assert_eq!(test.tick(), Status::Error);
    assert_eq!(test.log(), ["near: success", "attack: error"]);
    for tick in 18..=19 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["near: failure", "patrol: running"], "tick {tick}");
    }
}

#[test]
fn reactive_part() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(reactive(), World::default());
    test.replace("reactive/fight/near", [Status::Failure, Status::Failure, Status::Failure, Status::Success]);
    test.replace("reactive/fight/attack", [Status::Running]);
    test.replace("reactive/patrol", [Status::Running]);
    test.tick(); // tick 6
    test.log();
    for tick in 7..=8 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["near: failure", "patrol: running"], "tick {tick}");
    }
    // Tick 9
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["near: success", "attack: running", "patrol: halted"]);
}

#[test]
fn restarts_whole() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(restarts(), World::default());
    test.replace("restarts/swing", [
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success,
    ]);
    test.replace("restarts/draw", [
        Status::Running, Status::Success, Status::Failure, Status::Failure, Status::Running, Status::Success, Status::Failure, Status::Failure,
        Status::Running, Status::Success, Status::Failure, Status::Failure, Status::Running, Status::Success, Status::Failure, Status::Failure,
        Status::Running, Status::Success, Status::Failure,
    ]);
    test.replace("restarts/rest", [Status::Failure]);
    // Tick 0
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 1
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 2
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 3
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 4
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
    // Tick 5
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 6
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 7
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 8
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 9
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
    // Tick 10
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 11
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 12
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 13
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 14
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
    // Tick 15
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 16
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 17
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 18
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 19
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
    // Tick 20
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 21
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 22
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 23
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 24
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
}

#[test]
fn restarts_part() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(restarts(), World::default());
    test.replace("restarts/swing", [
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Failure, Status::Success, Status::Running, Status::Running, Status::Success,
    ]);
    test.replace("restarts/draw", [Status::Running, Status::Success, Status::Failure, Status::Failure, Status::Running, Status::Success, Status::Failure]);
    test.replace("restarts/rest", [Status::Failure]);
    // Tick 15
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 16
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 17
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 18
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 19
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
    // Tick 20
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: success", "swing: failure", "draw: running"]);
    // Tick 21
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["draw: success", "rest: failure"]);
    // Tick 22
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: success", "swing: running"]);
    // Tick 23
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["swing: running"]);
    // Tick 24
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["swing: success", "swing: success", "draw: failure", "draw: failure"]);
}

#[test]
fn timed_uneven() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut times = [
        Duration::from_millis(10), Duration::from_millis(80), Duration::from_millis(200), Duration::from_millis(205), Duration::from_millis(506), Duration::from_millis(596), Duration::from_millis(686), Duration::from_millis(776),
        Duration::from_millis(777),
    ].into_iter();
    let mut test = TreeTest::new(timed(), World::default()).before_each_tick(move |ctx| {
        let now = times.next().unwrap_or_default();
        ctx.now = now;
    });
    test.replace("timed/shoot", [Status::Success]);
    test.replace("timed/aim", [Status::Running, Status::Running, Status::Failure, Status::Running, Status::Success, Status::Running]);
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
    // Tick 5
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["shoot: success"]);
    // Tick 6
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["entered(number: 2): success", "aim: running"]);
    // Tick 7
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["aim: success"]);
    // Tick 8
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["entered(number: 2): success", "aim: running"]);
    // Tick 9
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: running"]);
}

#[test]
fn timed_even() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut times = (0..).map(|tick| Duration::from_millis(40) + Duration::from_millis(40) * tick);
    let mut test = TreeTest::new(timed(), World::default()).before_each_tick(move |ctx| {
        let now = times.next().unwrap_or_default();
        ctx.now = now;
    });
    test.replace("timed/shoot", [Status::Success, Status::Success, Status::Running, Status::Running, Status::Failure, Status::Running, Status::Success]);
    test.replace("timed/aim", [
        Status::Success, Status::Running, Status::Running, Status::Failure, Status::Success, Status::Running, Status::Success, Status::Running,
        Status::Running, Status::Failure, Status::Success, Status::Running, Status::Success, Status::Success, Status::Success, Status::Running,
        Status::Success, Status::Success, Status::Running, Status::Running, Status::Failure, Status::Success, Status::Success, Status::Running,
        Status::Running, Status::Failure, Status::Success, Status::Running, Status::Success, Status::Running, Status::Running, Status::Failure,
        Status::Success,
    ]);
    test.replace("timed/entered(number: 2)", [Status::Success]);
    for _tick in 0..=29 {
        test.tick();
    }
    test.log();
    // Tick 30
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: running"]);
    // Tick 31
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["entered(number: 2): success", "aim: failure"]);
    // Tick 32
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["aim: success"]);
    // Tick 33
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: running"]);
    // Tick 34
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["entered(number: 2): success", "aim: success"]);
    // Tick 35
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["shoot: success"]);
    // Tick 36
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: running"]);
    // Tick 37
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["entered(number: 2): success", "aim: running"]);
    // Tick 38
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["aim: failure"]);
    // Tick 39
    assert_eq!(test.tick(), Status::Success);
    assert_eq!(test.log(), ["aim: success"]);
}

#[test]
fn sheep_whole() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(sheep(), World::default());
    test.replace("sheep/graze/eat", [Status::Failure]);
    test.replace("sheep/graze/check(number: 2)", [Status::Failure, Status::Success]);
    test.replace("sheep/obey/follow", [Status::Running, Status::Failure, Status::Failure, Status::Running, Status::Failure]);
    test.replace("sheep/obey/entered(number: 3)", [Status::Success]);
    test.replace("sheep/obey/left(number: 4)", [Status::Success]);
    test.replace("sheep/fear/flee", [
        Status::Running, Status::Success, Status::Running, Status::Running, Status::Failure, Status::Failure, Status::Running, Status::Success,
        Status::Running, Status::Running, Status::Failure, Status::Failure, Status::Running,
    ]);
    test.replace("sheep/check(number: 7)", [Status::Failure, Status::Failure, Status::Failure, Status::Success, Status::Failure, Status::Failure, Status::Success]);
    // Tick 0
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "machine -> graze",
        "check(number: 2): failure",
        "check(number: 7): failure",
        "eat: failure",
        "machine -> fear",
    ]);
    // Tick 1
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
    // Tick 2
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: success", "machine -> graze"]);
    // Tick 3
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 2): success",
        "machine -> obey",
        "entered(number: 3): success",
        "follow: running",
    ]);
    for tick in 4..=5 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["check(number: 7): failure", "follow: failure"], "tick {tick}");
    }
    // Tick 6
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 7): success",
        "left(number: 4): success",
        "machine -> fear",
        "flee: running",
    ]);
    // Tick 7
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
    for tick in 8..=9 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["flee: failure"], "tick {tick}");
    }
    // Tick 10
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
    // Tick 11
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: success", "machine -> graze"]);
    // Tick 12
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 2): success",
        "machine -> obey",
        "entered(number: 3): success",
        "follow: running",
    ]);
    for tick in 13..=14 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["check(number: 7): failure", "follow: failure"], "tick {tick}");
    }
    // Tick 15
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 7): success",
        "left(number: 4): success",
        "machine -> fear",
        "flee: running",
    ]);
    // Tick 16
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
    for tick in 17..=18 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["flee: failure"], "tick {tick}");
    }
    // Tick 19
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
}

#[test]
fn sheep_part() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(sheep(), World::default());
    test.replace("sheep/graze/eat", [Status::Failure]);
    test.replace("sheep/graze/check(number: 2)", [Status::Failure, Status::Success]);
    test.replace("sheep/obey/follow", [
        Status::Running, Status::Failure, Status::Failure, Status::Running, Status::Failure, Status::Failure, Status::Running, Status::Failure,
        Status::Failure, Status::Running, Status::Failure, Status::Failure, Status::Running,
    ]);
    test.replace("sheep/obey/entered(number: 3)", [Status::Success]);
    test.replace("sheep/obey/left(number: 4)", [Status::Success]);
    test.replace("sheep/fear/flee", [
        Status::Running, Status::Success, Status::Running, Status::Running, Status::Failure, Status::Failure, Status::Running, Status::Success,
        Status::Running, Status::Running, Status::Failure, Status::Failure, Status::Running, Status::Success, Status::Running, Status::Running,
        Status::Failure, Status::Failure, Status::Running, Status::Success, Status::Running, Status::Running, Status::Failure, Status::Failure,
        Status::Running, Status::Success,
    ]);
    test.replace("sheep/check(number: 7)", [
        Status::Failure, Status::Failure, Status::Failure, Status::Success, Status::Failure, Status::Failure, Status::Success, Status::Failure,
        Status::Failure, Status::Success, Status::Failure, Status::Failure, Status::Success,
    ]);
    for _tick in 0..=29 {
        test.tick();
    }
    test.log();
    // Tick 30
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 2): success",
        "machine -> obey",
        "entered(number: 3): success",
        "follow: running",
    ]);
    for tick in 31..=32 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["check(number: 7): failure", "follow: failure"], "tick {tick}");
    }
    // Tick 33
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 7): success",
        "left(number: 4): success",
        "machine -> fear",
        "flee: running",
    ]);
    // Tick 34
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
    for tick in 35..=36 {
        assert_eq!(test.tick(), Status::Running, "tick {tick}");
        assert_eq!(test.log(), ["flee: failure"], "tick {tick}");
    }
    // Tick 37
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: running"]);
    // Tick 38
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["flee: success", "machine -> graze"]);
    // Tick 39
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "check(number: 2): success",
        "machine -> obey",
        "entered(number: 3): success",
        "follow: running",
    ]);
}

#[test]
fn chosen_whole() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(chosen(), World::default());
    test.replace("chosen/words/a", [
        Status::Success, Status::Success, Status::Running, Status::Running, Status::Running, Status::Failure, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Running, Status::Failure, Status::Success, Status::Success, Status::Running, Status::Running,
        Status::Running, Status::Success, Status::Running, Status::Failure, Status::Running, Status::Failure, Status::Success, Status::Running,
        Status::Success, Status::Running, Status::Success,
    ]);
    test.replace("chosen/words/b", [
        Status::Running, Status::Success, Status::Success, Status::Running, Status::Running, Status::Success, Status::Success, Status::Running,
        Status::Success, Status::Success, Status::Success, Status::Running, Status::Success, Status::Success, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Success, Status::Running, Status::Success, Status::Success, Status::Running, Status::Failure,
    ]);
    test.replace("chosen/words/c", [
        Status::Running, Status::Running, Status::Success, Status::Success, Status::Running, Status::Success, Status::Running, Status::Running,
        Status::Success, Status::Success, Status::Running, Status::Running, Status::Running, Status::Failure, Status::Success, Status::Success,
        Status::Success, Status::Success, Status::Running, Status::Running, Status::Success, Status::Running, Status::Running, Status::Success,
    ]);
    test.replace_node(NodeId::new(7), [
        vec![Status::Success; 7], vec![Status::Failure; 1], vec![Status::Success; 1], vec![Status::Failure; 2],
        vec![Status::Success; 4], vec![Status::Running; 1], vec![Status::Failure; 3], vec![Status::Success; 4],
        vec![Status::Failure; 1], vec![Status::Success; 2], vec![Status::Failure; 1],
    ].concat());
    test.replace_node(NodeId::new(8), [
        Status::Success, Status::Running, Status::Failure, Status::Success, Status::Running, Status::Failure, Status::Running, Status::Success,
        Status::Success, Status::Failure, Status::Running, Status::Running, Status::Running, Status::Failure, Status::Running,
    ]);
    test.replace_node(NodeId::new(10), [Status::Success]);
    test.replace("chosen/first", [
        Status::Failure, Status::Failure, Status::Failure, Status::Success, Status::Failure, Status::Success, Status::Failure, Status::Success,
        Status::Success, Status::Failure, Status::Success, Status::Failure, Status::Success, Status::Success, Status::Success, Status::Failure,
        Status::Success, Status::Failure, Status::Failure, Status::Success,
    ]);
    test.replace("chosen/second", [
        Status::Failure, Status::Failure, Status::Success, Status::Failure, Status::Success, Status::Failure, Status::Success, Status::Success,
        Status::Failure, Status::Failure, Status::Success, Status::Failure, Status::Success, Status::Success, Status::Success, Status::Failure,
        Status::Failure, Status::Failure, Status::Success,
    ]);
    test.choose("chosen/words", [0, 1, 2, 2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 2, 2, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 2, 1, 1, 0, 0, 2, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, 1, 0, 0, 0, 0, 2, 0, 1, 0]);
    test.choose("chosen/random_selector(weights: [3.0, 1.0, 2.0])", [0, 2, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 1, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 1, 2, 1, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 2, 0, 2, 0, 0]);
    // Tick 0
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: success",
        "c: running",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 1
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "c: running",
        "Told: success",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 2
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "c: success",
        "a: success",
        "b: running",
        "Told: success",
        "first: failure",
        "b: halted",
    ]);
    // Tick 3
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: running",
        "Told: success",
        "first: success",
        "second: failure",
        "a: halted",
    ]);
    // Tick 4
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: success",
        "c: success",
        "a: running",
        "Told: success",
        "second: failure",
        "a: halted",
    ]);
    // Tick 5
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["a: running", "Told: success", "second: success"]);
    // Tick 6
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: failure"]);
    // Tick 7
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: success",
        "b: success",
        "c: running",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 8
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: running",
        "Told: success",
        "first: success",
        "second: failure",
        "b: halted",
    ]);
    // Tick 9
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "c: success",
        "a: success",
        "b: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "second: success",
    ]);
    // Tick 10
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["b: success", "Told: failure"]);
    // Tick 11
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: success",
        "b: success",
        "c: running",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 12
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "c: running",
        "Told: success",
        "first: success",
        "second: failure",
        "c: halted",
    ]);
    // Tick 13
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "c: success",
        "a: success",
        "b: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "second: success",
    ]);
    // Tick 14
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["b: success", "Told: failure"]);
    // Tick 15
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "b: success",
        "c: success",
        "a: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "first: success",
        "second: success",
    ]);
    // Tick 16
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: failure", "Told: halted"]);
    // Tick 17
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: success",
        "b: success",
        "c: running",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 18
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: running",
        "Told: success",
        "first: success",
        "second: failure",
        "b: halted",
    ]);
    // Tick 19
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: success",
        "a: success",
        "c: running",
        "Told: success",
        "second: failure",
        "c: halted",
    ]);
    // Tick 20
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["c: running", "Told: success", "second: success"]);
    // Tick 21
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["c: failure"]);
    // Tick 22
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: success",
        "c: success",
        "a: running",
        "Told: success",
        "first: failure",
        "a: halted",
    ]);
    // Tick 23
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: running",
        "Told: success",
        "first: success",
        "second: failure",
        "a: halted",
    ]);
    // Tick 24
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "c: success",
        "b: success",
        "a: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "second: success",
    ]);
    // Tick 25
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: success", "Told: failure"]);
    // Tick 26
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "b: success",
        "c: success",
        "a: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "first: success",
        "second: success",
    ]);
    // Tick 27
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: failure", "Told: halted"]);
    // Tick 28
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "b: success",
        "c: success",
        "a: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "first: success",
        "second: success",
    ]);
    // Tick 29
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: failure", "Told: halted"]);
    // Tick 30
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: success",
        "a: success",
        "c: running",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 31
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: running",
        "Told: success",
        "first: success",
        "second: failure",
        "a: halted",
    ]);
    // Tick 32
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: success",
        "a: success",
        "c: running",
        "Told: success",
        "second: failure",
        "c: halted",
    ]);
    // Tick 33
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "b: running",
        "Told: success",
        "Told: success",
        "second: failure",
        "b: halted",
    ]);
    // Tick 34
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "c: success",
        "b: success",
        "a: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "second: success",
    ]);
    // Tick 35
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["a: success", "Told: failure"]);
    // Tick 36
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "a: success",
        "b: success",
        "c: running",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 37
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), [
        "c: running",
        "Told: success",
        "Told: success",
        "first: failure",
        "c: halted",
    ]);
    // Tick 38
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), [
        "a: success",
        "c: success",
        "b: running",
        "Told: success",
        "Told: failure",
        "Told: running",
        "first: success",
        "second: success",
    ]);
    // Tick 39
    assert_eq!(test.tick(), Status::Failure);
    assert_eq!(test.log(), ["b: failure", "Told: halted"]);
}
