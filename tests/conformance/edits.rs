//! Random edits of random trees in the middle of a run: what runs goes on as in the naive interpreter, whose state is migrated by naive rules.

use std::collections::BTreeMap;

use bt_conformance::reference::Reference;
use bt_conformance::spec::{Args, How, Spec};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, Registry};
use bt_tests::world::{Event, World, act, check, told};
use bt_words::{Arity, Word};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::loaded::{Number, load_edited, reachable};
use crate::random;

/// A tree whose nodes have ids that stay when it is edited.
#[derive(Clone, Debug)]
struct Edited {
    id: u32,
    label: u32,
    /// The node, without children.
    own: Spec,
    children: Vec<Edited>,
}

/// The number that is added to those of leaves, which differ from those of the actions of services.
const FIRST_LEAF: u32 = 100_000;

/// An edit: what, where, and a number for what else it needs.
type Edit = (u8, u16, u16);

/// The words of an arity, except machines and their states.
fn word(arity: Arity, number: u16) -> Word {
    let words = random::words(arity);
    words[number as usize % words.len()]
}

fn args(number: u16) -> Args {
    let of = |count: u16| number / 7 % count;
    Args {
        times: of(4).into(),
        millis: of(300).into(),
        percent: u8::try_from(of(101)).unwrap_or(0),
        success: 1 + usize::from(of(4)),
        failure: 1 + usize::from(of(3)),
        weighted: of(2) == 0,
        action: of(1000).into(),
        how: [How::Fixed, How::Fixed, How::Computed, How::Ranged][usize::from(number % 4)],
    }
}

fn leaf(number: u16) -> Spec {
    let own = u32::from(number / 4);
    match number % 4 {
        0 | 1 => Spec::Leaf(own),
        2 => Spec::Action(own),
        _ => Spec::Condition(own),
    }
}

impl Edited {
    fn of(spec: &Spec, next: &mut u32) -> Self {
        *next += 1;
        let id = *next;
        let own = match spec {
            Spec::Word(word, args, _) => Spec::Word(*word, *args, Vec::new()),
            other => other.clone(),
        };
        Self { id, label: 0, own, children: spec.children().into_iter().map(|child| Self::of(child, next)).collect() }
    }

    fn new(own: Spec, children: Vec<Edited>, next: &mut u32) -> Self {
        *next += 1;
        Self { id: *next, label: 0, own, children }
    }

    fn spec(&self) -> Spec {
        match &self.own {
            Spec::Word(word, args, _) => Spec::Word(*word, *args, self.children.iter().map(Self::spec).collect()),
            Spec::Leaf(number) => Spec::Leaf(FIRST_LEAF + number),
            other => other.clone(),
        }
    }

    fn ids(&self) -> Vec<(u32, u32)> {
        std::iter::once((self.id, self.label)).chain(self.children.iter().flat_map(Self::ids)).collect()
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }

    fn arity(&self) -> Arity {
        match &self.own {
            Spec::Word(word, ..) => word.row().arity(),
            _ => Arity::Zero,
        }
    }

    /// Whether all nodes have as many children as they take.
    fn is_valid(&self) -> bool {
        let children = self.children.len();
        let fits = match self.arity() {
            Arity::Zero => children == 0,
            Arity::One => children == 1,
            Arity::Many => (1..=8).contains(&children),
            Arity::Branches => (2..=3).contains(&children),
        };
        fits && self.children.iter().all(Self::is_valid)
    }

    /// The node at a place in pre-order.
    fn at(&mut self, place: usize) -> &mut Self {
        let mut place = place;
        if place == 0 {
            return self;
        }
        place -= 1;
        for child in &mut self.children {
            let count = child.count();
            if place < count {
                return child.at(place);
            }
            place -= count;
        }
        unreachable!("the place is in the tree")
    }

    /// The tree after an edit; unchanged if the edit is not possible.
    fn edited(&self, (what, place, number): Edit, next: &mut u32) -> Self {
        let mut tree = self.clone();
        let count = tree.count();
        let node = tree.at(place as usize % count);
        let len = node.children.len();
        let nth = |len: usize| usize::from(number / 3) % len.max(1);
        match what {
            // Swap.
            0 if len > 1 => node.children.swap(nth(len), (nth(len) + 1) % len),
            // Wrap.
            1 => {
                let arity = if number % 3 == 0 { Arity::Many } else { Arity::One };
                let own = Spec::Word(word(arity, number / 3), args(number), Vec::new());
                let child = node.clone();
                *node = Self::new(own, vec![child], next);
            }
            // Unwrap.
            2 if len > 0 => *node = node.children.swap_remove(nth(len)),
            // Insert.
            3 => node.children.insert(nth(len + 1), Self::new(leaf(number), Vec::new(), next)),
            // Delete.
            4 if len > 0 => _ = node.children.remove(nth(len)),
            // Move.
            5 if len > 0 => {
                let moved = node.children.remove(nth(len));
                let count = tree.count();
                let target = tree.at(usize::from(number / 11) % count);
                let place = usize::from(number / 5) % (target.children.len() + 1);
                target.children.insert(place, moved);
            }
            // Renumber.
            6 => match &mut node.own {
                Spec::Word(_, own, _) => *own = args(number),
                Spec::Leaf(own) | Spec::Action(own) | Spec::Condition(own) => *own = number.into(),
                Spec::Machine { .. } => {}
            },
            // Rename.
            7 => {
                node.own = match &node.own {
                    Spec::Word(_, own, _) => Spec::Word(word(node.arity(), number), *own, Vec::new()),
                    _ => leaf(number),
                };
            }
            // Relabel.
            8 => node.label = number.into(),
            _ => {}
        }
        if tree.is_valid() && tree.count() < 80 { tree } else { self.clone() }
    }
}

