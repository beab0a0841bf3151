//! What types can do, found by the methods that they have. Expansions call these methods on values of known types: the first is selected if its
//! bounds hold, otherwise the one of the trait.

use bt_core::composite::Composed;
use bt_core::decorator::Decorated;
use bt_core::engine::{policy_of, rule_of, unsaved_node};
use bt_core::leaf::Unsaved;
use bt_core::{Clock, ContextOf, Contexts, Random, Save};
use rand_core::Rng;

use super::piece::{LeafPiece, Opaque, PolicyPiece, RulePiece};
use crate::nodes::policy::SavedPolicy;
use crate::nodes::rule::SavedRule;

/// A leaf, whose state may be part of saves.
pub struct LeafNode<N>(pub N);

impl<N: Save> LeafNode<N> {
    /// Returns the leaf as a piece.
    pub fn piece(self) -> LeafPiece<N> {
        LeafPiece::new(self.0)
    }
}

/// The method of [`LeafNode`] for a leaf whose state is not part of saves.
pub trait UnsavedNode {
    type Node;
    /// Returns the leaf as a piece.
    fn piece(self) -> LeafPiece<Unsaved<Self::Node>>;
}

impl<N> UnsavedNode for LeafNode<N> {
    type Node = N;

    fn piece(self) -> LeafPiece<Unsaved<N>> {
        LeafPiece::new(unsaved_node(self.0))
    }
}

/// A node that a function of the user has made from children.
pub struct OwnNode<T>(pub T);

impl<P: SavedPolicy, N> OwnNode<Decorated<P, N>> {
    /// Returns its policy as a piece.
    pub fn piece(self) -> (PolicyPiece<P>, Known) {
        (PolicyPiece::new(policy_of(self.0)), Known)
    }
}

impl<R: SavedRule, L> OwnNode<Composed<R, L>> {
    /// Returns its rule as a piece.
    pub fn piece(self) -> (RulePiece<R>, Known) {
        (RulePiece::new(rule_of(self.0)), Known)
    }
}

/// The method of [`OwnNode`] for all other nodes.
pub trait OpaqueNode: Sized {
    /// Returns a piece that is nothing.
    fn piece(self) -> (Opaque<Self>, Unknown);
}

impl<T> OpaqueNode for OwnNode<T> {
    fn piece(self) -> (Opaque<Self>, Unknown) {
        (Opaque::NEW, Unknown)
    }
}

/// The form of a node of the user is known.
#[derive(Clone, Copy)]
pub struct Known;

/// The form of a node of the user is not known: the tree cannot be live.
#[derive(Clone, Copy)]
pub struct Unknown;

impl Known {
    /// Returns `true`.
    pub const fn is_known(self) -> bool {
        true
    }
}

impl Unknown {
    /// Returns `false`.
    pub const fn is_known(self) -> bool {
        false
    }
}

/// A context, by what it has.
pub struct Capable<C: ?Sized>(pub bt_core::__private::Context<C>);

impl<C: Clock + ?Sized> Capable<C> {
    /// Returns the clock.
    pub const fn clock(&self) -> WithClock {
        WithClock
    }
}

impl<C: Random + ?Sized> Capable<C> {
    /// Returns the random numbers.
    pub const fn random(&self) -> WithRandom {
        WithRandom
    }
}

/// The methods of [`Capable`] for other contexts.
pub trait Incapable {
    /// Returns no clock.
    fn clock(&self) -> Without {
        Without
    }

    /// Returns no random numbers.
    fn random(&self) -> Without {
        Without
    }
}

impl<C: ?Sized> Incapable for Capable<C> {}

/// A context with a clock.
#[derive(Clone, Copy)]
pub struct WithClock;

/// A context with random numbers.
#[derive(Clone, Copy)]
pub struct WithRandom;

/// A context without.
#[derive(Clone, Copy)]
pub struct Without;

/// Whether contexts have something, such as a clock.
pub trait Capability {
    const HAS: bool;
}

/// The clock of a family of contexts.
pub trait ClockOver<F: Contexts>: Capability {
    fn nanos(ctx: &ContextOf<'_, '_, F>) -> u64;
}

impl Capability for WithClock {
    const HAS: bool = true;
}

impl<F: Contexts> ClockOver<F> for WithClock
where
    for<'a, 'b> ContextOf<'a, 'b, F>: Clock,
{
    fn nanos(ctx: &ContextOf<'_, '_, F>) -> u64 {
        ctx.nanos()
    }
}

impl Capability for Without {
    const HAS: bool = false;
}

impl<F: Contexts> ClockOver<F> for Without {
    fn nanos(_: &ContextOf<'_, '_, F>) -> u64 {
        0
    }
}

/// The random numbers of a family of contexts.
pub trait RandomOver<F: Contexts>: Capability {
    fn random(ctx: &mut ContextOf<'_, '_, F>) -> u64;
}

impl Capability for WithRandom {
    const HAS: bool = true;
}

impl<F: Contexts> RandomOver<F> for WithRandom
where
    for<'a, 'b> ContextOf<'a, 'b, F>: Random,
{
    fn random(ctx: &mut ContextOf<'_, '_, F>) -> u64 {
        ctx.rng().next_u64()
    }
}

impl<F: Contexts> RandomOver<F> for Without {
    fn random(_: &mut ContextOf<'_, '_, F>) -> u64 {
        0
    }
}
