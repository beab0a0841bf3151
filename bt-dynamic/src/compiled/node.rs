//! A `tree!` as a node that follows its source.

use std::fmt;
use std::sync::Arc;

use bt_core::__private::{BrokenTree, Context, Located, Whole};
use bt_core::describe::Visitor;
use bt_core::{
    Foreseen, Node, NodeId, NodeShape, NodeState, Observer, Outcomes, Single, StateVisitor, Step, Visit, Wake,
    WakeVisit,
};
use serde::{Deserialize, Serialize};

use super::nodes::{StoreOver, StoreShape};
use super::site::Site;
use super::tree::LiveTree;
use crate::flat::memory::LoadedMemory;
use crate::flat::op::index;
use crate::version::Form;

/// A tree that follows its source; or the static tree, which is `N`.
pub enum Live<N, S: StoreShape> {
    /// The static tree, where the source cannot be followed.
    Fixed(N),
    #[doc(hidden)]
    Following(Following<S>),
}

/// A tree that follows its source. Clones follow together.
pub struct Following<S: StoreShape>(Arc<LiveTree<S>>);

impl<S: StoreShape> Clone for Following<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<N: Clone, S: StoreShape> Clone for Live<N, S> {
    fn clone(&self) -> Self {
        match self {
            Self::Fixed(tree) => Self::Fixed(tree.clone()),
            Self::Following(tree) => Self::Following(tree.clone()),
        }
    }
}

impl<N, S: StoreShape> fmt::Debug for Live<N, S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Fixed(_) => "Live::Fixed",
            Self::Following(_) => "Live::Following",
        })
    }
}

/// A tree of an expansion: one of the two forms of `Live`, before it is known that both are nodes.
pub enum Both<C: ?Sized, N, S> {
    /// The static tree.
    Fixed(Whole<C, N>),
    /// What was compiled of a tree that follows its source.
    Live(Context<C>, &'static Site, S),
}

impl<C: ?Sized, N: Node<C>, S: StoreOver<Single<C>>> Both<C, N, S> {
    /// Returns the node.
    pub fn or_broken(self) -> Live<Located<N>, S> {
        match self {
            Self::Fixed(tree) => Live::Fixed(tree.or_broken()),
            Self::Live(_, site, store) => match LiveTree::new(site, store) {
                Ok(tree) => Live::Following(Following(Arc::new(tree))),
                Err(errors) => {
                    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
                    panic!("{site:?}: a tree that compiles can be live; please report this: {}", errors.join("\n"))
                }
            },
        }
    }
}

impl<C: ?Sized, N, S> std::ops::Deref for Both<C, N, S> {
    type Target = BrokenTree;

    fn deref(&self) -> &BrokenTree {
        &BrokenTree
    }
}

/// The open state of a [`Live`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum LiveOpen<O> {
    /// That of the static tree.
    Fixed(O),
    /// None.
    Following,
}

/// The kept state of a [`Live`].
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct LiveKept<K> {
    fixed: K,
    following: LoadedMemory,
}

impl<N: NodeShape, S: StoreShape> NodeShape for Live<N, S> {
    type Open = LiveOpen<N::Open>;
    type Kept = LiveKept<N::Kept>;
    // The trees around this one were compiled with these. An edited tree may return others.
    const RETURNS: Outcomes = N::RETURNS;
    const FACTS: bt_core::engine::Facts = N::FACTS;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        match self {
            Self::Fixed(tree) => tree.count(),
            Self::Following(Following(tree)) => index(tree.present().version().flat.owners.len()),
        }
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        match self {
            Self::Fixed(tree) => tree.walk(at, fixed(state), visitor),
            Self::Following(Following(tree)) => {
                let mut unit = ();
                let state = match state {
                    NodeState::Shared(open, kept) => (open.map(|_| &()), &kept.following).into(),
                    NodeState::Exclusive(open, kept) => (open.map(|_| &mut unit), &mut kept.following).into(),
                };
                tree.present().version().walk_memory(at, state, visitor);
            }
        }
    }

    fn unsaved_leaf(&self, kept: &Self::Kept) -> Option<String> {
        match self {
            Self::Fixed(tree) => tree.unsaved_leaf(&kept.fixed),
            Self::Following(Following(tree)) => tree.present().version().unsaved_leaf(&kept.following),
        }
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        match self {
            Self::Fixed(tree) => tree.describe(visitor),
            Self::Following(Following(tree)) => tree.present().version().describe(visitor),
        }
    }
}

