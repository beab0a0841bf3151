//! The properties of nested trees: a node that is a tree passes values to it, and variables can belong to one such node.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::diagnostic::{Fault, Short};
use crate::reading::unknown;
use crate::script;
use crate::source::variable;

/// What `{names}` mean in a nested tree.
#[derive(Debug, Default)]
pub(crate) struct Ports {
    /// The values of the tree's properties.
    values: Map<String, Value>,
    /// The ids of the nodes that contain the tree, each followed by a slash.
    prefix: String,
}

/// The error of properties that cannot be resolved.
pub(crate) enum Unresolved {
    /// The values would become too large.
    TooLarge,
    /// The value of this name cannot be written in a script.
    Quote(String),
}

impl Ports {
    /// Returns the properties of a nested tree: those that it declares, with the values that the node passes. Returns all
    /// errors as well.
    pub(crate) fn new(declared: &Map<String, Value>, given: &Map<String, Value>, prefix: String) -> (Self, Vec<Fault>) {
        let (mut ports, mut errors) = (Self { values: Map::new(), prefix }, Vec::new());
        for (name, default) in declared {
            let given = given.get(name).filter(|value| !value.is_null());
            // A default is part of the nested tree, and can name a variable of it.
            let value = given.cloned().or_else(|| ports.value(default, &mut usize::MAX.clone()).ok());
            match value.unwrap_or_default() {
                // Its uses remain variables, so that they are not errors as well.
                Value::Null => errors.push(format!("missing property `{}` of the nested tree", Short(name)).into()),
                value => _ = ports.values.insert(name.clone(), value),
            }
        }
        let names: Vec<_> = declared.keys().map(String::as_str).collect();
        unknown("the nested tree", given, &names, &mut errors);
        (ports, errors)
    }

    /// Returns the approximate size of the values as text.
    pub(crate) fn size(&self) -> usize {
        self.values.iter().map(|(name, value)| name.len() + size(value)).sum()
    }

    /// Returns properties with the values of the tree's own properties for their names in braces, and in scripts. A name that begins with
    /// `_` becomes that of a variable of this node only (`.` too, which need not be written by a node), and `@` before a name means the variable of the program. `budget` is the number of bytes that
    /// the values may have.
    pub(crate) fn resolve(
        &self,
        given: &Map<String, Value>,
        is_script: impl Fn(&str) -> bool,
        budget: &mut usize,
    ) -> Result<Map<String, Value>, Unresolved> {
        let resolved = given.iter().map(|(name, value)| {
            let value = match value {
                Value::String(text) if is_script(name) => self.script(text, budget)?.into(),
                value => self.value(value, budget)?,
            };
            Ok((name.clone(), value))
        });
        resolved.collect()
    }

    fn value(&self, value: &Value, budget: &mut usize) -> Result<Value, Unresolved> {
        match value {
            Value::String(text) => match variable(text).and_then(|name| self.meant(name)) {
                Some(value) => {
                    *budget = budget.checked_sub(size(&value)).ok_or(Unresolved::TooLarge)?;
                    Ok(value.into_owned())
                }
                None => Ok(value.clone()),
            },
            Value::Array(values) => values.iter().map(|value| self.value(value, budget)).collect(),
            value => Ok(value.clone()),
        }
    }

    /// Returns what a name means in the nested tree; `None` for a variable of the program.
    fn meant(&self, name: &str) -> Option<Cow<'_, Value>> {
        match (self.values.get(name), name.strip_prefix('@')) {
            (Some(value), _) => Some(Cow::Borrowed(value)),
            (None, Some(name)) => Some(Cow::Owned(format!("{{{name}}}").into())),
            (None, None) if name.starts_with(['_', '.']) => {
                Some(Cow::Owned(format!("{{{}{name}}}", self.prefix).into()))
            }
            (None, None) => None,
        }
    }

    /// Returns a script with what its names mean in the nested tree.
    fn script(&self, text: &str, budget: &mut usize) -> Result<String, Unresolved> {
        script::try_with_names(text, |_, name| {
            let Some(value) = self.meant(name) else { return Ok(None) };
            *budget = budget.checked_sub(size(&value)).ok_or(Unresolved::TooLarge)?;
            script::literal(&value).map(Some).ok_or_else(|| Unresolved::Quote(name.to_owned()))
        })
    }
}

/// Returns the approximate size of a value as text. (`serde_json` rejects values nested more than 128 times.)
pub(crate) fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(size).sum::<usize>() + 8,
        Value::Object(values) => values.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 8,
    }
}
