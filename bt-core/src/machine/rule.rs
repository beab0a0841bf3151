//! The rule of state machines, for any representation of states.

use core::ops::ControlFlow;

use crate::machine::hook::Edge;
use crate::machine::target::Target;
use crate::status::{Cause, Outcome, Status};
use crate::wake::{Foreseen, Wake};

/// Returns the [`Wake`] until which a guard with this foreseen effect does not hold; [`Wake::Next`] if the guard holds, or if
/// that is not known.
#[inline]
pub fn stays(guard: Foreseen) -> Wake {
    match guard {
        Some((Outcome::Failure, until)) => until,
        Some((Outcome::Success | Outcome::Error, _)) | None => Wake::Next,
    }
}

/// The parts of a state machine that its rule uses.
pub trait MachineParts<C: ?Sized> {
    /// Returns the present state, and the outcome of its node if the node has ended and no transition has followed yet.
    fn current(&self) -> (usize, Option<Outcome>);
    /// Puts the machine into a state whose node is not running.
    fn set_current(&mut self, state: usize, ended: Option<Outcome>);
    /// Reports to the observer that a state is entered.
    fn report(&mut self, state: usize);
    /// Returns the state that the observer forces the machine into, if any.
    fn forced(&mut self) -> Option<usize>;
    /// Runs the `enter:` or `exit:` action of a state.
    fn hook(&mut self, edge: Edge, state: usize, ctx: &mut C) -> Outcome;
    /// Returns the target of the first transition whose guard holds: first the transitions of the state, then the transitions
    /// from any state.
    /// `ended` is the outcome of the state's node, if it has ended.
    fn first(&mut self, state: usize, ended: Option<Outcome>, ctx: &mut C) -> Option<Target>;
    /// Returns the target of the first transition for this outcome of the state's node.
    fn on_end(&mut self, state: usize, ended: Outcome) -> Option<Target>;
    /// Ticks the node of the present state, which has this index: resumes its run, or starts one.
    fn tick_node(&mut self, state: usize, ctx: &mut C) -> Status;
    /// Starts the node of the present state, which has this index and has just been entered.
    #[inline(always)]
    fn start_node(&mut self, state: usize, ctx: &mut C) -> Status {
        self.tick_node(state, ctx)
    }
    /// Returns `true` if the node of the present state is not running, and a halt has left a cleanup in the machine running. The
    /// node then starts after the cleanup.
    fn waits(&mut self) -> bool;
    /// Calls [`visit_state`](Self::visit_state) for the present state.
    fn visit(&mut self, ctx: &mut C) -> Visited;
    /// Halts the node of the present state if it is running.
    fn halt_node(&mut self, why: Cause, ctx: &mut C);

    /// Ticks the machine.
    #[inline(always)]
    fn tick(&mut self, opening: bool, ctx: &mut C) -> Status
    where
        Self: Sized,
    {
        machine(opening, self, ctx)
    }

    /// Visits the present state: evaluates the guards and, if none holds, ticks the node. `ended` is the outcome of the node, if it
    /// has ended and no transition has followed yet.
    #[inline(always)]
    fn visit_state(&mut self, state: usize, ended: Option<Outcome>, ctx: &mut C) -> Visited
    where
        Self: Sized,
    {
        match self.first(state, ended, ctx) {
            Some(target) => ControlFlow::Break(target),
            None if self.waits() => ControlFlow::Continue(Ticked::Stays),
            None => ControlFlow::Continue(ticked(self.tick_node(state, ctx), state, false, self)),
        }
    }

    /// Enters a state. Returns `Running`, or `Error` if the `enter:` action does. In that case, the state was not entered,
    /// and its `exit:` action does not run.
    #[inline(always)]
    fn enter(&mut self, state: usize, ctx: &mut C) -> Status {
        self.report(state);
        match self.hook(Edge::Enter, state, ctx) {
            Outcome::Error => Status::Error,
            Outcome::Success | Outcome::Failure => {
                self.set_current(state, None);
                Status::Running
            }
        }
    }

