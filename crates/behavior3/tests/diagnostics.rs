//! Invalid files: every error is reported with its node, even for hostile files.

use std::fmt::Write;
use std::time::{Duration, Instant};

use bt_behavior3::{Amount, Arity, MAX_NODES, NodeKind, NodeNames, Project, Word};

fn names() -> NodeNames {
    NodeNames::new([("near", Arity::Zero), ("attack", Arity::Zero), ("twice", Arity::One)])
}

/// Returns the errors of a tree with these nodes. The first is the root.
fn errors(nodes: &str) -> Vec<String> {
    let text = format!("{{\"title\":\"t\",\"root\":\"1\",\"nodes\":{{{nodes}}}}}");
    errors_of(&text)
}

fn errors_of(text: &str) -> Vec<String> {
    let project = Project::read(text).expect("it is JSON of the right form");
    project.check(None, &names()).err().into_iter().flatten().map(|error| error.to_string()).collect()
}

fn node(id: &str, rest: &str) -> String {
    format!("\"{id}\":{{\"id\":\"{id}\",{rest}}}")
}

#[test]
fn structural_errors_are_reported() {
    let leaf = node("2", "\"name\":\"attack\"");
    for (nodes, expected) in [
        (node("1", "\"name\":\"Sequence\""), "node 1 (\"Sequence\"): expected at least 1 child, found 0"),
        (node("1", "\"name\":\"Inverter\""), "node 1 (\"Inverter\"): expected 1 child, found 0"),
        (node("1", "\"name\":\"Sequence\",\"children\":[\"9\"]"), "node 1: child `9` is not in the file"),
        (
            node("1", "\"name\":\"Sequence\",\"children\":[\"1\"]"),
            "node 1 (\"Sequence\"): cycle: the node is below itself",
        ),
        (node("7", "\"name\":\"attack\""), "tree: root `1` is not in the file"),
        (
            format!("{},{leaf}", node("1", "\"name\":\"near\",\"child\":\"2\"")),
            "node 1 (\"near\"): expected no children for a leaf, found 1",
        ),
        (
            format!("{},{leaf}", node("1", "\"name\":\"wait\",\"properties\":{\"time\":\"1s\"},\"child\":\"2\"")),
            "node 1 (\"wait\"): expected no children for a leaf, found 1; help: `delay` waits before its child",
        ),
        (
            format!("{},{leaf},{leaf}", node("1", "\"name\":\"Inverter\",\"child\":\"2\"")),
            "node 2 (\"attack\"): duplicate node id",
        ),
        (
            format!("{},{leaf}", node("1", "\"name\":\"Sequence\",\"children\":[\"2\",\"2\"]")),
            "node 2 (\"attack\"): listed twice as a child of 1; help: duplicate the node",
        ),
        (
            format!(
                "{},{leaf},{}",
                node("1", "\"name\":\"twice\",\"children\":[\"2\",\"3\"]"),
                node("3", "\"name\":\"near\"")
            ),
            "node 1 (\"twice\"): expected 1 child, found 2",
        ),
        (
            "\"1\":{\"id\":\"5\",\"name\":\"near\"}".to_owned(),
            "node 1 (\"near\"): mismatched id: expected `1`, found `5`",
        ),
        (
            node("1", "\"name\":\"atack\",\"title\":\"go\""),
            "node 1 (\"go\"): unknown node `atack`; help: did you mean `attack`?",
        ),
        (
            node("1", "\"name\":\"priority\""),
            "node 1 (\"priority\"): unknown node `priority`; help: did you mean `Priority`?",
        ),
    ] {
        assert_eq!(errors(&nodes).first().map(String::as_str), Some(expected), "{nodes}");
    }
    assert_eq!(errors_of("{\"title\":\"t\",\"nodes\":{}}"), ["tree \"t\": missing root"]);
    assert_eq!(errors_of("{\"trees\":[]}"), ["tree: the project has no trees"]);
}

