//! Values that a file writes as text: JSON, lists and the spellings of `BehaviorTree.CPP`.

use alloc::format;
use alloc::string::String;
use alloc::vec::{self, Vec};

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

/// Deserializes a value. If that fails and the value is text, deserializes the JSON in the text, or the list `a;b;c`.
pub(super) fn value<T: DeserializeOwned>(property: &Value) -> Result<T, String> {
    let error = match T::deserialize(property) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let of_json = || T::deserialize(inner(property)?).ok();
    // An item such as `3` can be text too.
    let of_text = |typed| T::deserialize(Text { text: property.as_str()?, typed }).ok();
    of_json().or_else(|| of_text(false)).or_else(|| of_text(true)).ok_or_else(|| format!("{error}"))
}

/// Parses the JSON in a text: the editor writes all properties as text after they were edited. `BehaviorTree.CPP` writes `json:` before it.
pub(super) fn inner(property: &Value) -> Option<Value> {
    let text = property.as_str()?;
    serde_json::from_str(text.strip_prefix("json:").unwrap_or(text)).ok()
}

/// A text that is no JSON of its type: a list, a boolean or a number.
#[derive(Clone, Copy)]
struct Text<'a> {
    text: &'a str,
    /// Whether the items of a list are more than text.
    typed: bool,
}

impl<'a> Text<'a> {
    fn items(self) -> Vec<&'a str> {
        self.text.split(';').map(str::trim).collect()
    }

    fn list<'de, V: Visitor<'de>>(self, items: Vec<&'a str>, visitor: V) -> Result<V::Value, Error> {
        let mut items = Items { left: items.into_iter(), typed: self.typed };
        let value = visitor.visit_seq(&mut items)?;
        // A visitor of a struct stops after its last field.
        if items.left.next().is_some() { Err(Error::custom("too many items")) } else { Ok(value) }
    }

    /// Visits as many items as a type takes. A last item without text counts only if the type needs it.
    fn exactly<'de, V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        let mut items = self.items();
        if items.len() == len + 1 {
            items.pop_if(|last| last.is_empty());
        }
        self.list(items, visitor)
    }
}

impl<'de> Deserializer<'de> for Text<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.list(self.items(), visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(boolean(self.text)?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(number(self.text)?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut items = self.items();
        // `BehaviorTree.CPP` reads `a;b;` as two items, and no text as none.
        items.pop_if(|last| last.is_empty());
        self.list(items, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.exactly(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.exactly(len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.exactly(names.len(), visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct map enum identifier
        ignored_any
    }
}

/// The items of a list.
struct Items<'a> {
    left: vec::IntoIter<&'a str>,
    typed: bool,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(text) = self.left.next() else { return Ok(None) };
        if self.typed { seed.deserialize(Item(text)) } else { seed.deserialize(Value::from(text)) }.map(Some)
    }
}

/// An item of a list, as its type takes it.
struct Item<'a>(&'a str);

impl Item<'_> {
    fn value(&self) -> Value {
        serde_json::from_str(self.0).unwrap_or_else(|_| self.0.into())
    }
}

impl<'de> Deserializer<'de> for Item<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.value().deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(boolean(self.0)?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(number(self.0)?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0 == "null" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value().deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map struct identifier ignored_any
    }
}

/// Parses a boolean as `BehaviorTree.CPP` does.
fn boolean(text: &str) -> Result<bool, Error> {
    match text.trim() {
        "1" | "true" | "True" | "TRUE" => Ok(true),
        "0" | "false" | "False" | "FALSE" => Ok(false),
        _ => Err(Error::custom("not a boolean")),
    }
}

/// Parses a number as Rust does, which takes more than JSON.
fn number(text: &str) -> Result<f64, Error> {
    text.trim().parse().map_err(Error::custom)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::fmt::Debug;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "it is shown")]
    struct Goal {
        name: String,
        x: f64,
        is_near: bool,
        floor: Option<u8>,
    }

    fn read<T: DeserializeOwned + Debug>(text: &str) -> String {
        super::value::<T>(&json!(text)).map_or_else(|error| error, |value| format!("{value:?}"))
    }

    #[test]
    fn booleans_and_numbers_have_the_spellings_of_cpp() {
        for (texts, value) in [(["1", "true", "True", "TRUE"], "true"), (["0", "false", "False", "FALSE"], "false")] {
            for text in texts {
                assert_eq!(read::<bool>(text), value);
                assert_eq!(read::<Option<bool>>(text), format!("Some({value})"));
                assert_eq!(read::<String>(text), format!("{text:?}"));
            }
        }
        for (text, value) in
            [(".5", "0.5"), ("5.", "5.0"), ("inf", "inf"), ("-inf", "-inf"), ("nan", "NaN"), ("3", "3.0")]
        {
            assert_eq!([read::<f64>(text), read::<f32>(text)], [value, value]);
        }
    }

    #[test]
    fn other_texts_are_still_refused() {
        assert_eq!(read::<bool>("yes"), "invalid type: string \"yes\", expected a boolean");
        assert_eq!(read::<bool>("2"), "invalid type: string \"2\", expected a boolean");
        assert_eq!(read::<f64>("fast"), "invalid type: string \"fast\", expected f64");
        assert_eq!(read::<f64>(""), "invalid type: string \"\", expected f64");
        for text in [".5", "5.", "+3", "TRUE", ""] {
            assert_eq!(read::<i32>(text), format!("invalid type: string {text:?}, expected i32"));
        }
    }

    #[test]
    fn a_list_may_be_empty_and_may_end_with_a_semicolon() {
        assert_eq!(read::<Vec<i32>>(""), "[]");
        assert_eq!(read::<Vec<String>>(""), "[]");
        assert_eq!(read::<Vec<i32>>("1; 2;"), "[1, 2]");
        assert_eq!(read::<Vec<String>>("a;b;"), r#"["a", "b"]"#);
        assert_eq!(read::<Vec<String>>("a;;b"), r#"["a", "", "b"]"#);
        assert_eq!(read::<Vec<i32>>("1;;2"), "invalid type: string \"1;;2\", expected a sequence");
        assert_eq!(read::<Vec<bool>>("TRUE;0"), "[true, false]");
        assert_eq!(read::<Vec<f64>>(".5;5.;inf"), "[0.5, 5.0, inf]");
    }

    #[test]
    fn a_struct_takes_as_many_items_as_it_has_fields() {
        let goal = r#"Goal { name: "door", x: 0.5, is_near: true, floor: Some(2) }"#;
        assert_eq!([read::<Goal>("door;.5;1;2"), read::<Goal>("door;.5;True;2;")], [goal, goal]);
        let error = "invalid type: string \"door;.5;1;2;3\", expected struct Goal";
        assert_eq!(read::<Goal>("door;.5;1;2;3"), error);
        assert_eq!(read::<Goal>("door;1;1;null"), r#"Goal { name: "door", x: 1.0, is_near: true, floor: None }"#);
        assert_eq!(read::<(String, String)>("a;"), r#"("a", "")"#);
        assert_eq!(read::<(f32, f32)>("1;2;"), "(1.0, 2.0)");
    }
}
