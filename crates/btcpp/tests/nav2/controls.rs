//! The control nodes.

use bt_core::prelude::*;

use crate::robot::Run;

#[test]
fn a_recovery_runs_between_two_tries() {
    let mut run = Run::of(r#"<RecoveryNode number_of_retries="2"><A/><B/></RecoveryNode>"#);
    run.set("A", "RFFS").set("B", "RS");
    assert_eq!(run.tick(), "R A");
    assert_eq!(run.tick(), "R A B");
    assert_eq!(run.tick(), "S B A B A");
}

#[test]
fn after_the_last_retry_a_recovery_fails() {
    let mut run = Run::of(r#"<RecoveryNode number_of_retries="2"><A/><B/></RecoveryNode>"#);
    assert_eq!(run.set("A", "F").tick(), "F A B A B A");
    assert_eq!(run.tick(), "F A B A B A");
}

#[test]
fn one_retry_is_the_default() {
    assert_eq!(Run::of("<RecoveryNode><A/><B/></RecoveryNode>").set("A", "F").tick(), "F A B A");
}

#[test]
fn a_failed_recovery_is_a_failure() {
    let mut run = Run::of(r#"<RecoveryNode number_of_retries="5"><A/><B/></RecoveryNode>"#);
    assert_eq!(run.set("A", "F").set("B", "F").tick(), "F A B");
}

#[test]
fn a_halted_recovery_counts_anew() {
    let mut run = Run::of("<RecoveryNode><A/><B/></RecoveryNode>");
    run.set("A", "FRF").set("B", "S");
    assert_eq!(run.tick(), "R A B A");
    assert_eq!(run.halt(), "-A");
    assert_eq!(run.tick(), "F A B A");
}

#[test]
fn a_skipped_child_skips_the_recovery() {
    let xml = r#"<Fallback><RecoveryNode><A _skipIf="true"/><B/></RecoveryNode><C/></Fallback>"#;
    assert_eq!(Run::of(xml).tick(), "S C");
}

#[test]
fn a_skipped_recovery_fails_without_a_new_count() {
    let mut run = Run::of(r#"<RecoveryNode><A/><B _skipIf="n == 1"/></RecoveryNode>"#);
    run.robot.board.set(&Key::new("n"), 0_i64);
    run.set("A", "FR");
    assert_eq!(run.tick(), "R A B A");
    run.robot.board.set(&Key::new("n"), 1_i64);
    assert_eq!(run.set("A", "F").tick(), "F A");
    assert_eq!(run.tick(), "F A");
}

#[test]
fn a_recovery_has_two_children() {
    for children in ["<A/>", "<A/><A/><A/>"] {
        let xml = format!(
            r#"<root BTCPP_format="4"><BehaviorTree ID="Main"><RecoveryNode>{children}</RecoveryNode></BehaviorTree></root>"#
        );
        let error = bt_btcpp::XmlRegistry::load_xml(&crate::robot::registry(&["A"]), &xml).err().unwrap();
        assert!(error.to_string().contains("2 children"), "{error}");
    }
}

#[test]
fn a_pipeline_ticks_all_children_up_to_the_last_running_one() {
    let mut run = Run::of("<PipelineSequence><A/><B/><C/></PipelineSequence>");
    run.set("A", "RSRS").set("B", "RRS").set("C", "RS");
    assert_eq!(run.tick(), "R A");
    assert_eq!(run.tick(), "R A B");
    assert_eq!(run.tick(), "R A B");
    assert_eq!(run.tick(), "R A B C");
    assert_eq!(run.tick(), "S A B C");
}

#[test]
fn a_pipeline_ends_with_its_last_child_while_others_run() {
    let mut run = Run::of("<PipelineSequence><A/><B/></PipelineSequence>");
    run.set("A", "SR").set("B", "RS");
    assert_eq!(run.tick(), "R A B");
    assert_eq!(run.tick(), "S A B -A");
}

#[test]
fn a_failed_child_fails_the_pipeline() {
    let mut run = Run::of("<PipelineSequence><A/><B/></PipelineSequence>");
    run.set("A", "SF").set("B", "R");
    assert_eq!(run.tick(), "R A B");
    assert_eq!(run.tick(), "F A -B");
}

#[test]
fn a_pipeline_is_skipped_with_all_its_children() {
    let xml = r#"<Fallback><PipelineSequence><A _skipIf="true"/></PipelineSequence><B/></Fallback>"#;
    assert_eq!(Run::of(xml).tick(), "S B");
    let xml = r#"<Fallback><PipelineSequence><A _skipIf="true"/><C/></PipelineSequence><B/></Fallback>"#;
    assert_eq!(Run::of(xml).tick(), "S C");
}

#[test]
fn a_round_robin_continues_with_the_next_child() {
    let mut run = Run::of(r#"<RoundRobin wrap_around="true"><A/><B/><C/></RoundRobin>"#);
    run.set("B", "F");
    assert_eq!(run.tick(), "S A");
    assert_eq!(run.tick(), "S B C");
    assert_eq!(run.tick(), "S A");
}

#[test]
fn a_round_robin_fails_after_all_children_have_failed() {
    let mut run = Run::of(r#"<RoundRobin wrap_around="true"><A/><B/><C/></RoundRobin>"#);
    run.set("A", "SF").set("B", "RF").set("C", "F");
    assert_eq!(run.tick(), "S A");
    assert_eq!(run.tick(), "R B");
    assert_eq!(run.tick(), "F B C A");
    assert_eq!(run.tick(), "F A B C");
}

#[test]
fn without_a_wrap_around_the_last_child_ends_the_round_with_a_failure() {
    let mut run = Run::of("<RoundRobin><A/><B/></RoundRobin>");
    assert_eq!([run.tick(), run.tick(), run.tick()], ["S A", "F B", "S A"]);
}

#[test]
fn a_halted_round_robin_begins_with_the_first_child() {
    let mut run = Run::of("<RoundRobin><A/><B/><C/></RoundRobin>");
    run.set("B", "R");
    assert_eq!([run.tick(), run.tick(), run.halt(), run.tick()], ["S A", "R B", "-B", "S A"]);
}

#[test]
fn a_round_robin_is_skipped_with_all_its_children() {
    let children = r#"<A _skipIf="true"/><B _skipIf="true"/>"#;
    for (children, expected) in [(children.to_owned(), "S C"), (format!("{children}<B/>"), "F B")] {
        let xml = format!("<Sequence><RoundRobin>{children}</RoundRobin><C/></Sequence>");
        assert_eq!(Run::of(&xml).tick(), expected);
    }
}

#[test]
fn the_position_of_a_persistent_sequence_is_a_variable() {
    let mut run =
        Run::of(r#"<PersistentSequence current_child_idx="{at}"><A/><B _skipIf="true"/><C/></PersistentSequence>"#);
    assert_eq!(run.tick(), "E");
    let at = Key::<i64>::new("at");
    run.robot.board.set(&at, 0);
    run.set("C", "RFS");
    assert_eq!((run.tick(), run.robot.board.get(&at)), ("R A C".to_owned(), Some(&2)));
    assert_eq!((run.halt(), run.tick()), ("-C".to_owned(), "F C".to_owned()));
    assert_eq!(run.robot.board.get(&at), Some(&0));
    assert_eq!((run.tick(), run.robot.board.get(&at)), ("S A C".to_owned(), Some(&0)));
    run.robot.board.set(&at, 2);
    assert_eq!(run.tick(), "S C");
}

#[test]
fn a_nonblocking_sequence_ticks_all_children() {
    let mut run = Run::of("<NonblockingSequence><A/><B/><C/></NonblockingSequence>");
    run.set("A", "RSRS").set("C", "RRS");
    assert_eq!([run.tick(), run.tick(), run.tick(), run.tick()], ["R A B C", "R A B C", "R A B C", "S A B C"]);
    assert_eq!(run.set("A", "R").set("B", "F").tick(), "F A B -A");
}

#[test]
fn a_skipped_child_is_an_error_of_a_nonblocking_sequence() {
    assert_eq!(Run::of(r#"<NonblockingSequence><A _skipIf="true"/></NonblockingSequence>"#).tick(), "E");
}
