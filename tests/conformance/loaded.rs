//! Thousands of random trees, written as the editor writes them and loaded; their memories saved and loaded between steps.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use bt_conformance::spec::{Args, How, On, Spec, StateSpec, TransitionSpec};
use bt_core::Shift;
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use bt_tests::without_layout;
use bt_tests::world::{Events, World, act, check, entered, left, share, span, times, told};
use bt_words::{Bound, ParamType, Word};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{own, random, same};

#[derive(serde::Deserialize)]
pub(crate) struct Number {
    pub(crate) number: u32,
}

/// A tree as a file, and which actions its services do.
#[derive(Default)]
struct File {
    nodes: BTreeMap<String, Value>,
    actions: BTreeSet<u32>,
    /// The arguments of numbers and times that are not fixed.
    args: Vec<Args>,
    /// The numbers of conditions of transitions, and of states.
    conditions: BTreeSet<u32>,
    states: BTreeSet<u32>,
    /// The ids and labels of the nodes in pre-order, if they are not their indices.
    ids: Vec<(u32, u32)>,
}

impl File {
    /// The id of the next node, and its title.
    fn next(&self) -> (String, Option<String>) {
        let (id, label) = self.ids.get(self.nodes.len()).copied().unwrap_or_default();
        let id = if self.ids.is_empty() { self.nodes.len().to_string() } else { id.to_string() };
        (format!("n{id}"), (label > 0).then(|| format!("t{label}")))
    }

    /// Writes a node and those below it. Returns its id.
    fn node(&mut self, spec: &Spec) -> String {
        if let Spec::Machine { states, any } = spec {
            return self.machine(states, any);
        }
        let (name, properties) = self.words(spec);
        let (id, title) = self.next();
        self.nodes.insert(id.clone(), Value::Null);
        let children: Vec<_> = spec.children().into_iter().map(|child| self.node(child)).collect();
        let title = title.unwrap_or_else(|| name.to_owned());
        self.nodes.insert(
            id.clone(),
            json!({ "id": id, "name": name, "title": title, "properties": properties, "children": children }),
        );
        id
    }

    /// Writes a machine. Returns its id.
    fn machine(&mut self, states: &[StateSpec], any: &[TransitionSpec]) -> String {
        let (id, _) = self.next();
        self.nodes.insert(id.clone(), Value::Null);
        let mut children = Vec::new();
        for (index, state) in states.iter().enumerate() {
            let (of_state, _) = self.next();
            self.nodes.insert(of_state.clone(), Value::Null);
            let (node, number) = (self.node(&state.node), state.number);
            self.states.insert(number);
            let properties = json!({
                "name": format!("s{index}"), "transitions": self.transitions(&state.transitions),
                "enter": format!("entered{number}"), "exit": format!("left{number}")
            });
            let state = json!({ "id": of_state, "name": "state", "properties": properties, "children": [node] });
            self.nodes.insert(of_state.clone(), state);
            children.push(of_state);
        }
        let properties = json!({ "any": self.transitions(any) });
        let machine = json!({ "id": id, "name": "machine", "properties": properties, "children": children });
        self.nodes.insert(id.clone(), machine);
        id
    }

    fn transitions(&mut self, transitions: &[TransitionSpec]) -> Vec<String> {
        let transition = |TransitionSpec { on, to }: &TransitionSpec| {
            let to = match to {
                Ok(state) => format!("s{state}"),
                Err(status) => format!("{status:?}").to_lowercase(),
            };
            let on = match on {
                On::Success => "success".to_owned(),
                On::Failure => "failure".to_owned(),
                On::Condition(number) | On::Not(number) => {
                    self.conditions.insert(*number);
                    format!("{}check{number}", if matches!(on, On::Not(_)) { "!" } else { "" })
                }
                On::Just(status) => format!("just{status:?}"),
            };
            format!("{on} -> {to}")
        };
        transitions.iter().map(transition).collect()
    }

