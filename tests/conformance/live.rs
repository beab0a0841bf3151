//! Random edits of random trees as source: what follows is the loaded tree of the same edit, event by event, and the naive interpreter.
//!
//! The parts of the program are the leaves of these tests, in a list as an expansion of `tree!` makes it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use bt_conformance::reference::Reference;
use bt_conformance::spec::{Args, Spec};
use bt_core::__private::{Context, IntoNode};
use bt_core::composite::{Cases, ScoreTable, compose};
use bt_core::keywords;
use bt_core::prelude::*;
use bt_core::{Save, SaveMemory};
use bt_dynamic::bt_behavior3::{Diagnostic, Project};
use bt_dynamic::compiled::{
    Adopted, Both, Capable, LeafNode, Making, NoMaker, OwnNode, Pair, Part, PartKind, PieceShape, PolicyPiece,
    ScorePiece, SelectionPiece, Site, Store, Written,
};
use bt_dynamic::{LiveTree, LoadedTree, Registry};
use bt_syntax::live::{find, read};
use bt_tests::world::{Event, Events, World, act, check, entered, left, share, span, times, told};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::edited::{Deletion, Edit, Edited, deletion, edits};
use crate::loaded::{Number, written};
use crate::own::{Backwards, Crowd, Patience, RoundRobin, Shift};
use crate::sleeping::{Nap, effect, frames, holds, same_edited};
use crate::source::{Ids, labels, source, without_islands, without_parts, writable};
use crate::{random, same};

/// A leaf of these tests.
trait LeafOf: Node<World> + Save + Send + Sync + 'static {}

impl<N: Node<World> + Save + Send + Sync + 'static> LeafOf for N {}

/// A tree of the program.
trait LiveNode: Node<World> + Save + Clone + Send + Sync + 'static {}

impl<N: Node<World> + Save + Clone + Send + Sync + 'static> LiveNode for N {}

/// A part with one literal, which is made again if it is edited.
fn part<P: PieceShape, K: Fn(u32) -> P>(
    site: &'static Site,
    number: u32,
    written: &'static Written,
    make: K,
) -> Part<P, Making<impl Fn() -> P>> {
    let make = move || make(site.literal(number, 0, 7));
    Part { written, piece: make(), maker: Making(make) }
}

/// What the source says about a part.
macro_rules! written {
    ($kind:ident $key:expr, $($literal:expr)?) => {
        &Written {
            kind: PartKind::$kind,
            is_island: false,
            key: $key,
            literals: &[$($literal)?],
            in_closure: &[false],
        }
    };
}

/// Makes a list of parts from `kind key => function of the literal`.
macro_rules! parts {
    ($site:ident $number:expr; $kind:ident $key:expr => $make:expr) => {
        part($site, $number, written!($kind $key, "7"), $make)
    };
    ($site:ident $number:expr; $kind:ident $key:expr => $make:expr, $($rest:tt)+) => {
        Pair(part($site, $number, written!($kind $key, "7"), $make), parts!($site $number + 1; $($rest)+))
    };
}

