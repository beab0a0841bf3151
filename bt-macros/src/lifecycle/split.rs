//! The traits whose impls are split.

use proc_macro2::TokenStream;
use quote::quote;

/// A trait whose impl is split.
pub(crate) struct Split {
    /// The attribute.
    pub(crate) word: &'static str,
    /// The trait over a context.
    pub(crate) over: &'static str,
    /// The path of the context-independent trait.
    pub(crate) shape: fn() -> TokenStream,
    /// The types that move to the shape, with their defaults.
    pub(crate) types: &'static [Type],
    /// The constants and functions that move to the shape.
    pub(crate) rest: &'static [&'static str],
    /// Whether the attribute takes the number of children.
    pub(crate) counts_children: bool,
    /// The function that is inlined into the node, unless it has an attribute of its own: a rule is as fast as hand-written code only there.
    pub(crate) inlined: Option<&'static str>,
}

/// An associated type of the shape, and its default.
pub(crate) struct Type {
    pub(crate) name: &'static str,
    pub(crate) default: fn() -> TokenStream,
}

const OPEN: Type = Type { name: "Open", default: || quote!(()) };

/// `#[leaf]`.
pub(crate) const LEAF: Split = Split {
    word: "leaf",
    over: "Leaf",
    shape: || quote!(__bt_core::leaf::LeafShape),
    types: &[OPEN],
    rest: &["RETURNS", "DOC", "name", "params", "shift", "wake"],
    counts_children: false,
    inlined: None,
};

/// `#[decorator]`.
pub(crate) const DECORATOR: Split = Split {
    word: "decorator",
    over: "Decorator",
    shape: || quote!(__bt_core::decorator::DecoratorShape),
    types: &[
        OPEN,
        Type { name: "Kept", default: || quote!(()) },
        Type { name: "Pause", default: || quote!(__bt_core::__private::Never) },
    ],
    rest: &[
        "RETURNS", "REQUIRES", "BROKEN", "DOC", "FORGETS", "RESTARTS", "CAUSE", "name", "params", "shift", "wake",
        "foresee",
    ],
    counts_children: false,
    inlined: None,
};

/// `#[composite]`.
pub(crate) const COMPOSITE: Split = Split {
    word: "composite",
    over: "Composite",
    shape: || quote!(__bt_core::composite::CompositeShape),
    types: &[
        OPEN,
        Type { name: "Kept", default: || quote!(()) },
        Type { name: "Running", default: || quote!(__bt_core::composite::OneAtATime) },
        Type { name: "Marks", default: || quote!(__bt_core::composite::NoMarks) },
    ],
    rest: &["CHILDREN", "RETURNS", "DOC", "adopt", "name", "params", "shift", "wake", "foresee"],
    counts_children: true,
    inlined: Some("tick"),
};

/// All attributes.
pub(super) const ALL: [&Split; 3] = [&LEAF, &DECORATOR, &COMPOSITE];
