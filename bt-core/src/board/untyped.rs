//! Values of variables whose type is not known at compile time.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{TypeId, type_name};
use core::fmt;

use crate::board::entry::{AnyValue, Boxed, Entry, Value};
use crate::board::number::{Number, Reason};
use crate::board::{Board, Key};

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
    value: Boxed,
    type_id: TypeId,
    type_name: &'static str,
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

impl Board {
    /// Returns the value of a variable of any type; `None` if it is not set.
    #[doc(hidden)]
    pub fn untyped(&self, name: &Key<()>) -> Option<Untyped> {
        let entry = self.entries.get(&name.place)?;
        let value = &**entry.value.as_ref()?;
        Some(read(value).unwrap_or_else(|| {
            let (type_id, type_name) = (entry.type_id, entry.type_name);
            Untyped::Other(BoardValue { value: value.clone_box(), type_id, type_name })
        }))
    }

    /// Returns `true` if a variable of this name exists, even if it is not set.
    #[doc(hidden)]
    pub fn is_declared(&self, name: &Key<()>) -> bool {
        self.entries.get(&name.place).is_some_and(|entry| !entry.is_vacant())
    }

    /// Returns `true` if the type of the variable is that of the first value that [`set_untyped`](Self::set_untyped) gave it.
    #[doc(hidden)]
    pub fn has_free_type(&self, name: &Key<()>) -> bool {
        self.entries.get(&name.place).is_some_and(|entry| entry.free)
    }

    /// Sets a variable of any type. The value is converted to the type of the variable. A variable that does not exist is
    /// created with the type that `convert` returns, or else with the type of the value.
    ///
    /// Text that is assigned to a number makes the variable an `f64` if its type is not fixed by a typed key.
    ///
    /// # Errors
    ///
    /// Returns an error if the value cannot be converted.
    #[doc(hidden)]
    pub fn set_untyped(&mut self, name: &Key<()>, value: Untyped, convert: Option<&Convert>) -> Result<(), String> {
        let variable = name.place.name.as_str();
        if let Some(entry) = self.entries.get_mut(&name.place).filter(|entry| !entry.is_vacant()) {
            return entry.assign(variable, &value, convert);
        }
        let free = convert.is_none();
        let new = match convert {
            Some(convert) => converted_by(convert, variable, &value)?,
            None => own(value),
        };
        let entry = self.entries.entry(name.place.clone()).or_insert_with(|| Entry {
            type_id: new.type_id,
            type_name: new.type_name,
            value: None,
            default: None,
            changes: 0,
            free,
            watchers: Vec::new(),
            #[cfg(feature = "serde")]
            format: None,
        });
        entry.free = free;
        entry.set_with_type(new);
        Ok(())
    }
}

impl Entry {
    /// Returns `true` if the next value of a script decides the type.
    fn is_vacant(&self) -> bool {
        self.free && self.value.is_none()
    }

    fn holds_number(&self) -> bool {
        let value = self.value.as_ref().and_then(|value| read(&**value));
        matches!(value, Some(Untyped::Int(_) | Untyped::Real(_)))
    }

    fn set_with_type(&mut self, new: BoardValue) {
        self.type_id = new.type_id;
        self.type_name = new.type_name;
        self.change(Some(new.value));
    }

    /// Sets the variable to a value that is converted to its type.
    fn assign(&mut self, variable: &str, value: &Untyped, convert: Option<&Convert>) -> Result<(), String> {
        if self.free && matches!(value, Untyped::Text(_)) && self.holds_number() {
            let real = assigned_real(value).map_err(|reason| self.refuse(variable, value, reason))?;
            self.set_with_type(BoardValue::new(real));
            return Ok(());
        }
        let new = match (self.converted(value), convert) {
            (Ok(new), _) => new,
            (Err(None), Some(convert)) => {
                let new = converted_by(convert, variable, value)?;
                if new.type_id != self.type_id {
                    return Err(self.refuse(variable, value, None));
                }
                new.value
            }
            (Err(reason), _) => return Err(self.refuse(variable, value, reason)),
        };
        self.change(Some(new));
        Ok(())
    }

    /// Converts a value to the type of the variable. Returns the reason if it does not fit, and no reason if there is no
    /// conversion.
    fn converted(&self, value: &Untyped) -> Result<Boxed, Option<Reason>> {
        if let Untyped::Other(other) = value {
            return if other.type_id == self.type_id { Ok((*other.value).clone_box()) } else { Err(None) };
        }
        if self.type_id == TypeId::of::<String>() {
            return value.to_text().map(|text| Box::new(text) as Boxed).map_err(|_| None);
        }
        if self.type_id == TypeId::of::<char>()
            && let Untyped::Text(text) = value
        {
            let mut chars = text.chars();
            return match (chars.next(), chars.next()) {
                (Some(only), None) => Ok(Box::new(only)),
                _ => Err(Some("it is not a single character")),
            };
        }
        number_of(self.type_id).map_or(Err(None), |convert| convert(value))
    }

    /// Returns the error of a value that cannot be assigned.
    fn refuse(&self, variable: &str, value: &Untyped, reason: Option<Reason>) -> String {
        let mut error =
            format!("variable `{variable}` has type `{}`, which {value} cannot be assigned to", self.type_name);
        if let Some(reason) = reason {
            error.push_str(": ");
            error.push_str(reason);
        }
        error
    }
}

fn converted_by(convert: &Convert, variable: &str, value: &Untyped) -> Result<BoardValue, String> {
    convert(value).map_err(|error| format!("variable `{variable}`: {error}"))
}

/// Returns the number that text stands for in an assignment to a number without a fixed type.
fn assigned_real(value: &Untyped) -> Result<f64, Option<Reason>> {
    match value {
        Untyped::Text(text) if text == "true" => Ok(1.0),
        Untyped::Text(text) if text == "false" => Ok(0.0),
        _ => value.convert(),
    }
}

/// Returns the value with a type of its own.
fn own(value: Untyped) -> BoardValue {
    match value {
        Untyped::Int(int) => BoardValue::new(int),
        Untyped::Real(real) => BoardValue::new(real),
        Untyped::Text(text) => BoardValue::new(text),
        Untyped::Other(other) => other,
    }
}

fn boxed_number<T: Number + Value>(value: &Untyped) -> Result<Boxed, Option<Reason>> {
    value.convert::<T>().map(|number| Box::new(number) as Boxed)
}

type ConvertNumber = fn(&Untyped) -> Result<Boxed, Option<Reason>>;

/// Returns the conversion to a type of numbers; `None` for any other type.
fn number_of(type_id: TypeId) -> Option<ConvertNumber> {
    macro_rules! find {
        ($($number:ty),*) => {
            $(if type_id == TypeId::of::<$number>() {
                return Some(boxed_number::<$number>);
            })*
        };
    }
    find!(i64, f64, bool, i32, u32, usize, f32, u8, u64, i8, i16, u16, isize);
    None
}

/// Returns a number or text; `None` for a value of any other type.
fn read(value: &dyn AnyValue) -> Option<Untyped> {
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
