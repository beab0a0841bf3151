//! What every operation keeps, in all notations: comments, and that what is disabled does not run.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use proptest::prelude::*;

use super::super::*;
use super::read;

/// A source with a comment, named by a number, in every place, and with disabled nodes.
pub(super) const SOURCE: &str = r#"
fn guard() -> impl Node<Guard> {
    tree! {
        // c01
        for Guard: selector "day" { // c02
            // c03
            sequence "fight" { // c04
                near(10.0), // c05

                // c06
                /* disabled: timeout(secs(5)) { attack, // c07
                    /* disabled: cry */
                } */ // c08
                shout,
                // c09
            } // c10
            // c11
            /* disabled: invert { // c12
                fire
                // c13
            } */
            timeout(secs(2)) {
                // c14
                /* disabled: flee(1) */ // c15
            } // c16
            #[cfg(feature = "x")]
            !selector { // c17
                a, // c18
            } // c19
            /* disabled: !hide */
            // c20
            !mourn, // c21
            sequence { // c22
                // c23
            } // c24
            !sequence {
                // c25
            }
            if near(3.0) { // c26
                a
                // c27
            } else if far { // c28
                // c29
                /* disabled: b */
                // c30
            } else {
                // c31
                rest(), // c32
            }
            #[cfg(feature = "y")]
            fight(), // c33
            mem_sequence < // c34
                go, // c35
                !day,
                // c36
            > // c37
            random_selector {
                // c38
                3 => sing, // c39
                /* disabled: 2 => dance */
            }
            machine {
                state idle { // c40
                    graze, // c41
                    // c42
                    scared -> fear,
                }
                state fear { run, calm -> idle } // c43
            }
            // c44
        }
        // c45
    }
}

fn fight() -> impl Node<Guard> {
    // c46
    tree! { sequence { near(2.0), hit } } // c47
}

fn rest() -> impl Node<Guard> {
    tree! {
        // c48
        mem_sequence {
            sit, // c49
        } // c50
    }
}
"#;

pub(super) const TEXT: &str = r#"// c01
tree main { // c02
    selector "day" { // c03
        #[disabled] invert { // c04
            fire // c05
            // c06
        } // c07
        timeout(2s) {
            #[disabled] flee(x = 1), // c08
        }
        sequence { // c09
            // c10
            #[disabled] sequence { near, #[disabled] cry, attack } // c11
            hit,

            // c12
        }
        #[disabled] !hide, // c13
        !sequence { // c14
            a, // c15
        }
        #[disabled] rest, // c16
        rest, // c17
        off,
        random_selector < // c18
            3 => sing, // c19
            // c20
        >
        cooldown(1s) {
            // c21
        }
    }
    // c22
}

// c23
tree rest { mem_sequence { sit } }

tree off {
    // c24
    #[disabled] sequence { stand }
}
"#;

const FILE: &str = r#"{ "trees": [ { "id": "main", "title": "main", "root": "1", "nodes": {
    "1": { "id": "1", "name": "random_selector", "properties": { "weights": [3, 1, 2, 1] }, "children": ["2", "3", "4", "7"], "description": "c01" },
    "2": { "id": "2", "name": "Inverter", "properties": { "disabled": true }, "child": "5", "description": "c02" },
    "3": { "id": "3", "name": "Sequence", "children": ["6"], "description": "c03" },
    "4": { "id": "4", "name": "walk to", "properties": { "x": 1.5 } },
    "5": { "id": "5", "name": "Fire", "description": "c04\nc05" },
    "6": { "id": "6", "name": "Flee", "properties": { "disabled": true }, "description": "c06" },
    "7": { "id": "7", "name": "rest", "properties": { "disabled": true }, "description": "c07" }
} }, { "id": "rest", "title": "rest", "root": "8", "nodes": {
    "8": { "id": "8", "name": "Sequence", "children": ["9"], "description": "c08" },
    "9": { "id": "9", "name": "Sit" }
} } ] }
"#;

