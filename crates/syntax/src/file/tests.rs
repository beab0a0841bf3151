//! Each form and each error of a text; and hostile texts.

use std::fmt::Write as _;

use bt_behavior3::{Arity, NodeNames, Project};
use serde_json::{Value, json};

use super::read;
use crate::errors::Errors;
use crate::{check, parse};

fn parameters(name: &str) -> Option<Vec<String>> {
    let names: &[&str] = match name {
        "goto" => &["speed", "place"],
        "near" => &["meters"],
        "attack" => &[],
        _ => return None,
    };
    Some(names.iter().map(|name| (*name).to_owned()).collect())
}

/// The only node of a text, and those below it: name, properties, title, children.
fn as_json(text: &str) -> Value {
    let project = read(text, parameters).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let tree = &project.trees[0];
    node(&project, 0, tree.root.as_deref().expect("a root"))
}

fn node(project: &Project, tree: usize, id: &str) -> Value {
    let (_, node) = project.trees[tree].nodes.iter().find(|(other, _)| other == id).expect("the node");
    let mut json = json!({ "name": node.name });
    if !node.properties.is_empty() {
        json["properties"] = serde_json::Map::from(node.properties.clone()).into();
    }
    if !node.title().is_empty() {
        json["title"] = node.title().into();
    }
    if let Some(children) = &node.children {
        json["children"] = children.iter().map(|child| self::node(project, tree, child)).collect();
    }
    json
}

fn is(text: &str, expected: Value) {
    assert_eq!(as_json(text), expected, "{text}");
}

