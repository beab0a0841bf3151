//! Free leaves, and trees of free leaves.

use bt_core::board::{is_set, set, unset};
use bt_core::decorator::decorate;
use bt_core::prelude::*;
use bt_explore::{FreeContext, explore, free_tree};

fn low(_: &()) -> bool {
    unimplemented!("asks a sensor")
}

fn drive(_: &mut ()) -> Status {
    unimplemented!("moves a robot")
}

fn beep(_: &mut ()) {
    unimplemented!("makes a sound")
}

#[test]
fn a_free_leaf_returns_what_its_type_allows_and_is_not_called() {
    let tree = tree! { for (): parallel(success = 3, failure = 2) { low, drive, beep } };
    let exploration = explore(&tree, ())
        .free("*")
        .single_run()
        .sometimes("drive fails", |tick| tick.returned("drive", Status::Failure))
        .sometimes("drive runs", |tick| tick.returned("drive", Status::Running))
        .sometimes("drive is an error", |tick| tick.returned("drive", Status::Error))
        .sometimes("low", |tick| tick.returned("low", Status::Success))
        .sometimes("not low", |tick| tick.returned("low", Status::Failure))
        .never("beep does not succeed", |tick| tick.visits("beep") > 0 && !tick.returned("beep", Status::Success))
        .check();
    assert!(exploration.unseen().nodes.is_empty());
}

#[test]
fn errors_can_be_left_out() {
    let tree = tree! { for (): sequence { low, drive } };
    explore(&tree, ())
        .free("low")
        .free("drive")
        .without_errors()
        .never("is an error", |tick| tick.status == Status::Error)
        .check();
    explore(&tree, ()).free("low").free("drive").sometimes("is an error", |tick| tick.status == Status::Error).check();
}

#[test]
fn a_leaf_is_free_within_limits() {
    let tree = tree! { for (): sequence { low, drive } };
    explore(&tree, ())
        .free("l*")
        .free_as("drive", [Status::Running, Status::Success])
        .never("fails after low", |tick| tick.returned("low", Status::Success) && tick.status == Status::Failure)
        .sometimes("succeeds", |tick| tick.status == Status::Success)
        .check();
}

#[test]
#[should_panic = "`low` cannot return `Running`"]
fn a_condition_cannot_be_free_to_run() {
    let _ = explore(tree! { for (): low }, ()).free_as("low", [Status::Running]);
}

#[test]
#[should_panic = "`sequence` is not a leaf"]
fn a_composite_cannot_be_free() {
    let _ = explore(tree! { for (): sequence { low, drive } }, ()).free("sequence");
}

#[test]
#[should_panic = "no leaf matches `fly*` in this tree:\nlow\n"]
fn a_pattern_that_matches_nothing_panics() {
    let _ = explore(tree! { for (): low }, ()).free("fly*");
}

/// A context that borrows, and can be neither cloned nor hashed.
struct Robot<'a> {
    motor: &'a mut dyn FnMut(),
    now: Duration,
    chance: rand_pcg::Pcg32,
}

impl Clock for Robot<'_> {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for Robot<'_> {
    type Rng = rand_pcg::Pcg32;
    fn rng(&mut self) -> &mut rand_pcg::Pcg32 {
        &mut self.chance
    }
}

fn is_tired(_: &Robot<'_>) -> bool {
    unimplemented!()
}

fn is_near(_: &Robot<'_>) -> bool {
    unimplemented!()
}

#[action]
fn walk(robot: &mut Robot<'_>, to: u32) -> Status {
    (robot.motor)();
    Status::from(to > 3)
}

fn stop(robot: &mut Robot<'_>) {
    (robot.motor)();
}

#[subtree]
fn all_words() -> impl Node<Robot<'_>> {
    tree! {
        match |robot: &Robot<'_>| robot.now.as_secs() {
            0 => sequence "closures" { |robot: &Robot<'_>| robot.now > secs(1), walk(3), walk(4) }
            1 => timeout(secs(2)) { service(secs(1), stop) { walk(5) } }
            2 | 3 => match |robot: &Robot<'_>| robot.now.as_secs() { 0 => walk(6), 1 | 2 => walk(7), _ => fail }
            4 => utility_selector { |robot: &Robot<'_>| robot.now.as_secs_f32() => walk(8), 0.5 => walk(9) }
            5 => random_selector { 2 => walk(10), 1 => walk(11) }
            6 => chance(0.25) { walk(12) }
            7 => if is_near && !is_tired { walk(13) } else { walk(14) }
            _ => machine "mood" {
                state calm { walk(15), is_near -> angry, is_tired && !is_near -> asleep }
                state angry { walk(16), enter: stop, !is_near -> calm, success -> success }
                state asleep { run, exit: stop, !is_tired -> calm }
            }
        }
    }
}

