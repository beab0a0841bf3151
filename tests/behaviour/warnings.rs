//! What can never happen in a loaded tree is a warning, with the words of the compiler.

use bt_core::Outcomes;
use bt_core::check::Lint;
use bt_core::check::Requirement;
use bt_core::composite::Children;
use bt_core::composite::Returns;
use bt_core::decorator::{AfterChild, StatusMap};
use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use bt_tests::without_layout;
use bt_tests::world::World;
use serde_json::{Map, Value, json};

/// Starts its child again when it fails, in the next tick.
struct Stubborn;

#[decorator]
impl<C: ?Sized> Decorator<C> for Stubborn {
    type Pause = ();
    const RETURNS: StatusMap = StatusMap { on_failure: Outcomes::RUNNING, ..StatusMap::SAME };
    const REQUIRES: &'static [Requirement] = &[Requirement::pointless(Outcomes::FAILURE, "`Stubborn` has no effect")];

    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<()> {
        if outcome == Outcome::Failure { AfterChild::Later(()) } else { AfterChild::End(outcome) }
    }
}

/// Cannot be used.
struct Broken;

#[decorator]
impl<C: ?Sized> Decorator<C> for Broken {
    const BROKEN: Option<&'static str> = Some("`Broken` cannot be used\nhelp: remove it");
}

/// Ticks its children while they succeed.
struct Steps;

#[composite]
impl<C: ?Sized> Composite<C> for Steps {
    const RETURNS: Returns = Returns::InOrder(Outcomes::SUCCESS);

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let statuses = (0..children.len()).map(|child| children.tick(child, ctx));
        statuses.into_iter().find(|status| *status != Status::Success).unwrap_or(Status::Success)
    }
}

#[condition]
fn near(_: &World, distance: f64) -> bool {
    distance > 1.0
}

fn registry() -> Registry<World> {
    let mut registry = Registry::new().with_clock().with_random();
    registry
        .add::<near>("Near")
        .add_leaf("Walk", |_: &mut World| Status::Running)
        .add_leaf("Greet", |_: &mut World| ());
    registry.add_decorator("Stubborn", |_: NoProperties| Stubborn).add_decorator("Broken", |_: NoProperties| Broken);
    registry.add_composite("Steps", |_: NoProperties| Steps);
    registry.add_value("runs", |_: &World| 3.0).add_value("rest", |_: &World| 0.5);
    registry
}

/// A file. A node is a list: the name, properties and children; its id is its number.
fn file(root: &Value) -> String {
    fn add(node: &Value, nodes: &mut Map<String, Value>) -> String {
        let id = (nodes.len() + 1).to_string();
        nodes.insert(id.clone(), Value::Null);
        let parts = node.as_array().expect("a node is a list");
        let children: Vec<_> = parts[2..].iter().map(|child| add(child, nodes)).collect();
        nodes.insert(id.clone(), json!({ "name": parts[0], "properties": parts[1], "children": children }));
        id
    }
    let mut nodes = Map::new();
    let root = add(root, &mut nodes);
    json!({ "root": root, "nodes": nodes }).to_string()
}