/// The errors of a text: of reading it, or of checking it.
fn errors(text: &str) -> String {
    let leaves = ["near", "goto", "attack", "patrol"].map(|name| (name, Arity::Zero));
    let names = NodeNames::new(leaves.into_iter().chain([("Twice", Arity::One)])).with_values(["hunger", "mood"]);
    let errors = match read(text, parameters) {
        Ok(project) => project.check(None, &names).err().unwrap_or_default(),
        Err(errors) => errors,
    };
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn fails(text: &str, expected: &str) {
    let errors = errors(text);
    assert!(errors.starts_with(expected), "{text}\nexpected: {expected}\n   found: {errors}");
}

#[test]
fn siblings_have_distinct_labels_as_in_rust() {
    const REST: &str =
        "duplicate label \"a\"; note: tools identify children by their labels; help: change or remove one of them";
    for (text, place) in [
        ("selector { attack \"a\", patrol \"b\", sequence \"a\" { attack } }", "1:45"),
        ("Twice { attack \"a\", patrol \"a\" }", "1:28"),
        ("if near(1) \"a\" { attack } else { patrol \"a\" }", ""),
        ("if near(1) { attack \"a\" } else { patrol \"a\" }", "1:41"),
        ("match mood { 1 => attack \"a\", _ => patrol \"a\" }", "1:43"),
        ("selector { attack \"a\", sequence { patrol \"a\" } }", ""),
        ("selector { #[disabled] attack \"a\", patrol \"a\" }", ""),
    ] {
        let expected = if place.is_empty() { String::new() } else { format!("{place}: {REST}") };
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn composites_leaves_labels_and_negation() {
    is(
        "// a comment\nselector { sequence \"fight\" { !near(10.0), attack \"hit\" } game::patrol }",
        json!({ "name": "selector", "children": [
            { "name": "sequence", "title": "fight", "children": [
                { "name": "invert", "children": [{ "name": "near", "properties": { "meters": 10.0 } }] },
                { "name": "attack", "title": "hit" }
            ] },
            { "name": "game::patrol" }
        ] }),
    );
    is("\u{feff}r#match", json!({ "name": "match" }));
}

#[test]
fn the_arguments_of_words_are_properties() {
    let leaf = json!([{ "name": "attack" }]);
    for (text, name, properties) in [
        ("repeat(3)", "repeat", json!({ "times": 3 })),
        ("retry(1..=3)", "retry", json!({ "times": "1..=3" })),
        ("timeout(secs(2))", "timeout", json!({ "time": "2s" })),
        ("timeout(1.5s)", "timeout", json!({ "time": "1.5s" })),
        ("delay(Duration::from_millis(500))", "delay", json!({ "time": "500ms" })),
        ("cooldown(secs(1)..=secs(3))", "cooldown", json!({ "time": "1s..=3s" })),
        ("timeout(patience)", "timeout", json!({ "time": "patience" })),
        ("timeout(var(patience))", "timeout", json!({ "time": "{patience}" })),
        ("timeout(\"{patience}\")", "timeout", json!({ "time": "{patience}" })),
        ("chance(0.25)", "chance", json!({ "probability": 0.25 })),
        ("limit(2)", "limit", json!({ "runs": 2 })),
        ("service(secs(1), look)", "service", json!({ "every": "1s", "action": "look" })),
        ("parallel(success = 1, failure = all)", "parallel", json!({ "success": 1, "failure": "all" })),
    ] {
        let expected = json!({ "name": name, "properties": properties, "children": leaf });
        is(&format!("{text} {{ attack }}"), expected);
    }
    is("repeat { attack }", json!({ "name": "repeat", "children": leaf }));
    is("wait(500ms)", json!({ "name": "wait", "properties": { "time": "500ms" } }));
}

#[test]
fn the_arguments_of_leaves_get_their_names() {
    is("goto(-50.0, \"door\")", json!({ "name": "goto", "properties": { "speed": -50.0, "place": "door" } }));
    is(
        "goto(50, \"place\" = var(target))",
        json!({ "name": "goto", "properties": { "speed": 50, "place": "{target}" } }),
    );
    // Of a leaf that is not known, nor are its parameters.
    is(
        "other([1, true, null], { x: 1, \"a b\": 'c' })",
        json!({ "name": "other", "properties": { "1": [1, true, null], "2": { "x": 1, "a b": "c" } } }),
    );
    is(
        "Twice(times = 2) { attack }",
        json!({ "name": "Twice", "properties": { "times": 2 }, "children": [{ "name": "attack" }] }),
    );
}

#[test]
fn values_before_children_are_lists() {
    let two = json!([{ "name": "attack" }, { "name": "patrol" }]);
    is(
        "random_selector { 3 => attack, patrol }",
        json!({ "name": "random_selector", "properties": { "weights": [3, 1] }, "children": two }),
    );
    is(
        "utility_selector(keep = 0.1) { hunger => attack, var(mood) => patrol }",
        json!({ "name": "utility_selector", "properties": { "keep": 0.1, "scores": ["hunger", "{mood}"] }, "children": two }),
    );
    is(
        "match var(mood) \"m\" { \"angry\" => attack, _ => patrol }",
        json!({ "name": "match", "title": "m", "properties": { "on": "{mood}", "cases": ["angry"] }, "children": two }),
    );
    is(
        "if near && !attack { attack } else { patrol }",
        json!({ "name": "if", "children": [
            { "name": "sequence", "children": [{ "name": "near" }, { "name": "invert", "children": [{ "name": "attack" }] }] },
            { "name": "attack" },
            { "name": "patrol" }
        ] }),
    );
}

#[test]
fn machines_have_states_transitions_and_hooks() {
    is(
        "machine \"m\" { state idle { enter: sit, patrol, exit: rise, !near -> fight, success -> fight }
            #[allow(unreachable)] state fight { attack, #[allow(pointless)] near -> success } any { tired -> idle } }",
        json!({ "name": "machine", "title": "m", "properties": { "any": ["tired -> idle"] }, "children": [
            { "name": "state",
                "properties": { "name": "idle", "transitions": ["!near -> fight", "success -> fight"], "enter": "sit", "exit": "rise" },
                "children": [{ "name": "patrol" }] },
            { "name": "state",
                "properties": { "allow": ["unreachable", "pointless"], "name": "fight", "transitions": ["near -> success"] },
                "children": [{ "name": "attack" }] }
        ] }),
    );
}

#[test]
fn a_disabled_node_has_the_property() {
    let off = json!({ "disabled": true });
    is(
        "random_selector { 3 => #[disabled] attack, #[allow(pointless)] #[disabled] patrol }",
        json!({ "name": "random_selector", "properties": { "weights": [3, 1] }, "children": [
            { "name": "attack", "properties": off },
            { "name": "patrol", "properties": { "disabled": true, "allow": "pointless" } }
        ] }),
    );
    is(
        "machine { state a { attack, near -> b } #[disabled] state c { patrol } state b { attack, #[disabled] near } }",
        json!({ "name": "machine", "children": [
            { "name": "state", "properties": { "name": "a", "transitions": ["near -> b"] }, "children": [{ "name": "attack" }] },
            { "name": "state", "properties": { "disabled": true, "name": "c" }, "children": [{ "name": "patrol" }] },
            { "name": "state", "properties": { "name": "b" }, "children": [{ "name": "attack" }, { "name": "near", "properties": off }] }
        ] }),
    );
    is(
        "if near { attack } else { #[disabled] patrol }",
        json!({ "name": "if", "children": [
            { "name": "near" }, { "name": "attack" }, { "name": "patrol", "properties": off }
        ] }),
    );
    fails("#[disabled] attack", "1:13: the root is disabled");
    fails("if near { #[disabled] attack }", "1:1: the node for a condition that succeeds is disabled");
    fails("!#[disabled] near", "1:1: expected 1 child, found 0; note: 1 child is disabled");
    let text = "machine { state a { attack, #[disabled] near -> b } state b { attack, near -> a } }";
    fails(text, "1:31: only nodes and states can be disabled, not transitions; help: put it in a comment");
}

#[test]
fn a_file_can_have_several_trees_with_properties() {
    let text = "tree guard { get(door = \"north\") } tree get(door, times = 2) \"get it\" { repeat(var(times)) { goto(place = var(door)) } }";
    let project = read(text, parameters).expect("it is valid");
    let [guard, get] = &*project.trees else { panic!("two trees") };
    assert_eq!((&*guard.id, guard.title(), &*get.id, get.title()), ("guard", "guard", "get", "get it"));
    assert_eq!(Value::from(get.properties.clone()), json!({ "door": null, "times": 2 }));
    assert_eq!(get.nodes[0].0, "#2", "numbers are those in the file");
    let names = NodeNames::new([("goto", Arity::Zero)]);
    assert_eq!(project.check(None, &names).expect("it is valid").nodes.len(), 3);
    fails("tree a { b } tree b { a }", "1:10: cycle: tree `a` contains `b`, which contains `a`");
    fails("tree a { a::b } tree a { c }", "1:22: duplicate tree `a`");
    fails("tree a { attack } attack", "1:19: expected another tree; help: write `tree name { node }`");
    fails("tree a { attack } tree b", "1:24: tree `b` has no body");
    fails(
        "tree a { b(1) } tree b(n = 2) { attack }",
        "1:12: an argument of the tree `b` needs a name; help: write `n = value`",
    );
}

#[test]
fn errors_of_checking_have_places() {
    fails("selector {\n  sequence {\n    atack\n  }\n}", "3:5: unknown node `atack`; help: did you mean `attack`?");
    fails("selector {\n\tsequnce { attack } }", "2:2: unknown node `sequnce`; help: did you mean `sequence`?");
    fails("repeat(-1..=x) { attack }", "1:10: expected numbers or times at both ends of a range");
    fails("limit(\"x y\") { attack }", "1:7: unknown value `x y`");
    fails("parallel(success = al) { attack }", "1:10: property `success`: expected `all`, `one` or a number");
    fails("parallel(sucess = all) { attack }", "1:10: unknown property `sucess`; help: did you mean `success`?");
    fails("selector {}", "1:1: expected at least 1 child, found 0");
    fails("utility_selector { hungr => attack }", "1:20: unknown value `hungr`; help: did you mean `hunger`?");
    fails("machine { state a { attack, near -> c } state b { attack, near -> a } }", "1:29: unknown state `c`");
    fails("machine { state a { attack, patrol } }", "1:17: expected 1 child, found 2");
    for (text, expected) in [
        ("chance(2) { attack }", "1:8: property `probability`: expected a probability"),
        ("parallel(success = 1, failure = 0) { attack }", "1:23: property `failure`: expected"),
        (
            "random_selector { 1 => attack, 0 => patrol }",
            "1:32: property `weights`: expected a list of 2 positive numbers",
        ),
        ("utility_selector { 1 => attack, hungr => patrol }", "1:33: unknown value `hungr`"),
        ("match mod { 1 => attack, _ => patrol }", "1:7: unknown value `mod`"),
        ("match mood { 1 => attack, 1 => near, _ => patrol }", "1:27: property `cases`: duplicate case `1`"),
        ("service(secs(1), look) { attack }", "1:18: property `action`: expected the name of a leaf, found `look`"),
        ("service(-1, attack) { attack }", "1:9: property `every`: expected a time"),
        (
            "machine { state a { attack, enter: wave } }",
            "1:36: property `enter`: expected the name of a leaf, found `wave`",
        ),
        (
            "machine { state a { attack } any { near -> a, far -> a } }",
            "1:47: expected the name of a leaf in a transition",
        ),
        ("tree a { b(m = 2) } tree b(n = 1) { attack }", "1:12: unknown property `m`"),
    ] {
        fails(text, expected);
    }
    fails("Twice { attack, attack }", "1:1: expected 1 child, found 2");
    fails("wait(patience)", "1:6: unknown value `patience`");
}

#[test]
fn errors_of_the_syntax_have_places() {
    fails("", "1:1: expected a node, found an empty file");
    fails("selector {\n  attack", "1:10: `{` is not closed; help: add `}`");
    fails("selector { attack patrol }", "1:19: expected `,` before the next child, found `patrol`");
    fails("selector { attack }\nselector { attack }", "2:1: expected one root node");
    fails("repeat { attack }, 3", "1:18: expected one root node");
    fails("repeat() { attack }", "1:7: `repeat` expects 1 argument, found 0; help: write `repeat(3) { … }`");
    fails("timeout { attack }", "1:1: `timeout` expects 1 argument, found 0; help: write `timeout(secs(5)) { … }`");
    fails("limit(1, 2) { attack }", "1:6: `limit` expects 1 argument, found 2");
    fails("limit(runs = 2) { attack }", "1:6: `limit` expects 1 argument, without a name, found 1");
    fails(
        "selector { sequence fight { near, attack } }",
        "1:21: expected `{` after `sequence`, found `fight`; help: a label is text in quotes: `sequence \"fight\" { … }`",
    );
    fails(
        "invert near",
        "1:8: expected `{` after `invert`, found `near`; help: the child is in braces: `invert { … }`",
    );
    fails(
        "selector { (sequence { near }), attack }",
        "1:12: expected Rust in parentheses, found the node `sequence`; help: remove the parentheses",
    );
    fails("wait", "1:1: `wait` expects 1 argument, found 0; help: write `wait(millis(500))`");
    fails("succeed(1)", "1:8: `succeed` takes no arguments");
    fails("finally(near) { attack }", "1:8: `finally` takes no arguments; help: write `finally { body, cleanup }`");
    fails("sequence(1) { attack }", "1:9: `sequence` takes no arguments");
    fails("parallel(1) { attack }", "1:10: `parallel` expects named options; help: write `parallel(success = 1)`");
    fails("service(secs(1)) { attack }", "1:1: `service` expects a time and an action");
    fails("service(secs(1), goto(2)) { attack }", "1:18: expected the name of a leaf, without arguments");
    fails(
        "utility_selector { hunger => attack, patrol }",
        "1:38: `utility_selector` expects a score before each child",
    );
    fails("selector { 3 => attack }", "1:12: a value is only allowed before a child of a `random_selector`");
    fails("match mood { 1 => attack }", "1:14: the last pattern of a `match` in a file must be `_`");
    fails("match mood { _ => attack, _ => patrol }", "1:14: only the last pattern in a file can be `_`");
    fails("machine { state a { attack, near(1) -> b } state b { attack } }", "1:29: expected the name of a leaf");
    fails("machine { state a { attack } any { attack } }", "1:30: `any` can only contain transitions");
}

#[test]
fn what_is_written_as_it_is_spoken_is_one_error() {
    fail_once(&[
        ("wait(2 minutes)", "1:6: expected a time, found `2 minutes`; help: write `120s`"),
        ("timeout(5 secs) { attack }", "1:9: expected a time, found `5 secs`; help: write `5s`"),
        ("near(2, 1.5 seconds)", "1:9: expected a time, found `1.5 seconds`; help: write `1.5s`"),
        ("wait(20 millis)", "1:6: expected a time, found `20 millis`; help: write `20ms`"),
        (
            "wait(sec(1))",
            "1:6: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found a call of `sec`; help: write `1s`",
        ),
        ("wait(2 monkeys)", "1:8: expected `,`, found `monkeys`; help: separate arguments with `,`"),
        (
            "sequence { 3, attack }",
            "1:12: expected a node, found `3`; help: write the name of a node; only a child of a `random_selector`, a `random_sequence` or a `utility_selector` has a number: `3 => node`",
        ),
        ("random_selector { 3 -> attack, near }", "1:21: expected `=>` after `3`, found `->`; help: write `3 => …`"),
        ("random_selector { => 3, near }", "1:19: expected a value before `=>`, found nothing"),
        ("sequence { var(x), attack }", "1:12: expected a node, found the variable `var(x)`; help: register it"),
        ("not attack", "1:1: `not` is not allowed before a node; help: write `!`, as in `!near`"),
        ("near && attack", "1:6: `&&` is not allowed between nodes; help: write `sequence { a, b }` for `a && b`"),
        (
            "near or attack or patrol",
            "1:6: `or` is not allowed between nodes; help: write `selector { a, b }` for `a or b`",
        ),
        (
            "tree \"m\" { attack }",
            "1:6: expected a name after `tree`, found `\"m\"`; help: write `tree name \"title\" { node }`",
        ),
        ("tree { attack }", "1:6: expected a name after `tree`, found `{…}`; help: write `tree name { node }`"),
        (
            "tree m \"t\" \"u\" { attack }",
            "1:12: expected the braces of tree `m`, found `\"u\"`; help: write `tree name",
        ),
        ("tree a-b { attack }", "1:7: expected the braces of tree `a`, found `-`; help: write `tree name { node }`"),
        ("attack = 3", "1:1: expected a node, found `attack = 3`; help: a weight is before its child: `3 => attack`"),
        (
            "random_selector { near = 3, attack = 1 }",
            "1:19: expected a node, found `near = 3`; help: a weight is before its child: `3 => near`",
        ),
        ("wait(time = 1s)", "1:5: `wait` expects 1 argument, without a name, found 1; help: write `wait(1s)`"),
        (
            "#[disabled(true)] attack",
            "1:1: expected `#[allow(…)]` or `#[disabled]` before a node; help: write `#[disabled]`",
        ),
        ("-- all\nattack", "1:1: expected a node, found `-`; help: a comment begins with `//`"),
        ("service(attack, 1s) { near }", "1:17: expected a node, found `1s`"),
        (
            "selector 'x' { attack }",
            "1:10: expected one root node, found `'x'` after it; help: text is in double quotes, such as the label",
        ),
        (
            "machine { x { attack } }",
            "1:11: expected `state name { … }` or `any { … }` in a `machine`, found `x`; help: write `state x { … }`",
        ),
        ("sequence { true, attack }", "1:12: expected a node, found `true`; help: write `succeed`"),
        ("sequence { attack, # all\n near }", "1:20: expected a node, found `#`; help: a comment begins with `//`"),
        ("attack,", "1:7: expected one root node, found `,` after it; help: remove it"),
        ("fn m() { attack }", "1:1: expected a node, found `fn`; help: write `tree name { node }`"),
    ]);
}

#[test]
fn what_is_written_as_elsewhere_is_one_error() {
    for (text, expected) in [
        ("sequence { attack patrol attack }", "1:19: expected `,` before the next child, found `patrol`"),
        ("repeat { < attack > }", "1:10: expected a node, found `<`"),
        ("sequence { < attack > patrol }", "1:12: expected a node, found `<`"),
        ("if patrol < attack > else < patrol >", "1:11: expected `{` after the condition of `if`, found `<`"),
        ("sequence { if patrol { attack } else attack, patrol }", "1:38: expected `{` after `else`, found `attack`"),
        ("sequence { attack, exit: patrol }", "1:20: `exit:` is only allowed in a state of a `machine`"),
        ("finally { body: attack, cleanup: patrol }", "1:11: expected a node, found a name before it, `body:`"),
        ("Twice { a = patrol }", "1:9: expected a node, found a name before it, `a =`"),
        ("finally { attack } cleanup { patrol }", "1:20: expected the cleanup in the braces of `finally`"),
        (
            "try { attack } finally { patrol }",
            "1:1: expected a node, found `try`; help: write `finally { body, cleanup }`",
        ),
        ("defer { attack }", "1:1: unknown node `defer`; help: use `finally { body"),
        ("Npc: attack", "1:1: a file has no context; help: remove `Npc:`"),
        ("for mut Npc: attack", "1:5: expected a context type after `for`"),
        ("goto 3", "1:6: expected `(` after `goto`, found `3`; help: write `goto(3)`"),
        (
            "sequence { wait secs(5), attack }",
            "1:17: expected `(` after `wait`, found `secs`; help: write `wait(secs(5))`",
        ),
        ("wait 5s", "1:6: expected `(` after `wait`, found `5s`; help: write `wait(5s)`"),
        ("timeout 5 { attack }", "1:9: expected `(` after `timeout`, found `5`; help: write `timeout(secs(5)) { … }`"),
        ("limit { attack }", "1:1: `limit` expects 1 argument, found 0; help: write `limit(3) { … }`"),
        ("random_selector { attack => 3, patrol => 2 }", "1:29: expected a node after `=>`, found `3`"),
        ("utility_selector { { 0.5 } => attack, 1 => patrol }", "1:20: expected a value before `=>`, found `{…}`"),
        ("utility_selector { if a { 1 } else { 2 } => attack }", "1:20: expected a value before `=>`, found `if`"),
        ("match mood { 1: attack, 2: patrol, _ -> patrol }", "1:15: expected `=>` after a pattern, found `:`"),
        ("match mood { 1 | => attack, _ => patrol }", "1:14: expected a Rust pattern and `=>`"),
        (
            "machine { state a { attack, hp == 3 -> b } state b { attack } }",
            "1:29: expected a node, found the expression",
        ),
        (
            "machine < state a < attack, hp == 3 -> b > state b < attack > >",
            "1:29: expected a node, found the expression",
        ),
        ("machine { state a { enter patrol, attack } }", "1:27: expected `:` after `enter`, found `patrol`"),
        (
            "machine { state a { attack, near -> state b } state b { attack } }",
            "1:37: expected a state name after `->`",
        ),
        ("service(attack, 3s) { patrol }", "1:17: expected a node, found `3s`"),
        (
            "service(every = 1s, action = attack) { patrol }",
            "1:9: the arguments of `service` have no names, found `every =`; help: write `service(1s, look_around) { … }`",
        ),
        ("near(meters: 1)", "1:12: expected `=` after `meters`, found `:`; help: write `meters = 1`"),
        (
            "if goto(speed: -1, place: \"a\") { attack }",
            "1:14: expected `=` after `speed`, found `:`; help: write `speed = -1`",
        ),
        ("parallel(success: 1, failure: all) { attack, patrol }", "1:17: expected `=` after `success`, found `:`"),
        ("repeat(times: 3) { attack }", "1:8: expected a value, found a name before it, `times:`; help: write `3`"),
        ("wait(2 s)", "1:6: expected a time, found `2 s`; help: write `2s`"),
        ("timeout(1.5 s..=3 s) { attack }", "1:9: expected a time, found `1.5 s`; help: write `1.5s`"),
        (
            "match mood { 1 => attack, _ => near patrol }",
            "1:37: expected `,` before the next pattern, found `patrol`; help: put several nodes in a composite",
        ),
        (
            "match mood { 1 => near patrol, _ => attack }",
            "1:24: expected `,` before the next pattern, found `patrol`; help: put several nodes in a composite",
        ),
        ("match mood { 1 => near 2 => patrol, _ => attack }", "1:24: expected `,` before the next pattern, found `2`"),
        (
            "match mood { _ => attack, 1 => patrol }",
            "1:14: only the last pattern in a file can be `_`; help: write the arm of `_` last",
        ),
        (
            "if near { attack patrol }",
            "1:9: expected one node in the braces of `if`, found 2; help: put them in a composite",
        ),
        ("if near { attack } else { attack patrol }", "1:25: expected one node in the braces of `else`, found 2"),
        ("invert { attack patrol }", "1:1: expected 1 child, found 2"),
        ("machine { state a attack }", "1:17: `state a` has no body; help: write `state a { … }`"),
        (
            "machine { state a attack, near -> b state b { attack, near -> a } }",
            "1:17: `state a` has no body; help: write `state a { … }`",
        ),
        ("machine { state a { attack patrol } }", "1:17: expected 1 child, found 2"),
        ("machine { state a { attack near -> b } state b { attack } }", "1:28: expected `,` before the next item"),
        (
            "machine day { state a { attack } }",
            "1:9: expected `{` after `machine`, found `day`; help: a label is text in quotes: `machine \"day\" { … }`",
        ),
        ("selector { machine day { state a { attack } } patrol }", "1:20: expected `{` after `machine`, found `day`"),
        ("selector < machine day < state a < attack > > patrol >", "1:20: expected `{` after `machine`, found `day`"),
    ] {
        let errors = errors(text);
        assert!(errors.starts_with(expected) && errors.lines().count() == 1, "{text}: {errors}");
    }
}

#[test]
fn errors_of_arguments_have_places() {
    for (text, place) in [
        ("attack(k = )", "1:10"),
        ("sequence { goto(1, place = ), attack }", "1:26"),
        ("goto(k = , 2)", "1:8"),
        ("attack(k = { x: })", "1:15"),
    ] {
        let found = errors(text);
        let sign = if text.contains(':') { ":" } else { "=" };
        assert_eq!(
            found,
            format!("{place}: expected a value after `{sign}`, found none; help: write a value, or remove the name"),
            "{text}"
        );
    }
    assert_eq!(errors("wait(-2s)"), "1:6: a time cannot be negative, found `-2s`; help: write `2s`");
    assert_eq!(errors("wait(1e3s)"), "1:6: expected a time, found `1e3s`; help: write its number without an exponent");
    fails("wait(\"-2s\")", "1:6: property `time`: expected a time with its unit, such as `1.5s`, a range");
    for text in
        ["retry(5s) { attack }", "retry(secs(5)) { attack }", "limit(1s..=3s) { attack }", "chance(5ms) { attack }"]
    {
        let found = errors(text);
        assert!(found.contains(": property `") && found.lines().count() == 1, "{found}");
    }
    fails(
        "tree a { b(3) } tree b { attack }",
        "1:12: the tree `b` has no arguments; help: write `tree b(name = default)",
    );
    fails(
        "tree a { b(3) } tree b(hp = 2) { attack }",
        "1:12: an argument of the tree `b` needs a name; help: write `hp = ",
    );
    fails(
        "goto(1, 2, 3)",
        "1:12: too many arguments for `goto`: it takes 2; note: its parameters are `speed`, `place`",
    );
    fails("goto(1, speed = 2)", "1:6: duplicate argument `speed`");
    fails("goto(speed = 2, 3)", "1:17: an argument without a name must precede the named arguments");
    fails(
        "attack(3)",
        "1:8: an argument of `attack` needs a name: no parameters are known; help: write `name = value`",
    );
    fails("goto(door)", "1:6: expected a constant or a variable, found the name `door`; help: write text in quotes");
    fails(
        "goto(f(1))",
        "1:6: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found a call of `f`",
    );
    fails("goto(1 + 2)", "1:8: expected `,`, found `+`; help: register a value that the program computes");
    fails("goto(2min)", "1:6: unknown unit `min`; note: the units of times are `s`, `ms`, `us` and `ns`");
    fails("goto(1e999)", "1:6: the number `1e999` is too large");
    fails("wait(1..2)", "1:7: expected `..=` in a range, which includes both ends");
    fails("wait(secs(x))", "1:10: `secs` expects a number");
    assert_eq!(errors("wait(var pause)"), "1:10: expected `(` after `var`, found `pause`; help: write `var(pause)`");
    fails("wait(var(1))", "1:9: `var` expects the name of a variable");
    let unit = "expects a time with its unit, found a number; help: write";
    fails("wait(5)", &format!("1:6: `wait` {unit} `secs(5)` or `millis(5)`"));
    fails("wait(1..=3)", &format!("1:6: `wait` {unit} `secs(1)` or `millis(1)`"));
    fails("timeout(0.5) { attack }", &format!("1:9: `timeout` {unit} `secs(0.5)` or `millis(0.5)`"));
    fails("service(1, attack) { attack }", &format!("1:9: `service` {unit} `secs(1)` or `millis(1)`"));
    fails("wait(secs(1)..=)", "1:13: expected the end of the range after `..=`; help: write both ends");
}

/// The errors of the content of a `tree!`.
fn errors_of_macro(content: &str) -> Vec<String> {
    let mut errors = Errors::default();
    let tokens = content.parse::<proc_macro2::TokenStream>().expect("tokens").into();
    let tree = parse::tree(&tokens, &mut errors);
    check::tree(tree, &mut errors);
    errors.messages()
}

#[test]
fn one_mistake_in_a_macro_is_one_error() {
    for (tree, expected) in [
        ("sequence { near, go(steps: 3) }", "expected a value, found a name before it, `steps:`\nhelp: write `3`"),
        ("if go(steps: 3) { walk }", "expected a value, found a name before it, `steps:`\nhelp: write `3`"),
        ("parallel(success: 1) { near, walk }", "expected `=` after `success`, found `:`\nhelp: write `success = 1`"),
        ("timeout(2 s) { walk }", "expected a time, found `2 s`\nhelp: write `secs(2)`"),
        ("wait(500ms)", "expected a time, found `500ms`\nhelp: write `millis(500)`"),
        ("if near { walk walk }", "expected one node in the braces of `if`, found 2\nhelp: put them in a composite"),
        ("invert { walk walk }", "`invert` expects 1 child, found 2\nhelp: put the children in a composite"),
        (
            "match |npc: &Npc| npc.hp { 1 => walk, _ => walk walk }",
            "expected `,` before the next pattern, found `walk`\nhelp: put several nodes in a composite",
        ),
        ("machine { state a { walk walk } }", "state `a` has more than one node\nhelp: put the nodes in a composite"),
        ("machine { state a walk }", "`state a` has no body\nhelp: write `state a { … }`"),
        (
            "machine { state a { walk, near -> b } state b walk, near -> a }",
            "`state b` has no body\nhelp: write `state b",
        ),
        (
            "selector { machine day { state a { walk } } near }",
            "expected `{` after `machine`, found `day`\nhelp: a label is text in quotes: `machine \"day\" { … }`",
        ),
        (
            "service(every = secs(1), action = eat) { walk }",
            "the arguments of `service` have no names, found `every =`\nhelp: write `service(secs(1), look_around) { … }`",
        ),
        (
            "sequence { near, #[alow(pointless)] walk }",
            "expected `#[allow(…)]` or `#[expect(…)]` before a node\nhelp: did you mean `allow`?",
        ),
        (
            "sequence { /// One.\n /// Two.\n near, walk }",
            "expected a node, found documentation\nhelp: write a comment",
        ),
        ("sequence { near, walk, /// One.\n }", "expected a node, found documentation\nhelp: write a comment"),
    ] {
        let errors = errors_of_macro(tree);
        assert!(errors.len() == 1 && errors[0].starts_with(expected), "{tree}: {errors:#?}");
    }
    for tree in ["go(|x: u32, y: u32| x)", "go(a::b, c)", "go(2, s)"] {
        assert_eq!(errors_of_macro(tree), Vec::<String>::new(), "{tree}");
    }
}

#[test]
fn a_documentation_comment_is_one_error_wherever_it_is() {
    const DOC: &str = "expected a node, found documentation; help: write a comment, `//`";
    for (text, place) in [
        ("/// One.\n/// Two.\ntree a { attack }", "1:1"),
        ("tree a {\n    /// One.\n    attack\n}", "2:5"),
        ("selector { attack, /// One.\n}", "1:20"),
        ("selector { attack, //! One.\n patrol }", "1:20"),
        ("machine { /** One. */ state a { attack } }", "1:11"),
        ("goto(1, /// One.\n place = \"a\")", "1:9"),
    ] {
        assert_eq!(errors(text), format!("{place}: {DOC}"), "{text}");
    }
    assert_eq!(
        errors("/// One.\nselector { atack attack }"),
        format!("1:1: {DOC}\n2:18: expected `,` before the next child, found `attack`")
    );
}

#[test]
fn an_invalid_literal_has_its_place() {
    let escape = "is not an escape of Rust; help: write `\\\\` for a backslash";
    for (text, expected) in [
        (r#"sequence { goto(1, "a\n\qc"), attack }"#, format!(r"1:24: `\q` {escape}")),
        (r#"goto(1, "\n\x9")"#, format!(r"1:12: `\x9` {escape}")),
        (
            r#"goto(1, "\u{110000}")"#,
            r"1:10: `\u{110000}` is not a character of Unicode; help: write the character itself".to_owned(),
        ),
        (r#"goto(1, "\u{xyz}")"#, format!(r"1:10: `\u{{xyz}}` {escape}")),
        (r##"goto(1, r##"x"#)"##, r###"1:9: the text is not closed; help: add `"##`"###.to_owned()),
        (r#"goto(1, "\u12", {})"#, format!(r"1:10: `\u12` {escape}")),
        ("goto(1,\n  0b12)", "2:3: `0b12` is not a number of Rust".to_owned()),
        ("goto(0x)", "1:6: `0x` is not a number of Rust".to_owned()),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn what_is_misspelled_has_a_suggestion() {
    for (text, expected) in [
        (
            "sequence { #[disabeld] attack, near }",
            "1:12: expected `#[allow(…)]` or `#[disabled]` before a node; help: did you mean `disabled`?",
        ),
        (
            "sequence { #[alow(pointless)] attack, near }",
            "1:12: expected `#[allow(…)]` or `#[disabled]` before a node; help: did you mean `allow`?",
        ),
        (
            "sequence { #[allow(unrechable)] attack, near }",
            "1:20: unknown lint `unrechable` in `#[allow(…)]`; help: did you mean `unreachable`?",
        ),
        (
            "#[allow(pointles)] selector { attack }",
            "1:9: unknown lint `pointles` in `#[allow(…)]`; help: did you mean `pointless`?",
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
    for text in ["wait(Duration::form_secs(1))", "goto(vra(x))"] {
        let found = errors(text);
        assert!(found.contains("; help: did you mean `") && found.lines().count() == 1, "{found}");
    }
    assert_eq!(
        errors("selector { attack, #[allow(pointless)] }"),
        "1:20: expected a node after the attribute, found nothing"
    );
    assert_eq!(errors("selector { attack, ! }"), "1:20: expected a node after `!`, found nothing");
}

#[test]
fn names_of_properties_that_any_node_can_have_are_reserved() {
    let of = |name: &str, attribute: &str| {
        format!(
            "the name `{name}` is reserved: in files, it is the property of a node with `#[{attribute}]`; help: rename the parameter"
        )
    };
    assert_eq!(errors("selector { patrol(disabled = true), attack }"), format!("1:19: {}", of("disabled", "disabled")));
    assert_eq!(errors("Twice(allow = \"pointless\") { attack }"), format!("1:7: {}", of("allow", "allow(…)")));
    assert_eq!(errors("tree a(x, disabled = 3) { attack }"), format!("1:11: {}", of("disabled", "disabled")));
    let known = |_: &str| Some(vec!["disabled".to_owned()]);
    let found = read("patrol(true)", known).expect_err("the name is reserved");
    assert_eq!(found[0].to_string(), format!("1:8: {}", of("disabled", "disabled")));
}

#[test]
fn what_a_file_cannot_contain_says_what_to_write() {
    let help = "; help: register it in the program, `registry.add_leaf(\"name\", …)`, and write its name here";
    for (text, place, what) in [
        ("sequence { |npc| npc.attack() }", "1:12", "a closure"),
        ("sequence { &attack }", "1:12", "a reference"),
        ("sequence { attack().twice() }", "1:20", "a macro or a method"),
        ("sequence { vec!(a) }", "1:15", "a macro or a method"),
        ("sequence { (1 + 2) }", "1:12", "Rust"),
        ("sequence { #[cfg(test)] attack }", "1:18", "`#[cfg(…)]`"),
        ("sequence { Twice::<u32> { attack } }", "1:17", "Rust"),
    ] {
        assert_eq!(errors(text), format!("{place}: a file cannot contain {what}{help}"), "{text}");
    }
    for (text, found) in [
        ("if hp < 3 { attack }", "1:4: the condition of `if` must be a node, found the expression `hp < 3`"),
        ("sequence { hp < 3, attack }", "1:12: expected a node, found the expression `hp < 3`"),
    ] {
        assert_eq!(errors(text), format!("{found}{help}"), "{text}");
    }
    fails("match 3 { 1 => attack, _ => near }", "1:7: `match` expects the name of a registered value or `var(name)`");
    fails("let x = 3; attack", "1:1: expected a node, found `let`; help: register a value that the program computes");
    assert_eq!(errors("for _ in 0..3 { attack }"), "1:1: expected a node, found `for`; help: write `repeat(3) { … }`");
    assert_eq!(
        errors("machine { state a { attack, on_success -> b } state b { attack } }"),
        "1:29: expected `success`, found `on_success`; help: write `success -> state`"
    );
    fails("cleanup { attack }", "1:1: unknown node `cleanup`; help: use `finally { body, cleanup }`");
    assert_eq!(errors("tree! { attack }"), "1:1: a file contains the tree alone; help: remove `tree!` and its braces");
    fails("for Npc: attack", "1:5: a file has no context; help: remove `for …:`");
    fails("sequence { ..nodes, attack }", "1:12: a file cannot contain `..` before children");
    fails("within(part) { attack }", "1:1: a file cannot contain `within`, which takes a function");
    fails(
        "#[expect(pointless)] attack",
        "1:10: a file cannot contain `#[expect(…)]`; help: write `#[allow(pointless)]`",
    );
    fails("utility_selector { |npc| npc.hp => attack }", "1:20: expected a number, a time, text, a list");
    fails(
        "match mood { Mood::Calm => attack, _ => patrol }",
        "1:14: a pattern in a file must be a text, a number or a boolean",
    );
    for pattern in ["1..=3", "2s", "1ms..=3s"] {
        fails(
            &format!("match mood {{ {pattern} => attack, _ => patrol }}"),
            "1:14: a pattern in a file must be a text, a number or a boolean, found `",
        );
    }
    fails("match |npc| npc.mood { 1 => attack, _ => patrol }", "1:7: expected a number, a time, text, a list");
    fails("timeout(self.time()) { attack }", "1:13: expected `,`, found `.`");
}

#[test]
fn a_hostile_text_is_an_error_in_bounded_time() {
    const MANY: usize = 20_000;
    let around = |open: &str, close: &str| open.repeat(MANY) + "attack" + &close.repeat(MANY);
    let texts = [
        around("selector { ", "}"),
        around("(", ")"),
        around("if (", ") { attack }"),
        around("[", "]"),
        around("repeat < ", ">"),
        around("repeat < attack, repeat < ", ">"),
        around("goto([", "])"),
        around("goto({ x: ", "})"),
        around("!", ""),
        around("a::", ""),
        around("&", ""),
        around("|a| ", ""),
        around("#[allow(pointless)] ", ""),
        around("if attack { attack } else ", " { attack }"),
        around("match ", ""),
        around("3 => ", ""),
        around("wait(1 + ", ")"),
        format!("wait({})", around("1 + ", "")),
        format!("match {} {{ _ => attack }}", around("1 + ", "")),
        format!("if {} {{ attack }}", around("!", "")),
        format!("if {} {{ attack }}", around("a && ", "")),
        format!("match mood {{ {} => attack }}", around("&", "")),
        format!("for {}: attack", around("&", "")),
        around("attack, ", ""),
        around("attack\n", ""),
        around("machine { state a { ", "} }"),
        "selector { ".to_owned() + &around("#[cfg(a)] ", "") + "}",
    ];
    for text in texts {
        let start: String = text.chars().take(40).collect();
        let begin = std::time::Instant::now();
        assert!(!errors(&text).is_empty(), "{start}");
        assert!(begin.elapsed().as_secs() < 20, "{start}: {:?}", begin.elapsed());
    }
    // As deep as a text can be.
    for text in [
        "!".repeat(2990) + "attack",
        "if attack { attack } else ".repeat(590) + "attack",
        format!("goto({}f(1){})", "[".repeat(250), "]".repeat(250)),
        format!("if {}attack {{ attack }}", "!".repeat(2990)),
        format!("wait(f({}1))", "-".repeat(2980)),
        format!("match {}a {{ _ => attack }}", "-".repeat(2980)),
        format!("match a {{ {}a => attack, _ => attack }}", "&".repeat(2980)),
        format!("{}attack{}", "selector { !!!! ".repeat(250), "}".repeat(250)),
        format!("{}attack{}", "selector < !".repeat(600), ">".repeat(600)),
    ] {
        assert!(!errors(&text).is_empty(), "{text}");
    }
    // In parentheses that have an error.
    for depth in (1..254).step_by(11) {
        let text = format!("if {}attack +{} {{ attack }}", "(".repeat(depth), ")".repeat(depth));
        assert!(!errors(&text).is_empty());
    }
}

#[test]
fn the_largest_valid_texts_are_read() {
    let nested = "!".repeat(190) + "attack";
    assert!(read(&nested, parameters).is_ok());
    let mut text = "sequence {".to_owned();
    for number in 0..20_000 {
        let _ = writeln!(text, "if near({number}) {{ attack }} else {{ goto({number}, \"a\") }}");
    }
    let project = read(&(text + "}"), parameters).expect("it is valid");
    assert_eq!(project.trees[0].nodes.len(), 80_001);
}

#[test]
fn angle_brackets_are_around_the_root_or_the_delimiters_of_a_tree() {
    // Without places.
    let trees = |text: &str| -> Vec<_> {
        let project = read(text, parameters).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let root = |index: usize| project.trees[index].root.as_deref().expect("a root");
        let tree = |index: usize| {
            let of = &project.trees[index];
            (of.id.clone(), of.title().to_owned(), of.properties.clone(), node(&project, index, root(index)))
        };
        (0..project.trees.len()).map(tree).collect()
    };
    let of_braces =
        trees("selector { sequence { near(1.0), attack } machine { state a { x, y -> b } state b { z } } }");
    for text in [
        "selector < sequence < near(1.0), attack > machine < state a < x, y -> b > state b < z > > >",
        "< selector < sequence < near(1.0), attack > machine < state a < x, y -> b > state b < z > > > >",
        "<selector<sequence<near(1.0),attack>machine<state a<x,y->b>state b<z>>>>",
    ] {
        assert_eq!(trees(text), of_braces, "{text}");
    }
    let of_braces = trees("tree main(x = 2) { selector { go(y = var(x)) } } tree go(y) \"g\" { walk }");
    assert_eq!(trees("tree main(x = 2) < selector < go(y = var(x)) > > tree go(y) \"g\" < walk >"), of_braces);
    assert_eq!(trees("tree main(x = 2) { < selector < go(y = var(x)) > > } tree go(y) \"g\" { < walk > }"), of_braces);
    for (text, error) in [
        ("< >", "1:1: expected a node, found an empty tree; help: write a node, such as `selector { … }`"),
        ("< selector < a >", "1:1: unclosed `<`: expected `>` after the last node"),
        (
            "< a, b >",
            "1:4: expected one root node, found `,` after it; help: put several nodes in a composite, such as `sequence { … }`",
        ),
        (
            "< a > b",
            "1:7: expected one root node, found `b` after it; help: put several nodes in a composite, such as `sequence { … }`",
        ),
        ("tree a < b", "1:8: unclosed `<`: expected `>` after the last node"),
    ] {
        let errors: Vec<_> = read(text, parameters).expect_err(text).iter().map(ToString::to_string).collect();
        assert_eq!(errors, [error], "{text}");
    }
}

#[test]
fn a_time_that_no_clock_has_is_an_error() {
    for (time, reason) in [
        ("99999999999999999999s", "1:6: the time `99999999999999999999s` is too large"),
        ("secs(99999999999999999999)", "1:10: the time `99999999999999999999s` is too large"),
        ("secs(1e30)", "1:10: expected a time, found `1e30s`; help: write its number without an exponent"),
        ("secs(-1)", "1:10: a time cannot be negative, found `-1s`; help: write `1s`"),
        ("Duration::from_millis(-1.5)", "1:27: a time cannot be negative, found `-1.5ms`; help: write `1.5ms`"),
        ("-1s", "1:6: a time cannot be negative, found `-1s`; help: write `1s`"),
    ] {
        for text in [format!("wait({time})"), format!("walk({time})")] {
            let found = read(&text, |_| None).err().unwrap_or_default();
            let found: Vec<_> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found, [reason], "{text}");
        }
    }
    assert!(read("wait(18446744073709551615s)", |_| None).is_ok());
}

#[test]
fn a_mistake_in_or_at_a_nested_tree_is_one_error() {
    let check = |text: &str| {
        let names = NodeNames::new([("c", Arity::Zero)]);
        let errors = read(text, |_| None).expect("it is read").check(None, &names).err().unwrap_or_default();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        check("tree a { sequence { m, m, m } }\ntree m { chance(2) { c } }"),
        [
            "2:17: property `probability`: expected a probability from 0 to 1, a range such as `0.1..=0.3`, the name of a registered value or a variable, `{name}` or in a text `var(name)`, found `2`"
        ]
    );
    assert_eq!(
        check("tree a { b(speeed = 1) }\ntree b(speed) { c }"),
        ["1:12: unknown property `speeed`; help: did you mean `speed`?"]
    );
    assert_eq!(check("tree a { b(color = 1) }\ntree b(speed) { c }").len(), 2);
}

#[test]
fn what_separates_is_one_error() {
    for (text, expected) in [
        ("a(1;2)", "1:4: expected `,`, found `;`; help: separate arguments with `,`"),
        (
            "a(.5)",
            "1:3: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found `.`; help: write a digit before the point, as in `0.5`",
        ),
        (
            "a(1, , 2)",
            "1:6: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found `,`; help: remove the comma, or write a value before it",
        ),
        (
            "a((1, 2))",
            "1:3: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found `(…)`; help: register a value that the program computes",
        ),
        ("if a { b } els { c }", "1:12: expected one root node, found `els` after it; help: did you mean `else`?"),
    ] {
        let errors = errors(text);
        assert!(errors.starts_with(expected) && errors.lines().count() == 1, "{text}: {errors}");
    }
}

/// Asserts that each text has one error, which begins in this way.
fn fail_once(texts: &[(&str, &str)]) {
    for (text, expected) in texts {
        let found = errors(text);
        assert!(
            found.starts_with(expected) && found.lines().count() == 1,
            "{text}\nexpected: {expected}\n   found: {found}"
        );
    }
}

#[test]
fn arguments_of_other_notations_say_what_to_write() {
    fail_once(&[
        ("repeat(-1) { attack }", "1:8: property `times`: expected a whole number from 0 to 4294967295"),
        ("retry(-1) { attack }", "1:7: property `times`: expected a whole number from 0 to 4294967295"),
        (
            "tree a { b(n = -1) } tree b(n) { repeat(var(n)) { attack } }",
            "1:41: property `times`: expected a whole number from 0 to 4294967295",
        ),
        ("wait(secs(500ms))", "1:10: `secs` expects a number without a unit, found `500ms`; help: write `500ms` alone"),
        (
            "wait(millis(5h))",
            "1:12: unknown unit `h`; note: the units of times are `s`, `ms`, `us` and `ns`; help: write `18000s`",
        ),
        (
            "wait(2min)",
            "1:6: unknown unit `min`; note: the units of times are `s`, `ms`, `us` and `ns`; help: write `120s`",
        ),
        (
            "wait(from_mins(1))",
            "1:6: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found a call of `from_mins`; help: write `60s`",
        ),
        ("wait(secs 2)", "1:11: expected `(` after `secs`, found `2`; help: write `secs(2)`"),
        ("wait(--3s)", "1:6: a time cannot be negative, found `--3s`; help: write `3s`"),
        ("wait(\"2 sec\")", "1:6: property `time`: expected a time with its unit, such as `1.5s`"),
        ("chance(\"50%\") { attack }", "1:8: property `probability`: expected a probability from 0 to 1"),
        ("chance(30%) { attack }", "1:8: expected a probability from 0.0 to 1.0, found `30%`; help: write `0.3`"),
        (
            "tree a { b(t = 2) } tree b(t) { wait(var(t)) }",
            "1:38: property `time`: expected a time with its unit, such as `1.5s`",
        ),
        (
            "tree a { b } tree b(t = 2) { wait(var(t)) }",
            "1:35: property `time`: expected a time with its unit, such as `1.5s`",
        ),
        ("wait(1s..3s)", "1:8: expected `..=` in a range, which includes both ends; help: write `1s..=3s`"),
        (
            "wait(1s..)",
            "1:8: expected the end of the range after `..`; help: write both ends, as in `secs(1)..=secs(3)`",
        ),
        (
            "parallel(2, 1) { attack, near }",
            "1:10: `parallel` expects named options; help: write `parallel(success = 2, failure = 1)`",
        ),
        (
            "parallel(failure = 2, all) { attack, near }",
            "1:23: `parallel` expects named options; help: write `parallel(failure = 2, success = all)`",
        ),
        ("goto(speed := 1)", "1:12: expected `=` after `speed`, found `:=`; help: write `speed = 1`"),
        ("goto(speed == 1)", "1:12: expected `=` after `speed`, found `==`; help: write `speed = 1`"),
        ("tree a(n: 2) { attack }", "1:9: expected `=` after `n`, found `:`; help: write `n = 2`"),
        (
            "goto({target})",
            "1:7: expected a field, `name: value`, found `target`; help: write a variable as `var(target)`",
        ),
        (
            "goto($x)",
            "1:6: expected a number, a time, text, a list, the name of a registered value or `var(name)`, found `$`; help: write a variable as `var(x)`",
        ),
        ("Wait(500ms)", "1:6: an argument of `Wait` needs a name; help: write `wait(…)`, or `Wait(milliseconds = …)`"),
        ("Inverter(3) { near }", "1:10: `Inverter` takes no arguments; help: write `invert`"),
    ]);
    assert!(read("tree a { b(t = 2s) } tree b(t) { wait(var(t)) }", parameters).is_ok());
    assert_eq!(errors("Wait(milliseconds = 500)"), "", "in Behavior3, a time is a number");
    assert_eq!(errors("Repeater(maxLoop = -1) { attack }"), "");
    assert_eq!(errors("sequence { near \"label\", attack }"), "");
    assert_eq!(errors("selector < #[allow(pointless)] random_selector < 3 => near, 1 => attack > >"), "");
}

#[test]
fn nodes_of_other_notations_say_what_to_write() {
    fail_once(&[
        ("Tree m { attack }", "1:1: expected `tree`, found `Tree`; help: write `tree m { … }`"),
        (
            "tree a { attack } tre b { near } tree c { near }",
            "1:19: expected `tree`, found `tre`; help: write `tree b { … }`",
        ),
        ("tree selector { attack }", "1:6: `selector` is a keyword; help: rename the tree"),
        (
            "switch mood { \"a\" => attack, _ => near }",
            "1:1: expected `match`, found `switch`; help: write `match mood { pattern => node, … }`",
        ),
        (
            "match self.mood { \"a\" => attack, _ => near }",
            "1:7: `match` expects the name of a registered value or `var(name)`, found `self.mood`; help: register a value that the program computes: `registry.add_value(\"name\", |ctx| …)`",
        ),
        (
            "match mood { \"a\" => attack \"b\" => near, _ => patrol }",
            "1:28: expected `,` before the next pattern, found `\"b\"`",
        ),
        (
            "random_selector { #[disabled] 3 => attack, near }",
            "1:19: an attribute is only allowed before a node; help: write it after the `=>`: `3 => #[disabled] …`",
        ),
        (
            "match mood { #[disabled] \"a\" => attack, _ => near }",
            "1:14: an attribute is only allowed before a node; help: write it after the `=>`: `\"a\" => #[disabled] …`",
        ),
        ("random_selector { 3: attack, 2: near }", "1:20: expected `=>` after `3`, found `:`; help: write `3 => …`"),
        ("attack;", "1:7: expected `,` between nodes, found `;`; help: remove it"),
        (
            "sequence { near; repeat { attack }; patrol; }",
            "1:16: expected `,` between nodes, found `;`; help: write `,`",
        ),
        ("utility_selector { 1 => near, @ }", "1:31: expected a node, found `@`"),
        ("machine { state a { exit: near @, attack } }", "1:32: expected a node, found `@`"),
        ("invert { near; }", "1:14: expected `,` between nodes, found `;`; help: remove it"),
        ("invert { near -> attack }", "1:15: a transition is only allowed in a `machine`"),
        ("invert { near; attack }", "1:1: expected 1 child, found 2"),
        ("near -> attack", "1:6: a transition is only allowed in a `machine`; help: write `machine { state a {"),
        (
            "sequence { any { near -> a } attack }",
            "1:23: a transition is only allowed in a `machine`; help: write `machine { state a {",
        ),
        ("sequence: near", "1:1: expected `{` after `sequence`, found `:`; help: write `sequence { … }`"),
        ("sequence: { near, attack }", "1:1: expected `{` after `sequence`, found `:`; help: write `sequence { … }`"),
        ("sequence:\n  near\n  attack", "1:1: expected `{` after `sequence`, found `:`; help: write `sequence { … }`"),
        (
            "if near, attack { patrol }",
            "1:8: expected `{` after the condition of `if`, found `,`; help: write `if one && other { node }`",
        ),
        (
            "if { near } { attack } else { patrol }",
            "1:4: expected a condition after `if`, found `{…}`; help: write `if near { … }`",
        ),
        (
            "machine { state a { near, !success -> b } state b { near, near -> a } }",
            "1:27: expected `failure`, found `!success`; help: write `failure -> state`",
        ),
    ]);
}
