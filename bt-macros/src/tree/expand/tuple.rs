//! Lists as tuples.

use proc_macro2::TokenStream;
use quote::quote;

/// The maximum number of children in a tuple.
pub(super) const CHILDREN: usize = 8;
/// The maximum number of states in a tuple. A machine reads the tag of its state in each tick, and a join has a second one.
pub(super) const STATES: usize = 12;

/// Returns a tuple, or a balanced join of several tuples with at most this many elements.
pub(super) fn tuple(nodes: &[TokenStream], most: usize) -> TokenStream {
    if nodes.len() <= most {
        return quote!((#(#nodes,)*));
    }
    let (first, second) = nodes.split_at(nodes.len().div_ceil(2));
    let (first, second) = (tuple(first, most), tuple(second, most));
    quote!(__bt_core::__private::Join(#first, #second))
}

/// Returns a balanced join of lists.
pub(super) fn joined(lists: &[TokenStream]) -> TokenStream {
    match lists {
        [only] => only.clone(),
        lists => {
            let (first, second) = lists.split_at(lists.len().div_ceil(2));
            let (first, second) = (joined(first), joined(second));
            quote!(__bt_core::__private::Join(#first, #second))
        }
    }
}
