//! The nodes of the user in one version of a live tree: parts of the program, by number, some made again with other literals.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use bt_behavior3::{OwnNode, Scalar};
use bt_core::{ContextOf, Contexts, NodeId};

use super::list::{About, Parts, PartsOver};
use super::literal::{Literals, Scope, with};
use super::piece::{Over, Piece, PieceShape, Shape};
use super::probe::{Capability, ClockOver, RandomOver};
use super::stock::Placing;
use crate::answers::nodes::Nodes;
use crate::error::RunError;
use crate::flat::code::LeafStep;
use crate::load::stock::{Has, add};
use crate::nodes::leaf::Leaf;
use crate::nodes::policy::Policy;
use crate::nodes::rule::Rule;
use crate::nodes::shape::{LeafShape, PolicyShape, RuleShape, Shapes};

/// The compiled parts of a tree, and the capabilities of its context.
pub struct Store<P, K, R> {
    /// The parts.
    pub parts: P,
    /// The clock.
    pub clock: K,
    /// The random numbers.
    pub random: R,
}

/// A store without its context.
pub trait StoreShape {
    type Parts: Parts;
    const HAS: [bool; 2];
    fn parts(&self) -> &Self::Parts;
}

/// A store over a family of contexts.
pub trait StoreOver<F: Contexts>: StoreShape<Parts: PartsOver<F>> {
    fn nanos(&self, ctx: &ContextOf<'_, '_, F>) -> u64;
    fn random(&self, ctx: &mut ContextOf<'_, '_, F>) -> u64;
}

impl<P: Parts, K: Capability, R: Capability> StoreShape for Store<P, K, R> {
    type Parts = P;
    const HAS: [bool; 2] = [K::HAS, R::HAS];

    fn parts(&self) -> &P {
        &self.parts
    }
}

impl<F: Contexts, P: PartsOver<F>, K: ClockOver<F>, R: RandomOver<F>> StoreOver<F> for Store<P, K, R> {
    fn nanos(&self, ctx: &ContextOf<'_, '_, F>) -> u64 {
        K::nanos(ctx)
    }

    fn random(&self, ctx: &mut ContextOf<'_, '_, F>) -> u64 {
        R::random(ctx)
    }
}

/// A part in a version of a tree.
pub(super) struct Placed<M> {
    pub(super) part: u32,
    /// What was made again, if a literal was edited that needs it.
    pub(super) made: Option<M>,
    /// The literals, if any was edited.
    pub(super) literals: Option<Literals>,
    /// The place of a leaf in the code.
    pub(super) step: LeafStep,
}

/// A part in a version of the tree of a store.
pub(super) type PlacedOf<S> = Placed<<<S as StoreShape>::Parts as Parts>::Made>;

/// The nodes of the user in a version of a live tree.
pub(super) struct LiveNodes<S: StoreShape> {
    pub(super) store: Arc<S>,
    pub(super) leaves: Vec<PlacedOf<S>>,
    pub(super) policies: Vec<PlacedOf<S>>,
    pub(super) rules: Vec<PlacedOf<S>>,
    pub(super) functions: Vec<PlacedOf<S>>,
}

impl<S: StoreShape> LiveNodes<S> {
    pub(super) fn new(store: &Arc<S>) -> Self {
        let store = Arc::clone(store);
        Self { store, leaves: Vec::new(), policies: Vec::new(), rules: Vec::new(), functions: Vec::new() }
    }

    fn shape<'n>(&'n self, placed: &'n PlacedOf<S>) -> Option<Shape<'n>> {
        match &placed.made {
            Some(made) => made.shape(),
            None => self.store.parts().shape(placed.part),
        }
    }

    #[inline]
    fn over<'n, F: Contexts>(&'n self, placed: &'n PlacedOf<S>) -> Option<Over<'n, F>>
    where
        S: StoreOver<F>,
    {
        match &placed.made {
            Some(made) => made.over(),
            None => self.store.parts().over(placed.part),
        }
    }
}

const KIND: &str = "a part of this kind was placed here";

impl<S: StoreShape> Placing for LiveNodes<S> {
    fn parts(&self) -> u32 {
        S::Parts::COUNT
    }

