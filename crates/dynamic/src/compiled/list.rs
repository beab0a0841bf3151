//! All parts of a tree in one list of known type, so that a tree can be live with any captures of its leaves and any contexts.

use std::convert::Infallible;

use bt_behavior3::{OwnNode, Scalar};
use bt_core::{ContextOf, Contexts};
use bt_syntax::live::PartKind;

use super::piece::{Over, Piece, PieceShape, Shape};

/// A part as it is written in the source.
pub struct Written {
    /// What it is.
    pub kind: PartKind,
    /// Whether it is a node that cannot be taken apart.
    pub is_island: bool,
    /// Its text with `_` for each literal.
    pub key: &'static str,
    /// Its literals.
    pub literals: &'static [&'static str],
    /// Which of them are in a closure.
    pub in_closure: &'static [bool],
}

/// Facts about a compiled part.
pub struct About {
    pub(super) written: &'static Written,
    pub(super) own: Option<OwnNode>,
    pub(super) type_name: &'static str,
    pub(super) has_maker: bool,
}

/// A part: what was compiled, and what makes it again with other literals.
pub struct Part<P, M> {
    /// The part in the source.
    pub written: &'static Written,
    /// What was compiled.
    pub piece: P,
    /// What makes it again.
    pub maker: M,
}

/// What makes a part again.
pub trait Maker {
    type Made: PieceShape;
    /// `false` if nothing is ever made.
    const MAKES: bool;
    fn make(&self) -> Option<Self::Made>;
}

/// A part that cannot be made again.
#[derive(Clone, Copy)]
pub struct NoMaker;

impl Maker for NoMaker {
    type Made = Infallible;
    const MAKES: bool = false;

    fn make(&self) -> Option<Infallible> {
        None
    }
}

/// A function that makes a part again.
#[derive(Clone, Copy)]
pub struct Making<K>(pub K);

impl<P: PieceShape, K: Fn() -> P> Maker for Making<K> {
    type Made = P;
    const MAKES: bool = true;

    fn make(&self) -> Option<P> {
        Some((self.0)())
    }
}

/// A list of parts, by number.
pub trait Parts {
    /// What makers make.
    type Made: PieceShape;
    /// The number of parts.
    const COUNT: u32;
    fn about(&self, part: u32) -> About;
    fn make(&self, part: u32) -> Option<Self::Made>;
    fn shape(&self, part: u32) -> Option<Shape<'_>>;
}

/// A list of parts over a family of contexts.
pub trait PartsOver<F: Contexts>: Parts<Made: Piece<F>> {
    fn over(&self, part: u32) -> Option<Over<'_, F>>;
    fn call(&self, part: u32, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar>;
}

impl<P: PieceShape, M: Maker> Parts for Part<P, M> {
    type Made = M::Made;
    const COUNT: u32 = 1;

    fn about(&self, _: u32) -> About {
        About { written: self.written, own: P::OWN, type_name: self.piece.type_name(), has_maker: M::MAKES }
    }

    fn make(&self, _: u32) -> Option<M::Made> {
        self.maker.make()
    }

    fn shape(&self, _: u32) -> Option<Shape<'_>> {
        self.piece.shape()
    }
}

impl<F: Contexts, P: Piece<F>, M: Maker<Made: Piece<F>>> PartsOver<F> for Part<P, M> {
    fn over(&self, _: u32) -> Option<Over<'_, F>> {
        self.piece.over()
    }

    fn call(&self, _: u32, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        self.piece.call(ctx)
    }
}

/// Two lists as one.
pub struct Pair<A, B>(pub A, pub B);

/// Calls a method of the list that has a part.
macro_rules! of_pair {
    ($pair:ident.$method:ident($part:ident $(, $argument:expr)*)) => {
        match $part.checked_sub(A::COUNT) {
            None => $pair.0.$method($part $(, $argument)*),
            Some(part) => $pair.1.$method(part $(, $argument)*),
        }
    };
}

impl<A: Parts, B: Parts> Parts for Pair<A, B> {
    type Made = Either<A::Made, B::Made>;
    const COUNT: u32 = A::COUNT + B::COUNT;

    fn about(&self, part: u32) -> About {
        of_pair!(self.about(part))
    }

    fn make(&self, part: u32) -> Option<Self::Made> {
        match part.checked_sub(A::COUNT) {
            None => self.0.make(part).map(Either::First),
            Some(part) => self.1.make(part).map(Either::Second),
        }
    }

    fn shape(&self, part: u32) -> Option<Shape<'_>> {
        of_pair!(self.shape(part))
    }
}

impl<F: Contexts, A: PartsOver<F>, B: PartsOver<F>> PartsOver<F> for Pair<A, B> {
    #[inline]
    fn over(&self, part: u32) -> Option<Over<'_, F>> {
        of_pair!(self.over(part))
    }

    fn call(&self, part: u32, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        of_pair!(self.call(part, ctx))
    }
}

/// A list of a tree without parts.
#[derive(Clone, Copy)]
pub struct NoParts;

impl Parts for NoParts {
    type Made = Infallible;
    const COUNT: u32 = 0;

    fn about(&self, _: u32) -> About {
        About { written: &NOTHING, own: None, type_name: "", has_maker: false }
    }

    fn make(&self, _: u32) -> Option<Infallible> {
        None
    }

    fn shape(&self, _: u32) -> Option<Shape<'_>> {
        None
    }
}

static NOTHING: Written = Written { kind: PartKind::Leaf, is_island: false, key: "", literals: &[], in_closure: &[] };

impl<F: Contexts> PartsOver<F> for NoParts {
    fn over(&self, _: u32) -> Option<Over<'_, F>> {
        None
    }

    fn call(&self, _: u32, _: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        None
    }
}

/// What a maker of one of two lists has made.
pub enum Either<A, B> {
    /// Of the first.
    First(A),
    /// Of the second.
    Second(B),
}

/// Calls a method of the piece.
macro_rules! of_either {
    ($either:ident.$method:ident($($argument:expr),*)) => {
        match $either {
            Either::First(piece) => piece.$method($($argument),*),
            Either::Second(piece) => piece.$method($($argument),*),
        }
    };
}

impl<A: PieceShape, B: PieceShape> PieceShape for Either<A, B> {
    const OWN: Option<OwnNode> = None;

    fn type_name(&self) -> &'static str {
        of_either!(self.type_name())
    }

    fn shape(&self) -> Option<Shape<'_>> {
        of_either!(self.shape())
    }
}

impl<F: Contexts, A: Piece<F>, B: Piece<F>> Piece<F> for Either<A, B> {
    fn over(&self) -> Option<Over<'_, F>> {
        of_either!(self.over())
    }

    fn call(&self, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        of_either!(self.call(ctx))
    }
}

impl PieceShape for Infallible {
    const OWN: Option<OwnNode> = None;
}

impl<F: Contexts> Piece<F> for Infallible {}
