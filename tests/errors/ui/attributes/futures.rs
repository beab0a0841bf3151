// # Actions that return a future
// The future exists until the action ends, so it cannot borrow the context or the parameters. A memory can be sent to another thread, so the future must be `Send`.
use std::future::Future;

use bt_core::prelude::*;
use bt_core::task::AsyncContext;

struct Robot {
    goal: u32,
}

#[action]
async fn borrows_the_context(robot: &mut Robot, goal: u32) -> bool {
    robot.goal == goal
}

#[action]
async fn borrows_a_parameter(name: &String, route: &[u32]) {}

#[action]
async fn has_state(_: AsyncContext<Robot>, #[open] _drive: &mut u32) {}

#[action]
fn stores(_: &mut Robot, #[output] _path: &mut Option<u32>) -> impl Future<Output = bool> {
    async { true }
}

#[action]
async fn keeps(_: AsyncContext<Robot>, #[kept] _runs: &mut u32) {}

struct Ctx<'w> {
    log: &'w mut Vec<u32>,
}

#[action]
async fn borrowed(ctx: AsyncContext<Ctx<'_>>) {
    ctx.with(|ctx| ctx.log.clear()).await;
}

#[action]
async fn by_reference(_: &AsyncContext<Robot>) {}

#[action]
async fn not_first(_goal: u32, _: AsyncContext<Robot>) {}

#[condition]
async fn is_there(_: &Robot) -> bool {
    true
}

fn main() {
    // Each has a stand-in.
    let _ = tree! {
        for Robot: selector { borrows_the_context(3), borrows_a_parameter("", &[1]), has_state, stores(Key::<u32>::new("way")), keeps, borrowed, is_there }
    };
}
