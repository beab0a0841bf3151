//! A body and its cleanup, which runs after the body has ended or was halted.

use bt_words::Word;

use crate::composite::finally_rule::{FinallyParts, FinallyPhase};
use crate::describe::{Info, Kind, Name, Visitor};
use crate::facts::{ChildFacts, Facts};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more, plus};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Cause, CleanUp, Interrupt, Status, Step};
use crate::visit;
use crate::wake::{Wake, WakeVisit};
use crate::walk::{NodeState, OwnState, StateBytes, StateVisitor, any_left, each_way};

/// Runs its first child, the body, and then its second, the cleanup, however the body ends: with success, failure, an error, or
/// a halt. Returns the status of the body, after the cleanup has ended.
///
/// The outcome of the cleanup is ignored, except `Error`, which the node returns. After a halt, nothing returns it: an error then goes to
/// the observer and to the [context](crate::OnError), and has no other effect.
///
/// # Halts
///
/// After a halt of the body, the cleanup is ticked at once. If it is then still running, it continues while the tree does something
/// else: [`Tree::tick`](crate::Tree::tick) first ticks such cleanups, and [`Tree::clean_up`](crate::Tree::clean_up) ticks only them.
/// A halt does not interrupt a cleanup. Bound one that may never end: `timeout(secs(2)) { cancel }`.
///
/// - The node waits for its cleanup: if it starts again before, it returns `Running` until the cleanup has ended.
/// - A cleanup waits for those in its body: in `finally { finally { drive, cancel }, power_off }`, `power_off` starts after `cancel` has ended.
/// - `if`, `match` and `machine`, which leave a child before they start the next one, start the next one when the cleanups in
///   them have ended. Until then they return `Running`. The `exit:` and `enter:` actions of states do not wait.
/// - Other composites continue during the cleanup. A `selector`, for example, has ticked the child that takes over before it halts the other.
///
/// So an action whose cancellation takes time, and the wait for its acknowledgement, are the body and the cleanup of one node.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Default)]
/// struct Robot { stop: bool, is_moving: bool, acknowledged: bool }
///
/// fn drive(robot: &mut Robot) -> Status { robot.is_moving = true; Status::Running }
/// fn cancel(robot: &mut Robot) -> Status {
///     if !robot.acknowledged { return Status::Running }
///     robot.is_moving = false;
///     Status::Success
/// }
///
/// let tree = tree! { for Robot: if stop { run } else { finally { drive, cancel } } };
/// # fn stop(robot: &Robot) -> bool { robot.stop }
/// let (mut robot, mut memory) = (Robot::default(), tree.memory());
/// tree.tick(&mut robot, &mut memory);
/// robot.stop = true;
/// tree.tick(&mut robot, &mut memory);                         // `drive` is halted, `cancel` begins
/// assert!(robot.is_moving && tree.is_cleaning_up(&memory));
///
/// robot.acknowledged = true;
/// tree.tick(&mut robot, &mut memory);                         // `cancel` ends, `run` starts
/// assert!(!robot.is_moving && !tree.is_cleaning_up(&memory));
/// ```
pub const fn finally<B, C>(children: (B, C)) -> Finally<B, C> {
    Finally(children)
}

/// A body and its cleanup. See [`keywords::finally`](crate::keywords::finally).
#[derive(Clone, Copy, Debug)]
pub struct Finally<B, C>((B, C));

/// The child of a `finally` that runs in its run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FinallyChild<B, C> {
    /// None.
    Neither,
    /// The body.
    Body(B),
    /// The cleanup.
    Cleanup(C),
}

/// The cleanup of an earlier run that was halted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LeftCleanup<C> {
    /// It has ended, or there is none.
    #[default]
    Over,
    /// It starts when the cleanups in the body have ended.
    Waiting,
    /// It is running, and is due in the next tick.
    Due(C),
    /// It is running.
    Running(C),
}

impl<C> LeftCleanup<C> {
    const fn is_left(&self) -> bool {
        !matches!(self, Self::Over)
    }
}

/// The open state of a `finally`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FinallyOpen<B, C> {
    phase: FinallyPhase,
    child: FinallyChild<B, C>,
}

impl<B, C> FinallyOpen<B, C> {
    const NEW: Self = Self { phase: FinallyPhase::Waiting, child: FinallyChild::Neither };
}

/// Returns `true` if a halt has left a cleanup in a node running.
#[inline(always)]
fn is_cleaning_up<N: NodeShape>(node: &N, kept: &N::Kept) -> bool {
    if const { !N::FACTS.cleans_up } {
        return false;
    }
    node.cleans_up(kept) && any_left(|visitor| node.walk(NodeId::ROOT, (None, kept).into(), visitor))
}

/// A `finally` in a visit.
struct Parts<'a, B: NodeShape, C: NodeShape, O> {
    children: &'a (B, C),
    at: NodeId,
    open: &'a mut FinallyOpen<B::Open, C::Open>,
    kept: &'a mut (B::Kept, C::Kept, LeftCleanup<C::Open>),
    observer: &'a mut O,
}

