//! A tree in which nothing is wrong any more: what was has been reported and mended or left out.

use proc_macro2::{Ident, Span, TokenStream};
use syn::LitStr;

/// A whole tree.
pub(crate) struct Tree {
    pub(crate) context: Option<TokenStream>,
    pub(crate) root: Placed,
}

/// A node and how it stands in the source.
pub(crate) struct Placed {
    pub(crate) node: Node,
    pub(crate) label: Option<LitStr>,
    pub(crate) text: String,
    /// Where it begins.
    pub(crate) span: Span,
}

/// A node.
pub(crate) enum Node {
    /// A composite of at least one child. `args` come before the children.
    Composite { keyword: Ident, args: Vec<Threshold>, children: Vec<Placed> },
    /// A random composite, and the weights of its children if any has one.
    Random { keyword: Ident, weights: Option<Vec<TokenStream>>, children: Vec<Placed> },
    /// One of our decorators.
    Decorator { keyword: Ident, args: TokenStream, child: Box<Placed> },
    /// A decorator of the user's.
    Own { path: TokenStream, args: TokenStream, child: Box<Placed> },
    /// A leaf: Rust of the user's.
    Leaf(TokenStream),
    /// Where an error was.
    Broken,
}

/// A threshold of a parallel.
pub(crate) enum Threshold {
    /// `all` or `one`, as the user wrote it or as it is by default.
    Word(Ident),
    /// A number in the source.
    Number(usize),
    /// An expression.
    Computed(TokenStream),
}
