//! What the compiler has made of a part, of a known type: a leaf, a decorator, a composite or a function.

use std::marker::PhantomData;

use bt_behavior3::{OwnNode, Scalar};
use bt_core::composite::{Composite, Scores, Selection};
use bt_core::decorator::Decorator;
use bt_core::{ContextOf, Contexts, Node, NodeShape, Save};

use crate::nodes::leaf::{Leaf, Stateful};
use crate::nodes::policy::{Policy, SavedPolicy, Typed};
use crate::nodes::rule::{Rule, SavedRule};
use crate::nodes::shape::{LeafShape, PolicyShape, RuleShape};

/// What a piece is as a node, without its context.
pub(crate) enum Shape<'p> {
    Leaf(&'p (dyn LeafShape + 'p)),
    Policy(&'p (dyn PolicyShape + 'p)),
    Rule(&'p (dyn RuleShape + 'p)),
}

/// What a piece is as a node over a family of contexts.
pub(crate) enum Over<'p, F: Contexts> {
    Leaf(&'p (dyn Leaf<F> + 'p)),
    Policy(&'p (dyn Policy<F> + 'p)),
    Rule(&'p (dyn Rule<F> + 'p)),
}

/// A piece without its context.
pub trait PieceShape {
    /// What it is as a node; `None` for a function.
    const OWN: Option<OwnNode>;
    /// The name of its type.
    fn type_name(&self) -> &'static str {
        std::any::type_name::<Self>()
    }
    /// Returns it as a node; `None` for a function.
    fn shape(&self) -> Option<Shape<'_>> {
        None
    }
}

/// A piece over a family of contexts.
pub trait Piece<F: Contexts>: PieceShape {
    /// Returns it as a node; `None` for a function.
    fn over(&self) -> Option<Over<'_, F>> {
        None
    }
    /// Calls it, if it is a function.
    fn call(&self, _: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        None
    }
}

/// A leaf: any node, including a whole static subtree.
pub struct LeafPiece<N>(Stateful<N>);

impl<N> LeafPiece<N> {
    pub(super) const fn new(node: N) -> Self {
        Self(Stateful(node))
    }
}

impl<N: NodeShape + Save> PieceShape for LeafPiece<N> {
    const OWN: Option<OwnNode> = Some(OwnNode::Leaf(N::RETURNS));

    fn shape(&self) -> Option<Shape<'_>> {
        Some(Shape::Leaf(&self.0))
    }
}

impl<F: Contexts, N> Piece<F> for LeafPiece<N>
where
    N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save,
{
    fn over(&self) -> Option<Over<'_, F>> {
        Some(Over::Leaf(&self.0))
    }
}

/// The policy of a decorator.
pub struct PolicyPiece<P>(Typed<P>);

impl<P> PolicyPiece<P> {
    /// Creates the piece.
    pub const fn new(policy: P) -> Self {
        Self(Typed(policy))
    }
}

impl<P: SavedPolicy> PieceShape for PolicyPiece<P> {
    const OWN: Option<OwnNode> = Some(OwnNode::Decorator(P::RETURNS, P::REQUIRES));

    fn shape(&self) -> Option<Shape<'_>> {
        Some(Shape::Policy(&self.0))
    }
}

impl<F: Contexts, P: SavedPolicy> Piece<F> for PolicyPiece<P>
where
    P: for<'a, 'b> Decorator<ContextOf<'a, 'b, F>>,
{
    fn over(&self) -> Option<Over<'_, F>> {
        Some(Over::Policy(&self.0))
    }
}

/// The rule of a composite.
pub struct RulePiece<R>(Typed<R>);

impl<R> RulePiece<R> {
    pub(super) const fn new(rule: R) -> Self {
        Self(Typed(rule))
    }
}

impl<R: SavedRule> PieceShape for RulePiece<R> {
    const OWN: Option<OwnNode> = Some(OwnNode::Composite(R::RETURNS));

    fn shape(&self) -> Option<Shape<'_>> {
        Some(Shape::Rule(&self.0))
    }
}

impl<F: Contexts, R: SavedRule> Piece<F> for RulePiece<R>
where
    R: for<'a, 'b> Composite<ContextOf<'a, 'b, F>>,
{
    fn over(&self) -> Option<Over<'_, F>> {
        Some(Over::Rule(&self.0))
    }
}

/// The score of a child.
pub struct ScorePiece<S>(S);

impl<S> ScorePiece<S> {
    /// Creates the piece from the scores of one child.
    pub const fn new(score: S) -> Self {
        Self(score)
    }
}

impl<S> PieceShape for ScorePiece<S> {
    const OWN: Option<OwnNode> = None;
}

impl<F: Contexts, S: for<'a, 'b> Scores<ContextOf<'a, 'b, F>>> Piece<F> for ScorePiece<S> {
    fn call(&self, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        Some(Scalar::Number(self.0.score(0, ctx).into()))
    }
}

/// The selection of a `match`.
pub struct SelectionPiece<S> {
    select: S,
    cases: &'static [&'static str],
}

impl<S> SelectionPiece<S> {
    /// Creates the piece. The cases are those of a file, in the order of the patterns: without the last.
    pub const fn new(select: S, cases: &'static [&'static str]) -> Self {
        Self { select, cases }
    }
}

impl<S> PieceShape for SelectionPiece<S> {
    const OWN: Option<OwnNode> = None;
}

impl<F: Contexts, S: for<'a, 'b> Selection<ContextOf<'a, 'b, F>>> Piece<F> for SelectionPiece<S> {
    fn call(&self, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        // No case is empty.
        let case = self.cases.get(self.select.select(ctx)).copied().unwrap_or_default();
        Some(Scalar::Text(case.to_owned()))
    }
}

/// A node of the user that is neither a decorator nor a composite of known type.
pub struct Opaque<T>(PhantomData<fn() -> T>);

impl<T> Opaque<T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<T> PieceShape for Opaque<T> {
    const OWN: Option<OwnNode> = None;
}

impl<F: Contexts, T> Piece<F> for Opaque<T> {}
