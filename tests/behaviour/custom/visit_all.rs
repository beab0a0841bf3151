//! The parallel of `py_trees`.

use bt_core::composite::{Children, Several};
use bt_core::composite::{Composed, Returns, compose};
use bt_core::decorator::StatusMap;
use bt_core::prelude::*;
use serde::Deserialize;

/// Ticks all its children in every tick. Fails if one of them has failed in the tick, succeeds if all have succeeded.
/// (Parallel of `py_trees` with the policy `SuccessOnAll`.)
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VisitAll {}

// ANCHOR: visit_all
#[composite]
impl<C: ?Sized> Composite<C> for VisitAll {
    type Running = Several;
    const RETURNS: Returns = Returns::AnyChild(StatusMap::SAME);

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let mut result = Status::Success;
        for child in 0..children.len() {
            result = match (result, children.tick(child, ctx)) {
                (Status::Failure, _) | (_, Status::Failure) => Status::Failure,
                (Status::Running, _) | (_, Status::Running) => Status::Running,
                (result, _) => result,
            };
        }
        result
    }
}

/// See [`VisitAll`].
pub(crate) const fn visit_all<L>(children: L) -> Composed<VisitAll, L> {
    compose(VisitAll {}, children)
}
// ANCHOR_END: visit_all

/// Ticks all children; succeeds although a child may be running.
struct Start;

#[composite]
impl<C: ?Sized> Composite<C> for Start {
    type Running = Several;
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        for child in 0..children.len() {
            children.tick(child, ctx);
        }
        Status::Success
    }
}

fn start<L>(children: L) -> Composed<Start, L> {
    compose(Start, children)
}

#[test]
fn a_replay_halts_the_child_visited_last_after_its_visit() {
    use bt_core::observe::Recorder;
    use bt_tests::world::Events;

    fn same<N: Node<()>>(tree: &N) {
        let (mut seen, mut recorder) = (Events::default(), Recorder::new(100));
        tree.tick_with(&mut (), &mut tree.memory(), &mut (&mut seen, &mut recorder).for_agent(1, Duration::ZERO));
        let mut told = Events::default();
        let recording = recorder.recording(1).expect("it was recorded");
        recording.ticks().for_each(|tick| tick.replay(&tree.description(), &mut told));
        assert_eq!(told.0, seen.0);
    }

    same(&tree! { for (): start { succeed, sequence { succeed, run } } });
    same(&tree! { for (): start { succeed, sequence { machine { state only { run, exit: succeed } } } } });
}
