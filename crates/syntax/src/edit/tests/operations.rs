//! What each operation does to a text.

use super::super::*;

/// A document in which nodes are named by their heads.
struct Edited(Document);

impl Edited {
    fn of(notation: Notation, text: &str) -> Self {
        let document = Document::read(notation, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(document.trees.iter().all(|tree| tree.broken.is_none()), "{text}");
        Self(document)
    }

    /// Returns the first node with this head, or this label.
    fn id(&self, name: &str) -> u32 {
        let nodes = self.0.trees.iter().flat_map(Tree::nodes);
        let mut named = nodes.filter(|node| node.head == name || node.label.as_deref() == Some(name));
        named.next().unwrap_or_else(|| panic!("no {name}: {}", self.text())).id
    }

    fn ids(&self, names: &[&str]) -> Vec<u32> {
        names.iter().map(|name| self.id(name)).collect()
    }

    fn text(&self) -> String {
        self.0.write().expect("it can be written")
    }

    /// Applies an operation, and returns the text. What is written is read as the same document.
    fn apply(&mut self, operation: Operation) -> String {
        self.0.apply(&operation).unwrap_or_else(|error| panic!("{operation:?}: {error}"));
        let text = self.text();
        let again = Document::read(self.0.notation, &text).expect("it can be read");
        let printed = |document: &Document| -> Vec<String> {
            document.trees.iter().map(|tree| super::print::tree(tree, document.style())).collect()
        };
        let lines = |trees: Vec<String>| trees.join("\n").replace(|sign: char| sign.is_whitespace(), "");
        assert_eq!(lines(printed(&again)), lines(printed(&self.0)), "{text}");
        text
    }

    fn refuse(&mut self, operation: Operation) -> String {
        let before = self.text();
        let error = self.0.apply(&operation).expect_err("it is refused");
        assert_eq!(self.text(), before);
        error
    }
}

fn texted(text: &str) -> Edited {
    Edited::of(Notation::TEXT, text)
}

fn insert(text: &str, at: At) -> Operation {
    Operation::Insert { text: text.to_owned(), at }
}

#[test]
fn nodes_are_inserted_before_after_and_below() {
    let mut of = texted("selector { a, b }\n");
    let (a, b) = (of.id("a"), of.id("b"));
    assert_eq!(of.apply(insert("x(1)", At::Before(a))), "selector { x(1), a, b }\n");
    assert_eq!(of.apply(insert("y, z", At::After(b))), "selector { x(1), a, b, y, z }\n");
    let root = of.id("selector");
    let below = At::In { r#in: root, list: 0, index: 1 };
    assert_eq!(of.apply(insert("sequence \"s\" { }", below)), "selector { x(1), sequence \"s\" {} a, b, y, z }\n");
    let inside = At::In { r#in: of.id("s"), list: 0, index: 9 };
    assert!(
        of.apply(insert("// why\nw // so", inside))
            .contains("    sequence \"s\" {\n        // why\n        w, // so\n    }\n")
    );
    assert_eq!(of.refuse(insert("x", At::After(root))), "a root has no neighbors; help: put a composite around it");
    assert!(of.refuse(insert("x {", At::After(a))).starts_with("expected nodes, found other text"));
    assert!(of.refuse(insert(" ", At::After(a))).starts_with("expected a node, found nothing"));
    let mut of = texted("");
    let tree = of.0.trees[0].id;
    assert_eq!(of.apply(insert("selector {}", At::Tree { tree })), "selector {}\n");
    assert!(of.refuse(insert("a", At::Tree { tree })).contains("has a root"));
}

#[test]
fn a_deleted_node_leaves_its_comment_to_its_neighbor() {
    let mut of = texted("selector {\n    // one\n    a, // two\n    // three\n    b,\n}\n");
    let delete = |of: &Edited, names: &[&str]| Operation::Delete { nodes: of.ids(names) };
    let operation = delete(&of, &["a"]);
    assert_eq!(of.apply(operation), "selector {\n    // one\n    // two\n    // three\n    b,\n}\n");
    let operation = delete(&of, &["b"]);
    assert_eq!(of.apply(operation), "selector {\n    // one\n    // two\n    // three\n}\n");
    let mut of = texted("selector { !a, b }\n");
    let operation = delete(&of, &["a"]);
    assert_eq!(of.apply(operation), "selector { b }\n");
    let operation = delete(&of, &["selector", "b"]);
    assert_eq!(of.apply(operation), "");
    let mut of = texted("if near { a } else { b }\n");
    let operation = delete(&of, &["b"]);
    assert_eq!(of.apply(operation), "if near { a }\n");
}

#[test]
fn a_moved_node_takes_its_comments_along() {
    let text = "selector {\n    // far\n\n    // one\n    a, // two\n    b,\n    sequence { c, d }\n}\n";
    let mut of = texted(text);
    let d = of.id("d");
    let operation = Operation::Move { nodes: of.ids(&["a"]), at: At::After(d) };
    let moved = "selector {\n    // far\n\n    b,\n    sequence {\n        c,\n        d,\n        // one\n        a, // two\n    }\n}\n";
    assert_eq!(of.apply(operation), moved);
    let operation = Operation::Move { nodes: of.ids(&["sequence"]), at: At::Before(d) };
    assert_eq!(of.refuse(operation), "a node cannot be moved into itself");
    let mut of = texted("selector { a, b, c, d }\n");
    let operation = Operation::Move { nodes: of.ids(&["d", "b"]), at: At::Before(of.id("a")) };
    assert_eq!(of.apply(operation), "selector { b, d, a, c }\n");
    let at = At::In { r#in: of.id("selector"), list: 0, index: 1 };
    let operation = Operation::Move { nodes: of.ids(&["d"]), at };
    assert_eq!(of.apply(operation), "selector { b, d, a, c }\n");
}

#[test]
fn weights_and_scores_stay_with_children_that_have_them() {
    let mut of =
        texted("selector {\n    random_selector { 3 => a, 1 => b }\n    utility_selector { hunger => c }\n    d,\n}\n");
    let operation = Operation::Move { nodes: of.ids(&["d"]), at: At::After(of.id("a")) };
    assert!(of.apply(operation).contains("{ 3 => a, 1 => d, 1 => b }"));
    let operation = Operation::Move { nodes: of.ids(&["a"]), at: At::After(of.id("utility_selector")) };
    assert!(of.apply(operation).ends_with("{ hunger => c }\n    a,\n}\n"), "{}", of.text());
    let operation = insert("e", At::After(of.id("c")));
    assert!(of.apply(operation).contains("{ hunger => c, 0.0 => e }"));
    let annotate =
        |of: &Edited, name: &str, before: &str| Operation::Annotate { node: of.id(name), before: before.to_owned() };
    let operation = annotate(&of, "e", "thirst * 2.0");
    assert!(of.apply(operation).contains("thirst * 2.0 => e"));
    let operation = annotate(&of, "e", "1 => 2");
    assert!(of.refuse(operation).starts_with("expected a value"));
}

#[test]
fn nodes_are_wrapped_and_unwrapped() {
    let wrap =
        |of: &Edited, names: &[&str], head: &str| Operation::Wrap { nodes: of.ids(names), head: head.to_owned() };
    let mut of = texted("selector {\n    // hard\n    2 => attack, // now\n    b,\n}\n");
    let operation = wrap(&of, &["attack"], "cooldown(secs(2))");
    assert_eq!(
        of.apply(operation),
        "selector {\n    // hard\n    2 => cooldown(secs(2)) { attack } // now\n    b,\n}\n"
    );
    let operation = wrap(&of, &["b", "cooldown(secs(2))"], "sequence");
    assert_eq!(
        of.apply(operation),
        "selector {\n    // hard\n    2 => sequence {\n        cooldown(secs(2)) { attack } // now\n        b,\n    }\n}\n"
    );
    let operation = wrap(&of, &["attack"], "!");
    assert!(of.apply(operation).contains("{ !attack }"));
    let operation = wrap(&of, &["attack", "b"], "sequence");
    assert!(of.refuse(operation).starts_with("only neighbors"));
    let operation = wrap(&of, &["selector"], "if near");
    assert!(of.apply(operation).starts_with("if near {\n    selector {\n"));
    let operation = Operation::Unwrap { node: of.id("if near") };
    of.apply(operation);
    let operation = Operation::Unwrap { node: of.id("!") };
    assert!(of.apply(operation).contains("{ attack }"));
    let operation = Operation::Unwrap { node: of.id("sequence") };
    assert_eq!(
        of.apply(operation),
        "selector {\n    // hard\n    2 => cooldown(secs(2)) { attack } // now\n    2 => b,\n}\n"
    );
    let operation = Operation::Unwrap { node: of.id("selector") };
    assert!(of.refuse(operation).starts_with("a tree has one root"));
    let operation = Operation::Unwrap { node: of.id("b") };
    assert_eq!(of.refuse(operation), "`b` has no children");
}

#[test]
fn heads_arguments_labels_and_notes_are_replaced() {
    let mut of = texted("selector { goto(x = 1) \"there\", b }\n");
    let replace = |of: &Edited, name: &str, head: &str| Operation::Replace { node: of.id(name), head: head.to_owned() };
    let operation = replace(&of, "selector", "mem_sequence");
    assert_eq!(of.apply(operation), "mem_sequence { goto(x = 1) \"there\", b }\n");
    let operation = replace(&of, "b", "retry(3)");
    assert_eq!(of.apply(operation), "mem_sequence { goto(x = 1) \"there\", retry(3) {} }\n");
    let operation = replace(&of, "retry(3)", "wait(secs(1))");
    assert_eq!(of.apply(operation), "mem_sequence { goto(x = 1) \"there\", wait(secs(1)) }\n");
    let node = of.id("there");
    let set = |name: Option<&str>, value: Option<&str>| Operation::Argument {
        node,
        index: Some(0),
        name: name.map(str::to_owned),
        value: value.map(str::to_owned),
    };
    assert!(of.apply(set(Some("x"), Some("var(door)"))).contains("goto(x = var(door)) \"there\""));
    assert!(of.apply(set(Some("x"), None)).contains("goto \"there\""));
    assert!(of.refuse(set(None, Some("1) { a"))).contains("is not the beginning of a node"));
    assert!(of.refuse(set(None, Some("\"open"))).contains("is not the beginning of a node"));
    let label = Operation::Label { node, label: Some("say \"é\"".to_owned()) };
    for none in [None, Some(String::new())] {
        assert!(of.apply(label.clone()).contains("goto \"say \\\"é\\\"\""));
        assert!(of.apply(Operation::Label { node, label: none }).contains("{ goto, wait"));
    }
    let note = Operation::Note { node, text: "why\nand how".to_owned() };
    assert_eq!(of.apply(note), "mem_sequence {\n    // why\n    // and how\n    goto,\n    wait(secs(1)),\n}\n");
    assert_eq!(of.apply(Operation::Note { node, text: String::new() }), "mem_sequence { goto, wait(secs(1)) }\n");
}

#[test]
fn a_note_below_a_bang_is_that_of_the_bang() {
    let mut of = texted("selector { !armed, b }\n");
    for (text, expected) in [
        ("zz", "selector {\n    // zz\n    !armed,\n    b,\n}\n"),
        ("", "selector { !armed, b }\n"),
        ("yy", "selector {\n    // yy\n    !armed,\n    b,\n}\n"),
        ("zz", "selector {\n    // zz\n    !armed,\n    b,\n}\n"),
    ] {
        let node = of.id("armed");
        assert_eq!(of.apply(Operation::Note { node, text: text.to_owned() }), expected);
        of = texted(expected);
    }
}

#[test]
fn nodes_are_left_out_and_put_back() {
    let mut of = texted("selector { sequence { a, b }, c }\n");
    let nodes = of.ids(&["sequence"]);
    assert_eq!(of.apply(Operation::Disable { nodes: nodes.clone() }), "selector { #[disabled] sequence { a, b } c }\n");
    assert_eq!(of.apply(Operation::Enable { nodes }), "selector { sequence { a, b }, c }\n");
    let source = "fn a() {\n    tree! { selector { sequence { a(\"x\"), b /* y */ }, c } }\n}\n";
    let mut of = Edited::of(Notation::RUST, source);
    let nodes = of.ids(&["sequence"]);
    let off = of.apply(Operation::Disable { nodes: nodes.clone() });
    assert!(off.contains("/* disabled: sequence {"), "{off}");
    let on = of.apply(Operation::Enable { nodes });
    assert_eq!(on, source);
    let mut of = Edited::of(Notation::RUST, "fn a() { tree! { selector { a(\"*/\"), c } } }\n");
    let nodes = of.ids(&["a(\"*/\")"]);
    assert!(of.refuse(Operation::Disable { nodes }).contains("cannot be a comment"));
    let nodes = of.ids(&["selector"]);
    assert_eq!(of.refuse(Operation::Disable { nodes }), "the root cannot be disabled");
}

#[test]
fn a_node_that_is_left_out_keeps_the_comment_in_its_line() {
    let source = "fn a() {\n    tree! {\n        selector {\n            sequence { a, b } // about ab\n            c, /* about c */\n            d, // about d\n        }\n    }\n}\n";
    for name in ["sequence", "c", "d"] {
        let mut of = Edited::of(Notation::RUST, source);
        let off = of.apply(Operation::Disable { nodes: of.ids(&[name]) });
        assert!(off.contains(&format!("*/ {} about", if name == "c" { "/*" } else { "//" })), "{off}");
        let mut of = Edited::of(Notation::RUST, &off);
        assert_eq!(of.apply(Operation::Enable { nodes: of.ids(&[name]) }), source);
    }
}

#[test]
fn a_copy_has_its_own_label() {
    let mut of = texted("selector { a \"x\", !b }\n");
    let operation = Operation::Duplicate { nodes: of.ids(&["x", "b"]) };
    assert_eq!(of.apply(operation), "selector { a \"x\", a \"x 2\", !b, !b }\n");
}

#[test]
fn a_condition_of_the_compiler_stays_around_what_is_wrapped_and_unwrapped() {
    let source = |tree: &str| format!("fn f() {{\n    tree! {{ {tree} }}\n}}\n");
    let cfg = "#[cfg(feature = \"x\")]";
    let mut of = Edited::of(Notation::RUST, &source(&format!("selector {{ {cfg} #[allow(unreachable)] a, b }}")));
    let operation = Operation::Wrap { nodes: of.ids(&["a"]), head: "cooldown(secs(2))".to_owned() };
    let wrapped = source(&format!("selector {{ {cfg} cooldown(secs(2)) {{ #[allow(unreachable)] a }} b }}"));
    assert_eq!(of.apply(operation), wrapped);
    let operation = Operation::Unwrap { node: of.id("cooldown(secs(2))") };
    assert_eq!(of.apply(operation), source(&format!("selector {{ {cfg} #[allow(unreachable)] a, b }}")));
}

#[test]
fn a_copy_is_a_new_node_of_its_file() {
    let file = r#"{ "title": "guard", "root": "1", "nodes": {
    "1": { "id": "1", "name": "Sequence", "children": ["2", "3"] },
    "2": { "id": "2", "name": "Attack", "custom": 5 },
    "3": { "id": "3", "name": "Inverter", "child": "4" },
    "4": { "id": "4", "name": "Wait" }
} }
"#;
    let mut of = Edited::of(Notation::JSON, file);
    let operation = Operation::Duplicate { nodes: of.ids(&["Attack", "Inverter"]) };
    let copies = of.0.apply(&operation).expect("they have neighbors");
    let text = of.text();
    let view = of.0.view(&text, &[]).remove(0).root.expect("a root");
    let children = &view.lists[0].children;
    let ids: Vec<_> = children.iter().map(|child| child.fileid.as_deref()).collect();
    assert_eq!(ids, [Some("2"), None, Some("3"), None]);
    assert_eq!(children[3].lists[0].children[0].fileid, None);
    assert_eq!(copies, [children[1].id, children[3].id]);
}

#[test]
fn a_subtree_becomes_a_tree_and_back() {
    let mut of = texted(
        "// The guard.\nselector {\n    // fights\n    sequence \"fight\" { near, attack } // hard\n    patrol,\n}\n",
    );
    let operation = Operation::Extract { node: of.id("fight"), name: "fight".to_owned() };
    let text = "tree main {\n    // The guard.\n    selector {\n        // fights\n        fight, // hard\n        patrol,\n    }\n}\n\ntree fight { sequence \"fight\" { near, attack } }\n";
    assert_eq!(of.apply(operation), text);
    let tree = of.0.trees[1].id;
    let rename = |name: &str| Operation::Rename { tree, name: name.to_owned() };
    assert!(of.refuse(rename("main")).contains("already"));
    assert!(of.refuse(rename("sequence")).contains("not a valid tree name"));
    let text = of.apply(rename("combat"));
    assert!(text.contains("        combat, // hard\n") && text.contains("tree combat { "), "{text}");
    assert!(of.refuse(Operation::Remove { tree }).contains("is used by a node, `combat`"));
    let operation = Operation::Inline { node: of.id("combat") };
    assert!(of.apply(operation).contains("        sequence \"fight\" { near, attack } // hard\n"));
    assert!(!of.apply(Operation::Remove { tree }).contains("combat"));
    let text = of.apply(Operation::Create { name: "rest".to_owned(), text: None });
    assert!(text.ends_with("}\n\ntree rest {\n}\n"), "{text}");
    let mut of = texted("// All.\ntree a { x }\n\n// The second.\ntree b { y }\n");
    let tree = of.0.trees[0].id;
    assert_eq!(of.apply(Operation::Remove { tree }), "// All.\n// The second.\ntree b { y }\n");
}

#[test]
fn parts_of_a_machine_do_not_become_trees() {
    let mut of = texted("machine { state idle { rest, near -> fight } state fight { attack, enter: cry } }");
    for head in ["state idle", "near -> fight", "enter: cry"] {
        let operation = Operation::Extract { node: of.id(head), name: "part".to_owned() };
        assert!(of.refuse(operation).contains("help: extract the node in the state"));
    }
    let operation = Operation::Extract { node: of.id("rest"), name: "part".to_owned() };
    assert!(of.apply(operation).contains("state idle { part, near -> fight }"));
}

#[test]
fn nodes_that_read_a_property_of_their_tree_stay_in_it() {
    let mut of = texted(
        "tree a { sub(range = 3) }\n\ntree sub(range = 10.0) {\n    selector { sequence { near(meters = var(range)), attack } rest }\n}\n",
    );
    let operation = Operation::Extract { node: of.id("sequence"), name: "fight".to_owned() };
    assert_eq!(of.refuse(operation), "the nodes read `range`, a property of their tree");
    let operation = Operation::Extract { node: of.id("attack"), name: "rest".to_owned() };
    assert_eq!(of.refuse(operation), "`rest` is already the name of a node");
    let operation = Operation::Extract { node: of.id("attack"), name: "Wait".to_owned() };
    assert!(of.refuse(operation).starts_with("`Wait` is not a valid tree name"));
    let operation = Operation::Extract { node: of.id("rest"), name: "part".to_owned() };
    of.apply(operation);
}