#[test]
fn property_errors_are_reported_at_once() {
    let one = |name: &str, properties: &str| {
        let parent = format!("\"name\":\"{name}\",\"properties\":{{{properties}}},\"children\":[\"2\"]");
        errors(&format!("{},{}", node("1", &parent), node("2", "\"name\":\"attack\"")))
    };
    let is = |name, properties, expected: &str| {
        assert_eq!(one(name, properties), [format!("node 1 (\"{name}\"): {expected}")]);
    };
    is("Limiter", "", "missing property `maxLoop`: expected a whole number");
    is(
        "Limiter",
        "\"maxLoop\":1.5",
        "property `maxLoop`: expected a whole number from 0 to 4294967295, a range such as `1..=3`, the name of a registered value or a variable, `{name}` or in a text `var(name)`, found `1.5`",
    );
    is("Limiter", "\"maxLoop\":3,\"maxLop\":3", "unknown property `maxLop`; help: did you mean `maxLoop`?");
    is(
        "Inverter",
        "\"_skipIf\":\"tired\"",
        "unknown property `_skipIf`; help: use `mem_if condition { succeed } else { child }`",
    );
    is("Inverter", "\"color\":\"red\"", "unknown property `color`; note: this node has no properties");
    is(
        "MaxTime",
        "\"maxTime\":\"soon\"",
        "unknown value `soon`; note: expected a time in milliseconds, or one such as `1.5s`, a range, the name of a registered value or a variable, `{name}` or in a text `var(name)`",
    );
    is(
        "MaxTime",
        "\"maxTime\":\"1 hour\"",
        "property `maxTime`: expected a time in milliseconds, or one such as `1.5s`, a range such as `1s..=3s`, the name of a registered value or a variable, `{name}` or in a text `var(name)`, found `\"1 hour\"`",
    );
    is(
        "MaxTime",
        "\"maxTime\":1e300",
        "property `maxTime`: expected a time in milliseconds, or one such as `1.5s`, a range such as `1s..=3s`, the name of a registered value or a variable, `{name}` or in a text `var(name)`, found `1e+300`",
    );
    is(
        "parallel",
        "\"success\":0",
        "property `success`: expected `all`, `one` or a number from 1 to 1 (the number of children), found `0`",
    );
    is(
        "random_selector",
        "\"weights\":[1,2]",
        "property `weights`: expected a list of 1 positive numbers, one for each child, found `[1,2]`",
    );
    is("service", "\"every\":5,\"action\":\"dance\"", "property `action`: expected the name of a leaf, found `dance`");
    assert_eq!(one("Limiter", "\"maxLoop\":-1,\"x\":1").len(), 2);
    assert!(one("Limiter", "\"maxLoop\":\"3\"").is_empty(), "the editor writes numbers as text");
    assert!(one("Repeater", "\"maxLoop\":-1").is_empty());
    // In `tree!`, it means nothing.
    assert_eq!(one("repeat", "\"times\":-1").len(), 1);
    let negated = &one("machine", "\"any\":[\"!success -> a\"]")[0];
    assert!(negated.contains("`any`: expected a list of strings such as `condition -> state`, found"), "{negated}");
}

#[test]
fn other_text_is_an_error() {
    for text in
        ["", "[]", "3", "{", "{\"nodes\":3}", "{\"nodes\":{\"1\":{}}}", "{\"trees\":3}", "{\"data\":3}", "\u{0}"]
    {
        let error = Project::read(text).expect_err(text).to_string();
        assert!(error.starts_with("not a Behavior3 tree or project: "), "{error}");
    }
    let nested = r#"{ "name": "hero", "root": { "id": 1, "name": "Selector", "children": [] }, "nodes": {} }"#;
    let error = Project::read(nested).expect_err("the format of another editor").to_string();
    assert!(error.contains("`root` is a node, expected the id of one"), "{error}");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Project::read(&format!("{{\"nodes\":{{}},\"x\":{deep}}}")).is_err());
}

