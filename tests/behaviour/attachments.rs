//! The conditions of transitions, what is done on entering and leaving states, and the actions of services: nodes that keep their state, have ids and give
//! errors like any other, in both engines.

use bt_core::Status::{Error, Running, Success};
use bt_core::observe::{Recorder, Statistics, Statuses};
use bt_core::prelude::*;
use bt_dynamic::{DynTree, Registry};
use bt_tests::world::{Event, Events};

/// What happens to an agent, and what it is told.
#[derive(Default)]
struct Npc {
    now: Duration,
    flag: bool,
    breaks: Option<&'static str>,
    log: Vec<&'static str>,
    errors: Vec<(NodeId, Broken)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Broken(&'static str);

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

impl OnError<Broken> for Npc {
    fn on_error(&mut self, at: NodeId, error: Broken) {
        self.errors.push((at, error));
    }
}

#[condition]
fn flag(npc: &Npc) -> bool {
    npc.flag
}

/// Does something; gives an error if it is to break.
#[action]
fn note(npc: &mut Npc, what: &'static str) -> Result<(), Broken> {
    if npc.breaks == Some(what) {
        return Err(Broken(what));
    }
    npc.log.push(what);
    Ok(())
}

/// A leaf that runs until it is halted.
struct Stay(&'static str);

#[leaf]
impl Leaf<Npc> for Stay {
    fn open(&self, npc: &mut Npc) {
        npc.log.push(self.0);
    }

    fn tick(&self, (): &mut (), _: &mut Npc) -> Status {
        Running
    }

    fn close(&self, (): &mut (), npc: &mut Npc, end: End) {
        assert_eq!(end, End::Halted);
        npc.log.push("closed");
    }
}

fn stay(what: &'static str) -> Stay {
    Stay(what)
}

/// Every other run is turned around.
struct EveryOther;

#[decorator]
impl<C: ?Sized> Decorator<C> for EveryOther {
    type Kept = bool;
    const STATUSES: StatusMap = StatusMap { always: Outcomes::SUCCESS.or(Outcomes::FAILURE), ..StatusMap::SAME };

    fn end(&self, outcome: Outcome, (): &mut (), odd: &mut bool, _: &mut C) -> AfterChild<Never> {
        *odd = !*odd;
        AfterChild::End(if *odd { outcome } else { Outcome::from(outcome == Outcome::Failure) })
    }
}

fn every_other<N>(child: N) -> Decorated<EveryOther, N> {
    decorate(EveryOther, child)
}

/// A machine of two states: `a` with a guarded transition to `b`, and `b` with a transition back.
fn guarded(guard: impl Node<Npc> + Save) -> impl StateMachine<Npc> + Save {
    tree! { machine { state a { stay("a"), guard -> b } state b { stay("b"), !flag -> a } } }
}

/// The same machine from a file, with a registered leaf for its guard.
fn loaded<N: Node<Npc> + Save + Send + Sync + 'static>(guard: impl Fn() -> N + Send + Sync + 'static) -> DynTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_with("Guard", move |_: bt_dynamic::NoProperties| guard());
    registry.add::<flag>("Flag").add_leaf("StayA", || stay("a")).add_leaf("StayB", || stay("b"));
    registry
        .load(
            r#"{ "root": "m", "nodes": {
                "m": { "name": "machine", "children": ["a", "b"] },
                "a": { "name": "state", "properties": { "name": "a", "transitions": ["Guard -> b"] }, "children": ["sa"] },
                "b": { "name": "state", "properties": { "name": "b", "transitions": ["!Flag -> a"] }, "children": ["sb"] },
                "sa": { "name": "StayA" }, "sb": { "name": "StayB" }
            } }"#,
        )
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Ticks a tree with these flags, and returns what was done.
fn ticked<N: Node<Npc> + Save>(tree: &N, flags: &[bool]) -> Vec<&'static str> {
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    for flag in flags {
        npc.flag = *flag;
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.now += secs(1);
        // What the guard keeps is part of a save, and of a clone.
        let save = serde_json::to_string(&tree.saved(&memory.clone())).expect("it is data");
        memory = tree.load(&mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
    }
    npc.log
}

