//! Parameters that are a value or a variable.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::any::Any;
use core::fmt;

use crate::board::entry::Value;
use crate::board::{Board, HasBoard, Key, Untyped, VariableError};

/// A parameter that is a value or a [`Key`]: the type that stores an `#[input]` of [`#[action]`](macro@crate::action).
///
/// ```
/// use bt_core::prelude::*;
///
/// const SPEED: Key<u32> = Key::new("speed");
///
/// #[action]
/// fn go(board: &mut Board, #[input] speed: u32) { board.set(&Key::new("went"), speed) }
///
/// let tree = tree! { sequence { go(3), go(SPEED) } };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Error);      // SPEED is not set
/// board.set(&SPEED, 5);
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// assert_eq!(board.get(&Key::<u32>::new("went")), Some(&5));
/// assert_eq!(tree.description().lines()[2], "└─ go(speed: {speed})");
/// ```
#[derive(Clone)]
#[doc(hidden)]
pub enum ValueOrKey<T> {
    /// A fixed value.
    Value(T),
    /// The value of a variable.
    Key(Key<T>),
}

/// An `#[input]` of type `Option<T>`: a value, a [`Key`] whose variable may not be set, or nothing.
///
/// ```
/// use bt_core::prelude::*;
///
/// const VIA: Key<String> = Key::new("via");
///
/// #[action]
/// fn go(board: &mut Board, #[input] via: Option<&str>) { board.set(&Key::new("went"), via.unwrap_or("straight").to_owned()) }
///
/// let tree = tree! { for Board: go(VIA) };
/// let mut board = Board::new();
/// tree.tick(&mut board, &mut tree.memory());
/// assert_eq!(board.get(&Key::<String>::new("went")).unwrap(), "straight");
/// ```
#[derive(Clone)]
#[doc(hidden)]
pub enum OptionalInput<T> {
    /// Nothing.
    Nothing,
    /// A value, or a variable that may not be set.
    Given(ValueOrKey<T>),
}

/// The [`Key`] under which a leaf stores an `#[output]`.
///
/// ```
/// use bt_core::prelude::*;
///
/// const PATH: Key<Vec<u32>> = Key::new("path");
///
/// #[action]
/// fn plan(_: &mut Board, goal: u32, #[output] path: &mut Option<Vec<u32>>) { *path = Some((0..goal).collect()) }
/// #[condition]
/// fn is_short(_: &Board, #[input] path: &[u32]) -> bool { path.len() < 5 }
///
/// let tree = tree! { for Board: sequence { plan(3, PATH), is_short(PATH) } };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// assert_eq!(board.get(&PATH), Some(&vec![0, 1, 2]));
/// assert_eq!(tree.description().lines()[1], "├─ plan(goal: 3, path: {path})");
/// ```
#[derive(Clone)]
#[doc(hidden)]
pub struct OutputKey<T>(Key<T>);

/// Returns the value of a variable: from the context's own board, or else from the shared one.
fn find<'c, T: Value, C: HasBoard + ?Sized>(key: &Key<T>, ctx: &'c C) -> Result<Option<&'c T>, VariableError> {
    let boards: [Option<&Board>; 2] = [Some(ctx.board()), ctx.shared_board()];
    for board in boards.into_iter().flatten() {
        if let Some(value) = board.try_get(key)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Returns a clone of the value of a variable. Text is read from a variable of any type: as a number or the `Debug` text of another value.
fn find_clone<T: Value, C: HasBoard + ?Sized>(key: &Key<T>, ctx: &C) -> Result<Option<T>, VariableError> {
    match find(key, ctx) {
        Ok(value) => Ok(value.cloned()),
        Err(error) => as_text(key, ctx).map(Some).ok_or(error),
    }
}

/// Returns the value of a variable of another type, if `T` is text.
#[cold]
fn as_text<T: Value, C: HasBoard + ?Sized>(key: &Key<T>, ctx: &C) -> Option<T> {
    let mut text = None::<T>;
    let to = (&mut text as &mut dyn Any).downcast_mut::<Option<String>>()?;
    let boards = [Some(ctx.board()), ctx.shared_board()];
    let value = boards.into_iter().flatten().find_map(|board| board.untyped(&key.untyped()))?;
    *to = Some(match value {
        Untyped::Other(value) => format!("{value:?}"),
        value => value.to_text().ok()?,
    });
    text
}

impl<T: Value> ValueOrKey<T> {
    /// Returns a clone of the value in a context. Text is read from a variable of any type.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable is not set, or has another type because two keys have the same name.
    pub fn read<C: HasBoard + ?Sized>(&self, ctx: &C) -> Result<T, VariableError> {
        self.cow(ctx).map(Cow::into_owned)
    }

    /// Returns the value in a context by reference.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
    pub fn get<'c, C: HasBoard + ?Sized>(&'c self, ctx: &'c C) -> Result<&'c T, VariableError> {
        match self {
            ValueOrKey::Value(value) => Ok(value),
            ValueOrKey::Key(key) => find(key, ctx)?.ok_or_else(|| VariableError::not_set(key)),
        }
    }

    /// Returns the value in a context: a fixed value by reference, that of a variable as a clone.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
    pub fn cow<C: HasBoard + ?Sized>(&self, ctx: &C) -> Result<Cow<'_, T>, VariableError> {
        match self {
            ValueOrKey::Value(value) => Ok(Cow::Borrowed(value)),
            ValueOrKey::Key(key) => find_clone(key, ctx)?.map(Cow::Owned).ok_or_else(|| VariableError::not_set(key)),
        }
    }
}

