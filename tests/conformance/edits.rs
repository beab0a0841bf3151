//! Random edits of random trees in the middle of a run: what runs goes on as in the naive interpreter, whose state is migrated by naive rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use bt_conformance::reference::Reference;
use bt_conformance::spec::Spec;
use bt_core::prelude::*;
use bt_dynamic::{Change, LiveTree, LoadedTree, Registry};
use bt_tests::world::{Event, World, act, check, told};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::edited::{Deletion, Edit, Edited, FIRST_LEAF, deletion, edits};
use crate::loaded::{Number, load_edited};
use crate::random;

fn leaves(registry: &mut Registry<World>) {
    registry.add_with("told", |Number { number }| told(number));
    registry.add::<act>("Act").add::<check>("Check");
}

/// An agent, and its naive twin.
struct Agent {
    live: LiveTree<World>,
    tree: Arc<LoadedTree<World>>,
    spec: Spec,
    /// The tree that the memory belongs to.
    of: Arc<LoadedTree<World>>,
    memory: Memory<LoadedTree<World>>,
    world: World,
    reference: Reference,
    naive: World,
    /// How often each leaf is open, and each state of a machine is entered.
    open: BTreeMap<u32, i32>,
}

impl Agent {
    fn new(tree: &Edited, told: &[Status]) -> Self {
        let (live, spec) = (LiveTree::new(), tree.spec());
        live.replace(load_edited(&spec, tree.ids(), leaves));
        let tree = live.tree().expect("it was just replaced");
        let (memory, reference) = ((*tree).memory(), Reference::new(&spec));
        let (world, naive) = (World::telling(told), World::telling(told));
        Self { live, spec, of: Arc::clone(&tree), tree, memory, world, reference, naive, open: BTreeMap::new() }
    }

    fn pass(&mut self, time: u64) {
        self.world.now += millis(time);
        self.naive.now += millis(time);
    }

    fn tick(&mut self) {
        // What halts have left goes on in the tree of the memory.
        self.reference.clean_up(&mut self.naive, &mut Vec::new());
        self.follow();
        let expected = self.reference.tick_root(&mut self.naive, &mut Vec::new());
        let status = (*self.tree).tick(&mut self.world, &mut self.memory);
        self.compare();
        assert_eq!(status, expected);
    }

    fn halt(&mut self) {
        self.follow();
        self.reference.halt(Cause::Stopped, &mut self.naive, &mut Vec::new());
        (*self.tree).halt(&mut self.world, &mut self.memory);
        self.compare();
        let is_closed = self.open.values().all(|open| *open == 0);
        assert!(is_closed || self.reference.is_cleaning_up(), "a leaf is left open: {:?}", self.open);
    }

    fn edit(&mut self, tree: &Edited) {
        self.spec = tree.spec();
        self.live.replace(load_edited(&self.spec, tree.ids(), leaves));
        self.tree = self.live.tree().expect("it was just replaced");
    }

    /// The naive twin goes on with the present tree.
    fn follow(&mut self) {
        let matching = self.of.matching(&self.tree);
        self.of = Arc::clone(&self.tree);
        let (before, seen) = (self.reference.clone(), self.naive.seen.borrow().len());
        self.reference = before.clone().migrated(&self.spec, &matching, &mut self.naive);
        self.reference.check();
        let begun = before.begun_past_guards(&self.spec, &self.naive.seen.borrow()[seen..]);
        assert_eq!(begun, None, "a leaf begins past its guards");
    }

    fn apply(&mut self) {
        let change = Change { old: Arc::clone(&self.of), new: Arc::clone(&self.tree) };
        let (was_running, before) = (self.memory.is_running(), self.reference.clone());
        self.follow();
        let migrated = change.apply(&mut self.memory, &mut self.world);
        let closed = |event: &Event| match event {
            Event::Close(number, End::Halted(Cause::Edited)) if *number >= FIRST_LEAF * 2 => Some(*number),
            _ => None,
        };
        let closed: Vec<_> = self.world.seen.borrow().iter().filter_map(closed).collect();
        let halted = migrated.halted.iter().filter_map(|id| before.leaf(u32::try_from(id.index()).expect("small")));
        assert_eq!(halted.collect::<Vec<_>>(), closed, "the leaves that were halted");
        self.compare();
        assert_eq!(migrated.starts_afresh, was_running && !self.memory.is_running());
    }

