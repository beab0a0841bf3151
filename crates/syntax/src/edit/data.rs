//! Names with values, as files of data have them: the heads of their nodes, and the tags of XML.

use std::borrow::Cow;

use bt_behavior3::is_file_name;
use bt_behavior3::parts::{call, field_name, is_path, path};
use proc_macro2::Delimiter;

use crate::errors::Errors;
use crate::file;
use crate::tokens::{Group, Input, Text};

/// A name with values by their names, in the order of the text or the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Named<V> {
    pub(super) name: String,
    pub(super) values: Vec<(String, V)>,
}

impl<V> Named<V> {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), values: Vec::new() }
    }

    pub(super) fn value(&self, name: &str) -> Option<&V> {
        self.values.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Returns it as the text of a head, in which values are shown like that.
    pub(super) fn shown(&self, value: impl Fn(&str, &V) -> String) -> String {
        let name = match &*self.name {
            // Words that are keywords of Rust are read as they are.
            name if is_file_name(name) => name.to_owned(),
            name if is_path(name) => path(name),
            name => format!("{name:?}"),
        };
        call(name, self.values.iter().map(|(name, given)| format!("{} = {}", field_name(name), value(name, given))))
    }

    /// Reads it from all of a text, on a thread with enough stack. `expected` is the error for what follows it.
    pub(super) fn parsed(
        text: &str,
        expected: &str,
        read: impl FnOnce(&Input<'_>, &mut Errors) -> Option<Self>,
    ) -> Result<Self, String> {
        parse(text, |input, errors| {
            let head = read(input, errors);
            if head.is_some() && !input.is_empty() {
                errors.at(input.span(), expected);
            }
            head
        })
    }
}

/// Parses all tokens of a text. All of them have to be read.
pub(super) fn parse<T>(text: &str, read: impl FnOnce(&Input<'_>, &mut Errors) -> Option<T>) -> Result<T, String> {
    let tokens = file::flat(text).map_err(|error| error.reason)?;
    let mut errors = Errors::default();
    match read(&tokens.all().input(), &mut errors) {
        Some(found) if errors.is_empty() => Ok(found),
        _ if errors.is_empty() => Err("expected a node".to_owned()),
        _ => Err(first(errors.into_diagnostics())),
    }
}

/// Returns the reason of the first error.
pub(super) fn first(errors: Vec<bt_behavior3::Diagnostic>) -> String {
    errors.into_iter().next().map(|error| error.reason).unwrap_or_default()
}

/// Returns a name, which is a path or text in quotes, and the arguments behind it.
pub(super) fn name<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<(String, Option<Group<'t>>)> {
    let text = input.text().map(Text::value);
    let Some(name) = text.or_else(|| file::path(input).map(Cow::into_owned)) else {
        errors.at(input.span(), "expected the name of a node\nhelp: put a name that is not a Rust path in quotes");
        return None;
    };
    Some((name, input.group_in(Delimiter::Parenthesis)))
}
