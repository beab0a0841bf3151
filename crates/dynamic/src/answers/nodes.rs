//! The nodes of the user over a context, by number, however a tree stores them.

use bt_behavior3::Scalar;
use bt_core::{ContextOf, Contexts, NodeId};

use crate::error::RunError;
use crate::flat::code::LeafStep;
use crate::nodes::leaf::Leaf;
use crate::nodes::policy::Policy;
use crate::nodes::rule::Rule;
use crate::nodes::shape::Shapes;

/// The nodes of the user in a tree, by number, and what its words read of the context.
pub(crate) trait Nodes<F: Contexts>: Shapes {
    /// What has to exist while a leaf is called.
    type Scope;
    /// Returns what has to exist while this leaf is called.
    fn scope(&self, leaf: u32) -> Self::Scope;
    /// Returns the place of a leaf in the tree's code; `None` for another instruction.
    fn place(&self, next: u32) -> Option<&LeafStep>;
    fn leaf_over(&self, leaf: u32) -> &(dyn Leaf<F> + '_);
    fn policy_over(&self, policy: u32) -> &(dyn Policy<F> + '_);
    fn rule_over(&self, rule: u32) -> &(dyn Rule<F> + '_);

    /// Returns the time of the context's clock in nanoseconds.
    fn nanos(&self, ctx: &ContextOf<'_, '_, F>) -> u64;
    /// Returns random bits.
    fn random(&self, ctx: &mut ContextOf<'_, '_, F>) -> u64;
    /// Calls a function of the context.
    fn function(&self, function: u32, ctx: &ContextOf<'_, '_, F>) -> Scalar;
    /// Reads a variable of the context's board.
    fn variable(&self, name: &str, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar>;
    /// Passes an error to the context. Returns `false` if it does not handle errors.
    fn fail(&self, at: NodeId, error: &RunError, ctx: &mut ContextOf<'_, '_, F>) -> bool;
}
