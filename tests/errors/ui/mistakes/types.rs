// # Mistakes that the types report
// Each mistake stands for itself; the number before it is the number of its errors.
#![allow(dead_code, unused)]
use bt_core::decorator::{Decorated, decorate};
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

// 2: a plain function is called with arguments (rustc reports the argument, the tree reports the result)
mod plain_with_args {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { walk(3), eat } } }
}

// 2: a leaf with children (rustc reports the argument, the tree reports the result)
mod leaf_with_block {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, walk { walk } } } }
}

// 1: missing parentheses and arguments
mod missing_args {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go } } }
}

// 1: a missing argument
mod missing_args_call {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go() } } }
}

// 1: an argument of the wrong type
mod wrong_type_arg {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go("a") } } }
}

// 1: too many arguments
mod too_many_args {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, go(1, 2) } } }
}

// 1: a leaf over another context
mod other_ctx {
    use super::*;
    fn o(o: &mut Other) {}
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, o } } }
}

// 1: a missing bound on a generic action
mod generic_bound_action {
    use super::*;
    trait Health { fn hp(&self) -> i32; }
    #[action] fn gl<C: Health>(c: &mut C) -> bool { c.hp() < 3 }
    #[subtree] fn t<C>() -> impl Node<C> { tree! { sequence { gl(), succeed } } }
}

// 1: an action that returns a `String`
mod faulty_action_ret {
    use super::*;
    #[action] fn bad(npc: &mut Npc) -> String { String::new() }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad, walk } } }
}

// 1: a `StateMachine` that is not a machine
mod sm_not_machine {
    use super::*;
    #[subtree] fn t() -> impl StateMachine<Npc> { tree! { sequence { near, walk } } }
}

// 1: a tree whose context is not known
mod no_for {
    use super::*;
    fn t() { let tree = tree! { sequence { wait(secs(3)), run } }; let m = tree.memory(); }
}

// 1: a closure without a parameter type
mod closure_no_type {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { |npc| npc.hp += 1, walk } } }
}

// 1: a missing clock
mod missing_clock {
    use super::*;
    struct N2; fn w(n: &mut N2) {}
    #[subtree] fn t() -> impl Node<N2> { tree! { sequence { w, wait(secs(3)) } } }
}

// 1: a missing error handler
mod missing_onerror {
    use super::*;
    struct E; fn e(n: &mut Npc) -> Result<Status, E> { Err(E) }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, e } } }
}

// 1: a `Vec` as a child
mod vec {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { vec![walk, walk] } } }
}

// 1: a subtree that returns a status
mod subtree_wrong_ret {
    use super::*;
    #[subtree] fn t() -> Status { tree! { sequence { near, walk } } }
}

// 1: a leaf that takes the context by value
mod leaf_wrong_ctx_ref {
    use super::*;
    fn bad(npc: Npc) -> Status { Status::Running }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, bad } } }
}

// 1: a leaf that returns a number
mod leaf_wrong_ret {
    use super::*;
    fn bad(npc: &mut Npc) -> i32 { 3 }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, bad } } }
}

// 1: a condition that returns a status
mod cond_ret_status {
    use super::*;
    fn bad(npc: &Npc) -> Status { Status::Running }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, bad } } }
}

// 1: a tick with another context
mod tick_wrong_ctx {
    use super::*;
    fn run() { let tree = flee(); let mut m = tree.memory(); tree.tick(&mut Other, &mut m); }
}

// 1: a tick with the memory of another tree
mod tick_memory_of_other {
    use super::*;
    fn run() { let tree = flee(); let other = tree! { for Npc: walk }; let mut m = other.memory(); tree.tick(&mut Npc { hp: 3, now: secs(0) }, &mut m); }
}

// 1: a leaf without `tick`
mod leaf_no_tick {
    use super::*;
    struct Talk;
    #[leaf] impl Leaf<Npc> for Talk { }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, (Talk) } } }
}

// 1: a decorator without its child
mod decorator_no_child {
    use super::*;
    #[decorator] impl<C: ?Sized> Decorator<C> for D { }
    struct D; fn dd<N>(c: N) -> Decorated<D, N> { decorate(D, c) }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, dd } } }
}

// 1: a decorator of one's own with two children
mod decorator_two {
    use super::*;
    struct D; #[decorator] impl<C: ?Sized> Decorator<C> for D { }
    fn dd<N>(c: N) -> Decorated<D, N> { decorate(D, c) }
    #[subtree] fn t() -> impl Node<Npc> { tree! { dd { near, walk } } }
}

// 5: a forgotten `#[leaf]` (rustc reports each function that mentions the state)
mod forgot_leaf_attr {
    use super::*;
    struct Talk;
    impl Leaf<Npc> for Talk { type Open = (); fn open(&self, _: &mut Npc) {} fn tick(&self, _: &mut (), _: &mut Npc) -> Status { Status::Running } }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, (Talk) } } }
}

// 1: the child of a decorator of one's own in parentheses
mod decorator_in_parentheses {
    use super::*;
    struct D; #[decorator] impl<C: ?Sized> Decorator<C> for D { }
    fn dd<N>(c: N) -> Decorated<D, N> { decorate(D, c) }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, dd(walk) } } }
}

// 1: a herd whose type parameter has no bound
mod herd_without_bound {
    use super::*;
    struct Game<N> { herd: Herd<N> }
}

// 1: a time that is missing
mod wait_without_time {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, wait() } } }
}

fn main() {}
