//! Describing a file without knowing its leaves.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use bt_behavior3::{Checked, Takes, Word};
use serde_json::Value;

use crate::describe::{Arrow, Described, Description, Kind, Parameter};
use crate::node::NodeId;
use crate::outcomes::Outcomes;

impl Description {
    /// What a checked file consists of, for drawings: nobody has to know its leaves.
    ///
    /// ```
    /// use bt_core::describe::Description;
    /// use bt_core::dynamic::bt_behavior3::{Names, Project, Takes};
    ///
    /// let file = r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Near", "properties": { "metres": 3 } }
    /// } }"#;
    /// let checked = Project::read(file)?.check(None, &Names::new([("Near", Takes::Nothing)])).unwrap();
    /// assert_eq!(Description::of_file(&checked).to_string(), "invert\n└─ Near(metres: 3)\n");
    /// # Ok::<(), bt_core::dynamic::bt_behavior3::ReadError>(())
    /// ```
    pub fn of_file(file: &Checked) -> Self {
        let id = |index: usize| NodeId::new(u32::try_from(index).unwrap_or(u32::MAX));
        let nodes = file.nodes.iter().enumerate().map(|(index, node)| {
            let is_own = node.word == Word::Own;
            let kind = match (node.word.takes(), node.children.len()) {
                _ if matches!(node.word, Word::Machine { .. }) => Kind::Machine,
                _ if matches!(node.word, Word::State { .. }) => Kind::State,
                (Some(Takes::Some), _) => Kind::Composite,
                (Some(Takes::One), _) => Kind::Decorator,
                (Some(Takes::Nothing), _) | (None, 0) => Kind::Action,
                (None, 1) => Kind::Decorator,
                (None, _) => Kind::Composite,
            };
            let (name, arrows) = match &node.word {
                Word::State { name, arrows } => (name.as_str(), arrows.as_slice()),
                Word::Machine { any } => ("machine", any.as_slice()),
                word => (word.keyword().unwrap_or(&node.name), [].as_slice()),
            };
            // What a machine's properties say, its name and arrows do.
            let params = node.properties.iter().filter(|_| !matches!(kind, Kind::Machine | Kind::State));
            let param = |(name, value): (&String, &Value)| Parameter {
                name: name.clone(),
                value: value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned),
                type_name: None,
                default: None,
                unit: None,
            };
            Described {
                id: id(index),
                parent: node.parent.map(id),
                kind,
                name: name.to_owned(),
                label: node.title.clone().filter(|title| !is_own || !title.contains('<')),
                params: params.map(param).collect(),
                location: None,
                can: Outcomes::ANY,
                arrows: arrows.iter().map(|arrow| Arrow { on: arrow.on.to_string(), to: arrow.to.clone() }).collect(),
            }
        });
        Self::from_nodes(nodes.collect())
    }
}
