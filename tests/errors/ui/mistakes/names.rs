// # Mistakes in names
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

// 1: a misspelled leaf
mod misspelled_leaf {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector { neer, walk } } }
}

// 1: a keyword without children
mod kw_no_block {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, selector } } }
}

// 1: parentheses after a keyword
mod parens {
    use super::*;
    #[subtree] fn t() -> impl Node<Npc> { tree! { selector (near, walk) } }
}

// 1: a misspelled attribute of a parameter
mod faulty_action_self {
    use super::*;
    #[action] fn bad(npc: &mut Npc, #[opn] x: u32) { }
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { bad(1), walk } } }
}

// 1: an unknown variable
mod unknown_variable {
    use super::*;
    #[subtree] fn t(n: u32) -> impl Node<Npc> { tree! { sequence { near, go(m) } } }
}

// 2: a wrong path of the crate (rustc resolves it in each function)
mod crate_wrong {
    use super::*;
    #[action(crate = nope::bt)] fn bad(npc: &mut Npc) {}
    #[subtree] fn t() -> impl Node<Npc> { tree! { sequence { near, bad } } }
}

fn main() {}