#[test]
fn a_free_tree_has_all_words_of_a_tree_that_borrows() {
    let tree = match free_tree(&all_words()) {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    };
    let exploration = explore(tree, FreeContext::default())
        .clock([millis(900)], |free| &mut free.now)
        .sometimes("angry", |tick| tick.state("mood") == Some("angry"))
        .sometimes("asleep", |tick| tick.state("mood") == Some("asleep"))
        .run();
    assert!(exploration.holds() && exploration.unseen().nodes.is_empty(), "{exploration}");
    assert!(exploration.unseen().transitions.is_empty(), "{exploration}");
}

#[test]
fn a_free_tree_has_the_runs_of_the_tree_with_free_leaves() {
    let tree = tree! { for (): selector { sequence { low, mem_sequence { drive, retry(2) { drive } } } beep } };
    let one = explore(&tree, ()).free("*").run();
    let free = free_tree(&tree).expect("it has only words and leaves");
    let other = explore(free, FreeContext::default()).run();
    assert_eq!((one.states(), one.transitions()), (other.states(), other.transitions()));
}

#[test]
fn a_tree_with_a_decorator_of_the_user_cannot_be_free() {
    let error = free_tree(&own()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("unknown node `Opposite`") && error.contains("unknown node `Last`"), "{error}");
    let help = "\nhelp: add decorators and composites of your own, which are implemented for any context: `free_tree_with(&tree, |registry| {";
    assert!(error.contains(help), "{error}");
}

struct Opposite;

#[decorator]
impl<C: ?Sized> Decorator<C> for Opposite {
    fn end(
        &self,
        outcome: Outcome,
        (): &mut (),
        (): &mut (),
        _: &mut C,
    ) -> bt_core::decorator::AfterChild<bt_core::Never> {
        bt_core::decorator::AfterChild::End(Outcome::from(outcome == Outcome::Failure))
    }
}

/// Ticks its last child.
struct Last;

#[composite]
impl<C: ?Sized> Composite<C> for Last {
    fn tick(
        &self,
        children: &mut impl bt_core::composite::Children<C>,
        (): &mut (),
        (): &mut (),
        ctx: &mut C,
    ) -> Status {
        children.tick(children.len() - 1, ctx)
    }
}

fn opposite<N>(child: N) -> bt_core::decorator::Decorated<Opposite, N> {
    decorate(Opposite, child)
}

fn last<L>(children: L) -> bt_core::composite::Composed<Last, L> {
    bt_core::composite::compose(Last, children)
}

#[subtree]
fn own() -> impl Node<Robot<'_>> {
    tree! { sequence { opposite { is_near } last { is_tired, stop } } }
}

#[test]
fn nodes_of_the_user_do_in_a_free_tree_what_they_do() {
    let tree = bt_explore::free_tree_with(&own(), |registry| {
        registry.add_decorator("Opposite", |_: bt_dynamic::NoProperties| Opposite);
        registry.add_composite("Last", |_: bt_dynamic::NoProperties| Last);
    });
    let exploration = explore(tree.expect("all nodes are added"), FreeContext::default())
        .never("stops nearby", |tick| tick.visits("stop") > 0 && tick.returned("is_near", Status::Success))
        .sometimes("stops", |tick| tick.visits("stop") > 0)
        .never("looks at the other child", |tick| tick.visits("is_tired") > 0)
        .run();
    assert!(exploration.holds(), "{exploration}");
    let unknown = bt_explore::free_tree_with(&all_words(), |registry| {
        registry.add_composite("Last", |_: bt_dynamic::NoProperties| Last);
    });
    let error = unknown.map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("the registry has `Last`, but no node of the tree has the name:\n"), "{error}");
}