fn leaves(registry: &mut Registry<World>) {
    registry.add_with("told", |Number { number }| told(number));
    registry.add::<act>("Act").add::<check>("Check");
}

/// An agent, and its naive twin.
struct Agent {
    tree: LoadedTree<World>,
    memory: Memory<LoadedTree<World>>,
    world: World,
    reference: Reference,
    naive: World,
    /// How often each leaf is open.
    open: BTreeMap<u32, i32>,
}

impl Agent {
    fn new(tree: &Edited, told: &[Status]) -> Self {
        let spec = reachable(tree.spec());
        let loaded = load_edited(&spec, tree.ids(), leaves);
        let memory = loaded.memory();
        let (world, naive) = (World::telling(told), World::telling(told));
        Self { tree: loaded, memory, world, reference: Reference::new(&spec), naive, open: BTreeMap::new() }
    }

    fn tick(&mut self, pass: u64) {
        self.world.now += millis(pass);
        self.naive.now += millis(pass);
        let status = self.reference.tick(&mut self.naive, &mut Vec::new());
        assert_eq!(self.tree.tick(&mut self.world, &mut self.memory), status);
        self.compare();
    }

    fn halt(&mut self) {
        self.reference.halt(&mut self.naive, &mut Vec::new());
        self.tree.halt(&mut self.world, &mut self.memory);
        self.compare();
        assert!(self.open.values().all(|open| *open == 0), "a leaf is left open: {:?}", self.open);
    }

    fn edit(&mut self, tree: &Edited) {
        let spec = reachable(tree.spec());
        let new = load_edited(&spec, tree.ids(), leaves);
        let matching = self.tree.matching(&new);
        let was_running = self.memory.is_running();
        self.reference = self.reference.clone().migrated(&spec, &matching, &mut self.naive);
        let migrated = self.tree.reload(&new, &mut self.memory, &mut self.world);
        self.tree = new;
        self.compare();
        self.reference.check();
        assert_eq!(migrated.starts_afresh, was_running && !self.memory.is_running());
    }

    /// A twin that is halted shows which leaves run.
    fn check_running(&self) {
        let (mut memory, mut reference) = (self.memory.clone(), self.reference.clone());
        let (mut world, mut naive) = (self.world.clone(), self.naive.clone());
        self.tree.halt(&mut world, &mut memory);
        reference.halt(&mut naive, &mut Vec::new());
        assert_eq!(world.take_seen(), naive.take_seen(), "what runs");
    }

    fn save(&mut self) {
        let saved = serde_json::to_string(&self.tree.saved(&self.memory)).expect("it is data");
        self.memory = self.tree.memory();
        let load = self.tree.load(&mut self.memory, &mut serde_json::Deserializer::from_str(&saved));
        load.expect("it was just saved");
    }

    fn compare(&mut self) {
        let seen = self.world.take_seen();
        assert_eq!(seen, self.naive.take_seen(), "what the leaves saw");
        assert_eq!(self.memory.is_running(), self.reference.is_running());
        for event in seen {
            match event {
                Event::Open(number) if number >= FIRST_LEAF => *self.open.entry(number).or_default() += 1,
                Event::Close(number, _) => *self.open.entry(number).or_default() -= 1,
                Event::Open(_) | Event::Enter(_) | Event::Tick(..) | Event::Exit(..) | Event::State(..) => {}
            }
        }
    }
}

/// Passing times, and edits after them.
fn rounds() -> impl Strategy<Value = Vec<(Vec<u64>, Vec<Edit>)>> {
    vec((vec(0..200_u64, 0..4), vec((0..9_u8, any::<u16>(), any::<u16>()), 1..=5)), 1..4)
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn an_edited_tree_goes_on_as_the_naive_interpreter_says(
        spec in random::spec(),
        told in random::told(),
        rounds in rounds(),
        rest in vec(0..200_u64, 1..8),
        saves in any::<u8>(),
    ) {
        let mut next = 0;
        let mut tree = Edited::of(&spec, &mut next);
        let mut agent = Agent::new(&tree, &told);
        for (round, (passes, edits)) in rounds.iter().enumerate() {
            for pass in passes {
                agent.tick(*pass);
            }
            if saves >> (2 * round) & 1 == 1 {
                agent.save();
            }
            for edit in edits {
                tree = tree.edited(*edit, &mut next);
            }
            agent.edit(&tree);
            agent.check_running();
            if saves >> (2 * round + 1) & 1 == 1 {
                agent.save();
            }
        }
        for pass in &rest {
            agent.tick(*pass);
        }
        agent.halt();
    }
}
