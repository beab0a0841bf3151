//! Failures with a reason: a test per sentence.

use std::fmt::{self, Display};
use std::future::Future;

use bt_core::OnFailure;
use bt_core::leaf::Fails;
use bt_core::observe::{ChangeLog, RecordFile, Recorder};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};

/// Why the gripper holds nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Missed {
    Slipped,
    OutOfReach,
}

impl Display for Missed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Slipped => "it slipped",
            Self::OutOfReach => "out of reach",
        })
    }
}

/// What the gripper will report, the last first, and the last reason that the context has received.
#[derive(Default)]
struct Arm {
    told: Vec<Result<Status, Missed>>,
    received: Option<(usize, Missed)>,
}

impl OnFailure<Missed> for Arm {
    fn on_failure(&mut self, at: NodeId, reason: Missed) {
        self.received = Some((at.index(), reason));
    }
}

impl Arm {
    fn next(&mut self) -> Result<Status, Missed> {
        self.told.pop().expect("it is told what to report")
    }
}

#[action(fails)]
fn grasp(arm: &mut Arm) -> Result<Status, Missed> {
    let status = arm.next()?;
    Ok(status)
}

#[condition]
fn slipped(arm: &Arm) -> bool {
    matches!(arm.received, Some((_, Missed::Slipped)))
}

/// The reasons of failures and of errors that an observer receives.
#[derive(Default)]
struct Reasons(Vec<String>);

impl Observer for Reasons {
    fn failure(&mut self, at: NodeId, reason: &dyn Display) {
        self.0.push(format!("{at} {reason}"));
    }

    fn error(&mut self, at: NodeId, error: &dyn Display) {
        self.0.push(format!("{at} error {error}"));
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.0.push(format!("{at} {status:?}"));
    }
}

fn loaded(text: &str) -> LoadedTree<Arm> {
    let mut registry = Registry::<Arm>::new();
    registry.add::<grasp>("grasp").add::<slipped>("slipped");
    registry.load_tree(text).unwrap_or_else(|error| panic!("{error}"))
}

const SLIPS: Result<Status, Missed> = Err(Missed::Slipped);

/// Ticks a tree whose first child of the root is the action.
fn check<N: Node<Arm>>(tree: &N) {
    let (mut memory, mut reasons) = (tree.memory(), Reasons::default());
    let mut arm = Arm { told: vec![SLIPS, Ok(Status::Running), Ok(Status::Success)], received: None };
    let mut tick = |arm: &mut Arm| {
        let status = tree.tick_with(arm, &mut memory, &mut reasons);
        (status, std::mem::take(&mut reasons.0).join(", "), arm.received.take())
    };
    assert_eq!(tick(&mut arm), (Status::Success, "#1 Success, #0 Success".to_owned(), None));
    assert_eq!(tick(&mut arm), (Status::Running, "#1 Running, #0 Running".to_owned(), None));
    let failed = "#1 it slipped, #1 Failure, #0 Failure".to_owned();
    assert_eq!(tick(&mut arm), (Status::Failure, failed, Some((1, Missed::Slipped))));
}

#[test]
fn an_err_is_a_failure_whose_reason_observers_and_the_context_receive() {
    check(&tree! { sequence { grasp() } });
    check(&boxed(tree! { sequence { grasp() } }));
    check(&loaded("sequence { grasp }"));
}

#[test]
fn functions_and_closures_return_the_result_themselves() {
    fn plain(arm: &mut Arm) -> Fails<Status, Missed> {
        Fails(arm.next())
    }
    check(&tree! { sequence { plain } });
    check(&tree! { for Arm: sequence { |arm: &mut Arm| Fails(arm.next()) } });
}

#[test]
fn the_future_of_an_action_can_end_with_a_reason() {
    #[action(fails)]
    fn later(arm: &mut Arm) -> impl Future<Output = Result<Status, Missed>> {
        let told = arm.next();
        async move { told }
    }

    #[action(fails)]
    async fn asks(arm: bt_core::task::AsyncContext<Arm>) -> Result<Status, Missed> {
        let status = arm.with(Arm::next).await?;
        Ok(status)
    }

    #[action(fails)]
    async fn changes(arm: bt_core::task::AsyncContext<Arm>) -> Result<impl FnOnce(&mut Arm) -> Status, Missed> {
        let status = arm.with(Arm::next).await?;
        Ok(move |_: &mut Arm| status)
    }
    check(&tree! { sequence { later() } });
    check(&tree! { sequence { asks() } });
    check(&tree! { sequence { changes() } });
}

