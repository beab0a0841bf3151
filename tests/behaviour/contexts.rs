//! Contexts that borrow, are generic, unsized, or handle errors.

use std::sync::Arc;

use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_core::{BoxMemory, DynNode};

#[derive(Default)]
struct World {
    log: Vec<String>,
}

struct Ctx<'w> {
    world: &'w mut World,
    name: &'w str,
}

fn log(ctx: &mut Ctx<'_>) -> Status {
    ctx.world.log.push(ctx.name.to_owned());
    Status::Running
}

#[condition]
fn called(ctx: &Ctx<'_>, name: &str) -> bool {
    ctx.name == name
}

struct Shout;

#[leaf]
impl Leaf<Ctx<'_>> for Shout {
    fn open(&self, ctx: &mut Ctx<'_>) {
        ctx.world.log.push(ctx.name.to_uppercase());
    }

    fn tick(&self, (): &mut (), _: &mut Ctx<'_>) -> Status {
        Status::Success
    }
}

#[subtree]
fn speak() -> impl Node<Ctx<'_>> {
    tree! { selector { sequence { called("ann"), |ctx: &mut Ctx<'_>| ctx.world.log.push("ann".into()), (Shout) } log } }
}

#[test]
fn one_memory_serves_contexts_that_borrow_for_different_times() {
    let tree = speak();
    let mut memory = tree.memory();
    let mut world = World::default();
    for name in ["ann", "ben", "ben"] {
        let name = name.to_owned();
        tree.tick(&mut Ctx { world: &mut world, name: &name }, &mut memory);
    }
    assert_eq!(world.log, ["ann", "ANN", "ben", "ben"]);
}

type CtxBrain<M = BoxMemory> = Brain<Ctx<'static>, M, dyn for<'w> DynNode<Ctx<'w>, M>>;

#[test]
fn a_brain_over_a_context_that_borrows_ticks_halts_observes_describes_and_clones() {
    let mut brain = CtxBrain::<BoxMemory>::from_arc(Arc::new(speak()));
    let mut world = World::default();
    let mut statuses = Statuses::default();
    assert_eq!(brain.tick_with(&mut Ctx { world: &mut world, name: "ben" }, &mut statuses), Status::Running);
    assert!(brain.is_running() && statuses.is_running(NodeId::ROOT));
    assert_eq!(brain.tree().description(), speak().description());
    let copy = brain.clone();
    brain.halt(&mut Ctx { world: &mut world, name: "ben" });
    assert!(!brain.is_running() && copy.is_running());
}

#[test]
fn a_brain_over_a_context_that_borrows_is_saved() {
    let tree = Arc::new(tree! { mem_sequence { |ctx: &mut Ctx<'_>| ctx.world.log.push("once".into()), log } });
    let mut brain = CtxBrain::<bt_core::SaveMemory>::from_arc(tree.clone());
    let mut world = World::default();
    brain.tick(&mut Ctx { world: &mut world, name: "ann" });
    let save = postcard::to_allocvec(&brain.saved()).unwrap();
    let mut brain = CtxBrain::<bt_core::SaveMemory>::from_arc(tree);
    brain.load(&mut postcard::Deserializer::from_bytes(&save)).unwrap();
    brain.tick(&mut Ctx { world: &mut world, name: "ann" });
    assert_eq!(world.log, ["once", "ann", "ann"]);
}

#[test]
fn a_boxed_tree_over_a_context_that_borrows_is_part_of_another_tree() {
    let boxed: BoxNode<Ctx<'static>, BoxMemory, dyn for<'w> DynNode<Ctx<'w>>> = BoxNode::from_arc(Arc::new(speak()));
    let tree = tree! { sequence { boxed } };
    let mut world = World::default();
    let name = "ben".to_owned();
    tree.tick(&mut Ctx { world: &mut world, name: &name }, &mut tree.memory());
    assert_eq!(world.log, ["ben"]);
}

trait Creature {
    fn hunger(&mut self) -> &mut u32;
}

struct Cow(u32);

impl Creature for Cow {
    fn hunger(&mut self) -> &mut u32 {
        &mut self.0
    }
}

fn graze<C: Creature + ?Sized>(creature: &mut C) {
    *creature.hunger() -= 1;
}

#[subtree]
fn day<C: Creature + ?Sized>(times: u32) -> impl Node<C> {
    tree! { repeat(times) { graze } }
}

#[test]
fn a_subtree_can_be_generic_over_the_context() {
    let tree = day::<Cow>(2);
    let mut cow = Cow(5);
    tree.tick(&mut cow, &mut tree.memory());
    assert_eq!(cow.0, 3);
}

#[test]
fn a_context_can_be_unsized() {
    let tree = day::<dyn Creature>(3);
    let mut cow = Cow(5);
    let creature: &mut dyn Creature = &mut cow;
    tree.tick(creature, &mut tree.memory());
    assert_eq!(cow.0, 2);
}

#[derive(Debug, PartialEq)]
struct Jammed;

#[derive(Debug, PartialEq)]
struct Blind(u32);

#[derive(Default)]
struct Robot {
    faults: Vec<(NodeId, String)>,
}

impl OnError<Jammed> for Robot {
    fn on_error(&mut self, at: NodeId, error: Jammed) {
        self.faults.push((at, format!("{error:?}")));
    }
}

impl OnError<Blind> for Robot {
    fn on_error(&mut self, at: NodeId, error: Blind) {
        self.faults.push((at, format!("{error:?}")));
    }
}

fn grip(robot: &mut Robot) -> Result<bool, Jammed> {
    if robot.faults.is_empty() { Err(Jammed) } else { Ok(true) }
}

#[action]
fn look(_: &mut Robot, angle: u32) -> Result<Status, Blind> {
    Err(Blind(angle))
}

/// Notes that it was closed.
struct Move;

#[leaf]
impl Leaf<Robot> for Move {
    fn open(&self, _: &mut Robot) {}

    fn tick(&self, (): &mut (), _: &mut Robot) -> Status {
        Status::Running
    }

    fn close(&self, (): &mut (), robot: &mut Robot, end: End) {
        robot.faults.push((NodeId::ROOT, format!("{end:?}")));
    }
}

#[test]
fn an_error_halts_what_is_open() {
    let tree = tree! { parallel { Move, look(30) } };
    let mut robot = Robot::default();
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut robot, &mut memory), Status::Error);
    assert_eq!(
        robot.faults.iter().map(|(_, fault)| fault.as_str()).collect::<Vec<_>>(),
        ["Blind(30)", "Halted(Ended)"]
    );
    assert!(!memory.is_running());
}

#[test]
fn errors_of_several_types_go_to_the_context_and_name_the_leaf() {
    let tree = tree! { sequence { force_success { grip } look(30) } };
    let mut robot = Robot::default();
    assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Status::Error);
    assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Status::Error);
    assert_eq!(robot.faults, [(NodeId::new(2), "Jammed".to_owned()), (NodeId::new(3), "Blind(30)".to_owned())]);
    let description = tree.description();
    let leaf = description.node(robot.faults[1].0).expect("the leaf is there");
    let text = leaf.to_string();
    assert!(text.starts_with("#3 look(angle: 30) at ") && text.contains("contexts.rs:"), "{text}");
}

/// A context that borrows, and a tree over all of its lifetimes that chooses.
mod choices {
    use bt_core::prelude::*;

    struct Ctx<'w> {
        log: &'w mut Vec<u32>,
        name: &'w str,
    }

    #[action]
    fn note(ctx: &mut Ctx<'_>, number: u32) {
        ctx.log.push(number);
    }

    fn len(ctx: &Ctx<'_>) -> usize {
        ctx.log.len()
    }

    fn name<'c>(ctx: &'c Ctx<'_>) -> &'c str {
        ctx.name
    }

    fn score(ctx: &Ctx<'_>) -> f32 {
        if ctx.log.len() < 2 { 9.0 } else { 0.0 }
    }

    #[subtree]
    fn chooses() -> impl Node<Ctx<'_>> {
        tree! {
            sequence {
                match |ctx: &Ctx<'_>| ctx.log.len() { 0 => note(1), _ => note(2) }
                mem_match len { 0 => note(3), _ => note(4) }
                match name { "ann" => note(5), _ => note(6) }
                utility_selector(keep = 1) { 1 => note(7), |ctx: &Ctx<'_>| ctx.log.len() => note(8), score => note(9) }
                if (|ctx: &Ctx<'_>| ctx.name == "ann") && len_is_even { note(10) } else { note(11) }
            }
        }
    }

    fn len_is_even(ctx: &Ctx<'_>) -> bool {
        ctx.log.len().is_multiple_of(2)
    }

    #[test]
    fn a_choice_over_a_context_that_borrows_is_one_for_all_lifetimes() {
        fn over_all<N: for<'w> Node<Ctx<'w>>>(tree: N) -> N {
            tree
        }
        let tree = over_all(chooses());
        let mut memory = tree.memory();
        for _ in 0..2 {
            let (mut log, name) = (Vec::new(), String::from("ann"));
            assert_eq!(tree.tick(&mut Ctx { log: &mut log, name: &name }, &mut memory), Status::Success);
            assert_eq!(log, [1, 4, 5, 8, 10]);
        }
    }

    trait World {
        fn mood(&self) -> u32;
    }

    struct Calm;

    impl World for Calm {
        fn mood(&self) -> u32 {
            3
        }
    }

    #[test]
    fn a_choice_works_over_a_trait_object() {
        let tree = tree! {
            for dyn World: utility_selector {
                |world: &(dyn World + 'static)| world.mood() => match |world: &(dyn World + 'static)| world.mood() {
                    3 => succeed,
                    _ => fail,
                }
                1 => fail,
            }
        };
        let mut calm: Box<dyn World> = Box::new(Calm);
        assert_eq!(tree.tick(&mut *calm, &mut tree.memory()), Status::Success);
    }
}

/// Subtrees and leaves that are generic over contexts that borrow.
mod families {
    use std::sync::Arc;

    use bt_core::prelude::*;
    use bt_core::{BoxMemory, ContextFamily, ContextOf, Contexts, DynNode, SaveMemory, Single};

    trait Hp {
        fn hp(&self) -> u32;
        fn set_hp(&mut self, hp: u32);
    }

    struct Ctx<'w> {
        hp: &'w mut u32,
        now: Duration,
    }

    impl Hp for Ctx<'_> {
        fn hp(&self) -> u32 {
            *self.hp
        }

        fn set_hp(&mut self, hp: u32) {
            *self.hp = hp;
        }
    }

    impl Clock for Ctx<'_> {
        fn now(&self) -> Duration {
            self.now
        }
    }

    impl<'a> ContextFamily<'a, '_> for Ctx<'_> {
        type Context = Ctx<'a>;
    }

    struct Npc(u32);

    impl Hp for Npc {
        fn hp(&self) -> u32 {
            self.0
        }

        fn set_hp(&mut self, hp: u32) {
            self.0 = hp;
        }
    }

    /// A context with two lifetimes, of which the second outlives the first.
    struct Pair<'a, 'w> {
        hp: &'a mut [&'w mut u32],
    }

    impl Hp for Pair<'_, '_> {
        fn hp(&self) -> u32 {
            *self.hp[0]
        }

        fn set_hp(&mut self, hp: u32) {
            *self.hp[0] = hp;
        }
    }

    struct Pairs;

    impl<'a, 'b> ContextFamily<'a, 'b> for Pairs {
        type Context = Pair<'a, 'b>;
    }

    #[condition]
    fn hurt<C: Hp>(ctx: &C) -> bool {
        ctx.hp() < 3
    }

    #[action]
    fn heal<C: Hp>(ctx: &mut C, by: u32) {
        ctx.set_hp(ctx.hp() + by);
    }

    fn hp<C: Hp>(ctx: &C) -> u32 {
        ctx.hp()
    }

    #[subtree]
    fn recover<F: Contexts>(by: u32) -> impl Node<ContextOf<'_, '_, F>> + Save
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: Hp + Sized,
    {
        tree! { sequence { hurt, |ctx: &ContextOf<'_, '_, F>| hp(ctx) > 0, heal(by) } }
    }

    #[subtree]
    fn day<F: Contexts>() -> impl Node<ContextOf<'_, '_, F>> + Save
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: Hp + Clock + Sized,
    {
        tree! {
            sequence {
                selector { recover::<F>(2), succeed }
                match |ctx: &ContextOf<'_, '_, F>| hp(ctx) { 0 => fail, _ => heal(10) }
                machine {
                    state waiting { wait(secs(1)), success -> healing, hurt && !hurt -> healing }
                    state healing { heal(100), enter: heal(1000), success -> success }
                }
            }
        }
    }

    #[subtree]
    fn npc() -> impl Node<Ctx<'_>> + Save {
        tree! { selector { sequence { !hurt, day::<Ctx<'_>> } recover::<Ctx<'_>>(3) } }
    }

    #[test]
    fn a_generic_subtree_is_part_of_a_tree_over_a_context_that_borrows() {
        let tree = npc();
        let mut memory = tree.memory();
        let mut hp = 2;
        for now in [0, 0, 1, 1] {
            let mut short = hp;
            tree.tick(&mut Ctx { hp: &mut short, now: secs(now) }, &mut memory);
            hp = short;
        }
        assert_eq!(hp, 2 + 3 + 10 + (10 + 1000) + (10 + 100));
    }

    #[test]
    fn a_generic_subtree_is_a_tree_over_contexts_that_do_not_borrow_or_have_two_lifetimes() {
        let tree = tree! { for Npc: recover::<Single<Npc>>(4) };
        let mut npc = Npc(1);
        tree.tick(&mut npc, &mut tree.memory());
        assert_eq!(npc.0, 5);

        #[subtree]
        fn pair() -> impl Node<Pair<'_, '_>> {
            tree! { recover::<Pairs>(5) }
        }
        let (tree, mut hp) = (pair(), 1);
        tree.tick(&mut Pair { hp: &mut [&mut hp] }, &mut tree.memory());
        assert_eq!(hp, 6);
    }

    type CtxNode = BoxNode<Ctx<'static>, BoxMemory, dyn for<'w> DynNode<Ctx<'w>>>;
    type CtxBrain<M = BoxMemory> = Brain<Ctx<'static>, M, dyn for<'w> DynNode<Ctx<'w>, M>>;

    fn boxed_over<F: Contexts + 'static>(by: u32) -> BoxNode<F, BoxMemory, dyn for<'w> DynNode<ContextOf<'w, 'w, F>>>
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: Hp + Sized,
    {
        BoxNode::from_arc(Arc::new(recover::<F>(by)))
    }

    #[test]
    fn a_generic_subtree_is_erased_in_boxes_and_brains_and_ticked_in_a_herd() {
        #[subtree]
        fn boxes() -> impl Node<Ctx<'_>> {
            tree! { selector { (boxed_over::<Ctx<'_>>(4)), (CtxNode::from_arc(Arc::new(recover::<Ctx<'_>>(1)))) } }
        }
        let mut brain = CtxBrain::<BoxMemory>::from_arc(Arc::new(boxes()));
        let mut hp = 1;
        assert_eq!(brain.tick(&mut Ctx { hp: &mut hp, now: secs(0) }), Status::Success);
        assert_eq!(hp, 5);

        let mut herd = Herd::new(boxes());
        herd.grow(2);
        let mut hps = [1, 9];
        herd.for_each(|agent, tree, memory| {
            tree.tick(&mut Ctx { hp: &mut hps[agent.index()], now: secs(0) }, memory);
        });
        assert_eq!(hps, [5, 9]);
    }

    #[test]
    fn a_generic_subtree_is_saved() {
        let tree = Arc::new(npc());
        let mut brain = CtxBrain::<SaveMemory>::from_arc(tree.clone());
        let mut hp = 5;
        brain.tick(&mut Ctx { hp: &mut hp, now: secs(0) });
        let save = postcard::to_allocvec(&brain.saved()).expect("it is data");
        let mut brain = CtxBrain::<SaveMemory>::from_arc(tree);
        brain.load(&mut postcard::Deserializer::from_bytes(&save)).expect("the same tree");
        assert_eq!(brain.tick(&mut Ctx { hp: &mut hp, now: secs(1) }), Status::Running);
        assert_eq!(hp, 5 + 10 + (10 + 1000));
    }

    #[test]
    fn the_lifetimes_of_a_tree_have_names_or_none() {
        #[subtree]
        fn named() -> impl for<'w> Node<Ctx<'w>> {
            tree! { selector { hurt, |ctx: &mut Ctx<'_>| *ctx.hp += 1 } }
        }
        let tree = tree! { for<'w> Ctx<'w>: selector { sequence { hurt, npc } heal(7) } };
        let mut hp = 3;
        tree.tick(&mut Ctx { hp: &mut hp, now: secs(0) }, &mut tree.memory());
        let tree = named();
        tree.tick(&mut Ctx { hp: &mut hp, now: secs(0) }, &mut tree.memory());
        assert_eq!(hp, 11);
    }
}
