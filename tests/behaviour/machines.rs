//! Finite state machines.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World, act, check, entered, left, told};

use crate::support::running;

#[test]
fn the_first_state_is_the_initial_one_and_its_node_is_ticked() {
    let mut run = running(tree! { machine { state a { told(1), check(9) -> b } state b { told(2) } } });
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 1]);
}

#[test]
fn arrows_are_asked_in_order_before_the_node_is_ticked() {
    let mut run = running(tree! {
        machine { state a { told(1), check(8) -> b, check(9) -> c } state b { told(2) } state c { told(3) } }
    });
    run.tick(&[Failure, Failure, Running]);
    assert_eq!(run.ticked(), [8, 9, 1]);
    run.tick(&[Failure, Success, Running]);
    assert_eq!(run.ticked(), [8, 9, 3]);
    assert_eq!(run.halted(), [1]);
}

#[test]
fn a_bang_before_a_condition_turns_it_around() {
    let mut run = running(tree! { machine { state a { told(1), !check(9) -> b } state b { told(2) } } });
    run.tick(&[Success, Running]);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 2]);
}

#[test]
fn leaving_a_state_halts_its_node_then_does_exit_then_enter_then_ticks() {
    let mut run = running(tree! {
        machine {
            state a { told(1), check(9) -> b, enter: entered(100), exit: left(100) }
            state b { exit: left(200), enter: entered(200), told(2) }
        }
    });
    run.tick(&[Failure, Running]);
    assert_eq!(run.world.take_seen()[0], Event::Open(100), "the initial state is entered too");
    run.tick(&[Success, Running]);
    assert_eq!(
        run.world.take_seen()[..5],
        [
            Event::Tick(9, Success),
            Event::Close(1, End::Halted),
            Event::Close(100, End::Halted),
            Event::Open(200),
            Event::Enter(2)
        ]
    );
    run.halt();
    assert_eq!(run.world.take_seen(), [Event::Close(2, End::Halted), Event::Close(200, End::Halted)]);
}

#[test]
fn success_and_failure_are_followed_when_the_node_ends_and_the_next_starts_in_the_next_tick() {
    let mut run = running(tree! {
        machine { state a { told(1), success -> b, failure -> c } state b { told(2) } state c { told(3) } }
    });
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Failure]), Running);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.ticked(), [3]);
}

#[test]
fn a_node_whose_end_no_arrow_waits_for_starts_again_in_the_next_tick() {
    let mut run = running(tree! { machine { state a { told(1), failure -> b } state b { told(2) } } });
    assert_eq!(run.tick(&[Success]), Running);
    assert_eq!(run.tick(&[Success]), Running);
    assert_eq!(run.opened(), [1]);
}

#[test]
fn a_tick_follows_at_most_one_arrow_and_an_end_after_it_is_remembered() {
    let mut run = running(tree! {
        machine {
            state a { act(1), check(8) -> b }
            state b { act(2), check(9) -> a, success -> c }
            state c { act(3), success -> a }
        }
    });
    assert_eq!(run.tick(&[Success, Success]), Running);
    assert_eq!(run.ticked(), [8, 2], "b's node has ended, but a transition was followed already");
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 3], "the transitions of b are asked in order, and the end of its node among them");
}

#[test]
fn arrows_of_any_come_after_those_of_the_state_and_do_not_lead_back() {
    let mut run = running(tree! {
        machine { state a { told(1), check(8) -> b } state b { told(2) } state c { told(3) } any { check(9) -> c } }
    });
    run.tick(&[Failure, Failure, Running]);
    assert_eq!(run.ticked(), [8, 9, 1]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [8, 2]);
    run.tick(&[Success, Running]);
    assert_eq!(run.ticked(), [9, 3]);
    run.tick(&[Running]);
    assert_eq!(run.ticked(), [3], "c is not asked whether to go to c");
}

#[test]
fn arrows_of_any_do_not_lead_back_when_the_node_ends_either() {
    let mut run = running(tree! {
        machine { state a { told(1), exit: left(100), failure -> b } state b { told(2) } any { success -> a } }
    });
    for _ in 0..2 {
        run.tick(&[Success]);
        assert_eq!(run.ticked(), [1]);
        assert!(run.halted().is_empty(), "a is not left for itself");
    }
    run.tick(&[Failure]);
    assert_eq!(run.halted(), [100]);
    run.tick(&[Success]);
    run.tick(&[Running]);
    assert_eq!(run.ticked(), [1], "from b it leads to a");
}

