//! What a newcomer mistypes: names of files, kinds of files, arguments.

mod folder;

use folder::Folder;

#[test]
fn a_file_of_another_kind_is_said_to_be_one() {
    let folder = Folder::new("kinds");
    let (text, json) = ("selector { a, b }\n", "{ \"root\": \"1\", \"nodes\": { \"1\": { \"name\": \"Failer\" } } }");
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"a\"><AlwaysSuccess/></BehaviorTree></root>";
    let names = "the name of a text of trees ends with `.bt`, and that of XML of BehaviorTree.CPP with `.xml`";
    let rust = "the compiler checks the trees in a Rust source; `bt fmt` and `bt edit` read them";
    for (file, content, expected) in [
        ("a.json", text, format!("a.json:1:1: not a Behavior3 tree or project: expected value\nhelp: {names}\n")),
        ("a.rs", "fn f() { tree! { a } }", format!("a.rs:1:2: not a Behavior3 tree or project: expected ident\nhelp: {rust}\n")),
        ("empty.json", "", format!("empty.json:1:1: not a Behavior3 tree or project: EOF while parsing a value\nhelp: {names}\n")),
        ("b.json", xml, "b.json:1:1: not a Behavior3 tree or project: expected value\nhelp: it contains XML: its name must end with `.xml`\n".to_owned()),
        ("c.xml", json, "c.xml:1:1: expected <root>, found no element\nhelp: it contains JSON: its name must end with `.json`\n".to_owned()),
    ] {
        folder.write(file, content);
        for command in ["check", "draw", "to-rust"] {
            assert_eq!(folder.bt(&[command, file]), (false, String::new(), expected.clone()), "{file}");
        }
    }
    for (file, content, help) in [
        ("a.bt", json, "it contains JSON: its name must end with `.json`"),
        ("b.bt", xml, "it contains XML: its name must end with `.xml`"),
    ] {
        folder.write(file, content);
        let (success, _, errors) = folder.bt(&["check", file]);
        assert!(!success && errors.ends_with(&format!("\nhelp: {help}\n")), "{errors}");
    }
    let refused = |arguments: &[&str], expected: &str| {
        assert_eq!(folder.bt(arguments), (false, String::new(), format!("{expected}\n")), "{arguments:?}");
    };
    refused(&["fmt", "--check", "a.json"], "a.json: expected a Rust source (`.rs`) or a text of trees (`.bt`)");
    refused(&["edit", "--list", "nowhere.bt"], "nowhere.bt: no such file");
    refused(&["edit", "--list", "a.json"], "a.json:1:1: not a Behavior3 tree or project: expected value");
    folder.write("bytes.bt", &[0xff, 0xfe]);
    refused(&["check", "bytes.bt"], "bytes.bt: expected a text in UTF-8, found other bytes");
    folder.write("c.bt", "");
    assert_eq!(folder.bt(&["fmt", "--check", "c.bt"]), (true, String::new(), String::new()), "an empty text stays");
    assert!(folder.bt(&["fmt", "c.bt"]).0 && folder.read("c.bt").is_empty());
    folder.write("c.bt", text);
    refused(
        &["convert", "c.bt", "c.rs"],
        "c.rs: expected another notation, found Rust; help: `bt to-rust` prints a tree as Rust",
    );
    refused(&["convert", "c.bt", "."], ".: expected a file, found a folder");
    refused(&["check", "c.bt", "--tree", "x"], "c.bt: unknown tree `x`; note: the tree of the file has no name");
    refused(&["edit", "c.bt", "--apply", "insert in tree 1 a"], "c.bt: the tree has a root; help: insert into it");
    folder.write("d.bt", "tree day { a }\ntree night { b }\n");
    refused(&["check", "d.bt", "--tree", "dya"], "d.bt: unknown tree `dya`; help: did you mean `day`?");
    refused(&["check", "d.bt", "--tree", "x"], "d.bt: unknown tree `x`; note: the trees are `day`, `night`");
    folder.write("e.bt", "seqence { a, b }\n");
    let (_, _, errors) = folder.bt(&["check", "e.bt", "--leaf", "a", "--leaf", "b"]);
    assert_eq!(errors, "e.bt:1:1: unknown node `seqence`; help: did you mean `sequence`?\n");
    let (_, _, errors) = folder.bt(&["check", "e.bt", "--leaf", "near("]);
    let expected = "error: invalid value 'near(' for '--leaf <NAME>': expected a name, or a name with parameters, such as `near(meters)`\n";
    assert!(errors.starts_with(expected), "{errors}");
    let (success, out, _) = folder.bt(&["help", "check"]);
    assert!(success && out.contains("Usage: bt check"), "{out}");
}

