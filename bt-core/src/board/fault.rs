//! The errors of variables that cannot be read or written.

use alloc::string::{String, ToString};
use core::fmt;

use crate::board::entry::Value;
use crate::board::{Key, Variable};

/// The error of using a variable with two different types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongType {
    /// The name of the variable.
    pub name: String,
    /// The type of the variable.
    pub holds: &'static str,
    /// The type of the key that was used.
    pub asked: &'static str,
}

impl fmt::Display for WrongType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "variable `{}` has type `{}`, not `{}`", self.name, self.holds, self.asked)
    }
}

impl core::error::Error for WrongType {}

/// The error of a variable that cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VariableError {
    /// The variable is not set.
    NotSet {
        /// The name of the variable.
        name: String,
    },
    /// The variable has another type, because two keys have the same name.
    WrongType(WrongType),
}

impl VariableError {
    pub(super) fn not_set<T: Value>(key: &Key<T>) -> Self {
        Self::NotSet { name: key.name().to_string() }
    }

    /// Returns the name of the variable.
    pub fn name(&self) -> &str {
        match self {
            Self::NotSet { name } | Self::WrongType(WrongType { name, .. }) => name,
        }
    }
}

impl From<WrongType> for VariableError {
    fn from(error: WrongType) -> Self {
        Self::WrongType(error)
    }
}

impl fmt::Display for VariableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSet { name } => write!(out, "variable `{name}` is not set"),
            Self::WrongType(error) => error.fmt(out),
        }
    }
}

impl core::error::Error for VariableError {}

/// The error of a leaf whose `#[input]` or `#[output]` names a variable that cannot be read or written. The leaf returns
/// [`Status::Error`](crate::Status::Error).
///
/// Observers receive the error with the id of the leaf ([`Observer::error`](crate::Observer::error)), and so does a context
/// that implements [`OnError<ParameterError>`](crate::OnError). A leaf that is generic over its context needs that bound.
///
/// ```
/// use bt_core::board::ParameterError;
/// use bt_core::prelude::*;
///
/// #[derive(Default)]
/// struct Robot { board: Board, faults: Vec<String> }
/// impl HasBoard for Robot {
///     fn board(&self) -> &Board { &self.board }
///     fn board_mut(&mut self) -> &mut Board { &mut self.board }
/// }
/// impl OnError<ParameterError> for Robot {
///     fn on_error(&mut self, at: NodeId, error: ParameterError) { self.faults.push(format!("{at} {error}")) }
/// }
///
/// #[action]
/// fn drive(_: &mut Robot, #[input] goal: u32) -> Status { Status::Running }
///
/// const GOAL: Key<u32> = Key::new("goal");
/// let (tree, mut robot) = (tree! { sequence { drive(GOAL) } }, Robot::default());
/// assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Status::Error);
/// assert_eq!(robot.faults, ["#1 parameter `goal`: variable `goal` is not set"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterError {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The error of the variable.
    pub error: VariableError,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "parameter `{}`: {}", self.parameter, self.error)
    }
}

impl core::error::Error for ParameterError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
