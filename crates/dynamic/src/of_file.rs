//! Describes a file without its leaves.

use bt_behavior3::{AttachedLeaf, Checked, Diagnostic, NodeKind};
use bt_core::describe::{Described, Description, FileNode, Kind, Parameter, Role, Transition};
use bt_core::{NodeId, Outcomes, engine};
use bt_words::Word;
use serde_json::Value;

use crate::show::warnings_of;

/// Describes a checked file for drawings. The leaves of the file need not be registered.
///
/// ```
/// use bt_dynamic::bt_behavior3::{NodeNames, Project, Arity};
///
/// let file = r#"{ "root": "1", "nodes": {
///     "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Near", "properties": { "meters": 3 } }
/// } }"#;
/// let checked = Project::read(file)?.check(None, &NodeNames::new([("Near", Arity::Zero)])).unwrap();
/// assert_eq!(bt_dynamic::describe(&checked).to_string(), "invert\n└─ Near(meters: 3)\n");
/// # Ok::<(), bt_dynamic::bt_behavior3::ReadError>(())
/// ```
pub fn describe(file: &Checked) -> Description {
    let mut nodes = Vec::with_capacity(file.nodes.len());
    if !file.nodes.is_empty() {
        node(file, 0, None, &mut &*file.warnings, &mut nodes);
    }
    engine::description(nodes)
}

/// Describes a node and the nodes below it, in pre-order; last the attached leaves. (The depth of a checked file is limited.)
fn node(
    file: &Checked,
    index: usize,
    parent: Option<NodeId>,
    warnings: &mut &[Diagnostic],
    nodes: &mut Vec<Described>,
) {
    let node = &file.nodes[index];
    let kind = match (&node.kind, node.children.len()) {
        (NodeKind::Word(word, _), _) => Kind::of(word.row().family),
        (NodeKind::Tree(_), _) => Kind::Subtree,
        (NodeKind::Own, 0) => Kind::Action,
        (NodeKind::Own, 1) => Kind::Decorator,
        (NodeKind::Own, _) => Kind::Composite,
    };
    let kind = if kind == Kind::Action && node.is_condition { Kind::Condition } else { kind };
    let args = node.kind.args();
    let name = match &node.kind {
        NodeKind::Word(Word::State, args) => args.name(),
        NodeKind::Word(word, _) => word.name(),
        NodeKind::Tree(name) => name,
        NodeKind::Own => node.name(),
    };
    // The properties of a machine are shown as its name and transitions.
    let params = node.properties().iter().filter(|_| !matches!(kind, Kind::Machine | Kind::State));
    let param = |(name, value): (&String, &Value)| Parameter {
        name: name.clone(),
        value: value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned),
        type_name: None,
        default: None,
        unit: None,
        property: None,
    };
    let id = push(nodes, parent, kind, name);
    let described = &mut nodes[id.index()];
    described.label.clone_from(&node.title);
    described.returns = node.returns;
    described.params = params.map(param).collect();
    described.file = Some(FileNode {
        id: node.origin().to_owned(),
        name: node.name().to_owned(),
        place: node.place_in_file(),
        properties: node.properties_text().to_string(),
        more: node.spec.more.to_string(),
    });
    described.warnings = warnings_of(node, warnings).into_iter().map(ToOwned::to_owned).collect();
    described.transitions = args
        .transitions()
        .iter()
        .map(|transition| Transition { on: transition.on.to_string(), to: transition.to.clone() })
        .collect();
    for child in &node.children {
        self::node(file, *child, Some(id), warnings, nodes);
    }
    for AttachedLeaf { role, negated, name } in node.kind.attached_leaves() {
        let kind = if role == Role::Guard { Kind::Condition } else { Kind::Action };
        let (kind, first) = if negated { (Kind::Decorator, Word::Invert.name()) } else { (kind, name) };
        let above = push(nodes, Some(id), kind, first);
        nodes[above.index()].role = role;
        if negated {
            push(nodes, Some(above), Kind::Condition, name);
        }
    }
}

/// Adds a node with default values for the other fields.
fn push(nodes: &mut Vec<Described>, parent: Option<NodeId>, kind: Kind, name: &str) -> NodeId {
    let id = NodeId::new(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
    nodes.push(Described {
        id,
        parent,
        role: Role::Child,
        kind,
        name: name.to_owned(),
        label: None,
        params: Vec::new(),
        location: None,
        returns: Outcomes::ANY,
        transitions: Vec::new(),
        file: None,
        warnings: Vec::new(),
    });
    id
}
