// # Mistakes that the macros report
// Each mistake stands for itself; the number before it is the number of its errors.
#![allow(dead_code, unused)]
use bt_core::prelude::*;

struct Npc { hp: i32, now: Duration }
struct Other;
impl Clock for Npc { fn now(&self) -> Duration { self.now } }
fn low(npc: &Npc) -> bool { npc.hp < 3 }
fn near(npc: &Npc) -> bool { true }
fn walk(npc: &mut Npc) -> Status { Status::Running }
fn eat(npc: &mut Npc) { npc.hp += 1 }
fn alert<N: Node<Npc>>(child: N) -> impl Node<Npc> { child }
#[action] fn go(npc: &mut Npc, steps: u32) -> Status { Status::Running }
#[condition] fn hurt(npc: &Npc, below: i32) -> bool { npc.hp < below }
#[subtree] fn flee() -> impl Node<Npc> { tree! { sequence { near, walk } } }

// 1: `&&` between nodes
mod andand {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near && low, walk } } }
}

// 1: `||` between nodes
mod oror {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { near || low, walk } } }
}

// 1: `and` between nodes
mod and {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near and low, walk } } }
}

// 1: `or` between nodes
mod or {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { near or low, walk } } }
}

// 1: `not` before a node
mod not_kw {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { not near, walk } } }
}

// 1: brackets after a keyword
mod brackets {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector [near, walk] } }
}

// 1: a label before arguments
mod label_before_args {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go "x" (3) } } }
}

// 1: a misspelled keyword
mod misspelled {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selecter { near, walk } } }
}

// 1: a condition that takes `&mut`, used three times
mod faulty_condition {
    use super::*;
    #[condition] fn bad(npc: &mut Npc) -> bool { true }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
    #[subtree] fn t2() -> impl Node<Npc> { tree! { sequence { bad, bad } } }
}

// 1: an action without a context
mod faulty_action_noctx {
    use super::*;
    #[action] fn bad() { }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: a misspelled state
mod sm_fault {
    use super::*;
    #[subtree] fn t() -> impl StateMachine<Npc> { tree! { machine { state a { walk, near -> bb } state b { walk, near -> a } } } }
}

// 1: a composite without children
mod zero_children {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { near, sequence { } } } }
}

// 1: two roots
mod two_roots {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { near, walk } }
}

// 1: a decorator with two children
mod two_children_decorator {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { invert { near, walk } } }
}

// 1: a missing argument of a keyword
mod missing_brace_arg {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { timeout { walk } } }
}

// 1: a number for a time
mod wrong_time {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { timeout(5) { walk } } }
}

// 1: a loop in a list
mod for_loop {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { for i in 0..3 { go(i) } } } }
}

// 1: an `if` of Rust as a child
mod if_child {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { let n = 3; tree! { if n > 2 { walk } else { eat } } }
}

// 1: several nodes in the braces of `if`
mod if_several {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { if near { eat, walk } else { eat } } }
}

// 1: `if let` as a child
mod if_let {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { if let true = near { eat } } }
}

// 1: a `match` without `=>`
mod match_arrow {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { match near { true -> walk, false => eat } } }
}

// 1: a utility selector without scores
mod utility_no_scores {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { utility_selector { walk, eat } } }
}

// 1: a utility selector with one score
mod utility_one_score {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { utility_selector { 0.5 => walk, eat } } }
}

// 1: `match` as a child
mod match_child {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { match 3 { 1 => walk, _ => eat } } }
}

// 1: a semicolon between children
mod semicolon {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near; walk } } }
}

// 1: a label without a node
mod string_root {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { "x" sequence { near, walk } } }
}

// 1: a subtree without a return type
mod subtree_no_ret {
    use super::*;
    #[subtree] fn t() { tree! { sequence { near, walk } } }
}

// 1: an unknown argument of `#[composite]`
mod unknown_composite_arg {
    use super::*;
    struct R;
    #[composite(childs = 2)] impl<C: ?Sized> Composite<C> for R { fn tick(&self, c: &mut impl bt_core::composite::Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status { c.tick(0, ctx) } }
}

// 1: a weight in a sequence
mod expr_arrow {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near => walk, eat } } }
}

// 1: a number as a child
mod number_child {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, 3 } } }
}

// 1: a state outside of a machine
mod state_outside {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, state a { walk } } } }
}

