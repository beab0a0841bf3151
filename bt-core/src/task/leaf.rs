//! Plain functions and closures that return a future, as leaves.

use alloc::boxed::Box;
use core::future::Future;
use core::marker::PhantomData;

use crate::describe::{Kind, Visitor};
use crate::id::NodeId;
use crate::leaf::{ActionOutput, ActionOutputIn, IntoNode, OutputState};
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Interrupt, Step};
use crate::task::{FutureOutput, Task};
use crate::wake::{Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// A function `fn(&mut C) -> impl Future` as a leaf.
pub struct AsyncAction<F, R, A, K>(F, PhantomData<Output<R, A, K>>);

/// The output of the future, its meaning, and how it is found.
type Output<R, A, K> = fn() -> (R, A, K);

/// Marks functions that return a future.
pub struct IsFuture<T, A, K>(T, A, K);

#[diagnostic::do_not_recommend]
impl<C, F, T, A, K> IntoNode<C, IsFuture<T, A, K>> for F
where
    C: ?Sized,
    F: Fn(&mut C) -> T,
    T: Future<Output: FutureOutput<C, K, Meaning = A> + 'static> + Send + 'static,
    A: ActionOutput + 'static,
    K: 'static,
{
    type Node = AsyncAction<F, T::Output, A, K>;

    fn into_node(self) -> Self::Node {
        AsyncAction(self, PhantomData)
    }
}

impl<F: Clone, R, A, K> Clone for AsyncAction<F, R, A, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<F, R: 'static, A: ActionOutput, K> NodeShape for AsyncAction<F, R, A, K> {
    type Open = Task<R, A::Open>;
    type Kept = ();
    const RETURNS: Outcomes = A::RETURNS.or(Outcomes::RUNNING);

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, ()>, visitor: &mut dyn StateVisitor) {
        state.visit_timed(at, visitor, |open, (), by| {
            if let Some(open) = open {
                open.shift(by);
            }
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.future();
        visitor.function::<F, (Self::Open, Self::Kept)>(Kind::Action, Self::RETURNS);
    }
}

impl<C, F, T, A, K> Node<C> for AsyncAction<F, T::Output, A, K>
where
    C: ?Sized,
    F: Fn(&mut C) -> T,
    T: Future<Output: FutureOutput<C, K, Meaning = A> + 'static> + Send + 'static,
    A: ActionOutputIn<C>,
{
    fn start<O: Observer>(&self, at: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        let mut open = Task::START;
        self.resume(at, &mut open, &mut (), visit).map(|()| open)
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        (): &mut (),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        if open.is_start() {
            open.begin(Box::pin((self.0)(visit.ctx)), ());
        }
        open.poll(at, visit)
    }

    fn open_replaced(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, ()>) -> Option<Self::Open> {
        Some(Task::START)
    }

    fn interrupt<O: Observer>(
        &self,
        _: NodeId,
        open: &mut Self::Open,
        (): &mut (),
        how: Interrupt,
        _: &mut Visit<'_, C, O>,
    ) {
        open.interrupt(how);
    }

    fn wake(&self, open: &Self::Open, (): &(), visit: &mut WakeVisit<'_, C>) -> Wake {
        open.wake(visit)
    }
}
