//! The outputs of futures, and the functions that return them.

use std::future::{Future, ready};
use std::pin::Pin;
use std::task::Waker;

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::{Shift, Wake, protocol::WakeVisit};

use super::{Robot, go};
use crate::support::Replace;

#[test]
fn the_output_maps_like_that_of_any_action() {
    #[action]
    fn fails(_: &mut Robot) -> impl Future<Output = Result<(), String>> {
        ready(Err("no battery".to_owned()))
    }
    #[action]
    async fn none() -> Option<bool> {
        None
    }
    #[action]
    fn applies(_: &mut Robot) -> impl Future<Output = impl FnOnce(&mut Robot) -> bool> {
        async {
            |robot: &mut Robot| {
                robot.stock += 1;
                robot.stock > 1
            }
        }
    }
    #[action]
    fn applies_or_fails(_: &mut Robot, fails: bool) -> impl Future<Output = Result<impl FnOnce(&mut Robot), String>> {
        ready(if fails { Err("lost".to_owned()) } else { Ok(|robot: &mut Robot| robot.stock += 10) })
    }
    #[action]
    async fn applies_boxed() -> Option<Box<dyn FnOnce(&mut Robot) -> Status + Send>> {
        Some(Box::new(|_| Failure))
    }
    #[action]
    async fn ends(end: u32) -> Result<Option<impl FnOnce(&mut Robot)>, String> {
        match end {
            0 => Err("stuck".to_owned()),
            1 => Ok(None),
            _ => Ok(Some(move |robot: &mut Robot| robot.stock += 100 * end)),
        }
    }
    #[action]
    fn ends_later(
        _: &mut Robot,
        end: u32,
    ) -> impl Future<Output = Result<Option<impl FnOnce(&mut Robot) -> bool>, String>> {
        ready(match end {
            0 => Err("jammed".to_owned()),
            1 => Ok(None),
            _ => Ok(Some(move |robot: &mut Robot| {
                robot.stock += 100 * end;
                end > 2
            })),
        })
    }
    #[action]
    fn pinned(_: &mut Robot) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        Box::pin(async { false })
    }
    let (mut robot, mut statuses) = (Robot::default(), vec![]);
    macro_rules! tick {
        ($($node:expr),+) => {$(
            let tree = tree! { for Robot: $node };
            statuses.push(tree.tick(&mut robot, &mut tree.memory()));
        )+};
    }
    tick!(fails, none, applies, applies, applies_or_fails(true), applies_or_fails(false), applies_boxed, pinned);
    assert_eq!(statuses, [Error, Failure, Failure, Success, Error, Success, Failure, Failure]);
    assert_eq!(
        (robot.stock, std::mem::take(&mut robot.errors)),
        (12, vec!["no battery".to_owned(), "lost".to_owned()])
    );
    statuses.clear();
    robot.stock = 0;
    tick!(ends(0), ends(1), ends(2), ends_later(0), ends_later(1), ends_later(2), ends_later(3));
    assert_eq!(statuses, [Error, Failure, Success, Error, Failure, Failure, Success]);
    tick!(|_: &mut Robot| { ready(Ok::<_, String>(Some(|robot: &mut Robot| robot.stock += 10_000))) });
    assert_eq!(statuses[7..], [Success]);
    assert_eq!((robot.stock, robot.errors), (10_700, ["stuck", "jammed"].map(String::from).to_vec()));
}

#[test]
fn an_output_that_is_running_calls_the_action_again() {
    #[action]
    fn try_again(robot: &mut Robot) -> impl Future<Output = Status> {
        robot.stock += 1;
        ready(if robot.stock < 3 { Running } else { Success })
    }
    let tree = tree! { try_again };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    let statuses = [(); 3].map(|()| tree.tick(&mut robot, &mut memory));
    assert_eq!((statuses, robot.stock), ([Running, Running, Success], 3));

    #[action]
    fn in_a_second(robot: &mut Robot) -> impl Future<Output = bt_core::Step<Wake>> {
        robot.stock += 1;
        ready(bt_core::Step::Running(Wake::At(robot.now + secs(1))))
    }
    let tree = tree! { in_a_second };
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut robot), Wake::At(secs(1)));
    let copy = memory.clone();
    assert_eq!(tree.due(Running, &copy, &mut robot), Wake::At(secs(1)), "a copy is called again at the same time");
    tree.shift(&mut memory, Shift::new(secs(0), secs(5)));
    assert_eq!(tree.due(Running, &memory, &mut robot), Wake::At(secs(6)));
}

