// # A future that borrows the context
// Copy what the future needs from the context before you create the future: `let goal = robot.goal; async move { … }`.
use bt_core::prelude::*;

struct Robot {
    goal: u32,
}

#[action]
fn action(robot: &mut Robot) -> impl std::future::Future<Output = bool> {
    async move { robot.goal == 0 }
}

fn main() {
    let _ = tree! { for Robot: selector { action, |robot: &mut Robot| async { robot.goal == 0 } } };
}
