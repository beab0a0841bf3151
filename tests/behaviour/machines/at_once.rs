//! Guards and `enter:` and `exit:` actions that are running although their type excludes it: they are halted at once.

use bt_core::Outcomes;
use bt_core::Status::Running;
use bt_core::describe::{Kind, Visitor};
use bt_core::prelude::*;
use bt_core::{
    Step,
    protocol::{Interrupt, Visit},
};
use bt_dynamic::{NoProperties, Registry};
use bt_tests::world::Events;

type Log = Vec<String>;

/// A node that declares that it ends, and runs.
#[derive(Clone, Copy)]
struct Endless(&'static str);

impl NodeShape for Endless {
    type Open = u32;
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, "endless", &[]);
    }
}

impl Node<Log> for Endless {
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, Log, O>) -> Step<u32> {
        visit.ctx.push(format!("{} starts", self.0));
        Step::Running(7)
    }

    fn resume<O: Observer>(&self, _: NodeId, _: &mut u32, (): &mut (), visit: &mut Visit<'_, Log, O>) -> Step<()> {
        visit.ctx.push(format!("{} resumes", self.0));
        Step::Running(())
    }

    fn interrupt<O: Observer>(
        &self,
        _: NodeId,
        open: &mut u32,
        (): &mut (),
        _: Interrupt,
        visit: &mut Visit<'_, Log, O>,
    ) {
        visit.ctx.push(format!("{} is halted with {open}", self.0));
    }
}

#[test]
fn a_running_guard_or_hook_is_halted_at_once() {
    let written = tree! {
        for Log: machine {
            state only { enter: (Endless("enter")), exit: (Endless("exit")), run, Endless("guard") -> success }
            any { !(Endless("negated")) -> failure }
        }
    };
    let mut registry = Registry::<Log>::new();
    registry.add_with("Enter", |_: NoProperties| Endless("enter")).add_with("Exit", |_: NoProperties| Endless("exit"));
    registry
        .add_with("Guard", |_: NoProperties| Endless("guard"))
        .add_with("Not", |_: NoProperties| Endless("negated"));
    let loaded = registry
        .load(
            r#"{ "root": "m", "nodes": {
                "m": { "name": "machine", "properties": { "any": ["!Not -> failure"] }, "children": ["s"] },
                "s": { "name": "state", "properties": { "name": "only", "enter": "Enter", "exit": "Exit", "transitions": ["Guard -> success"] }, "children": ["r"] },
                "r": { "name": "Runner" }
            } }"#,
        )
        .expect("the file is valid");
    assert_eq!(events(&written).0, events(&loaded).0);
}

/// Ticks a tree twice and halts it, with and without an observer. Returns the events.
fn events<N: Node<Log>>(tree: &N) -> Events {
    let mut events = Events::default();
    let (mut log, mut memory) = (Log::new(), tree.memory());
    let (mut observed, mut observed_memory) = (Log::new(), tree.memory());
    for _ in 0..2 {
        assert_eq!(tree.tick(&mut log, &mut memory), Running);
        assert_eq!(tree.tick_with(&mut observed, &mut observed_memory, &mut events), Running);
    }
    tree.halt(&mut log, &mut memory);
    tree.halt_with(&mut observed, &mut observed_memory, &mut events);
    let each = |name: &str| [format!("{name} starts"), format!("{name} is halted with 7")];
    let expected: Vec<_> =
        ["enter", "guard", "negated", "guard", "negated", "exit"].into_iter().flat_map(each).collect();
    assert_eq!(log, expected);
    assert_eq!(observed, expected);
    events
}