/// Returns a chain of decorators above a leaf, with the given depth.
fn chain(levels: usize) -> String {
    let mut nodes = String::new();
    for level in 1..levels {
        let _ = write!(
            nodes,
            "{},",
            node(&level.to_string(), &format!("\"name\":\"Inverter\",\"child\":\"{}\"", level + 1))
        );
    }
    nodes + &node(&levels.to_string(), "\"name\":\"attack\"")
}

#[test]
fn depth_and_size_are_bounded_in_bounded_time() {
    let began = Instant::now();
    assert!(errors(&chain(200)).is_empty());
    let deep = errors(&chain(10_000));
    assert_eq!(deep, ["node 201 (\"Inverter\"): tree too deep: the limit is 200 levels"]);
    let ids: Vec<_> = (2..100_002).map(|id| format!("\"{id}\"")).collect();
    let wide = node("1", &format!("\"name\":\"Sequence\",\"children\":[{}]", ids.join(",")));
    let leaves: Vec<_> = (2..100_002).map(|id| node(&id.to_string(), "\"name\":\"attack\"")).collect();
    assert!(errors(&format!("{wide},{}", leaves.join(","))).is_empty(), "a hundred thousand nodes are a tree");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn machines_of_many_states_are_checked_in_bounded_time() {
    let began = Instant::now();
    let ids: Vec<_> = (2..50_002).map(|id| format!("\"{id}\"")).collect();
    let machine = node("1", &format!("\"name\":\"machine\",\"children\":[{}]", ids.join(",")));
    let state = |id: usize| {
        let (below, next) = (id + ids.len(), 2 + (id - 1) % ids.len());
        let properties = format!("{{\"name\":\"{id}\",\"transitions\":[\"near -> {next}\"]}}");
        let rest = format!("\"name\":\"state\",\"properties\":{properties},\"children\":[\"{below}\"]");
        format!("{},{}", node(&id.to_string(), &rest), node(&below.to_string(), "\"name\":\"attack\""))
    };
    let states: Vec<_> = (2..50_002).map(state).collect();
    assert!(errors(&format!("{machine},{}", states.join(","))).is_empty(), "fifty thousand states are a machine");
    assert!(began.elapsed() < Duration::from_secs(20));
}

/// Returns trees that each contain the next one twice.
fn doubling(trees: usize, id: &str) -> String {
    let tree = |number: usize| {
        let inner = if number + 1 == trees { "attack".to_owned() } else { format!("t{}", number + 1) };
        format!(
            "{{\"id\":\"t{number}\",\"title\":\"t{number}\",\"root\":\"{id}\",\"nodes\":{{{},{},{}}}}}",
            node(id, "\"name\":\"Sequence\",\"children\":[\"2\",\"3\"]"),
            node("2", &format!("\"name\":\"{inner}\"")),
            node("3", &format!("\"name\":\"{inner}\"")),
        )
    };
    format!("{{\"trees\":[{}]}}", (0..trees).map(tree).collect::<Vec<_>>().join(","))
}

#[test]
fn trees_in_trees_cannot_grow_beyond_bounds() {
    assert!(errors_of(&doubling(5, "1")).is_empty());
    assert!(errors_of(&doubling(10, "1")).is_empty(), "it has 3069 nodes");
    let error = |what, note| format!("tree \"t0\": too {what}; note: the limit is 8 times that of the file, {note}");
    let nodes = "many nodes: expected at most 4096 with all nested trees, found 6597069766653";
    assert_eq!(errors_of(&doubling(41, "1")), [error(nodes, "at least 4096, at most 262144")]);
    let nodes = "many nodes: expected at most 4096 with all nested trees, found 18446744073709551615";
    assert_eq!(errors_of(&doubling(100, "1")), [error(nodes, "at least 4096, at most 262144")]);
    let text = "much text: expected at most 8001184 bytes with all nested trees, found 102318418";
    assert_eq!(errors_of(&doubling(10, &"x".repeat(100_000))), [error(text, "at least 1048576, at most 67108864")]);
    let cycle = doubling(3, "1").replace("attack", "t0");
    assert_eq!(
        errors_of(&cycle),
        ["node 2 (\"t1\"): cycle: tree `t0` contains `t1`, which contains `t2`, which contains `t0`"]
    );
}

#[test]
fn all_trees_of_a_file_together_cannot_grow_beyond_bounds() {
    let deep = doubling(10, "1");
    let deep = deep.strip_suffix("]}").expect("a list of trees");
    let wide = |number| {
        let name = if number % 2 == 0 { "t0" } else { "t1" };
        format!("{{\"id\":\"w{number}\",\"root\":\"1\",\"nodes\":{{{}}}}}", node("1", &format!("\"name\":\"{name}\"")))
    };
    let wide: Vec<_> = (0..500).map(wide).collect();
    let project = Project::read(&format!("{deep},{}]}}", wide.join(","))).expect("it is a project");
    let (mut nodes, mut refused) = (0, Vec::new());
    for (_, checked) in project.check_all(&names()) {
        match checked {
            Ok(tree) => nodes += tree.nodes.len(),
            Err(errors) => refused.extend(errors.into_iter().map(|error| error.reason)),
        }
    }
    assert!((MAX_NODES / 2..MAX_NODES).contains(&nodes), "{nodes}");
    assert!(refused.len() > 100);
    let not_checked =
        "not checked: the trees before it have 262144 nodes with all nested trees; help: check this tree alone";
    assert_eq!(refused.iter().find(|reason| *reason != not_checked), None);
    assert!(project.check(Some("w499"), &names()).is_ok());
}

#[test]
fn a_title_does_not_repeat_a_long_value() {
    let value = "x".repeat(10_000);
    let text = format!(
        r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "attack", "title": "{}", "properties": {{ "x": "{value}" }} }} }} }}"#,
        "<x>".repeat(10_000)
    );
    let tree = Project::read(&text).expect("it is JSON").check(None, &names()).expect("nothing is wrong with it");
    assert!(tree.nodes[0].title.as_ref().expect("it has a title").len() < 20 * text.len());
}