impl<Ctx: ?Sized, B: Node<Ctx>, C: Node<Ctx>, O: Observer> FinallyParts<Ctx> for Parts<'_, B, C, O> {
    #[inline(always)]
    fn phase(&self) -> FinallyPhase {
        self.open.phase
    }

    #[inline(always)]
    fn set_phase(&mut self, phase: FinallyPhase) {
        self.open.phase = phase;
    }

    fn is_left(&self) -> bool {
        self.kept.2.is_left()
    }

    #[inline(always)]
    fn tick_body(&mut self, ctx: &mut Ctx) -> Status {
        let Self { children: (body, _), at, open: FinallyOpen { child, .. }, kept: (kept, ..), observer } = self;
        let (at, visit) = (at.first_child(), &mut Visit::new(ctx, &mut **observer));
        let step = match child {
            FinallyChild::Body(open) => visit::resume(body, at, open, kept, visit),
            FinallyChild::Neither | FinallyChild::Cleanup(_) => {
                visit::start(body, at, kept, visit).map(|opened| *child = FinallyChild::Body(opened))
            }
        };
        if let Step::Done(_) = step {
            *child = FinallyChild::Neither;
        }
        step.status()
    }

    #[inline(always)]
    fn tick_cleanup(&mut self, ctx: &mut Ctx) -> Status {
        let Self { children: (body, cleanup), at, open: FinallyOpen { child, .. }, kept: (_, kept, _), observer } =
            self;
        let (at, visit) = (at.first_child().after(body), &mut Visit::new(ctx, &mut **observer));
        let step = match child {
            FinallyChild::Cleanup(open) => visit::resume(cleanup, at, open, kept, visit),
            FinallyChild::Neither | FinallyChild::Body(_) => {
                visit::start(cleanup, at, kept, visit).map(|opened| *child = FinallyChild::Cleanup(opened))
            }
        };
        if let Step::Done(_) = step {
            *child = FinallyChild::Neither;
        }
        step.status()
    }

    fn halt_body(&mut self, why: Cause, ctx: &mut Ctx) {
        let Self { children: (body, _), at, open: FinallyOpen { child, .. }, kept: (kept, ..), observer } = self;
        if let FinallyChild::Body(open) = child {
            let visit = &mut Visit::new(ctx, &mut **observer);
            visit::interrupt(body, at.first_child(), open, kept, Interrupt::Halt(why), visit);
        }
        *child = FinallyChild::Neither;
    }

    #[inline(always)]
    fn is_cleanup_running(&self) -> bool {
        matches!(self.open.child, FinallyChild::Cleanup(_))
    }

    #[inline(always)]
    fn is_body_cleaning_up(&self) -> bool {
        is_cleaning_up(&self.children.0, &self.kept.0)
    }

    fn leave_cleanup(&mut self, is_ticked: bool) {
        self.kept.2 = match core::mem::replace(&mut self.open.child, FinallyChild::Neither) {
            FinallyChild::Cleanup(open) if is_ticked => LeftCleanup::Running(open),
            FinallyChild::Cleanup(open) => LeftCleanup::Due(open),
            FinallyChild::Neither | FinallyChild::Body(_) => LeftCleanup::Waiting,
        };
    }
}

impl<B: NodeShape, C: NodeShape> NodeShape for Finally<B, C> {
    type Open = FinallyOpen<B::Open, C::Open>;
    /// The states of the children, and the state of a cleanup that continues after a halt.
    type Kept = (B::Kept, C::Kept, LeftCleanup<C::Open>);
    const RETURNS: Outcomes = Self::FACTS.returns;
    const FACTS: Facts = Word::Finally.row().facts(ChildFacts::These(&[&B::FACTS, &C::FACTS]));
    const COUNT: Option<u32> = one_more(plus(B::COUNT, C::COUNT));

