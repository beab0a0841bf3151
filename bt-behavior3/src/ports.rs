//! The properties of nested trees: a node that is a tree passes values to it, and variables can belong to one such node.

use serde_json::{Map, Value};

use crate::allow;
use crate::diagnostic::{Fault, Short};
use crate::properties::meant;
use crate::source::variable;

/// What `{names}` mean in a nested tree.
#[derive(Debug, Default)]
pub(crate) struct Ports {
    /// The values of the tree's properties.
    values: Map<String, Value>,
    /// The ids of the nodes that contain the tree, each followed by a slash.
    prefix: String,
}

/// The error of values that would become too large.
pub(crate) struct TooLarge;

impl Ports {
    /// Returns the properties of a nested tree: those that it declares, with the values that the node passes. Returns all
    /// errors as well.
    pub(crate) fn new(declared: &Map<String, Value>, given: &Map<String, Value>, prefix: String) -> (Self, Vec<Fault>) {
        let mut errors = Vec::new();
        let names: Vec<_> = declared.keys().map(String::as_str).collect();
        for (name, value) in given.iter().filter(|(name, _)| !declared.contains_key(*name)) {
            if name == allow::NAME {
                errors.push(Fault::of(name, allow::error(value)));
                continue;
            }
            let meant = meant(name, &names);
            let note = match names.as_slice() {
                _ if !meant.is_empty() => meant,
                [] => "; note: the nested tree has no properties".to_owned(),
                names => format!("; note: the properties of the nested tree are `{}`", names.join("`, `")),
            };
            errors.push(Fault::of(name, format!("unknown property `{}`{note}", Short(name))));
        }
        let mut values = Map::new();
        for (name, default) in declared {
            let value = given.get(name).filter(|value| !value.is_null()).unwrap_or(default);
            if value.is_null() {
                // Its uses remain variables, so that they are not errors as well.
                errors.push(format!("missing property `{}` of the nested tree", Short(name)).into());
            } else {
                values.insert(name.clone(), value.clone());
            }
        }
        (Self { values, prefix }, errors)
    }

    /// Returns the approximate size of the values as text.
    pub(crate) fn size(&self) -> usize {
        self.values.iter().map(|(name, value)| name.len() + size(value)).sum()
    }

    /// Returns properties with the values of the tree's own properties for their names in braces. A name that begins with
    /// `_` becomes that of a variable of this node only. `budget` is the number of bytes that the values may have.
    pub(crate) fn resolve(
        &self,
        given: &Map<String, Value>,
        budget: &mut usize,
    ) -> Result<Map<String, Value>, TooLarge> {
        given.iter().map(|(name, value)| Ok((name.clone(), self.value(value, budget)?))).collect()
    }

    fn value(&self, value: &Value, budget: &mut usize) -> Result<Value, TooLarge> {
        match value {
            Value::String(text) => match variable(text) {
                Some(name) => match self.values.get(name) {
                    Some(value) => {
                        *budget = budget.checked_sub(size(value)).ok_or(TooLarge)?;
                        Ok(value.clone())
                    }
                    None if name.starts_with('_') => {
                        *budget = budget.checked_sub(self.prefix.len()).ok_or(TooLarge)?;
                        Ok(format!("{{{}{name}}}", self.prefix).into())
                    }
                    None => Ok(value.clone()),
                },
                None => Ok(value.clone()),
            },
            Value::Array(values) => values.iter().map(|value| self.value(value, budget)).collect(),
            value => Ok(value.clone()),
        }
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