#[test]
fn a_list_of_nodes_says_why_a_tree_cannot_be_read() {
    let folder = Folder::new("list");
    for (file, content, expected) in [
        (
            "a.bt",
            "selector {\n    /// One.\n    a,\n}\n",
            "   not understood: 2:5: expected a node, found documentation; help: write a comment, `//`\n",
        ),
        (
            "b.bt",
            "selector { a /* b */, c }\n",
            "   not understood: 1:14: a comment in an unexpected place; help: move it before or after a node\n",
        ),
        (
            "c.rs",
            "fn f() { tree! { selector { /// One.\n a, b } } }\n",
            "tree 1 f\n   not understood: 1:29: expected a node, found documentation; help: write a comment, `//`\n",
        ),
        (
            "d.rs",
            "fn f() { tree! { selector { , a } } }\n",
            "tree 1 f\n   not understood: 1:29: expected a node, found `,`\n",
        ),
    ] {
        folder.write(file, content);
        assert_eq!(folder.bt(&["edit", "--list", file]), (true, expected.to_owned(), String::new()), "{file}");
    }
}

#[test]
fn arguments_without_names_are_converted_to_texts_alone() {
    let folder = Folder::new("unnamed");
    folder.write("drive.bt", "sequence { drive(\"dock\"), idle }\n");
    let expected = "drive.bt:1:18: the arguments of `drive` have no names here; help: name them with `--leaf 'drive(name)'`, or write `name = value`\n";
    for arguments in
        [&["convert", "drive.bt", "drive.json"][..], &["convert", "drive.bt", "drive.xml"], &["to-rust", "drive.bt"]]
    {
        let (success, _, errors) = folder.bt(arguments);
        assert!(!success && errors == expected, "{arguments:?}: {errors}");
    }
    folder.write("two.bt", "tree a { idle }\ntree b { drive(\"dock\") }\n");
    assert!(folder.bt(&["to-rust", "two.bt", "--tree", "a"]).0 && !folder.bt(&["to-rust", "two.bt", "--tree", "b"]).0);
    assert!(folder.bt(&["convert", "drive.bt", "copy.bt"]).0);
    assert_eq!(folder.read("copy.bt"), folder.read("drive.bt"), "they have no names there, too");
    assert!(folder.bt(&["convert", "drive.bt", "drive.json", "--leaf", "drive(place)"]).0);
    assert!(folder.read("drive.json").contains("\"place\": \"dock\""));
}

#[test]
fn a_parameter_with_the_name_of_another_attribute_is_not_written_as_xml() {
    let folder = Folder::new("attributes");
    folder.write(
        "go.bt",
        "tree main { sequence { go(name = 3), go(place = 1, ID = 2), go(_skipIf = \"1\"), go(\"a b\" = 4), other(name = 1) } }\n\
         tree other(name) { rest }\n",
    );
    let expected = "\
go.bt:1:27: parameter `name`: in XML, this attribute is the label of a node; help: rename it
go.bt:1:52: parameter `ID`: in XML, this attribute is the name of a node; help: rename it
go.bt:1:64: parameter `_skipIf`: in XML, this attribute is no port, since it begins with `_`; help: rename it
go.bt:1:83: parameter `a b`: not a name in XML; help: rename it
go.bt:1:101: parameter `name`: in XML, this attribute is the label of a node; help: rename it
";
    assert_eq!(folder.bt(&["convert", "go.bt", "go.xml"]), (false, String::new(), expected.to_owned()));
    assert!(folder.bt(&["convert", "go.bt", "go.json"]).0);
    let (success, _, errors) = folder.bt(&["convert", "go.json", "go.xml"]);
    assert!(!success && errors.lines().count() == 5 && errors.contains("parameter `_skipIf`: in XML"), "{errors}");
}

