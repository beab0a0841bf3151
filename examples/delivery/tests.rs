//! Tests of the example.

use bt_core::Observer;
use bt_core::Wake;
use bt_core::prelude::*;
use bt_examples::options::Options;
use bt_examples::panes::Pane;
use bt_examples::play::screen;

use crate::leaves::{grasp, stand, stopped};
use crate::motor::{Body, Gripper};
use crate::robot::{Activity, Risks, Robot, Totals};
use crate::simulation::{MINUTE, Simulation, Ticked};
use crate::view::Dashboard;
use crate::warehouse::{Order, lock};

const SAFE: Risks = Risks { blocked: 0.0, stuck: 0.0, slipped: 0.0 };

fn simulation(robots: usize, seed: u64) -> Simulation<impl Node<Robot>> {
    Simulation::new(crate::tree::robot(), robots, seed)
}

impl<N: Node<Robot>> Simulation<N> {
    fn frames(&mut self, frames: u32) {
        for _ in 0..frames {
            self.frame(Ticked::Due);
        }
    }

    fn bodies(&self) -> Vec<Body> {
        self.robots.iter().map(|robot| *lock(&robot.motor.body)).collect()
    }

    fn driving(&self) -> usize {
        self.bodies().iter().filter(|body| body.drive > 0).count()
    }
}

/// A robot with an order and a full battery.
fn one_robot(risks: Risks) -> Simulation<impl Node<Robot>> {
    let mut simulation = simulation(1, 1);
    let robot = &mut simulation.robots[0];
    let parcel = robot.position(Duration::ZERO) + glam::vec2(40.0, 0.0);
    robot.order = Some(Order { parcel, dock: glam::vec2(0.0, 50.0) });
    robot.risks = risks;
    robot.charge(1.0);
    simulation
}

#[test]
fn a_run_depends_on_the_seed_only() {
    let trace = |seed| crate::trace(Options { agents: 300, ..Options::headless(4 * MINUTE, seed) });
    let one = trace(1);
    assert_eq!(one, trace(1));
    assert_ne!(one, trace(2));
    assert!(one.iter().any(|line| line.contains(" charging")), "{one:#?}");
}

#[test]
fn a_sleeping_run_equals_one_that_ticks_all_robots() {
    let run = |ticked| {
        let mut simulation = simulation(200, 3);
        for frame in 0..5 * MINUTE {
            if frame % 1100 == 1000 {
                simulation.stop_all(true);
            }
            if frame % 1100 == 1050 {
                simulation.stop_all(false);
            }
            simulation.frame(ticked);
        }
        simulation
    };
    let (due, all) = (run(Ticked::Due), run(Ticked::All));
    assert_eq!(due.bodies(), all.bodies());
    let states = |run: &Simulation<_>| -> Vec<_> {
        run.robots.iter().map(|robot| (robot.totals(), robot.activity, robot.order)).collect()
    };
    assert_eq!(states(&due), states(&all));
    let Totals { delivered, failed, timed_out, cancelled, .. } = due.totals();
    assert!(delivered > 200 && failed > 0 && timed_out > 0 && cancelled > timed_out, "{:?}", due.totals());
    assert!(due.ticks * 10 < all.ticks, "{} of {}", due.ticks, all.ticks);
    assert_eq!((all.ticks, all.saved()), (200 * 5 * u64::from(MINUTE), (0, 0.0)));
}

#[test]
fn a_stop_cancels_all_drives_within_a_frame_and_a_release_continues_them() {
    let mut simulation = simulation(300, 2);
    simulation.frames(2 * MINUTE);
    let (driving, before) = (simulation.driving(), simulation.totals());
    let moves = simulation.now;
    assert!(driving > 100, "{driving}");

    simulation.stop_all(true);
    simulation.frame(Ticked::Due);
    let cancelled = simulation.totals().cancelled - before.cancelled;
    assert_eq!((simulation.driving(), cancelled as usize), (0, driving));
    assert_eq!(simulation.counts()[Activity::Stopped as usize], 300);
    let bodies = simulation.bodies();
    let positions = |now| -> Vec<_> { simulation.robots.iter().map(|robot| robot.position(now)).collect() };
    // They stand where they were when they were stopped.
    assert_eq!(positions(moves), positions(simulation.now));

    let ticks = simulation.ticks;
    simulation.frames(MINUTE);
    assert!(simulation.bodies() == bodies && simulation.totals().delivered == before.delivered);
    assert_eq!(simulation.ticks, ticks, "all robots sleep");

    simulation.stop_all(false);
    simulation.frames(1);
    assert!(simulation.driving() >= driving);
    simulation.frames(MINUTE);
    assert!(simulation.totals().delivered > before.delivered + 50);
}

#[test]
fn a_stop_of_one_robot_wakes_only_this_one() {
    let mut simulation = one_robot(SAFE);
    simulation.frames(20);
    assert_eq!((simulation.driving(), simulation.ticks), (1, 1));
    simulation.stop(0, true);
    simulation.frames(20);
    assert_eq!((simulation.driving(), simulation.ticks, simulation.due(0)), (0, 2, Some(Wake::Event)));
    simulation.stop(1, true);
}

