//! The nodes of the user in a tree, and what its words use of the context.

use std::time::Duration;

use bt_core::{ContextOf, Contexts, NodeId};

use crate::error::RunError;
use crate::flat::code::LeafStep;
use crate::flat::values::{Function, ReadVariable};
use crate::nodes::leaf::AnyLeaf;
use crate::nodes::policy::AnyPolicy;
use crate::nodes::rule::AnyRule;
use crate::nodes::shape::{LeafShape, PolicyShape, RuleShape, Shapes};

/// The functions for the time, random numbers and error handling of a context, as far as the registry has them.
pub(crate) struct Capabilities<F: Contexts> {
    pub(crate) now: Option<fn(&ContextOf<'_, '_, F>) -> Duration>,
    pub(crate) random: Option<fn(&mut ContextOf<'_, '_, F>) -> u64>,
    pub(crate) on_error: Option<fn(&mut ContextOf<'_, '_, F>, NodeId, RunError)>,
    /// Reads variables, if the registry has a board.
    pub(crate) variable: Option<ReadVariable<F>>,
}

impl<F: Contexts> Clone for Capabilities<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Contexts> Copy for Capabilities<F> {}

/// The nodes of the user in a tree and the functions that its words read, by number.
pub(crate) struct Parts<F: Contexts> {
    pub(crate) leaves: Vec<PlacedLeaf<F>>,
    pub(crate) policies: Vec<AnyPolicy<F>>,
    pub(crate) rules: Vec<AnyRule<F>>,
    pub(crate) functions: Vec<Function<F>>,
    pub(crate) capabilities: Capabilities<F>,
}

/// A leaf, and its place in the code of the tree.
pub(crate) struct PlacedLeaf<F: Contexts> {
    pub(crate) leaf: AnyLeaf<F>,
    pub(crate) step: LeafStep,
}

impl<F: Contexts> Parts<F> {
    pub(crate) const fn new(capabilities: Capabilities<F>) -> Self {
        Self { leaves: Vec::new(), policies: Vec::new(), rules: Vec::new(), functions: Vec::new(), capabilities }
    }
}

impl<F: Contexts> Shapes for Parts<F> {
    fn leaf(&self, leaf: u32) -> &dyn LeafShape {
        &*self.leaves[leaf as usize].leaf
    }

    fn policy(&self, policy: u32) -> &dyn PolicyShape {
        &*self.policies[policy as usize]
    }

    fn rule(&self, rule: u32) -> &dyn RuleShape {
        &*self.rules[rule as usize]
    }
}