// 1: a struct literal without parentheses
mod leaf_brace_struct {
    use super::*;
    struct Talk { n: u32 }
    #[leaf] impl Leaf<Npc> for Talk { fn tick(&self, _: &mut (), _: &mut Npc) -> Status { Status::Running } }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, Talk { n: 3 } } } }
}

// 1: a faulty action with parameters, used twice
mod faulty_with_params {
    use super::*;
    #[action] fn bad(npc: Npc, n: u32, #[param(unti = 3)] s: &str) { }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad(1, "a"), bad(2, "b") "twice", walk } } }
}

// 1: an `async` action
mod faulty_async {
    use super::*;
    #[action] async fn bad(npc: &mut Npc) -> Status { Status::Running }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: a condition that returns a status, with the attribute
mod cond_status {
    use super::*;
    #[condition] fn bad(npc: &Npc) -> Status { Status::Running }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: `for` at the root
mod for_root {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { for _ in 0..3 { walk } } }
}

// 1: `let` at the root
mod let_root {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { let x = 3; sequence { near, go(x) } } }
}

// 1: `let` in a list
mod let_in_list {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, let x = 3; go(x) } } }
}

// 1: `return` before a node
mod return_node {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { return walk, eat } } }
}

// 1: a cleanup without `finally`
mod cleanup {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, cleanup { walk, eat } } } }
}

// 1: a handler of halts
mod on_halt {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { on_halt(eat) { walk } } }
}

// 1: `finally` with an argument
mod finally_argument {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { finally(eat) { walk } } }
}

// 1: `finally` after its body
mod finally_after {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { if near { walk } finally { eat } } }
}

// 1: braces without a composite
mod braces_alone {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { near, { walk } } } }
}

// 1: another word for success
mod on_success {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { walk, on_success -> b } state b { walk } } } }
}

// 1: a transition without a condition
mod no_condition {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { walk, -> b } state b { walk } } } }
}

// 1: an arrow after `enter`
mod enter_arrow {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { walk, enter -> eat, near -> b } state b { walk } } } }
}

// 1: an argument without parentheses
mod bare_argument {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { repeat 3 { eat } } }
}

// 1: a time without parentheses
mod bare_time {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { timeout secs(3) { walk } eat } } }
}

// 1: a node with children in parentheses
mod in_parentheses {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { (sequence { near, walk }), eat } } }
}

// 1: a child without braces
mod no_braces {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { timeout(secs(3)) walk } }
}

// 1: an action before the time
mod service_swapped {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { service(eat, secs(1)) { walk } } }
}

// 1: `any` as a threshold
mod any_threshold {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { parallel(success = any) { walk, near } } }
}

// 1: a comparison as a child
mod comparison {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { hp < 3, walk } } }
}

// 1: a comparison of a leaf
mod equality {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near == true, walk } } }
}

// 1: a range without an end
mod open_range {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, wait(secs(1)..=) } } }
}

// 1: `;` after the tree of a `#[subtree]`
mod semicolon_after_tree {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { walk }; }
}

// 1: an `#[output]` that is no reference, used with a key
mod output_by_value {
    use super::*;
    #[action] fn see(board: &mut Board, #[output] at: Option<u32>) -> bool { true }
    #[subtree] fn t() -> impl Node<Board> { tree! { see(Key::new("at")) } }
}

// 1: an action that returns a number in an `Option`
mod action_returns_number {
    use super::*;
    #[action] fn bad(npc: &mut Npc) -> Option<i32> { None }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: an `async` action that returns a `String`
mod async_returns_text {
    use super::*;
    #[action] async fn bad() -> Result<String, u8> { Err(3) }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: an action that returns the handle of a thread
mod action_returns_handle {
    use super::*;
    #[action] fn bad(npc: &mut Npc) -> std::thread::JoinHandle<bool> { std::thread::spawn(|| true) }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: angle brackets around a node in braces
mod angles_in_if {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { if near { < eat > } } }
}

// 1: angle brackets around a node in a list, without a comma after them
mod angles_in_list {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { < near > eat } } }
}

// 1: angle brackets after a condition
mod angles_after_condition {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { < sequence < if near < eat > else < walk >, eat > > } }
}

// 1: `else` without braces
mod bare_else {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { if near { eat } else walk } }
}

// 1: a comparison as the condition of a transition
mod compared_transition {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { walk, mood == 3 -> b } state b { walk } } } }
}

// 1: a comparison as the condition of a transition in angle brackets
mod compared_in_angles {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine < state a < walk, mood == 3 -> b > state b < walk > > } }
}

