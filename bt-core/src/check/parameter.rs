//! Leaves that depend on a parameter of the function that contains their tree.
//!
//! The statuses of such a leaf differ between uses of the function, and the function's user cannot change the tree. So mistakes caused by such a leaf
//! are not reported there. A tree that uses the function is checked with the statuses of that use.

use crate::forward::stands_for_a_node;
use crate::leaf::IntoNode;

/// A leaf as written. Method resolution decides whether it depends on a parameter: the inherent method is selected if it does not, the method of
/// [`Parametric`] if it does.
///
/// Resolution happens before the parameters are known: every ordinary type is `Unpin`, and a parameter is not known to be.
pub struct Written<T>(pub T);

impl<T: Unpin> Written<T> {
    /// Returns the leaf.
    #[inline(always)]
    pub fn given(self) -> T {
        self.0
    }
}

/// Implemented by every [`Written`] leaf; selected for one that depends on a parameter.
pub trait Parametric {
    /// The leaf as written.
    type Leaf;
    /// Returns the leaf, marked.
    fn given(self) -> Varying<Self::Leaf>;
}

impl<T> Parametric for Written<T> {
    type Leaf = T;

    #[inline(always)]
    fn given(self) -> Varying<T> {
        Varying(self.0)
    }
}

/// A leaf that depends on a parameter.
pub struct Varying<T>(T);

/// The marker of a leaf that depends on a parameter and has the marker `M` otherwise.
pub struct IsVarying<M>(M);

#[diagnostic::do_not_recommend]
impl<C: ?Sized, M, T: IntoNode<C, M>> IntoNode<C, IsVarying<M>> for Varying<T> {
    type Node = VaryingNode<T::Node>;

    #[inline(always)]
    fn into_node(self) -> VaryingNode<T::Node> {
        VaryingNode(self.0.into_node())
    }
}

/// A node that depends on a parameter. It stands for the inner node and has no id of its own.
#[derive(Clone, Copy)]
pub struct VaryingNode<N>(N);

stands_for_a_node! {
    VaryingNode<N>, |this| this.0, facts N::FACTS.of_parameter();
}
