//! Expressions over the values that a program shows: `parcel < 6 && board.hunger > 0.5`.
//!
//! They are comparisons of values, combined with `&&`, `||` and `!`. An evaluation has no effects, always ends and never fails: a value that
//! is not there is `null`, and a comparison of values of different types is `false`.

mod check;
mod evaluate;
mod node;
mod parse;

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};
use serde_json::Value;

pub(crate) use evaluate::order;

use node::Node;

/// The maximum length of an expression, in bytes.
const MAX_LENGTH: usize = 500;

/// A parsed expression, with its source.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub(crate) struct Expression {
    text: String,
    root: Node,
}

impl Expression {
    /// Parses an expression. The error says what was expected, and where.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > MAX_LENGTH {
            return Err(format!("too long: {} bytes (limit: {MAX_LENGTH})", text.len()));
        }
        Ok(Self { root: parse::parse(text)?, text: text.to_owned() })
    }

    /// Returns the value of the expression.
    pub(crate) fn evaluate(&self, values: &Value) -> Value {
        self.root.evaluate(values).into_owned()
    }

    /// Returns whether the value of the expression is `true`.
    pub(crate) fn holds(&self, values: &Value) -> bool {
        *self.root.evaluate(values) == Value::Bool(true)
    }

    /// Checks the expression against the values that are shown now. Returns an error for a name that is not among them, or a comparison of
    /// values of different types.
    pub(crate) fn check(&self, values: &Value) -> Result<(), String> {
        self.root.check(values).map(drop)
    }

    /// Returns whether the value is `true` or `false`, so that the expression can be a condition.
    pub(crate) fn is_condition(&self) -> bool {
        !matches!(self.root, Node::Path(_) | Node::Literal(_))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(out)
    }
}

impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|error| D::Error::custom(format!("`{text}`: {error}")))
    }
}