// 1: an action on entering without a colon
mod enter_without_colon {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { enter eat, walk, near -> b } state b { walk } } } }
}

// 1: `state` after an arrow
mod state_after_arrow {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { walk, near -> state b } state b { walk } } } }
}

// 1: an action on leaving outside of a state
mod exit_outside {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, exit: eat } } }
}

// 1: names of children
mod named_children {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { finally { body: walk, cleanup: eat } } }
}

// 1: an assignment
mod assignment {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { a = walk, eat } } }
}

// 1: `try`
mod try_block {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { try { walk } finally { eat } } }
}

// 1: a cleanup behind `finally`
mod cleanup_behind {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, finally { walk } cleanup { eat } } } }
}

// 1: a word for cleanups of another language
mod defer {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { defer { eat }, walk } } }
}

// 1: a context without `for`
mod context_without_for {
    use super::*;
    fn t() { let tree = tree! { Npc: sequence { near, walk } }; }
}

// 1: a reference to the context
mod reference_to_context {
    use super::*;
    fn t() { let tree = tree! { for &mut Npc: sequence { near, walk } }; }
}

// 1: no type after `for`
mod no_type_after_for {
    use super::*;
    fn t() { let tree = tree! { for mut Npc: sequence { near, walk } }; }
}

// 1: an argument of a leaf without parentheses
mod bare_leaf_argument {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go 3 } } }
}

// 1: a number in the place of a time, without parentheses
mod bare_number_of_time {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, wait 5 } } }
}

// 1: a unit of time
mod unit {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, wait(500ms) } } }
}

// 1: a variable of a file
mod variable {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go(var(steps)) } } }
}

// 1: weights behind children
mod reversed_weights {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { utility_selector { walk => 3, eat => 2 } } }
}

// 1: an `if` as a weight
mod if_weight {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { utility_selector { if true { 0.5 } else { 0.3 } => walk, 0.4 => eat } } }
}

// 1: another arrow after each pattern
mod match_arrows {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { match near { true -> walk, false -> eat } } }
}

// 1: a label without quotes
mod bare_label {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { sequence fight { near, walk }, eat } } }
}

// 1: a child without braces
mod bare_child {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { invert near, walk } } }
}

// 1: no commas
mod no_commas {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near low walk eat } } }
}

// 1: a colon after the name of an argument
mod arg_colon {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go(steps: 3) } } }
}

// 1: a colon after the name of an option
mod option_colon {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { parallel(success: 1) { near, walk } } }
}

// 1: a space before the unit of a time
mod unit_apart {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { timeout(2 s) { walk } } }
}

// 1: two children of an `if` without a comma
mod two_in_if {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { if near { walk walk } } }
}

// 1: two nodes of an arm
mod two_in_arm {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { match |npc: &Npc| npc.hp { 1 => walk, _ => walk walk } } }
}

// 1: a state without braces
mod state_no_braces {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { machine { state a { walk, near -> b } state b walk, near -> a } } }
}

// 1: a label of a machine without quotes
mod bare_label_machine {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { machine day { state a { walk } } near } } }
}

// 1: names of the arguments of a service
mod service_names {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { service(every = secs(1), action = eat) { walk } } }
}

// 1: a unit in the arguments of a decorator of the user
fn later<N: Node<Npc>>(time: Duration, child: N) -> impl Node<Npc> { child }
mod own_unit {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { super::later(5s) { walk } } }
}

// 1: a colon in the arguments of a decorator of the user
mod own_colon {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { super::later(time: secs(5)) { walk } } }
}

// 1: a range without an end in the arguments of a decorator of the user
mod own_open_range {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { super::later(secs(1)..=) { walk } } }
}

// 1: a unit in the place of a part of the context
mod within_unit {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { within(5s) { walk } } }
}

// 1: a unit in the arguments of a service
mod service_unit {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { service(5s, eat) { walk } } }
}

// 1: what is no pattern in a `match`
mod no_pattern {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { match |npc: &Npc| npc.hp { 1 => walk, (let), _ => eat } } }
}

// 1: children of a container in a `match`
mod spread_arm {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { match |npc: &Npc| npc.hp { 1 => walk, ..more, _ => eat } } }
}

// 1: no score before an arrow
mod no_score {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { utility_selector { => walk, 1.0 => eat } } }
}

// 1: calls behind the label of a leaf
mod calls_behind_label {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { walk "first".boxed(), eat } } }
}

fn main() {}
