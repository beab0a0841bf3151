//! Describing a file without knowing its leaves.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use bt_behavior3::{Arity, Checked, Part, Word};
use serde_json::Value;

use crate::describe::{Described, Description, FileNode, Kind, Parameter, Role, Transition};
use crate::id::NodeId;
use crate::outcomes::Outcomes;

impl Description {
    /// What a checked file consists of, for drawings: nobody has to know its leaves.
    ///
    /// ```
    /// use bt_core::describe::Description;
    /// use bt_core::dynamic::bt_behavior3::{Names, Project, Arity};
    ///
    /// let file = r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Near", "properties": { "metres": 3 } }
    /// } }"#;
    /// let checked = Project::read(file)?.check(None, &Names::new([("Near", Arity::Zero)])).unwrap();
    /// assert_eq!(Description::of_file(&checked).to_string(), "invert\n└─ Near(metres: 3)\n");
    /// # Ok::<(), bt_core::dynamic::bt_behavior3::ReadError>(())
    /// ```
    pub fn of_file(file: &Checked) -> Self {
        let mut nodes = Vec::with_capacity(file.nodes.len());
        if !file.nodes.is_empty() {
            node(file, 0, None, &mut nodes);
        }
        Self::from_nodes(nodes)
    }
}

/// Describes a node and those below it, in pre-order; last the leaves that are no children. (A checked file is at most so deep.)
fn node(file: &Checked, index: usize, parent: Option<NodeId>, nodes: &mut Vec<Described>) {
    let node = &file.nodes[index];
    let kind = match (node.word.takes(), node.children.len()) {
        _ if matches!(node.word, Word::Machine { .. }) => Kind::Machine,
        _ if matches!(node.word, Word::State { .. }) => Kind::State,
        (Some(Arity::Many), _) => Kind::Composite,
        (Some(Arity::One), _) => Kind::Decorator,
        (Some(Arity::Zero), _) | (None, 0) if node.is_condition => Kind::Condition,
        (Some(Arity::Zero), _) | (None, 0) => Kind::Action,
        (None, 1) => Kind::Decorator,
        (None, _) => Kind::Composite,
    };
    let (name, transitions) = match &node.word {
        Word::State { name, transitions, .. } => (name.as_str(), transitions.as_slice()),
        Word::Machine { any } => ("machine", any.as_slice()),
        word => (word.keyword().unwrap_or(&node.name), [].as_slice()),
    };
    // What a machine's properties say, its name and transitions do.
    let params = node.properties.iter().filter(|_| !matches!(kind, Kind::Machine | Kind::State));
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
    described.params = params.map(param).collect();
    described.file = Some(FileNode {
        id: node.origin.clone(),
        name: node.name.clone(),
        properties: Value::Object(node.properties.clone()).to_string(),
        more: Value::Object(node.more.clone()).to_string(),
    });
    described.transitions = transitions
        .iter()
        .map(|transition| Transition { on: transition.on.to_string(), to: transition.to.clone() })
        .collect();
    for child in &node.children {
        self::node(file, *child, Some(id), nodes);
    }
    for (part, name) in node.word.leaves() {
        let (role, kind, negated) = match part {
            Part::Action => (Role::Service, Kind::Action, false),
            Part::Condition { negated } => (Role::Guard, Kind::Condition, negated),
            Part::Enter => (Role::Enter, Kind::Action, false),
            Part::Exit => (Role::Exit, Kind::Action, false),
        };
        let (kind, first) = if negated { (Kind::Decorator, "invert") } else { (kind, name) };
        let above = push(nodes, Some(id), kind, first);
        nodes[above.index()].role = role;
        if negated {
            push(nodes, Some(above), Kind::Condition, name);
        }
    }
}

/// Adds a node of which no more is known.
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
        can: Outcomes::ANY,
        transitions: Vec::new(),
        file: None,
    });
    id
}
