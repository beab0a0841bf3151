//! The rule of state machines, for any representation of states.

use core::ops::ControlFlow;

use crate::machine::hook::Edge;
use crate::machine::target::Target;
use crate::status::{Outcome, Status};
use crate::wake::{Foreseen, Wake};

/// Returns until when a guard does not hold, of which this is foreseen; [`Wake::Next`] if it holds, or if that is not known.
#[inline]
pub fn stays(guard: Foreseen) -> Wake {
    match guard {
        Some((Outcome::Failure, until)) => until,
        Some((Outcome::Success | Outcome::Error, _)) | None => Wake::Next,
    }
}

/// A state machine, as its rule sees it.
pub trait MachineParts<C: ?Sized> {
    /// Returns the present state, and the outcome of its node if the node has ended and no transition has followed yet.
    fn current(&self) -> (usize, Option<Outcome>);
    /// Puts the machine into a state whose node is not running.
    fn set_current(&mut self, state: usize, ended: Option<Outcome>);
    /// Reports to the observer that a state is entered.
    fn report(&mut self, state: usize);
    /// Returns the state that the observer forces the machine into.
    fn forced(&mut self) -> Option<usize>;
    /// Runs the `enter:` or `exit:` action of a state.
    fn hook(&mut self, edge: Edge, state: usize, ctx: &mut C) -> Outcome;
    /// Returns the target of the first transition whose guard holds: first the state's own, then those from any state.
    /// `ended` is the outcome of the state's node, if it has ended.
    fn first(&mut self, state: usize, ended: Option<Outcome>, ctx: &mut C) -> Option<Target>;
    /// Returns the target of the first transition for this outcome of the state's node.
    fn on_end(&mut self, state: usize, ended: Outcome) -> Option<Target>;
    /// Ticks the node of the present state, which has this index: resumes its run, or starts one.
    fn tick_node(&mut self, state: usize, ctx: &mut C) -> Status;
    /// Calls [`visit`] for the present state.
    fn visit(&mut self, ctx: &mut C) -> Visited;
    /// Halts the node of the present state if it is running.
    fn halt_node(&mut self, ctx: &mut C);
}

/// What follows from a tick of the present state's node.
pub enum Ticked {
    /// The machine stays in the state.
    Stays,
    /// The node has ended, and a transition waits for that.
    Ended(Target),
    /// The node has ended with an error.
    Error,
}

/// What follows from a visit of the present state: the target of the first transition whose guard holds, or else a tick of the
/// node.
pub type Visited = ControlFlow<Target, Ticked>;

/// Ticks a machine. Follows at most one transition: before the state's node is ticked or, if there was none, because
/// the node has ended.
#[inline(always)]
pub fn machine<C: ?Sized>(opening: bool, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    let forced = parts.forced();
    if opening && enter(forced.unwrap_or(0), parts, ctx) == Status::Error {
        return Status::Error;
    }
    let visited = match forced {
        Some(state) if opening => ControlFlow::Continue(tick(state, false, parts, ctx)),
        Some(state) => ControlFlow::Break(Target::State(state)),
        None => parts.visit(ctx),
    };
    let ticked = match visited {
        ControlFlow::Continue(ticked) => ticked,
        ControlFlow::Break(Target::State(to)) => {
            if go(to, parts, ctx) == Status::Error {
                return Status::Error;
            }
            tick(to, true, parts, ctx)
        }
        ControlFlow::Break(Target::End(outcome)) => return leave(outcome, parts, ctx),
    };
    match ticked {
        Ticked::Stays => Status::Running,
        Ticked::Ended(Target::State(to)) => go(to, parts, ctx),
        Ticked::Ended(Target::End(outcome)) => exit(outcome, parts, ctx),
        Ticked::Error => exit(Outcome::Error, parts, ctx),
    }
}

/// Visits the present state: evaluates the guards and, if none holds, ticks the node. `ended` is the outcome of the node, if it
/// has ended and no transition has followed yet.
#[inline(always)]
pub fn visit<C: ?Sized>(
    state: usize,
    ended: Option<Outcome>,
    parts: &mut impl MachineParts<C>,
    ctx: &mut C,
) -> Visited {
    match parts.first(state, ended, ctx) {
        Some(target) => ControlFlow::Break(target),
        None => ControlFlow::Continue(tick(state, false, parts, ctx)),
    }
}

/// Ticks the node of the present state. If it ends in a tick that has followed a transition, its outcome is stored.
#[inline(always)]
fn tick<C: ?Sized>(state: usize, has_followed: bool, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Ticked {
    let outcome = match parts.tick_node(state, ctx) {
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

/// Enters a state. Returns `Running`, or `Error` if the `enter:` action does. In that case the state was not entered,
/// and is not left.
#[inline(always)]
pub fn enter<C: ?Sized>(state: usize, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    parts.report(state);
    match parts.hook(Edge::Enter, state, ctx) {
        Outcome::Error => Status::Error,
        Outcome::Success | Outcome::Failure => {
            parts.set_current(state, None);
            Status::Running
        }
    }
}

/// Leaves the present state and enters another. Returns `Running`, or `Error` if the `exit:` or `enter:` action does.
pub fn go<C: ?Sized>(to: usize, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    match leave(Outcome::Success, parts, ctx) {
        Status::Error => Status::Error,
        _ => enter(to, parts, ctx),
    }
}

/// Halts the node of the present state and leaves that state. Returns `then`, or `Error` if the `exit:` action does.
#[inline(always)]
pub fn leave<C: ?Sized>(then: Outcome, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    parts.halt_node(ctx);
    exit(then, parts, ctx)
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