const XML: &str = r#"<!-- c01 -->
<root BTCPP_format="4" main_tree_to_execute="Main">
  <!-- c02 -->
  <BehaviorTree ID="Main"> <!-- c03 -->
    <!-- c04 -->
    <Fallback name="day"> <!-- c05 -->
      <!-- c06 -->

      <!-- c07 -->
      <Inverter _skipIf="true"> <!-- c08 -->
        <Fire _description="c09"/> <!-- c10 -->
        <!-- c11 -->
      </Inverter> <!-- c12 -->
      <Timeout msec="2000" _description="c13">
        <Flee _skipIf="true"/> <!-- c14 -->
      </Timeout>
      <Sequence _skipIf="true"><A/><B _skipIf="true"/><C _failureIf="x"/></Sequence>
      <!-- c15 -->
      <SubTree ID="Rest"/> <!-- c16 -->
      <Sequence><!-- c17 --></Sequence>
      <!-- c18 -->
    </Fallback>
    <!-- c19 -->
  </BehaviorTree>
  <!-- c20 -->
  <BehaviorTree ID="Rest">
    <Sequence><Sit/><!-- c21 --></Sequence>
  </BehaviorTree>
</root>
"#;

const ALL: [(Notation, &str); 4] =
    [(Notation::RUST, SOURCE), (Notation::TEXT, TEXT), (Notation::JSON, FILE), (Notation::XML, XML)];

/// Returns the numbered comments of a text.
fn comments(text: &str) -> BTreeSet<String> {
    let is_number = |at: &usize| text[at + 1..].bytes().take(2).filter(u8::is_ascii_digit).count() == 2;
    let begins = text.match_indices('c').map(|(at, _)| at).filter(is_number);
    begins.map(|at| text[at..at + 3].to_owned()).collect()
}

/// Returns the ids of the nodes that do not run, because they or nodes above them are disabled.
fn off(document: &Document) -> HashSet<u32> {
    fn add(node: &Node, is_off: bool, all: &mut HashSet<u32>) {
        let is_off = is_off || node.disabled;
        if is_off {
            all.insert(node.id);
        }
        node.children().for_each(|child| add(child, is_off, all));
    }
    let mut all = HashSet::new();
    for tree in &document.trees {
        tree.root.iter().chain(&tree.loose).for_each(|root| add(root, false, &mut all));
    }
    all
}

/// Returns a node and all below it.
fn of(node: &Node) -> Vec<&Node> {
    std::iter::once(node).chain(node.children().flat_map(|child| of(child))).collect()
}

/// Returns the comments of the elements of a node and all below it, which may be those of other trees.
fn of_elements(node: &Node) -> BTreeSet<String> {
    let sources = of(node).into_iter().flat_map(|node| {
        node.element.iter().chain(node.gone.iter().flat_map(|gone| [gone.source()])).collect::<Vec<_>>()
    });
    sources.flat_map(|source| comments(&source.with_comments())).collect()
}

fn below(node: &Node) -> impl Iterator<Item = u32> {
    of(node).into_iter().map(|node| node.id)
}

/// Returns the comments that may vanish with an operation: those that belong to what it deletes or replaces.
fn may_vanish(document: &Document, operation: &Operation) -> BTreeSet<String> {
    match operation {
        // Those above and behind a node stay, and those in a body without nodes. In XML they belong to the node.
        Operation::Delete { nodes } => {
            let mut all = BTreeSet::new();
            for id in nodes {
                let way = document.with_not(*id).expect("it is there");
                let node = document.at(&way);
                if document.notation == Notation::XML {
                    all.extend(of_elements(node));
                }
                let body = gap::of_empty_body(node);
                let bare = Node { above: Vec::new(), behind: String::new(), ..Node::clone(node) };
                let own = if document.style().is_data() { node.above.clone() } else { Vec::new() };
                all.extend(comments(&own.join("\n")));
                if body.is_empty() {
                    all.extend(comments(&print::nodes([&bare], document.style())));
                }
            }
            all
        }
        Operation::Note { node, .. } => {
            let is_data = document.style().is_data();
            let way = if is_data { document.way(*node) } else { document.with_not(*node) };
            let above = &document.at(&way.expect("it is there")).above;
            let own = if is_data { &above[..] } else { &above[gap::own(above)..] };
            comments(&own.join("\n"))
        }
        Operation::Remove { tree } => {
            let tree = document.trees.iter().find(|of| of.id == *tree).expect("it is there");
            let place = tree.around.place.clone();
            // In XML, the comments right above a tree belong to it.
            let start = |place: &Range<usize>| {
                let before = Some(&document.source[..place.start]).filter(|_| document.notation == Notation::XML);
                before.and_then(|before| before.rfind("</BehaviorTree>")).unwrap_or(place.start)
            };
            let old = place.map_or("", |place| &document.source[start(&place)..place.end]);
            let mut all = &comments(&print::tree(tree, document.style())) | &comments(old);
            all.extend(tree.root.iter().flat_map(|root| of_elements(root)));
            all
        }
        _ => BTreeSet::new(),
    }
}