    /// A twin that is halted shows which leaves run.
    fn check_running(&self) {
        let (mut memory, mut reference) = (self.memory.clone(), self.reference.clone());
        let (mut world, mut naive) = (self.world.clone(), self.naive.clone());
        (*self.tree).halt(&mut world, &mut memory);
        reference.halt(Cause::Stopped, &mut naive, &mut Vec::new());
        assert_eq!(world.take_seen(), naive.take_seen(), "what runs");
    }

    fn save(&mut self) {
        let saved = serde_json::to_string(&(*self.of).saved(&self.memory)).expect("it is data");
        self.memory = (*self.of).memory();
        let load = (*self.of).load(&mut self.memory, &mut serde_json::Deserializer::from_str(&saved));
        load.expect("it was just saved");
    }

    fn compare(&mut self) {
        let seen = self.world.take_seen();
        assert_eq!(seen, self.naive.take_seen(), "what the leaves saw");
        assert_eq!(self.memory.is_running(), self.reference.is_running());
        assert_eq!((*self.tree).is_cleaning_up(&self.memory), self.reference.is_cleaning_up());
        for event in seen {
            let (number, change) = match event {
                Event::Open(number) => (number, 1),
                Event::Close(number, _) => (number, -1),
                Event::Enter(_) | Event::Tick(..) | Event::Exit(..) | Event::State(..) => continue,
            };
            if number >= FIRST_LEAF {
                let open = self.open.entry(number).or_default();
                *open += change;
                assert!(*open >= 0, "{number} is closed, but was not open");
            }
        }
    }
}

/// What happens between two edits of a tree.
#[derive(Clone, Debug)]
struct Round {
    /// The times that pass before each tick.
    ticks: Vec<u64>,
    deletion: Deletion,
    edits: Vec<Edit>,
    /// The time that passes between the last tick and the edit.
    pass: u64,
    saves_before: bool,
    /// Whether the change is applied to the agent. If not, it migrates in its next tick, when there may be another edit.
    is_told: bool,
    saves_after: bool,
}

fn round() -> impl Strategy<Value = Round> {
    let edits = (deletion(), edits());
    (vec(0..200_u64, 0..5), edits, prop_oneof![Just(0), 0..200_u64], any::<[bool; 2]>(), prop::bool::weighted(0.7))
        .prop_map(|(ticks, (deletion, edits), pass, [saves_before, saves_after], is_told)| Round {
            ticks,
            deletion,
            edits,
            pass,
            saves_before,
            is_told,
            saves_after,
        })
}

proptest! {
    #![proptest_config(crate::cases(2000))]

    #[test]
    fn an_edited_tree_goes_on_as_the_naive_interpreter_says(
        spec in random::spec_of_file(),
        told in random::told_with(30),
        rounds in vec(round(), 1..6),
        rest in vec(0..200_u64, 1..8),
    ) {
        let mut next = 0;
        let mut tree = Edited::of(&spec, &mut next);
        let mut agent = Agent::new(&tree, &told);
        for round in &rounds {
            for pass in &round.ticks {
                agent.pass(*pass);
                agent.tick();
            }
            if round.saves_before {
                agent.save();
            }
            agent.pass(round.pass);
            tree = tree.without(&agent.reference.running_leaves(), round.deletion, &mut next);
            tree = tree.edited(&round.edits, &mut next);
            agent.edit(&tree);
            if round.is_told {
                agent.apply();
                agent.check_running();
                if round.saves_after {
                    agent.save();
                }
            }
        }
        for pass in &rest {
            agent.pass(*pass);
            agent.tick();
        }
        agent.halt();
    }
}