    /// Leaves the present state and enters another. Returns `Running`, or `Error` if the `exit:` or `enter:` action does.
    fn go(&mut self, to: usize, ctx: &mut C) -> Status
    where
        Self: Sized,
    {
        match self.leave(Outcome::Success, Cause::Preempted, ctx) {
            Status::Error => Status::Error,
            _ => self.enter(to, ctx),
        }
    }

    /// Halts the node of the present state and leaves that state. Returns `then`, or `Error` if the `exit:` action does.
    #[inline(always)]
    fn leave(&mut self, then: Outcome, why: Cause, ctx: &mut C) -> Status
    where
        Self: Sized,
    {
        self.halt_node(why, ctx);
        exit(then, self, ctx)
    }
}

/// The consequence of a tick of the present state's node.
pub enum Ticked {
    /// The machine stays in the state.
    Stays,
    /// The node has ended, and a transition for its outcome leads to this target.
    Ended(Target),
    /// The node has ended with an error.
    Error,
}

/// The consequence of a visit of the present state: the target of the first transition whose guard holds, or else the consequence
/// of a tick of the node.
pub type Visited = ControlFlow<Target, Ticked>;

/// Ticks a machine. Follows at most one transition: before the state's node is ticked or, if no guard holds, after the
/// node has ended.
#[inline(always)]
fn machine<C: ?Sized>(opening: bool, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    let forced = parts.forced();
    if opening && parts.enter(forced.unwrap_or(0), ctx) == Status::Error {
        return Status::Error;
    }
    let visited = match forced {
        Some(_) if opening && parts.waits() => ControlFlow::Continue(Ticked::Stays),
        Some(state) if opening => ControlFlow::Continue(ticked(parts.start_node(state, ctx), state, false, parts)),
        Some(state) => ControlFlow::Break(Target::State(state)),
        None => parts.visit(ctx),
    };
    let ticked = match visited {
        ControlFlow::Continue(ticked) => ticked,
        ControlFlow::Break(Target::State(to)) => {
            if parts.go(to, ctx) == Status::Error {
                return Status::Error;
            }
            if parts.waits() { Ticked::Stays } else { ticked(parts.start_node(to, ctx), to, true, parts) }
        }
        ControlFlow::Break(Target::End(outcome)) => return parts.leave(outcome, Cause::Ended, ctx),
    };
    match ticked {
        Ticked::Stays => Status::Running,
        Ticked::Ended(Target::State(to)) => parts.go(to, ctx),
        Ticked::Ended(Target::End(outcome)) => exit(outcome, parts, ctx),
        Ticked::Error => exit(Outcome::Error, parts, ctx),
    }
}

/// Returns the consequence of a tick of the present state's node. If the node ends in a tick that has followed a transition, its
/// outcome is stored.
#[inline(always)]
fn ticked<C: ?Sized>(node: Status, state: usize, has_followed: bool, parts: &mut impl MachineParts<C>) -> Ticked {
    let outcome = match node {
        Status::Running => return Ticked::Stays,
        Status::Error => return Ticked::Error,
        Status::Success => Outcome::Success,
        Status::Failure => Outcome::Failure,
    };
    parts.set_current(state, Some(outcome));
    if has_followed {
        return Ticked::Stays;
    }
    parts.on_end(state, outcome).map_or(Ticked::Stays, Ticked::Ended)
}

/// Leaves the present state, whose node is not running. Returns `then`, or `Error` if the `exit:` action does.
#[inline(always)]
fn exit<C: ?Sized>(then: Outcome, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    let (state, _) = parts.current();
    match parts.hook(Edge::Exit, state, ctx) {
        Outcome::Error => Status::Error,
        Outcome::Success | Outcome::Failure => then.into(),
    }
}
