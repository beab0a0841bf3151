//! Trees of `tree!` that follow their source: what the expansions of a program with the crate `bt-live` call. This module is not for users: it can
//! change at any time.
//!
//! All that only the compiler can make is a [`Part`] of a tree, in a list of known type. The engine accesses parts by number, so that a live tree needs
//! no more of its leaves and contexts than the static one.

#![allow(private_interfaces, private_bounds, reason = "expansions name only what they construct")]

mod list;
mod literal;
mod machine;
mod node;
mod nodes;
mod piece;
mod probe;
mod site;
mod stock;
mod tree;

pub use list::{Either, Maker, Making, NoMaker, NoParts, Pair, Part, Parts, PartsOver, Written};
pub use literal::{Value, on_invalid};
pub use node::{Both, Follows, Live};
pub use nodes::{Store, StoreOver, StoreShape};
pub use piece::{LeafPiece, Opaque, Piece, PieceShape, PolicyPiece, RulePiece, ScorePiece, SelectionPiece};
pub use probe::{
    Capable, Incapable, Known, LeafNode, OpaqueNode, OwnNode, Unknown, UnsavedNode, WithClock, WithRandom, Without,
};
pub use site::{Adopted, Report, Site};

pub use bt_syntax::live::PartKind;
