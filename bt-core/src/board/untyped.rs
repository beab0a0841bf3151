//! Values of variables whose type is not known at compile time.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::any::{TypeId, type_name};
use core::fmt;

use crate::board::entry::{AnyValue, Boxed, Value};
use crate::board::number::{Number, Reason};

/// The value of a variable, by what a script can do with it.
#[derive(Clone, Debug)]
pub enum Untyped {
    /// An integer, or a `bool` as 0 or 1.
    Int(i64),
    /// A floating-point number, or an integer that `i64` cannot represent.
    Real(f64),
    /// A `String`, a `&'static str` or a `char`.
    Text(String),
    /// A value of any other type.
    Other(BoardValue),
}

impl Untyped {
    /// Returns the value as a number of type `f64`.
    ///
    /// # Errors
    ///
    /// Returns why the value cannot be converted.
    pub fn to_real(&self) -> Result<f64, String> {
        self.number()
    }

    /// Returns the value as a number of type `i64`.
    ///
    /// # Errors
    ///
    /// Returns why the value cannot be converted.
    pub fn to_int(&self) -> Result<i64, String> {
        self.number()
    }

    /// Returns the value of a number as a condition.
    ///
    /// # Errors
    ///
    /// Returns why the value cannot be converted. Text cannot.
    pub fn to_bool(&self) -> Result<bool, String> {
        match self {
            Self::Text(_) => Err("text is not a condition".to_string()),
            _ => self.number(),
        }
    }

    /// Returns a number or text as text.
    ///
    /// # Errors
    ///
    /// Returns an error for a value of another type.
    pub fn to_text(&self) -> Result<String, String> {
        match self {
            Self::Int(int) => Ok(int.to_string()),
            Self::Real(real) if real.is_nan() => Ok(if real.is_sign_negative() { "-nan" } else { "nan" }.to_string()),
            Self::Real(real) => Ok(format!("{real:.6}")),
            Self::Text(text) => Ok(text.clone()),
            Self::Other(_) => Err(format!("{self} is not text")),
        }
    }

    fn number<T: Number>(&self) -> Result<T, String> {
        self.convert().map_err(|reason| match reason {
            Some(reason) => format!("{self} cannot be used here: {reason}"),
            None => format!("{self} is not a number"),
        })
    }

    /// Converts the value to a type of numbers. Returns the reason if it does not fit, and no reason if the value has
    /// another type.
    pub(super) fn convert<T: Number>(&self) -> Result<T, Option<Reason>> {
        match self {
            Self::Int(int) => T::from_int(*int).map_err(Some),
            Self::Real(real) => T::from_real(*real).map_err(Some),
            Self::Text(text) => T::from_text(text).map_err(Some),
            Self::Other(_) => Err(None),
        }
    }
}

/// Writes the value for messages: a number itself, and the type of anything else.
impl fmt::Display for Untyped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(out),
            Self::Real(real) => real.fmt(out),
            Self::Text(_) => out.write_str("text"),
            Self::Other(value) => write!(out, "a value of type `{}`", value.type_name),
        }
    }
}

/// A value of any type that a board can store.
pub struct BoardValue {
    pub(super) value: Boxed,
    pub(super) type_id: TypeId,
    pub(super) type_name: &'static str,
}

impl BoardValue {
    /// Creates a value.
    pub fn new<T: Value>(value: T) -> Self {
        Self { value: Box::new(value), type_id: TypeId::of::<T>(), type_name: type_name::<T>() }
    }

    /// Returns the name of the value's type.
    pub fn type_name(&self) -> &'static str {
        self.type_name
    }

    /// Returns the value if it has this type.
    pub fn get<T: Value>(&self) -> Option<&T> {
        (*self.value).as_any().downcast_ref()
    }

    /// Returns the value by what a script can do with it.
    pub fn untyped(&self) -> Untyped {
        read(&*self.value).unwrap_or_else(|| Untyped::Other(self.clone()))
    }
}

impl Clone for BoardValue {
    fn clone(&self) -> Self {
        Self { value: (*self.value).clone_box(), ..*self }
    }
}

impl fmt::Debug for BoardValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(out)
    }
}

/// Converts a value to the type of a variable that is not set yet.
pub type Convert = Arc<dyn Fn(&Untyped) -> Result<BoardValue, String> + Send + Sync>;

/// Returns a number or text; `None` for a value of any other type.
pub(super) fn read(value: &dyn AnyValue) -> Option<Untyped> {
    let any = value.as_any();
    macro_rules! find {
        ($($known:ty => $read:expr),*) => {
            $(if let Some(value) = any.downcast_ref::<$known>() {
                return Some($read(value));
            })*
        };
    }
    find!(
        i64 => |int: &i64| Untyped::Int(*int), f64 => |real: &f64| Untyped::Real(*real),
        String => |text: &String| Untyped::Text(text.clone()), bool => |is: &bool| Untyped::Int(i64::from(*is)),
        i32 => |int: &i32| Untyped::Int(i64::from(*int)), u32 => |int: &u32| Untyped::Int(i64::from(*int)),
        usize => |int: &usize| unsigned(*int as u64), f32 => |real: &f32| Untyped::Real(f64::from(*real)),
        u8 => |int: &u8| Untyped::Int(i64::from(*int)), u64 => |int: &u64| unsigned(*int),
        i8 => |int: &i8| Untyped::Int(i64::from(*int)), i16 => |int: &i16| Untyped::Int(i64::from(*int)),
        u16 => |int: &u16| Untyped::Int(i64::from(*int)), isize => |int: &isize| Untyped::Int(*int as i64),
        &'static str => |text: &&str| Untyped::Text((*text).to_string()),
        char => |char: &char| Untyped::Text(char.to_string())
    );
    None
}

#[allow(clippy::cast_precision_loss, reason = "no integer type of a script represents the value")]
fn unsigned(int: u64) -> Untyped {
    i64::try_from(int).map_or(Untyped::Real(int as f64), Untyped::Int)
}

#[cfg(test)]
mod tests;
