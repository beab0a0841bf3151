//! The file format of the editor and the library. Unknown fields are preserved.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bt_words::{Arity, is_file_name};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize as Derived, Serialize};
use serde_json::{Map, Value};

use crate::diagnostic::ReadError;
use crate::form::Form;
use crate::spec::NodeSpec;

/// Trees that can contain each other, as saved by the editor. A file with a single tree is a project with one tree.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Derived)]
pub struct Project {
    /// All trees.
    pub trees: Vec<TreeSpec>,
    /// The id of the tree that was open last.
    #[serde(default, rename = "selectedTree", skip_serializing_if = "Option::is_none")]
    pub selected: Option<String>,
    /// The custom nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_nodes: Vec<CustomNode>,
    /// The other fields.
    #[serde(flatten)]
    pub more: Map<String, Value>,
    /// The fields around the project in files of the editor, which contain the project as `data`.
    #[serde(skip)]
    pub around: Option<Map<String, Value>>,
}

/// One tree.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Derived)]
#[serde(expecting = "a tree")]
pub struct TreeSpec {
    /// Its id, used as a node name in other trees.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The id of its root.
    #[serde(default, deserialize_with = "root")]
    pub root: Option<String>,
    /// Its properties.
    #[serde(default)]
    pub properties: Map<String, Value>,
    /// Its nodes, by id, in the order of the file.
    #[serde(deserialize_with = "in_order::<NodeSpec, _, _>", serialize_with = "nodes_as_map")]
    pub nodes: Vec<(String, Arc<NodeSpec>)>,
    /// The custom nodes that it uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_nodes: Vec<CustomNode>,
    /// The other fields: title, description, the editor's camera, versions.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A custom node, as declared for the editor.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Derived)]
pub struct CustomNode {
    /// Its name.
    pub name: String,
    /// Its properties with their defaults.
    #[serde(default)]
    pub properties: Map<String, Value>,
    /// The other fields: its category (`composite`, `decorator`, `action` or `condition`), title, description.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Project {
    /// Reads a file: a project, a tree, or the editor's wrapper around one (`data`).
    ///
    /// # Errors
    ///
    /// Returns an error if the text is none of these. [`check`](Self::check) reports errors inside a tree.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        #[derive(Derived)]
        struct Wrapped<T> {
            data: T,
            #[serde(flatten)]
            around: Map<String, Value>,
        }
        fn read<'a, T: Derived<'a>>(text: &'a str) -> Result<T, ReadError> {
            serde_json::from_str(text).map_err(ReadError)
        }
        // Some editors begin a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (project, around) = match Form::of(text) {
            Form { is_project: true, is_wrapped: false } => return read(text),
            Form { is_project: false, is_wrapped: false } => return read(text).map(Self::of),
            Form { is_project: true, is_wrapped: true } => {
                let Wrapped { data, around } = read(text)?;
                (data, around)
            }
            Form { is_project: false, is_wrapped: true } => {
                let Wrapped { data, around } = read(text)?;
                (Self::of(data), around)
            }
        };
        Ok(Self { around: Some(around), ..project })
    }

    /// Returns a project with one tree.
    pub fn of(tree: TreeSpec) -> Self {
        Self { trees: vec![tree], ..Self::default() }
    }

    /// Returns the tree with this id or title. `None` selects the tree that was open last in the editor, or the first.
    pub fn tree(&self, which: Option<&str>) -> Option<&TreeSpec> {
        let by_id = |id: &str| self.trees.iter().find(|tree| tree.id == id);
        match which {
            Some(which) => by_id(which).or_else(|| self.trees.iter().find(|tree| tree.title() == which)),
            None => self.selected.as_deref().and_then(by_id).or(self.trees.first()),
        }
    }

    /// Returns the text of the file: a single tree as a tree, several trees as a project.
    pub fn write(&self) -> String {
        #[derive(Serialize)]
        struct Wrapped<'a, T> {
            #[serde(flatten)]
            around: &'a Map<String, Value>,
            data: &'a T,
        }
        fn text<T: Serialize>(around: Option<&Map<String, Value>>, data: &T) -> serde_json::Result<String> {
            match around {
                Some(around) => serde_json::to_string_pretty(&Wrapped { around, data }),
                None => serde_json::to_string_pretty(data),
            }
        }
        let written = match self.trees.as_slice() {
            [tree] if self.more.is_empty() && self.custom_nodes.is_empty() => text(self.around.as_ref(), tree),
            _ => text(self.around.as_ref(), self),
        };
        // A map of text and values can always be written.
        written.unwrap_or_default() + "\n"
    }
}

impl Project {
    /// Returns the custom nodes that the project or any of its trees declares.
    pub fn declared(&self) -> impl Iterator<Item = &CustomNode> {
        self.custom_nodes.iter().chain(self.trees.iter().flat_map(|tree| &tree.custom_nodes))
    }

    /// Returns the names of the declared nodes with their numbers of children. Files written from trees also declare words, which are left out.
    pub fn declared_names(&self) -> impl Iterator<Item = (&str, Arity)> {
        self.declared().filter(|node| !is_file_name(&node.name)).map(|node| {
            let arity = match node.category() {
                Some("decorator") => Arity::One,
                Some("composite") => Arity::Many,
                _ => Arity::Zero,
            };
            (node.name.as_str(), arity)
        })
    }
}

impl CustomNode {
    /// Returns the category of the node, if the file has it: `composite`, `decorator`, `condition` or `action`.
    pub fn category(&self) -> Option<&str> {
        self.more.get("category")?.as_str()
    }
}

impl TreeSpec {
    /// Returns the title; empty if there is none.
    pub fn title(&self) -> &str {
        self.more.get("title").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the title, or the id if there is no title.
    pub fn shown_title(&self) -> &str {
        if self.title().is_empty() { &self.id } else { self.title() }
    }
}

/// Reads the id of a root.
fn root<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    struct Root;
    impl<'de> Visitor<'de> for Root {
        type Value = Option<String>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("the id of a node")
        }

        fn visit_none<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
            input.deserialize_any(self)
        }

        fn visit_str<E>(self, id: &str) -> Result<Self::Value, E> {
            Ok(Some(id.to_owned()))
        }

        fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
            Err(A::Error::custom(
                "`root` is a node, expected the id of one; note: files whose nodes contain their children are of another editor",
            ))
        }
    }
    input.deserialize_option(Root)
}

fn nodes_as_map<S: Serializer>(nodes: &[(String, Arc<NodeSpec>)], out: S) -> Result<S::Ok, S::Error> {
    let mut map = out.serialize_map(Some(nodes.len()))?;
    for (id, node) in nodes {
        map.serialize_entry(id, &**node)?;
    }
    map.end()
}

/// Reads all entries of a map in order, also those of the same name, which are reported later.
///
/// # Errors
///
/// Returns an error if it is not a map, or the error of an entry with its name.
pub fn in_order<'de, T: Derived<'de>, U: From<T>, D: Deserializer<'de>>(
    input: D,
) -> Result<Vec<(String, U)>, D::Error> {
    struct Entries<T, U>(PhantomData<(T, U)>);
    impl<'de, T: Derived<'de>, U: From<T>> Visitor<'de> for Entries<T, U> {
        type Value = Vec<(String, U)>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a map from ids to nodes")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(id) = map.next_key::<String>()? {
                let entry: T =
                    map.next_value().map_err(|error| A::Error::custom(format_args!("node {id}: {error}")))?;
                entries.push((id, entry.into()));
            }
            Ok(entries)
        }
    }
    input.deserialize_map(Entries(PhantomData))
}
