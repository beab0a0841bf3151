//! Variables whose type is not known at compile time: read, and assigned with a conversion to their type.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::TypeId;

use crate::board::entry::{Boxed, Entry, Value};
use crate::board::number::{Number, Reason};
use crate::board::untyped::read;
use crate::board::{Board, BoardValue, Convert, Key, Untyped};

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
