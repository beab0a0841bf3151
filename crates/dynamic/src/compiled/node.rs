//! A `tree!` as a node that follows its source.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::nodes::{StoreOver, StoreShape};
use super::probe::{Known, Unknown};
use super::site::Site;
use super::tree::{LiveForm, LiveTree};
use crate::flat::FlatTree;
use crate::node::node_of_versions;
use crate::version::Form as _;
use bt_behavior3::{Diagnostic, Node as FileNode};
use bt_core::__private::{BrokenTree, Context, Located, Whole};
use bt_core::describe::Visitor;
use bt_core::engine::Facts;
use bt_core::{Node, NodeShape, Outcomes, Single};

/// A tree that follows its source. `N` is the static tree, with which the surrounding trees are checked. All clones follow the source.
pub struct Live<N, S: StoreShape> {
    tree: Arc<LiveTree<S>>,
    /// An expansion uses `Unpin` of its node to find whether a leaf depends on a parameter. So the node is `Unpin` if the static
    /// tree is.
    compiled: PhantomData<N>,
}

impl<N, S: StoreShape> Live<N, S> {
    /// Returns the present version.
    #[inline]
    pub(super) fn present(&self) -> Arc<LiveForm<S>> {
        self.tree.present()
    }
}

impl<N, S: StoreShape> Clone for Live<N, S> {
    fn clone(&self) -> Self {
        Self { tree: Arc::clone(&self.tree), compiled: PhantomData }
    }
}

impl<N, S: StoreShape> fmt::Debug for Live<N, S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Live").field(self.tree.site()).finish()
    }
}

/// A tree of an expansion: one of its two forms, before it is known that both are nodes. `A` says which.
pub enum Both<C: ?Sized, N, S, A> {
    /// The static tree.
    Fixed(Whole<C, N>),
    /// What was compiled of a tree that follows its source.
    Live(Context<C>, &'static Site, S, A),
}

impl<C: ?Sized, N, S, A: Follows<C, N, S>> Both<C, N, S, A> {
    /// Returns the node.
    pub fn or_broken(self) -> A::Node {
        A::node(self)
    }
}

/// Whether a tree can follow its source: whether all nodes of the user in it have a known form.
pub trait Follows<C: ?Sized, N, S>: Sized {
    type Node;
    fn node(both: Both<C, N, S, Self>) -> Self::Node;
}

impl<C: ?Sized, N: Node<C>, S: StoreOver<Single<C>>> Follows<C, N, S> for () {
    type Node = Live<Located<N>, S>;

    fn node(both: Both<C, N, S, ()>) -> Self::Node {
        let Both::Live(_, site, store, ()) = both else { unreachable!("a tree without unknown nodes is live") };
        let tree = LiveTree::new(site, store).unwrap_or_else(|errors| not_live(site, &errors));
        Live { tree: Arc::new(tree), compiled: PhantomData }
    }
}

impl<C: ?Sized, N, S, A: Follows<C, N, S>> Follows<C, N, S> for (Known, A) {
    type Node = A::Node;

    fn node(both: Both<C, N, S, Self>) -> A::Node {
        A::node(match both {
            Both::Fixed(tree) => Both::Fixed(tree),
            Both::Live(cx, site, store, (Known, rest)) => Both::Live(cx, site, store, rest),
        })
    }
}

impl<C: ?Sized, N: Node<C>, S, A> Follows<C, N, S> for (Unknown, A) {
    type Node = Located<N>;

    fn node(both: Both<C, N, S, Self>) -> Located<N> {
        let Both::Fixed(tree) = both else { unreachable!("a tree with an unknown node is not live") };
        tree.or_broken()
    }
}

#[cold]
fn not_live(site: &'static Site, errors: &[Diagnostic]) -> ! {
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    panic!("{site:?}: a tree that compiles can be live; please report this: {}", errors.join("\n"))
}

impl<C: ?Sized, N, S, A> std::ops::Deref for Both<C, N, S, A> {
    type Target = BrokenTree;

    fn deref(&self) -> &BrokenTree {
        &BrokenTree
    }
}

/// Returns the warnings of a tree with the errors of an edit that it does not follow, each at the node before it.
fn with_errors(flat: &FlatTree, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut all = flat.warnings.clone();
    all.extend(errors.into_iter().map(|error| {
        let is_before = |node: &&FileNode| node.spec.place <= error.place;
        let node = flat.sources.iter().filter(is_before).max_by_key(|node| node.spec.place).unwrap_or(&flat.sources[0]);
        Diagnostic { reason: error.to_string(), id: node.origin().to_owned(), ..error }
    }));
    let order: HashMap<&str, usize> =
        flat.sources.iter().zip(0..).map(|(node, index)| (node.origin(), index)).collect();
    all.sort_by_key(|warning| order.get(&*warning.id).copied());
    all
}

node_of_versions! {
    Live<N, S>, [N: NodeShape, S: StoreShape], over Single<C>: C, [C: ?Sized, N: NodeShape, S: StoreOver<Single<C>>], |this| Some(this.present());

    // The trees around this one were compiled with these. An edited tree may return others, and contain a `finally`.
    const RETURNS: Outcomes = N::RETURNS;
    const FACTS: Facts = N::FACTS.and_cleans_up(true);

    fn describe(&self, visitor: &mut dyn Visitor) {
        let present = self.present();
        let warnings = with_errors(&present.version().flat, self.tree.site().errors());
        present.version().describe_with(&warnings, visitor);
    }
}