#[test]
fn a_nested_tree_has_its_own_ids() {
    let project = Project::read(&doubling(2, "1")).expect("it is a project");
    let tree = project.check(None, &names()).expect("nothing is wrong");
    let ids: Vec<_> = tree.nodes.iter().map(|node| node.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "2/1", "2/2", "2/3", "3", "3/1", "3/2", "3/3"]);
    assert_eq!(tree.nodes[1].kind, NodeKind::Tree("t1".to_owned()));
    assert!(project.check(Some("t1"), &names()).is_ok());
    assert_eq!(
        project.check(Some("t9"), &names()).expect_err("it is not there")[0].to_string(),
        "tree: unknown tree `t9`; help: did you mean `t0`?"
    );
}

#[test]
fn unknown_fields_are_preserved() {
    let text = include_str!("project.b3.json");
    let project = Project::read(text).expect("it is a project");
    let again: serde_json::Value = serde_json::from_str(&project.write()).expect("it is JSON");
    let before: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(again, before);
    let tree = project.check(None, &names()).expect("nothing is wrong");
    assert_eq!(tree.nodes[0].kind.word(), Some(Word::Selector));
    assert_eq!(tree.nodes[0].title.as_deref(), Some("guard"));
}

#[test]
fn random_input_returns_errors_or_a_tree_and_never_panics() {
    let base = include_str!("project.b3.json");
    let mut seed = 12345_u64;
    let mut draw = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed >> 11).unwrap_or(0) % below
    };
    for _ in 0..5000 {
        let mut text: Vec<char> = base.chars().collect();
        for _ in 0..=draw(6) {
            let at = draw(text.len());
            match draw(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, ['"', '{', '}', '[', ',', '1', '-', 'x', ':'][draw(9)]),
                2 => text[at] = ['0', '9', 'e', '\\', ' ', '~'][draw(6)],
                _ => {
                    let (from, to) = (at, (at + draw(40)).min(text.len()));
                    let part: Vec<char> = text[from..to].to_vec();
                    let place = draw(text.len());
                    text.splice(place..place, part);
                }
            }
        }
        if let Ok(project) = Project::read(&text.into_iter().collect::<String>()) {
            match project.check(None, &names()) {
                Ok(tree) => assert!(!tree.to_rust().is_empty()),
                Err(errors) => assert!(!errors.is_empty() && errors.iter().all(|error| !error.to_string().is_empty())),
            }
        }
    }
}

