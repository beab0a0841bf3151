//! Whatever the source of a live tree is edited to: its trees are found, it is known which they were before, and each is read or each error has a place in the
//! file. What has only parts of the program is followed and ticked.
//!
//! `cargo fuzz run --no-cfg-fuzzing live -- -max_total_time=600`, in `bt-core`; where there is only the stable compiler, with `RUSTC_BOOTSTRAP=1`. With `cfg(fuzzing)`,
//! proc-macro2 knows no places, so that no tree has a text.

#![no_main]

use std::sync::atomic::{AtomicBool, Ordering};

use bt_core::__private::{Context, IntoNode};
use bt_core::composite::{Cases, ScoreTable};
use bt_core::keywords;
use bt_core::prelude::*;
use bt_dynamic::bt_behavior3::Diagnostic;
use bt_dynamic::compiled::{
    Both, Capable, LeafNode, Making, NoMaker, Pair, Part, PartKind, PolicyPiece, ScorePiece, SelectionPiece, Site,
    Store, Written,
};
use bt_syntax::live::{Found, Known, find, identify, read};
use bt_tests::world::Chance;
use libfuzzer_sys::fuzz_target;

struct World {
    now: Duration,
    chance: Chance,
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for World {
    type Rng = <bt_tests::world::World as Random>::Rng;

    fn rng(&mut self) -> &mut Self::Rng {
        &mut self.chance.0
    }
}

#[action]
fn goto(world: &mut World, to: f64) -> Status {
    if world.now.as_secs_f64() < to { Status::Running } else { Status::Success }
}

#[condition]
fn near(world: &World, meters: u8, strict: bool) -> bool {
    world.now.as_secs() < meters.into() && !strict
}

fn idle(_: &mut World) -> Status {
    Status::Running
}

/// The only tree of the program.
static SITE: Site = Site::new("npc.rs", 1, None, "selector { near(5, false), goto(50.0) }", (1, 1));

macro_rules! part {
    ($kind:ident $key:literal [$($literal:literal)*] [$($inside:literal)*] $piece:expr, $maker:expr) => {
        Part {
            written: &Written {
                kind: PartKind::$kind,
                is_island: false,
                key: $key,
                literals: &[$($literal),*],
                in_closure: &[$($inside),*],
            },
            piece: $piece,
            maker: $maker,
        }
    };
}

/// A leaf as an expansion has it.
fn leaf<M, T: IntoNode<World, M>>(value: T) -> T::Node {
    value.into_node()
}

/// The tree as an expansion makes it.
fn tree() -> impl Node<World> {
    let go = || LeafNode(leaf(goto(SITE.literal(0, 0, 50.0)))).piece();
    let close = || LeafNode(leaf(near(SITE.literal(1, 0, 5), SITE.literal(1, 1, false)))).piece();
    let late = |world: &World| world.now.as_secs() > SITE.literal(3, 0, 9);
    let patience = || PolicyPiece::new(keywords::timeout(wait_of(SITE.literal(4, 0, 3))));
    let score = || {
        let number = SITE.literal(5, 0, 0.5_f32);
        ScorePiece::new(ScoreTable::new([""], move |_: &World, _| number))
    };
    let select = |world: &World| usize::from(world.now.as_secs() > SITE.literal(6, 0, 2));
    let parts = Pair(
        Pair(
            part!(Leaf "goto(_)" ["50.0"] [false] go(), Making(go)),
            part!(Leaf "near(_,_)" ["5" "false"] [false false] close(), Making(close)),
        ),
        Pair(
            Pair(
                part!(Leaf "idle" [] [] LeafNode(leaf(idle)).piece(), NoMaker),
                part!(Leaf "|w:&World|w.now>_" ["9"] [true] LeafNode(leaf(late)).piece(), NoMaker),
            ),
            Pair(
                part!(Decorator "timeout(patience(_))" ["3"] [false] patience(), Making(patience)),
                Pair(
                    part!(Score "hunger(_)" ["0.5"] [false] score(), Making(score)),
                    part!(Selection "|w:&World|w.now>_{false=>,_=>}" ["2"] [true] SelectionPiece::new(Cases::new("", &[], select), &["false"]), NoMaker),
                ),
            ),
        ),
    );
    let capable = Capable(Context::<World>::new());
    let store = Store { parts, clock: capable.clock(), random: capable.random() };
    let both: Both<World, BoxNode<World>, _, ()> = Both::Live(Context::new(), &SITE, store, ());
    both.or_broken()
}

fn wait_of(seconds: u64) -> impl Fn(&World) -> Duration + Copy + Send + Sync {
    move |_| Duration::from_secs(seconds)
}

/// Errors have a text, and a place in the file.
fn in_file(errors: &[Diagnostic], source: &str) {
    let lines = source.split('\n').count();
    for error in errors {
        assert!(!error.to_string().is_empty());
        if let Some(place) = error.place {
            assert!((1..=lines).contains(&(place.line as usize)) && place.column > 0, "{error}");
        }
    }
}

fn trees(source: &str) -> Vec<Found> {
    find(source).unwrap_or_else(|error| {
        in_file(&[error], source);
        Vec::new()
    })
}

/// Bounded loops go on within a tick: nested, they multiply.
fn is_short<N: Node<World>>(tree: &N) -> bool {
    let description = tree.description();
    let is_small = |name: &str, value: &str| name != "times" || ["0", "1", "2"].contains(&value);
    description.nodes().len() < 100
        && description.nodes().iter().all(|node| node.params.iter().all(|param| is_small(&param.name, &param.value)))
}

fuzz_target!(|input: &[u8]| {
    let Ok(input) = core::str::from_utf8(input) else { return };
    // Two versions of a file.
    let (before, source) = input.split_once('\u{c}').unwrap_or(("", input));
    let (before, found) = (trees(before), trees(source));
    assert!(
        found.iter().all(|found| source.contains('\r') || source.contains(&found.source)),
        "built with `--cfg fuzzing`?"
    );
    let known: Vec<_> = before.iter().map(Known::from).collect();
    let mut now: Vec<_> = identify(&known, &found).into_iter().flatten().collect();
    now.sort_unstable();
    assert!(now.is_sorted_by(|one, other| one < other) && now.iter().all(|index| *index < found.len()));

    let mut memory = None;
    for found in &found {
        let source = match read(found) {
            Ok(source) => SITE.with_words(source),
            Err(errors) => {
                assert!(!errors.is_empty());
                in_file(&errors, source);
                continue;
            }
        };
        let (tree, memory) = memory.get_or_insert_with(|| {
            let tree = tree();
            let memory = tree.memory();
            (tree, memory)
        });
        let missing = SITE.missing(&source);
        static REPORTED: AtomicBool = AtomicBool::new(false);
        REPORTED.store(false, Ordering::Relaxed);
        let is_missing = !missing.is_empty();
        SITE.edit(
            source,
            Box::new(move |outcome| {
                assert!(outcome.is_err() || !is_missing);
                REPORTED.store(true, Ordering::Relaxed);
            }),
        );
        // The first look at the tree follows.
        if is_short(tree) {
            let mut world = World { now: secs(1), chance: Chance::default() };
            for _ in 0..3 {
                world.now += millis(700);
                tree.tick(&mut world, memory);
            }
        }
        assert!(REPORTED.load(Ordering::Relaxed), "an edit is followed or refused");
    }
});
