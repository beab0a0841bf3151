//! The simulation: the robots on one tree, their controllers, and the orders.

use std::sync::{Arc, Mutex};

use bt_core::Observer;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_core::{AgentId, Wake};
use bt_examples::options::Options;
use bt_examples::watch::{Watch, numbered};

use crate::motor::Controllers;
use crate::robot::{ACTIVITIES, Robot, Totals};
use crate::warehouse::{Order, Orders, lock, random_dock};

/// The time of a frame.
pub(crate) const FRAME: Duration = Duration::from_millis(100);
/// The frames of a simulated minute.
pub(crate) const MINUTE: u32 = 600;
/// The average time between two orders of a robot, in frames.
const FRAMES_PER_ORDER: f32 = 1400.0;

/// The robots that a frame ticks. The run is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ticked {
    Due,
    /// For comparison.
    All,
}

/// A warehouse with one tree, and a memory per robot.
pub(crate) struct Simulation<N: Node<Robot>> {
    pub(crate) herd: Herd<N>,
    pub(crate) robots: Vec<Robot>,
    pub(crate) orders: Arc<Mutex<Orders>>,
    /// The time of the next frame.
    pub(crate) now: Duration,
    pub(crate) frames: u64,
    /// The ticks of all robots.
    pub(crate) ticks: u64,
    pub(crate) selected: Selected,
    pub(crate) watch: Watch,
    controllers: Controllers,
    ids: Vec<AgentId>,
    /// The orders that are due, with the part of the next.
    new_orders: f32,
    rng: fastrand::Rng,
}

/// The robot whose tree is shown.
#[derive(Default)]
pub(crate) struct Selected {
    pub(crate) robot: usize,
    pub(crate) statuses: Statuses,
}

impl<N: Node<Robot>> Simulation<N> {
    pub(crate) fn new(tree: N, robots: usize, seed: u64) -> Self {
        let mut herd = Herd::new(tree);
        herd.grow(robots);
        let (controllers, orders) = (Controllers::new(), Arc::<Mutex<Orders>>::default());
        let mut rng = fastrand::Rng::with_seed(seed);
        let new_robot = |number| {
            let motor = controllers.motor(random_dock(&mut rng));
            Robot::new(number, motor, Arc::clone(&orders), rng.fork())
        };
        Self {
            robots: (0..robots).map(new_robot).collect(),
            ids: herd.ids().collect(),
            herd,
            orders,
            now: Duration::ZERO,
            frames: 0,
            ticks: 0,
            selected: Selected::default(),
            watch: Watch::default(),
            controllers,
            new_orders: 0.0,
            rng,
        }
    }

    /// Registers the first 20 robots with the inspector, if the options demand it.
    pub(crate) fn watched(mut self, options: Options) -> Self {
        let all = self.robots.len();
        let watched = all.min(20);
        let name = if watched < all { format!("robot ({watched} of {all} watched)") } else { "robot".to_owned() };
        self.watch = Watch::new(options, (&name, self.herd.tree()), numbered("robot", watched), FRAME);
        self
    }

    /// Ticks the robots, and then runs their controllers until the next frame.
    pub(crate) fn frame(&mut self, ticked: Ticked) {
        self.frame_with(ticked, &mut ());
    }

    /// Like [`frame`](Self::frame), and reports the ticks of all robots to an observer.
    pub(crate) fn frame_with(&mut self, ticked: Ticked, observer: &mut impl Observer) {
        self.assign_orders();
        if ticked == Ticked::All {
            self.herd.wake_all();
        }
        for robot in self.watch.need_tick() {
            self.herd.wake(self.ids[robot]);
        }
        let Self { herd, robots, now, ticks, selected, watch, .. } = self;
        herd.for_each_due(*now, |agent| {
            let me = agent.id().index();
            let robot = &mut robots[me];
            robot.now = *now;
            let statuses = (me == selected.robot).then_some(&mut selected.statuses);
            agent.tick_with(robot, &mut (watch.at(me, *now), statuses, &mut *observer));
            watch.show(me, || values(robot));
            watch.due(me, agent.due());
            *ticks += 1;
        });
        self.frames += 1;
        self.now += FRAME;
        self.controllers.run_until(self.now);
    }

    /// Adds orders, and assigns them to the robots in the queue.
    #[allow(clippy::cast_precision_loss)]
    fn assign_orders(&mut self) {
        self.new_orders += self.robots.len() as f32 / FRAMES_PER_ORDER;
        let mut orders = lock(&self.orders);
        while self.new_orders >= 1.0 {
            self.new_orders -= 1.0;
            orders.open.push_back(Order::random(&mut self.rng));
        }
        while !orders.open.is_empty() {
            let Some(number) = orders.waiting.pop_front() else { break };
            let robot = &mut self.robots[number];
            // A robot that was stopped has left the queue.
            if robot.is_in_queue && !robot.is_stopped {
                robot.is_in_queue = false;
                robot.order = orders.open.pop_front();
                self.herd.wake(self.ids[number]);
            }
        }
    }

    /// Stops a robot, or releases it.
    pub(crate) fn stop(&mut self, number: usize, is_stopped: bool) {
        if let (Some(robot), Some(id)) = (self.robots.get_mut(number), self.ids.get(number)) {
            robot.is_stopped = is_stopped;
            self.herd.wake(*id);
        }
    }

    /// Stops all robots, or releases them.
    pub(crate) fn stop_all(&mut self, are_stopped: bool) {
        for robot in &mut self.robots {
            robot.is_stopped = are_stopped;
        }
        self.herd.wake_all();
    }

    /// Selects the robot whose tree is shown.
    pub(crate) fn select(&mut self, robot: usize) {
        self.selected = Selected { robot, ..Selected::default() };
        // A tick shows the statuses, and changes nothing else.
        if let Some(id) = self.ids.get(robot) {
            self.herd.wake(*id);
        }
    }

    /// Returns when a robot is ticked again.
    pub(crate) fn due(&self, robot: usize) -> Option<Wake> {
        self.ids.get(robot).and_then(|id| self.herd.due(*id))
    }

    /// Returns the number of robots per activity.
    pub(crate) fn counts(&self) -> [usize; ACTIVITIES.len()] {
        let mut counts = [0; ACTIVITIES.len()];
        for robot in &self.robots {
            counts[robot.activity as usize] += 1;
        }
        counts
    }

    /// Returns what all robots have done.
    pub(crate) fn totals(&self) -> Totals {
        self.robots.iter().map(Robot::totals).fold(Totals::default(), |sum, robot| Totals {
            delivered: sum.delivered + robot.delivered,
            put_back: sum.put_back + robot.put_back,
            failed: sum.failed + robot.failed,
            timed_out: sum.timed_out + robot.timed_out,
            retried: sum.retried + robot.retried,
            cancelled: sum.cancelled + robot.cancelled,
        })
    }

    /// Returns the number of ticks that were saved, compared with a tick per robot and frame, and in percent.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn saved(&self) -> (u64, f64) {
        let all = self.frames * self.robots.len() as u64;
        let saved = all - self.ticks;
        (saved, 100.0 * saved as f64 / all.max(1) as f64)
    }
}

/// The values of a robot in the inspector.
fn values(robot: &Robot) -> serde_json::Value {
    let position = robot.position(robot.now);
    serde_json::json!({
        "activity": format!("{:?}", robot.activity),
        "position": [position.x, position.y],
        "battery": robot.battery(),
        "has parcel": robot.has_parcel,
        "delivered": robot.totals().delivered,
    })
}
