//! All trees up to a size, and all statuses that their leaves can return in the first visits: not by chance, but all of them.

use bt_conformance::engine::build;
use bt_conformance::reference::Reference;
use bt_conformance::spec::{Args, Spec};
use bt_core::prelude::*;
use bt_tests::world::{Events, World};
use bt_words::{Arity, Family, Word};

use crate::loaded::{load, reachable};

/// The number of nodes of the largest trees. Those of 4 nodes take minutes, so they are run on demand:
/// `CI=true EXHAUSTIVE_NODES=4 cargo test --release -p bt-conformance --test conformance all_trees`.
fn largest() -> usize {
    std::env::var("EXHAUSTIVE_NODES").ok().and_then(|nodes| nodes.parse().ok()).unwrap_or(3)
}

/// The number of visits of leaves of which all statuses are tried. After them, they are repeated.
const VISITS: usize = 4;
const STATUSES: [Status; 3] = [Status::Success, Status::Failure, Status::Running];
/// The ticks, with the milliseconds before each; the tree is halted before the last one.
const TICKS: [u64; 5] = [10, 60, 60, 0, 30];

fn word(word: Word, children: Vec<Spec>) -> Spec {
    let args = Args { times: 2, millis: 100, percent: 50, success: 1, failure: 1, ..Args::default() };
    // A parallel with a success threshold of 1 and one of 2 differ as soon as it has 2 children.
    let args = Args { success: children.len().max(1), ..args };
    Spec::Word(word, args, children)
}

/// All lists of this many trees with this many nodes in all.
fn lists(len: usize, nodes: usize, smaller: &[Vec<Spec>]) -> Vec<Vec<Spec>> {
    if len == 0 {
        return if nodes == 0 { vec![Vec::new()] } else { Vec::new() };
    }
    let mut all = Vec::new();
    for first in 1..=nodes {
        for rest in lists(len - 1, nodes - first, smaller) {
            for tree in &smaller[first] {
                all.push([tree.clone()].into_iter().chain(rest.iter().cloned()).collect());
            }
        }
    }
    all
}

/// All trees with this many nodes.
fn trees(nodes: usize, smaller: &[Vec<Spec>]) -> Vec<Spec> {
    let mut all = Vec::new();
    if nodes == 1 {
        all.extend([Spec::Leaf(0), Spec::Condition(0)]);
    }
    for &one in Word::ALL {
        if matches!(one.row().family, Family::Machine | Family::State) {
            continue;
        }
        match one.row().arity() {
            Arity::Zero => {
                if nodes == 1 {
                    all.push(word(one, Vec::new()));
                }
            }
            Arity::One => {
                all.extend(smaller.get(nodes - 1).into_iter().flatten().map(|child| word(one, vec![child.clone()])));
            }
            Arity::Many => {
                for len in 1..nodes {
                    all.extend(lists(len, nodes - 1, smaller).into_iter().map(|children| word(one, children)));
                }
            }
            Arity::BodyAndCleanup => {
                all.extend(lists(2, nodes - 1, smaller).into_iter().map(|children| word(one, children)));
            }
            Arity::Branches => {
                for len in 1..=2 {
                    let branches = if nodes > 2 { lists(len, nodes - 2, smaller) } else { Vec::new() };
                    let with = |branches: Vec<Spec>| [Spec::Condition(0)].into_iter().chain(branches).collect();
                    all.extend(branches.into_iter().map(|branches| word(one, with(branches))));
                }
            }
        }
    }
    all
}

/// Numbers the leaves from left to right.
fn numbered(spec: &Spec, next: &mut u32) -> Spec {
    let mut number = || {
        *next += 1;
        *next
    };
    match spec {
        Spec::Leaf(_) => Spec::Leaf(number()),
        Spec::Action(_) => Spec::Action(number()),
        Spec::Condition(_) => Spec::Condition(number()),
        Spec::Word(word, args, children) => {
            Spec::Word(*word, *args, children.iter().map(|child| numbered(child, next)).collect())
        }
        Spec::Machine { .. } | Spec::Own(..) => spec.clone(),
    }
}

/// An engine, and what it has seen.
trait Engine {
    fn tick(&mut self, world: &mut World, events: &mut Events) -> Status;
    fn halt(&mut self, world: &mut World, events: &mut Events);
}

impl<N: Node<World>> Engine for (&N, Memory<N>) {
    fn tick(&mut self, world: &mut World, events: &mut Events) -> Status {
        self.0.tick_with(world, &mut self.1, events)
    }

    fn halt(&mut self, world: &mut World, events: &mut Events) {
        self.0.halt_with(world, &mut self.1, events);
    }
}

impl Engine for Reference {
    fn tick(&mut self, world: &mut World, events: &mut Events) -> Status {
        Reference::tick(self, world, &mut events.0)
    }

    fn halt(&mut self, world: &mut World, events: &mut Events) {
        Reference::halt(self, Cause::Stopped, world, &mut events.0);
    }
}

/// Runs a tree. Returns its statuses, all events, what the leaves saw, and how many leaves were visited.
fn run(engine: &mut dyn Engine, told: &[Status]) -> (Vec<Status>, Events, Vec<bt_tests::world::Event>, usize) {
    let (mut world, mut events) = (World::telling(told), Events::default());
    let mut statuses = Vec::new();
    for (number, pass) in TICKS.into_iter().enumerate() {
        if number + 1 == TICKS.len() {
            engine.halt(&mut world, &mut events);
        }
        world.now += millis(pass);
        statuses.push(engine.tick(&mut world, &mut events));
    }
    let visits = *world.ticked.borrow();
    (statuses, events, world.take_seen(), visits)
}

/// Goes on to the next statuses, leaving out those that differ only in visits that there were not. Returns `false` after the last.
fn advance(told: &mut [usize; VISITS], visits: usize) -> bool {
    for index in (0..visits.min(VISITS)).rev() {
        told[index] += 1;
        told[index + 1..].fill(0);
        if told[index] < STATUSES.len() {
            return true;
        }
    }
    false
}

#[test]
fn all_trees_are_the_same_in_all_engines() {
    let mut smaller = vec![Vec::new()];
    let (mut count, mut runs) = (0_u64, 0_u64);
    // Without `CI`, every eighth of the many largest ones. The smaller ones have all words.
    let step = |nodes| if nodes < largest() || crate::tries_all() { 1 } else { 8 };
    for nodes in 1..=largest() {
        let all = trees(nodes, &smaller);
        for spec in all.iter().step_by(step(nodes)) {
            let spec = reachable(&numbered(spec, &mut 0));
            let (fixed, loaded) = (build(&spec), load(&spec));
            let mut indices = [0; VISITS];
            loop {
                let told = indices.map(|index| STATUSES[index]);
                let expected = run(&mut Reference::new(&spec), &told);
                for engine in [&mut (&fixed, fixed.memory()) as &mut dyn Engine, &mut (&loaded, loaded.memory())] {
                    let found = run(engine, &told);
                    assert_eq!(found.0, expected.0, "{spec:?}, told {told:?}");
                    assert_eq!(found.1.0, expected.1.0, "{spec:?}, told {told:?}");
                    assert_eq!(found.2, expected.2, "{spec:?}, told {told:?}");
                }
                runs += 1;
                if !advance(&mut indices, expected.3) {
                    break;
                }
            }
            count += 1;
        }
        smaller.push(all);
    }
    println!("{count} trees, {runs} runs in each of three engines");
    assert!(count > if crate::tries_all() { 8_000 } else { 1_000 }, "all words are there: {count}");
}
