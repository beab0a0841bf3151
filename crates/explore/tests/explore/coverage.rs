//! What never happens.

use bt_core::prelude::*;
use bt_explore::{choose, explore};

#[derive(Clone, Hash, Default, Debug)]
struct Npc(u8);

fn is_five(npc: &Npc) -> bool {
    npc.0 == 5
}

fn step(npc: &mut Npc) -> Status {
    npc.0 = (npc.0 + 2) % 4;
    if choose(2) == 0 { Status::Running } else { Status::Success }
}

#[test]
fn nodes_that_are_never_visited_are_listed_without_those_below() {
    let tree = tree! { for Npc: selector { sequence "five" { is_five, sequence "rest" { step, step } } step "go" } };
    let exploration = explore(tree, Npc(0)).run();
    let unseen = exploration.unseen();
    assert_eq!(unseen.nodes, ["five/rest"]);
    let statuses: Vec<_> = unseen.statuses.iter().map(|(node, status)| (&**node, *status)).collect();
    assert_eq!(
        statuses,
        [
            ("selector", Status::Failure),
            ("five", Status::Success),
            ("five", Status::Running),
            ("five/is_five", Status::Success),
            ("go", Status::Failure),
        ]
    );
    assert!(!unseen.is_empty());
    assert!(exploration.to_string().contains("never visited: five/rest\nnever failure: selector\n"), "{exploration}");
}

#[test]
fn a_state_in_which_nothing_changes_is_stuck() {
    fn fall(npc: &mut Npc) -> Status {
        if npc.0 < 3 {
            npc.0 += u8::try_from(choose(2)).unwrap_or(0);
        }
        Status::Running
    }
    let exploration = explore(tree! { for Npc: fall }, Npc(0)).run();
    assert_eq!(exploration.stuck_states(), 1);
    assert_eq!(exploration.stuck().map(|run| run.ticks.len()), Some(3));
    assert!(
        exploration.to_string().contains("nothing changes any more in 1 of the states, in the first after 3 ticks")
    );

    let exploration = explore(tree! { for Npc: step }, Npc(0)).run();
    assert_eq!((exploration.stuck_states(), exploration.stuck().is_none()), (0, true));
}