#[test]
fn arrows_can_lead_out_and_the_next_run_begins_anew() {
    let mut run = running(tree! {
        selector {
            machine { state a { told(1), check(9) -> failure, success -> b } state b { told(2), success -> success } }
            told(3)
        }
    });
    run.tick(&[Failure, Success]);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.tick(&[Failure, Running]), Running);
    assert_eq!(run.ticked(), [9, 1]);
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.halted(), [1]);
    assert_eq!(run.ticked(), [9, 3]);
}

#[test]
fn an_error_ends_the_machine_and_leaves_its_state() {
    let mut run = running(tree! { machine { state a { told(1), exit: left(100) } } });
    run.tick(&[Running]);
    assert_eq!(run.tick(&[Error]), Error);
    assert!(!run.is_running());
    assert_eq!(run.halted(), [100]);
}

#[test]
fn states_hold_trees_and_machines() {
    let mut run = running(tree! {
        machine "outer" {
            state a {
                machine "inner" { state x { told(1), success -> y } state y { told(2), success -> success } }
                success -> b
            }
            state b { mem_sequence { told(3), told(4) }, success -> a }
        }
    });
    for (told, ticked) in [(1, [1]), (2, [2])] {
        assert_eq!(run.tick(&[Success]), Running, "{told}");
        assert_eq!(run.ticked(), ticked);
    }
    assert_eq!(run.tick(&[Success, Running]), Running);
    assert_eq!(run.ticked(), [3, 4]);
}

#[test]
fn a_machine_may_have_more_states_than_the_longest_tuple() {
    let tree = tree! {
        for World: machine {
            state a { told(0), success -> b } state b { told(1), success -> c } state c { told(2), success -> d }
            state d { told(3), success -> e } state e { told(4), success -> f } state f { told(5), success -> g }
            state g { told(6), success -> h } state h { told(7), success -> i } state i { told(8), success -> j }
            state j { told(9), success -> success }
        }
    };
    let mut run = running(tree);
    for number in 0..9 {
        assert_eq!(run.tick(&[Success]), Running);
        assert_eq!(run.ticked(), [number]);
    }
    assert_eq!(run.tick(&[Success]), Success);
}

/// The machine of the text, over plain leaves.
fn sheep() -> impl StateMachine<World> + Save {
    fn go(_: &mut World) -> Status {
        Running
    }
    tree! {
        for World: machine "sheep" {
            state idle     { go, check(1) -> obey, check(2) -> fear }
            state obey     { go, !check(1) -> stopping, check(2) -> fear }
            state stopping { go, success -> idle, check(1) -> obey }
            state fear     { go, !check(2) -> idle }
        }
    }
}

#[test]
fn four_states_of_plain_leaves_take_a_byte() {
    assert_eq!(size_of_val(&sheep().memory()), 1);
}

#[test]
fn one_machine_controls_many_agents_each_with_its_own_memory() {
    let sheep = sheep();
    let (mut ann, mut ben) = (sheep.memory(), sheep.memory());
    sheep.tick(&mut World::telling(&[Success]), &mut ann);
    sheep.tick(&mut World::telling(&[Failure]), &mut ben);
    assert_eq!((sheep.state(&ann), sheep.state(&ben)), (Some("obey"), Some("idle")));
}

#[test]
fn states_are_listed_and_forced_by_name() {
    let sheep = sheep();
    assert_eq!(sheep.states().collect::<Vec<_>>(), ["idle", "obey", "stopping", "fear"]);
    let mut memory = sheep.memory();
    assert_eq!(sheep.state(&memory), None);
    let mut world = World::telling(&[Failure]);
    sheep.to("stopping", &mut world, &mut memory).expect("there is such a state");
    assert_eq!((sheep.state(&memory), sheep.state_index(&memory)), (Some("stopping"), Some(2)));
    let error = sheep.to("stoping", &mut world, &mut memory).unwrap_err();
    assert_eq!(error.to_string(), "unknown state `stoping`; the states are: idle, obey, stopping, fear");
    assert_eq!(sheep.state(&memory), Some("stopping"));
    assert_eq!(sheep.to_index(4, &mut world, &mut memory), None);
}