#[test]
fn the_condition_of_an_arrow_keeps_its_count() {
    let flags = [true, false, true, true];
    let guard = || tree! { for Npc: limit(1) { flag } };
    let expected = ["b", "closed", "a"];
    assert_eq!(ticked(&guarded(guard()), &flags), expected, "the transition is followed once in the agent's life");
    assert_eq!(ticked(&loaded(guard), &flags), expected);
}

#[test]
fn the_condition_of_an_arrow_keeps_its_time() {
    let flags = [true, false, true, true, true];
    let guard = || tree! { for Npc: cooldown(secs(4)) { flag } };
    let expected = ["b", "closed", "a", "closed", "b"];
    assert_eq!(ticked(&guarded(guard()), &flags), expected);
    assert_eq!(ticked(&loaded(guard), &flags), expected);
}

#[test]
fn the_condition_of_an_arrow_keeps_what_a_decorator_of_ones_own_does() {
    let flags = [false; 5];
    let guard = || tree! { for Npc: every_other { flag } };
    let expected = ["a", "closed", "b", "closed", "a", "closed", "b"];
    assert_eq!(ticked(&guarded(guard()), &flags), expected);
    assert_eq!(ticked(&loaded(guard), &flags), expected);
}

#[test]
fn arrows_from_any_state_keep_their_count() {
    let tree = tree! {
        for Npc: machine { state a { stay("a") } state b { stay("b"), !flag -> a } any { limit(1) { flag } -> b } }
    };
    assert_eq!(ticked(&tree, &[true, false, true, true]), ["b", "closed", "a"]);
}

#[test]
fn hooks_keep_their_count() {
    let tree = tree! {
        for Npc: machine {
            state a { stay("a"), enter: limit(1) { note("enter") }, exit: run_once { note("exit") }, flag -> b }
            state b { stay("b"), !flag -> a }
        }
    };
    let expected = ["enter", "a", "closed", "exit", "b", "closed", "a", "closed", "b"];
    assert_eq!(ticked(&tree, &[false, true, false, true]), expected);
}

#[test]
fn the_action_of_a_service_keeps_its_count() {
    let tree = tree! { for Npc: service(secs(0), run_once { note("once") }) { stay("child") } };
    assert_eq!(ticked(&tree, &[true; 4]), ["once", "child"]);
    let mut registry = Registry::<Npc>::new().with_clock();
    registry
        .add_leaf("Stay", || stay("child"))
        .add_with("Once", |_: bt_dynamic::NoProperties| tree! { for Npc: run_once { note("once") } });
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "service", "properties": { "every": 0, "action": "Once" }, "child": "2" }, "2": { "name": "Stay" }
    } }"#;
    assert_eq!(ticked(&registry.load(file).expect("nothing is wrong with it"), &[true; 4]), ["once", "child"]);
}

/// Ticks a tree until it ends, and returns how it did, what was done, and the leaf that has given an error.
fn failing<N: Node<Npc>>(tree: &N, breaks: &'static str, flags: &[bool]) -> (Status, Vec<&'static str>, String) {
    let (mut npc, mut memory) = (Npc { breaks: Some(breaks), ..Npc::default() }, tree.memory());
    let mut status = Running;
    for flag in flags {
        npc.flag = *flag;
        status = tree.tick(&mut npc, &mut memory);
        npc.now += secs(1);
        if status != Running {
            break;
        }
    }
    assert_eq!(memory.is_running(), status == Running);
    let [(at, error)] = npc.errors[..] else { panic!("{:?}", npc.errors) };
    assert_eq!(error, Broken(breaks));
    (status, npc.log, tree.description().node(at).expect("there is such a node").title())
}

/// A machine whose every part can break.
fn breakable() -> impl StateMachine<Npc> {
    tree! {
        machine {
            state a { stay("a"), sequence { flag, note("guard") } -> b, enter: note("enter a"), exit: note("exit a") }
            state b { stay("b"), enter: note("enter b"), exit: note("exit b") }
            any     { sequence { !flag, note("any") } -> b }
        }
    }
}

