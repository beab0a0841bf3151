//! The rule of state machines, for any representation of states.

use crate::check::Target;
use crate::machine::hook::Edge;
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
    /// Ticks the node of the present state: resumes its run, or starts one.
    fn tick_node(&mut self, ctx: &mut C) -> Status;
    /// Halts the node of the present state if it is running.
    fn halt_node(&mut self, ctx: &mut C);
}

/// Ticks a machine. Follows at most one transition: before the state's node is ticked or, if there was none, because
/// the node has ended.
#[inline(always)]
pub fn machine<C: ?Sized>(opening: bool, parts: &mut impl MachineParts<C>, ctx: &mut C) -> Status {
    let forced = parts.forced();
    if opening && enter(forced.unwrap_or(0), parts, ctx) == Status::Error {
        return Status::Error;
    }
    let (state, ended) = parts.current();
    let transition = match forced {
        Some(_) if opening => None,
        Some(state) => Some(Target::State(state)),
        None => parts.first(state, ended, ctx),
    };
    match transition {
        Some(Target::State(to)) if go(to, parts, ctx) == Status::Error => return Status::Error,
        Some(Target::State(_)) | None => {}
        Some(Target::End(outcome)) => return leave(outcome, parts, ctx),
    }
    let outcome = match parts.tick_node(ctx) {
        Status::Running => return Status::Running,
        Status::Error => return exit(Outcome::Error, parts, ctx),
        Status::Success => Outcome::Success,
        Status::Failure => Outcome::Failure,
    };
    let (state, _) = parts.current();
    parts.set_current(state, Some(outcome));
    if transition.is_some() {
        return Status::Running;
    }
    match parts.on_end(state, outcome) {
        Some(Target::State(to)) => go(to, parts, ctx),
        Some(Target::End(outcome)) => exit(outcome, parts, ctx),
        None => Status::Running,
    }
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
