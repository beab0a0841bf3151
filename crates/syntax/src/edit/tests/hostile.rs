//! A source with all that can stand in a tree: every operation at every node keeps the rest.

use proptest::prelude::*;

use super::super::*;

pub(super) const SOURCE: &str = r#"#![allow(dead_code)]
/// A guard. tree! { not, a, tree }
fn guard() -> impl Node<Guard> {
    let x = tree! { for A: sequence { a, b } }; // another tree
    let text = "tree! { x }";
    tree! {
        // The day of a guard.
        for Guard<'_>: selector "day \"and\" night" {
            // 1. Fights first.
            sequence "fight" { // on the same line
                enemy_near(10.0), // meters
                // shouts loudly

                /* very
                 * loudly */
                shout,
                #[allow(unreachable)]
                timeout(secs(5)) { attack } // never longer
            }

            // 2. Goes home.
            mem_sequence <
                goto(HOME, 3.5), // slowly
                !is_night,
                !selector { a, |g: &Guard| g.a < g.b },

                // the nap
                wait(secs(2)), // short
            >
            random_selector {
                #[cfg(feature = "x")]
                3 => sing("la /la", '{'),
                |g: &Guard| g.mood.max(1) => dance, /* well */
                /* disabled: 2 => sequence { off, /* inner */ off2 } */
                1 => (Talk { takes: secs(5) }),
            }
            if near(3.0) && !(a || b) "choice" {
                a
            } else if |g: &Guard| { g.far } {
                // far
                b
            } else {
                c
            }
            match |g: &Guard| g.mood {
                Mood::Calm | Mood::Sad if x > 3 => rest, // calm
                Mood::Angry { level: 1..=3 } => sequence { a, b }
                _ => fail,
            }
            machine "m" {
                state idle { graze, herded -> obey, enter: bark, !a -> idle }
                state obey {
                    retry(3) { follow }, // follows
                    |g: &Guard| g.free -> idle,
                    exit: sequence { a, b },
                }
                any { scared(1.0) -> idle }
            }
            service(secs(1), look_around) { own(5, |a, b| a < b) { wait(millis(5)) } }
            path::to::own::<u32>(1) { x "label", &y, boxed(z).named("n") }
            ..more.iter().map(|m| m.node()),
            // 3. The rest.
            |g: &mut Guard| { g.idle += 1; /* counts */ Status::Running }
            // the end
        }
        // behind the root
    }
}

mod other {
    fn f() { vec![tree!(a), tree![ sequence { b } ]] }
}
"#;

fn printed(document: &Document) -> String {
    let trees = document.trees.iter().map(|tree| print::tree(tree, document.style()));
    trees.collect::<Vec<_>>().join("\n").replace(char::is_whitespace, "")
}

/// Returns the text outside of trees.
fn outside(document: &Document, text: &str) -> Vec<String> {
    let (mut parts, mut last) = (Vec::new(), 0);
    for tree in &document.trees {
        let place = tree.around.place.clone().expect("a tree of a source has a place");
        parts.push(text[last..place.start].to_owned());
        last = place.end;
    }
    parts.push(text[last..].to_owned());
    parts
}

/// Returns how often each comment is in a text.
fn comments(text: &str) -> std::collections::BTreeMap<String, usize> {
    let mut all = std::collections::BTreeMap::new();
    for line in text.lines() {
        for (at, _) in line.match_indices("//").chain(line.match_indices("/*")).chain(line.match_indices(" * ")) {
            let end = line[at..].find("*/").map_or(line.len(), |end| at + end);
            let comment = line[at..end].trim_start_matches(['/', '*', ' ']).trim_end_matches([',', ' ']).trim();
            if !comment.starts_with("disabled: ") {
                *all.entry(comment.to_owned()).or_insert(0) += 1;
            }
        }
    }
    all
}

/// Checks that an operation changes only what it says. Returns the document after it; `None` if it is refused.
fn check(document: &Document, operation: &Operation) -> Option<Document> {
    let mut changed = document.clone();
    if changed.apply(operation).is_err() {
        assert_eq!(changed.write(), document.write(), "{operation:?}");
        return None;
    }
    let text = changed.write().unwrap_or_else(|error| panic!("{operation:?}: {error}"));
    let again =
        Document::read(document.notation, &text).unwrap_or_else(|error| panic!("{operation:?}: {error}\n{text}"));
    for tree in &again.trees {
        assert!(tree.broken.is_none(), "{operation:?}: {} {:?}\n{text}", tree.name, tree.broken);
    }
    assert_eq!(printed(&again), printed(&changed), "{operation:?}\n{text}");
    assert_eq!(outside(&again, &text), outside(&read(), SOURCE), "{operation:?}");
    Some(changed)
}

