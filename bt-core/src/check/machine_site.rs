//! Whether it is right that the parts of a machine stand where they do in a `tree!`: what the constants of expansions call.

use bt_words::Flags;

use crate::check::facts::{Below, Facts, Reach};
use crate::check::lints::{Lint, Lints};
use crate::check::site::{parent, settle};
use crate::check::text::Text;
use crate::describe::SourceNode;

/// What can happen in the machine that has a state at this path, and the state's index.
const fn reach(root: &'static Facts, state: &str) -> (&'static Facts, &'static Reach, usize) {
    let (machine, index) = parent(root, state);
    match machine.below {
        Below::States(reach) => (machine, reach, index),
        _ => panic!("this is no machine"),
    }
}

/// The place of a state. Ends the compilation if nothing leads to it and `flags` do not allow that.
#[track_caller]
pub const fn state(root: &'static Facts, state: &str, flags: u32) -> SourceNode {
    let flags = Flags(flags);
    let (machine, reach, index) = reach(root, state);
    let mut excused = Flags::NONE;
    if !reach.enters(index) && !machine.varies() {
        if !flags.has(Flags::allows(Lint::Unreachable)) {
            Text::new(
                "this state is never entered: no transition that can be followed leads to it; mend its transitions, or write ",
            )
            .add("`#[allow(unreachable)]` before it if it is entered only from outside")
            .panic();
        }
        excused = Flags::allows(Lint::Unreachable);
    }
    settle(Lints::NONE, flags, excused, machine);
    SourceNode::new(None, "")
}

/// Ends the compilation if a transition of a state can never be followed and `flags` do not allow that.
#[track_caller]
pub const fn transition(root: &'static Facts, state: &str, transition: usize, flags: u32) {
    let flags = Flags(flags);
    let (machine, reach, state) = reach(root, state);
    follow(
        reach.states.get(state).transitions.get(transition).can.runs(),
        reach.stuck(state, transition),
        flags,
        machine,
    );
}

/// Ends the compilation if a transition of `any` can never be followed and `flags` do not allow that. `state` is any of the machine's.
#[track_caller]
pub const fn any_transition(root: &'static Facts, state: &str, transition: usize, flags: u32) {
    let flags = Flags(flags);
    let (machine, reach, _) = reach(root, state);
    follow(reach.any.get(transition).can.runs(), reach.stuck_any(transition), flags, machine);
}

#[track_caller]
const fn follow(runs: bool, stuck: Option<&'static str>, flags: Flags, machine: &Facts) {
    if runs {
        Text::new(
            "a transition's condition is asked at once, so it cannot be running: take a `fn(&Context) -> bool`; ",
        )
        .add("a decorator of your own says with `const STATUSES` what it can give")
        .panic();
    }
    let mut excused = Flags::NONE;
    if let Some(why) = stuck
        && !machine.varies()
    {
        if !flags.has(Flags::allows(Lint::Unreachable)) {
            Text::new("this transition can never be followed: ")
                .add(why)
                .add("; mend or remove it, or write `#[allow(unreachable)]` before it if it is meant")
                .panic();
        }
        excused = Flags::allows(Lint::Unreachable);
    }
    settle(Lints::NONE, flags, excused, machine);
}

/// Ends the compilation if what is done on entering (0) or leaving (1) a state can be running.
#[track_caller]
pub const fn hook(root: &'static Facts, state: &str, hook: usize) {
    let (_, reach, state) = reach(root, state);
    if reach.states.get(state).hooks[hook].runs() {
        Text::new("what is done on entering or leaving a state is done at once, so it cannot be running: ")
            .add("take a `fn(&mut Context)`; a decorator of your own says with `const STATUSES` what it can give")
            .panic();
    }
}