#[test]
fn a_model_tree_has_the_leaves_of_the_model_and_free_ones() {
    use bt_dynamic::Registry;
    use bt_explore::model_tree;
    #[derive(Clone, Hash, Default)]
    struct Model {
        near: bool,
        walked: u32,
        stops: u8,
    }
    #[derive(serde::Deserialize)]
    struct Walk {
        to: u32,
    }
    #[action]
    fn model_walk(model: &mut Model, to: u32) -> Status {
        model.walked = to;
        Status::Running
    }
    let mut registry = Registry::<Model>::new();
    registry.add_with("walk", |walk: Walk| model_walk(walk.to));
    registry.add_leaf("is_near", |model: &Model| model.near);
    registry.add_leaf("stop", |model: &mut Model| model.stops = 1);
    #[subtree]
    fn tree() -> impl Node<Robot<'_>> {
        tree! {
            machine "mood" {
                state calm { walk(1), is_near -> angry, is_tired -> asleep }
                state angry { walk(2), enter: stop, !is_near -> calm, is_tired && is_near -> asleep }
                state asleep { run, !is_tired -> calm }
            }
        }
    }
    let exploration = explore(model_tree(&tree(), registry).expect("it has only words and leaves"), Model::default())
        .environment(|model| model.near = bt_explore::flip("is near"))
        .always("stops on entering", |tick| (tick.state("mood") != Some("angry")) || tick.ctx.stops == 1)
        .always("walks as the state says", |tick| match tick.state("mood") {
            Some("calm") => tick.ctx.walked == 1,
            Some("angry") => tick.ctx.walked == 2 && tick.ctx.near,
            _ => true,
        })
        .sometimes("asleep", |tick| tick.state("mood") == Some("asleep"))
        .check();
    assert!(exploration.unseen().transitions.is_empty(), "{exploration}");
}

#[test]
fn a_free_tree_has_the_names_and_parameters_of_the_tree() {
    #[subtree]
    fn tree() -> impl Node<Robot<'_>> {
        tree! {
            selector {
                sequence { is_near, walk(1), walk(2) }
                machine "mood" {
                    state calm { run, enter: stop, is_near -> angry, !is_tired -> angry }
                    state angry { walk(3), success -> calm }
                }
            }
        }
    }
    let free = free_tree(&tree()).expect("it has only words and leaves");
    explore(free, FreeContext::default())
        .without_errors()
        .never("is an error", |tick| tick.status == Status::Error)
        .sometimes("walks to 2 only", |tick| tick.is_running("walk(to: 2)") && !tick.is_running("walk(to: 1)"))
        .sometimes("is asked twice", |tick| tick.visits("is_near") == 2)
        .sometimes("stops", |tick| tick.visits("stop") > 0)
        .sometimes("is not tired", |tick| tick.returned("is_tired", Status::Failure) && tick.is_in("mood", "angry"))
        .check();
}

#[test]
fn counts_of_a_range_are_all_drawn() {
    fn fail_or_not(_: &mut ()) -> bool {
        unimplemented!()
    }
    #[derive(Clone, Hash)]
    struct NoRng;
    impl Random for NoRng {
        type Rng = rand_pcg::Pcg32;
        fn rng(&mut self) -> &mut rand_pcg::Pcg32 {
            unimplemented!()
        }
    }
    let beep = |_: &mut NoRng| fail_or_not(&mut ());
    let tree = tree! { for NoRng: repeat(1..=5) { beep "beep" } };
    let mut exploration = explore(free_tree(&tree).expect("it has only words and leaves"), FreeContext::default());
    for times in 1..=5 {
        exploration = exploration.sometimes(&times.to_string(), move |tick| tick.visits("beep") == times);
    }
    exploration.check();
}

#[test]
fn a_name_that_the_tree_does_not_have_is_an_error() {
    let mut registry = bt_dynamic::Registry::<()>::new();
    registry.add_leaf("dirve", |(): &mut ()| Status::Running);
    let error = bt_explore::model_tree(&tree! { for (): sequence { low, drive } }, registry).map(|_| ()).unwrap_err();
    assert!(
        error.to_string().starts_with("the registry has `dirve`, but no node of the tree has the name:\nsequence\n"),
        "{error}"
    );
}

#[test]
#[should_panic = "the machine `mood` has no state `agnry`"]
fn a_state_that_a_machine_does_not_have_panics() {
    let tree = tree! { for (): machine "mood" { state calm { run, low -> angry } state angry { run } } };
    let _ = explore(&tree, ()).free("low").never("", |tick| tick.is_in("mood", "agnry")).run();
}

/// A worker with needs, a board and clocks.
struct Worker {
    hunger: f32,
    board: Board,
    now: Duration,
}

impl Clock for Worker {
    fn now(&self) -> Duration {
        self.now
    }
}

