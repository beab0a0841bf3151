//! Trees of free leaves, made of trees over any context.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use bt_behavior3::Word;
use bt_core::board::Blackboard as _;
use bt_core::board::{Board, HasBoard};
use bt_core::describe::{Described, Description};
use bt_core::{Clock, NodeId, NodeShape, OnError, Random, Tree as _};
use bt_dynamic::{LoadedTree, Registry, RunError};

use crate::draws::Draws;
use crate::free::is_leaf;
use crate::model_tree::{ModelError, model_tree};

/// A tree whose leaves return any status that their types allow, returned by [`free_tree`].
pub type FreeTree = LoadedTree<FreeContext>;

/// The context of a [`FreeTree`]: a clock, a board, and random numbers that are choices, with 5 values each.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_explore::{FreeContext, explore, free_tree};
///
/// const PATIENCE: Key<Duration> = Key::new("patience");
///
/// struct Npc { now: Duration, board: Board }
/// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
/// impl HasBoard for Npc {
///     fn board(&self) -> &Board { &self.board }
///     fn board_mut(&mut self) -> &mut Board { &mut self.board }
/// }
/// fn ask(_: &mut Npc) -> Status { Status::Running }
///
/// let mut context = FreeContext::default();
/// context.board.set(&PATIENCE, secs(2));                   // what the tree reads
/// let tree = tree! { for Npc: mem_sequence { ask, wait(PATIENCE) } };
/// explore(free_tree(&tree)?, context)
///     .clock([secs(1)], |context| &mut context.now)
///     .without_errors()
///     .responds("waits for 2 s at most", |tick| tick.opened("wait"), |tick| !tick.is_running("wait"), 2)
///     .check();
/// # Ok::<(), bt_explore::ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FreeContext {
    /// The time, for [`Explorer::clock`](crate::Explorer::clock).
    pub now: Duration,
    /// The variables that nodes read, such as the time of `wait(KEY)`. Free leaves set none: what is proved holds for
    /// these values. A node that reads a variable without a value is a violation.
    pub board: Board,
    rng: Draws<5>,
}

/// Hashes the time, and the scope, name and `Debug` output of each variable.
impl Hash for FreeContext {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.now.hash(state);
        self.board.show(&mut |variable| {
            (variable.name, variable.of).hash(state);
            variable.value.map(|value| format!("{value:?}")).hash(state);
        });
    }
}

impl HasBoard for FreeContext {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl Clock for FreeContext {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for FreeContext {
    type Rng = Draws<5>;

