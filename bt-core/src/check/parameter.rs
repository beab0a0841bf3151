//! Leaves that depend on a parameter of the function that their tree stands in.
//!
//! What such a leaf can give differs from one use of the function to the next, and who uses it cannot change the tree. So nothing is reported
//! there whose cause is such a leaf. A tree around that uses the function knows what it gives in that use, and reports as ever.

use crate::check::Facts;
use crate::forward::stands_for_a_node;
use crate::leaf::IntoNode;

/// A leaf as it is written, of which the compiler is asked whether it depends on a parameter: an inherent method where not, that of
/// [`Parametric`] where it does.
///
/// It is asked where the tree is written, before the parameters are known: every ordinary type is `Unpin`, and a parameter is not known to be.
pub struct Written<T>(pub T);

impl<T: Unpin> Written<T> {
    /// The leaf.
    #[inline(always)]
    pub fn given(self) -> T {
        self.0
    }
}

/// What a [`Written`] leaf is that depends on a parameter.
pub trait Parametric {
    /// What is written.
    type Leaf;
    /// The leaf, marked.
    fn given(self) -> Varying<Self::Leaf>;
}

impl<T> Parametric for Written<T> {
    type Leaf = T;

    #[inline(always)]
    fn given(self) -> Varying<T> {
        Varying(self.0)
    }
}

/// A leaf, or the node that it becomes, that depends on a parameter.
pub struct Varying<T>(T);

/// Marks a leaf that depends on a parameter and is otherwise marked `M`.
pub struct IsVarying<M>(M);

#[diagnostic::do_not_recommend]
impl<C: ?Sized, M, T: IntoNode<C, M>> IntoNode<C, IsVarying<M>> for Varying<T> {
    type Node = VaryingNode<T::Node>;

    #[inline(always)]
    fn into_node(self) -> VaryingNode<T::Node> {
        VaryingNode(self.0.into_node())
    }
}

/// A node that depends on a parameter. Not a node of its own.
#[derive(Clone, Copy)]
pub struct VaryingNode<N>(N);

stands_for_a_node! {
    VaryingNode<N>, |this| this.0, facts Facts::parameter(N::CAN);
}
