//! Leaves that depend on a parameter of the function that contains their tree.
//!
//! The statuses of such a leaf differ between uses of the function, and the function's user cannot change the tree. So mistakes caused by such a leaf
//! are not reported there. A tree that uses the function is checked with the statuses of that use.

use crate::forward::stands_for_a_node;

/// A leaf as written. Method resolution decides whether it depends on a parameter: the inherent method is selected if it does not, the method of
/// [`Parametric`] if it does.
///
/// Resolution happens before the parameters are known: every ordinary type is `Unpin`, and a parameter is not known to be.
pub struct Written<'a, T>(pub &'a T);

impl<T: Unpin> Written<'_, T> {
    /// Returns the mark of the leaf's node.
    #[inline(always)]
    pub const fn mark(self) -> Fixed {
        Fixed
    }
}

/// Implemented by every [`Written`] leaf; selected for one that depends on a parameter.
pub trait Parametric: Sized {
    /// Returns the mark of the leaf's node.
    #[inline(always)]
    fn mark(self) -> Varying {
        Varying
    }
}

impl<T> Parametric for Written<'_, T> {}

/// The mark of a node that does not depend on a parameter.
pub struct Fixed;

impl Fixed {
    /// Returns the node.
    #[expect(clippy::unused_self, reason = "method resolution selects the mark")]
    #[inline(always)]
    pub fn node<N>(self, node: N) -> N {
        node
    }
}

/// The mark of a node that depends on a parameter.
pub struct Varying;

impl Varying {
    /// Returns the node, marked.
    #[expect(clippy::unused_self, reason = "method resolution selects the mark")]
    #[inline(always)]
    pub const fn node<N>(self, node: N) -> VaryingNode<N> {
        VaryingNode(node)
    }
}

/// A node that depends on a parameter. It stands for the inner node and has no id of its own.
#[derive(Clone, Copy)]
pub struct VaryingNode<N>(N);

stands_for_a_node! {
    VaryingNode<N>, |this| this.0, facts N::FACTS.of_parameter();
}
