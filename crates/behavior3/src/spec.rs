//! A node of a file.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Fault, Place};
use crate::more::{Borrowed, More};
use crate::properties::Properties;

/// One node.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct NodeSpec {
    /// Its id.
    pub id: String,
    /// Its name: a word of Behavior3 or of `tree!`, the name of a custom node, or the id of a tree.
    pub name: String,
    /// Its properties.
    pub properties: Properties,
    /// The properties that older files, and files of Engine22, have in addition: an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// Its children, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<String>>,
    /// Its child, if it is a decorator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub child: Option<String>,
    /// The other fields: title, description, position in the editor (`display`).
    #[serde(flatten)]
    pub more: More,
    /// Its place, if the node was read from text.
    #[serde(skip)]
    pub place: Option<Place>,
    /// The file of its place, if that is included by the file of the tree. Errors name it.
    #[serde(skip)]
    pub file: Option<Arc<str>>,
}

impl NodeSpec {
    /// Returns a node without children, whose `title` and `description` are omitted if they are empty.
    pub fn new(id: String, name: impl Into<String>, title: &str, description: &str) -> Self {
        let texts = [("title", title), ("description", description)].into_iter().filter(|(_, text)| !text.is_empty());
        let more = texts.map(|(field, text)| (field.to_owned(), text.into())).collect::<Map<_, _>>();
        Self { id, name: name.into(), more: more.into(), ..Self::default() }
    }

    /// Sets its children, by id.
    pub fn set_children(&mut self, children: Vec<String>) {
        self.children = (!children.is_empty()).then_some(children);
    }

    /// Returns the category of the node, if the file has it: see [`CustomNode::category`](crate::CustomNode::category).
    pub fn category(&self) -> Option<Cow<'_, str>> {
        self.more.text("category")
    }

    /// Returns the title in the editor; empty if there is none.
    pub fn title(&self) -> Cow<'_, str> {
        self.more.text("title").unwrap_or_default()
    }

    /// Returns the description in the editor; empty if there is none.
    pub fn description(&self) -> Cow<'_, str> {
        self.more.text("description").unwrap_or_default()
    }

    /// Returns `true` if the editor shows a property in the title: `Wait <milliseconds>ms`.
    pub(crate) fn title_follows_property(&self) -> bool {
        let title = self.title();
        title.contains('<') && self.properties.keys().any(|name| title.contains(&format!("<{name}>")))
    }

    /// Returns an error about this node, which has this id in the file.
    pub fn diagnostic(&self, id: &str, fault: impl Into<Fault>) -> Diagnostic {
        let title = self.title();
        let title = if title.is_empty() { self.name.clone() } else { title.into_owned() };
        self.error(id.to_owned(), title, fault.into())
    }

    /// Returns an error about this node, with its place and file.
    pub(crate) fn error(&self, id: String, title: String, fault: Fault) -> Diagnostic {
        let place = self.place_of(&fault);
        Diagnostic { id, title, place, reason: fault.reason, lint: None }.in_file(self.file.as_deref())
    }

    /// Returns the place of a fault in a text: that of an argument, or of the node.
    pub(crate) fn place_of(&self, fault: &Fault) -> Option<Place> {
        let places = fault.property.as_ref().map_or(&[][..], |property| self.properties.places(property));
        let of_argument = match (places, fault.item) {
            ([place], _) => Some(place),
            (places, item) => item.and_then(|item| places.get(item)),
        };
        of_argument.copied().or(self.place)
    }

    /// Returns the ids of its children, in either form of the file.
    pub(crate) fn children(&self) -> impl Iterator<Item = &str> {
        self.children.iter().flatten().map(String::as_str).chain(self.child.as_deref())
    }
}

/// Properties, displayed as JSON.
#[derive(Clone, Debug)]
pub struct PropertiesText<'a>(pub(crate) Cow<'a, Map<String, Value>>);

impl fmt::Display for PropertiesText<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Text and values can always be written.
        out.write_str(&serde_json::to_string(&*self.0).unwrap_or_default())
    }
}

/// Written by hand, because `flatten` stores all fields before it reads them, which takes several times as long.
impl<'de> Deserialize<'de> for NodeSpec {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = NodeSpec;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a node")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeSpec, A::Error> {
                let (mut node, mut has_name) = (NodeSpec::default(), false);
                while let Some(Borrowed(field)) = map.next_key()? {
                    match &*field {
                        "id" => node.id = map.next_value()?,
                        "name" => (node.name, has_name) = (map.next_value()?, true),
                        "properties" => node.properties = map.next_value()?,
                        "parameters" => node.parameters = Some(map.next_value()?),
                        "children" => node.children = map.next_value()?,
                        "child" => node.child = map.next_value()?,
                        other => node.more.push(other, map.next_value()?),
                    }
                }
                if has_name { Ok(node) } else { Err(A::Error::missing_field("name")) }
            }
        }
        input.deserialize_map(Fields)
    }
}
