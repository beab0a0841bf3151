//! Trees of free leaves, made of trees over any context.

use std::time::Duration;

use bt_core::{Clock, NodeShape, Random};
use bt_dynamic::{DynTree, Registry};

use crate::draws::Draws;
use crate::model_tree::{ModelError, model_tree};

/// A tree whose leaves return any status that their types allow, returned by [`free_tree`].
pub type FreeTree = DynTree<FreeContext>;

/// The context of a [`FreeTree`]: a clock, and random numbers that are choices, with 5 values each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FreeContext {
    /// The time, for [`Explorer::clock`](crate::Explorer::clock).
    pub now: Duration,
    rng: Draws<5>,
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

/// Makes a tree with the same composites, decorators and machines, in which every leaf returns any status that its type allows, as a choice.
///
/// The tree can have any context: one that borrows, that cannot be cloned, or that needs an engine. Properties of the free tree hold whatever the leaves do: so they
/// hold for the real leaves, too, but for random times, and for random counts out of more than 5: 5 of them are drawn. A violation may be one that the real leaves do not allow. [`model_tree`] makes a tree of which some leaves are a model.
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
/// Returns an error where [`model_tree`] does.
pub fn free_tree<N: NodeShape>(tree: &N) -> Result<FreeTree, ModelError> {
    model_tree(tree, Registry::<FreeContext>::new().with_clock().with_random())
}