#[test]
fn forcing_a_state_halts_exits_and_enters() {
    #[subtree]
    fn machine() -> impl StateMachine<World> {
        tree! { machine { state a { told(1), exit: left(100), check(9) -> b } state b { told(2), enter: entered(200) } } }
    }
    let machine = machine();
    let mut memory = machine.memory();
    let mut world = World::telling(&[Failure, Running]);
    machine.tick(&mut world, &mut memory);
    world.take_seen();
    machine.to("b", &mut world, &mut memory).expect("there is such a state");
    assert_eq!(world.take_seen(), [Event::Close(1, End::Halted), Event::Close(100, End::Halted), Event::Open(200)]);
}

#[test]
fn forcing_a_state_on_a_machine_that_is_not_running_enters_it() {
    let machine =
        tree! { for World: machine { state a { told(1), success -> b } state b { told(2), enter: entered(200) } } };
    let (mut world, mut memory) = (World::telling(&[Running]), machine.memory());
    assert_eq!(machine.to("b", &mut world, &mut memory).ok(), Some(Running));
    assert_eq!(world.take_seen(), [Event::Open(200)], "the state before has not been left");
    assert_eq!(machine.state(&memory), Some("b"));
    machine.tick(&mut world, &mut memory);
    assert_eq!(world.take_seen(), [Event::Enter(2), Event::Open(2), Event::Tick(2, Running), Event::Exit(2, Running)]);
}

#[test]
fn observers_see_a_state_that_is_forced() {
    #[subtree]
    fn machine() -> impl StateMachine<World> {
        tree! {
            machine { state a { told(1), exit: left(100), check(9) -> b } state b { told(2), enter: entered(200), check(9) -> a } }
        }
    }
    let machine = machine();
    let (mut world, mut memory) = (World::telling(&[Failure, Running]), machine.memory());
    let (mut events, mut statuses, mut recorder) =
        (Events::default(), Statuses::default(), bt_core::observe::Recorder::new(100));
    let ids = ["a", "b"].map(|name| machine.description().nodes().iter().find(|node| node.name == name).unwrap().id);
    let index = |id: NodeId| u32::try_from(id.index()).unwrap();
    let [a, b] = ids.map(index);

    machine
        .to_with("a", &mut world, &mut memory, &mut (&mut events, &mut statuses, &mut recorder))
        .expect("there is such a state");
    assert_eq!(
        std::mem::take(&mut events.0),
        [
            Event::Enter(0),
            Event::Open(0),
            Event::Enter(1),
            Event::Open(1),
            Event::State(1, 0),
            Event::Tick(1, Running),
            Event::Exit(1, Running),
            Event::Tick(0, Running),
            Event::Exit(0, Running)
        ],
        "a run begins"
    );
    machine.tick_with(&mut world, &mut memory, &mut (&mut events, &mut statuses, &mut recorder));
    assert!(statuses.is_running(ids[0]));
    events.0.clear();
    let index = machine.states().position(|state| state == "b").unwrap();
    machine
        .to_index_with(index, &mut world, &mut memory, &mut (&mut events, &mut statuses, &mut recorder))
        .expect("there is such a state");
    let seen = std::mem::take(&mut events.0);
    let begin = [Event::Enter(0), Event::Enter(1), Event::Close(a + 1, End::Halted), Event::Close(a, End::Halted)];
    assert_eq!(seen[..4], begin, "it is a visit of the machine");
    assert!(seen.contains(&Event::State(1, 1)) && seen.contains(&Event::Tick(b + 3, Success)), "{seen:?}");
    assert!(!statuses.is_running(ids[0]), "only one of the states runs");
    machine.tick_with(&mut world, &mut memory, &mut (&mut events, &mut statuses, &mut recorder));
    assert!(statuses.is_running(ids[1]) && !statuses.is_running(ids[0]) && statuses.is_running(NodeId::ROOT));
    let mut told = Statuses::default();
    recorder.recording(0).unwrap().ticks().for_each(|tick| tick.replay(&machine.description(), &mut told));
    for node in machine.description().nodes() {
        assert_eq!(told.is_running(node.id), statuses.is_running(node.id), "{node}");
    }
}