#[test]
fn conditions_decide_by_the_reason_what_is_tried_next() {
    fn grasped<N: Node<Arm>>(tree: &N, told: &[Result<Status, Missed>]) -> (Status, usize) {
        let mut arm = Arm { told: told.iter().rev().copied().collect(), received: None };
        (tree.tick(&mut arm, &mut tree.memory()), arm.told.len())
    }
    fn check<N: Node<Arm>>(tree: &N) {
        let reach = Err(Missed::OutOfReach);
        assert_eq!(grasped(tree, &[SLIPS, SLIPS, Ok(Status::Success)]), (Status::Success, 0));
        assert_eq!(grasped(tree, &[SLIPS, reach, Ok(Status::Success)]), (Status::Error, 1), "it gives up");
    }
    check(&tree! { retry(3) { selector { grasp(), sequence { !slipped(), error } } } });
    check(&loaded("retry(3) { selector { grasp, sequence { !slipped, error } } }"));
}

#[test]
fn an_action_that_fails_without_the_attribute_still_returns_an_error() {
    struct Strict;
    impl OnError<Missed> for Strict {
        fn on_error(&mut self, _: NodeId, _: Missed) {}
    }
    let tree = tree! { for Strict: |_: &mut Strict| -> Result<(), Missed> { Err(Missed::Slipped) } };
    assert_eq!(tree.tick(&mut Strict, &mut tree.memory()), Status::Error);
}

#[test]
fn a_log_of_changes_has_the_reason() {
    let tree = tree! { sequence { grasp() } };
    let mut lines = vec![];
    let mut log = ChangeLog::new(&tree, |change| lines.push(change.to_string()));
    let mut arm = Arm { told: vec![SLIPS], received: None };
    tree.tick_with(&mut arm, &mut tree.memory(), &mut log);
    assert_eq!(
        lines,
        [
            "[    0.000] grasp            Idle    -> Failure: it slipped",
            "[    0.000] sequence         Idle    -> Failure"
        ]
    );
}

#[test]
fn a_log_of_changes_reports_another_reason() {
    let tree = tree! { sequence { grasp() } };
    let mut lines = vec![];
    let mut log = ChangeLog::new(&tree, |change| lines.push(change.to_string()));
    let mut arm = Arm { told: vec![Err(Missed::OutOfReach), SLIPS, SLIPS], received: None };
    let mut memory = tree.memory();
    for _ in 0..3 {
        tree.tick_with(&mut arm, &mut memory, &mut log);
    }
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2], "[    0.000] grasp            Failure -> Failure: out of reach");
}

#[test]
fn a_recording_has_the_reason_and_so_does_the_answer_to_why() {
    let tree = tree! { sequence { grasp() } };
    let mut file = RecordFile::new(Vec::new(), "arm", &tree).expect("it can be written");
    let mut recorder = Recorder::new(100);
    let (mut arm, mut memory) = (Arm { told: vec![SLIPS], received: None }, tree.memory());
    tree.tick_with(&mut arm, &mut memory, &mut (&mut recorder, &mut file));
    let ticks: Vec<_> = recorder.recording(0).expect("it is recorded").ticks().collect();
    assert_eq!(ticks[0].reasons, [(NodeId::new(1), "it slipped".to_owned())]);
    let text = String::from_utf8(file.finish().expect("it can be written")).expect("it is text");
    assert!(text.contains(r#""reasons":[[1,"it slipped"]]"#), "{text}");
    let answer = tree.description().why(&ticks, 0, NodeId::new(0)).to_string();
    assert!(answer.contains("`grasp` failed (it slipped)"), "{answer}");

    let mut replayed = Reasons::default();
    ticks[0].replay(&tree.description(), &mut replayed);
    assert_eq!(replayed.0, ["#1 it slipped", "#1 Failure", "#0 Failure"]);
}

#[test]
fn an_unobserved_failure_is_not_formatted() {
    struct Unprintable;
    impl Display for Unprintable {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("it is formatted")
        }
    }
    impl OnFailure<Unprintable> for () {}
    let tree = tree! { for (): |(): &mut ()| Fails::<(), _>(Err(Unprintable)) };
    assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Failure);
}

#[test]
fn each_visit_of_a_tick_has_its_own_reason() {
    let tree = tree! { retry(3) { grasp() } };
    let mut recorder = Recorder::new(100);
    let told = vec![Ok(Status::Success), Err(Missed::OutOfReach), SLIPS];
    tree.tick_with(&mut Arm { told, received: None }, &mut tree.memory(), &mut recorder);
    let tick = recorder.recording(0).expect("it is recorded").ticks().next().expect("a tick");
    let mut replayed = Reasons::default();
    tick.replay(&tree.description(), &mut replayed);
    let visits = ["#1 it slipped", "#1 Failure", "#1 out of reach", "#1 Failure", "#1 Success", "#0 Success"];
    assert_eq!(replayed.0, visits);
}
