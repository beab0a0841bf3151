//! Serializes floats that are not JSON numbers as text instead of the `null` that `serde_json` writes.

use std::fmt::Display;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// A wrapper around a value or a serializer that writes `NaN`, `inf` and `-inf` as text.
pub(crate) struct Floats<T>(pub(crate) T);

impl<T: Serialize + ?Sized> Serialize for Floats<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Floats(serializer))
    }
}

/// Defines methods that forward a plain value.
macro_rules! plain {
    ($($name:ident: $type:ty,)*) => {
        $(fn $name(self, value: $type) -> Result<S::Ok, S::Error> {
            self.0.$name(value)
        })*
    };
}

/// Defines methods that start a compound value and wrap its serializer.
macro_rules! parts {
    ($($name:ident($($argument:ident: $type:ty),*): $part:ident,)*) => {
        $(fn $name(self, $($argument: $type),*) -> Result<Self::$part, S::Error> {
            self.0.$name($($argument),*).map(Floats)
        })*
    };
}

impl<S: Serializer> Serializer for Floats<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Floats<S::SerializeSeq>;
    type SerializeTuple = Floats<S::SerializeTuple>;
    type SerializeTupleStruct = Floats<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Floats<S::SerializeTupleVariant>;
    type SerializeMap = Floats<S::SerializeMap>;
    type SerializeStruct = Floats<S::SerializeStruct>;
    type SerializeStructVariant = Floats<S::SerializeStructVariant>;

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.0.serialize_f32(value) } else { self.0.collect_str(&value) }
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.0.serialize_f64(value) } else { self.0.collect_str(&value) }
    }

    plain! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_char: char,
        serialize_str: &str,
        serialize_bytes: &[u8],
        serialize_unit_struct: &'static str,
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_some(&Floats(value))
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit()
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, &Floats(value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_variant(name, index, variant, &Floats(value))
    }

    parts! {
        serialize_seq(count: Option<usize>): SerializeSeq,
        serialize_tuple(count: usize): SerializeTuple,
        serialize_tuple_struct(name: &'static str, count: usize): SerializeTupleStruct,
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, count: usize): SerializeTupleVariant,
        serialize_map(count: Option<usize>): SerializeMap,
        serialize_struct(name: &'static str, count: usize): SerializeStruct,
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, count: usize): SerializeStructVariant,
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// Implements a trait for compound values whose elements are wrapped, too.
macro_rules! each {
    ($($kind:ident: $($name:ident($($key:ident)?),)*;)*) => {
        $(impl<S: $kind> $kind for Floats<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            $(fn $name<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Result<(), S::Error> {
                self.0.$name($($key,)? &Floats(value))
            })*

            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        })*
    };
}

each! {
    SerializeSeq: serialize_element(),;
    SerializeTuple: serialize_element(),;
    SerializeTupleStruct: serialize_field(),;
    SerializeTupleVariant: serialize_field(),;
    SerializeMap: serialize_key(), serialize_value(),;
    SerializeStruct: serialize_field(key),;
    SerializeStructVariant: serialize_field(key),;
}