impl<T: Value> OptionalInput<T> {
    /// Returns a clone of the value in a context; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable has another type, because two keys have the same name.
    pub fn read<C: HasBoard + ?Sized>(&self, ctx: &C) -> Result<Option<T>, VariableError> {
        match self {
            OptionalInput::Given(ValueOrKey::Key(key)) => find_clone(key, ctx),
            _ => self.get(ctx).map(Option::<&T>::cloned),
        }
    }

    /// Returns the value in a context by reference; `None` if there is none.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
    pub fn get<'c, C: HasBoard + ?Sized>(&'c self, ctx: &'c C) -> Result<Option<&'c T>, VariableError> {
        match self {
            OptionalInput::Nothing => Ok(None),
            OptionalInput::Given(ValueOrKey::Value(value)) => Ok(Some(value)),
            OptionalInput::Given(ValueOrKey::Key(key)) => find(key, ctx),
        }
    }

    /// Returns the value in a context, if there is one: a fixed value by reference, that of a variable as a clone.
    ///
    /// # Errors
    ///
    /// The same as [`read`](Self::read).
    pub fn cow<C: HasBoard + ?Sized>(&self, ctx: &C) -> Result<Option<Cow<'_, T>>, VariableError> {
        match self {
            OptionalInput::Given(ValueOrKey::Value(value)) => Ok(Some(Cow::Borrowed(value))),
            _ => self.read(ctx).map(|value| value.map(Cow::Owned)),
        }
    }
}

impl<T: Value> OutputKey<T> {
    /// Sets the variable on the context's own board.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable has another type, because two keys have the same name.
    pub fn store<C: HasBoard + ?Sized>(&self, ctx: &mut C, value: T) -> Result<(), VariableError> {
        ctx.board_mut().try_set(&self.0, value).map_err(VariableError::from)
    }
}

impl<T> From<T> for ValueOrKey<T> {
    fn from(value: T) -> Self {
        ValueOrKey::Value(value)
    }
}

impl From<&str> for ValueOrKey<alloc::string::String> {
    fn from(text: &str) -> Self {
        ValueOrKey::Value(text.into())
    }
}

impl<T> From<Key<T>> for ValueOrKey<T> {
    fn from(key: Key<T>) -> Self {
        ValueOrKey::Key(key)
    }
}

impl<T> From<T> for OptionalInput<T> {
    fn from(value: T) -> Self {
        OptionalInput::Given(ValueOrKey::Value(value))
    }
}

impl From<&str> for OptionalInput<alloc::string::String> {
    fn from(text: &str) -> Self {
        OptionalInput::Given(text.into())
    }
}

impl<T> From<Option<T>> for OptionalInput<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(OptionalInput::Nothing, OptionalInput::from)
    }
}

impl<T> From<Key<T>> for OptionalInput<T> {
    fn from(key: Key<T>) -> Self {
        OptionalInput::Given(ValueOrKey::Key(key))
    }
}

impl<T> From<Key<T>> for OutputKey<T> {
    fn from(key: Key<T>) -> Self {
        OutputKey(key)
    }
}

impl<T: fmt::Debug> fmt::Debug for ValueOrKey<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueOrKey::Value(value) => value.fmt(out),
            ValueOrKey::Key(key) => key.fmt(out),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for OptionalInput<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionalInput::Nothing => out.write_str("None"),
            OptionalInput::Given(given) => given.fmt(out),
        }
    }
}

impl<T> fmt::Debug for OutputKey<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Serializes a value as it is, and a variable as its name in braces, as in files.
#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for ValueOrKey<T> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            ValueOrKey::Value(value) => value.serialize(out),
            ValueOrKey::Key(key) => out.collect_str(&format_args!("{key:?}")),
        }
    }
}

/// Serializes nothing as `null`, and otherwise like [`ValueOrKey`].
#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for OptionalInput<T> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            OptionalInput::Nothing => out.serialize_none(),
            OptionalInput::Given(given) => given.serialize(out),
        }
    }
}

/// Serializes the name of the variable in braces, as in files.
#[cfg(feature = "serde")]
impl<T> serde::Serialize for OutputKey<T> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&format_args!("{:?}", self.0))
    }
}