/// Applies an operation to a document, whose text is `before`, and checks what it has to keep.
fn check(document: &Document, before: &str, operation: &Operation) -> Option<(Document, String)> {
    let mut changed = document.clone();
    changed.apply(operation).ok()?;
    let text = match changed.write() {
        Ok(text) => text,
        // A value that a file cannot contain.
        Err(_) if document.notation == Notation::JSON => return None,
        Err(error) => panic!("{operation:?}: {error}"),
    };
    let again = read(document.notation, &text);
    let lost: BTreeSet<_> = &(&comments(before) - &comments(&text)) - &may_vanish(document, operation);
    assert_eq!(lost, BTreeSet::new(), "{operation:?}\n{before}\n{text}");
    // What is written is what the document has.
    let disabled = |of: &Document| of.trees.iter().flat_map(Tree::nodes).filter(|node| node.disabled).count();
    assert_eq!(disabled(&again), disabled(&changed), "{operation:?}\n{text}");
    let mut may_run = Vec::new();
    match operation {
        Operation::Enable { nodes } => {
            for id in nodes {
                may_run.extend(below(document.node(*id).expect("it is there")));
            }
        }
        // The nodes of the new tree run where it is used.
        Operation::Extract { node, .. } => {
            let new = changed.trees.iter().flat_map(Tree::nodes).find(|node| document.node(node.id).is_err());
            let is_off = off(&changed).contains(&new.expect("the tree is used").id);
            assert_eq!(off(document).contains(node), is_off, "{operation:?}\n{text}");
            may_run.extend(below(document.node(*node).expect("it is there")));
        }
        _ => {}
    }
    let runs = &off(document) - &off(&changed);
    let nodes: HashSet<_> = changed.trees.iter().flat_map(Tree::nodes).map(|node| node.id).collect();
    let runs: Vec<_> = runs.iter().filter(|id| nodes.contains(id) && !may_run.contains(id)).collect();
    assert!(runs.is_empty(), "{operation:?} enables {runs:?}\n{before}\n{text}");
    Some((changed, text))
}