#[test]
fn errors_of_conditions_and_hooks_end_the_machine_and_name_the_leaf() {
    let tree = tree! {
        for Npc: machine {
            state a { stay("a"), sequence { flag, note("guard") } -> b, enter: note("enter a"), exit: note("exit a") }
            state b { stay("b"), enter: note("enter b"), exit: note("exit b"), !flag -> a }
        }
    };
    let cases: [(&str, &[bool], &[&str], &str); 5] = [
        ("enter a", &[false], &[], "enter: note(what: \"enter a\")"),
        ("guard", &[false, true], &["enter a", "a", "closed", "exit a"], "note(what: \"guard\")"),
        ("exit a", &[false, true], &["enter a", "a", "guard", "closed"], "exit: note(what: \"exit a\")"),
        ("enter b", &[false, true], &["enter a", "a", "guard", "closed", "exit a"], "enter: note(what: \"enter b\")"),
        (
            "exit b",
            &[false, true, false],
            &["enter a", "a", "guard", "closed", "exit a", "enter b", "b", "closed"],
            "exit: note(what: \"exit b\")",
        ),
    ];
    let loaded = with_hooks(HOOKS);
    assert_eq!(loaded.description().nodes().len(), tree.description().nodes().len());
    for (breaks, flags, done, leaf) in cases {
        assert_eq!(failing(&tree, breaks, flags), (Error, done.to_vec(), leaf.to_owned()), "{breaks}");
        // What is done is called as it is registered, but for what is inside it.
        let (hook, state) = breaks.split_once(' ').unwrap_or_default();
        let registered = format!("{}{}", hook[..hook.len().min(1)].to_uppercase(), hook.get(1..).unwrap_or_default());
        let leaf = leaf.replace(": note(", &format!(": {registered}{}(", state.to_uppercase()));
        assert_eq!(failing(&loaded, breaks, flags), (Error, done.to_vec(), leaf), "{breaks}, loaded");
    }
}

/// The machine of the test above, from a file.
const HOOKS: &str = r#"{ "root": "m", "nodes": {
    "m": { "name": "machine", "children": ["a", "b"] },
    "a": { "name": "state", "children": ["sa"],
        "properties": { "name": "a", "transitions": ["Guard -> b"], "enter": "EnterA", "exit": "ExitA" } },
    "b": { "name": "state", "children": ["sb"],
        "properties": { "name": "b", "transitions": ["!Flag -> a"], "enter": "EnterB", "exit": "ExitB" } },
    "sa": { "name": "StayA" }, "sb": { "name": "StayB" }
} }"#;

/// The leaves that those files name.
fn leaves_of_hooks() -> Registry<Npc> {
    let mut registry = Registry::<Npc>::new();
    registry.add::<flag>("Flag").add_leaf("StayA", || stay("a")).add_leaf("StayB", || stay("b"));
    registry.add_with("Guard", |_: bt_dynamic::NoProperties| tree! { for Npc: sequence { flag, note("guard") } });
    for (name, what) in [("EnterA", "enter a"), ("ExitA", "exit a"), ("EnterB", "enter b"), ("ExitB", "exit b")] {
        registry.add_with(name, move |_: bt_dynamic::NoProperties| note(what));
    }
    registry
}

fn with_hooks(file: &str) -> DynTree<Npc> {
    leaves_of_hooks().load(file).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn loaded_states_are_entered_and_left_as_written_ones_are() {
    let tree = with_hooks(HOOKS);
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    for flag in [false, true, false] {
        npc.flag = flag;
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    }
    assert_eq!(
        npc.log,
        ["enter a", "a", "guard", "closed", "exit a", "enter b", "b", "closed", "exit b", "enter a", "a"]
    );
    npc.log.clear();
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.log, ["closed", "exit a"], "to halt a machine is to leave its state");
    npc.log.clear();
    let machine = tree.machine("m").expect("it is one");
    assert_eq!(machine.to("b", &mut npc, &mut memory), Ok(Running));
    assert_eq!(machine.to("a", &mut npc, &mut memory), Ok(Running));
    assert_eq!(npc.log, ["enter b", "exit b", "enter a"]);
    // An error ends the run, and its state is not left again.
    (npc.breaks, npc.log) = (Some("enter b"), Vec::new());
    assert_eq!(machine.to("b", &mut npc, &mut memory), Ok(Error));
    assert_eq!((npc.log.as_slice(), memory.is_running()), (&["exit a"][..], false));
    npc.log.clear();
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.log, [""; 0]);
    assert_eq!(machine.to("b", &mut npc, &mut memory), Ok(Error), "a run that begins with it");
    assert!(!memory.is_running());
    npc.breaks = None;
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(npc.log, ["enter a", "a"]);
}

