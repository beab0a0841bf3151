//! Trees in texts: every command that takes a file.

mod folder;

use folder::Folder;

const GUARD: &str = "\
selector {
    sequence \"fight\" { near(10.0), attack }
    wait(millis(500))
}
";

#[test]
fn check_reports_line_and_column() {
    let folder = Folder::new("check");
    folder.write("guard.bt", GUARD);
    let good = (true, "guard.bt: OK (5 nodes)\n".to_owned(), String::new());
    assert_eq!(folder.bt(&["check", "guard.bt", "--leaf", "near(meters)", "--leaf", "attack"]), good);
    let (success, _, errors) = folder.bt(&["check", "guard.bt", "--leaf", "near()", "--leaf", "atack"]);
    assert!(!success);
    assert!(errors.starts_with("guard.bt:2:36: unknown node `attack`; help: did you mean `atack`?\n"), "{errors}");
    folder.write("bad.bt", "selector {\n  sequence { near(1) attack }\n  |npc| npc.run()\n}");
    let (_, _, errors) = folder.bt(&["check", "bad.bt"]);
    assert_eq!(
        errors,
        "bad.bt:2:22: expected `,` before the next child, found `attack`\n\
         bad.bt:3:3: a file cannot contain a closure; help: register it in the program, `registry.add_leaf(\"name\", …)`, and write its name here\n"
    );
    folder.write("word.bt", "selector { sequnce { a, b } succeed, c }");
    let (_, _, errors) = folder.bt(&["check", "word.bt"]);
    assert!(errors.starts_with("word.bt:1:12: unknown keyword `sequnce`; help: did you mean `sequence`?\nword.bt:1:38: warning: unreachable node; note: "), "{errors}");
    folder.write("once.bt", "sequense { defer { a } }");
    let (_, _, errors) = folder.bt(&["check", "once.bt"]);
    assert_eq!(errors.matches("sequense").count(), 1, "{errors}");
    assert!(
        errors.contains("once.bt:1:12: unknown keyword `defer`; help: use ") && !errors.contains("`a`, `defer`"),
        "{errors}"
    );
    let (_, json, _) = folder.bt(&["check", "--json", "word.bt"]);
    assert!(json.contains("\"column\": 12") && json.contains("\"line\": 1"), "{json}");
}

#[test]
fn check_says_which_names_it_cannot_know() {
    let folder = Folder::new("names");
    folder.write(
        "guard.bt",
        "tree a { sequence { service(secs(1), look) { wait(patience) } b } }\n\
         tree b { machine { state s { wiat, near -> success, enter: look } } }\n",
    );
    let help = "help: declare what the program registers with `--leaf NAME`, `--decorator NAME`, `--composite NAME` and `--value NAME`\n";
    let (success, out, note) = folder.bt(&["check", "guard.bt"]);
    assert!(success && out.starts_with("guard.bt: OK (2 trees, "), "{out}");
    let names = "`look`, `near`, `patience`, `wiat` (did you mean `wait`?)";
    assert_eq!(note, format!("guard.bt: note: names that are not checked: {names}; {help}"));
    let (_, json, _) = folder.bt(&["check", "--json", "--tree", "a", "guard.bt", "--value", "patience"]);
    let json: String = json.split_whitespace().collect();
    assert!(json.contains("\"unchecked\":[\"look\",\"near\",\"wiat\"]"), "{json}");
    let leaves = ["look", "near", "wiat"].map(|leaf| format!("--leaf={leaf}"));
    let (success, _, note) =
        folder.bt(&["check", "guard.bt", "--value", "patience", &leaves[0], &leaves[1], &leaves[2]]);
    assert!(success && note.is_empty(), "{note}");
    let (success, _, errors) = folder.bt(&["check", "guard.bt", &leaves[0], &leaves[1], &leaves[2]]);
    assert!(!success && errors.contains("unknown value `patience`"), "{errors}");
}