    #[inline]
    fn count(&self) -> u32 {
        1 + self.0.0.count() + self.0.1.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        let (body, cleanup) = &self.0;
        let first = at.first_child();
        each_way!(state, |open, (kept, kept_by_cleanup, left)| {
            let is_left = left.is_left();
            let own = StateBytes { open: size_of::<FinallyPhase>() + 1, kept: 1 };
            visitor.node(at, OwnState::new(own).left(is_left));
            let (running, cleaning) = match open {
                Some(FinallyOpen { child: FinallyChild::Body(open), .. }) => (Some(open), None),
                Some(FinallyOpen { child: FinallyChild::Cleanup(open), .. }) => (None, Some(open)),
                Some(FinallyOpen { child: FinallyChild::Neither, .. }) | None => (None, None),
            };
            let left = match left {
                LeftCleanup::Due(open) | LeftCleanup::Running(open) => Some(open),
                LeftCleanup::Over | LeftCleanup::Waiting => None,
            };
            body.walk(first, (running, kept).into(), visitor);
            cleanup.walk(first.after(body), (cleaning.or(left), kept_by_cleanup).into(), visitor);
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let sources = visitor.enter(&Info {
            kind: Kind::Composite,
            name: Name::Known(Word::Finally.name()),
            returns: Self::RETURNS,
            params: &[],
        });
        visitor.child(sources, 0, &self.0.0);
        visitor.child(sources, 1, &self.0.1);
        visitor.leave();
    }
}

impl<Ctx: ?Sized, B: Node<Ctx>, C: Node<Ctx>> Node<Ctx> for Finally<B, C> {
    #[inline]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, O>) -> Step<Self::Open> {
        let mut open = FinallyOpen::NEW;
        let parts = &mut Parts { children: &self.0, at, open: &mut open, kept, observer: visit.observer };
        Step::<()>::from(parts.tick(true, visit.ctx)).map(|()| open)
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, Ctx, O>,
    ) -> Step<()> {
        Parts { children: &self.0, at, open, kept, observer: visit.observer }.tick(false, visit.ctx).into()
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, Ctx, O>,
    ) {
        let (body, cleanup) = &self.0;
        match (how, &mut open.child) {
            (Interrupt::Halt(why), _) => {
                Parts { children: &self.0, at, open, kept, observer: visit.observer }.halt(why, visit.ctx);
            }
            (Interrupt::Pause | Interrupt::Unpause, FinallyChild::Body(open)) => {
                visit::interrupt(body, at.first_child(), open, &mut kept.0, how, visit);
            }
            (Interrupt::Pause | Interrupt::Unpause, FinallyChild::Cleanup(open)) => {
                visit::interrupt(cleanup, at.first_child().after(body), open, &mut kept.1, how, visit);
            }
            (Interrupt::Pause | Interrupt::Unpause, FinallyChild::Neither) => {}
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        (kept, kept_by_cleanup, left): &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, Ctx, O>,
    ) {
        let (body, cleanup) = &self.0;
        let first = at.first_child();
        let second = first.after(body);
        visit::cleanups(body, first, kept, how, visit);
        let halts = matches!(how, CleanUp::Interrupt(Interrupt::Halt(_)));
        if !halts {
            visit::cleanups(cleanup, second, kept_by_cleanup, how, visit);
        }
        if matches!(left, LeftCleanup::Waiting) && is_cleaning_up(body, kept) {
            return;
        }
        // A pause does not tick it.
        let is_due = matches!(left, LeftCleanup::Due(_)) && how != CleanUp::Tick;
        // While it is visited, its state is not in the memory: after a panic, it is not running.
        let open = match (core::mem::take(left), how) {
            (LeftCleanup::Over, _) => None,
            (LeftCleanup::Waiting, CleanUp::Interrupt(Interrupt::Pause | Interrupt::Unpause)) => {
                *left = LeftCleanup::Waiting;
                None
            }
            (LeftCleanup::Waiting, CleanUp::Tick | CleanUp::Interrupt(Interrupt::Halt(_))) => {
                match visit::start(cleanup, second, kept_by_cleanup, visit) {
                    Step::Running(open) => Some(open),
                    Step::Done(_) => None,
                }
            }
            (LeftCleanup::Due(mut open) | LeftCleanup::Running(mut open), CleanUp::Tick) => {
                let step = visit::resume(cleanup, second, &mut open, kept_by_cleanup, visit);
                (step == Step::Running(())).then_some(open)
            }
            (LeftCleanup::Due(open) | LeftCleanup::Running(open), CleanUp::Interrupt(_)) => Some(open),
        };
        if let Some(mut open) = open {
            if let CleanUp::Interrupt(how) = how {
                visit::interrupt(cleanup, second, &mut open, kept_by_cleanup, how, visit);
            }
            if !halts {
                *left = if is_due { LeftCleanup::Due(open) } else { LeftCleanup::Running(open) };
            }
        }
        if halts {
            // The halt can have left others.
            visit::cleanups(cleanup, second, kept_by_cleanup, how, visit);
        }
    }

    fn wake_cleanups(&self, (kept, kept_by_cleanup, left): &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
        let (body, cleanup) = &self.0;
        let wake = visit::wake_of_cleanups(body, kept, visit);
        let wake = wake.earliest(visit::wake_of_cleanups(cleanup, kept_by_cleanup, visit));
        match left {
            LeftCleanup::Due(_) => Wake::Next,
            // It starts in the next tick.
            LeftCleanup::Waiting if !is_cleaning_up(body, kept) => Wake::Next,
            LeftCleanup::Running(open) => wake.earliest(cleanup.wake(open, kept_by_cleanup, visit)),
            LeftCleanup::Over | LeftCleanup::Waiting => wake,
        }
    }

    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
        match &open.child {
            // It waits for its cleanup, or for one in its body: the tick in which that ends is one of this node.
            FinallyChild::Neither if kept.2.is_left() || is_cleaning_up(&self.0.0, &kept.0) => Wake::Event,
            FinallyChild::Neither => Wake::Next,
            FinallyChild::Body(open) => self.0.0.wake(open, &kept.0, visit),
            FinallyChild::Cleanup(open) => self.0.1.wake(open, &kept.1, visit),
        }
    }
}
