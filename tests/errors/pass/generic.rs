//! Subtrees of a library, used with children for which they have no effect, and with others.

use bt_core::prelude::*;

#[derive(Default)]
struct Npc {
    now: Duration,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

fn near(_: &Npc) -> bool {
    true
}

// Always succeeds.
fn dream(_: &mut Npc) {}

fn attack(_: &mut Npc) -> Status {
    Status::Running
}

// Without an annotation, and with the context inferred or written.
fn stubborn<C, N: Node<C>>(child: N) -> impl Node<C> {
    tree! { retry(3) { child } }
}

#[subtree]
fn first_or<N: Node<Npc>>(child: N) -> impl Node<Npc> {
    tree! { selector { child, attack } }
}

fn hurried<C: Clock, N: Node<C>>(child: N) -> impl Node<C> {
    tree! { for C: timeout(secs(5)) { !stubborn(child) } }
}

fn borrowed<'a, N: Node<Npc> + Sync>(child: &'a N) -> impl Node<Npc> + 'a {
    tree! { for Npc: mem_sequence { child, near } }
}

fn own<C, N: Node<C>>(child: N) -> impl Node<C> {
    tree! { until_failure { passed { child } } }
}

fn passed<N>(child: N) -> N {
    child
}

fn both<A: Node<Npc>, B: Node<Npc>>(first: A, second: B) -> impl Node<Npc> {
    tree! { for Npc: parallel(success = 2, failure = all) { first, second } }
}

fn modes<N: Node<Npc>>(child: N) -> impl Node<Npc> {
    tree! { for Npc: machine { state a { child, success -> b, failure -> c } state b { run } state c { run } } }
}

fn if_holds<F: Fn(&Npc) -> bool>(condition: F) -> impl Node<Npc> {
    tree! { for Npc: sequence { condition, attack } }
}

// Neither of these reports a mistake that depends on the use.
fn expected<C, N: Node<C>>(child: N) -> impl Node<C> {
    tree! { #[expect(pointless)] retry(3) { child } }
}

fn allowed<C, N: Node<C>>(child: N) -> impl Node<C> {
    tree! { #[allow(pointless)] retry(3) { child } }
}

fn leaf<T: bt_core::leaf::IntoNode<Npc, M>, M>(leaf: T) -> T::Node {
    leaf.into_node()
}

fn tick<N: Node<Npc>>(tree: N) {
    tree.tick(&mut Npc::default(), &mut tree.memory());
}

macro_rules! with {
    ($($subtree:path),+) => {$(
        tick($subtree(leaf(near)));
        tick($subtree(leaf(dream)));
        tick($subtree(leaf(attack)));
        tick($subtree(run()));
    )+};
}

pub(crate) fn main() {
    with!(stubborn, first_or, hurried, own, modes, expected, allowed);
    tick(both(leaf(near), leaf(dream)));
    tick(both(leaf(dream), run()));
    tick(both(fail(), leaf(dream)));
    tick(if_holds(near));
    let (child, other) = (leaf(dream), leaf(near));
    tick(borrowed(&child));
    tick(borrowed(&other));
}
