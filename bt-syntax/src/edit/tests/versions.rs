//! A file that somebody else changes as well.

use super::super::*;

fn read(text: &str) -> Document {
    Document::read(Notation::Text, text).unwrap_or_else(|error| panic!("{text}: {error}"))
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
