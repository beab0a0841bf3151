//! Checks of the parts of a machine at their location in a `tree!`. The constants of expansions call these functions.

use bt_words::Flags;
use bt_words::analysis::{Below, Finding, Lints, Message, must_end};

use crate::check::report::{self, stop};
use crate::check::site::{parent, settle};
use crate::describe::SourceNode;
use crate::facts::{Facts, Reach};

/// Returns the machine of the state at this path, its reachable parts, and the index of the state.
const fn reach(root: &'static Facts, state: &str) -> (&'static Facts, &'static Reach, usize) {
    let (machine, index) = parent(root, state);
    match machine.below {
        Below::States(reach) => (machine, reach, index),
        _ => panic!("the path is not in a machine"),
    }
}

/// Returns the source location of a state. Ends the compilation if the state is unreachable and `flags` do not allow that.
#[track_caller]
pub const fn state(root: &'static Facts, state: &str, flags: u32) -> SourceNode {
    let flags = Flags(flags);
    let (machine, reach, index) = reach(root, state);
    let is_unreachable = !reach.enters(index) && !machine.varies;
    let excused = report::found(if is_unreachable { Some(Finding::State) } else { None }, flags);
    settle(Lints::NONE, flags, excused, machine);
    SourceNode::new(None, "")
}

/// Ends the compilation if a transition of a state is unreachable and `flags` do not allow that.
#[track_caller]
pub const fn transition(root: &'static Facts, state: &str, transition: usize, flags: u32) {
    let flags = Flags(flags);
    let (machine, reach, state) = reach(root, state);
    follow(
        reach.states.get(state).transitions.get(transition).returns.runs(),
        reach.stuck(state, transition),
        flags,
        machine,
    );
}

/// Ends the compilation if a transition of `any` is unreachable and `flags` do not allow that. `state` is the path of any state of the machine.
#[track_caller]
pub const fn any_transition(root: &'static Facts, state: &str, transition: usize, flags: u32) {
    let flags = Flags(flags);
    let (machine, reach, _) = reach(root, state);
    follow(reach.any.get(transition).returns.runs(), reach.stuck_any(transition), flags, machine);
}

#[track_caller]
const fn follow(runs: bool, stuck: Option<&'static str>, flags: Flags, machine: &Facts) {
    if runs {
        stop(&Message::new(must_end::TRANSITION));
    }
    let excused = match stuck {
        Some(why) if !machine.varies => report::found(Some(Finding::Transition(why)), flags),
        _ => Flags::NONE,
    };
    settle(Lints::NONE, flags, excused, machine);
}

/// Ends the compilation if the `enter:` (0) or `exit:` (1) action of a state can return `Running`.
#[track_caller]
pub const fn hook(root: &'static Facts, state: &str, hook: usize) {
    let (_, reach, state) = reach(root, state);
    if reach.states.get(state).hooks[hook].runs() {
        stop(&Message::new(must_end::HOOK));
    }
}
