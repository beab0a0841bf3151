//! The form of a file: a tree, a project, or the editor's wrapper around one.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

/// The form of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// Whether it contains `trees` rather than the nodes of one.
    pub is_project: bool,
    /// Whether it is the `data` of the editor's wrapper.
    pub is_wrapped: bool,
}

impl Form {
    /// Returns the form of a file. The first field `nodes` or `trees`, of the file or of its `data`, determines the form. The
    /// rest of the file is not read. A file with none of these fields, or that is not JSON, has the form of a tree, and reading
    /// it as one returns the error.
    pub fn of(text: &str) -> Self {
        let mut form = Self::default();
        // An error is how the visitor stops.
        let _ = Fields { form: &mut form, is_data: false }.deserialize(&mut serde_json::Deserializer::from_str(text));
        form
    }
}

/// Reads the fields of an object until one determines the form.
struct Fields<'f> {
    form: &'f mut Form,
    /// Whether the object is the `data` of another.
    is_data: bool,
}

/// A field that determines the form, unless it is null.
struct Decisive<'f> {
    name: &'static str,
    of: Fields<'f>,
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a tree or project")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { form, is_data } = self;
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            let decisive = ["nodes", "trees", "data"].into_iter().find(|decisive| *decisive == name);
            match decisive.filter(|name| *name != "data" || !is_data) {
                Some(name) => map.next_value_seed(Decisive { name, of: Fields { form, is_data } })?,
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Decisive<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Decisive<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the field `{}`", self.name)
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        let Fields { form, is_data } = self.of;
        if self.name == "data" {
            form.is_wrapped = true;
            return Fields { form, is_data: true }.deserialize(input);
        }
        *form = Form { is_project: self.name == "trees", is_wrapped: is_data };
        Err(D::Error::custom("the form is known"))
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn the_form_of_a_file_is_that_of_its_first_known_field() {
        let form = |text| {
            let Form { is_project, is_wrapped } = Form::of(text);
            (is_project, is_wrapped)
        };
        assert_eq!(form(r#"{ "root": "1", "nodes": {"#), (false, false));
        assert_eq!(form(r#"{ "version": "0.3.0", "trees": ["#), (true, false));
        assert_eq!(form(r#"{ "name": "a", "data": { "scope": "tree", "nodes": {} } }"#), (false, true));
        assert_eq!(form(r#"{ "data": { "selectedTree": "1", "tr\u0065es": [] } }"#), (true, true));
        assert_eq!(form("{}"), (false, false));
        assert_eq!(form(r#"{ "trees": null, "data": null, "nodes": {} }"#), (false, false));
        assert_eq!(form(r#"{ "data": { "title": "a" }, "trees": [] }"#), (true, false));
        assert_eq!(form(r#"{ "data": { "title": "a" } }"#), (false, true));
        assert_eq!(form("nodes"), (false, false));
    }
}
