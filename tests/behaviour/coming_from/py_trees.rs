//! The policies of the Parallel of `py_trees`, and decorators that are several words here.

use bt_core::Status::{self, Failure, Running, Success};
use bt_core::composite::{Children, Several};
use bt_core::composite::{Composed, Returns, compose};
use bt_core::decorator::StatusMap;
use bt_core::prelude::*;

use super::{Scripted, same};
use crate::custom::visit_all;

/// `visit_all` with the policy `SuccessOnOne`, as the guide describes it.
struct VisitOne;

#[composite]
impl<C: ?Sized> Composite<C> for VisitOne {
    type Running = Several;
    const RETURNS: Returns = Returns::AnyChild(StatusMap::SAME);

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let mut result = Running;
        for child in 0..children.len() {
            result = match (result, children.tick(child, ctx)) {
                (Failure, _) | (_, Failure) => Failure,
                (Success, _) | (_, Success) => Success,
                (result, _) => result,
            };
        }
        result
    }
}

const fn visit_one<L>(children: L) -> Composed<VisitOne, L> {
    compose(VisitOne, children)
}

/// `visit_all` with the policy `SuccessOnSelected`, as the guide describes it.
struct VisitSelected<const N: usize>([bool; N]);

#[composite]
impl<const N: usize, C: ?Sized> Composite<C> for VisitSelected<N> {
    type Running = Several;

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let mut result = Success;
        for (child, is_selected) in self.0.into_iter().enumerate() {
            result = match (result, children.tick(child, ctx)) {
                (Failure, _) | (_, Failure) => Failure,
                (Running, _) | (_, Running) if is_selected => Running,
                (result, _) => result,
            };
        }
        result
    }
}

const fn visit_selected<L, const N: usize>(selected: [bool; N], children: L) -> Composed<VisitSelected<N>, L> {
    compose(VisitSelected(selected), children)
}

/// `Parallel.tick`: ticks all children, then looks for a failure, then asks the policy. Synchronized, it does not tick
/// children again that have succeeded.
fn parallel(
    synchronise: bool,
    last: &mut [Option<Status>; 3],
    children: &mut super::Children<'_>,
    policy: impl Fn(&[Option<Status>; 3]) -> bool,
) -> Status {
    for (index, last) in last.iter_mut().enumerate() {
        if !(synchronise && *last == Some(Success)) {
            *last = Some(children.tick(index));
        }
    }
    let end = if last.contains(&Some(Failure)) {
        Failure
    } else if policy(last) {
        Success
    } else {
        return Running;
    };
    (0..3).for_each(|index| children.halt(index));
    *last = [None; 3];
    end
}

#[test]
fn all_policies_of_parallel_can_be_written() {
    let all = |last: &[Option<Status>; 3]| *last == [Some(Success); 3];
    let one = |last: &[Option<Status>; 3]| last.contains(&Some(Success));
    let selected = |last: &[Option<Status>; 3]| last[0] == Some(Success) && last[2] == Some(Success);
    let tree = tree! { visit_all { Scripted(0), Scripted(1), Scripted(2) } };
    same(&tree, 3, 3, |last, children| parallel(false, last, children, all));
    let tree = tree! { visit_one { Scripted(0), Scripted(1), Scripted(2) } };
    same(&tree, 3, 3, |last, children| parallel(false, last, children, one));
    let tree = tree! { visit_selected { true => Scripted(0), false => Scripted(1), true => Scripted(2) } };
    same(&tree, 3, 3, |last, children| parallel(false, last, children, selected));
    let tree = tree! {
        fresh {
            visit_selected {
                true => run_once { Scripted(0) }
                false => run_once { Scripted(1) }
                true => run_once { Scripted(2) }
            }
        }
    };
    same(&tree, 3, 3, |last, children| parallel(true, last, children, selected));
}

#[test]
fn condition_and_success_is_running_are_decorators() {
    same(&tree! { wait_until { Scripted(0) } }, 1, 5, |(): &mut (), children| match children.tick(0) {
        Success => Success,
        _ => Running,
    });
    same(&tree! { wait_until { !(Scripted(0)) } }, 1, 5, |(): &mut (), children| match children.tick(0) {
        Failure => Success,
        _ => Running,
    });
    same(&tree! { force_failure { until_failure { Scripted(0) } } }, 1, 5, |(): &mut (), children| {
        match children.tick(0) {
            Success => Running,
            other => other,
        }
    });
}