/// Every operation, at a node and at a node beside another.
fn operations(document: &Document, node: u32, other: u32) -> Vec<Operation> {
    let nodes = || vec![node];
    let head =
        |head: &str, xml: &str| if document.notation == Notation::XML { xml.to_owned() } else { head.to_owned() };
    let set = |name: &str, value: &str| Operation::Argument {
        node,
        index: Some(0),
        name: Some(name.to_owned()),
        value: Some(value.to_owned()),
    };
    let mut all = vec![
        Operation::Insert { text: head("n { m }", "N { M }"), at: At::In { r#in: node, list: 0, index: 1 } },
        Operation::Insert { text: head("#[disabled] n", "#[disabled] N"), at: At::After(node) },
        Operation::Delete { nodes: nodes() },
        Operation::Delete { nodes: vec![node, other] },
        Operation::Duplicate { nodes: nodes() },
        Operation::Move { nodes: nodes(), at: At::Before(other) },
        Operation::Move { nodes: nodes(), at: At::After(other) },
        Operation::Move { nodes: nodes(), at: At::In { r#in: other, list: 0, index: 0 } },
        Operation::Wrap { nodes: nodes(), head: head("cooldown(secs(2))", "Delay(delay_msec = 3)") },
        Operation::Wrap { nodes: vec![node, other], head: head("sequence", "Sequence") },
        Operation::Wrap { nodes: nodes(), head: "!".to_owned() },
        Operation::Unwrap { node },
        Operation::Replace { node, head: head("mem_selector", "Fallback") },
        Operation::Replace { node, head: head("walk(x = 1)", "Walk(x = 1)") },
        Operation::Replace { node, head: head("walk(disabled = false)", "Walk(_skipIf = \"false\")") },
        set("disabled", "false"),
        set("_skipIf", "false"),
        set("_failureIf", "x < 3"),
        Operation::Label { node, label: Some("label".to_owned()) },
        Operation::Note { node, text: "a note".to_owned() },
        Operation::Annotate { node, before: "4.5".to_owned() },
        Operation::Disable { nodes: nodes() },
        Operation::Enable { nodes: nodes() },
        Operation::Extract { node, name: format!("part{}", document.trees.len()) },
        Operation::Inline { node },
        Operation::Create { name: format!("new{}", document.trees.len()), text: Some(head("n", "N")) },
    ];
    for tree in &document.trees {
        all.push(Operation::Rename { tree: tree.id, name: format!("other{}", tree.id) });
        all.push(Operation::Remove { tree: tree.id });
        all.push(Operation::Move { nodes: nodes(), at: At::Tree { tree: tree.id } });
    }
    all
}

fn ids(document: &Document) -> Vec<u32> {
    document.trees.iter().flat_map(Tree::nodes).map(|node| node.id).collect()
}

#[test]
fn every_operation_keeps_comments_and_what_is_disabled() {
    for (notation, text) in ALL {
        let document = read(notation, text);
        assert_eq!(document.write().as_deref(), Ok(text));
        let (mut done, all) = (0, ids(&document));
        for (index, id) in all.iter().enumerate() {
            let other = all[(index * 7 + 3) % all.len()];
            let operations = operations(&document, *id, other);
            // Each operation at each third node.
            let some = operations.iter().skip(index % 3).step_by(3);
            done += some.filter_map(|operation| check(&document, text, operation)).count();
        }
        assert!(done > 3 * all.len(), "{notation:?}: {done} of {}", all.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn operations_that_follow_each_other_keep_them(
        which in 0..ALL.len(),
        steps in proptest::collection::vec((any::<u32>(), any::<u32>(), any::<u32>()), 1..10)
    ) {
        let (notation, text) = ALL[which];
        let (mut document, mut text) = (read(notation, text), text.to_owned());
        for (one, other, operation) in steps {
            let ids = ids(&document);
            if ids.is_empty() {
                break;
            }
            let at = |number: u32| ids[number as usize % ids.len()];
            let mut operations = operations(&document, at(one), at(other));
            let operation = operations.swap_remove(operation as usize % operations.len());
            if let Some(changed) = check(&document, &text, &operation) {
                (document, text) = changed;
            }
        }
    }
}

#[test]
fn the_description_of_a_node_after_a_bang_stays_its_own() {
    let mut document = read(Notation::JSON, FILE);
    let node = |head: &str, document: &Document| {
        document.trees[0].nodes().into_iter().find(|node| node.head == head).expect("it is there").id
    };
    let (inverter, around) = (node("Inverter", &document), node("Sequence", &document));
    document.apply(&Operation::Wrap { nodes: vec![inverter], head: "!".to_owned() }).expect("it is wrapped");
    let bang = document.with_not(inverter).expect("it is there");
    let copied = document.copy(&[document.at(&bang).id]).expect("it is there");
    assert!(copied.contains("// c02\n") && copied.contains("// c04\n"), "{copied}");
    let moved = Operation::Move { nodes: vec![inverter], at: At::In { r#in: around, list: 0, index: 0 } };
    document.apply(&moved).expect("it is moved");
    let written = document.write().expect("it can be written");
    let has = |part: &str| written.contains(part);
    assert!(has("\"child\": \"5\", \"description\": \"c02\"") && has("\"children\": [\"8\", \"6\"]"), "{written}");
}

fn unwrapped(notation: Notation, text: &str, head: &str) -> Result<String, String> {
    let mut document = read(notation, text);
    let node = document.trees[0].nodes().into_iter().find(|node| node.head == head).expect(head).id;
    document.apply(&Operation::Unwrap { node })?;
    document.write()
}

#[test]
fn the_comments_of_an_unwrapped_node_stay_around_its_children() {
    let text = "selector {\n    // one\n    invert { a } // two\n    b,\n}\n";
    let unwrapped = unwrapped(Notation::TEXT, text, "invert");
    assert_eq!(unwrapped.as_deref(), Ok("selector {\n    // one\n    a, // two\n    b,\n}\n"));
}

#[test]
fn what_is_unwrapped_stays_disabled() {
    let text = "selector { #[disabled] invert { fire } b }\n";
    assert_eq!(unwrapped(Notation::TEXT, text, "invert").as_deref(), Ok("selector { #[disabled] fire, b }\n"));
    let text = "fn f() {\n    tree! { selector { /* disabled: invert { fire } */ b } }\n}\n";
    let written = unwrapped(Notation::RUST, text, "invert").expect("it can stay disabled");
    assert!(written.contains("/* disabled: fire */\n            b,\n"), "{written}");
    for (notation, text) in [
        (Notation::RUST, "fn f() {\n    tree! { timeout(secs(2)) { /* disabled: fire */ } }\n}\n"),
        (Notation::TEXT, "timeout(secs(2)) { #[disabled] fire }\n"),
    ] {
        let refused = unwrapped(notation, text, "timeout(secs(2))");
        assert_eq!(refused, Err("the root cannot be disabled".to_owned()));
    }
    let text = "fn f() {\n    tree! { selector { !timeout(secs(2)) { /* disabled: fire */ } b } }\n}\n";
    let written = unwrapped(Notation::RUST, text, "timeout(secs(2))").expect("the `!` is disabled");
    assert!(written.contains("/* disabled: !fire */\n            b,\n"), "{written}");
    let text = "fn f() {\n    tree! { selector { #[cfg(feature = \"x\")] invert { fire } b } }\n}\n";
    let written = unwrapped(Notation::RUST, text, "invert").expect("it has a child");
    assert!(written.contains("#[cfg(feature = \"x\")] fire"), "{written}");
}

/// Applies operations to nodes, each named by its head.
fn edited(notation: Notation, text: &str, operations: &[(&str, &str)]) -> String {
    let mut document = read(notation, text);
    for (head, operation) in operations {
        let node = document.trees.iter().flat_map(Tree::nodes).find(|node| node.head == *head).expect(head).id;
        let numbers = Numbers::of(&document);
        let number = numbers.number(node).expect("it is there").to_string();
        let operation = command(&operation.replace('#', &number), &document, &numbers).expect("an operation");
        document.apply(&operation).unwrap_or_else(|error| panic!("{operation:?}: {error}"));
    }
    let written = document.write().expect("it can be written");
    assert_eq!(read(notation, &written).write().as_ref(), Ok(&written));
    written
}

#[test]
fn new_nodes_have_the_brackets_of_their_tree() {
    let operations = [
        ("a", "wrap # cooldown(secs(2))"),
        ("b", "insert after # sequence { c, timeout(secs(1)) { d } }"),
        ("b", "replace # mem_selector"),
        ("mem_selector", "insert in # e"),
    ];
    let after = "selector < cooldown(secs(2)) < a > mem_selector < e > sequence < c, timeout(secs(1)) < d > > >";
    assert_eq!(edited(Notation::TEXT, "< selector < a, b > >\n", &operations), format!("< {after} >\n"));
    assert_eq!(edited(Notation::TEXT, "selector < a, b >\n", &operations), format!("{after}\n"));
    assert_eq!(
        edited(Notation::TEXT, "tree x < selector < a, b > >\n", &operations),
        format!("tree x <\n    {after}\n>\n")
    );
    let source = |tree: &str| format!("fn f() -> impl Node<G> {{\n    tree! {{ for G: < {tree} > }}\n}}\n");
    let written = edited(Notation::RUST, &source("selector < a, b >"), &operations);
    assert_eq!(written.replace(char::is_whitespace, ""), source(after).replace(char::is_whitespace, ""));
    let written =
        edited(Notation::RUST, &source("selector < a, b >"), &[("selector", "wrap # invert"), ("a", "wrap # !")]);
    assert_eq!(written, source("invert < selector < !a, b > >"));
    // In angle brackets, a closure cannot compare.
    let written = edited(
        Notation::RUST,
        &source("selector < a, b >"),
        &[("b", "insert after # timeout(secs(1)) { |g: &G| g.x > 3 }")],
    );
    assert!(written.contains("timeout(secs(1)) { |g: &G| g.x > 3 }"), "{written}");
}

#[test]
fn a_new_tree_has_the_brackets_of_the_others() {
    assert_eq!(
        edited(Notation::TEXT, "// All.\n< selector < a, sequence < b > > >\n", &[("sequence", "extract # part")]),
        "tree main <\n    // All.\n    selector < a, part >\n>\n\ntree part < sequence < b > >\n"
    );
    let source = "fn f() -> impl Node<G> {\n    tree! { < selector < a, sequence < b > > > }\n}\n";
    assert_eq!(
        edited(Notation::RUST, source, &[("sequence", "extract # part")]),
        "fn f() -> impl Node<G> {\n    tree! { < selector < a, part() > > }\n}\n\nfn part() -> impl Node<G> {\n    tree! { < sequence < b > > }\n}\n"
    );
}

#[test]
fn comments_around_angle_brackets_stay_around_them() {
    let text = "// one\n< // two\n    selector < a > // three\n    // four\n>\n// five\n";
    assert_eq!(
        edited(Notation::TEXT, text, &[("a", "label # \"x\"")]),
        "// one\n<\n    // two\n    selector < a \"x\" > // three\n    // four\n>\n// five\n"
    );
}

#[test]
fn a_node_around_a_root_after_a_bang_has_its_brackets() {
    for (edit, expected) in [
        ("replace # sequence", "sequence < selector < a, b > >\n"),
        ("wrap # timeout(secs(1))", "timeout(secs(1)) < !selector < a, b > >\n"),
    ] {
        assert_eq!(edited(Notation::TEXT, "!selector < a, b >\n", &[("!", edit)]), expected);
    }
}

#[test]
fn the_lines_of_a_comment_move_with_its_first_one() {
    let source = |inner: &str| {
        let lines: Vec<_> = inner.lines().map(|line| format!("        {line}\n")).collect();
        format!("fn f() {{\n    tree! {{\n{}    }}\n}}\n", lines.concat())
    };
    let on = source(
        "selector {\n    /* one\n       two */\n    mem_sequence {\n        first_leaf(10.0),\n        second_leaf(20.0),\n        // why\n        third_leaf(30.0),\n    }\n    b,\n}",
    );
    let off = source(
        "selector {\n    /* one\n       two */\n    /* disabled: mem_sequence {\n        first_leaf(10.0),\n        second_leaf(20.0),\n        // why\n        third_leaf(30.0),\n    } */\n    b,\n}",
    );
    assert_eq!(edited(Notation::RUST, &on, &[("mem_sequence", "disable #")]), off);
    assert_eq!(edited(Notation::RUST, &off, &[("mem_sequence", "enable #")]), on);
    let labeled = edited(Notation::RUST, &off, &[("b", "label # \"x\"")]);
    assert_eq!(labeled, off.replace("b,", "b \"x\","));
    let wrapped = edited(Notation::RUST, &off, &[("selector", "wrap # repeat")]);
    let deeper = "                /* one\n                   two */\n                /* disabled: mem_sequence {\n                    first_leaf(10.0),\n";
    assert!(wrapped.contains(deeper) && wrapped.contains("\n                } */\n"), "{wrapped}");
    assert_eq!(edited(Notation::RUST, &wrapped, &[("repeat", "unwrap #")]), off);
}
