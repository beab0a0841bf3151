//! Deserializing from data that can be edited.

use ciborium::Value;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The maximum number of values inside each other, including options and newtype structs. A page could make a recursive value deeper with each
/// edit, until deserializing it overflows the stack.
const MAX_DEPTH: usize = 256;

/// The deserializer of a value. Unlike that of ciborium, it can be passed to a function.
pub(super) struct Reader {
    value: Value,
    depth: usize,
}

impl Reader {
    pub(super) fn new(value: Value) -> Self {
        Self { value, depth: 0 }
    }

    /// Returns the value, and the depth of the values in it.
    fn enter(self) -> Result<(Value, usize), Error> {
        if self.depth == MAX_DEPTH {
            return Err(Error::custom(format_args!("too deeply nested (limit: {MAX_DEPTH} levels)")));
        }
        Ok((self.value, self.depth + 1))
    }
}

/// The error of a [`Reader`].
pub(super) type Error = serde::de::value::Error;

impl IntoDeserializer<'_> for Reader {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (value, depth) = self.enter()?;
        match value {
            Value::Integer(number) => match (u64::try_from(number), i64::try_from(number)) {
                (Ok(number), _) => visitor.visit_u64(number),
                (_, Ok(number)) => visitor.visit_i64(number),
                _ => visitor.visit_i128(number.into()),
            },
            Value::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            Value::Float(number) => visitor.visit_f64(number),
            Value::Text(text) => visitor.visit_string(text),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Null => visitor.visit_unit(),
            Value::Array(items) => {
                visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(|value| Reader { value, depth })))
            }
            Value::Map(entries) => visitor.visit_map(map(entries, depth)),
            _ => Err(Error::custom("unsupported kind of value")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (value, depth) = self.enter()?;
        if value.is_null() { visitor.visit_none() } else { visitor.visit_some(Self { value, depth }) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        let (value, depth) = self.enter()?;
        visitor.visit_newtype_struct(Self { value, depth })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (value, depth) = self.enter()?;
        match value {
            Value::Text(variant) => visitor.visit_enum(variant.into_deserializer()),
            Value::Map(entries) => visitor.visit_enum(MapAccessDeserializer::new(map(entries, depth))),
            _ => Err(Error::custom("expected the name of a variant, or an object with one")),
        }
    }

    fn is_human_readable(&self) -> bool {
        // As the serializer of ciborium.
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

fn map<'de>(
    entries: Vec<(Value, Value)>,
    depth: usize,
) -> MapDeserializer<'de, impl Iterator<Item = (Reader, Reader)>, Error> {
    let reader = move |value| Reader { value, depth };
    MapDeserializer::new(entries.into_iter().map(move |(key, value)| (reader(key), reader(value))))
}
