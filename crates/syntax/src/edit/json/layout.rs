//! The space between the parts of a JSON text.

use std::fmt::Write;

use serde_json::Value;

use super::span::{List, Object};

/// The space in an object or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Behind the opening delimiter.
    open: String,
    /// Behind a comma.
    pub(super) between: String,
    /// Before the closing delimiter.
    close: String,
    /// Between a name and its value, with the colon.
    colon: String,
}

/// The kind of content between delimiters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Object,
    List,
}

impl Layout {
    /// Returns the layout of an object; `None` if it is empty.
    pub(super) fn of_object(text: &str, object: &Object) -> Option<Self> {
        let (first, last) = (object.fields.first()?, object.fields.last()?);
        let name = &text[first.at.start..first.value.start];
        let colon = name.rsplit_once('"')?.1.to_owned();
        let open = text[object.at.start + 1..first.at.start].to_owned();
        let second = object.fields.get(1).map(|second| &text[first.at.end..second.at.start]);
        let close = text[last.at.end..object.at.end - 1].to_owned();
        Some(Self { between: between(second, &open, &colon), open, close, colon })
    }

    /// Returns the layout of a list, which has the colons of another; `None` if it is empty.
    pub(super) fn of_list(text: &str, list: &List, around: &Self) -> Option<Self> {
        let (first, last) = (list.items.first()?, list.items.last()?);
        let open = text[list.at.start + 1..first.start].to_owned();
        let second = list.items.get(1).map(|second| &text[first.end..second.start]);
        let close = text[last.end..list.at.end - 1].to_owned();
        Some(Self { between: between(second, &open, &around.colon), open, close, colon: around.colon.clone() })
    }

    /// Returns the layout of a file that has none.
    pub(super) fn new() -> Self {
        let [open, between, close, colon] = ["\n  ", "\n  ", "\n", ": "].map(str::to_owned);
        Self { open, between, close, colon }
    }

    /// Returns the layout of what is directly in it.
    pub(super) fn inner(&self, kind: Kind) -> Self {
        match (self.open.rsplit_once('\n'), self.close.rsplit_once('\n'), kind) {
            (Some((before, indent)), Some((_, outer)), _) => {
                let newline = if before.ends_with('\r') { "\r\n" } else { "\n" };
                let unit = indent.strip_prefix(outer).filter(|unit| !unit.is_empty()).unwrap_or("  ");
                let open = format!("{newline}{indent}{unit}");
                Self { between: open.clone(), open, close: format!("{newline}{indent}"), colon: self.colon.clone() }
            }
            (.., Kind::List) => Self { open: String::new(), close: String::new(), ..self.in_line() },
            (.., Kind::Object) => self.in_line(),
        }
    }

    /// Returns the same in one line.
    fn in_line(&self) -> Self {
        let space = if self.colon.ends_with(' ') { " " } else { "" }.to_owned();
        let keep = |of: &String| if of.contains('\n') { space.clone() } else { of.clone() };
        let [open, between, close] = [&self.open, &self.between, &self.close].map(keep);
        Self { open, between, close, colon: self.colon.clone() }
    }

    /// Returns the line break and what is added to the indentation by each level; `None` if it is in one line.
    pub(super) fn step(&self) -> Option<(&'static str, String)> {
        let (before, indent) = self.open.rsplit_once('\n')?;
        let outer = self.close.rsplit_once('\n')?.1;
        let newline = if before.ends_with('\r') { "\r\n" } else { "\n" };
        Some((newline, indent.strip_prefix(outer).unwrap_or("  ").to_owned()))
    }

    /// Returns a field.
    pub(super) fn field(&self, name: &str, value: &str) -> String {
        format!("{}{}{value}", string(name), self.colon)
    }

    /// Returns parts between delimiters.
    pub(super) fn joined(&self, kind: Kind, parts: &[String]) -> String {
        let [open, close] = match kind {
            Kind::Object => ['{', '}'],
            Kind::List => ['[', ']'],
        };
        let mut text = String::from(open);
        text += &self.content(parts);
        text.push(close);
        text
    }

    /// Returns an object with those of these fields that have a value.
    pub(super) fn of_fields<const N: usize>(&self, fields: [(&str, Option<String>); N]) -> String {
        let fields = fields.into_iter().filter_map(|(name, value)| Some(self.field(name, &value?)));
        self.joined(Kind::Object, &fields.collect::<Vec<_>>())
    }

    /// Returns parts as what is between the delimiters.
    pub(super) fn content(&self, parts: &[String]) -> String {
        let mut text = String::new();
        for (index, part) in parts.iter().enumerate() {
            text += if index == 0 { &self.open } else { "," };
            text += if index == 0 { "" } else { &self.between };
            text += part;
        }
        if !parts.is_empty() {
            text += &self.close;
        }
        text
    }

    /// Returns a value that is directly in something of this layout.
    pub(super) fn value(&self, value: &Value) -> String {
        match value {
            Value::Array(items) => {
                let layout = self.inner(Kind::List);
                layout.joined(Kind::List, &items.iter().map(|item| layout.value(item)).collect::<Vec<_>>())
            }
            Value::Object(_) => self.inner(Kind::Object).object(value),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        }
    }

    /// Returns an object of this layout.
    pub(super) fn object(&self, value: &Value) -> String {
        let fields = value.as_object().into_iter().flatten();
        let fields: Vec<_> = fields.map(|(name, value)| self.field(name, &self.value(value))).collect();
        self.joined(Kind::Object, &fields)
    }
}

/// Returns the space after a comma.
fn between(found: Option<&str>, open: &str, colon: &str) -> String {
    match found.and_then(|found| found.split_once(',')) {
        Some((_, space)) => space.to_owned(),
        None if open.contains('\n') => open.to_owned(),
        None => if colon.ends_with(' ') { " " } else { "" }.to_owned(),
    }
}

/// Returns text in the quotes of JSON.
pub(super) fn string(text: &str) -> String {
    let mut written = String::new();
    let _ = write!(written, "{}", Value::from(text));
    written
}