/// Returns what is read from the source.
fn read() -> Document {
    let document = Document::read(Notation::RUST, SOURCE).expect("it is Rust");
    for tree in &document.trees {
        assert!(tree.broken.is_none(), "{:?}", tree.broken);
    }
    document
}

/// All operations at a node, and at a node beside another.
pub(super) fn operations(node: u32, other: u32) -> Vec<Operation> {
    let nodes = || vec![node];
    vec![
        Operation::Insert { text: "// new\nsequence { n(1), m } // so".to_owned(), at: At::Before(node) },
        Operation::Insert { text: "n".to_owned(), at: At::After(node) },
        Operation::Insert { text: "n { m }".to_owned(), at: At::In { r#in: node, list: 0, index: 1 } },
        Operation::Delete { nodes: nodes() },
        Operation::Duplicate { nodes: nodes() },
        Operation::Move { nodes: nodes(), at: At::Before(other) },
        Operation::Move { nodes: nodes(), at: At::After(other) },
        Operation::Move { nodes: nodes(), at: At::In { r#in: other, list: 0, index: 0 } },
        Operation::Wrap { nodes: nodes(), head: "cooldown(secs(2))".to_owned() },
        Operation::Wrap { nodes: nodes(), head: "!".to_owned() },
        Operation::Unwrap { node },
        Operation::Replace { node, head: "mem_selector".to_owned() },
        Operation::Replace { node, head: "walk(1, |a, b| a > b)".to_owned() },
        Operation::Argument { node, index: Some(0), name: None, value: Some("a || b".to_owned()) },
        Operation::Label { node, label: Some("a \\ \"b\"\n".to_owned()) },
        Operation::Label { node, label: None },
        Operation::Note { node, text: "one */ /*\n\ntwo".to_owned() },
        Operation::Annotate { node, before: "4.5".to_owned() },
        Operation::Disable { nodes: nodes() },
        Operation::Enable { nodes: nodes() },
    ]
}

pub(super) fn all(document: &Document) -> Vec<u32> {
    document.trees.iter().flat_map(Tree::nodes).map(|node| node.id).collect()
}

/// The distance between two nodes that are tried: every node with the environment variable `CI`, otherwise every fifth.
pub(super) fn step() -> usize {
    if std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) { 1 } else { 5 }
}

#[test]
fn every_operation_at_every_node_keeps_the_rest() {
    let document = read();
    assert_eq!(document.write().as_deref(), Ok(SOURCE));
    let ids = all(&document);
    assert!(ids.len() > 60, "{}", ids.len());
    let (mut done, mut refused) = (0, Vec::new());
    for (index, id) in ids.iter().enumerate().step_by(step()) {
        let other = ids[(index * 7 + 3) % ids.len()];
        for operation in operations(*id, other) {
            let Some(changed) = check(&document, &operation) else {
                refused.push(operation);
                continue;
            };
            done += 1;
            let is_replaced_comment =
                |head: &str| head.contains("/*") && matches!(operation, Operation::Replace { .. });
            let keeps_all = matches!(
                operation,
                Operation::Move { .. } | Operation::Wrap { .. } | Operation::Unwrap { .. } | Operation::Replace { .. }
            );
            if keeps_all && !document.node(*id).is_ok_and(|node| is_replaced_comment(&node.head)) {
                assert_eq!(comments(&changed.write().expect("it is written")), comments(SOURCE), "{operation:?}");
            }
        }
    }
    assert!(done * step() > 1000 && refused.len() * 8 < done, "{done} done, {} refused", refused.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn operations_follow_each_other(steps in proptest::collection::vec((any::<u32>(), any::<u32>(), 0_usize..20), 1..12)) {
        let mut document = read();
        for (one, other, which) in steps {
            let ids = all(&document);
            let at = |number: u32| ids[number as usize % ids.len()];
            let operation = operations(at(one), at(other)).swap_remove(which);
            if let Some(changed) = check(&document, &operation) {
                document = changed;
            }
        }
    }
}