fn load(root: &Value) -> LoadedTree<World> {
    let text = file(root);
    registry().load(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The warnings of a tree: the ids of the nodes and what is said before the help.
fn warnings(root: &Value) -> Vec<String> {
    let warning = |warning: &bt_dynamic::bt_behavior3::Diagnostic| {
        let (reason, help) = warning.reason.split_once("; help: ").expect("each says what to do");
        let lint = warning.lint.expect("each has a lint").name();
        assert!(help.contains(&format!("set the property `allow` of this node to `{lint}`")), "{help}");
        format!("{}: {reason}", warning.id)
    };
    load(root).warnings().iter().map(warning).collect()
}

#[test]
fn a_child_that_is_never_ticked_is_a_warning() {
    assert_eq!(
        warnings(&json!(["selector", {}, ["Near", { "distance": 1 }], ["Greet", {}], ["Walk", {}], ["Walk", {}]])),
        [
            "4: unreachable node; note: the child before it only returns `Success`, and `selector` continues only after `Failure`",
            "5: unreachable node; note: child 2 only returns `Success`, and `selector` continues only after `Failure`",
        ]
    );
    assert_eq!(
        warnings(&json!(["Steps", {}, ["Failer", {}], ["Greet", {}]])),
        [
            "3: unreachable node; note: the child before it only returns `Failure`, and the composite continues only after `Success`"
        ]
    );
    assert_eq!(
        warnings(&json!(["if", {}, ["Greet", {}], ["Greet", {}], ["Greet", {}]])),
        ["4: unreachable node; note: the condition only returns `Success`"]
    );
    assert_eq!(
        warnings(&json!(["parallel", { "success": 1 }, ["Greet", {}], ["Walk", {}]])),
        ["3: unreachable node; note: the children before it always end `parallel`"]
    );
    assert!(warnings(&json!(["selector", {}, ["Near", { "distance": 1 }], ["Walk", {}]])).is_empty());
}

#[test]
fn a_loop_that_never_ends_and_a_decorator_without_effect_are_warnings() {
    for (root, expected) in [
        (
            json!(["RepeatUntilSuccess", { "maxLoop": -1 }, ["Failer", {}]]),
            "1: `until_success` never ends: its child never returns `Success`; note: the child only returns `Failure`",
        ),
        (
            json!(["timeout", { "time": 5 }, ["Near", { "distance": 1 }]]),
            "1: `timeout` has no effect: its child never returns `Running`; note: the child only returns `Success` or `Failure`",
        ),
        (
            json!(["Stubborn", {}, ["Greet", {}]]),
            "1: `Stubborn` has no effect: its child never returns `Failure`; note: the child only returns `Success`",
        ),
        (
            json!(["RepeatUntilFailure", { "maxLoop": 3 }, ["Walk", {}]]),
            // A function that returns a `Status` can return any.
            "",
        ),
        (
            json!(["RepeatUntilFailure", { "maxLoop": 3 }, ["Runner", {}]]),
            "1: `force_success` has no effect: its child never returns `Success` or `Failure`; note: the child only returns `Running`",
        ),
    ] {
        let expected: Vec<_> = Some(expected.to_owned()).into_iter().filter(|text| !text.is_empty()).collect();
        assert_eq!(warnings(&root), expected, "{root}");
    }
}

#[test]
fn a_number_with_which_a_word_does_nothing_is_a_warning() {
    let of = |name: &str, property: &str, number: Value| {
        let mut properties = Map::new();
        properties.insert(property.to_owned(), number);
        warnings(
            &json!([name, properties, ["told", {}]]).to_string().replace("told", "Walk").parse().expect("it is JSON"),
        )
    };
    assert_eq!(of("repeat", "times", json!(0)), ["1: `repeat(0)` never starts its child"]);
    assert_eq!(of("Repeater", "maxLoop", json!(1)), ["1: `repeat(1)` never starts its child again"]);
    assert_eq!(of("retry", "times", json!("1")), ["1: `retry(1)` never starts its child again"]);
    assert_eq!(
        of("repeat_while_success", "times", json!(1)),
        ["1: `repeat_while_success(1)` never starts its child again"]
    );
    assert_eq!(of("Limiter", "maxLoop", json!(0)), ["1: `limit(0)` never starts its child"]);
    // One mistake: with any other number, it would do nothing either.
    assert_eq!(
        warnings(&json!(["retry", { "times": 1 }, ["wait", { "time": 5 }]])),
        ["1: `retry(1)` never starts its child again"]
    );
    for (name, property, number) in [
        ("limit", "runs", json!(1)),
        ("retry", "times", json!(2)),
        ("retry", "times", json!("1..=1")),
        ("retry", "times", json!("runs")),
        // Amounts that are tuned, which switch a node off while it stays in the tree.
        ("timeout", "time", json!(0)),
        ("delay", "time", json!(0)),
        ("cooldown", "time", json!(0)),
        ("chance", "probability", json!(0)),
        ("chance", "probability", json!(1)),
    ] {
        assert!(of(name, property, number.clone()).is_empty(), "{name} {number}");
    }
}

#[test]
fn a_threshold_that_is_never_reached_is_a_warning_if_it_is_written() {
    let root = |properties: &Value| json!(["mem_parallel", properties, ["Runner", {}], ["Near", { "distance": 1 }]]);
    assert_eq!(
        warnings(&root(&json!({ "success": 2 }))),
        ["1: threshold `success` can never be reached: expected 2 successes, but only 1 of 2 children can succeed"]
    );
    assert!(warnings(&root(&json!({}))).is_empty());
}

#[test]
fn a_threshold_of_more_than_all_children_is_a_warning() {
    let too_many = "threshold `failure` can never be reached: expected 3 failures, but there are only 2 children";
    for word in ["parallel", "mem_parallel"] {
        let root = |properties: &Value| json!([word, properties, ["Walk", {}], ["Walk", {}]]);
        assert_eq!(warnings(&root(&json!({ "failure": 3 }))), [format!("1: {too_many}")]);
        assert_eq!(warnings(&root(&json!({ "failure": "3", "success": "3" }))).len(), 2);
        assert!(warnings(&root(&json!({ "failure": 3, "success": 3, "allow": "threshold" }))).is_empty());
    }
    // As in a `tree!`.
    let root = json!(["parallel", { "success": 3, "allow": "threshold" }, ["Walk", {}], ["Walk", {}]]);
    let tree = tree! { for World: #[allow(threshold)] parallel(success = 3) { run, run } };
    assert_eq!(tree.tick(&mut World::default(), &mut tree.memory()), Status::Failure);
    let loaded = load(&root);
    assert_eq!(loaded.tick(&mut World::default(), &mut loaded.memory()), Status::Failure);
}

#[test]
fn parts_of_a_machine_that_are_never_reached_are_warnings() {
    let machine = json!(["machine", { "any": ["failure -> gone"] },
        ["state", { "name": "idle", "transitions": ["Greet -> work", "Near0 -> gone"] }, ["Walk", {}]],
        ["state", { "name": "work", "transitions": ["failure -> idle"] }, ["Greet", {}]],
        ["state", { "name": "gone" }, ["Walk", {}]]
    ]);
    let mut registry = registry();
    registry.add_with("Near0", |_: NoProperties| near { distance: 0.0 });
    let tree = registry.load(&file(&machine)).expect("it is valid");
    let found: Vec<_> = tree.warnings().iter().map(ToString::to_string).collect();
    let starts = [
        "node 1 (\"machine\"): unreachable transition; note: ",
        "node 2 (\"state\"): unreachable transition; note: a transition before it is always followed first",
        "node 3 (\"Walk\"): unreachable node; note: the state is always left before its node is ticked",
        "node 4 (\"state\"): unreachable transition; note: the state's node never returns `Failure`",
        "node 6 (\"state\"): unreachable state; note: no transition that can be followed leads to it",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found}");
    }
    // What is allowed at a state is allowed for its transitions.
    let allowed = file(&machine).replace(r#""name":"gone""#, r#""allow":"unreachable","name":"gone""#);
    assert_eq!(registry.load(&allowed).expect("it is valid").warnings().len(), 4);
}

#[test]
fn a_property_allows_lints() {
    let root =
        |allow: Value| json!(["selector", {}, ["Greet", {}], ["retry", { "times": 1, "allow": allow }, ["Walk", {}]]]);
    assert_eq!(warnings(&root(json!(null))).len(), 2);
    assert_eq!(warnings(&root(json!(""))).len(), 2);
    assert_eq!(warnings(&root(json!("pointless"))).len(), 1);
    assert_eq!(warnings(&root(json!("unreachable, pointless"))), [""; 0]);
    assert_eq!(warnings(&root(json!(["pointless", "unreachable"]))), [""; 0]);
    let error = registry().load(&file(&root(json!("lonely")))).expect_err("there is no such lint").to_string();
    let note = "found `\"lonely\"`; note: the lints are `unreachable`, `endless`, `pointless`, `threshold`";
    assert!(
        error.starts_with("node 3 (\"retry\"): property `allow`: expected the name of a lint") && error.ends_with(note),
        "{error}"
    );
    let error =
        registry().load(&file(&json!(["retry", { "times": 2, "allow": 3 }, ["Walk", {}]]))).expect_err("no name");
    assert!(error.to_string().contains("property `allow`: expected the name of a lint or a list of names, found `3`"));
}

#[test]
fn a_misspelled_lint_is_an_error_on_every_node() {
    #[derive(serde::Deserialize)]
    struct Steps {
        count: Option<u32>,
    }
    let mut registry = registry();
    registry.add_with("Go", |steps: Steps| move |_: &mut World| steps.count.is_none());
    registry.add_decorator("Slow", |_: Steps| Stubborn);
    let allow = json!({ "allow": "unreachble" });
    for root in [
        json!(["Near", { "allow": "unreachble", "distance": 1 }]),
        json!(["Walk", allow]),
        json!(["Go", allow]),
        json!(["Stubborn", allow, ["Walk", {}]]),
        json!(["Slow", allow, ["Walk", {}]]),
        json!(["Steps", allow, ["Walk", {}]]),
        json!(["selector", allow, ["Walk", {}]]),
    ] {
        let error = registry.load(&file(&root)).expect_err("there is no such lint").to_string();
        let expected = format!(
            "node 1 (\"{}\"): property `allow`: expected the name of a lint or a list of names, found `\"unreachble\"`; help: did you mean `unreachable`?",
            root[0].as_str().expect("a name")
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn a_misspelled_name_is_one_error() {
    let error = |root: &Value| registry().load(&file(root)).expect_err("a name is misspelled").to_string();
    assert_eq!(
        error(&json!(["timeout", { "tiem": 5 }, ["Walk", {}]])),
        "node 1 (\"timeout\"): unknown property `tiem`; help: did you mean `time`?"
    );
    assert_eq!(
        error(&json!(["Near", { "distanec": 5 }])),
        "node 1 (\"Near\"): unknown property `distanec`; help: did you mean `distance`?"
    );
    let machine = |transition: &str| {
        error(&json!(["machine", {}, ["state", { "name": "idle", "transitions": [transition] }, ["Walk", {}]]]))
    };
    assert_eq!(
        machine("succes -> failure"),
        "node 2 (\"state\"): expected the name of a leaf in a transition, found `succes`; help: did you mean `success`?"
    );
    assert_eq!(
        machine("failure -> succes"),
        "node 2 (\"state\"): unknown state `succes` in a transition; help: did you mean `success`?"
    );
}

#[test]
fn a_leaf_can_have_a_property_of_that_name() {
    #[derive(serde::Deserialize)]
    struct Guests {
        allow: String,
    }
    let mut registry = registry();
    registry.add_with("Count", |given: std::collections::BTreeMap<String, Value>| {
        move |_: &mut World| given["allow"] == "friends"
    });
    assert!(registry.load(&file(&json!(["Count", { "allow": "friends" }]))).is_ok());
    registry.add_with("Open", |guests: Guests| move |_: &mut World| guests.allow == "friends");
    let tree = registry.load(&file(&json!(["Open", { "allow": "friends" }]))).expect("it is valid");
    assert_eq!(tree.tick(&mut World::default(), &mut tree.memory()), Status::Success);
}

#[test]
fn what_a_node_allows_is_written_and_does_not_end_its_run() {
    let root =
        |allow: Value| json!(["Priority", {}, ["Greet", {}], ["Walk", allow], ["Walk", { "allow": ["unreachable"] }]]);
    let (plain, allowed) = (load(&root(json!({}))), load(&root(json!({ "allow": "unreachable" }))));
    assert_eq!((plain.warnings().len(), allowed.warnings().len()), (1, 0));
    for tree in [&plain, &allowed] {
        let again = registry().load(&tree.to_behavior3().write()).expect("it was just written");
        assert_eq!(again.warnings().len(), tree.warnings().len());
        assert_eq!(without_layout(&again.description()), without_layout(&tree.description()));
    }
    let walking = json!(["MemSequence", {}, ["Walk", { "allow": "pointless" }]]);
    let (before, after) = (load(&walking), load(&json!(["MemSequence", {}, ["Walk", {}]])));
    let (mut world, mut memory) = (World::default(), before.memory());
    assert_eq!(before.tick(&mut world, &mut memory), Status::Running);
    before.reload(&after, &mut memory, &mut world);
    assert!(memory.is_running());
}

#[test]
fn denied_lints_are_errors() {
    let text = file(&json!(["selector", {}, ["Greet", {}], ["retry", { "times": 1 }, ["Walk", {}]]]));
    let load = |registry: Registry<World>| registry.load(&text).map(|tree| tree.warnings().len());
    assert_eq!(load(registry()).expect("they are warnings"), 2);
    assert_eq!(load(registry().deny([Lint::Endless])).expect("there is no such loop"), 2);
    let error = load(registry().deny([Lint::Pointless])).expect_err("it is denied").to_string();
    assert!(
        error.starts_with("node 3 (\"retry\"): `retry(1)` never starts its child again; help: ")
            && error.lines().count() == 1
    );
    assert_eq!(load(registry().deny(Lint::ALL)).expect_err("both are").to_string().lines().count(), 2);
}

#[test]
fn a_condition_or_an_action_at_once_that_can_be_running_is_a_warning_with_the_words_of_the_compiler() {
    let near = json!(["Near", { "distance": 1 }]);
    let found = |root: &Value| load(root).warnings().iter().map(ToString::to_string).collect::<Vec<_>>();
    let condition = "the condition of an `if` must never return `Running`; help: use a `fn(&Context) -> bool`; a decorator of your own declares its statuses with `const RETURNS`";
    assert_eq!(
        found(&json!(["if", {}, ["sequence", {}, near, ["Inverter", {}, ["Walk", {}]]], near])),
        [format!("node 5 (\"Walk\"): {condition}")]
    );
    assert_eq!(
        found(&json!(["mem_if", {}, ["Runner", {}], ["Walk", {}], ["Walk", {}]]))[0],
        format!("node 2 (\"Runner\"): {condition}")
    );
    assert!(found(&json!(["if", {}, ["sequence", {}, near, near], ["Walk", {}]])).is_empty());
    let machine = json!(["machine", { "any": ["!Walk -> failure"] },
        ["state", { "name": "a", "enter": "Walk", "exit": "Greet", "transitions": ["Walk -> success", "Near0 -> success"] }, ["Walk", {}]]
    ]);
    let mut registry = registry();
    registry.add_with("Near0", |_: NoProperties| near { distance: 0.0 });
    let tree = registry.load(&file(&machine)).expect("it is valid");
    let found: Vec<_> = tree.warnings().iter().map(ToString::to_string).collect();
    let starts = [
        "node 1 (\"machine\"): the condition of a transition must never return `Running`; help: ",
        "node 2 (\"state\"): the condition of a transition must never return `Running`; help: ",
        "node 2 (\"state\"): an `enter:` or `exit:` action must never return `Running`; help: ",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found}");
    }
    let service = file(&json!(["service", { "every": 5, "action": "Walk" }, ["Walk", {}]]));
    let tree = registry.load(&service).expect("it is valid");
    assert_eq!(
        tree.warnings()[0].reason,
        "the action of a `service` must never return `Running`; help: use a `fn(&mut Context)`"
    );
    assert!(registry.deny(Lint::ALL).load(&service).is_err());
}

#[test]
fn a_broken_decorator_is_an_error() {
    let error = registry().load(&file(&json!(["Broken", {}, ["Walk", {}]]))).expect_err("it is broken").to_string();
    assert_eq!(error, "node 1 (\"Broken\"): `Broken` cannot be used; help: remove it");
}

#[test]
fn descriptions_have_the_warnings_at_their_nodes() {
    let tree = load(
        &json!(["selector", {}, ["Greet", {}], ["RepeatUntilFailure", { "maxLoop": 1 }, ["Walk", {}]], ["Walk", {}]]),
    );
    let description = tree.description();
    let of_file = description.nodes().iter().filter_map(|node| Some((node.file.as_ref()?, node.warnings.len())));
    let counts: Vec<_> = of_file.map(|(file, warnings)| (file.id.as_str(), warnings)).collect();
    // The name means three words.
    assert_eq!(counts, [("1", 0), ("2", 0), ("3", 2), ("3", 0), ("3", 0), ("4", 0), ("5", 1)]);
    assert!(description.nodes()[6].warnings[0].starts_with("unreachable node; note: child 1 only"));
}

#[test]
fn descriptions_show_what_nodes_of_a_file_can_return() {
    let tree = load(&json!(["mem_sequence", {},
        ["Near", { "distance": 1 }], ["Inverter", {}, ["Greet", {}]], ["wait", { "time": "rest" }]]));
    let returns: Vec<_> = tree.description().nodes().iter().map(|node| node.returns.to_string()).collect();
    assert_eq!(returns, ["Failure", "Success | Failure", "Failure", "Success", "Success | Running | Error"]);
}
