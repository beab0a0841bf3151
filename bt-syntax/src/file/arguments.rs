//! The arguments of words, which are properties in files.

use bt_words::{Family, ParamType, Word};
use proc_macro2::{Group, Span};
use serde_json::{Map, Value};

use super::value::{Argument, arguments, not_constant};
use crate::errors::Errors;
use crate::keyword::{self, Form};

/// Returns the syntax of the arguments of a word; `None` if it is not a word before children, or the word of a leaf.
pub(super) fn form(name: &str) -> Option<Form> {
    let leaf = Word::named(name).find(|word| word.row().family == Family::Leaf);
    keyword::find(name).map(|keyword| keyword.form).or_else(|| leaf.and_then(of_leaf))
}

/// Returns the syntax of the arguments of a leaf that is a word.
fn of_leaf(word: Word) -> Option<Form> {
    keyword::form(word)
}

/// Returns the properties that the arguments of a word mean.
pub(super) fn of_word(
    name: &str,
    form: Form,
    args: Option<&Group>,
    span: Span,
    errors: &mut Errors,
) -> Map<String, Value> {
    let given = args.map(|args| arguments(args, errors)).unwrap_or_default();
    let at = args.map_or(span, Group::span);
    let one = |param: &bt_words::Param, errors: &mut Errors| {
        let found = given.len();
        if let [Argument { name: None, value, .. }] = &*given {
            return Map::from_iter([(param.name.to_owned(), value.clone())]);
        }
        // An invalid argument has been reported.
        if args.is_none_or(|args| args.stream().is_empty()) || found > 0 {
            let named = if found == 1 { ", without a name" } else { "" };
            let help = format!("help: write `{name}({})`", param.example);
            errors.at(at, format!("`{name}` expects 1 argument{named}, found {found}\n{help}"));
        }
        Map::new()
    };
    match form {
        Form::Plain | Form::Weights => {
            if args.is_some() {
                errors.at(at, format!("`{name}` takes no arguments"));
            }
            Map::new()
        }
        Form::Maybe(..) if args.is_none() => Map::new(),
        Form::One(param) | Form::Maybe(param, _) => one(param, errors),
        Form::Action => Word::named(name).next().map_or_else(Map::new, |word| one(&word.row().params[0], errors)),
        Form::Options(params) | Form::Scores(params) => {
            let example = params.iter().map(|param| format!("{} = {}", param.name, of_option(param.ty)));
            let example = example.collect::<Vec<_>>().join(", ");
            named(name, given, &example, errors)
        }
    }
}

/// Returns an example of the value of an option.
fn of_option(ty: ParamType) -> &'static str {
    if let ParamType::Threshold(_) = ty { "2" } else { "0.1" }
}

fn named(name: &str, given: Vec<Argument>, example: &str, errors: &mut Errors) -> Map<String, Value> {
    let mut all = Map::new();
    for Argument { name: option, span, value, .. } in given {
        match option {
            None => errors.at(span, format!("`{name}` expects named options\nhelp: write `{name}({example})`")),
            Some(option) if all.contains_key(&option) => errors.at(span, format!("duplicate option `{option}`")),
            Some(option) => _ = all.insert(option, value),
        }
    }
    all
}

/// The arguments of a node that is no word: those with names, and the first ones, which have none.
#[derive(Default)]
pub(super) struct Own {
    pub(super) named: Map<String, Value>,
    pub(super) unnamed: Vec<(Span, Value)>,
}

impl Own {
    pub(super) fn of(args: Option<&Group>, errors: &mut Errors) -> Self {
        let mut own = Self::default();
        for Argument { name, span, value, is_name } in args.map(|args| arguments(args, errors)).unwrap_or_default() {
            if is_name {
                errors.at(span, not_constant(&value));
                continue;
            }
            match name {
                None if own.named.is_empty() => own.unnamed.push((span, value)),
                None => errors.at(span, "an argument without a name stands before those with names"),
                Some(name) if own.named.contains_key(&name) => {
                    errors.at(span, format!("argument `{name}` is given twice"));
                }
                Some(name) => _ = own.named.insert(name, value),
            }
        }
        own
    }
}
