//! Choices of leaves, of the environment, and at random.

use std::cell::RefCell;
use std::collections::BTreeSet;

use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_explore::{Draws, choose, explore};
use rand_pcg::Pcg32;

#[derive(Clone, Hash, Default)]
struct Npc {
    said: String,
    rng: Draws,
}

impl Random for Npc {
    type Rng = Draws;
    fn rng(&mut self) -> &mut Draws {
        &mut self.rng
    }
}

fn say(word: char) -> impl Fn(&mut Npc) -> bool + Copy + Send + Sync + 'static {
    move |npc| {
        npc.said.push(word);
        false
    }
}

/// Returns what is said in the runs of a tree that ends at once.
fn all(tree: impl Node<Npc> + Save) -> Vec<String> {
    let said = RefCell::new(BTreeSet::new());
    let exploration = explore(tree, Npc::default())
        .single_run()
        .always("", |tick| {
            said.borrow_mut().insert(tick.ctx.said.clone());
            true
        })
        .check();
    assert_eq!(exploration.transitions(), said.borrow().len() as u64, "each run once");
    said.into_inner().into_iter().collect()
}

#[test]
fn each_order_of_a_random_composite_is_explored_whatever_the_weights() {
    let orders = ["abc", "acb", "bac", "bca", "cab", "cba"];
    assert_eq!(all(tree! { for Npc: random_selector { say('a'), say('b'), say('c') } }), orders);
    assert_eq!(
        all(tree! { for Npc: random_selector { 1_000_000 => say('a'), 1 => say('b'), 0.001 => say('c') } }),
        orders
    );
}

#[test]
fn a_random_composite_does_not_need_the_generator_of_the_context() {
    #[derive(Clone)]
    struct Real(Pcg32, u8);
    impl std::hash::Hash for Real {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            self.1.hash(state);
        }
    }
    impl Random for Real {
        type Rng = Pcg32;
        fn rng(&mut self) -> &mut Pcg32 {
            &mut self.0
        }
    }
    let set = |to| move |real: &mut Real| real.1 = to;
    let tree = tree! { for Real: random_sequence { set(1), set(2), set(3) } };
    let exploration = explore(tree, Real(Pcg32::seed_from_u64(1), 0))
        .single_run()
        .sometimes("1 is last", |tick| tick.ctx.1 == 1)
        .check();
    assert_eq!(exploration.transitions(), 6);
}

#[test]
fn chance_does_both() {
    assert_eq!(all(tree! { for Npc: chance(0.001) { say('a') } }), ["", "a"]);
}

#[test]
fn a_range_is_its_ends() {
    assert_eq!(all(tree! { for Npc: retry(1..=3) { say('a') } }), ["a", "aaa"]);
}

#[test]
fn choices_of_several_leaves_in_a_tick_multiply() {
    fn three(sum: &mut usize) {
        *sum += choose(3);
    }
    let exploration = explore(tree! { for usize: sequence { three, three } }, 0)
        .single_run()
        .sometimes("4", |tick| *tick.ctx == 4)
        .check();
    assert_eq!(exploration.transitions(), 9);
}

#[test]
#[should_panic = "an exploration cannot contain another one"]
fn an_exploration_in_an_exploration_panics() {
    // The panic is one of the outer exploration, too.
    let inner = |(): &mut ()| {
        explore(tree! { for (): succeed }, ()).run();
    };
    explore(tree! { for (): inner }, ()).check();
}

#[test]
#[should_panic = "a tick must depend only on the context, the memory and its choices"]
fn a_tick_that_depends_on_something_else_panics() {
    let calls = std::sync::atomic::AtomicUsize::new(2);
    explore(tree! { for (): |(): &mut ()| { choose(2); } }, ())
        .environment(|()| {
            choose(calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        })
        .check();
}