#[test]
fn a_machine_becomes_rust() {
    let text = include_str!("../../../tests/behaviour/sheep.b3.json");
    let names = NodeNames::new(["told", "Herded", "Predator"].map(|name| (name, Arity::Zero)));
    let tree = Project::read(text).expect("it is a tree").check(None, &names).expect("nothing is wrong");
    assert_eq!(
        tree.to_rust(),
        "\
machine \"sheep\" {
    state idle { (told { number: 1 }), herded -> obey }
    state obey { (told { number: 2 }), !herded -> stopping }
    state stopping { (told { number: 3 }), success -> idle, failure -> failure }
    state fear { (told { number: 4 }), !predator -> success }
    any { predator -> fear }
}
"
    );
}

#[test]
fn parameters_of_older_files_are_read() {
    let read = |node: &str| {
        let text = format!("{{\"title\":\"t\",\"root\":\"1\",\"nodes\":{{\"1\":{{{node}}}}}}}");
        let project = Project::read(&text).expect("it is JSON of the right form");
        assert_eq!(Project::read(&project.write()).expect("it was just written"), project, "and preserved");
        project.check(None, &names()).map(|tree| tree.nodes[0].clone())
    };
    let near = read(r#""name": "near", "parameters": { "radius": 99 }, "properties": { "kind": "box" }"#).unwrap();
    assert_eq!(
        serde_json::Value::Object(near.properties().clone()),
        serde_json::json!({ "radius": 99, "kind": "box" })
    );
    let wait = read(r#""name": "Wait", "parameters": { "milliseconds": 250 }"#).unwrap();
    assert_eq!(
        (wait.kind.word(), wait.kind.args().time()),
        (Some(Word::Wait), Some(&Amount::Fixed(Duration::from_millis(250))))
    );
    assert!(read(r#""name": "near", "parameters": {}, "properties": { "kind": "box" }"#).is_ok());
    assert!(read(r#""name": "near", "parameters": { "kind": "box" }, "properties": { "kind": "box" }"#).is_ok());
    let wrong = |node: &str| read(node).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(
        wrong(r#""name": "near", "parameters": { "kind": "box" }, "properties": { "kind": "tree" }"#),
        "node 1 (\"near\"): conflicting values for `kind` in `properties` and `parameters`"
    );
    assert_eq!(
        wrong(r#""name": "near", "parameters": [1]"#),
        "node 1 (\"near\"): `parameters`: expected names with values, found `[1]`"
    );
    assert_eq!(
        wrong(r#""name": "Wait", "parameters": { "millisecond": 1 }, "properties": { "milliseconds": 1 }"#),
        "node 1 (\"Wait\"): unknown property `millisecond`; help: did you mean `milliseconds`?"
    );
}

#[test]
fn a_bound_may_be_a_string() {
    for (text, expected) in [
        ("\"-1\"", (Word::Repeat, None)),
        ("-1", (Word::Repeat, None)),
        ("\" 3 \"", (Word::RepeatTimes, Some(3))),
        ("3.0", (Word::RepeatTimes, Some(3))),
    ] {
        let nodes = format!(
            "{},{}",
            node("1", &format!("\"name\":\"Repeater\",\"properties\":{{\"maxLoop\":{text}}},\"child\":\"2\"")),
            node("2", "\"name\":\"near\"")
        );
        let text = format!("{{\"title\":\"t\",\"root\":\"1\",\"nodes\":{{{nodes}}}}}");
        let tree = Project::read(&text).expect("it is JSON").check(None, &names()).expect("nothing is wrong with it");
        let kind = &tree.nodes[0].kind;
        assert_eq!(
            (kind.word(), kind.args().number().and_then(Amount::fixed)),
            (Some(expected.0), expected.1.as_ref())
        );
    }
}

/// The errors of a tree `a` that is only the nested tree `b` with these properties. `b` declares others.
fn nested(block: &str, given: &str, declared: &str) -> Vec<String> {
    errors_of(&format!(
        r#"{{ "trees": [
            {{ "id": "a", "title": "a", "root": "1", "nodes": {{ "1": {{ "name": "b", "{block}": {given} }} }} }},
            {{ "id": "b", "title": "b", "root": "1", "properties": {declared}, "nodes": {{ "1": {{ "name": "Succeeder" }} }} }}
        ] }}"#
    ))
}

#[test]
fn a_nested_tree_has_only_the_properties_that_it_declares() {
    for block in ["properties", "parameters"] {
        assert_eq!(
            nested(block, r#"{ "speed": 3 }"#, "{}"),
            ["node 1 (\"b\"): unknown property `speed`; note: the nested tree has no properties"]
        );
        assert_eq!(
            nested(block, r#"{ "sped": 3 }"#, r#"{ "speed": 1 }"#),
            ["node 1 (\"b\"): unknown property `sped`; help: did you mean `speed`?"]
        );
        assert_eq!(
            nested(block, r#"{ "color": 3 }"#, r#"{ "speed": 1 }"#),
            ["node 1 (\"b\"): unknown property `color`; note: the properties are `speed`"]
        );
        assert_eq!(
            nested(block, "{}", r#"{ "speed": null }"#),
            ["node 1 (\"b\"): missing property `speed` of the nested tree"]
        );
    }
}

#[test]
fn a_nested_tree_passes_its_properties_on() {
    let text = r#"{ "trees": [
        { "id": "a", "title": "a", "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3"] },
            "2": { "name": "b", "properties": { "times": 2, "goal": "{home}" } },
            "3": { "name": "b", "properties": { "goal": "dock" } }
        } },
        { "id": "b", "title": "b", "root": "1", "properties": { "times": 7, "goal": null }, "nodes": {
            "1": { "name": "retry", "properties": { "times": "{times}" }, "child": "2" },
            "2": { "name": "c", "properties": { "to": "{goal}", "via": "{_via}" } }
        } },
        { "id": "c", "title": "c", "root": "1", "properties": { "to": null, "via": null }, "nodes": {
            "1": { "name": "go", "properties": { "list": ["{to}", "{via}", "{_own}", "{global}"] } }
        } }
    ] }"#;
    let names = NodeNames::new([("go", Arity::Zero)]);
    let tree = Project::read(text).expect("it is JSON").check(None, &names).expect("nothing is wrong with it");
    let times: Vec<_> =
        tree.nodes.iter().filter_map(|node| node.kind.args().number().and_then(Amount::fixed).copied()).collect();
    assert_eq!(times, [2, 7]);
    let lists: Vec<_> =
        tree.nodes.iter().filter_map(|node| node.properties().get("list")).map(ToString::to_string).collect();
    assert_eq!(
        lists,
        [r#"["{home}","{2/_via}","{2/2/_own}","{global}"]"#, r#"["dock","{3/_via}","{3/2/_own}","{global}"]"#]
    );
}

#[test]
fn the_properties_of_nested_trees_cannot_grow_without_bound() {
    let tree = |index: usize| {
        format!(
            r#"{{ "id": "t{index}", "title": "t{index}", "root": "1", "properties": {{ "x": "y" }}, "nodes": {{
                "1": {{ "name": "t{}", "properties": {{ "x": ["{{x}}", "{{x}}"] }} }} }} }}"#,
            index + 1
        )
    };
    let trees: Vec<_> = (0..60).map(tree).collect();
    let last = r#"{ "id": "t60", "title": "t60", "root": "1", "properties": { "x": 1 }, "nodes": { "1": { "name": "go", "properties": { "x": "{x}" } } } }"#;
    let text = format!(r#"{{ "trees": [{}, {last}] }}"#, trees.join(", "));
    let names = NodeNames::new([("go", Arity::Zero)]);
    let errors = Project::read(&text).expect("it is JSON").check(Some("t0"), &names).expect_err("it is too large");
    assert!(errors[0].to_string().contains("too much text"), "{errors:?}");
}

#[test]
fn a_custom_name_does_not_hide_a_word() {
    let text = r#"{ "title": "t", "root": "1", "nodes": { "1": { "name": "Sequence", "children": ["2"] }, "2": { "name": "Succeeder" } } }"#;
    for name in ["Sequence", "mem_parallel"] {
        let names = NodeNames::new([(name, Arity::Zero)]);
        let errors = Project::read(text).expect("it is JSON").check(None, &names).unwrap_err();
        assert!(
            errors[0].to_string().ends_with(&format!("`{name}` is a built-in name; help: rename your node")),
            "{errors:?}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let text = "\u{feff}{ \"root\": \"1\", \"nodes\": { \"1\": { \"name\": \"Succeeder\" } } }";
    assert!(Project::read(text).expect("it is JSON").check(None, &names()).is_ok());
}

#[test]
fn titles_of_the_editor_are_filled_in() {
    let title = |title: &str| {
        let text = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "near", "title": "{title}", "properties": {{ "radius": 9.5, "kind": "box" }} }} }} }}"#
        );
        let tree = Project::read(&text).expect("it is JSON").check(None, &names()).expect("nothing is wrong with it");
        tree.nodes[0].title.clone().unwrap_or_default()
    };
    assert_eq!(title("a <kind> within <radius> m"), "a box within 9.5 m");
    assert_eq!(title("<unknown> < 3, <<kind>>, <kind"), "<unknown> < 3, <box>, <kind");
}