    fn rng(&mut self) -> &mut Draws<5> {
        &mut self.rng
    }
}

impl OnError<RunError> for FreeContext {
    fn on_error(&mut self, _: NodeId, error: RunError) {
        panic!("{error}; help: set the variable in `FreeContext::board` before the exploration");
    }
}

/// Returns an error if a leaf may set a variable that another node reads as a number or time: free leaves set none.
fn check_variables(description: &Description) -> Result<(), ModelError> {
    const READERS: [&str; 2] = ["is_set", "compare"];
    let is_word = |node: &Described| Word::named(&node.name).next().is_some();
    let names = |node: &Described, variable: &str| node.params.iter().any(|param| param.value == variable);
    for node in description.nodes().iter().filter(|node| is_word(node)) {
        for variable in node.params.iter().map(|param| &*param.value).filter(|value| value.starts_with('{')) {
            let mut others = description.nodes().iter().filter(|other| is_leaf(other) && !is_word(other));
            if let Some(leaf) = others.find(|leaf| !READERS.contains(&&*leaf.name) && names(leaf, variable)) {
                let (node, leaf) = (description.path_of(node.id), description.path_of(leaf.id));
                return Err(ModelError::new(format!(
                    "`{node}` reads the variable `{variable}`, which `{leaf}` may set, but a free leaf sets none\nhelp: explore a model of the leaf: `model_tree`"
                )));
            }
        }
    }
    Ok(())
}

/// Makes a tree with the same composites, decorators and machines, in which every leaf returns any status that its type allows, as a choice.
///
/// The tree can have any context: a context that borrows, that cannot be cloned, or that needs an engine. Properties of the free tree hold for any behavior of the
/// leaves, so they hold for the real leaves, with two exceptions. Only 5 values of a random time or count are explored. The real leaves must not change variables
/// that nodes read. A violation may be impossible with the real leaves. [`model_tree`] makes a tree in which some leaves are those of a model.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_explore::{FreeContext, explore, free_tree};
///
/// struct Robot<'a> { motor: &'a mut dyn FnMut(f32) }                 // neither `Clone` nor `Hash`
/// fn door_closed(_: &Robot<'_>) -> bool { unimplemented!("asks a sensor") }
/// fn drive(robot: &mut Robot<'_>) -> Status { (robot.motor)(1.0); Status::Running }
///
/// #[subtree]
/// fn robot() -> impl Node<Robot<'_>> {
///     tree! { sequence { door_closed, drive } }
/// }
///
/// explore(free_tree(&robot())?, FreeContext::default())
///     .never("drives although the door is open", |tick| {
///         tick.is_running("drive") && tick.returned("door_closed", Status::Failure)
///     })
///     .check();
/// # Ok::<(), bt_explore::ModelError>(())
/// ```
///
/// # Errors
///
/// Returns an error where [`model_tree`] does, and if a leaf of the tree may set a variable that another node reads as a number or time. A tree with decorators or composites of
/// your own needs [`free_tree_with`].
pub fn free_tree<N: NodeShape>(tree: &N) -> Result<FreeTree, ModelError> {
    free_tree_with(tree, |_| {})
}

/// Makes a tree of free leaves, as [`free_tree`] does, from a tree with decorators and composites of your own. `add` adds them to a registry, under their names in drawings.
/// They are not free, but do what they do in the tree, so they are implemented for any context.
///
/// ```
/// use bt_core::decorator::{AfterChild, Decorated, decorate};
/// use bt_core::prelude::*;
/// use bt_core::Never;
/// use bt_dynamic::NoProperties;
/// use bt_explore::{FreeContext, explore, free_tree_with};
///
/// /// Fails if the child succeeds twice in a row.
/// struct NotTwiceInARow;
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
///     type Kept = bool;
///     fn end(&self, outcome: Outcome, _: &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
///         *succeeded = outcome == Outcome::Success && !*succeeded;
///         AfterChild::End(Outcome::from(*succeeded))
///     }
/// }
///
/// fn not_twice_in_a_row<N>(child: N) -> Decorated<NotTwiceInARow, N> { decorate(NotTwiceInARow, child) }
///
/// struct World { guests: Vec<String> }
/// struct Waiter<'w> { world: &'w mut World }                         // neither `Clone` nor `Hash`
/// fn serve(waiter: &mut Waiter<'_>) -> Status { Status::from(waiter.world.guests.pop().is_some()) }
///
/// #[subtree]
/// fn waiter() -> impl Node<Waiter<'_>> {
///     tree! { not_twice_in_a_row { serve } }
/// }
///
/// let tree = free_tree_with(&waiter(), |registry| {
///     registry.add_decorator("NotTwiceInARow", |_: NoProperties| NotTwiceInARow);
/// })?;
/// explore(tree, FreeContext::default())
///     .responds("pauses", |tick| tick.status == Status::Success, |tick| tick.status != Status::Success, 1)
///     .check();
/// # Ok::<(), bt_explore::ModelError>(())
/// ```
///
/// # Errors
///
/// Returns an error where [`free_tree`] does, except for the decorators and composites that are added, and if one is added that the tree does not have.
pub fn free_tree_with<N: NodeShape>(
    tree: &N,
    add: impl FnOnce(&mut Registry<FreeContext>),
) -> Result<FreeTree, ModelError> {
    check_variables(&tree.description())?;
    let registry = Registry::<FreeContext>::new().with_clock().with_random().with_board::<Board>();
    let mut registry = registry.with_errors();
    add(&mut registry);
    model_tree(tree, registry)
}