/// Returns the site of a new `tree!`, and its tree, which is live.
#[rustfmt::skip]
fn live<A: LeafOf, B: LeafOf, C: LeafOf>(
    text: String,
    told: impl Fn(u32) -> A + Copy + Send + Sync + 'static,
    act: impl Fn(u32) -> B + Copy + Send + Sync + 'static,
    check: impl Fn(u32) -> C + Copy + Send + Sync + 'static,
) -> (&'static Site, impl LiveNode) {
    let text = String::leak(text);
    let site: &'static Site = Box::leak(Box::new(Site::new("random.rs", 1, None, text, (1, 1))));
    let fails = Part {
        written: written!(Leaf "fail",),
        piece: LeafNode(fail()).piece(),
        maker: NoMaker,
    };
    let leaves = parts!(site 0;
        Leaf "told(_)" => move |number| LeafNode(told(number)).piece(),
        Leaf "act(_)" => move |number| LeafNode(act(number)).piece(),
        Leaf "check(_)" => move |number| LeafNode(check(number)).piece(),
        Leaf "entered(_)" => |number| LeafNode(node(entered(number))).piece(),
        Leaf "left(_)" => |number| LeafNode(node(left(number))).piece(),
        Leaf "wait(span(_))" => |number| LeafNode(wait(span(number.into()))).piece()
    );
    let own = parts!(site 6;
        Decorator "own::patience(_)" => |number| PolicyPiece::new(Patience(number)),
        Composite "own::backwards(_)" => |_| OwnNode(compose(Backwards, ())).piece().0,
        Composite "own::crowd(_)" => |_| OwnNode(compose(Crowd, ())).piece().0,
        Composite "own::round_robin(_)" => |_| OwnNode(compose(RoundRobin, ())).piece().0,
        Composite "own::shift(_)" => |_| OwnNode(compose(Shift, ())).piece().0
    );
    let decorators = parts!(site 11;
        Decorator "repeat(times(_))" => |number| PolicyPiece::new(keywords::repeat_times(times(number))),
        Decorator "retry(times(_))" => |number| PolicyPiece::new(keywords::retry(times(number))),
        Decorator "repeat_while_success(times(_))" => |number| PolicyPiece::new(keywords::repeat_while_success(times(number))),
        Decorator "limit(times(_))" => |number| PolicyPiece::new(keywords::limit(times(number))),
        Decorator "timeout(span(_))" => |number| PolicyPiece::new(keywords::timeout(span(number.into()))),
        Decorator "delay(span(_))" => |number| PolicyPiece::new(keywords::delay(span(number.into()))),
        Decorator "cooldown(span(_))" => |number| PolicyPiece::new(keywords::cooldown(span(number.into()))),
        Decorator "chance(share(_))" => |number| PolicyPiece::new(keywords::chance(share(number)))
    );
    let functions = parts!(site 19;
        Score "score(_)" => |number| ScorePiece::new(ScoreTable::new([""], move |world: &World, _| world.score(number))),
        Selection "pick(_){_=>}" => |number| select(number, &[]),
        Selection "pick(_){0=>,_=>}" => |number| select(number, &["0"]),
        Selection "pick(_){0=>,1=>,_=>}" => |number| select(number, &["0", "1"]),
        Selection "pick(_){0=>,1=>,2=>,_=>}" => |number| select(number, &["0", "1", "2"]),
        Selection "pick(_){0=>,1=>,2=>,3=>,_=>}" => |number| select(number, &["0", "1", "2", "3"]),
        Selection "pick(_){0=>,1=>,2=>,3=>,4=>,_=>}" => |number| select(number, &["0", "1", "2", "3", "4"]),
        Selection "pick(_){0=>,1=>,2=>,3=>,4=>,5=>,_=>}" => |number| select(number, &["0", "1", "2", "3", "4", "5"]),
        Selection "pick(_){0=>,1=>,2=>,3=>,4=>,5=>,6=>,_=>}" => |number| select(number, &["0", "1", "2", "3", "4", "5", "6"])
    );
    let (context, capable) = (Context::<World>::new(), Capable(Context::<World>::new()));
    let parts = Pair(Pair(leaves, own), Pair(decorators, Pair(functions, fails)));
    let store = Store { parts, clock: capable.clock(), random: capable.random() };
    let both: Both<World, BoxNode<World>, _, ()> = Both::Live(context, site, store, ());
    (site, both.or_broken())
}

/// The selection of a `match` with these cases and one child more.
fn select(
    number: u32,
    cases: &'static [&'static str],
) -> SelectionPiece<Cases<impl Fn(&World) -> usize + Send + Sync>> {
    SelectionPiece::new(Cases::new("", &[], move |world: &World| world.pick(number).min(cases.len())), cases)
}

/// A leaf as an expansion has it.
fn node<M, T: IntoNode<World, M>>(value: T) -> T::Node {
    value.into_node()
}

/// The tree with the leaves of most tests.
fn compiled(text: String) -> (&'static Site, impl LiveNode) {
    live(text, |number| node(told(number)), |number| node(act(number)), |number| node(check(number)))
}

/// The lints of random trees.
const ALLOW: &str = "#[allow(unreachable, endless, pointless, threshold)] ";

/// Edits the source of a tree. What is received is what became of it.
fn edit(site: &'static Site, text: &str) -> Receiver<Result<Adopted, Vec<Diagnostic>>> {
    let file = format!("fn npc() {{\n    tree! {{ {text} }}\n}}\n");
    let found = find(&file).expect("it is complete");
    let source = read(&found[0]).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let missing = site.missing(&site.with_words(source.clone()));
    assert!(missing.is_empty(), "{missing:?}\n{text}");
    let (sender, outcomes) = channel();
    site.edit(site.with_words(source), Box::new(move |outcome| drop(sender.send(outcome))));
    outcomes
}

/// A tree as source, and loaded from text.
struct Twins {
    spec: Spec,
    ids: Ids,
}

