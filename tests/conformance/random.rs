//! Random trees and what happens to them.

use bt_conformance::spec::{Args, How, On, Own, Spec, StateSpec, TransitionSpec};
use bt_core::Status;
use bt_words::{Arity, Family, Word};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::Doing;

/// The words of this arity, except machines and their states: those have a test of their own.
pub(crate) fn words(arity: Arity) -> Vec<Word> {
    let families = [Family::Machine, Family::State];
    let words = Word::ALL.iter().copied().filter(|word| !families.contains(&word.row().family));
    words.filter(|word| word.row().arity() == arity).collect()
}

fn args() -> impl Strategy<Value = Args> {
    let millis = prop_oneof![Just(0_u64), 1..300_u64];
    let how = prop_oneof![2 => Just(How::Fixed), 1 => Just(How::Computed), 1 => Just(How::Ranged)];
    (0..4_u32, millis, 0..=100_u8, 1..5_usize, 1..5_usize, any::<bool>(), 0..1000_u32, how).prop_map(
        |(times, millis, percent, success, failure, weighted, action, how)| Args {
            times,
            millis,
            percent,
            success,
            failure,
            weighted,
            action,
            how,
        },
    )
}

fn transition() -> impl Strategy<Value = TransitionSpec> {
    let on = prop_oneof![
        Just(On::Success),
        Just(On::Failure),
        (0..1000_u32).prop_map(On::Condition),
        (0..1000_u32).prop_map(On::Not),
        Just(On::Just(Status::Failure)),
    ];
    let to = prop_oneof![4 => (0..8_usize).prop_map(Ok), 1 => any::<bool>().prop_map(|is| Err(Status::from(is)))];
    (on, to).prop_map(|(on, to)| TransitionSpec { on, to })
}

/// Transitions to any state: the number of a state is taken modulo the number of states.
pub(crate) fn transitions() -> impl Strategy<Value = Vec<TransitionSpec>> {
    vec(transition(), 0..3)
}

fn own() -> impl Strategy<Value = Own> {
    prop::sample::select(&Own::ALL[..])
}

/// Any tree of any words, machines and nodes of the user. Only loaded trees have them.
pub(crate) fn spec_of_file() -> impl Strategy<Value = Spec> {
    let tree = spec_with(|child| {
        let own = (own(), 0..1000_u32, vec(child.clone(), 1..=4)).prop_map(|(own, number, mut children)| {
            children.truncate(if own == Own::Patience { 1 } else { 4 });
            Spec::Own(own, number, children)
        });
        let states = (child.clone(), 0..1000_u32, transitions());
        let states = states.prop_map(|(node, number, transitions)| StateSpec { node, number, transitions });
        let machine = (vec(states, 1..=4), transitions()).prop_map(|(states, any)| Spec::Machine { states, any });
        prop_oneof![1 => own, 1 => machine, 4 => child].boxed()
    });
    // Of several nodes, so that there is something to edit.
    (prop::sample::select(words(Arity::Many)), args(), vec(tree, 2..=4))
        .prop_map(|(word, args, children)| Spec::Word(word, args, children))
}

/// Any tree of any words, of up to some sixty nodes.
pub(crate) fn spec() -> impl Strategy<Value = Spec> {
    spec_with(|child| child)
}

fn spec_with(more: fn(BoxedStrategy<Spec>) -> BoxedStrategy<Spec>) -> impl Strategy<Value = Spec> {
    let word = |arity| prop::sample::select(words(arity));
    let leaf = prop_oneof![
        3 => (0..1000_u32).prop_map(Spec::Leaf),
        1 => (0..1000_u32).prop_map(Spec::Action),
        2 => (0..1000_u32).prop_map(Spec::Condition),
        1 => (word(Arity::Zero), args()).prop_map(|(word, args)| Spec::Word(word, args, Vec::new())),
    ];
    // Conditions that hold or not, and now and then any node.
    let condition = prop_oneof![4 => (0..1000_u32).prop_map(Spec::Condition), 1 => leaf.clone()];
    leaf.prop_recursive(5, 60, 8, move |child| {
        let (condition, child) = (condition.clone(), more(child.boxed()));
        prop_oneof![
            4 => (word(Arity::Many), args(), vec(child.clone(), 1..=8))
                .prop_map(|(word, args, children)| Spec::Word(word, args, children)),
            3 => (word(Arity::One), args(), child.clone())
                .prop_map(|(word, args, child)| Spec::Word(word, args, [child].into())),
            1 => (word(Arity::BodyAndCleanup), args(), child.clone(), child.clone())
                .prop_map(|(word, args, body, cleanup)| Spec::Word(word, args, [body, cleanup].into())),
            1 => (word(Arity::Branches), args(), condition, vec(child, 1..=2)).prop_map(|(word, args, condition, branches)| {
                Spec::Word(word, args, [condition].into_iter().chain(branches).collect())
            }),
        ]
    })
}

/// The statuses that the leaves return.
pub(crate) fn told() -> impl Strategy<Value = Vec<Status>> {
    told_with(12)
}

/// The same, with the weight of `Running`.
pub(crate) fn told_with(running: u32) -> impl Strategy<Value = Vec<Status>> {
    let status = prop_oneof![
        8 => Just(Status::Success),
        8 => Just(Status::Failure),
        running => Just(Status::Running),
        1 => Just(Status::Error),
    ];
    vec(status, 1..60)
}

/// What happens to the agent.
pub(crate) fn doings() -> impl Strategy<Value = Vec<Doing>> {
    vec(prop_oneof![6 => (0..200_u64).prop_map(Doing::Tick), 1 => Just(Doing::Halt)], 1..25)
}

/// Calls a function with statuses that leaves return and events that occur, a few times. A runner of its own for each tree would take long to compile.
pub(crate) fn runs(run: &dyn Fn(&[Status], &[Doing])) {
    let config = Config { cases: 64, failure_persistence: None, ..crate::cases(64) };
    let outcome = TestRunner::new(config).run(&(told(), doings()), |(told, doings)| {
        run(&told, &doings);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