    fn about(&self, part: u32) -> About {
        self.store.parts().about(part)
    }

    fn add(&mut self, part: u32, literals: Option<Literals>, makes: bool) -> Result<u32, Vec<String>> {
        let parts = self.store.parts();
        let made = match &literals {
            Some(literals) if makes => with(literals, || parts.make(part))?,
            _ => None,
        };
        let all = match parts.about(part).own {
            Some(OwnNode::Decorator(..)) => &mut self.policies,
            Some(OwnNode::Composite(_)) => &mut self.rules,
            Some(OwnNode::Leaf(_) | OwnNode::Unknown(_)) => &mut self.leaves,
            None => &mut self.functions,
        };
        Ok(add(all, Placed { part, made, literals, step: LeafStep::default() }))
    }

    fn place(&mut self, leaf: usize, step: LeafStep) {
        self.leaves[leaf].step = step;
    }

    fn leaves(&self) -> usize {
        self.leaves.len()
    }

    fn has(&self) -> Has {
        Has { clock: S::HAS[0], random: S::HAS[1], board: false, help: [""; 2] }
    }

    fn shapes(&self) -> &dyn Shapes {
        self
    }
}

impl<S: StoreShape> Shapes for LiveNodes<S> {
    fn leaf(&self, leaf: u32) -> &dyn LeafShape {
        let Some(Shape::Leaf(leaf)) = self.shape(&self.leaves[leaf as usize]) else { unreachable!("{KIND}") };
        leaf
    }

    fn type_of_leaf(&self, leaf: u32) -> u64 {
        let about = self.store.parts().about(self.leaves[leaf as usize].part);
        BuildHasherDefault::<DefaultHasher>::default().hash_one((about.written.key, about.type_name))
    }

    fn policy(&self, policy: u32) -> &dyn PolicyShape {
        let Some(Shape::Policy(policy)) = self.shape(&self.policies[policy as usize]) else { unreachable!("{KIND}") };
        policy
    }

    fn rule(&self, rule: u32) -> &dyn RuleShape {
        let Some(Shape::Rule(rule)) = self.shape(&self.rules[rule as usize]) else { unreachable!("{KIND}") };
        rule
    }
}

impl<F: Contexts, S: StoreOver<F>> Nodes<F> for LiveNodes<S> {
    type Scope = Scope;

    #[inline]
    fn scope(&self, leaf: u32) -> Scope {
        Scope::of(self.leaves[leaf as usize].literals.as_ref())
    }

    #[inline]
    fn place(&self, next: u32) -> Option<&LeafStep> {
        self.leaves.get(next as usize).map(|placed| &placed.step)
    }

    #[inline]
    fn leaf_over(&self, leaf: u32) -> &(dyn Leaf<F> + '_) {
        let Some(Over::Leaf(leaf)) = self.over(&self.leaves[leaf as usize]) else { unreachable!("{KIND}") };
        leaf
    }

    fn policy_over(&self, policy: u32) -> &(dyn Policy<F> + '_) {
        let Some(Over::Policy(policy)) = self.over(&self.policies[policy as usize]) else { unreachable!("{KIND}") };
        policy
    }

    fn rule_over(&self, rule: u32) -> &(dyn Rule<F> + '_) {
        let Some(Over::Rule(rule)) = self.over(&self.rules[rule as usize]) else { unreachable!("{KIND}") };
        rule
    }

    fn nanos(&self, ctx: &ContextOf<'_, '_, F>) -> u64 {
        self.store.nanos(ctx)
    }

    fn random(&self, ctx: &mut ContextOf<'_, '_, F>) -> u64 {
        self.store.random(ctx)
    }

    fn function(&self, function: u32, ctx: &ContextOf<'_, '_, F>) -> Scalar {
        let Placed { part, made, literals, .. } = &self.functions[function as usize];
        let _scope = Scope::of(literals.as_ref());
        match made {
            Some(made) => made.call(ctx),
            None => self.store.parts().call(*part, ctx),
        }
        .expect(KIND)
    }

    fn variable(&self, _: &str, _: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        None
    }

    fn fail(&self, _: NodeId, _: &RunError, _: &mut ContextOf<'_, '_, F>) -> bool {
        false
    }
}