#[test]
fn texts_are_drawn_and_written_as_rust() {
    let folder = Folder::new("draw");
    folder.write("guard.bt", GUARD);
    let (_, drawing, errors) = folder.bt(&["draw", "guard.bt"]);
    let expected = "selector\n├─ sequence \"fight\"\n│  ├─ near(1: 10.0)\n│  └─ attack\n└─ wait(time: 500ms)\n";
    assert_eq!(drawing, expected, "{errors}");
    let (_, drawing, _) = folder.bt(&["draw", "guard.bt", "--leaf", "near(meters)"]);
    assert!(drawing.contains("near(meters: 10.0)"), "{drawing}");
    let (_, rust, _) = folder.bt(&["to-rust", "guard.bt", "--leaf", "near(meters)", "--leaf", "attack"]);
    assert_eq!(rust, GUARD.replace("near(10.0)", "(near { meters: 10.0 })"));
}

#[test]
fn a_line_of_a_drawing_has_any_length() {
    let folder = Folder::new("long");
    let label = "x".repeat(70_000);
    folder.write("long.bt", &format!("sequence {{ a \"{label}\", b }}"));
    let drawing = format!("sequence\n├─ a \"{label}\"\n└─ b\n");
    assert_eq!(folder.bt(&["draw", "long.bt"]), (true, drawing, String::new()));
}

#[test]
fn texts_are_compared_by_structure() {
    let folder = Folder::new("diff");
    folder.write("old.bt", GUARD);
    folder.write("new.bt", "// Changed.\nselector { flee, sequence \"fight\" { attack } wait(1s) }");
    assert_eq!(folder.bt(&["diff", "old.bt", "old.bt"]), (true, String::new(), String::new()));
    let (_, differences, errors) = folder.bt(&["diff", "old.bt", "new.bt"]);
    let mut lines: Vec<_> = differences.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "added: selector/flee: first",
            "changed: selector/wait: time: \"500ms\" -> \"1s\"",
            "removed: selector/fight/near"
        ],
        "{errors}"
    );
}

#[test]
fn texts_are_formatted() {
    let folder = Folder::new("fmt");
    folder.write("guard.bt", "selector{ sequence \"fight\"{near( 10.0 ),attack,} wait( millis(500) ) }");
    let (success, _, errors) = folder.bt(&["fmt", "--check", "."]);
    assert!(!success && errors.ends_with("guard.bt: not formatted\n"), "{errors}");
    assert!(folder.bt(&["fmt", "."]).0);
    assert_eq!(folder.read("guard.bt"), "selector { sequence \"fight\" { near(10.0), attack } wait(millis(500)) }\n");
    assert!(folder.bt(&["fmt", "--check", "guard.bt"]).0);
}

#[test]
fn a_conversion_says_which_comments_it_leaves_out() {
    let folder = Folder::new("comments");
    folder.write("a.bt", "\u{feff}// One.\nselector {\n    /* two */ a, // three\n    b(text = \"// no\"),\n}\n");
    for to in ["b.bt", "b.json", "b.xml"] {
        let (success, _, errors) = folder.bt(&["convert", "a.bt", to]);
        assert!(success && errors == format!("{to}: left out: 3 comments\n"), "{errors}");
    }
}

#[test]
fn a_conversion_says_that_lints_of_transitions_become_those_of_states() {
    let folder = Folder::new("lints");
    folder.write(
        "a.bt",
        "machine { state a { #[allow(pointless)] b, #[allow(unreachable)] c -> d } state d { e, #[allow(pointless)] #[allow(unreachable)] f -> a } any { g -> a } }\n",
    );
    let left_out = "b.json: left out: 2 `#[allow(…)]` of transitions, which their states have now\n";
    assert_eq!(folder.bt(&["convert", "a.bt", "b.json"]), (true, String::new(), left_out.to_owned()));
}

