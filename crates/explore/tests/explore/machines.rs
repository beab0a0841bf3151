//! State machines.

use bt_core::prelude::*;
use bt_explore::{explore, flip};

#[derive(Clone, Hash, Default, Debug)]
struct Sheep {
    dog: bool,
    wolf: bool,
}

fn herded(sheep: &Sheep) -> bool {
    sheep.dog
}

fn wolf_near(sheep: &Sheep) -> bool {
    sheep.wolf
}

fn lame(_: &Sheep) -> bool {
    false
}

#[subtree]
fn sheep() -> impl StateMachine<Sheep> + Save {
    tree! {
        machine {
            state graze { run, herded -> obey, lame -> lie }
            state obey { run, !herded -> graze }
            state fear { run, !wolf_near -> graze }
            state lie { run }
            any { wolf_near -> fear }
        }
    }
}

fn moves(sheep: &mut Sheep) {
    sheep.dog = flip("the dog is near");
    sheep.wolf = flip("the wolf is near");
}

#[test]
fn states_and_transitions() {
    let exploration = explore(sheep(), Sheep::default())
        .environment(moves)
        // The dog comes first: the transitions of a state are considered before those of all states, and one is taken per tick.
        .never("flees from the dog", |tick| {
            tick.ctx.wolf && tick.ctx.dog && tick.before.dog && tick.state("sheep") == Some("graze")
        })
        .responds(
            "flees",
            |tick| tick.ctx.wolf && !tick.ctx.dog,
            |tick| !tick.ctx.wolf || tick.ctx.dog || tick.state("sheep") == Some("fear"),
            1,
        )
        .always_possible("grazes", |tick| tick.state("machine") == Some("graze"))
        .sometimes("obeys", |tick| tick.state("sheep") == Some("obey"))
        .check();
    let transitions = &exploration.unseen().transitions;
    let text: Vec<_> = transitions.iter().map(|(machine, from, to)| format!("{machine}: {from} -> {to}")).collect();
    assert_eq!(text, ["sheep/machine: graze -> lie"]);
    assert_eq!(exploration.unseen().nodes, ["sheep/lie"]);
}

#[test]
fn a_state_that_cannot_be_left_is_a_trap() {
    let trap = tree! {
        for Sheep: machine {
            state graze { run, wolf_near -> hide, herded -> success }
            state hide { run, lame -> graze }
        }
    };
    let exploration = explore(trap, Sheep::default())
        .environment(moves)
        .always_possible("grazes", |tick| tick.state("machine") == Some("graze"))
        .sometimes("ends", |tick| tick.status == Status::Success)
        .run();
    let violated: Vec<_> = exploration.violations().map(|verdict| &*verdict.name).collect();
    assert_eq!(violated, ["grazes"]);
    let text: Vec<_> = exploration.unseen().transitions.iter().map(|(_, from, to)| format!("{from} -> {to}")).collect();
    assert_eq!(text, ["hide -> graze"], "the transition to success was taken");
}

#[test]
#[should_panic = "no machine is named `run` in this tree"]
fn a_state_of_a_node_that_is_no_machine_panics() {
    explore(sheep(), Sheep::default()).always("", |tick| tick.state("run").is_some()).check();
}

#[test]
fn a_machine_that_was_halted_is_in_no_state() {
    let tree = tree! {
        for Sheep: selector {
            sequence { wolf_near, run "flee" }
            machine "mood" { state graze { run, herded -> obey } state obey { run } }
        }
    };
    let exploration = explore(tree, Sheep::default())
        .environment(moves)
        .always("a machine that is not running is in no state", |tick| {
            tick.is_running("mood") == tick.state("mood").is_some()
        })
        .sometimes("halted in its second state", |tick| tick.halted("mood") && tick.before.dog)
        .check();
    // The transition after a halt is not one from the state before it.
    assert!(exploration.unseen().transitions.is_empty(), "{exploration}");
}