impl HasBoard for Worker {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

const PATIENCE: Key<Duration> = Key::new("patience");
const TOOL: Key<&str> = Key::new("tool");

fn eat(_: &mut Worker) -> Status {
    unimplemented!()
}

#[action]
fn dig(_: &mut Worker, meters: f32) -> Status {
    Status::from(meters > 9.0)
}

#[subtree]
fn worker() -> impl Node<Worker> {
    tree! {
        selector "worker" {
            mem_utility_selector "needs" {
                |worker: &Worker| worker.hunger => timeout(secs(3)) { eat }
                0.4 => sequence { is_set(TOOL), mem_sequence { dig(2.5), wait(PATIENCE), unset(TOOL) } }
            }
            cooldown(secs(2)) { set(TOOL, "spade") }
        }
    }
}

#[test]
fn a_free_tree_has_a_clock_and_a_board() {
    let mut context = FreeContext::default();
    context.board.set(&PATIENCE, secs(2));
    let exploration = explore(free_tree(&worker()).expect("it has only words and leaves"), context)
        .clock([secs(1)], |context| &mut context.now)
        .without_errors()
        .never("an error", |tick| tick.status == Status::Error)
        .responds("waits for 2 s", |tick| tick.opened("wait"), |tick| !tick.is_running("wait"), 2)
        .sometimes("unset", |tick| tick.visits("unset") > 0)
        .check();
    assert!(exploration.unseen().nodes.is_empty(), "{exploration}");
}

#[test]
fn contexts_with_other_variables_are_other_states() {
    let hash = |context: &FreeContext| {
        use std::hash::{Hash, Hasher};
        let mut hasher = std::hash::DefaultHasher::new();
        context.hash(&mut hasher);
        hasher.finish()
    };
    let mut context = FreeContext::default();
    let mut hashes = vec![hash(&context)];
    context.board.set(&PATIENCE, secs(2));
    hashes.push(hash(&context));
    context.board.set(&PATIENCE.in_tree("dig"), secs(2));
    hashes.push(hash(&context));
    context.board.set(&PATIENCE, secs(3));
    hashes.push(hash(&context));
    context.now = secs(1);
    hashes.push(hash(&context));
    let distinct: std::collections::BTreeSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
    // The number of changes does not count.
    context.board.set(&PATIENCE, secs(3));
    assert_eq!(Some(&hash(&context)), hashes.last());
}

#[test]
fn a_tree_that_cannot_be_built_names_the_node_by_its_path() {
    #[subtree]
    fn inner() -> impl Node<Worker> {
        tree! { sequence "dig" { dig(1.0), wait(|worker: &Worker| worker.now) } }
    }
    let error =
        free_tree(&tree! { for Worker: selector { eat "lunch", inner() } }).map(|_| ()).unwrap_err().to_string();
    let start = "the tree cannot be built without its context:\n`inner/dig/wait(";
    assert!(error.starts_with(start), "{error}");
}

#[test]
fn a_guard_that_runs_does_not_hold() {
    // In a file, any leaf can be a guard.
    let written = tree! { for (): machine "mood" { state calm { run, low -> angry } state angry { run } } };
    let mut registry = bt_dynamic::Registry::<()>::new();
    registry.add_leaf("low", drive);
    let file = bt_dynamic::to_behavior3(&written.description(), "mood").write();
    let tree = registry.load(&file).expect("a valid file");
    let free = free_tree(&tree).expect("it has only words and leaves");
    let exploration = explore(free, FreeContext::default())
        .never("an error", |tick| tick.status == Status::Error)
        .never("the guard runs", |tick| tick.returned("low", Status::Running))
        .sometimes("angry", |tick| tick.is_in("mood", "angry"))
        .check();
    assert_eq!(exploration.states(), 3);
}

#[test]
fn a_variable_that_a_free_leaf_would_set_is_refused() {
    let refused =
        |tree: Result<bt_explore::FreeTree, bt_explore::ModelError>| tree.map(|_| ()).unwrap_err().to_string();
    let set = tree! { for Worker: mem_sequence "rest" { set(PATIENCE, secs(1)), wait(PATIENCE), eat } };
    let error = refused(free_tree(&set));
    assert!(
        error.starts_with("`rest/wait(time: {patience})` reads the variable `{patience}`, which `rest/set(")
            && error.contains("help: "),
        "{error}"
    );
    #[action]
    fn decide(_: &mut Worker, #[output] patience: &mut Option<Duration>) {
        *patience = Some(secs(9));
    }
    let decided = tree! { for Worker: mem_sequence { decide(PATIENCE), wait(PATIENCE) } };
    assert!(refused(free_tree(&decided)).contains("`decide("));
}

#[test]
fn a_variable_without_a_value_is_a_violation() {
    let tree = tree! { for Worker: mem_sequence { eat, wait(PATIENCE) } };
    let exploration = explore(free_tree(&tree).expect("it has only words and leaves"), FreeContext::default())
        .clock([secs(1)], |context| &mut context.now)
        .run();
    let violation = exploration.violations().next().expect("a violation").to_string();
    assert!(violation.contains("`patience` is not set; help: set the variable in `FreeContext::board`"), "{violation}");
}