#[test]
fn arguments_of_declared_leaves_have_their_names() {
    let folder = Folder::new("parameters");
    folder.write("go.bt", "sequence { go(plce = 3), idle }\n");
    let (_, _, errors) = folder.bt(&["check", "go.bt", "--leaf", "go(place)", "--leaf", "idle"]);
    let expected =
        "go.bt:1:15: unknown property `plce`: the declaration of `go` lacks it; help: did you mean `place`?\n";
    assert_eq!(errors, expected);
}

#[test]
fn a_misspelled_keyword_is_not_converted() {
    let folder = Folder::new("keyword");
    folder.write("a.bt", "selector { near, sequnce { rest } }\n");
    let expected = "a.bt:1:18: unknown keyword `sequnce`; help: did you mean `sequence`?\n";
    for to in ["b.json", "b.xml", "b.bt"] {
        assert_eq!(folder.bt(&["convert", "a.bt", to]), (false, String::new(), expected.to_owned()), "{to}");
    }
    let declared = ["convert", "a.bt", "b.json", "--decorator", "sequnce"];
    assert!(folder.bt(&declared).0, "a decorator of the program");
}

#[test]
fn a_node_and_a_tree_of_one_name_are_an_error() {
    let folder = Folder::new("twice");
    folder.write("a.bt", "tree main { walk }\ntree walk { rest }\n");
    let (success, _, errors) = folder.bt(&["check", "a.bt", "--leaf", "walk", "--leaf", "rest"]);
    let expected = "a.bt: tree \"walk\": `walk` is the name of a node and of a tree; help: rename one of them\n";
    assert!(!success && errors == expected, "{errors}");
    assert!(folder.bt(&["check", "a.bt", "--leaf", "rest"]).0);
}

#[test]
fn a_tree_that_is_named_as_a_keyword_is_converted_to_a_text_that_is_read() {
    let folder = Folder::new("words");
    let json = r#"{ "id": "a-b", "title": "selector", "root": "1", "nodes": { "1": { "name": "rest" } } }"#;
    folder.write("a.json", json);
    assert!(folder.bt(&["convert", "a.json", "a.bt"]).0);
    assert_eq!(folder.read("a.bt"), "tree selector_ \"selector\" { rest }\n");
    assert!(folder.bt(&["check", "a.bt"]).0);
}

#[test]
fn an_inserted_node_has_no_value_where_none_can_be() {
    let folder = Folder::new("value");
    folder.write("a.bt", "selector { sequence { a }, random_selector { 1 => b, 2 => c } }\n");
    let refused = "a.bt: a child of `sequence` has no value before it, found `3 =>`; help: remove `3 =>`\n";
    let (success, _, errors) = folder.bt(&["edit", "a.bt", "--apply", "insert in 2 3 => d"]);
    assert_eq!((success, &*errors), (false, refused));
    let (success, _, errors) = folder.bt(&["edit", "a.bt", "--apply", "insert in 4 3 => d"]);
    assert!(success && folder.read("a.bt").contains("3 => d"), "{errors}");
}

#[test]
fn an_operation_with_a_misspelled_keyword_is_refused() {
    let folder = Folder::new("misspelled");
    folder.write("guard.bt", "selector { near, rest }\n");
    for (operation, expected) in [
        ("wrap 2 invrt", "unknown keyword `invrt`; help: did you mean `invert`?"),
        ("insert in 1 sequnce { near }", "unknown keyword `sequnce`; help: did you mean `sequence`?"),
        ("wrap 2 Fallback", "unknown keyword `Fallback`"),
    ] {
        let (success, _, errors) = folder.bt(&["edit", "guard.bt", "--apply", operation]);
        assert!(
            !success && errors.contains(expected) && errors.contains("nothing is written"),
            "{operation}: {errors}"
        );
    }
    assert_eq!(folder.read("guard.bt"), "selector { near, rest }\n");
    // A warning about the same node does not hide the error.
    folder.write("idle.bt", "selector { succeed }\n");
    let (success, _, errors) = folder.bt(&["edit", "idle.bt", "--apply", "insert in 1 sequnce { near }"]);
    assert!(!success && errors.contains("error: node 3 (`sequnce`): unknown keyword `sequnce`"), "{errors}");
    assert!(folder.bt(&["edit", "guard.bt", "--apply", "wrap 2 twice"]).0, "a decorator of the program");
}