impl Twins {
    fn of(tree: &Edited) -> Self {
        let spec = without_parts(&writable(&tree.spec()));
        let ids = labels(&spec, tree.ids());
        Self { spec, ids }
    }

    fn text(&self) -> String {
        source(&self.spec, &self.ids, "")
    }

    fn loaded(&self, leaves: fn(&mut Registry<World>)) -> LoadedTree<World> {
        let (registry, file) = written(&self.spec, self.ids.clone(), leaves);
        let project = Project::read(&file).expect("it is a file");
        let text = project.to_text(&registry.names()).unwrap_or_else(|errors| panic!("{errors:?}\n{file}"));
        registry.load_tree(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}

fn leaves(registry: &mut Registry<World>) {
    registry.add_with("told", |Number { number }| told(number));
    registry.add::<act>("Act").add::<check>("Check");
}

proptest! {
    #![proptest_config(crate::cases(256))]

    #[test]
    fn a_tree_that_follows_its_source_does_as_the_naive_one_says(
        spec in random::spec_of_file(),
        told in random::told(),
        doings in random::doings(),
    ) {
        // With transitions to states that there are.
        let spec = Edited::of(&spec, &mut 0).spec();
        let spec = without_islands(&writable(&spec));
        let (_, tree) = compiled(source(&spec, &labels(&spec, Ids::new()), ALLOW));
        same(&spec, &tree, &told, &doings, |memory| {
            let saved = serde_json::to_string(&tree.saved(memory)).expect("it is data");
            let mut loaded = tree.memory();
            tree.load(&mut loaded, &mut serde_json::Deserializer::from_str(&saved)).expect("it was just saved");
            loaded
        });
    }
}

/// An agent of a live tree, beside one of the loaded tree of the same text and the naive interpreter.
struct Agent<N: LiveNode> {
    site: &'static Site,
    live: N,
    memory: Memory<N>,
    loaded: LiveTree<World>,
    loaded_memory: Memory<LiveTree<World>>,
    of: Arc<LoadedTree<World>>,
    spec: Spec,
    /// The source of the tree that the naive twin is in, without labels.
    source_before: String,
    reference: Reference,
    /// Of the live tree, the loaded one, and the naive one.
    worlds: [World; 3],
    outcomes: Vec<Receiver<Result<Adopted, Vec<Diagnostic>>>>,
}

/// The source of a tree without labels.
fn without_labels(spec: &Spec) -> String {
    source(spec, &labels(spec, Ids::new()), "")
}

fn agent(tree: &Edited, statuses: &[Status]) -> Agent<impl LiveNode> {
    let both = Twins::of(tree);
    // As a program is compiled, its lints are allowed.
    let (site, live) = compiled(source(&both.spec, &both.ids, ALLOW));
    let loaded = LiveTree::new();
    loaded.replace(both.loaded(leaves));
    let of = loaded.tree().expect("it was just replaced");
    Agent {
        site,
        memory: live.memory(),
        live,
        loaded_memory: loaded.memory(),
        loaded,
        of,
        reference: Reference::new(&both.spec),
        source_before: without_labels(&both.spec),
        spec: both.spec,
        worlds: [(); 3].map(|()| World::telling(statuses)),
        outcomes: Vec::new(),
    }
}

impl<N: LiveNode> Agent<N> {
    fn pass(&mut self, time: u64) {
        self.worlds.iter_mut().for_each(|world| world.now += millis(time));
    }

    fn edit(&mut self, tree: &Edited) {
        let both = Twins::of(tree);
        self.outcomes.push(edit(self.site, &both.text()));
        self.loaded.replace(both.loaded(leaves));
        let differs_in_labels = without_labels(&both.spec) == without_labels(&self.spec);
        self.spec = both.spec;
        if differs_in_labels {
            // Otherwise the loaded tree is compared with this one, which is the same, and the live one, which has not read it, with the one before.
            self.tick();
        }
    }

    /// The naive twin goes on with the present tree.
    fn follow(&mut self) {
        let present = self.loaded.tree().expect("it has one");
        // A tree whose labels alone differ is the same tree. A spec has arguments that its words do not take.
        let source = without_labels(&self.spec);
        if source != self.source_before {
            let matching = self.of.matching(&present);
            let (before, seen) = (self.reference.clone(), self.worlds[2].seen.borrow().len());
            self.reference = before.clone().migrated(&self.spec, &matching, &mut self.worlds[2]);
            let begun = before.begun_past_guards(&self.spec, &self.worlds[2].seen.borrow()[seen..]);
            assert_eq!(begun, None, "a leaf begins past its guards");
            self.source_before = source;
        }
        self.of = present;
    }

    fn tick(&mut self) {
        // What halts have left goes on in the tree of the memory.
        self.reference.clean_up(&mut self.worlds[2], &mut Vec::new());
        self.follow();
        let present = Arc::clone(&self.of);
        let mut events = [Events::default(), Events::default()];
        let [live, loaded, naive] = &mut self.worlds;
        let expected = self.reference.tick_root(naive, &mut Vec::new());
        let status = self.loaded.tick_with(loaded, &mut self.loaded_memory, &mut events[1]);
        assert_eq!(status, expected, "loaded");
        let status = self.live.tick_with(live, &mut self.memory, &mut events[0]);
        self.compare();
        assert_eq!(status, expected, "live");
        assert_eq!(events[0].0, events[1].0, "what observers see");
        // The last edit is reported, and it has been followed. Others may have been overtaken.
        if let Some(last) = self.outcomes.pop() {
            let outcome = last.try_recv().expect("it was ticked");
            let adopted = outcome.unwrap_or_else(|errors| panic!("{errors:?}"));
            // Those of the text, and no other, each once.
            let reasons = |warnings: &[Diagnostic]| {
                let of = |warning: &Diagnostic| (warning.lint, warning.reason.clone());
                let mut reasons: Vec<_> = warnings.iter().map(of).collect();
                reasons.sort_by(|one, other| one.1.cmp(&other.1));
                reasons
            };
            assert_eq!(reasons(&adopted.warnings), reasons(present.warnings()), "warnings");
        }
        self.outcomes.clear();
    }

    fn halt(&mut self) {
        self.follow();
        self.reference.halt(Cause::Stopped, &mut self.worlds[2], &mut Vec::new());
        self.loaded.halt(&mut self.worlds[1], &mut self.loaded_memory);
        self.live.halt(&mut self.worlds[0], &mut self.memory);
        self.compare();
    }

    fn compare(&self) {
        let [live, loaded, naive] = self.worlds.each_ref().map(World::take_seen);
        assert_eq!(loaded, naive, "what the leaves of the loaded tree saw");
        assert_eq!(live, naive, "what the leaves saw");
        assert_eq!(self.memory.is_running(), self.reference.is_running());
    }

    fn save(&mut self) {
        let saved = serde_json::to_string(&self.live.saved(&self.memory)).expect("it is data");
        self.memory = self.live.memory();
        let load = self.live.load(&mut self.memory, &mut serde_json::Deserializer::from_str(&saved));
        load.expect("it was just saved");
    }

    /// A twin of an agent, which is ticked instead.
    fn clone_all(&mut self) {
        self.memory = self.memory.clone();
        self.live = self.live.clone();
    }
}

/// What happens between two edits of a tree.
#[derive(Clone, Debug)]
struct Round {
    ticks: Vec<u64>,
    deletion: Deletion,
    edits: Vec<Edit>,
    pass: u64,
    saves: [bool; 2],
    clones: bool,
}

fn round() -> impl Strategy<Value = Round> {
    let edits = (deletion(), edits());
    (vec(0..200_u64, 0..5), edits, prop_oneof![Just(0), 0..200_u64], any::<[bool; 2]>(), any::<bool>()).prop_map(
        |(ticks, (deletion, edits), pass, saves, clones)| Round { ticks, deletion, edits, pass, saves, clones },
    )
}

proptest! {
    #![proptest_config(crate::cases(256))]

    #[test]
    fn a_tree_that_is_edited_as_source_goes_on_as_the_loaded_one(
        spec in random::spec_of_file(),
        told in random::told_with(30),
        rounds in vec(round(), 1..5),
        rest in vec(0..200_u64, 1..8),
    ) {
        let mut next = 0;
        let mut tree = Edited::of(&spec, &mut next);
        let mut agent = agent(&tree, &told);
        for round in &rounds {
            for pass in &round.ticks {
                agent.pass(*pass);
                agent.tick();
            }
            if round.saves[0] {
                agent.save();
            }
            agent.pass(round.pass);
            tree = tree.without(&agent.reference.running_leaves(), round.deletion, &mut next);
            tree = tree.edited(&round.edits, &mut next);
            agent.edit(&tree);
            if round.saves[1] {
                agent.save();
            }
            if round.clones {
                agent.clone_all();
            }
        }
        for pass in &rest {
            agent.pass(*pass);
            agent.tick();
        }
        agent.halt();
    }
}

#[test]
fn an_argument_that_a_word_does_not_take_is_no_edit() {
    let selector = |percent| {
        let leaf = || Spec::Leaf(0);
        Spec::Word(bt_words::Word::Selector, Args { percent, ..Args::default() }, vec![leaf(), leaf(), leaf()])
    };
    let tree = Edited::of(&selector(0), &mut 0);
    for labeled in 1..=3 {
        let mut agent = agent(&tree, &[Status::Failure, Status::Failure, Status::Running]);
        agent.tick();
        agent.edit(&Edited::of(&selector(1), &mut 0).edited(&[(8, labeled, 1)], &mut 0));
        agent.tick();
        agent.halt();
    }
}

#[test]
fn a_mistake_in_an_edited_tree_is_one_warning() {
    let (site, tree) = compiled("selector { told(7), check(7) }".to_owned());
    let (mut world, mut memory) = (World::default(), tree.memory());
    for (text, found) in [
        ("retry(1) { told(1) }", "pointless"),
        ("limit(0) { told(1) }", "pointless"),
        ("parallel(success = 3) { told(1), told(2) }", "threshold"),
        ("parallel(success = 3, failure = 4) { told(1), told(2) }", "threshold threshold"),
        ("machine { state s0 { told(1) } state s1 { told(2) } }", "unreachable"),
        ("selector { succeed, told(1) }", "unreachable"),
        ("sequence { retry(1) { told(1) }, retry(1) { told(1) } }", "pointless pointless"),
        ("#[allow(pointless)] retry(1) { told(1) }", ""),
        ("told(1)", ""),
    ] {
        let outcomes = edit(site, text);
        tree.tick(&mut world, &mut memory);
        let warnings = outcomes.recv().expect("it was ticked").expect("it is valid").warnings;
        assert!(warnings.iter().all(|warning| warning.place.is_some_and(|place| place.line == 2)), "{warnings:?}");
        let lints: Vec<_> = warnings.iter().filter_map(|warning| Some(warning.lint?.name())).collect();
        assert_eq!(lints.join(" "), found, "{text}: {warnings:?}");
    }
}

#[test]
fn what_a_node_allows_does_not_say_which_node_it_is() {
    let (site, tree) = compiled("mem_selector { #[allow(unreachable)] told(1), told(2) }".to_owned());
    let (mut world, mut memory) = (World::telling(&[Status::Failure, Status::Running]), tree.memory());
    tree.tick(&mut world, &mut memory);
    world.take_seen();
    drop(edit(site, "mem_selector { #[allow(unreachable)] told(3), told(1), #[allow(unreachable)] told(2) }"));
    tree.tick(&mut world, &mut memory);
    tree.tick(&mut world, &mut memory);
    let seen = world.take_seen();
    assert!(
        !seen.contains(&Event::Close(2, End::Halted(Cause::Preempted))) && !seen.contains(&Event::Open(2)),
        "it goes on: {seen:?}"
    );
}

/// The tree of the tests with agents that sleep.
fn napping(text: String) -> (&'static Site, impl LiveNode) {
    live(
        text,
        |number| node(Nap(number)),
        |number| node(effect(number)),
        |number| match number % 2 {
            0 => BoxNode::<World, SaveMemory>::saving(tree! { for World: by_event { holds(number) } }),
            _ => BoxNode::<World, SaveMemory>::saving(tree! { for World: holds(number) }),
        },
    )
}

proptest! {
    #![proptest_config(crate::cases(256))]

    #[test]
    fn agents_that_sleep_while_their_source_is_edited_do_the_same(
        spec in random::spec_of_file(),
        frames in frames(),
        changes in proptest::collection::btree_map(1..60_usize, edits(), 1..5),
    ) {
        let mut next = 0;
        let mut tree = Edited::of(&spec, &mut next);
        let text = |tree: &Edited| {
            let both = Twins::of(tree);
            // Conditions change with time.
            let without = |word, args, _| (if word == bt_words::Word::ByEvent { bt_words::Word::Invert } else { word }, args);
            source(&crate::loaded::with_words(&both.spec, &without), &both.ids, ALLOW)
        };
        let (site, live) = napping(text(&tree));
        same_edited(live, &frames, |frame| {
            let edits = changes.get(&frame);
            if let Some(edits) = edits {
                tree = tree.edited(edits, &mut next);
                drop(edit(site, &text(&tree)));
            }
            edits.is_some()
        });
    }
}
