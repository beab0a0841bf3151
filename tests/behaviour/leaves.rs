//! What can be a leaf.

use bt_core::Outcomes;
use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;

/// Ticks a tree once over a number.
fn once<N: Node<u32>>(tree: N, number: &mut u32) -> Status {
    tree.tick(number, &mut tree.memory())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "that is what a condition is")]
fn even(number: &u32) -> bool {
    number.is_multiple_of(2)
}

fn add(number: &mut u32) {
    *number += 1;
}

fn halve(number: &mut u32) -> bool {
    let even = even(number);
    *number /= 2;
    even
}

fn decrease(number: &mut u32) -> Option<Status> {
    *number = number.checked_sub(1)?;
    Some(if *number == 0 { Success } else { Running })
}

fn outcome(number: &mut u32) -> Outcome {
    if *number > 9 { Outcome::Error } else { Outcome::Success }
}

#[test]
fn plain_functions_answer_in_many_ways() {
    assert_eq!(once(tree! { even }, &mut 4), Success);
    assert_eq!(once(tree! { even }, &mut 3), Failure);
    let mut number = 4;
    assert_eq!(once(tree! { add }, &mut number), Success);
    assert_eq!(number, 5);
    assert_eq!(once(tree! { halve }, &mut number), Failure);
    assert_eq!(once(tree! { decrease }, &mut number), Running);
    assert_eq!(once(tree! { decrease }, &mut number), Success);
    assert_eq!(once(tree! { decrease }, &mut number), Failure);
    assert_eq!(once(tree! { outcome }, &mut 10), Error);
}

#[test]
fn closures_are_leaves_and_capture() {
    let limit = 3;
    let tree = tree! {
        sequence {
            |n: &u32| *n < limit,
            move |n: &mut u32| *n += limit,
            |n: &mut u32| -> Status { if *n > 3 { Success } else { Failure } },
        }
    };
    let mut number = 2;
    assert_eq!(once(tree, &mut number), Success);
    assert_eq!(number, 5);
    assert_eq!(once(tree, &mut number), Failure);
}

struct Adding;

#[leaf]
impl Leaf<u32> for Adding {
    fn open(&self, number: &mut u32) {
        *number += 1;
    }

    fn tick(&self, (): &mut (), _: &mut u32) -> Status {
        Success
    }
}

#[test]
fn functions_that_build_a_node_stand_with_or_without_parentheses() {
    fn counted() -> impl Node<u32> {
        tree! { add }
    }
    fn leaf() -> Adding {
        Adding
    }
    let mut number = 0;
    once(tree! { sequence { counted, counted(), leaf, leaf(), Adding, succeed, succeed() } }, &mut number);
    assert_eq!(number, 5);
}

#[test]
fn expressions_and_values_are_leaves() {
    struct Guard<N> {
        tree: N,
    }
    let guard = Guard { tree: tree! { for u32: add } };
    let mut number = 0;
    let deep = true;
    let tree = tree! { sequence { guard.tree, (if deep { add as fn(&mut u32) } else { panic!("not deep") }) } };
    once(tree, &mut number);
    assert_eq!(number, 2);
}

#[test]
fn the_ready_leaves_do_what_they_are_called() {
    assert_eq!(once(tree! { for u32: succeed }, &mut 0), Success);
    assert_eq!(once(tree! { for u32: fail }, &mut 0), Failure);
    assert_eq!(once(tree! { for u32: run }, &mut 0), Running);
    assert_eq!(once(tree! { for u32: error }, &mut 0), Error);
}

/// Adds so much, so often.
#[action]
pub(crate) fn add_often(
    number: &mut u32,
    amount: u32,
    names: &Vec<String>,
    #[open(*number)] began: &mut u32,
) -> Status {
    *number += amount;
    if *number - *began >= amount * u32::try_from(names.len()).expect("few names") { Success } else { Running }
}

#[test]
fn actions_hold_parameters_and_open_state() {
    let tree = tree! { add_often(2, vec!["a".to_owned(), "b".to_owned()]) };
    let mut number = 10;
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut number, &mut memory), Running);
    assert_eq!(tree.tick(&mut number, &mut memory), Success);
    assert_eq!(number, 14);
    assert_eq!(tree.tick(&mut number, &mut memory), Running);
    let named: add_often = add_often(3, Vec::new());
    assert_eq!(named.amount, 3);
}

