//! The nodes of the user in a loaded tree, boxed, and what its words use of the context.

use std::any::TypeId;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use bt_behavior3::Scalar;
use bt_core::{ContextOf, Contexts, NodeId};

use crate::answers::nodes::Nodes;
use crate::error::RunError;
use crate::flat::code::LeafStep;
use crate::flat::op::index;
use crate::flat::values::{Function, ReadVariable};
use crate::nodes::leaf::{AnyLeaf, Leaf};
use crate::nodes::policy::{AnyPolicy, Policy};
use crate::nodes::rule::{AnyRule, Rule};
use crate::nodes::shape::{LeafShape, PolicyShape, RuleShape, Shapes};

/// The functions for the time, random numbers and error handling of a context, as far as the registry has them.
pub(crate) struct Capabilities<F: Contexts> {
    pub(crate) nanos: Option<fn(&ContextOf<'_, '_, F>) -> u64>,
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
    /// A hash of its type.
    pub(crate) of_type: u64,
}

impl<F: Contexts> Parts<F> {
    pub(crate) const fn new(capabilities: Capabilities<F>) -> Self {
        Self { leaves: Vec::new(), policies: Vec::new(), rules: Vec::new(), functions: Vec::new(), capabilities }
    }

    /// Adds a leaf of a type, and returns its number.
    pub(crate) fn add_leaf(&mut self, leaf: AnyLeaf<F>, of_type: fn() -> TypeId) -> u32 {
        let of_type = BuildHasherDefault::<DefaultHasher>::default().hash_one(of_type());
        self.leaves.push(PlacedLeaf { leaf, step: LeafStep::default(), of_type });
        index(self.leaves.len() - 1)
    }
}

impl<F: Contexts> Shapes for Parts<F> {
    fn leaf(&self, leaf: u32) -> &dyn LeafShape {
        &*self.leaves[leaf as usize].leaf
    }

    fn type_of_leaf(&self, leaf: u32) -> u64 {
        self.leaves[leaf as usize].of_type
    }

    fn policy(&self, policy: u32) -> &dyn PolicyShape {
        &*self.policies[policy as usize]
    }

    fn rule(&self, rule: u32) -> &dyn RuleShape {
        &*self.rules[rule as usize]
    }
}

impl<F: Contexts> Nodes<F> for Parts<F> {
    type Scope = ();

    #[inline(always)]
    fn scope(&self, _: u32) {}

    #[inline(always)]
    fn place(&self, next: u32) -> Option<&LeafStep> {
        self.leaves.get(next as usize).map(|placed| &placed.step)
    }

    #[inline(always)]
    fn leaf_over(&self, leaf: u32) -> &(dyn Leaf<F> + '_) {
        &*self.leaves[leaf as usize].leaf
    }

    #[inline(always)]
    fn policy_over(&self, policy: u32) -> &(dyn Policy<F> + '_) {
        &*self.policies[policy as usize]
    }

    #[inline(always)]
    fn rule_over(&self, rule: u32) -> &(dyn Rule<F> + '_) {
        &*self.rules[rule as usize]
    }

    fn nanos(&self, ctx: &ContextOf<'_, '_, F>) -> u64 {
        self.capabilities.nanos.map_or(0, |nanos| nanos(ctx))
    }

    fn random(&self, ctx: &mut ContextOf<'_, '_, F>) -> u64 {
        self.capabilities.random.map_or(0, |random| random(ctx))
    }

    fn function(&self, function: u32, ctx: &ContextOf<'_, '_, F>) -> Scalar {
        self.functions[function as usize](ctx)
    }

    fn variable(&self, name: &str, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        self.capabilities.variable.and_then(|read| read(ctx, name))
    }

    fn fail(&self, at: NodeId, error: &RunError, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        let Some(on_error) = self.capabilities.on_error else { return false };
        on_error(ctx, at, error.clone());
        true
    }
}
