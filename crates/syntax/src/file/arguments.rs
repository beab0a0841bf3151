//! The arguments of words, which are properties in files.

use bt_behavior3::{ALLOW, DISABLED, Place, Properties};
use bt_words::{Arity, Family, Param, ParamType, Word};
use serde_json::Value;

use super::value::{Argument, arguments, not_constant};
use crate::ast::Args;
use crate::check::arguments::unnamed;
use crate::errors::Errors;
use crate::keyword::{self, Form};
use crate::tokens::Span;

/// Returns the syntax of the arguments of a word; `None` if it is not a word before children, or the word of a leaf.
pub(crate) fn form(name: &str) -> Option<Form> {
    let leaf = || Word::named(name).find(|word| word.row().family == Family::Leaf);
    keyword::find(name).map(|keyword| keyword.form).or_else(|| leaf().and_then(keyword::form))
}

/// Returns the properties that the arguments of a word mean; none if an error in them has been reported.
pub(crate) fn of_word<'t>(
    name: &str,
    form: Form,
    args: Option<Args<'t>>,
    span: Span<'t>,
    errors: &mut Errors,
) -> Properties {
    if args.is_some_and(|args| args.are_reported) {
        return Properties::default();
    }
    let given = args.map(|args| arguments(args.stream, errors)).unwrap_or_default();
    let at = args.map_or(span, |args| args.span);
    let one = |param: &Param, errors: &mut Errors| {
        let found = given.len();
        if let [Argument { name: None, span, value, .. }] = &*given {
            if let Some(number) = without_unit(value).filter(|_| param.ty == ParamType::Time) {
                let help = format!("help: write `secs({number})` or `millis({number})`");
                errors.at(*span, format!("`{name}` expects a time with its unit, found a number\n{help}"));
            }
            let mut properties = Properties::default();
            properties.insert_at(param.name, value.clone(), span.place());
            return properties;
        }
        // An invalid argument has been reported.
        if args.is_none_or(|args| args.stream.is_empty()) || found > 0 {
            let named = if found == 1 { ", without a name" } else { "" };
            let body = if keyword::find(name).is_some() { " { … }" } else { "" };
            let written = args.filter(|_| found == 1).map(|args| args.stream.written());
            let written = written.as_deref().and_then(|written| written.split_once('=')).map(|(_, value)| value.trim());
            let help = format!("help: write `{name}({}){body}`", written.unwrap_or(param.example));
            errors.at(at, format!("`{name}` expects 1 argument{named}, found {found}\n{help}"));
        }
        Properties::default()
    };
    match form {
        Form::Plain | Form::Weights => {
            if args.is_some() {
                let is_finally = Word::named(name).any(|word| word.row().arity() == Arity::BodyAndCleanup);
                let help = if is_finally { "\nhelp: write `finally { body, cleanup }`" } else { "" };
                errors.at(at, format!("`{name}` takes no arguments{help}"));
            }
            Properties::default()
        }
        Form::Maybe(..) if args.is_none() => Properties::default(),
        Form::One(param) | Form::Maybe(param, _) | Form::Action(param) => one(param, errors),
        Form::Options(params) | Form::Scores(params) => {
            let is_unnamed = |argument: &&Argument<'_>| argument.name.is_none();
            if let Some((args, argument)) = args.zip(given.iter().find(is_unnamed)) {
                errors.at(argument.span, unnamed(name, args, params));
                return Properties::default();
            }
            named(given, errors)
        }
    }
}

/// Returns the number that a value or the start of a range is, if it has no unit.
fn without_unit(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) if number.as_f64().is_some_and(|number| number >= 0.0) => Some(number.to_string()),
        Value::String(text) => {
            let start = text.split("..=").next().unwrap_or_default();
            start.parse::<f64>().is_ok().then(|| start.to_owned())
        }
        _ => None,
    }
}

fn named(given: Vec<Argument<'_>>, errors: &mut Errors) -> Properties {
    let mut all = Properties::default();
    for Argument { name, begin, span, value, .. } in given {
        let Some(option) = name else { continue };
        if all.contains_key(&option) {
            errors.at(span, format!("duplicate option `{option}`"));
        } else {
            all.insert_at(&option, value, begin.place());
        }
    }
    all
}

/// Returns `true` for a name of a property that any node can have.
pub(super) fn is_reserved(name: &str) -> bool {
    [ALLOW, DISABLED].contains(&name)
}

/// Returns the error for a parameter with such a name.
pub(super) fn reserved(name: &str) -> String {
    let attribute = if name == DISABLED { "disabled" } else { "allow(…)" };
    format!(
        "the name `{name}` is reserved: in files, it is the property of a node with `#[{attribute}]`\nhelp: rename the parameter"
    )
}

/// The arguments of a custom node: the first ones without names, then the named ones.
#[derive(Default)]
pub(super) struct Own {
    pub(super) named: Properties,
    pub(super) unnamed: Vec<(Place, Value)>,
}

impl Own {
    pub(super) fn of(args: Option<Args<'_>>, errors: &mut Errors) -> Self {
        let mut own = Self::default();
        let given = args.filter(|args| !args.are_reported).map(|args| arguments(args.stream, errors));
        for Argument { name, begin, span, value, is_name } in given.unwrap_or_default() {
            if is_name {
                errors.at(span, not_constant(&value));
                continue;
            }
            match name {
                None if own.named.is_empty() => own.unnamed.push((span.place(), value)),
                None => errors.at(span, "an argument without a name must precede the named arguments"),
                Some(name) if own.named.contains_key(&name) => {
                    errors.at(span, format!("duplicate argument `{name}`"));
                }
                Some(name) if is_reserved(&name) => errors.at(begin, reserved(&name)),
                Some(name) => own.named.insert_at(&name, value, begin.place()),
            }
        }
        own
    }
}
