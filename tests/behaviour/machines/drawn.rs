//! Machines in descriptions, drawings and events.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World, act, check, told};

use super::sheep;

#[test]
fn changes_of_state_are_events() {
    let tree =
        tree! { for World: sequence { told(1), machine { state a { told(2), check(9) -> b } state b { told(3) } } } };
    let mut memory = tree.memory();
    let mut world = World::telling(&[Success, Failure, Running, Success, Success, Running]);
    let mut events = Events::default();
    tree.tick_with(&mut world, &mut memory, &mut events);
    tree.tick_with(&mut world, &mut memory, &mut events);
    let changes: Vec<_> = events.0.into_iter().filter(|event| matches!(event, Event::State(..))).collect();
    assert_eq!(changes, [Event::State(2, 0), Event::State(2, 1)]);
}

#[test]
fn states_and_arrows_are_drawn() {
    let description = sheep().description();
    assert_eq!(
        description.to_string(),
        "\
machine \"sheep\"
├─ idle [check(1) -> obey, check(2) -> fear]
│  ├─ go
│  ├─ when: check(number: 1)
│  └─ when: check(number: 2)
├─ obey [!check(1) -> stopping, check(2) -> fear]
│  ├─ go
│  ├─ when: invert
│  │  └─ check(number: 1)
│  └─ when: check(number: 2)
├─ stopping [success -> idle, check(1) -> obey]
│  ├─ go
│  └─ when: check(number: 1)
└─ fear [!check(2) -> idle]
   ├─ go
   └─ when: invert
      └─ check(number: 2)
"
    );
    assert_eq!(
        description.state_diagram(),
        "\
stateDiagram-v2
    state \"machine sheep\" as n0 {
        [*] --> n1
        n1 : idle
        n5 : obey
        n10 : stopping
        n13 : fear
        n1 --> n5 : check(1)
        n1 --> n13 : check(2)
        n5 --> n10 : !check(1)
        n5 --> n13 : check(2)
        n10 --> n1 : success
        n10 --> n5 : check(1)
        n13 --> n1 : !check(2)
    }
"
    );
}

#[test]
fn signs_that_mean_something_to_mermaid_are_written_as_entities() {
    let tree = tree! {
        for World: machine "a \"b\"" { state a { act(1), |w: &World| w.told.len() > 3 -> b } state b { act(2) } }
    };
    let mermaid = tree.description().state_diagram();
    let lines = tree! { for World: sequence "a\nb" { act(1) } };
    assert!(lines.description().draw().mermaid().contains("a<br/>b"));
    for text in ["state \"machine a #quot;b#quot;\" as n0 {", "n1 --> n4 : |w: &World| w.told.len() #62; 3"] {
        assert!(mermaid.contains(text), "{mermaid}");
    }
}

#[test]
fn arrows_of_any_and_out_are_drawn() {
    let tree = tree! {
        for World: invert {
            machine {
                state a { act(1), success -> success }
                state b { act(2) }
                any { check(9) -> b, |w: &World| w.told.is_empty() -> failure }
            }
        }
    };
    let lines = tree.description().lines();
    assert_eq!(lines[1], "└─ machine [check(9) -> b, |w: &World| w.told.is_empty() -> failure]");
    let mermaid = tree.description().state_diagram();
    for line in
        ["n2 --> [*] : success", "n2 --> n4 : check(9)", "n2 --> [*] : |w: &World| w.told.is_empty(), then failure"]
    {
        assert!(mermaid.contains(line), "{line}: {mermaid}");
    }
    let dot = tree.description().draw().dot();
    for line in [
        "digraph tree {",
        "n0 [label=\"invert\"",
        "n0 -> n1",
        "n2 -> n4 [style=dashed, label=\"check(9)\"",
        "n2 -> out1",
    ] {
        assert!(dot.contains(line), "{line}: {dot}");
    }
}