#[test]
fn closures_and_plain_functions_can_return_futures() {
    fn anywhere(stock: u32) -> impl Future<Output = bool> {
        ready(stock < 100)
    }
    fn plain(robot: &mut Robot) -> impl Future<Output = bool> + use<> {
        robot.drive("dock")
    }
    let tree = tree! {
        for Robot: mem_sequence {
            plain,
            |robot: &mut Robot| anywhere(robot.stock),
            |_: &mut Robot| async { |robot: &mut Robot| robot.stock = 7 },
        }
    };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    robot.drives[0].send(true);
    assert_eq!((tree.tick(&mut robot, &mut memory), robot.stock), (Success, 7));
}

#[test]
fn a_context_can_borrow_or_be_generic() {
    struct Ctx<'w> {
        log: &'w mut Vec<u32>,
    }
    #[action]
    fn note(ctx: &mut Ctx<'_>, number: u32) -> impl Future<Output = impl FnOnce(&mut Ctx<'_>)> {
        ctx.log.push(number);
        async move { move |ctx: &mut Ctx<'_>| ctx.log.push(number + 1) }
    }
    // The lifetimes of the context can also be declared by the function in the output.
    #[action]
    fn declared(
        ctx: &mut Ctx<'_>,
    ) -> impl Future<Output = Result<Option<impl for<'a, 'w> FnOnce(&'a mut Ctx<'w>) -> bool>, u8>> {
        let count = ctx.log.len();
        ready(Ok(Some(move |ctx: &mut Ctx<'_>| {
            ctx.log.push(3);
            ctx.log.len() > count
        })))
    }
    #[action]
    async fn anywhere(number: u32) -> impl for<'w> FnOnce(&mut Ctx<'w>) {
        move |ctx: &mut Ctx<'_>| ctx.log.push(number)
    }
    #[action]
    async fn boxed() -> Option<Box<dyn for<'w> FnOnce(&mut Ctx<'w>) + Send>> {
        Some(Box::new(|ctx| ctx.log.push(5)))
    }
    impl OnError<u8> for Ctx<'_> {
        fn on_error(&mut self, _: NodeId, error: u8) {
            self.log.push(error.into());
        }
    }
    trait Counter {
        fn count(&mut self) -> u32;
    }
    impl Counter for Ctx<'_> {
        fn count(&mut self) -> u32 {
            u32::try_from(self.log.len()).unwrap()
        }
    }
    #[action]
    fn counted<C: Counter>(ctx: &mut C, at_least: u32) -> impl Future<Output = bool> {
        let count = ctx.count();
        async move { count >= at_least }
    }
    #[action]
    async fn nothing() {}
    let tree = tree! { mem_sequence { note(1), counted(2), nothing, !counted(3), declared, anywhere(4), boxed } };
    let mut log = vec![];
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut Ctx { log: &mut log }, &mut memory), Success);
    assert_eq!(log, [1, 2, 3, 4, 5]);
}

#[test]
fn a_replaced_status_does_not_call_the_action() {
    use bt_core::testing::TreeTest;
    let tree = tree! { mem_sequence { go("dock"), |robot: &mut Robot| robot.stock += 1 } };
    let mut test = TreeTest::new(tree, Robot::default());
    test.replace("go", [Running, Running, Success]);
    let statuses = [(); 3].map(|()| test.tick());
    assert_eq!((statuses, test.ctx.log.len(), test.ctx.stock), ([Running, Running, Success], 0, 1));

    // A function that returns a future.
    let tree = tree! { for Robot: |robot: &mut Robot| robot.drive("dock") };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    let running = &mut Replace(NodeId::ROOT, Running);
    assert_eq!((tree.tick_with(&mut robot, &mut memory, running), robot.log.len()), (Running, 0));
    assert!(memory.is_running());
    // There is no future that can wake the agent.
    let waker = || Waker::noop().clone();
    let visit = &mut WakeVisit::with_waker(&mut robot, &waker);
    assert_eq!(tree.due_with(Running, &memory, visit), Wake::Next);
    assert_eq!((tree.tick(&mut robot, &mut memory), robot.log.len()), (Running, 1));
}
