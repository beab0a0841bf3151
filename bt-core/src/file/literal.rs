//! Values of a file as Rust values, for the expansion of `tree_from_json!`.

use alloc::string::String;
use alloc::vec::Vec;

use bt_words::analysis::Message;

use crate::board::{Key, OptionalInput, OutputKey, ValueOrKey};
use crate::check::stop;

/// A type that can be created from an integer in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found the whole number {N} in the file",
    label = "value of {At}"
)]
pub trait FromInt<At, const N: i128> {
    /// The converted number.
    const VALUE: Self;
    /// The range of the type, if the number is outside it.
    const OUTSIDE: Option<Range>;
}

/// The range of an integer type.
#[derive(Clone, Copy)]
pub struct Range {
    name: &'static str,
    least: i128,
    most: i128,
}

/// A type that can be created from any number in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found a fractional number in the file",
    label = "value of {At}"
)]
pub trait FromFloat<At> {
    /// Converts the number.
    fn from_float(number: f64) -> Self;
}

/// A type that can be created from text in a file.
#[diagnostic::on_unimplemented(message = "expected `{Self}`, found text in the file", label = "value of {At}")]
pub trait FromText<At> {
    /// Converts the text.
    fn from_text(text: &'static str) -> Self;
}

/// A type that can be created from `true` or `false` in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found `true` or `false` in the file",
    label = "value of {At}"
)]
pub trait FromBool<At> {
    /// Converts the value.
    fn from_bool(value: bool) -> Self;
}

/// A type that can be created from a list in a file.
#[diagnostic::on_unimplemented(message = "expected `{Self}`, found a list in the file", label = "value of {At}")]
pub trait FromList<At, T, const N: usize> {
    /// Converts the list.
    fn from_list(list: [T; N]) -> Self;
}

/// A type that can be created from a variable in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found a variable in braces in the file",
    label = "value of {At}",
    note = "only a parameter marked `#[input]` or `#[output]` can be a variable"
)]
pub trait FromKey<At> {
    /// Converts the name of the variable.
    fn from_key(name: &'static str) -> Self;
}

impl<At, T> FromKey<At> for ValueOrKey<T> {
    fn from_key(name: &'static str) -> Self {
        ValueOrKey::Key(Key::new(name))
    }
}

impl<At, T> FromKey<At> for OptionalInput<T> {
    fn from_key(name: &'static str) -> Self {
        Key::new(name).into()
    }
}

impl<At, T> FromKey<At> for OutputKey<T> {
    fn from_key(name: &'static str) -> Self {
        Key::new(name).into()
    }
}

macro_rules! integers {
    ($($int:ty),+) => {$(
        impl<At, const N: i128> FromInt<At, N> for $int {
            #[allow(clippy::allow_attributes, clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_lossless, reason = "it is used only if it is in range")]
            const VALUE: Self = N as $int;
            const OUTSIDE: Option<Range> = {
                let range = Range { name: stringify!($int), least: <$int>::MIN as i128, most: <$int>::MAX as i128 };
                if range.least <= N && N <= range.most { None } else { Some(range) }
            };
        }
    )+};
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! floats {
    ($($float:ty),+) => {$(
        impl<At, const N: i128> FromInt<At, N> for $float {
            #[expect(clippy::cast_precision_loss, reason = "as in Rust's own literals")]
            const VALUE: Self = N as $float;
            const OUTSIDE: Option<Range> = None;
        }

        impl<At> FromFloat<At> for $float {
            #[allow(clippy::allow_attributes, clippy::cast_possible_truncation, clippy::cast_lossless, reason = "as in Rust's own literals")]
            fn from_float(number: f64) -> Self {
                number as $float
            }
        }
    )+};
}

floats!(f32, f64);

impl<At, T: FromInt<At, N>, const N: i128> FromInt<At, N> for ValueOrKey<T> {
    const VALUE: Self = ValueOrKey::Value(T::VALUE);
    const OUTSIDE: Option<Range> = T::OUTSIDE;
}

impl<At, T: FromInt<At, N>, const N: i128> FromInt<At, N> for OptionalInput<T> {
    const VALUE: Self = OptionalInput::Given(ValueOrKey::Value(T::VALUE));
    const OUTSIDE: Option<Range> = T::OUTSIDE;
}

macro_rules! values {
    ($($trait:ident::$from:ident($given:ty);)+) => {$(
        impl<At, T: $trait<At>> $trait<At> for ValueOrKey<T> {
            fn $from(given: $given) -> Self {
                T::$from(given).into()
            }
        }

        impl<At, T: $trait<At>> $trait<At> for OptionalInput<T> {
            fn $from(given: $given) -> Self {
                T::$from(given).into()
            }
        }
    )+};
}

values! {
    FromFloat::from_float(f64);
    FromText::from_text(&'static str);
    FromBool::from_bool(bool);
}

impl<At, T, const N: usize> FromList<At, T, N> for ValueOrKey<Vec<T>> {
    fn from_list(list: [T; N]) -> Self {
        ValueOrKey::Value(list.into())
    }
}

impl<At, T, const N: usize> FromList<At, T, N> for OptionalInput<Vec<T>> {
    fn from_list(list: [T; N]) -> Self {
        Vec::from(list).into()
    }
}

impl<At> FromText<At> for &'static str {
    fn from_text(text: &'static str) -> Self {
        text
    }
}

impl<At> FromText<At> for String {
    fn from_text(text: &'static str) -> Self {
        text.into()
    }
}

impl<At> FromBool<At> for bool {
    fn from_bool(value: bool) -> Self {
        value
    }
}

impl<At, T, const N: usize> FromList<At, T, N> for [T; N] {
    fn from_list(list: Self) -> Self {
        list
    }
}

impl<At, T, const N: usize> FromList<At, T, N> for Vec<T> {
    fn from_list(list: [T; N]) -> Self {
        list.into()
    }
}

/// Converts an integer of a file. The compilation fails if the type cannot represent the integer; `property` names its
/// position in the file.
#[track_caller]
pub const fn json_int<T: FromInt<At, N>, At, const N: i128>(property: &str) -> T {
    if let Some(Range { name, least, most }) = T::OUTSIDE {
        stop(
            &Message::new(property)
                .add(" is out of range for `")
                .add(name)
                .add("`: expected ")
                .integer(least)
                .add(" to ")
                .integer(most)
                .add(", found ")
                .integer(N)
                .add("\nhelp: change the value in the file, or use a larger parameter type"),
        );
    }
    T::VALUE
}

/// Converts a number of a file.
pub fn json_float<T: FromFloat<At>, At>(number: f64) -> T {
    T::from_float(number)
}

/// Converts text of a file.
pub fn json_text<T: FromText<At>, At>(text: &'static str) -> T {
    T::from_text(text)
}

/// Converts the name of a variable in a file.
pub fn json_key<I: FromKey<At>, At>(name: &'static str) -> I {
    I::from_key(name)
}

/// Converts a boolean of a file.
pub fn json_bool<T: FromBool<At>, At>(value: bool) -> T {
    T::from_bool(value)
}

/// Converts a list of a file.
pub fn json_list<L: FromList<At, T, N>, At, T, const N: usize>(list: [T; N]) -> L {
    L::from_list(list)
}
