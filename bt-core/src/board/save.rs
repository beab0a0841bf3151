//! Saving and loading boards.

use alloc::vec::Vec;
use core::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::board::Board;
use crate::board::entry::{Boxed, Entry, Format};
use crate::board::key::{Scope, Text, VariableId};
use crate::id::NodeId;

/// One variable in a save. The field names are in alphabetical order, for formats that sort fields. `value` comes last,
/// because it can only be read once the variable is known.
#[derive(Serialize)]
struct Line<'a> {
    changes: u64,
    name: &'a str,
    node: Option<NodeId>,
    tree: Option<&'a str>,
    value: Option<&'a dyn erased_serde::Serialize>,
}

/// Serializes the variables whose keys were created with [`Key::saved`](crate::board::Key::saved).
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let saved = self.entries.iter().filter_map(|(place, entry)| {
            let format = entry.format?;
            let (tree, node) = match &place.scope {
                Scope::Global => (None, None),
                Scope::Tree(tree) => (Some(tree.as_str()), None),
                Scope::Node(tree, node) => (Some(tree.as_str()), Some(*node)),
            };
            let value = entry.value.as_ref().and_then(|value| (format.write)(&**value));
            Some(Line { changes: entry.changes, name: place.name.as_str(), node, tree, value })
        });
        out.collect_seq(saved.collect::<Vec<_>>())
    }
}

impl Board {
    /// Loads saved variables into this board.
    ///
    /// The board must already contain the variables of the save, defined or set with keys created by
    /// [`Key::saved`](crate::board::Key::saved). Variables that are not in the save stay unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error and leaves the board unchanged if:
    ///
    /// - the input is not a save,
    /// - the save contains a variable that this board does not have, or
    /// - a value has another type than its variable.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// const FOOD: Key<u32> = Key::saved("food");
    /// let fresh = || { let mut board = Board::new(); board.define(&FOOD, 100); board };
    ///
    /// let mut board = fresh();
    /// board.set(&FOOD, 30);
    /// let save = serde_json::to_string(&board)?;
    ///
    /// let mut board = fresh();
    /// board.load(&mut serde_json::Deserializer::from_str(&save))?;
    /// assert_eq!(board.get(&FOOD), Some(&30));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn load<'de, D: Deserializer<'de>>(&mut self, input: D) -> Result<(), D::Error> {
        let lines = input.deserialize_seq(Lines(self))?;
        for Loaded { place, value, changes } in lines {
            if let Some(entry) = self.entries.get_mut(&place) {
                entry.value = value;
                entry.changes = changes;
                entry.wake();
            }
        }
        Ok(())
    }
}

/// One variable that was read from a save.
struct Loaded {
    place: VariableId,
    value: Option<Boxed>,
    changes: u64,
}

struct Lines<'b>(&'b Board);

impl<'de> Visitor<'de> for Lines<'_> {
    type Value = Vec<Loaded>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of board variables")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Vec<Loaded>, A::Error> {
        let mut lines = Vec::new();
        while let Some(line) = input.next_element_seed(LineSeed(self.0))? {
            lines.push(line);
        }
        Ok(lines)
    }
}

struct LineSeed<'b>(&'b Board);

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Changes,
    Name,
    Node,
    Tree,
    Value,
}

impl LineSeed<'_> {
    /// Returns the variable that an entry of the save refers to.
    fn find<E: de::Error>(
        &self,
        name: &str,
        tree: Option<&str>,
        node: Option<NodeId>,
    ) -> Result<(VariableId, &Entry, Format), E> {
        let scope = match (tree.map(Text::from), node) {
            (None, _) => Scope::Global,
            (Some(tree), None) => Scope::Tree(tree),
            (Some(tree), Some(node)) => Scope::Node(tree, node),
        };
        let place = VariableId { scope, name: name.into() };
        let found = self.0.entries.get(&place).and_then(|entry| Some((entry, entry.format?)));
        let (entry, format) = found.ok_or_else(|| {
            E::custom(format_args!(
                "unknown variable `{name}`; help: before loading, define it on the board with a key created by `Key::saved`"
            ))
        })?;
        Ok((place, entry, format))
    }
}

impl<'de> DeserializeSeed<'de> for LineSeed<'_> {
    type Value = Loaded;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Loaded, D::Error> {
        input.deserialize_struct("Line", &["changes", "name", "node", "tree", "value"], self)
    }
}

impl<'de> Visitor<'de> for LineSeed<'_> {
    type Value = Loaded;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a board variable")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<Loaded, A::Error> {
        let missing = |index| de::Error::invalid_length(index, &"a board variable with 5 fields");
        let changes = input.next_element()?.ok_or_else(|| missing(0))?;
        let name: alloc::string::String = input.next_element()?.ok_or_else(|| missing(1))?;
        let node = input.next_element()?.ok_or_else(|| missing(2))?;
        let tree: Option<alloc::string::String> = input.next_element()?.ok_or_else(|| missing(3))?;
        let (place, entry, format) = self.find(&name, tree.as_deref(), node)?;
        let value = input.next_element_seed(ValueSeed { name: &name, entry, format })?.ok_or_else(|| missing(4))?;
        Ok(Loaded { place, value, changes })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<Loaded, A::Error> {
        let (mut changes, mut name, mut node, mut tree) =
            (0, None::<alloc::string::String>, None, None::<alloc::string::String>);
        while let Some(field) = input.next_key()? {
            match field {
                Field::Changes => changes = input.next_value()?,
                Field::Name => name = Some(input.next_value()?),
                Field::Node => node = input.next_value()?,
                Field::Tree => tree = input.next_value()?,
                Field::Value => {
                    let name = name.ok_or_else(|| de::Error::missing_field("name"))?;
                    let (place, entry, format) = self.find(&name, tree.as_deref(), node)?;
                    let value = input.next_value_seed(ValueSeed { name: &name, entry, format })?;
                    if input.next_key::<Field>()?.is_some() {
                        return Err(de::Error::custom(format_args!(
                            "variable `{name}`: `value` must be the last field"
                        )));
                    }
                    return Ok(Loaded { place, value, changes });
                }
            }
        }
        Err(de::Error::missing_field("value"))
    }
}

/// Deserializes a value with the type of its variable.
struct ValueSeed<'a> {
    name: &'a str,
    entry: &'a Entry,
    format: Format,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Option<Boxed>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Option<Boxed>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a value of type `{}` for the variable `{}`", self.entry.type_name, self.name)
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        let (name, holds) = (self.name, self.entry.type_name);
        let read = (self.format.read)(&mut <dyn erased_serde::Deserializer<'_>>::erase(input));
        read.map(Some).map_err(|error| de::Error::custom(format_args!("variable `{name}` of type `{holds}`: {error}")))
    }
}