#[test]
fn an_error_of_a_forced_machine_ends_what_is_above_it_in_a_loaded_tree() {
    let file = r#"{ "root": "p", "nodes": {
        "p": { "name": "parallel", "children": ["s", "m"], "properties": { "success": 2, "failure": 2 } },
        "s": { "name": "StayA" },
        "m": { "name": "machine", "children": ["a", "b"] },
        "a": { "name": "state", "children": ["sa"], "properties": { "name": "a", "exit": "ExitA" } },
        "b": { "name": "state", "children": ["sb"], "properties": { "name": "b", "enter": "EnterB", "transitions": ["Flag -> a"] } },
        "sa": { "name": "StayA" }, "sb": { "name": "StayB" }
    } }"#;
    let tree = with_hooks(file);
    let machine = tree.machine("m").expect("it is one");
    for breaks in ["enter b", "exit a"] {
        let (mut npc, mut memory) = (Npc::default(), tree.memory());
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        (npc.breaks, npc.log) = (Some(breaks), Vec::new());
        let mut statistics = Statistics::default();
        assert_eq!(machine.to_with("b", &mut npc, &mut memory, &mut statistics), Ok(Error));
        assert!(!memory.is_running());
        let closed: &[_] = if breaks == "enter b" { &["closed", "exit a", "closed"] } else { &["closed", "closed"] };
        assert_eq!(npc.log, closed, "{breaks}");
        assert_eq!(npc.errors.len(), 1);
    }
}