#[action]
fn two_states(log: &mut Vec<u32>, #[open] first: &mut u32, step: u32, #[open(step * 10)] second: &mut u32) -> Status {
    *first += step;
    *second += step;
    log.extend([*first, *second]);
    Running
}

#[deny(warnings)]
mod used_to_begin_with {
    use bt_core::prelude::*;

    #[action]
    pub(super) fn push(pushed: &mut u32, times: u32, step: &u32, #[open(times + *step)] left: &mut u32) -> Status {
        *pushed += 1;
        *left -= 1;
        if *left > 0 { Status::Running } else { Status::Success }
    }
}

#[test]
fn a_parameter_may_serve_an_open_state_alone() {
    let tree = tree! { used_to_begin_with::push(2, 1) };
    let (mut pushed, mut memory) = (0, tree.memory());
    while tree.tick(&mut pushed, &mut memory) == Status::Running {}
    assert_eq!(pushed, 3);
}

#[test]
fn an_action_can_have_several_open_states() {
    let tree = tree! { two_states(1) };
    let (mut log, mut memory) = (Vec::new(), tree.memory());
    tree.tick(&mut log, &mut memory);
    tree.tick(&mut log, &mut memory);
    tree.halt(&mut log, &mut memory);
    tree.tick(&mut log, &mut memory);
    assert_eq!(log, [1, 11, 2, 12, 1, 11]);
}

trait HasHealth {
    fn health(&mut self) -> &mut i32;
}

impl HasHealth for i32 {
    fn health(&mut self) -> &mut i32 {
        self
    }
}

#[action]
fn heal<C, const TIMES: usize>(ctx: &mut C, amount: i32)
where
    C: HasHealth + ?Sized,
{
    for _ in 0..TIMES {
        *ctx.health() += amount;
    }
}

#[action]
fn hold<'a, T: Copy + Into<i32>>(ctx: &mut i32, value: T, text: &'a str) {
    *ctx += value.into() + i32::try_from(text.len()).unwrap_or(0);
}

#[action]
fn only_in_the_body<T: Default + Into<i32>>(ctx: &mut i32) {
    *ctx += T::default().into() + 1;
}

#[test]
fn generics_of_the_context_the_parameters_and_the_body_carry_over() {
    let text = String::from("abc");
    let tree = tree! { for i32: sequence { heal::<2>(5), hold(3_u8, &text), only_in_the_body::<u8>() } };
    let mut health = 0;
    assert_eq!(tree.tick(&mut health, &mut tree.memory()), Success);
    assert_eq!(health, 10 + 6 + 1);
}

mod documented {
    //! Nothing here may warn.
    #![deny(missing_docs, dead_code, unused)]

    use bt_core::prelude::*;

    /// Is public, documented, and conditional.
    #[action]
    #[cfg(test)]
    pub fn visible(number: &mut u32, by: u32) {
        *number += by;
    }

    #[action]
    #[cfg(not(test))]
    pub fn visible(does_not_even_compile: &mut Nothing) {}
}

#[test]
fn visibility_documentation_and_cfg_carry_over() {
    let mut number = 0;
    once(tree! { documented::visible(3) }, &mut number);
    assert_eq!(number, 3);
}

