//! The arguments of nodes as they are meant: times with units, and names with colons, are reported.

use bt_words::{Family, ParamType, Word};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::{Ident, Lit};

use super::tokens::is_punct;
use crate::errors::Errors;
use crate::keyword::{self, Form};
use crate::text;

/// Returns the type of the first argument of a word.
pub(super) fn time(name: &str) -> Option<ParamType> {
    let of_keyword = keyword::find(name).and_then(|keyword| keyword.form.argument());
    let leaf = || Word::named(name).find(|word| word.row().family == Family::Leaf);
    of_keyword.or_else(|| leaf()?.row().params.first()).map(|param| param.ty)
}

/// Returns the arguments of a node as they are meant. Reports the first time whose unit is not written as here, `5s` in a macro and `5 s`
/// anywhere, and the first name with a colon, `meters: 5`.
pub(super) fn arguments(word: Option<&Ident>, arguments: Group, errors: &mut Errors) -> Group {
    let tokens: Vec<_> = arguments.stream().into_iter().collect();
    let (mut meant, mut has_unit, mut has_colon, mut is_closure) = (TokenStream::new(), false, false, false);
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let rest = &tokens[index..];
        is_closure |= is_punct(token, '|');
        if let Some(time) = with_unit(rest).filter(|time| time.tokens > 1 || !errors.is_file()) {
            if !std::mem::replace(&mut has_unit, true) {
                let found = text::written(rest[..time.tokens].iter().cloned().collect());
                let help = if errors.is_file() { time.in_file() } else { time.in_macro() };
                errors.at(token.span(), format!("expected a time, found `{found}`\nhelp: write `{help}`"));
            }
            meant.extend(quote!(__bt_core::secs(1)));
            index += time.tokens;
        } else if let [TokenTree::Ident(name), colon, value, ..] = rest
            && (index == 0 || is_punct(&tokens[index - 1], ','))
            && !is_closure
            && is_punct(colon, ':')
            && !is_punct(value, ':')
        {
            let is_named = has_names(word, errors);
            if !std::mem::replace(&mut has_colon, true) {
                colon_after(name, colon, &rest[2..], is_named, errors);
            }
            meant.extend(is_named.then(|| quote!(#name =)));
            index += 2;
        } else {
            meant.extend([token.clone()]);
            index += 1;
        }
    }
    if !(has_unit || has_colon) {
        return arguments;
    }
    let mut group = Group::new(arguments.delimiter(), meant);
    group.set_span(arguments.span());
    group
}

/// Reports a colon after the name of an argument. `rest` begins with its value.
fn colon_after(name: &Ident, colon: &TokenTree, rest: &[TokenTree], is_named: bool, errors: &mut Errors) {
    let value = text::written(rest.iter().take_while(|token| !is_punct(token, ',')).cloned().collect());
    if is_named {
        errors.at(colon.span(), format!("expected `=` after `{name}`, found `:`\nhelp: write `{name} = {value}`"));
    } else {
        errors.at(name.span(), format!("expected a value, found a name before it, `{name}:`\nhelp: write `{value}`"));
    }
}

/// Returns `true` if arguments of this node have names.
fn has_names(word: Option<&Ident>, errors: &Errors) -> bool {
    let name = word.map(ToString::to_string).unwrap_or_default();
    match keyword::find(&name).map(|keyword| keyword.form) {
        Some(form) => matches!(form, Form::Options(_) | Form::Scores(_)),
        None => errors.is_file() && time(&name).is_none(),
    }
}

/// A time as it is written in files, possibly with a space before its unit.
struct Time {
    digits: String,
    function: &'static str,
    unit: &'static str,
    /// The number of its tokens.
    tokens: usize,
}

impl Time {
    fn in_file(&self) -> String {
        format!("{}{}", self.digits, self.unit)
    }

    fn in_macro(&self) -> String {
        let of_type = if self.function.starts_with("from_") { "Duration::" } else { "" };
        format!("{of_type}{}({})", self.function, self.digits)
    }
}

/// Returns the time that tokens begin with, if they do.
fn with_unit(tokens: &[TokenTree]) -> Option<Time> {
    let [TokenTree::Literal(literal), rest @ ..] = tokens else { return None };
    let (digits, suffix) = match Lit::new(literal.clone()) {
        Lit::Int(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        Lit::Float(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        _ => return None,
    };
    let (unit, tokens) = match rest.first() {
        Some(TokenTree::Ident(unit)) if suffix.is_empty() => (unit.to_string(), 2),
        _ => (suffix, 1),
    };
    let (function, unit) = keyword::TIMES.into_iter().find(|(_, known)| *known == unit)?;
    Some(Time { digits, function, unit, tokens })
}