    /// The name of a node, and its properties.
    fn words(&mut self, spec: &Spec) -> (&'static str, Value) {
        let (word, args, children) = match spec {
            Spec::Leaf(number) => return ("told", json!({ "number": number })),
            Spec::Action(number) => return ("Act", json!({ "number": number })),
            Spec::Condition(number) => return ("Check", json!({ "number": number })),
            Spec::Own(own, number, _) => return (own.name(), json!({ "number": number })),
            Spec::Machine { .. } => unreachable!("`machine` writes them"),
            Spec::Word(word, args, children) => (*word, args, children),
        };
        // Now and then by the name that Behavior3 has for it.
        let form = word.behavior3().filter(|_| args.action % 2 == 0);
        let mut properties = serde_json::Map::new();
        for (index, param) in word.row().params.iter().enumerate() {
            let value = match param.ty {
                ParamType::Times | ParamType::Runs | ParamType::Time | ParamType::Probability
                    if args.how != How::Fixed =>
                {
                    self.args.push(*args);
                    json!(amount(param.ty, args))
                }
                ParamType::Times | ParamType::Runs => json!(args.times),
                ParamType::Time if args.action % 4 == 1 => json!(format!("{}ms", args.millis)),
                ParamType::Time => json!(args.millis),
                ParamType::Probability => json!(args.share()),
                ParamType::Threshold(Bound::All) => json!(args.success),
                ParamType::Threshold(Bound::One) => json!(args.failure),
                ParamType::Weights if args.weighted => {
                    (0..children.len()).map(|child| json!(args.weight(child))).collect()
                }
                ParamType::Weights => continue,
                ParamType::Leaf(_) => {
                    self.actions.insert(args.action);
                    json!(format!("entered{}", args.action))
                }
                ParamType::Scores => {
                    (0..children.len()).map(|child| json!(format!("score{}", args.score(child)))).collect()
                }
                ParamType::Bonus => json!(args.keep()),
                ParamType::Value => json!(format!("pick{}", args.times)),
                ParamType::Cases => (1..children.len()).map(|case| json!(case - 1)).collect(),
                ParamType::Transitions | ParamType::Name => unreachable!("only machines have them"),
            };
            let name = form.map_or(param.name, |form| form.property(word.row(), index));
            properties.insert(name.to_owned(), value);
        }
        if let Some(unbounded) = form.and_then(|form| form.unbounded) {
            properties.insert(unbounded.to_owned(), json!(-1));
        }
        (form.map_or(word.name(), |form| form.name), Value::Object(properties))
    }
}

/// A number or time that is computed or random, in a file.
fn amount(ty: ParamType, args: &Args) -> String {
    let ((fewest, most), (shortest, longest)) = (args.times_range(), args.span_range());
    match (ty, args.how) {
        (ParamType::Time, How::Ranged) => format!("{shortest:?}..={longest:?}"),
        (ParamType::Time, _) => format!("span{}", args.millis),
        (ParamType::Probability, How::Ranged) => format!("{}..=1", args.share()),
        (ParamType::Probability, _) => format!("share{}", args.times),
        (_, How::Ranged) => format!("{fewest}..={most}"),
        _ => format!("times{}", args.times),
    }
}

/// The same with thresholds that can be reached. In a file, others are errors.
pub(crate) fn reachable(spec: &Spec) -> Spec {
    with_words(spec, &|word, args, most| {
        (word, Args { success: args.success.min(most), failure: args.failure.min(most), ..args })
    })
}

/// The same with ranges for functions. A function in a file may return no number, so its node may return an error.
pub(crate) fn without_functions(spec: &Spec) -> Spec {
    with_words(spec, &|word, args, _| {
        (word, Args { how: if args.how == How::Computed { How::Ranged } else { args.how }, ..args })
    })
}

/// The same with other words and arguments. A function computes them from the present ones and the number of children.
pub(crate) fn with_words(spec: &Spec, change: &dyn Fn(Word, Args, usize) -> (Word, Args)) -> Spec {
    let all = |children: &[Spec]| children.iter().map(|child| with_words(child, change)).collect();
    match spec {
        Spec::Word(word, args, children) => {
            let (word, args) = change(*word, *args, children.len());
            Spec::Word(word, args, all(children))
        }
        Spec::Own(own, number, children) => Spec::Own(*own, *number, all(children)),
        Spec::Machine { states, any } => {
            let state = |state: &StateSpec| StateSpec { node: with_words(&state.node, change), ..state.clone() };
            Spec::Machine { states: states.iter().map(state).collect(), any: any.clone() }
        }
        Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) => spec.clone(),
    }
}

pub(crate) fn load(spec: &Spec) -> LoadedTree<World> {
    load_with(spec, |registry| {
        registry.add_with("told", |Number { number }| told(number));
        registry.add::<act>("Act").add::<check>("Check");
    })
}