#[test]
fn unconnected_parts_are_listed_on_request() {
    let text = r#"{ "root": "1", "nodes": {
        "1": { "name": "Inverter", "child": "2" }, "2": { "name": "near" },
        "4": { "name": "near" }, "3": { "name": "Sequence", "title": "loose", "children": ["4", "nowhere"] },
        "5": { "name": "Wait" },
        "6": { "name": "Inverter", "title": "circle", "child": "7" }, "7": { "name": "Sequence", "children": ["6", "8"] }, "8": { "name": "near" }
    } }"#;
    let project = Project::read(text).expect("it is JSON");
    assert!(project.check(None, &names()).is_ok());
    let loose: Vec<_> = project.trees[0].unconnected().iter().map(ToString::to_string).collect();
    assert_eq!(
        loose,
        [
            "node 3 (\"loose\"): not connected to the root, with 1 node below it",
            "node 5 (\"Wait\"): not connected to the root",
            "node 6 (\"circle\"): not connected to the root, with 2 nodes below it",
        ]
    );
}

#[test]
fn properties_become_rust_by_name() {
    let text = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3", "5", "7"] },
        "2": { "name": "lerp", "properties": { "to": 1, "from": 2.5, "why": "so", "via": "{goal}", "no": null, "at-post": { "x": 1, "y": [true] } } },
        "3": { "name": "twice", "properties": { "times": 2 }, "child": "4" }, "4": { "name": "loop" },
        "5": { "name": "between", "properties": { "to": 1, "from": 2 }, "child": "6" }, "6": { "name": "Succeed" },
        "7": { "name": "parallel", "properties": { "success": 1, "failure": "all" }, "children": ["8"] }, "8": { "name": "random_selector", "properties": { "weights": [0.5, 2] }, "children": ["9", "10"] },
        "9": { "name": "Repeater", "properties": { "maxLoop": 0, "allow": "pointless" }, "child": "11" }, "10": { "name": "loop" }, "11": { "name": "loop" }
    } }"#;
    let own = [
        ("lerp", Arity::Zero),
        ("loop", Arity::Zero),
        ("Succeed", Arity::Zero),
        ("twice", Arity::One),
        ("between", Arity::One),
    ];
    let tree =
        Project::read(text).expect("it is JSON").check(None, &NodeNames::new(own)).expect("nothing is wrong with it");
    assert_eq!(
        tree.to_rust(),
        "\
sequence {
    (lerp { at_post: AtPost { x: 1, y: [true].into() }, from: 2.5, no: None, to: 1, via: GOAL.into(), why: \"so\".into() }),
    twice(2) { r#loop }
    between(Between { from: 2, to: 1 }) { succeed_ }
    parallel(success = 1, failure = all) {
        random_selector {
            0.5 => #[allow(pointless)] repeat(0) { r#loop }
            2 => r#loop
        }
    }
}
"
    );
}

#[test]
fn errors_of_machines_are_reported_together_with_all_others() {
    let text = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3", "9"] },
        "2": { "name": "atack" },
        "3": { "name": "machine", "children": ["4", "5"] },
        "4": { "name": "state", "properties": { "name": "idle", "transitions": ["near -> fihgt"] }, "children": ["6"] },
        "5": { "name": "state", "properties": { "name": "fight" }, "children": ["7"] },
        "6": { "name": "attack" }, "7": { "name": "attack" },
        "9": { "name": "machine", "children": ["10"] },
        "10": { "name": "state", "properties": { "name": "a", "transitions": ["near -> b"], "nme": "a" }, "children": ["11"] },
        "11": { "name": "attack" }
    } }"#;
    let names = NodeNames::new(["attack", "near"].map(|name| (name, Arity::Zero)));
    let errors = Project::read(text).expect("it is JSON").check(None, &names).expect_err("it has errors");
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    // The second machine has an error that may be the cause of others.
    assert_eq!(
        errors,
        [
            "node 2 (\"atack\"): unknown node `atack`; help: did you mean `attack`?",
            "node 10 (\"state\"): unknown property `nme`; help: did you mean `name`?",
            "node 4 (\"state\"): unknown state `fihgt` in a transition; help: did you mean `fight`?",
        ]
    );
}

