//! A robot: the context of the tree.

use std::sync::{Arc, Mutex};

use bt_core::prelude::*;
use glam::Vec2;
use tokio::sync::oneshot;

use crate::motor::{DriveEnd, Fate, Gripper, Motor};
use crate::warehouse::{Order, Orders, lock, nearest_charger};

/// The distance that a full battery lasts, in meters.
const RANGE: f32 = 2500.0;

/// What a robot is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activity {
    Waiting,
    Driving,
    Yielding,
    Grasping,
    Charging,
    Stopped,
}

/// All activities, in order.
pub(crate) const ACTIVITIES: [Activity; 6] = [
    Activity::Waiting,
    Activity::Driving,
    Activity::Yielding,
    Activity::Grasping,
    Activity::Charging,
    Activity::Stopped,
];

/// The goal of a drive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Parcel,
    Dock,
    Charger,
}

/// How often something goes wrong, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Risks {
    pub(crate) blocked: f32,
    pub(crate) stuck: f32,
    pub(crate) slipped: f32,
}

/// What a robot has done since the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) delivered: u32,
    pub(crate) put_back: u32,
    /// Drives that ended at an obstacle.
    pub(crate) failed: u32,
    pub(crate) timed_out: u32,
    pub(crate) retried: u32,
    /// All drives that were stopped before their end, also by a timeout.
    pub(crate) cancelled: u32,
}

/// The controller has ended before a drive. The simulation never does that.
#[derive(Debug)]
pub(crate) struct ControllerGone;

/// A robot.
pub(crate) struct Robot {
    pub(crate) number: usize,
    pub(crate) now: Duration,
    pub(crate) activity: Activity,
    /// Whether the operator has stopped it.
    pub(crate) is_stopped: bool,
    /// Whether it is in the queue for orders.
    pub(crate) is_in_queue: bool,
    pub(crate) order: Option<Order>,
    pub(crate) has_parcel: bool,
    pub(crate) motor: Motor,
    pub(crate) orders: Arc<Mutex<Orders>>,
    pub(crate) risks: Risks,
    pub(crate) errors: u32,
    totals: Totals,
    /// What was charged since the start, as a part of a full battery.
    charged: f32,
    /// The end of the last drive; `None` if it was cancelled.
    last_end: Option<DriveEnd>,
    /// The drives that failed or timed out in a row.
    failures: u32,
    rng: fastrand::Rng,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.now
    }
}

impl OnError<ControllerGone> for Robot {
    fn on_error(&mut self, _: NodeId, _: ControllerGone) {
        self.errors += 1;
    }
}

impl Robot {
    pub(crate) fn new(number: usize, motor: Motor, orders: Arc<Mutex<Orders>>, mut rng: fastrand::Rng) -> Self {
        Self {
            number,
            now: Duration::ZERO,
            activity: Activity::Waiting,
            is_stopped: false,
            is_in_queue: false,
            order: None,
            has_parcel: false,
            motor,
            orders,
            risks: Risks { blocked: 0.04, stuck: 0.01, slipped: 0.05 },
            errors: 0,
            totals: Totals::default(),
            charged: 0.2 + 0.8 * rng.f32(),
            last_end: None,
            failures: 0,
            rng,
        }
    }

    pub(crate) fn position(&self, now: Duration) -> Vec2 {
        lock(&self.motor.body).position(now)
    }

    /// Returns the level of the battery, from 0 to 1.
    pub(crate) fn battery(&self) -> f32 {
        (self.charged - lock(&self.motor.body).driven / RANGE).max(0.0)
    }

    /// Charges a part of a full battery.
    pub(crate) fn charge(&mut self, part: f32) {
        self.charged += part;
    }

    pub(crate) fn totals(&self) -> Totals {
        Totals { cancelled: lock(&self.motor.body).cancelled, ..self.totals }
    }

    /// Starts a drive.
    pub(crate) fn drive(&mut self, to: Place) -> oneshot::Receiver<DriveEnd> {
        let here = self.position(self.now);
        let goal = match (to, self.order) {
            (Place::Charger, _) => nearest_charger(here),
            (Place::Parcel, Some(order)) => order.parcel,
            (Place::Dock, Some(order)) => order.dock,
            (Place::Parcel | Place::Dock, None) => here,
        };
        self.activity = Activity::Driving;
        self.totals.retried += u32::from(self.failures > 0);
        self.last_end = None;
        let (draw, part) = (self.rng.f32(), self.rng.f32());
        let Risks { blocked, stuck, .. } = self.risks;
        let fate = match draw {
            _ if draw < blocked => Fate::Blocked(part),
            _ if draw < blocked + stuck => Fate::Stuck(part),
            _ => Fate::Arrives,
        };
        self.motor.drive(goal, fate)
    }

    /// Ends a drive. Returns whether the robot is at the goal.
    pub(crate) fn end_drive(&mut self, end: DriveEnd) -> bool {
        self.last_end = Some(end);
        if end == DriveEnd::Arrived {
            self.failures = 0;
        }
        end == DriveEnd::Arrived
    }

    /// Counts a drive that failed or timed out. Returns the time until the robot tries again.
    pub(crate) fn give_way(&mut self) -> Duration {
        self.activity = Activity::Yielding;
        if self.last_end.is_some() {
            self.totals.failed += 1;
        } else {
            self.totals.timed_out += 1;
        }
        self.failures += 1;
        millis(self.rng.u64(1000..4000))
    }

    /// Returns whether the parcel has the weight of the order. If so, the robot has it from now on.
    pub(crate) fn weigh(&mut self) -> bool {
        let slipped = self.rng.f32() < self.risks.slipped;
        self.has_parcel = !slipped && lock(&self.motor.body).gripper == Gripper::Closed;
        self.has_parcel
    }

    /// Leaves the queue. The attempts at a goal start again after the stop.
    pub(crate) fn stand(&mut self) {
        self.activity = Activity::Stopped;
        self.is_in_queue = false;
        self.failures = 0;
    }

    /// Waits for an order.
    pub(crate) fn queue(&mut self) {
        self.activity = Activity::Waiting;
        self.failures = 0;
        if !self.is_in_queue {
            self.is_in_queue = true;
            lock(&self.orders).waiting.push_back(self.number);
        }
    }

    /// Ends an order at the dock.
    pub(crate) fn hand_over(&mut self) {
        self.totals.delivered += 1;
        self.set_down();
        self.order = None;
    }

    /// Returns the order to the others. A parcel that the robot has stays where it stands.
    pub(crate) fn put_back(&mut self) {
        let here = self.position(self.now);
        if let Some(order) = self.order.take() {
            let parcel = if self.has_parcel { here } else { order.parcel };
            self.totals.put_back += 1;
            lock(&self.orders).open.push_back(Order { parcel, ..order });
        }
        self.set_down();
    }

    fn set_down(&mut self) {
        self.has_parcel = false;
        lock(&self.motor.body).gripper = Gripper::Open;
    }
}
