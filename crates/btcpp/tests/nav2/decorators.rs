//! The decorators.

use bt_core::Shift;
use bt_core::prelude::*;

use crate::robot::Run;

#[test]
fn a_rate_controller_starts_its_child_once_in_a_period() {
    let mut run = Run::of(r#"<PipelineSequence><RateController hz="2"><A/></RateController><B/></PipelineSequence>"#);
    run.set("B", "R");
    let ticks = [0, 400, 500, 900, 1000, 1600].map(|at| run.at(at));
    assert_eq!(ticks, ["R A B", "R B", "R A B", "R B", "R A B", "R A B"]);
}

#[test]
fn a_rate_controller_ticks_a_running_child() {
    let mut run = Run::of(r#"<PipelineSequence><RateController hz="1"><A/></RateController><B/></PipelineSequence>"#);
    run.set("A", "RRS").set("B", "R");
    // The period begins when the child succeeds.
    let ticks = [0, 100, 200, 1100, 1200].map(|at| run.at(at));
    assert_eq!(ticks, ["R A", "R A", "R A B", "R B", "R A B"]);
}

#[test]
fn a_failure_of_its_child_does_not_begin_a_period() {
    let mut run = Run::of(r#"<WhileDoElse><RateController hz="1"><A/></RateController><B/><C/></WhileDoElse>"#);
    run.set("A", "RF").set("C", "R");
    assert_eq!([run.at(0), run.at(500), run.at(900)], ["R A", "R A C", "R"]);
    assert_eq!(run.at(1000), "R A C");
}

#[test]
fn with_a_rate_of_0_the_child_is_started_once() {
    let mut run = Run::of(r#"<PipelineSequence><RateController hz="0"><A/></RateController><B/></PipelineSequence>"#);
    run.set("B", "R");
    assert_eq!([run.at(0), run.at(1_000_000_000)], ["R A B", "R B"]);
}

#[test]
fn a_rate_controller_of_the_user_needs_no_property() {
    let mut registry = bt_dynamic::Registry::<Board>::new();
    registry.add_leaf("RateController", |_: &mut Board| true);
    let xml = r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><RateController/></BehaviorTree></root>"#;
    assert!(bt_btcpp::XmlRegistry::load_xml(&registry, xml).is_ok());
}

#[test]
fn a_rate_controller_begins_anew_after_its_parent_has_ended() {
    let mut run = Run::of("<PipelineSequence><RateController hz=\"1\"><A/></RateController><B/></PipelineSequence>");
    run.set("B", "SFR");
    assert_eq!([run.at(0), run.at(100), run.at(200), run.at(300)], ["S A B", "F A B", "R A B", "R B"]);
    assert_eq!((run.halt(), run.at(400)), ("-B".to_owned(), "R A B".to_owned()));
}

#[test]
fn below_other_nodes_a_rate_controller_is_reset_at_once() {
    let mut run =
        Run::of("<PipelineSequence><Sequence><RateController><A/></RateController></Sequence><B/></PipelineSequence>");
    run.set("B", "R");
    assert_eq!([run.at(0), run.at(1)], ["R A B", "R A B"]);
}

#[test]
fn the_rate_can_be_a_variable_and_is_10_hertz_by_default() {
    let mut run = Run::of("<PipelineSequence><RateController><A/></RateController><B/></PipelineSequence>");
    run.set("B", "R");
    assert_eq!([run.at(0), run.at(99), run.at(100)], ["R A B", "R B", "R A B"]);
    let mut run =
        Run::of(r#"<PipelineSequence><RateController hz="{hz}"><A/></RateController><B/></PipelineSequence>"#);
    run.robot.board.set(&Key::new("hz"), 4.0_f64);
    run.set("B", "R");
    assert_eq!([run.at(0), run.at(249), run.at(250)], ["R A B", "R B", "R A B"]);
}

#[test]
fn the_period_of_a_rate_controller_can_be_shifted_and_saved() {
    let mut run = Run::of(r#"<PipelineSequence><RateController hz="1"><A/></RateController><B/></PipelineSequence>"#);
    run.set("B", "R");
    assert_eq!(run.at(5000), "R A B");
    let saved = serde_json::to_value(run.tree.saved(&run.memory)).unwrap();
    run.memory = run.tree.memory();
    run.tree.load(&mut run.memory, saved).unwrap();
    run.tree.shift(&mut run.memory, Shift::new(millis(5600), millis(0)));
    assert_eq!([run.at(0), run.at(399), run.at(400)], ["R B", "R B", "R A B"]);
}

#[test]
fn a_single_trigger_fails_after_its_child_has_ended() {
    let mut run = Run::of("<WhileDoElse><SingleTrigger><A/></SingleTrigger><B/><C/></WhileDoElse>");
    run.set("A", "RS").set("B", "R").set("C", "RS");
    assert_eq!([run.tick(), run.tick(), run.tick(), run.tick()], ["R A", "R A B", "R -B C", "S C"]);
    // The parent has ended.
    assert_eq!(run.tick(), "R A B");
}

#[test]
fn a_single_trigger_waits_for_a_child_that_is_skipped() {
    let mut run =
        Run::of(r#"<PipelineSequence><SingleTrigger><A _skipIf="n == 0"/></SingleTrigger><B/></PipelineSequence>"#);
    let n = Key::<i64>::new("n");
    run.robot.board.set(&n, 0);
    run.set("B", "R");
    assert_eq!(run.tick(), "R B");
    run.robot.board.set(&n, 1);
    assert_eq!([run.tick(), run.tick()], ["R A B", "F -B"]);
}

#[test]
fn a_goal_updated_controller_starts_its_child_for_each_goal() {
    let mut run =
        Run::of("<PipelineSequence><GoalUpdatedController><A/></GoalUpdatedController><B/></PipelineSequence>");
    let (goal, goals) = (Key::<i64>::new("goal"), Key::<String>::new("goals"));
    run.set("B", "R");
    assert_eq!([run.tick(), run.tick()], ["R A B", "R B"]);
    run.robot.board.set(&goal, 1);
    assert_eq!([run.tick(), run.tick()], ["R A B", "R B"]);
    // The same value is no update.
    run.robot.board.set(&goal, 1);
    assert_eq!(run.tick(), "R B");
    run.robot.board.set(&goals, "1;2".to_owned());
    assert_eq!([run.tick(), run.tick()], ["R A B", "R B"]);
}

#[test]
fn the_ports_of_a_goal_updated_controller_name_variables() {
    let mut run = Run::of(
        r#"<PipelineSequence><GoalUpdatedController goal="{other}"><A/></GoalUpdatedController><B/></PipelineSequence>"#,
    );
    run.set("A", "R").set("B", "R");
    assert_eq!(run.tick(), "R A");
    // A running child goes on, with the new goal.
    run.robot.board.set(&Key::new("other"), 1_i64);
    assert_eq!(run.set("A", "S").tick(), "R A B");
    run.robot.board.set(&Key::new("goal"), 1_i64);
    assert_eq!(run.tick(), "R B");
    run.robot.board.set(&Key::new("other"), 2_i64);
    assert_eq!(run.tick(), "R A B");
}
