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
        let whole = Part { form: &mut form, is_data: false, field: None };
        let _ = whole.deserialize(&mut serde_json::Deserializer::from_str(text));
        form
    }
}

/// What is read until a field determines the form.
struct Part<'f> {
    form: &'f mut Form,
    /// Whether it is in the `data` of another object.
    is_data: bool,
    /// The field that determines the form, unless it is null; `None` for the fields of an object.
    field: Option<&'static str>,
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        if self.field.is_some() { input.deserialize_option(self) } else { input.deserialize_map(self) }
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a tree or project")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { form, is_data, .. } = self;
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            let field = ["nodes", "trees", "data"].into_iter().find(|field| *field == name);
            match field.filter(|name| *name != "data" || !is_data) {
                None => _ = map.next_value::<IgnoredAny>()?,
                field => map.next_value_seed(Part { form, is_data, field })?,
            }
        }
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        let Self { form, is_data, field } = self;
        if field == Some("data") {
            form.is_wrapped = true;
            return Part { form, is_data: true, field: None }.deserialize(input);
        }
        *form = Form { is_project: field == Some("trees"), is_wrapped: is_data };
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