/// Loads a tree of other leaves.
pub(crate) fn load_with(spec: &Spec, leaves: fn(&mut Registry<World>)) -> LoadedTree<World> {
    let (registry, text) = written(spec, Vec::new(), leaves);
    let tree = registry.load(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // What is written of it is the same tree, to the same registry.
    for written in [bt_dynamic::to_behavior3(&tree.description(), "random"), tree.to_behavior3()] {
        let written = written.write();
        let again = registry.load(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(without_layout(&again.description()), without_layout(&tree.description()));
        assert_eq!(again.fingerprint(), tree.fingerprint());
        assert_eq!(again.to_behavior3().write(), written, "what is complete stays as it is");
    }
    tree
}

/// Loads a tree whose nodes have these ids and labels, in pre-order.
pub(crate) fn load_edited(spec: &Spec, ids: Vec<(u32, u32)>, leaves: fn(&mut Registry<World>)) -> LoadedTree<World> {
    let (registry, text) = written(spec, ids, leaves);
    registry.load(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A tree as a file, and the registry that loads it.
pub(crate) fn written(
    spec: &Spec,
    ids: Vec<(u32, u32)>,
    leaves: fn(&mut Registry<World>),
) -> (Registry<World>, String) {
    let mut file = File { ids, ..File::default() };
    let root = file.node(spec);
    let mut registry = Registry::<World>::new().with_clock().with_random();
    leaves(&mut registry);
    own::add(&mut registry);
    let mut name = String::new();
    for number in 0..32 {
        registry.add_value(&format!("score{number}"), move |world: &World| world.score(number));
        registry.add_value(&format!("pick{number}"), move |world: &World| world.pick(number));
    }
    let spans: BTreeSet<_> = file.args.iter().map(|args| args.millis).collect();
    for millis in spans {
        registry.add_value(&format!("span{millis}"), span(millis));
    }
    for number in 0..4 {
        registry.add_value(&format!("times{number}"), times(number));
        registry.add_value(&format!("share{number}"), share(number));
    }
    for number in file.conditions {
        registry.add_with(&format!("check{number}"), move |_: NoProperties| check(number));
    }
    for number in &file.states {
        let number = *number;
        registry.add_with(&format!("left{number}"), move |_: NoProperties| left(number));
    }
    registry.add_leaf("justSuccess", succeed()).add_leaf("justFailure", fail());
    file.actions.extend(file.states);
    for action in file.actions {
        name.clear();
        let _ = write!(name, "entered{action}");
        registry.add_with(&name, move |_: NoProperties| entered(action));
    }
    (registry, json!({ "title": "random", "root": root, "nodes": file.nodes }).to_string())
}

proptest! {
    #![proptest_config(crate::cases(4096))]

    #[test]
    fn a_loaded_tree_does_as_the_naive_interpreter_says(
        spec in random::spec(),
        told in random::told(),
        doings in random::doings(),
    ) {
        let spec = reachable(&spec);
        let tree = load(&spec);
        same(&spec, &tree, &told, &doings, |memory| {
            let saved = serde_json::to_string(&tree.saved(memory)).expect("it is data");
            let mut loaded = tree.memory();
            tree.load(&mut loaded, &mut serde_json::Deserializer::from_str(&saved)).expect("it was just saved");
            loaded
        });
        // A shift by nothing clears what is not read again, and nothing else.
        same(&spec, &tree, &told, &doings, |memory| {
            let mut memory = memory.clone();
            tree.shift(&mut memory, Shift::new(Duration::ZERO, Duration::ZERO));
            memory
        });
    }
}

/// Replaces the statuses of nodes here and there, and the choices of random composites, the same in every engine.
struct Here {
    seed: u64,
    asked: u64,
}

impl Here {
    fn bits(&mut self, at: NodeId) -> u64 {
        let mut bits = self.seed ^ (at.index() as u64) << 32 ^ self.asked;
        self.asked += 1;
        // The finalizer of splitmix64.
        for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
            bits = (bits ^ (bits >> shift)).wrapping_mul(factor);
        }
        bits
    }
}

impl Observer for Here {
    /// Now and then a child that there is not, for which the generator draws.
    fn choose(&mut self, at: NodeId, left: usize) -> Option<usize> {
        let child = usize::try_from(self.bits(at) >> 59).expect("five bits");
        (child < 28).then_some(child % (left + 1))
    }

    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        let bits = self.bits(at);
        [Some(Status::Running), Some(Status::Success), Some(Status::Failure), Some(Status::Error)]
            .get(usize::try_from(bits >> 59).expect("five bits") % 12)
            .copied()
            .flatten()
    }
}

proptest! {
    #![proptest_config(crate::cases(2048))]

    #[test]
    fn both_engines_replace_the_same_nodes(
        spec in random::spec(),
        told in random::told(),
        seed in any::<u64>(),
        passes in proptest::collection::vec(0..200_u64, 1..20),
    ) {
        let spec = reachable(&spec);
        let (first, second) = (bt_conformance::engine::build(&spec), load(&spec));
        let (mut one, mut other) = (first.memory(), second.memory());
        let mut worlds = [World::telling(&told), World::telling(&told)];
        for pass in passes {
            let mut events = [Events::default(), Events::default()];
            let [mut replace, mut replace_too] = [Here { seed, asked: pass }, Here { seed, asked: pass }];
            for world in &mut worlds {
                world.now += millis(pass);
            }
            let status = first.tick_with(&mut worlds[0], &mut one, &mut (&mut events[0], &mut replace));
            prop_assert_eq!(second.tick_with(&mut worlds[1], &mut other, &mut (&mut events[1], &mut replace_too)), status);
            prop_assert_eq!(&events[0].0, &events[1].0);
            prop_assert_eq!(worlds[0].take_seen(), worlds[1].take_seen());
        }
        first.halt(&mut worlds[0], &mut one);
        second.halt(&mut worlds[1], &mut other);
        prop_assert_eq!(worlds[0].take_seen(), worlds[1].take_seen());
    }
}