#[test]
fn an_error_in_forcing_a_state_ends_the_machine() {
    struct Npc(Vec<NodeId>);
    impl OnError<()> for Npc {
        fn on_error(&mut self, at: NodeId, (): ()) {
            self.0.push(at);
        }
    }
    fn broken(_: &mut Npc) -> Result<(), ()> {
        Err(())
    }
    let machine =
        tree! { for Npc: machine { state a { run, |npc: &Npc| npc.0.len() > 9 -> b } state b { run, enter: broken } } };
    let (mut npc, mut memory) = (Npc(vec![]), machine.memory());
    machine.tick(&mut npc, &mut memory);
    let mut statuses = Statuses::default();
    let mut recorder = bt_core::observe::Recorder::new(100);
    let mut all = (&mut statuses, &mut recorder);
    assert_eq!(machine.to_with("b", &mut npc, &mut memory, &mut all).ok(), Some(Error));
    assert!(!memory.is_running());
    assert_eq!(statuses.last(NodeId::ROOT).map(|seen| seen.last), Some(bt_core::observe::Last::Returned(Error)));
    let tick = recorder.recording(0).unwrap().ticks().next().expect("it was recorded");
    assert_eq!(tick.status, Some(Error));
    let mut again = Statuses::default();
    tick.replay(&machine.description(), &mut again);
    for node in machine.description().nodes() {
        assert_eq!(again.last(node.id).map(|seen| seen.last), statuses.last(node.id).map(|seen| seen.last), "{node}");
    }
    assert!(machine.description().node(npc.0[0]).unwrap().title().ends_with("broken"));
    assert_eq!(machine.to("b", &mut npc, &mut memory).ok(), Some(Error));
    assert!(!memory.is_running());
}

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
fn what_a_machine_can_give_is_known() {
    fn can<N: Node<World>>(_: &N) -> Outcomes {
        N::CAN
    }
    let forever =
        tree! { for World: machine { state a { check(1), success -> b } state b { check(2), failure -> a } } };
    assert_eq!(can(&forever), Outcomes::RUNNING);
    let ends = tree! { for World: machine { state a { check(1), success -> failure } } };
    assert_eq!(can(&ends), Outcomes::RUNNING.or(Outcomes::FAILURE));
    assert_eq!(can(&tree! { for World: machine { state a { told(1) } } }), Outcomes::RUNNING.or(Outcomes::ERROR));
}

#[test]
fn a_machine_is_saved_in_its_state() {
    let sheep = sheep();
    let mut memory = sheep.memory();
    sheep.to("fear", &mut World::default(), &mut memory).expect("there is such a state");
    let save = serde_json::to_string(&sheep.saved(&memory)).expect("it can be saved");
    let memory = sheep.load(&mut serde_json::Deserializer::from_str(&save)).expect("it is the same tree");
    assert_eq!(sheep.state(&memory), Some("fear"));
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
    let tree = tree! { for World: machine "a \"b\"" { state a { act(1), |w: &World| w.told.len() > 3 -> b } state b { act(2) } } };
    let mermaid = tree.description().state_diagram();
    for text in ["state \"machine a #quot;b#quot;\" as n0 {", "n1 --> n4 : |w: &World| w.told.len() #62; 3"] {
        assert!(mermaid.contains(text), "{mermaid}");
    }
}

