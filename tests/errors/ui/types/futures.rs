// # Futures that are not actions
// The output of a future maps to a status like the output of any action. The future must be `Send`, and must not borrow the context.
use std::future::Future;
use std::rc::Rc;

use bt_core::prelude::*;
use bt_core::task::AsyncContext;

struct Robot {
    goal: u32,
}

#[action]
async fn answers_with_text() -> String {
    String::new()
}

async fn pause() {}

#[action]
async fn is_not_send(_: AsyncContext<Robot>) {
    let shared = Rc::new(3);
    pause().await;
    drop(shared);
}

#[action]
fn returns_what_is_not_send(_: &mut Robot) -> impl Future<Output = ()> {
    let shared = Rc::new(3);
    async move {
        pause().await;
        drop(shared);
    }
}

#[action]
fn holds_the_context(robot: &mut Robot) -> impl Future<Output = bool> {
    async move { robot.goal == 0 }
}

#[action]
async fn needs_a_clock(robot: AsyncContext<Robot>) {
    robot.wait(secs(1)).await;
}

async fn plain(robot: &mut Robot) -> bool {
    robot.goal == 0
}

fn main() {
    let _ = tree! { for Robot: selector { plain } };
    let _ = tree! {
        for Robot: selector {
            |_: &mut Robot| {
                let shared = Rc::new(3);
                async move {
                    pause().await;
                    drop(shared);
                }
            }
        }
    };
}
