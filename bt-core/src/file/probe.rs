//! The properties of a node, found without a file: their types, and which of them are required.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Value, json};

use super::reader::How;

/// A property that a node reads.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Its name.
    pub name: &'static str,
    /// The type in Rust, as written in the source or as reported by serde.
    pub type_name: &'static str,
    /// Whether it has no default.
    pub is_required: bool,
    /// Whether it names a variable that the node writes.
    pub is_output: bool,
    /// The names of its values, if it is an enum.
    pub choices: Vec<String>,
}

/// The depth to which the type of a property is examined: a type may contain itself.
const MAX_DEPTH: usize = 8;

/// The names of a struct's fields, as reported by serde.
type Names = &'static [&'static str];

/// Deserializes a type. Returns `false` if that fails.
pub(super) type Probing = fn(Probe<'_>) -> bool;

/// Returns the names of the fields of a struct; `None` for other types, and for structs with a flattened field.
pub(super) fn names(read: Probing) -> Option<Names> {
    let mut names = None;
    read(Probe { found: &mut Asked::default(), outer: Outer::Names(&mut names), depth: 0 });
    names
}

/// Returns the fields of a struct with their types.
pub(super) fn fields(names: Names, read: Probing) -> Vec<Asked> {
    let new = || -> Vec<_> { names.iter().map(|name| Asked { name, ..Asked::default() }).collect() };
    let can_read = |fields: &mut [Asked], without| {
        read(Probe { found: &mut Asked::default(), outer: Outer::Fields(fields, without), depth: 0 })
    };
    let mut found = new();
    can_read(&mut found, None);
    for (index, field) in found.iter_mut().enumerate() {
        field.is_required = !can_read(&mut new(), Some(index));
    }
    found
}

/// Returns some value of a type, and the names of its values if it is an enum.
pub(super) fn value<T>(how: How<T>) -> (Option<T>, Vec<String>) {
    // The names are those that serde lists for an unknown one.
    let error = how(&"\u{1}".into()).err().filter(|error| error.starts_with("unknown variant"));
    let listed = error.as_deref().and_then(|error| error.split_once("expected ")).map_or("", |(_, names)| names);
    let choices: Vec<_> = listed.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect();
    let first = choices.first().map(|name| Value::from(name.as_str()));
    let others = [json!(0), json!(""), json!(false), zeros(0), Value::Null, json!("a"), zeros(2), zeros(3)];
    let others = others.into_iter().chain([json!({ "secs": 0, "nanos": 0 }), json!({})]);
    (first.into_iter().chain(others).find_map(|value| how(&value).ok()), choices)
}

fn zeros(count: usize) -> Value {
    Value::Array((0..count).map(|_| Value::from(0)).collect())
}

/// A deserializer that has some value of each type, and stores the requested type.
pub(super) struct Probe<'a> {
    found: &'a mut Asked,
    outer: Outer<'a>,
    depth: usize,
}

/// The facts to find about the outermost struct.
enum Outer<'a> {
    /// The names of its fields. Nothing is read.
    Names(&'a mut Option<Names>),
    /// Its fields, read without one of them.
    Fields(&'a mut [Asked], Option<usize>),
    /// Nothing more.
    Nothing,
}

impl Probe<'_> {
    fn inner<'b>(&self, found: &'b mut Asked) -> Probe<'b> {
        Probe { found, outer: Outer::Nothing, depth: self.depth + 1 }
    }
}

macro_rules! numbers {
    ($($deserialize:ident $visit:ident $ty:ident,)+) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.found.type_name = stringify!($ty);
            visitor.$visit($ty::default())
        }
    )+};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    numbers! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str("")
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.found.type_name = "char";
        visitor.visit_char('a')
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.found.type_name = "String";
        visitor.visit_str("")
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bytes(&[])
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bytes(&[])
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.depth > MAX_DEPTH {
            return visitor.visit_none();
        }
        visitor.visit_some(Probe { outer: Outer::Nothing, ..self })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.found.type_name = "[_]";
        visitor.visit_seq(Items { left: 0, probe: self })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.found.type_name = "[_]";
        visitor.visit_seq(Items { left: len, probe: self })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(Fields { names: &[], at: 0, probe: self })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: Names,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Outer::Names(found) = self.outer {
            *found = Some(names);
            return Err(Error::custom("only the names are of interest"));
        }
        // An `Option` has ended what can end.
        if self.depth > 2 * MAX_DEPTH {
            return Err(Error::custom("the type contains itself"));
        }
        self.found.type_name = name;
        visitor.visit_map(Fields { names, at: 0, probe: self })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.found.type_name = name;
        self.found.choices = variants.iter().map(ToString::to_string).collect();
        visitor.visit_enum(First(variants.first().copied().unwrap_or_default()))
    }
}

/// The first variant of an enum.
struct First(&'static str);

impl<'de> EnumAccess<'de> for First {
    type Error = Error;
    type Variant = <StrDeserializer<'static, Error> as EnumAccess<'static>>::Variant;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), Error> {
        let name: StrDeserializer<'static, Error> = self.0.into_deserializer();
        name.variant_seed(seed)
    }
}

/// The items of a list.
struct Items<'a> {
    left: usize,
    probe: Probe<'a>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.probe.inner(&mut Asked::default())).map(Some)
    }
}

/// The fields of a struct.
struct Fields<'a> {
    names: Names,
    at: usize,
    probe: Probe<'a>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if matches!(&self.probe.outer, Outer::Fields(_, without) if *without == Some(self.at)) {
            self.at += 1;
        }
        let Some(name) = self.names.get(self.at) else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let at = self.at;
        self.at += 1;
        let depth = self.probe.depth + 1;
        let mut other = Asked::default();
        let found = match &mut self.probe.outer {
            Outer::Fields(fields, _) if at < fields.len() => &mut fields[at],
            Outer::Fields(..) | Outer::Names(_) | Outer::Nothing => &mut other,
        };
        seed.deserialize(Probe { found, outer: Outer::Nothing, depth })
    }
}
