//! A file that somebody else changes as well.

use super::super::*;

fn read(text: &str) -> Document {
    Document::read(Notation::TEXT, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the ids of nodes by their heads and labels.
fn ids(document: &Document) -> std::collections::BTreeMap<String, u32> {
    let nodes = document.trees.iter().flat_map(Tree::nodes);
    nodes.map(|node| (format!("{}{}", node.head, node.label.as_deref().unwrap_or_default()), node.id)).collect()
}

fn id(document: &Document, name: &str) -> u32 {
    ids(document)[name]
}

#[test]
fn nodes_keep_their_ids() {
    let old = read("selector { sequence \"x\" { a, b(1) }, c, d, d }\n");
    let before = ids(&old);
    let new = old
        .reread("selector {\n    d,\n    e,\n    // more\n    sequence \"x\" { b(2), f { a } }\n    d\n}\n")
        .expect("a text");
    let after = ids(&new);
    for same in ["selector", "sequencex", "a"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!(before["b(1)"], after["b(2)"]);
    let all: std::collections::BTreeSet<_> = new.trees.iter().flat_map(Tree::nodes).map(|node| node.id).collect();
    assert_eq!(all.len(), 8);
    assert!(after["e"] >= old.next && after["f"] >= old.next);
    assert_eq!(old.trees[0].id, new.trees[0].id);
    let named = old.reread("tree x { a }\ntree y { b }\n").expect("a text");
    assert!(named.trees.iter().all(|tree| tree.id > 0) && named.trees[0].id != named.trees[1].id);
}

#[test]
fn changes_that_do_not_touch_are_merged() {
    let base = read("selector { sequence \"x\" { a, b }, c }\n");
    let theirs = base.reread("// New.\nselector { z, sequence \"x\" { a(1), b }, c }\n").expect("a text");
    let ours = [
        Operation::Wrap { nodes: vec![id(&base, "c")], head: "cooldown(secs(1))".to_owned() },
        Operation::Insert { text: "n { m }".to_owned(), at: At::After(id(&base, "b")) },
        Operation::Label { node: base.next + 1, label: Some("new".to_owned()) },
    ];
    let merged = merge(&base, &ours, &theirs).expect("nothing is changed by both");
    let text = "// New.\nselector { z, sequence \"x\" { a(1), b, n \"new\" { m } } cooldown(secs(1)) { c } }\n";
    assert_eq!(merged.write().as_deref(), Ok(text));
}

#[test]
fn what_both_have_changed_is_no_merge() {
    let base = read("selector { sequence \"x\" { a, b }, c }\n");
    let theirs = base.reread("selector { sequence \"x\" { a(1) }, d }\n").expect("a text");
    let reasons = |operation: Operation| merge(&base, &[operation], &theirs).expect_err("both have changed it");
    let label = Some("l".to_owned());
    assert_eq!(reasons(Operation::Label { node: id(&base, "a"), label: label.clone() }), ["label: `a` was changed"]);
    assert_eq!(reasons(Operation::Label { node: id(&base, "b"), label }), ["label: `b` was deleted"]);
    assert_eq!(reasons(Operation::Delete { nodes: vec![id(&base, "sequencex")] }), ["delete: `sequence` was changed"]);
    let at = At::Before(id(&base, "b"));
    assert_eq!(reasons(Operation::Insert { text: "n".to_owned(), at }), ["insert: `b` was deleted"]);
}

#[test]
fn siblings_that_are_equal_keep_their_order() {
    let nodes = |document: &Document| -> Vec<(String, u32)> {
        document.trees[0].nodes().iter().map(|node| (node.head.clone(), node.id)).collect()
    };
    let old = read("selector { d, d, sequence { d } }\n");
    assert_eq!(nodes(&old.reread("selector { d, d, sequence { d } }\n").expect("a text")), nodes(&old));
    // Equal nodes first, then those with the same name.
    let old = read("selector { a(1), a(2) }\n");
    let new = old.reread("selector { a(2), a(3) }\n").expect("a text");
    assert_eq!(id(&new, "a(2)"), id(&old, "a(2)"));
    assert_eq!(id(&new, "a(3)"), id(&old, "a(1)"));
    // Those that have moved, too.
    let old = read("selector { sequence { m(1), m(1), x } y }\n");
    let new = old.reread("selector { sequence { x } y, m(1), m(1) }\n").expect("a text");
    let moved = |document: &Document| -> Vec<u32> {
        nodes(document).into_iter().filter(|(head, _)| head == "m(1)").map(|(_, id)| id).collect()
    };
    assert_eq!(moved(&new), moved(&old));
}

#[test]
fn a_node_that_is_disabled_is_another_than_its_neighbor() {
    let old = read("selector { #[disabled] a, a, b }\n");
    let new = old.reread("selector { a, #[disabled] a, b }\n").expect("a text");
    let off = |document: &Document| document.trees[0].nodes().iter().find(|node| node.disabled).expect("one").id;
    assert_eq!(off(&new), off(&old));
    // In a source, it is a comment.
    let source = |tree: &str| format!("fn f() {{\n    tree! {{ selector {{ {tree} b }} }}\n}}\n");
    let old = Document::read(Notation::RUST, &source("/* disabled: a */ a,")).expect("a source");
    let new = old.reread(&source("a, /* disabled: a */")).expect("a source");
    assert_eq!(off(&new), off(&old));
    let base = read("selector { a, b }\n");
    let theirs = base.reread("selector { #[disabled] a, b }\n").expect("a text");
    let reasons = merge(&base, &[Operation::Label { node: id(&base, "a"), label: None }], &theirs).map(|_| ());
    assert_eq!(reasons, Err(vec!["label: `a` was changed".to_owned()]));
}

#[test]
fn every_operation_on_what_another_person_has_changed_is_a_conflict() {
    let base = read(
        "selector {\n    // why\n    noted,\n    moved,\n    deleted,\n    sequence \"x\" { inside }\n    free,\n    invert { next }\n}\n",
    );
    let theirs = base
        .reread("selector {\n    // because\n    noted,\n    sequence \"x\" { inside(1) }\n    free,\n    invert { next, moved }\n}\n")
        .expect("a text");
    let at = |name: &str| id(&base, name);
    let nodes = |name: &str| vec![at(name)];
    let head = "cooldown(secs(1))".to_owned();
    let (label, text) = (Some("l".to_owned()), "n".to_owned());
    let [noted, moved, deleted, inside] =
        ["`noted` was changed", "`moved` was moved", "`deleted` was deleted", "`inside` was changed"];
    for (operation, reason) in [
        (Operation::Note { node: at("noted"), text: text.clone() }, noted),
        (Operation::Label { node: at("noted"), label }, noted),
        (Operation::Replace { node: at("noted"), head: head.clone() }, noted),
        (Operation::Argument { node: at("inside"), index: Some(0), name: None, value: Some("2".to_owned()) }, inside),
        (Operation::Annotate { node: at("noted"), before: "2".to_owned() }, noted),
        (Operation::Disable { nodes: nodes("noted") }, noted),
        (Operation::Enable { nodes: nodes("noted") }, noted),
        (Operation::Duplicate { nodes: nodes("sequencex") }, "`sequence` was changed"),
        (Operation::Delete { nodes: nodes("sequencex") }, "`sequence` was changed"),
        (Operation::Move { nodes: nodes("moved"), at: At::After(at("free")) }, moved),
        (Operation::Wrap { nodes: nodes("moved"), head }, moved),
        (Operation::Extract { node: at("moved"), name: "part".to_owned() }, moved),
        (Operation::Move { nodes: nodes("free"), at: At::After(at("deleted")) }, deleted),
        (Operation::Insert { text: text.clone(), at: At::Before(at("deleted")) }, deleted),
        (Operation::Insert { text, at: At::In { r#in: at("deleted"), list: 0, index: 0 } }, deleted),
    ] {
        let name = operation.name();
        let found = merge(&base, &[operation], &theirs).map(|_| ());
        assert_eq!(found, Err(vec![format!("{name}: {reason}")]));
    }
    let unwrap = |name| merge(&base, &[Operation::Unwrap { node: at(name) }], &theirs).map(|_| ());
    assert_eq!(unwrap("sequencex"), Ok(()));
    assert_eq!(unwrap("invert"), Ok(()));
}

#[test]
fn a_tree_that_another_person_has_changed_is_neither_inlined_nor_removed() {
    let base = read("tree main { selector { fight, a } }\n\ntree fight { hit }\n\ntree free { b }\n");
    let theirs = base
        .reread("tree main { selector { fight, a } }\n\ntree fight { sequence { hit, run } }\n\ntree free { sequence { b } }\n")
        .expect("a text");
    let reasons = |operation: Operation| merge(&base, &[operation], &theirs).map(|_| ());
    let inlined = reasons(Operation::Inline { node: id(&base, "fight") });
    assert_eq!(inlined, Err(vec!["inline: the copied node has changed".to_owned()]));
    let removed = reasons(Operation::Remove { tree: base.trees[2].id });
    assert_eq!(removed, Err(vec!["remove a tree: `b` was changed".to_owned()]));
}

#[test]
fn copied_nodes_are_text() {
    let base = read("selector {\n    // why\n    sequence \"x\" { a, b } // so\n    c(1),\n}\n");
    let text = base.copy(&[id(&base, "c(1)"), id(&base, "a"), id(&base, "sequencex")]).expect("nodes");
    assert_eq!(text, "// why\nsequence \"x\" { a, b } // so\nc(1),");
    assert_eq!(base.copy(&[id(&base, "a"), id(&base, "b")]).as_deref(), Ok("a, b"));
    let mut other = read("selector { z }\n");
    other.apply(&Operation::Insert { text, at: At::After(id(&other, "z")) }).expect("it is a text of nodes");
    assert_eq!(
        other.write().as_deref(),
        Ok("selector {\n    z,\n    // why\n    sequence \"x\" { a, b } // so\n    c(1),\n}\n")
    );
}