#[test]
fn grasping_can_be_cancelled_at_each_await_point() {
    let mut seen = [0; 3];
    for frames in 1.. {
        let tree = tree! { for Robot: selector { sequence { stopped, stand } sequence { grasp, stand } } };
        let mut simulation = Simulation::new(tree, 1, 1);
        simulation.robots[0].risks = SAFE;
        let gripper = |simulation: &Simulation<_>| lock(&simulation.robots[0].motor.body).gripper;
        simulation.frames(frames);
        if simulation.robots[0].has_parcel {
            assert_eq!(gripper(&simulation), Gripper::Closed);
            break;
        }
        seen[gripper(&simulation) as usize] += 1;
        simulation.stop(0, true);
        simulation.frame(Ticked::Due);
        assert_eq!(gripper(&simulation), Gripper::Open, "after {frames} frames");
        // Nothing continues later: neither the future nor the gripper.
        simulation.frames(50);
        assert!(gripper(&simulation) == Gripper::Open && !simulation.robots[0].has_parcel);
        simulation.stop(0, false);
        simulation.frames(50);
        assert!(gripper(&simulation) == Gripper::Closed && simulation.robots[0].has_parcel);
    }
    // Aligning takes 1.5 s, closing 1.2 s, and the scale 0.7 s. What the controllers end at the time of a frame comes
    // after that frame.
    assert_eq!(seen, [15, 12, 8]);
}

#[test]
fn a_drive_that_is_stuck_times_out_and_is_repeated() {
    let mut simulation = one_robot(Risks { stuck: 1.0, ..SAFE });
    simulation.frames(1);
    assert_eq!(simulation.due(0), Some(Wake::At(secs(90) + Duration::from_nanos(1))));
    simulation.robots[0].risks = SAFE;
    simulation.frames(899);
    assert_eq!((simulation.driving(), simulation.totals()), (1, Totals::default()));
    simulation.frames(2);
    assert_eq!((simulation.driving(), simulation.robots[0].activity), (0, Activity::Yielding));
    simulation.frames(40);
    let repeated = Totals { timed_out: 1, retried: 1, cancelled: 1, ..Totals::default() };
    assert_eq!((simulation.driving(), simulation.totals()), (1, repeated));
    simulation.frames(MINUTE);
    assert_eq!(simulation.totals(), Totals { delivered: 1, ..repeated });
}

#[test]
fn a_robot_that_fails_three_times_puts_the_order_back() {
    let mut simulation = one_robot(Risks { blocked: 1.0, ..SAFE });
    while simulation.totals().put_back == 0 {
        simulation.frame(Ticked::Due);
    }
    let failed = Totals { failed: 3, retried: 2, put_back: 1, ..Totals::default() };
    assert_eq!((simulation.totals(), simulation.robots[0].order), (failed, None));
    assert_eq!(lock(&simulation.orders).open.len(), 1);
}

#[test]
fn a_parcel_is_put_down_where_the_robot_has_failed_with_it() {
    let mut simulation = one_robot(SAFE);
    while !simulation.robots[0].has_parcel {
        simulation.frame(Ticked::Due);
    }
    simulation.robots[0].risks.blocked = 1.0;
    // The drive to the dock has begun without an obstacle.
    simulation.stop(0, true);
    simulation.frames(1);
    simulation.stop(0, false);
    while simulation.totals().put_back == 0 {
        simulation.frame(Ticked::Due);
    }
    let robot = &simulation.robots[0];
    let order = lock(&simulation.orders).open.back().copied();
    assert_eq!(order.map(|order| order.parcel), Some(robot.position(simulation.now)));
    assert!(!robot.has_parcel && lock(&robot.motor.body).gripper == Gripper::Open);
}

#[test]
fn the_saved_ticks_are_those_that_no_observer_sees() {
    #[derive(Default)]
    struct Begins(u64);
    impl Observer for Begins {
        fn enter(&mut self, at: NodeId) {
            self.0 += u64::from(at == NodeId::ROOT);
        }
    }
    let mut simulation = simulation(50, 4);
    let mut begins = Begins::default();
    for _ in 0..2 * MINUTE {
        simulation.frame_with(Ticked::Due, &mut begins);
    }
    let saved = 50 * 2 * u64::from(MINUTE) - begins.0;
    assert_eq!((simulation.ticks, simulation.saved().0), (begins.0, saved));
    let (delivered, percent) = (simulation.totals().delivered, simulation.saved().1);
    assert!(percent > 99.0);
    let shown = format!("{delivered} delivered, {} ticks, {saved} saved ({percent:.2} %)", begins.0);
    assert_eq!(simulation.trace(0), [shown]);
}

#[test]
fn a_terminal_of_80_columns_shows_all_counts_and_keys() {
    let mut simulation = simulation(10_000, 1);
    simulation.frames(MINUTE);
    let (_, percent) = simulation.saved();
    let mut view = Dashboard::new(simulation);
    let shown = screen(&mut view, Pane::default(), (80, 24)).join("\n");
    for text in ["q: quit", &format!("saved ({percent:.2} %)"), "stopped", "timed out", "retried", "operator", " µs"] {
        assert!(shown.contains(text), "{text} in\n{shown}");
    }
    assert!(shown.contains("robot 0: asleep until "), "{shown}");
}

#[test]
fn a_small_terminal_shows_the_tree_or_the_map_and_how_to_quit() {
    let mut simulation = simulation(100, 1);
    simulation.frames(MINUTE);
    let mut view = Dashboard::new(simulation);
    for (pane, text) in [(Pane::Tree, "mem_selector"), (Pane::Scene, " map ")] {
        let rows = screen(&mut view, pane, (40, 10));
        assert!(rows[9].contains(" q: quit "), "{rows:#?}");
        assert!(rows.concat().contains(text), "{rows:#?}");
    }
    let rows = screen(&mut view, Pane::Tree, (80, 24));
    assert!(rows.concat().contains("mem_selector") && rows.concat().contains(" map "), "{rows:#?}");
}
