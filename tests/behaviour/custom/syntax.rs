//! How custom composites are written in a tree, and what a description shows.

use bt_core::composite::{ChildCount, Children};
use bt_core::composite::{Composed, compose};
use bt_core::prelude::*;

use super::composites::{recovery, round_robin};
use super::visit_all::visit_all;

/// Ticks the child with the highest score.
struct Highest<const N: usize> {
    scores: [fn(&u32) -> f64; N],
}

#[composite]
impl<const N: usize> Composite<u32> for Highest<N> {
    const CHILDREN: ChildCount = ChildCount::exactly(N);
    fn tick(&self, children: &mut impl Children<u32>, (): &mut (), (): &mut (), ctx: &mut u32) -> Status {
        let score = |child: &usize| self.scores[*child](ctx);
        let best = (0..children.len()).max_by(|one, other| score(one).total_cmp(&score(other)));
        children.tick(best.unwrap_or(0), ctx)
    }
    fn name(&self) -> &'static str {
        "highest"
    }
}

fn highest<L, const N: usize>(scores: [fn(&u32) -> f64; N], children: L) -> Composed<Highest<N>, L> {
    compose(Highest { scores }, children)
}

#[test]
fn children_can_have_expressions_before_them() {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "a score is a function of the context")]
    fn low(n: &u32) -> f64 {
        10.0 - f64::from(*n)
    }
    let tree = tree! {
        for u32: highest { low => |n: &mut u32| *n += 1, |n: &u32| f64::from(*n) => |n: &mut u32| *n += 100 }
    };
    let (mut n, mut memory) = (3, tree.memory());
    let log: Vec<_> = (0..4).map(|_| (tree.tick(&mut n, &mut memory), n).1).collect();
    assert_eq!(log, [4, 5, 105, 205]);
}

#[test]
fn labels_annotations_and_angle_brackets_work_as_for_keywords() {
    let tree = tree! {
        for u32: sequence "root" {
            recovery(6) "navigate" {
                sequence "try" { succeed, run }
                #[allow(unreachable)] round_robin "recover" < succeed, !fail >
            }
            visit_all "all" { run }
        }
    };
    assert_eq!(
        tree.description().to_string(),
        "\
sequence \"root\"
├─ Recovery(number_of_retries: 6) \"navigate\"
│  ├─ sequence \"try\"
│  │  ├─ succeed
│  │  └─ run
│  └─ RoundRobin \"recover\"
│     ├─ succeed
│     └─ invert
│        └─ fail
└─ VisitAll \"all\"
   └─ run
"
    );
}

#[test]
fn a_decorator_of_ones_own_can_have_a_label() {
    fn twice<N: Node<u32>>(child: N) -> impl Node<u32> {
        tree! { repeat(2) { child } }
    }
    let tree = tree! { for u32: twice "again" { |n: &mut u32| *n += 1 } };
    assert!(tree.description().to_string().starts_with("repeat(times: 2) \"again\"\n"));
    let mut n = 0;
    tree.tick(&mut n, &mut tree.memory());
    assert_eq!(n, 2);
}

#[test]
fn the_statuses_of_a_composite_are_checked_like_those_of_keywords() {
    // Without `RETURNS`, a composite can return any status.
    let _ = tree! { for u32: selector { highest { |_: &u32| 1.0 => succeed } run } };
    // With them, `visit_all { succeed }` never fails.
    let tree = tree! { for u32: selector { visit_all { succeed } #[expect(unreachable)] run } };
    assert_eq!(tree.tick(&mut 0, &mut tree.memory()), Status::Success);
}

#[test]
fn a_stored_subtree_is_a_child_of_a_composite() {
    let patrol = tree! { for u32: |n: &mut u32| *n += 1 };
    let tree = tree! { for u32: visit_all { &patrol, &patrol, (|n: &mut u32| *n += 10) } };
    let mut n = 0;
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 12);
}

#[test]
fn a_composite_can_be_a_function_that_returns_a_tree() {
    /// Recovers once.
    fn recover_once<L>(children: L) -> impl Node<u32>
    where
        Composed<super::composites::Recovery, L>: Node<u32>,
    {
        tree! { for u32: timed { (recovery(1, children)) } }
    }
    fn timed<N: Node<u32>>(child: N) -> impl Node<u32> {
        tree! { force_success { child } }
    }
    let tree = tree! { for u32: recover_once { |n: &u32| *n > 1, |n: &mut u32| *n += 1 } };
    let mut n = 0;
    assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
    assert_eq!(n, 1);
}