#[test]
fn files_are_converted_to_text_and_back() {
    let folder = Folder::new("convert");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../behavior3/tests/project.b3.json");
    let lost = "guard.bt: left out: 9 ids of nodes, 2 titles that follow a property, 1 field `category`, \
                4 positions, 3 descriptions, 2 fields `scope`, 2 fields `version`, 1 field `name`, 1 field `path`, 1 declaration of a custom node\n";
    assert_eq!(folder.bt(&["convert", file, "guard.bt"]), (true, String::new(), lost.to_owned()));
    assert_eq!(
        folder.read("guard.bt"),
        "\
tree a1(author = \"me\") \"guard\" {
    selector \"guard\" { sequence \"fight\" { near(meters = 10) \"near 10\", attack } b2 }
}

tree b2 \"patrol\" { mem_sequence { wait(millis(500)) \"Wait 500ms\", !fail } }
"
    );
    assert_eq!(folder.bt(&["convert", "guard.bt", "again.b3.json"]), (true, String::new(), String::new()));
    let (success, out, errors) = folder.bt(&["check", "again.b3.json"]);
    assert!(success, "{out}{errors}");
    assert!(folder.bt(&["convert", "again.b3.json", "again.bt"]).0);
    assert_eq!(folder.read("again.bt"), folder.read("guard.bt"));
    let (success, _, errors) = folder.bt(&["convert", file, "guard.bt"]);
    assert!(!success && errors.starts_with("guard.bt: "), "an existing file stays: {errors}");
    folder.write(
        "part.b3.json",
        r#"{ "id": "a-b", "root": "1", "nodes": { "1": { "name": "a" }, "2": { "name": "b" } } }"#,
    );
    let (_, _, errors) = folder.bt(&["convert", "part.b3.json", "part.bt"]);
    assert_eq!(errors, "part.bt: left out: 1 id of a tree, 1 id of a node, 1 unconnected node\n");
    folder.write("name.b3.json", r#"{ "root": "1", "nodes": { "1": { "name": "walk to" } } }"#);
    let (_, _, errors) = folder.bt(&["convert", "name.b3.json", "name.bt"]);
    assert_eq!(
        errors,
        "name.b3.json: node 1 (\"walk to\"): `walk to` is not a Rust path, as a name in a text must be; help: register it under another name\n"
    );
}

#[test]
fn disabled_nodes_are_left_out_by_every_command_and_converted() {
    const ENABLED: &str = "selector { attack, wait(millis(500)) }\n";
    const DISABLED: &str = "\
selector {
    #[disabled] sequence { near(meters = 10), sequnce { attack, #[disabled] near } }
    attack,
    wait(millis(500)),
    #[disabled] invert { attack, #[disabled] near }
}
";
    let folder = Folder::new("disabled");
    folder.write("guard.bt", DISABLED);
    folder.write("other.bt", ENABLED);
    assert!(folder.bt(&["fmt", "guard.bt"]).0);
    let formatted = folder.read("guard.bt");
    assert_eq!(formatted.matches("#[disabled]").count(), 4, "{formatted}");
    let names = ["--leaf", "attack"];
    let bt = |command: &[&str]| folder.bt(&[command, &names].concat());
    assert_eq!(bt(&["check", "guard.bt"]), (true, "guard.bt: OK (3 nodes)\n".to_owned(), String::new()));
    for command in ["to-rust", "draw"] {
        assert_eq!(bt(&[command, "guard.bt"]).1, bt(&[command, "other.bt"]).1);
    }
    folder.write("trees.bt", "tree a { selector { b, #[disabled] attack } } tree b { selector { #[disabled] attack, attack, #[disabled] b } } tree c { #[disabled] attack }");
    let left_out = "trees.bt: left out: 2 disabled nodes `attack`, 1 disabled node `b`\n";
    let rust = "selector {\n    selector { attack }\n}\n";
    assert_eq!(bt(&["to-rust", "trees.bt", "--tree", "a"]), (true, rust.to_owned(), left_out.to_owned()));
    let (same, out, errors) = bt(&["diff", "other.bt", "guard.bt"]);
    assert!(same && errors.is_empty(), "{out}{errors}");

    assert_eq!(folder.bt(&["convert", "guard.bt", "guard.b3.json"]), (true, String::new(), String::new()));
    let json = folder.read("guard.b3.json");
    assert_eq!(json.matches("\"disabled\": true").count(), 4, "{json}");
    let (success, out, errors) = folder.bt(&["check", "guard.b3.json"]);
    assert!(success && out == "guard.b3.json: OK (3 nodes)\n", "{out}{errors}");
    assert!(folder.bt(&["convert", "guard.b3.json", "again.bt"]).0);
    assert_eq!(folder.read("again.bt"), formatted);
}