#[test]
fn hooks_in_files_are_leaves_and_survive_being_written() {
    let tree = with_hooks(HOOKS);
    assert_eq!(
        tree.description().to_string(),
        "\
machine
├─ a [Guard -> b]
│  ├─ StayA
│  ├─ when: sequence \"Guard\"
│  │  ├─ flag
│  │  └─ note(what: \"guard\")
│  ├─ enter: EnterA(what: \"enter a\")
│  └─ exit: ExitA(what: \"exit a\")
└─ b [!Flag -> a]
   ├─ StayB
   ├─ when: invert
   │  └─ Flag
   ├─ enter: EnterB(what: \"enter b\")
   └─ exit: ExitB(what: \"exit b\")
"
    );
    assert_eq!(with_hooks(&tree.to_behavior3().write()).description(), tree.description());

    for (from, to, expected) in [
        (
            "EnterB\"",
            "EnterC\"",
            "property `enter`: expected the name of a leaf, found `EnterC`; help: did you mean `EnterA`?",
        ),
        ("EnterA", "Inverter", "expected the name of a leaf, found `Inverter`; note: it is a keyword"),
        (
            "\"name\": \"b\"",
            "\"name\": \"success\"",
            "a state cannot be named `success`; note: `-> success` ends the machine",
        ),
        ("\"ExitA\"", "7", "property `exit`: expected a string, found `7`"),
    ] {
        let error = leaves_of_hooks().load(&HOOKS.replace(from, to)).expect_err("an error").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn an_error_of_an_arrow_from_any_state_ends_the_machine() {
    let tree = tree! {
        for Npc: machine { state a { stay("a") } state b { run } any { sequence { flag, note("any") } -> b } }
    };
    let (status, log, leaf) = failing(&tree, "any", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["a", "closed"], "note(what: \"any\")"));
}

#[test]
fn an_error_of_a_service_halts_its_child() {
    let tree = tree! {
        for Npc: service(secs(1), sequence { flag, note("serve") }) { stay("child") }
    };
    let (status, log, leaf) = failing(&tree, "serve", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["child", "closed"], "note(what: \"serve\")"));
    let (status, log, _) = failing(&tree, "serve", &[true]);
    assert_eq!((status, log), (Error, vec![]), "the child does not start");
}

/// A context for loaded trees, whose conditions are leaves without parameters.
fn broken_file(file: &str) -> DynTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("Stay", || stay("child")).add_with("Breaks", |_: bt_dynamic::NoProperties| {
        tree! { for Npc: sequence { flag, note("breaks") } }
    });
    registry.load(file).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn loaded_conditions_and_services_give_their_errors_too() {
    let machine = broken_file(
        r#"{ "root": "m", "nodes": {
            "m": { "name": "machine", "children": ["a", "b"] },
            "a": { "name": "state", "properties": { "name": "a", "transitions": ["!Breaks -> b", "Breaks -> b"] }, "children": ["sa"] },
            "b": { "name": "state", "properties": { "name": "b", "transitions": ["Breaks -> a"] }, "children": ["sb"] },
            "sa": { "name": "Stay" }, "sb": { "name": "Stay" }
        } }"#,
    );
    assert_eq!(
        machine.description().to_string(),
        "\
machine
├─ a [!Breaks -> b, Breaks -> b]
│  ├─ Stay
│  ├─ when: invert
│  │  └─ sequence \"Breaks\"
│  │     ├─ flag
│  │     └─ note(what: \"breaks\")
│  └─ when: sequence \"Breaks\"
│     ├─ flag
│     └─ note(what: \"breaks\")
└─ b [Breaks -> a]
   ├─ Stay
   └─ when: sequence \"Breaks\"
      ├─ flag
      └─ note(what: \"breaks\")
"
    );
    // The first tick goes to b.
    let (status, log, leaf) = failing(&machine, "breaks", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["child", "closed"], "note(what: \"breaks\")"));
    let id = NodeId::new(14);
    assert_eq!(machine.description().node(id).unwrap().title(), "note(what: \"breaks\")");
    assert_eq!(machine.file_id(id), Some("b"), "the state that names the condition");
    assert_eq!(machine.file_id(NodeId::new(15)), None);

    let service = broken_file(
        r#"{ "root": "1", "nodes": {
            "1": { "name": "service", "properties": { "every": 1000, "action": "Breaks" }, "child": "2" }, "2": { "name": "Stay" }
        } }"#,
    );
    let (status, log, leaf) = failing(&service, "breaks", &[false, true]);
    assert_eq!((status, log, leaf.as_str()), (Error, vec!["child", "closed"], "note(what: \"breaks\")"));
    let (status, log, _) = failing(&service, "breaks", &[true]);
    assert_eq!((status, log), (Error, vec![]));
}

#[test]
fn what_errors_can_come_of_is_known() {
    fn can<N: Node<Npc>>(_: &N) -> Outcomes {
        N::CAN
    }
    let err = Outcomes::ERROR.or(Outcomes::RUNNING);
    assert_eq!(can(&tree! { machine { state a { run, note("x") -> b } state b { run, flag -> a } } }), err);
    assert_eq!(can(&tree! { machine { state a { run, enter: note("x") } } }), err);
    assert_eq!(can(&tree! { machine { state a { run, exit: note("x") } } }), err);
    assert_eq!(can(&tree! { service(secs(1), note("x")) { run } }), err);
    assert_eq!(can(&tree! { machine { state a { run, flag -> b } state b { run, flag -> a } } }), Outcomes::RUNNING);
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
    assert!(location.file.ends_with("attachments.rs") && location.line > 100, "{location}");
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

/// A leaf that lies about what it gives.
struct Liar;

#[leaf]
impl Leaf<Npc> for Liar {
    const CAN: Outcomes = Outcomes::SUCCESS;

    fn open(&self, npc: &mut Npc) {
        npc.log.push("opened");
    }

    fn tick(&self, (): &mut (), _: &mut Npc) -> Status {
        Running
    }

    fn close(&self, (): &mut (), npc: &mut Npc, _: End) {
        npc.log.push("closed");
    }
}

#[test]
#[cfg_attr(
    debug_assertions,
    should_panic(expected = "the leaf `Liar` returned Running, but its `const CAN` is Success")
)]
fn a_leaf_that_gives_what_it_says_it_cannot_is_named_and_without_debug_assertions_closed() {
    let tree = tree! { for Npc: service(secs(1), (Liar)) { run } };
    let mut npc = Npc::default();
    tree.tick(&mut npc, &mut tree.memory());
    assert_eq!(npc.log, ["opened", "closed"]);
}

#[test]
fn an_action_of_a_service_that_fails_does_not_matter() {
    let tree = tree! { for Npc: service(secs(1), flag) { stay("child") } };
    assert_eq!(ticked(&tree, &[false, false]), ["child"]);
}
