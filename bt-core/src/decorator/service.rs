//! A decorator that runs an action periodically while its child runs.

use core::time::Duration;

use bt_words::Word;

use crate::argument::{Argument, ArgumentIn, IntoArgument, fault};
use crate::clock::{Clock, Length, Until};
use crate::decorator::rule::{self, Served};
use crate::describe::{Info, Kind, Name, Param, Role, Visitor};
use crate::facts::{Facts, Given, Lints, must_end};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more, plus};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Outcome, Step};
use crate::visit;
use crate::wake::{Wake, WakeVisit};
use crate::walk::{KeptState, NodeState, StateVisitor, each_way};

/// Runs an action when its child first starts, and then in each tick in which the period is over, as in
/// `service(secs(1), look_around)`.
///
/// The action is a leaf that never returns `Running`; its success or failure has no effect. The service returns the
/// status of the child. If the action returns `Error`, the child is halted and the service returns `Error`. The period
/// starts again each time the action runs without an error. Its length is an [argument](IntoArgument) that is determined
/// at that time: a range such as `secs(0.8)..=secs(1.2)` keeps agents from looking around in the same tick. Requires a
/// [`Clock`](crate::Clock). (A service in Unreal.)
///
/// The period is kept across runs: if the child ends and starts again within it, the action does not run again. To run
/// the action at each start of the child, write `fresh { service(secs(1), look_around) { … } }`.
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc { now: Duration, looks: u32 }
/// # impl Clock for Npc { fn now(&self) -> Duration { self.now } }
/// fn look_around(npc: &mut Npc) { npc.looks += 1 }
///
/// let tree = tree! { for Npc: service(secs(1), look_around) { run } };
/// let (mut npc, mut memory) = (Npc { now: secs(0), looks: 0 }, tree.memory());
/// for millisecond in (0..=2500).step_by(250) {
///     npc.now = millis(millisecond);
///     tree.tick(&mut npc, &mut memory);
/// }
/// assert_eq!(npc.looks, 3);
/// ```
pub fn service<E: IntoArgument<Duration, M>, M, A, N>(
    every: E,
    action: A,
    text: &'static str,
    child: N,
) -> Service<E::Argument, A, N> {
    Service { every: Length::new(every.into_argument()), action, text, child }
}

/// A decorator that runs an action periodically while its child runs. See
/// [`keywords::service`](crate::keywords::service).
///
/// The nodes below it are the child, followed by the action.
#[derive(Clone, Copy, Debug)]
pub struct Service<E, A, N> {
    every: Length<E>,
    action: A,
    /// The source text of the action.
    text: &'static str,
    child: N,
}

impl<E: Argument<Duration>, A: NodeShape, N: NodeShape> NodeShape for Service<E, A, N> {
    type Open = N::Open;
    /// The states of the child and of the action, and the time of the next action.
    type Kept = (N::Kept, A::Kept, Until<E::Drawn>);
    const RETURNS: Outcomes = {
        let can_fail = A::RETURNS.errs() || E::CAN_FAIL;
        Word::Service.statuses(Given { can_fail, ..Given::NOTHING }).of(N::RETURNS)
    };
    const FACTS: Facts = {
        let broken = if A::RETURNS.runs() { Some(must_end::SERVICE) } else { None };
        Facts::above(Self::RETURNS, Lints::NONE.broken(broken), &N::FACTS)
    };
    const COUNT: Option<u32> = one_more(plus(N::COUNT, A::COUNT));
    const RESTARTS: bool = N::RESTARTS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.child.count() + self.action.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(state, |open, (child, action, due)| {
            KeptState::from(due).visit_timed(at, visitor, |_, due, by| due.shift(by));
            self.child.walk(at.first_child(), (open, child).into(), visitor);
            self.action.walk(self.action_at(at), (None, action).into(), visitor);
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let sources = visitor.enter(&Info {
            kind: Kind::Decorator,
            name: Name::Known(Word::Service.name()),
            returns: Self::RETURNS,
            params: &[
                Param::new(Word::Service.row().params[0].name, &self.every),
                Param::new(Word::Service.row().params[1].name, &format_args!("{}", self.text)),
            ],
        });
        visitor.child(sources, 0, &self.child);
        visitor.attachment(&mut sources.get(1..).unwrap_or_default(), Role::Service, &self.action);
        visitor.leave();
    }
}

impl<E: Argument<Duration>, A: NodeShape, N: NodeShape> Service<E, A, N> {
    /// Returns the id of the action.
    #[inline(always)]
    fn action_at(&self, at: NodeId) -> NodeId {
        at.first_child().after(&self.child)
    }

    /// Runs the action if it is due. Returns `false` if the service ends with `Error`.
    #[inline]
    fn serve<C: ?Sized + Clock, O: Observer>(
        &self,
        at: NodeId,
        (_, kept, due): &mut <Self as NodeShape>::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> bool
    where
        E: ArgumentIn<C, Duration>,
        A: Node<C>,
    {
        let act = |visit: &mut Visit<'_, C, O>| visit::at_once(&self.action, self.action_at(at), kept, visit);
        match rule::service(&self.every, due, visit, |visit| &mut *visit.ctx, act) {
            Served::Go => true,
            Served::ActionError => false,
            Served::NoPeriod => {
                if visit::explains::<O>() {
                    let Visit { ctx, observer } = visit;
                    let parameter = Word::Service.row().params[0].name;
                    fault(self.every.argument(), parameter, *ctx, &mut |reason| {
                        visit::explain(at, reason, *observer);
                    });
                }
                false
            }
        }
    }
}

impl<C: ?Sized + Clock, E: ArgumentIn<C, Duration>, A: Node<C>, N: Node<C>> Node<C> for Service<E, A, N> {
    #[inline]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<N::Open> {
        if self.serve(at, kept, visit) {
            visit::start(&self.child, at.first_child(), &mut kept.0, visit)
        } else {
            Step::Done(Outcome::Error)
        }
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        if self.serve(at, kept, visit) {
            visit::resume(&self.child, at.first_child(), open, &mut kept.0, visit)
        } else {
            self.interrupt(at, open, kept, Interrupt::ENDED, visit);
            Step::Done(Outcome::Error)
        }
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        visit::interrupt(&self.child, at.first_child(), open, &mut kept.0, how, visit);
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        visit::cleanups(&self.child, at.first_child(), &mut kept.0, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        visit::wake_of_cleanups(&self.child, &kept.0, visit)
    }

    #[inline]
    fn wake(&self, open: &N::Open, (kept, _, due): &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.child.wake(open, kept, visit).earliest(Wake::At(due.end.time()))
    }
}
