//! The values of ports: written in the file, or those of variables.

use std::fmt;
use std::str::FromStr;

use bt_behavior3::variable;
use bt_core::board::{HasBoard, Key, Untyped, Variable};
use bt_core::file::Properties;

use crate::script::Scope;
use crate::shape::boolean;

/// A port whose type is known: a value, or the key of a variable.
#[derive(Clone)]
pub(crate) enum Port<T> {
    Value(T),
    Variable(Key<()>),
}

/// Writes the port as in a file.
impl<T: fmt::Debug> fmt::Debug for Port<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => value.fmt(out),
            Self::Variable(key) => key.fmt(out),
        }
    }
}

/// A type of ports.
pub(crate) trait PortValue: Clone + FromStr {
    /// The name of the type in messages.
    const NAME: &'static str;
    /// Converts text of the file.
    fn of_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    /// Converts the value of a variable.
    fn of_variable(value: &Untyped) -> Option<Self>;
}

impl PortValue for i64 {
    const NAME: &'static str = "a whole number";

    #[expect(clippy::cast_possible_truncation, reason = "the number is whole")]
    fn of_variable(value: &Untyped) -> Option<Self> {
        match value {
            Untyped::Int(number) => Some(*number),
            Untyped::Real(number) if number.fract() == 0.0 => Some(*number as Self),
            Untyped::Text(text) => Self::of_text(text),
            Untyped::Real(_) | Untyped::Other(_) => None,
        }
    }
}

impl PortValue for u32 {
    const NAME: &'static str = "a whole number that is not negative";

    fn of_variable(value: &Untyped) -> Option<Self> {
        i64::of_variable(value).and_then(|number| number.try_into().ok())
    }
}

impl PortValue for f64 {
    const NAME: &'static str = "a number";

    #[expect(clippy::cast_precision_loss, reason = "as in BehaviorTree.CPP")]
    fn of_variable(value: &Untyped) -> Option<Self> {
        match value {
            Untyped::Int(number) => Some(*number as Self),
            Untyped::Real(number) => Some(*number),
            Untyped::Text(text) => Self::of_text(text),
            Untyped::Other(_) => None,
        }
    }
}

impl PortValue for bool {
    const NAME: &'static str = "`true` or `false`";

    fn of_text(text: &str) -> Option<Self> {
        boolean(text)
    }

    fn of_variable(value: &Untyped) -> Option<Self> {
        match value {
            Untyped::Int(number) => Some(*number != 0),
            Untyped::Real(number) => Some(*number != 0.0),
            Untyped::Text(text) => Self::of_text(text),
            Untyped::Other(_) => None,
        }
    }
}

impl PortValue for String {
    const NAME: &'static str = "text";

    fn of_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn of_variable(value: &Untyped) -> Option<Self> {
        Some(match value {
            Untyped::Int(number) => number.to_string(),
            Untyped::Real(number) => format!("{number:.6}"),
            Untyped::Text(text) => text.clone(),
            Untyped::Other(value) => format!("{value:?}"),
        })
    }
}

/// The status of a decorator whose child is not ticked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    Success,
    Failure,
    Skipped,
    Running,
}

const STATUSES: [(&str, Instead); 4] = [
    ("SUCCESS", Instead::Success),
    ("FAILURE", Instead::Failure),
    ("SKIPPED", Instead::Skipped),
    ("RUNNING", Instead::Running),
];

/// Writes the status as in a file.
impl fmt::Debug for Instead {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(STATUSES.iter().find(|(_, status)| status == self).map_or("", |(name, _)| name))
    }
}

impl FromStr for Instead {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        STATUSES.iter().find(|(name, _)| *name == text).map(|(_, status)| *status).ok_or(())
    }
}

impl PortValue for Instead {
    const NAME: &'static str = "`SUCCESS`, `FAILURE`, `SKIPPED` or `RUNNING`";

    fn of_variable(value: &Untyped) -> Option<Self> {
        if let Untyped::Text(text) = value { Self::of_text(text) } else { None }
    }
}

impl<T: PortValue> Port<T> {
    /// Reads a port from the property of this name. Reports an error and returns `None` if it is missing or invalid.
    pub(crate) fn read(properties: &mut Properties<'_>, name: &'static str) -> Option<Self> {
        let text = text(properties, name)?;
        if let Some(variable) = variable(&text) {
            properties.add_untyped(name, variable);
            return Some(Self::Variable(Key::named(variable)));
        }
        let value = T::of_text(&text);
        if value.is_none() {
            properties
                .report(bt_behavior3::Fault::of(name, format!("port `{name}`: expected {}, found `{text}`", T::NAME)));
        }
        value.map(Self::Value)
    }

    /// Returns the value of the port.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable is not set, or cannot be converted.
    pub(crate) fn get<C: HasBoard + ?Sized>(&self, ctx: &C) -> Result<T, String> {
        match self {
            Self::Value(value) => Ok(value.clone()),
            Self::Variable(key) => {
                let value = look_up(key, ctx).ok_or_else(|| format!("variable `{key:?}` is not set"))?;
                T::of_variable(&value)
                    .ok_or_else(|| format!("variable `{key:?}`: expected {}, found {value:?}", T::NAME))
            }
        }
    }
}

/// Returns the value of a variable: from the context's own board, or else from the shared one.
pub(crate) fn look_up<C: HasBoard + ?Sized>(key: &Key<()>, ctx: &C) -> Option<Untyped> {
    ctx.board().untyped(key).or_else(|| ctx.shared_board()?.untyped(key))
}

/// Reads a property as text: `3` in a JSON file is the same as `"3"`.
pub(crate) fn text(properties: &mut Properties<'_>, name: &'static str) -> Option<String> {
    let value: serde_json::Value = properties.read(name, None)?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// Reads a port that has a default. Reports an error and returns `None` if it is invalid.
#[cfg(feature = "nav2")]
pub(crate) fn or_default<T: PortValue>(
    properties: &mut Properties<'_>,
    name: &'static str,
    default: T,
) -> Option<Port<T>> {
    if properties.has(name) { Port::read(properties, name) } else { Some(Port::Value(default)) }
}

/// Reads a property that names a variable. Without the property, the variable has its name.
#[cfg(feature = "nav2")]
pub(crate) fn of_variable_or(properties: &mut Properties<'_>, name: &'static str) -> Option<Key<()>> {
    if properties.has(name) { key(properties, name) } else { Some(Key::named(name)) }
}

/// Reads a property that names a variable. Reports an error and returns `None` if it does not.
pub(crate) fn key(properties: &mut Properties<'_>, name: &'static str) -> Option<Key<()>> {
    let text = text(properties, name)?;
    let Some(variable) = variable(&text) else {
        let reason = format!("port `{name}`: expected the name of a variable in braces, found `{text}`");
        properties.report(bt_behavior3::Fault::of(name, reason));
        return None;
    };
    properties.add_untyped(name, variable);
    Some(Key::named(variable))
}

/// Sets a variable on the context's own board: with the type that the leaves of the tree state for it, if it is not set yet.
pub(crate) fn set<C: HasBoard + ?Sized>(
    scope: &Scope,
    key: &Key<()>,
    value: Untyped,
    ctx: &mut C,
) -> Result<(), String> {
    ctx.board_mut().set_untyped(key, value, scope.convert(key.name()))
}
