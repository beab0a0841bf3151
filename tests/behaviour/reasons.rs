//! The reasons of decorators of the user: reported for each error that they decide on.

use std::fmt::Display;

use bt_core::Status::{Error, Running, Success};
use bt_core::decorator::{AfterChild, Decorated, Gate, StatusMap, decorate};
use bt_core::prelude::*;
use bt_core::{Never, Outcomes};
use bt_dynamic::NoProperties;

/// The method that returns `Error`, and the status of the child.
struct Plan {
    method: &'static str,
    child: Status,
}

impl Plan {
    fn is_at(&self, method: &str) -> bool {
        self.method == method
    }
}

#[action]
fn planned(plan: &mut Plan) -> Status {
    plan.child
}

/// Returns `Error` where the plan says so.
struct Failing;

#[decorator]
impl Decorator<Plan> for Failing {
    const RETURNS: StatusMap = StatusMap { always: Outcomes::ERROR, ..StatusMap::SAME };

    fn open(&self, (): &mut (), (): &mut (), plan: &mut Plan) -> Gate<Never> {
        if plan.is_at("open") { Gate::End(Outcome::Error) } else { Gate::Go }
    }

    fn resume(&self, (): &mut (), (): &mut (), plan: &mut Plan) -> Gate<Never> {
        if plan.is_at("resume") { Gate::End(Outcome::Error) } else { Gate::Go }
    }

    fn running(&self, (): &mut (), (): &mut (), plan: &mut Plan) -> Option<Outcome> {
        plan.is_at("running").then_some(Outcome::Error)
    }

    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), plan: &mut Plan) -> AfterChild<Never> {
        AfterChild::End(if plan.is_at("end") { Outcome::Error } else { outcome })
    }

    fn reason(&self, plan: &Plan, show: &mut dyn FnMut(&dyn Display)) {
        show(&plan.method);
    }
}

fn failing<N>(child: N) -> Decorated<Failing, N> {
    decorate(Failing, child)
}

#[derive(Default)]
struct Reasons(Vec<String>);

impl Observer for Reasons {
    fn error(&mut self, at: NodeId, error: &dyn Display) {
        self.0.push(format!("{at} {error}"));
    }
}

fn check<N: Node<Plan>>(tree: &N) {
    let (mut memory, mut reasons) = (tree.memory(), Reasons::default());
    let mut tick = |method, child| {
        let status = tree.tick_with(&mut Plan { method, child }, &mut memory, &mut reasons);
        (status, std::mem::take(&mut reasons.0).join(", "))
    };
    let error = |method: &str| (Error, format!("#0 {method}"));
    assert_eq!(tick("", Success), (Success, String::new()));
    assert_eq!(tick("open", Success), error("open"));
    assert_eq!(tick("end", Success), error("end"));
    assert_eq!(tick("end", Error), (Error, String::new()), "the error is the child's");
    assert_eq!(tick("running", Running), error("running"));
    for (method, child) in [("resume", Running), ("running", Running), ("end", Success)] {
        assert_eq!(tick("", Running), (Running, String::new()));
        assert_eq!(tick(method, child), error(method));
    }
    assert_eq!(tick("", Running), (Running, String::new()));
    assert_eq!(tick("end", Error), (Error, String::new()), "the error is the child's");
}

#[test]
fn a_decorator_states_the_reason_for_each_error_of_its_own() {
    check(&tree! { for Plan: failing { planned() } });
    let mut registry = bt_dynamic::Registry::<Plan>::new();
    registry.add::<planned>("Planned").add_decorator("Failing", |_: NoProperties| Failing);
    let file = r#"{ "root": "f", "nodes": { "f": { "name": "Failing", "child": "p" }, "p": { "name": "Planned" } } }"#;
    check(&registry.load(file).expect("nothing is wrong with it"));
}