#[test]
fn arrows_of_any_and_out_are_drawn() {
    let tree = tree! {
        for World: invert { machine { state a { act(1), success -> success } state b { act(2) } any { check(9) -> b, |w: &World| w.told.is_empty() -> failure } } }
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

#[test]
fn what_a_machine_can_give_follows_from_its_arrows() {
    fn can<N: Node<bool>>(_: &N) -> Outcomes {
        N::CAN
    }
    let on = |on: &bool| *on;
    // It ends in its first tick.
    assert_eq!(can(&tree! { machine { state a { |_: &mut bool| () } any { success -> failure } } }), Outcomes::FAILURE);
    assert_eq!(can(&tree! { machine { state a { |_: &mut bool| (), success -> success } } }), Outcomes::SUCCESS);
    assert_eq!(
        can(&tree! { machine { state a { |_: &mut bool| () } any { on -> failure } } }),
        Outcomes::FAILURE.or(Outcomes::RUNNING)
    );
    // Nothing leads to the state that would end it.
    let idle = tree! { for bool: machine { state a { run, #[allow(unreachable)] fail -> b } #[allow(unreachable)] state b { run, on -> success } } };
    assert_eq!(can(&idle), Outcomes::RUNNING);
    // Entered only from outside.
    let mut memory = idle.memory();
    idle.to("b", &mut false, &mut memory).expect("there is such a state");
    assert_eq!(idle.tick(&mut true, &mut memory), Status::Success);
}

#[test]
fn a_loaded_machine_is_asked_for_its_state_and_forced_like_a_written_one() {
    use bt_dynamic::{NoProperties, Registry, StateError};
    let mut registry = bt_dynamic::Registry::<World>::new();
    registry.add_with("One", |_: NoProperties| told(1)).add_with("Two", |_: NoProperties| told(2));
    registry.add_with("Check", |_: NoProperties| check(9));
    let machine = r#"
        "m": { "name": "machine", "title": "mood", "children": ["a", "b"] },
        "a": { "name": "state", "properties": { "name": "a", "transitions": ["Check -> b"] }, "children": ["1"] },
        "b": { "name": "state", "properties": { "name": "b", "transitions": ["Check -> a"] }, "children": ["2"] },
        "1": { "name": "One" }, "2": { "name": "Two" }"#;
    let load = |registry: &Registry<World>, root: &str, more: &str| {
        registry
            .load(&format!(r#"{{ "root": "{root}", "nodes": {{ {machine} {more} }} }}"#))
            .expect("nothing is wrong with it")
    };
    let loaded = load(&registry, "m", "");
    let written =
        tree! { for World: machine "mood" { state a { told(1), check(9) -> b } state b { told(2), check(9) -> a } } };
    let mood = loaded.machine("mood").expect("it has that title");
    assert_eq!(mood.id(), NodeId::ROOT);
    assert!(loaded.machine("m").is_some() && loaded.machine("a").is_none());
    let mut worlds = [World::telling(&[Failure, Running]), World::telling(&[Failure, Running])];
    let (mut first, mut second) = (written.memory(), loaded.memory());
    let mut step = |what: &str| {
        let mut events = [Events::default(), Events::default()];
        let [one, other] = &mut worlds;
        if what == "tick" {
            let status = written.tick_with(one, &mut first, &mut events[0]);
            assert_eq!(loaded.tick_with(other, &mut second, &mut events[1]), status);
        } else {
            written.to_with(what, one, &mut first, &mut events[0]).expect("there is such a state");
            mood.to_with(what, other, &mut second, &mut events[1]).expect("there is such a state");
        }
        assert_eq!(events[0].0, events[1].0, "{what}");
        assert_eq!(one.take_seen(), other.take_seen());
        assert_eq!(written.state(&first), mood.state(&second));
        mood.state(&second)
    };
    for (what, state) in
        [("b", "b"), ("tick", "b"), ("a", "a"), ("tick", "a"), ("a", "a"), ("tick", "a"), ("b", "b"), ("tick", "b")]
    {
        assert_eq!(step(what), Some(state), "{what}");
    }
    loaded.halt(&mut worlds[1], &mut second);
    assert_eq!(mood.state(&second), None);

    let above = load(&registry, "s", r#", "s": { "name": "Sequence", "children": ["m"] }"#);
    let (mood, mut memory) = (above.machine("m").expect("it has that id"), above.memory());
    let mut world = World::telling(&[Failure, Running]);
    assert_eq!(mood.to("b", &mut world, &mut memory), Err(StateError::NotRunning));
    above.tick(&mut world, &mut memory);
    mood.to("b", &mut world, &mut memory).expect("it runs");
    assert_eq!(mood.state(&memory), Some("b"));
    assert_eq!(
        mood.to("c", &mut world, &mut memory).unwrap_err().to_string(),
        "unknown state `c`; the states are: a, b"
    );
}

#[test]
fn a_leaf_asks_for_a_state_and_a_tick_follows_one_arrow() {
    use bt_core::machine::{HasStateRequest, StateRequest, requested};
    #[derive(Default)]
    struct Npc {
        next: StateRequest,
        wants: Option<&'static str>,
        log: Vec<&'static str>,
    }
    impl HasStateRequest for Npc {
        fn state_request(&mut self) -> &mut StateRequest {
            &mut self.next
        }
    }
    #[action]
    fn stay(npc: &mut Npc, name: &'static str) -> Status {
        npc.log.push(name);
        if let Some(state) = npc.wants.take() {
            npc.next.to(state);
        }
        Running
    }
    let machine = tree! {
        for Npc: machine {
            state a { stay("a") } state b { stay("b") } state c { stay("c") }
            any { requested("a") -> a, requested("b") -> b, requested("c") -> c }
        }
    };
    let (mut npc, mut memory) = (Npc::default(), machine.memory());
    for wants in [None, Some("b"), None, Some("b"), Some("c"), None, None] {
        npc.wants = wants;
        machine.tick(&mut npc, &mut memory);
    }
    // Who asks for the state that it is in stays there, until it asks for another.
    assert_eq!(npc.log, ["a", "a", "b", "b", "b", "c", "c"]);
    assert_eq!(npc.next.get(), None);
    npc.next.to("nowhere");
    npc.next.clear();
    assert_eq!(npc.next, StateRequest::new());
}
