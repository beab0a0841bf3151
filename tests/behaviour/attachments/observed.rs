//! Conditions and actions in descriptions, drawings and recordings.

use bt_core::Status::Success;
use bt_core::observe::{Recorder, Statistics, Statuses};
use bt_core::prelude::*;
use bt_tests::world::{Event, Events};

use super::{Npc, flag, note, stay};

/// A machine whose every part can break.
fn breakable() -> impl StateMachine<Npc> {
    tree! {
        machine {
            state a { stay("a"), sequence { flag, note("guard") } -> b, enter: note("enter a"), exit: note("exit a") }
            state b { stay("b"), enter: note("enter b"), exit: note("exit b") }
            any { sequence { !flag, note("any") } -> b }
        }
    }
}

#[test]
fn they_are_described_drawn_and_observed() {
    let tree = breakable();
    let description = tree.description();
    assert_eq!(
        description.to_string(),
        "\
machine [sequence { !flag, note(\"any\") } -> b]
├─ a [sequence { flag, note(\"guard\") } -> b]
│  ├─ Stay
│  ├─ when: sequence
│  │  ├─ flag
│  │  └─ note(what: \"guard\")
│  ├─ enter: note(what: \"enter a\")
│  └─ exit: note(what: \"exit a\")
├─ b
│  ├─ Stay
│  ├─ enter: note(what: \"enter b\")
│  └─ exit: note(what: \"exit b\")
└─ when: sequence
   ├─ invert
   │  └─ flag
   └─ note(what: \"any\")
"
    );
    let guard = description.node(NodeId::new(3)).unwrap();
    assert!(!guard.role.is_child());
    let location = guard.location.as_ref().expect("it stands in a tree");
    assert!(location.file.ends_with("observed.rs") && location.line > 10, "{location}");
    assert_eq!(description.children(NodeId::new(1)).map(|node| node.id.index()).collect::<Vec<_>>(), [2]);
    assert_eq!(description.attachments(NodeId::new(1)).map(|node| node.id.index()).collect::<Vec<_>>(), [3, 6, 7]);
    assert_eq!(description.attachments(NodeId::ROOT).map(|node| node.id.index()).collect::<Vec<_>>(), [12]);
    let read: bt_core::describe::Description =
        serde_json::from_str(&serde_json::to_string(&description).expect("it is data")).expect("it was just written");
    assert_eq!(read, description);

    let (mut npc, mut memory) = (Npc { flag: true, ..Npc::default() }, tree.memory());
    let (mut events, mut statuses, mut statistics) = (Events::default(), Statuses::default(), Statistics::default());
    let mut recorder = Recorder::new(1000);
    let mut all = (&mut events, &mut statuses, &mut statistics, &mut recorder);
    tree.tick_with(&mut npc, &mut memory, &mut all.for_agent(1, secs(0)));
    assert_eq!(statistics.of(NodeId::new(3)).visits, 1);
    assert!(statistics.coverage(&description).to_string().contains("exit b"), "what was never done is told");
    let drawn = description.draw().with(&statuses).to_string();
    assert!(drawn.lines().any(|line| line.contains("when: sequence") && line.contains("Success")), "{drawn}");
    let mut told = Events::default();
    recorder.recording(1).unwrap().ticks().for_each(|tick| tick.replay(&description, &mut told));
    assert_eq!(told.0, events.0);
    assert!(told.0.contains(&Event::Tick(6, Success)), "what is done on entering is a visit");

    for drawing in [description.draw().dot(), description.draw().mermaid(), description.draw().svg()] {
        assert!(drawing.contains("when: sequence"), "{drawing}");
    }
}