#[test]
fn what_a_leaf_can_give_is_known_from_its_type() {
    fn returns<N: Node<u32>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let ends = Outcomes::SUCCESS.or(Outcomes::FAILURE);
    assert_eq!(returns(&tree! { even }), ends);
    assert_eq!(returns(&tree! { add }), Outcomes::SUCCESS);
    assert_eq!(returns(&tree! { halve }), ends);
    assert_eq!(returns(&tree! { decrease }), Outcomes::ANY);
    assert_eq!(returns(&tree! { sequence { add, add } }), Outcomes::SUCCESS);
    assert_eq!(returns(&tree! { selector { even, add } }), Outcomes::SUCCESS);
    assert_eq!(returns(&tree! { selector { even, fail } }), ends);
    assert_eq!(returns(&tree! { for u32: sequence { fail, #[allow(unreachable)] run } }), Outcomes::FAILURE);
    assert_eq!(returns(&tree! { repeat { even } }), Outcomes::RUNNING);
    assert_eq!(returns(&tree! { !add }), Outcomes::FAILURE);
    assert_eq!(returns(&tree! { until_success { even } }), Outcomes::SUCCESS.or(Outcomes::RUNNING));
    assert_eq!(
        returns(&tree! { for u32: parallel(success = one) { succeed, #[allow(unreachable)] run } }),
        Outcomes::SUCCESS
    );
    assert_eq!(returns(&tree! { mem_parallel { even, add } }), ends);
    let nine = tree! { for u32: selector { fail, fail, fail, fail, fail, fail, fail, fail, even } };
    assert_eq!(returns(&nine), ends);
}

/// Counts its ticks and its runs, of one agent.
#[action]
fn counting(
    log: &mut Vec<[u32; 3]>,
    length: u32,
    #[kept] ticks: &mut u32,
    #[open] here: &mut u32,
    #[kept] runs: &mut u32,
) -> Status {
    *ticks += 1;
    *here += 1;
    *runs += u32::from(*here == 1);
    log.push([*ticks, *runs, *here]);
    if *here < length { Status::Running } else { Status::Success }
}

#[condition]
fn every_other(_: &Vec<[u32; 3]>, #[kept] odd: &mut bool) -> bool {
    *odd = !*odd;
    *odd
}

fn counts() -> impl Node<Vec<[u32; 3]>> + bt_core::Save + Send + Sync {
    tree! { sequence { every_other, counting(2) } }
}

#[test]
fn kept_state_survives_runs_halts_and_saves_and_belongs_to_the_agent() {
    let tree = counts();
    let (mut ann, mut log) = (tree.memory(), vec![]);
    assert_eq!(tree.tick(&mut log, &mut ann), Status::Running);
    // The condition fails, which halts the action.
    assert_eq!(tree.tick(&mut log, &mut ann), Status::Failure);
    let save = serde_json::to_string(&tree.saved(&ann)).unwrap();
    let mut loaded = tree.memory();
    tree.load(&mut loaded, &mut serde_json::Deserializer::from_str(&save)).unwrap();
    let mut ben = tree.memory();
    for memory in [&mut ann, &mut loaded, &mut ben] {
        tree.tick(&mut log, memory);
    }
    assert_eq!(log, [[1, 1, 1], [2, 2, 1], [2, 2, 1], [1, 1, 1]]);
}

#[test]
fn kept_state_is_the_same_in_a_loaded_tree() {
    let mut registry = bt_dynamic::Registry::<Vec<[u32; 3]>>::new();
    registry.add::<counting>("Counting").add::<every_other>("EveryOther");
    let loaded = registry
        .load(
            r#"{ "root": "s", "nodes": {
                "s": { "name": "Sequence", "children": ["1", "2"] },
                "1": { "name": "EveryOther" }, "2": { "name": "Counting", "properties": { "length": 2 } }
            } }"#,
        )
        .expect("nothing is wrong with it");
    let written = counts();
    let (mut one, mut other) = (written.memory(), loaded.memory());
    let (mut first, mut second) = (vec![], vec![]);
    for _ in 0..7 {
        assert_eq!(written.tick(&mut first, &mut one), loaded.tick(&mut second, &mut other));
    }
    assert_eq!(first, second);
    assert_eq!(first.last(), Some(&[4, 4, 1]));
}

#[test]
fn actions_are_cloned_if_their_parameters_are() {
    struct Unique;

    #[action]
    fn push(log: &mut Vec<u32>, number: u32, _names: &Vec<String>) {
        log.push(number);
    }

    #[action]
    fn cannot(_: &mut Vec<u32>, _unique: &Unique) {}

    #[action]
    fn generic<T: Into<u32> + Copy + Send + Sync + 'static>(log: &mut Vec<u32>, number: T) {
        log.push(number.into());
    }

    let tree = tree! { for Vec<u32>: sequence { ..vec![push(3, vec![]); 2], generic(4_u8), cannot(Unique) } };
    let mut log = vec![];
    assert_eq!(tree.tick(&mut log, &mut tree.memory()), Status::Success);
    assert_eq!(log, [3, 3, 4]);

    let herd = Herd::new(tree! { for Vec<u32>: sequence { push(1, vec![]), generic(2_u8) } });
    assert_eq!(herd.clone().len(), 0);
}