#[test]
fn a_name_that_tree_takes_for_a_mistake_is_written_with_a_path() {
    let text = r#"{ "root": "1", "nodes": {
        "1": { "name": "SimpleParallel", "children": ["2", "3"] }, "2": { "name": "Selektor", "child": "4" },
        "3": { "name": "attack" }, "4": { "name": "attack", "properties": { "at": [1, 2.5] } }
    } }"#;
    let names = NodeNames::new([("SimpleParallel", Arity::Many), ("Selektor", Arity::One), ("attack", Arity::Zero)]);
    let tree = Project::read(text).expect("it is JSON").check(None, &names).expect("nothing is wrong");
    assert_eq!(
        tree.to_rust(),
        "\
self::simple_parallel {
    self::selektor { (attack { at: [1, 2.5].into() }) }
    attack
}
"
    );
}

#[test]
fn a_variable_that_a_node_reads_twice_is_one_error() {
    let text = r#"{ "trees": [
        { "id": "m", "root": "1", "nodes": { "1": { "name": "s" } } },
        { "id": "s", "root": "1", "nodes": {
            "1": { "name": "utility_selector", "children": ["2", "3"], "properties": { "scores": ["{_n}", "{_n}"] } },
            "2": { "name": "near" }, "3": { "name": "attack" }
        } }
    ] }"#;
    let error = "node 1/1 (\"utility_selector\"): variable `{_n}` is read, but no node writes it";
    assert_eq!(errors_of(text), [error]);
}

#[test]
fn a_nested_tree_is_no_state() {
    let states = r#""name": "s", "root": "1", "nodes": { "1": { "name": "state", "child": "2", "properties": { "name": "a" } }, "2": { "name": "near" } }"#;
    let text = format!(
        r#"{{ "trees": [
            {{ "id": "m", "root": "1", "nodes": {{ "1": {{ "name": "machine", "children": ["2", "3"] }}, "2": {{ "name": "s" }}, "3": {{ "name": "s" }} }} }},
            {{ "id": "s", {states} }}
        ] }}"#
    );
    let error = |id| format!("node {id} (\"s\"): expected a `state` inside a `machine`, found `s`");
    assert_eq!(errors_of(&text), [error(2), error(3)]);
}