#[test]
fn trees_in_angle_brackets_are_read_formatted_and_written() {
    let folder = Folder::new("angles");
    folder.write("guard.bt", "< selector<sequence<near,attack>wait(millis(500))>>");
    let leaves = ["--leaf", "near", "--leaf", "attack"];
    assert_eq!(folder.bt(&[&["check", "guard.bt"], &leaves[..]].concat()).1, "guard.bt: OK (5 nodes)\n");
    assert!(folder.bt(&["fmt", "guard.bt"]).0);
    let text = "< selector < sequence < near, attack > wait(millis(500)) > >\n";
    assert_eq!(folder.read("guard.bt"), text);
    let (success, rust, errors) = folder.bt(&[&["to-rust", "guard.bt"], &leaves[..]].concat());
    assert!(success, "{errors}");
    assert_eq!(rust, text);
    folder.write("trees.bt", "tree day < selector < near, rest > > tree rest { attack }");
    let (success, rust, errors) = folder.bt(&[&["to-rust", "trees.bt", "--tree", "day"], &leaves[..]].concat());
    assert!(success, "{errors}");
    assert!(rust.starts_with("< ") && !rust.contains('{'), "{rust}");
    let (success, rust, errors) = folder.bt(&[&["to-rust", "trees.bt", "--tree", "rest"], &leaves[..]].concat());
    assert!(success, "{errors}");
    assert_eq!(rust, "attack\n");
}

/// Returns a tree with this number of levels, as a file of the editor.
fn deep(levels: usize) -> String {
    let node =
        |level: usize| format!(r#""{level}": {{ "id": "{level}", "name": "Inverter", "child": "{}" }}, "#, level + 1);
    let nodes: String = (1..levels).map(node).collect();
    format!(
        r#"{{ "id": "deep", "title": "deep", "root": "1", "nodes": {{ {nodes}"{levels}": {{ "id": "{levels}", "name": "attack" }} }} }}"#
    )
}

#[test]
fn a_tree_of_the_maximum_depth_is_converted_to_each_notation_and_back() {
    let most = bt_behavior3::MAX_LEVELS;
    let folder = Folder::new("levels");
    folder.write("a.json", &deep(most));
    for (from, to) in
        [("a.json", "b.bt"), ("b.bt", "c.xml"), ("c.xml", "d.bt"), ("d.bt", "e.json"), ("e.json", "f.xml")]
    {
        let (success, _, errors) = folder.bt(&["convert", from, to]);
        assert!(success, "{from} {to}: {errors}");
        let (success, out, errors) = folder.bt(&["check", to]);
        assert!(success && out.contains(&format!("({most} nodes")), "{to}: {out}{errors}");
    }
    assert!(folder.bt(&["fmt", "--check", "b.bt"]).0);
    // One level more.
    let error = format!("tree too deep: the limit is {most} levels");
    folder.write("deep.json", &deep(most + 1));
    folder.write("deep.bt", &format!("{}attack{}", "invert { ".repeat(most), " }".repeat(most)));
    let [open, close] = ["<Inverter>", "</Inverter>"].map(|tag| tag.repeat(most));
    folder.write(
        "deep.xml",
        &format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"a\">{open}<Attack/>{close}</BehaviorTree></root>"),
    );
    for file in ["deep.json", "deep.bt", "deep.xml"] {
        let (success, out, errors) = folder.bt(&["check", file]);
        assert!(!success && errors.contains(&error), "{file}: {out}{errors}");
    }
    for (from, to) in [("deep.json", "g.bt"), ("deep.bt", "g.xml"), ("deep.xml", "g.json")] {
        let (success, _, errors) = folder.bt(&["convert", from, to]);
        assert!(!success && errors.contains(&error), "{from} {to}: {errors}");
    }
    for file in ["a.json", "b.bt", "c.xml"] {
        let (success, _, errors) = folder.bt(&["edit", file, "--apply", "wrap 1 Inverter"]);
        assert!(!success && errors.contains(&error), "{file}: {errors}");
    }
}

#[test]
fn trees_that_contain_each_other_are_one_error() {
    let folder = Folder::new("cycle");
    folder.write("a.bt", "tree d { c }\ntree c { selector { x, a } }\ntree a { b }\ntree b { sequence { y, c } }");
    let (success, _, errors) = folder.bt(&["check", "a.bt"]);
    let cycle = "cycle: tree `c` contains `a`, which contains `b`, which contains `c`";
    assert_eq!((success, errors), (false, format!("a.bt:2:24: tree \"c\": {cycle}\n")));
}
