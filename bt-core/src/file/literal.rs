//! Values of a file as values of Rust: what `tree_from_json!` expands to.

use alloc::string::String;
use alloc::vec::Vec;

use crate::board::ValueOrKey;
use crate::check::text::Text;

/// What can be made of a whole number in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found the whole number {N} in the file",
    label = "value of {At}"
)]
pub trait FromInt<At, const N: i128> {
    /// The number.
    const VALUE: Self;
    /// The range that the number is not in.
    const OUTSIDE: Option<Range>;
}

/// The whole numbers that a type can be.
#[derive(Clone, Copy)]
pub struct Range {
    name: &'static str,
    least: i128,
    most: i128,
}

/// What can be made of any number in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found a fractional number in the file",
    label = "value of {At}"
)]
pub trait FromFloat<At> {
    /// Makes it.
    fn from_float(number: f64) -> Self;
}

/// What can be made of text in a file.
#[diagnostic::on_unimplemented(message = "expected `{Self}`, found text in the file", label = "value of {At}")]
pub trait FromText<At> {
    /// Makes it.
    fn from_text(text: &'static str) -> Self;
}

/// What can be made of `true` or `false` in a file.
#[diagnostic::on_unimplemented(
    message = "expected `{Self}`, found `true` or `false` in the file",
    label = "value of {At}"
)]
pub trait FromBool<At> {
    /// Makes it.
    fn from_bool(value: bool) -> Self;
}

/// What can be made of a list in a file.
#[diagnostic::on_unimplemented(message = "expected `{Self}`, found a list in the file", label = "value of {At}")]
pub trait FromList<At, T, const N: usize> {
    /// Makes it.
    fn from_list(list: [T; N]) -> Self;
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

impl<At, T: FromFloat<At>> FromFloat<At> for ValueOrKey<T> {
    fn from_float(number: f64) -> Self {
        ValueOrKey::Value(T::from_float(number))
    }
}

impl<At, T: FromText<At>> FromText<At> for ValueOrKey<T> {
    fn from_text(text: &'static str) -> Self {
        ValueOrKey::Value(T::from_text(text))
    }
}

impl<At, T: FromBool<At>> FromBool<At> for ValueOrKey<T> {
    fn from_bool(value: bool) -> Self {
        ValueOrKey::Value(T::from_bool(value))
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

/// A whole number of a file. Ends the compilation if it does not fit; `property` says where it is there.
#[track_caller]
pub const fn json_int<T: FromInt<At, N>, At, const N: i128>(property: &str) -> T {
    if let Some(Range { name, least, most }) = T::OUTSIDE {
        Text::new(property)
            .add(" is out of range for `")
            .add(name)
            .add("`: expected ")
            .integer(least)
            .add(" to ")
            .integer(most)
            .add(", found ")
            .integer(N)
            .add("\nhelp: change the value in the file, or use a larger parameter type")
            .panic();
    }
    T::VALUE
}

/// A number of a file.
pub fn json_float<T: FromFloat<At>, At>(number: f64) -> T {
    T::from_float(number)
}

/// Text of a file.
pub fn json_text<T: FromText<At>, At>(text: &'static str) -> T {
    T::from_text(text)
}

/// A truth value of a file.
pub fn json_bool<T: FromBool<At>, At>(value: bool) -> T {
    T::from_bool(value)
}

/// A list of a file.
pub fn json_list<L: FromList<At, T, N>, At, T, const N: usize>(list: [T; N]) -> L {
    L::from_list(list)
}
