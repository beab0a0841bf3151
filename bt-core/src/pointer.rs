//! Pointers to nodes are nodes: one subtree value can appear in several positions, each with state of its own.

use crate::forward::stands_for_a_node;

stands_for_a_node! {
    &N, |this| **this;
    #[cfg(feature = "alloc")] alloc::boxed::Box<N>, |this| **this;
    #[cfg(feature = "alloc")] alloc::rc::Rc<N>, |this| **this;
    #[cfg(feature = "alloc")] alloc::sync::Arc<N>, |this| **this;
}