/// Returns the state of the static tree.
fn fixed<O, K>(state: NodeState<'_, LiveOpen<O>, LiveKept<K>>) -> NodeState<'_, O, K> {
    match state {
        NodeState::Shared(open, kept) => (open.and_then(LiveOpen::fixed), &kept.fixed).into(),
        NodeState::Exclusive(open, kept) => (open.and_then(LiveOpen::fixed_mut), &mut kept.fixed).into(),
    }
}

impl<O> LiveOpen<O> {
    const fn fixed(&self) -> Option<&O> {
        match self {
            Self::Fixed(open) => Some(open),
            Self::Following => None,
        }
    }

    const fn fixed_mut(&mut self) -> Option<&mut O> {
        match self {
            Self::Fixed(open) => Some(open),
            Self::Following => None,
        }
    }
}

/// Returns the step of the static tree as one of this.
fn of_fixed<O>(step: Step<O>) -> Step<LiveOpen<O>> {
    match step {
        Step::Running(open) => Step::Running(LiveOpen::Fixed(open)),
        Step::Done(outcome) => Step::Done(outcome),
    }
}

impl<C: ?Sized, N: Node<C>, S: StoreOver<Single<C>>> Node<C> for Live<N, S> {
    fn start<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<LiveOpen<N::Open>> {
        match self {
            Self::Fixed(tree) => of_fixed(tree.start(at, &mut kept.fixed, visit)),
            Self::Following(Following(tree)) => {
                let status = tree.present().version().tick::<Single<C>, O>(at, false, &mut kept.following, visit);
                match Step::<()>::from(status) {
                    Step::Running(()) => Step::Running(LiveOpen::Following),
                    Step::Done(outcome) => Step::Done(outcome),
                }
            }
        }
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match (self, open) {
            (Self::Fixed(tree), LiveOpen::Fixed(open)) => tree.resume(at, open, &mut kept.fixed, visit),
            // A save of the other form: its run is lost, and another one starts.
            (Self::Fixed(tree), open @ LiveOpen::Following) => match tree.start(at, &mut kept.fixed, visit) {
                Step::Running(new) => {
                    *open = LiveOpen::Fixed(new);
                    Step::Running(())
                }
                Step::Done(outcome) => Step::Done(outcome),
            },
            (Self::Following(Following(tree)), open) => {
                let is_running = matches!(open, LiveOpen::Following);
                *open = LiveOpen::Following;
                tree.present().version().tick::<Single<C>, O>(at, is_running, &mut kept.following, visit).into()
            }
        }
    }

    fn open_replaced(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, ()>) -> Option<Self::Open> {
        match self {
            Self::Fixed(tree) => tree.open_replaced(at, &mut kept.fixed, visit).map(LiveOpen::Fixed),
            Self::Following(Following(tree)) => {
                let present = tree.present();
                let is_open = present.version().open_replaced::<Single<C>>(at, &mut kept.following, visit.ctx);
                is_open.then_some(LiveOpen::Following)
            }
        }
    }

    fn halt_run<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        match (self, open) {
            (Self::Fixed(tree), LiveOpen::Fixed(open)) => tree.halt_run(at, open, &mut kept.fixed, visit),
            (Self::Following(Following(tree)), LiveOpen::Following) => {
                tree.present().version().halt::<Single<C>, O>(at, &mut kept.following, visit);
            }
            (Self::Fixed(_), LiveOpen::Following) | (Self::Following(_), LiveOpen::Fixed(_)) => {}
        }
    }

    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        match (self, open) {
            (Self::Fixed(tree), LiveOpen::Fixed(open)) => tree.wake(open, &kept.fixed, visit),
            (Self::Following(Following(tree)), LiveOpen::Following) => {
                tree.present().version().wake::<Single<C>>(&kept.following, visit)
            }
            (Self::Fixed(_), LiveOpen::Following) | (Self::Following(_), LiveOpen::Fixed(_)) => Wake::Next,
        }
    }

    fn foresee(&self, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        match self {
            Self::Fixed(tree) => tree.foresee(&kept.fixed, ctx, event),
            Self::Following(Following(tree)) => {
                tree.present().version().foresee::<Single<C>>(&kept.following, ctx, event)
            }
        }
    }
}
