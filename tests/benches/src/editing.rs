//! The cost of an edit: an operation on a document, and writing its text.

use std::fmt::Write;
use std::hint::black_box;

use bt_syntax::edit::{Document, Notation, Operation};

use crate::count::slope;

/// The number of edits that are counted.
const EDITS: u32 = 20;
/// The number of leaves in each `sequence`.
const LEAVES: usize = 9;

/// An edit: its name, the notation, the number of nodes, and the operation at a node.
type Edit = (&'static str, fn(usize) -> Document, usize, fn(u32, u32) -> Operation);

/// All of them.
const COUNTED: [Edit; 12] = [
    ("label in a text of 400 nodes", text, 400, label),
    ("label in a text of 4000 nodes", text, 4000, label),
    ("argument in a text of 400 nodes", text, 400, argument),
    ("node around one in a text of 400 nodes", text, 400, wrap),
    ("node around one in a text of 4000 nodes", text, 4000, wrap),
    ("label in a text of 400 trees", trees, 4000, label),
    ("label in a file of the editor of 400 nodes", json, 400, label),
    ("label in a file of the editor of 4000 nodes", json, 4000, label),
    ("node around one in a file of the editor of 400 nodes", json, 400, invert),
    ("label in XML of 400 nodes", xml, 400, label),
    ("label in XML of 4000 nodes", xml, 4000, label),
    ("node around one in XML of 400 nodes", xml, 400, invert),
];

/// Returns the names, and the instructions of an edit; `None` without valgrind.
pub fn per_edit() -> impl Iterator<Item = (String, Option<f64>)> {
    let of = |(index, edit): (usize, &Edit)| (edit.0.to_owned(), slope(&format!("edit{index}"), EDITS));
    COUNTED.iter().enumerate().map(of)
}

/// Edits a document, which it reads before: one leaf after the other.
pub fn run(index: usize, edits: u32) {
    let (_, read, nodes, operation) = COUNTED[index];
    let mut document = read(nodes);
    let nodes = document.trees.iter().flat_map(|tree| tree.nodes());
    let leaves = nodes.filter(|node| node.children().next().is_none()).map(|leaf| leaf.id);
    let leaves: Vec<_> = leaves.skip(LEAVES / 2).step_by(LEAVES).collect();
    for (number, leaf) in (0..edits).zip(leaves.into_iter().cycle()) {
        document.apply(&operation(leaf, number)).expect("it is possible");
        black_box(document.write().expect("it can be written"));
    }
}

fn label(node: u32, number: u32) -> Operation {
    Operation::Label { node, label: Some(format!("label {number}")) }
}

fn argument(node: u32, number: u32) -> Operation {
    Operation::Argument { node, index: None, name: Some("speed".to_owned()), value: Some(number.to_string()) }
}

fn wrap(node: u32, _: u32) -> Operation {
    Operation::Wrap { nodes: vec![node], head: "repeat(2)".to_owned() }
}

fn invert(node: u32, _: u32) -> Operation {
    Operation::Wrap { nodes: vec![node], head: "Inverter".to_owned() }
}

/// Returns a document with the nodes of a tree: a root, and groups of leaves. `group` and `leaf` write one with its number.
fn document(
    notation: Notation,
    nodes: usize,
    [begin, end]: [&str; 2],
    group: fn(usize) -> [String; 2],
    leaf: fn(usize) -> String,
) -> Document {
    let mut text = begin.to_owned();
    for number in 0..nodes / (LEAVES + 1) {
        let [begin, end] = group(number);
        let leaves = (0..LEAVES).map(|at| leaf(number * LEAVES + at));
        let _ = write!(text, "{begin}{}{end}", leaves.collect::<String>());
    }
    Document::read(notation, &(text + end)).expect("it is a document")
}

fn text(nodes: usize) -> Document {
    let group = |number| [format!("    sequence \"group {number}\" {{\n"), "    }\n".to_owned()];
    let leaf = |number| format!("        goto(speed = {number}, place = var(door)),\n");
    document(Notation::TEXT, nodes, ["selector {\n", "}\n"], group, leaf)
}

/// Each group is a tree.
fn trees(nodes: usize) -> Document {
    let group = |number| [format!("tree group_{number} {{\n    sequence {{\n"), "    }\n}\n\n".to_owned()];
    let leaf = |number| format!("        goto(speed = {number}, place = var(door)),\n");
    document(Notation::TEXT, nodes, ["", ""], group, leaf)
}

fn xml(nodes: usize) -> Document {
    let group = |number| [format!("      <Sequence name=\"group {number}\">\n"), "      </Sequence>\n".to_owned()];
    let leaf = |number| format!("        <Goto speed=\"{number}\" place=\"{{door}}\"/>\n");
    let begin = "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"main\">\n    <Fallback>\n";
    document(Notation::XML, nodes, [begin, "    </Fallback>\n  </BehaviorTree>\n</root>\n"], group, leaf)
}

/// The children of the root, which come last, have the ids `s0`, `s1` and so on.
fn json(nodes: usize) -> Document {
    let group = |number: usize| {
        let ids: Vec<_> = (0..LEAVES).map(|at| format!("\"{}\"", number * LEAVES + at)).collect();
        let children = ids.join(", ");
        let fields = format!("\"name\": \"Sequence\", \"properties\": {{}}, \"children\": [{children}]");
        [String::new(), format!("    \"s{number}\": {{ \"id\": \"s{number}\", {fields} }},\n")]
    };
    let leaf = |number| {
        let fields = format!("\"name\": \"Goto\", \"properties\": {{ \"speed\": {number}, \"place\": \"{{door}}\" }}");
        format!("    \"{number}\": {{ \"id\": \"{number}\", {fields} }},\n")
    };
    let groups: Vec<_> = (0..nodes / (LEAVES + 1)).map(|number| format!("\"s{number}\"")).collect();
    let children = groups.join(", ");
    let end = format!(
        "    \"root\": {{ \"id\": \"root\", \"name\": \"Priority\", \"properties\": {{}}, \"children\": [{children}] }}\n  }}\n}}\n"
    );
    document(Notation::JSON, nodes, ["{\n  \"root\": \"root\",\n  \"nodes\": {\n", &end], group, leaf)
}
