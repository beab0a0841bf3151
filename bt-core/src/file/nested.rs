//! Nested trees of a file.

use core::fmt;
use std::vec::Vec;

use crate::describe::{Param, Subtree};

/// The value of a property as it is written in drawings.
#[derive(Clone, Copy)]
pub struct Written<'a>(pub &'a str);

impl fmt::Debug for Written<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

/// A nested tree of `tree_from_json!`, as a node with one child.
#[expect(clippy::type_complexity, reason = "a closure has no name")]
pub fn nested<N>(
    name: &'static str,
    properties: &'static [(&'static str, Written<'static>)],
    (child,): (N,),
) -> Subtree<N, impl Fn(&mut dyn FnMut(&[Param<'_>])) + Copy> {
    let params = move |show: &mut dyn FnMut(&[Param<'_>])| {
        show(&properties.iter().map(|(name, value)| Param::new(name, value)).collect::<Vec<_>>());
    };
    Subtree::new(name, params, child)
}
