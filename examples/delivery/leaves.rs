//! The leaves of the tree.

use std::future::Future;
use std::sync::{Arc, Mutex};

use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{Step, Wake};

use crate::motor::{Body, Gripper};
use crate::robot::{Activity, ControllerGone, Place, Robot};
use crate::warehouse::lock;

/// Whether the operator has stopped the robot.
#[condition(event)]
pub(crate) fn stopped(robot: &Robot) -> bool {
    robot.is_stopped
}

pub(crate) fn stand(robot: &mut Robot) -> Step<Wake> {
    robot.stand();
    Step::Running(Wake::Event)
}

pub(crate) fn low_battery(robot: &Robot) -> bool {
    robot.battery() < 0.2
}

pub(crate) fn has_parcel(robot: &Robot) -> bool {
    robot.has_parcel
}

/// Waits until the robot has an order. The simulation assigns orders to the robots in the queue.
pub(crate) fn await_order(robot: &mut Robot) -> Step<Wake> {
    if robot.order.is_some() {
        return Step::Done(Outcome::Success);
    }
    robot.queue();
    Step::Running(Wake::Event)
}

/// Drives to a place. Fails at an obstacle. Halting it stops the robot.
#[action]
pub(crate) fn drive(
    robot: &mut Robot,
    to: Place,
) -> impl Future<Output = Result<impl FnOnce(&mut Robot) -> bool, ControllerGone>> {
    let end = robot.drive(to);
    async move {
        let end = end.await.map_err(|_| ControllerGone)?;
        Ok(move |robot: &mut Robot| robot.end_drive(end))
    }
}

/// Waits for a few seconds after a drive has failed or timed out, and then fails.
#[action]
pub(crate) async fn give_way(robot: AsyncContext<Robot>) -> bool {
    let time = robot.with(Robot::give_way).await;
    robot.wait(time).await;
    false
}

/// Grasps the parcel. Fails if it slips out of the gripper.
#[action]
pub(crate) async fn grasp(robot: AsyncContext<Robot>) -> bool {
    robot.with(|robot| robot.activity = Activity::Grasping).await;
    robot.wait(millis(1500)).await; // aligns with the shelf
    let (grip, closed) = robot.with(|robot| (Grip::new(robot), robot.motor.close_gripper())).await;
    if closed.await.is_err() {
        return false;
    }
    robot.wait(millis(700)).await; // the scale settles
    let has_parcel = robot.with(Robot::weigh).await;
    if has_parcel {
        grip.keep();
    }
    has_parcel
}

/// Opens the gripper when it is dropped, because a future that is halted has no access to its context.
struct Grip(Option<Arc<Mutex<Body>>>);

impl Grip {
    fn new(robot: &Robot) -> Self {
        Self(Some(Arc::clone(&robot.motor.body)))
    }

    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Grip {
    fn drop(&mut self) {
        if let Some(body) = &self.0 {
            lock(body).gripper = Gripper::Open;
        }
    }
}

/// Charges until the battery is full. What was charged before a halt is kept.
#[action]
pub(crate) async fn charge(robot: AsyncContext<Robot>) {
    robot.with(|robot| robot.activity = Activity::Charging).await;
    while robot.with(|robot| robot.battery() < 1.0).await {
        robot.wait(secs(8)).await;
        robot.with(|robot| robot.charge(0.1)).await;
    }
}

pub(crate) fn hand_over(robot: &mut Robot) {
    robot.hand_over();
}

pub(crate) fn put_back(robot: &mut Robot) {
    robot.put_back();
}
