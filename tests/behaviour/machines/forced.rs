//! States that are set from outside, or requested by a leaf.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World, check, entered, left, told};

use super::{sheep, ten_states};

#[test]
fn states_are_listed_and_forced_by_name() {
    let sheep = sheep();
    assert_eq!(sheep.states().collect::<Vec<_>>(), ["idle", "obey", "stopping", "fear"]);
    let mut memory = sheep.memory();
    assert_eq!(sheep.state(&memory), None);
    let mut world = World::telling(&[Failure]);
    sheep.to("stopping", &mut world, &mut memory).expect("there is such a state");
    assert_eq!(sheep.state(&memory), Some("stopping"));
    let error = sheep.to("stoping", &mut world, &mut memory).unwrap_err();
    assert_eq!(error.to_string(), "unknown state `stoping`; the states are: idle, obey, stopping, fear");
    assert_eq!(sheep.state(&memory), Some("stopping"));
}

#[test]
fn forcing_a_state_halts_exits_and_enters() {
    #[subtree]
    fn machine() -> impl StateMachine<World> {
        tree! {
            machine { state a { told(1), exit: left(100), check(9) -> b } state b { told(2), enter: entered(200) } }
        }
    }
    let machine = machine();
    let mut memory = machine.memory();
    let mut world = World::telling(&[Failure, Running]);
    machine.tick(&mut world, &mut memory);
    world.take_seen();
    machine.to("b", &mut world, &mut memory).expect("there is such a state");
    assert_eq!(
        world.take_seen(),
        [
            Event::Close(1, End::Halted(Cause::Preempted)),
            Event::Close(100, End::Halted(Cause::Preempted)),
            Event::Open(200)
        ]
    );
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
            machine {
                state a { told(1), exit: left(100), check(9) -> b }
                state b { told(2), enter: entered(200), check(9) -> a }
            }
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
    machine
        .to_with("b", &mut world, &mut memory, &mut (&mut events, &mut statuses, &mut recorder))
        .expect("there is such a state");
    let seen = std::mem::take(&mut events.0);
    let begin = [
        Event::Enter(0),
        Event::Enter(1),
        Event::Close(a + 1, End::Halted(Cause::Preempted)),
        Event::Close(a, End::Halted(Cause::Preempted)),
    ];
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
    assert_eq!(statuses.last(NodeId::ROOT), Some(bt_core::observe::Last::Returned(Error)));
    let tick = recorder.recording(0).unwrap().ticks().next().expect("it was recorded");
    assert_eq!(tick.status, Some(Error));
    let mut again = Statuses::default();
    tick.replay(&machine.description(), &mut again);
    for node in machine.description().nodes() {
        assert_eq!(again.last(node.id), statuses.last(node.id), "{node}");
    }
    assert!(machine.description().node(npc.0[0]).unwrap().title().ends_with("broken"));
    assert_eq!(machine.to("b", &mut npc, &mut memory).ok(), Some(Error));
    assert!(!memory.is_running());
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
            state a { stay("a") }
            state b { stay("b") }
            state c { stay("c") }
            any { requested("a") -> a, requested("b") -> b, requested("c") -> c }
        }
    };
    let description = machine.description();
    assert_eq!(description.find("requested").map(|node| node.params[0].value.as_str()), Some("\"a\""));
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

#[test]
fn a_machine_of_more_states_than_the_longest_tuple_is_forced_too() {
    let machine = ten_states();
    assert_eq!(machine.states().collect::<String>(), "abcdefghij");
    let (mut world, mut memory) = (World::telling(&[Running]), machine.memory());
    for (index, name) in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].into_iter().enumerate() {
        assert_eq!(machine.to(name, &mut world, &mut memory).ok(), Some(Running));
        assert_eq!(machine.state(&memory), Some(name));
        assert_eq!(machine.tick(&mut world, &mut memory), Running);
        assert_eq!(world.take_ticked(), [u32::try_from(index).expect("small")]);
    }
    let error = machine.to("k", &mut world, &mut memory).unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn an_observer_that_can_sleep_sees_a_forced_state_while_it_is_awake() {
    #[derive(Default)]
    struct Sleeper {
        asleep: bool,
        events: u32,
        skipped: u32,
    }
    impl Observer for Sleeper {
        const SLEEPS: bool = true;
        fn is_asleep(&self) -> bool {
            self.asleep
        }
        fn skipped(&mut self) {
            self.skipped += 1;
        }
        fn state(&mut self, _: NodeId, _: usize) {
            self.events += 1;
        }
    }
    let machine = sheep();
    let (mut world, mut memory, mut observer) = (World::telling(&[Running]), machine.memory(), Sleeper::default());
    machine.to_with("obey", &mut world, &mut memory, &mut observer).expect("there is such a state");
    assert_eq!((observer.events, observer.skipped), (1, 0));
    observer.asleep = true;
    machine.to_with("idle", &mut world, &mut memory, &mut observer).expect("there is such a state");
    assert_eq!((observer.events, observer.skipped), (1, 1));
}
