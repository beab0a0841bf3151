//! The arguments of nodes as they are meant: times with units, and names with colons, are reported.

use bt_words::{Family, ParamType, Word};
use syn::Lit;

use crate::ast::Args;
use crate::errors::Errors;
use crate::keyword::{self, Form};
use crate::tokens::{Ident, Input, Span, Tree};

/// Returns the type of the first argument of a word.
pub(super) fn time(name: &str) -> Option<ParamType> {
    let of_keyword = keyword::find(name).and_then(|keyword| keyword.form.argument());
    let leaf = || Word::named(name).find(|word| word.row().family == Family::Leaf);
    of_keyword.or_else(|| leaf()?.row().params.first()).map(|param| param.ty)
}

/// Returns the arguments of a node. Reports the first time whose unit is not written as here, `5s` in a macro and `5 s` anywhere, and the first
/// name with a colon, `meters: 5`.
pub(super) fn arguments<'t>(word: Option<Ident<'t>>, arguments: Args<'t>, errors: &mut Errors) -> Args<'t> {
    let input = arguments.stream.input();
    let (mut has_unit, mut has_colon, mut is_closure, mut begins) = (false, false, false, true);
    while let Some(token) = input.peek_tree() {
        is_closure |= token.is_punct('|');
        if let Some(time) = with_unit(&input, errors) {
            let written = input.take(time.tokens);
            if !std::mem::replace(&mut has_unit, true) {
                let help = if errors.is_file() { time.in_file() } else { time.in_macro() };
                let found = written.written();
                errors.at(written.begin(), format!("expected a time, found `{found}`\nhelp: write `{help}`"));
            }
            begins = false;
        } else if begins
            && !is_closure
            && let Some((name, colon)) = named(&input)
        {
            if !std::mem::replace(&mut has_colon, true) {
                colon_after(name, colon, &input, has_names(word, errors), errors);
            }
            begins = false;
        } else {
            begins = token.is_punct(',');
            input.skip(1);
        }
    }
    Args { are_reported: arguments.are_reported || has_unit || has_colon, ..arguments }
}

/// Parses a name and the colon before its value.
fn named<'t>(input: &Input<'t>) -> Option<(Ident<'t>, Span<'t>)> {
    let mut next = input.rest().trees();
    let (Some(Tree::Ident(name)), Some(colon), Some(value)) = (next.next(), next.next(), next.next()) else {
        return None;
    };
    if !colon.is_punct(':') || value.is_punct(':') {
        return None;
    }
    input.skip(2);
    Some((name, colon.span()))
}

/// Reports a colon after the name of an argument. The input begins with its value.
fn colon_after<'t>(name: Ident<'t>, colon: Span<'t>, input: &Input<'t>, is_named: bool, errors: &mut Errors) {
    let value = input.fork().take_before(|input| input.peek(",")).written();
    if is_named {
        errors.at(colon, format!("expected `=` after `{name}`, found `:`\nhelp: write `{name} = {value}`"));
    } else {
        errors.at(name.span(), format!("expected a value, found a name before it, `{name}:`\nhelp: write `{value}`"));
    }
}

/// Returns `true` if arguments of this node have names.
fn has_names(word: Option<Ident<'_>>, errors: &Errors) -> bool {
    let name = word.map(Ident::text).unwrap_or_default();
    match keyword::find(name).map(|keyword| keyword.form) {
        Some(form) => matches!(form, Form::Options(_) | Form::Scores(_)),
        None => errors.is_file() && time(name).is_none(),
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

/// Returns the time that tokens begin with, if its unit is not written as here.
fn with_unit(input: &Input<'_>, errors: &Errors) -> Option<Time> {
    let mut next = input.rest().trees();
    let Some(Tree::Literal(literal)) = next.next() else { return None };
    let after = match next.next() {
        Some(Tree::Ident(word)) => word.text(),
        _ => "",
    };
    let may_be = |ends: &dyn Fn(&str) -> bool| keyword::TIMES.into_iter().any(|(_, unit)| ends(unit));
    // To read each number takes longer.
    if !(may_be(&|unit| after == unit) || !errors.is_file() && may_be(&|unit| literal.text().ends_with(unit))) {
        return None;
    }
    let (digits, suffix) = match literal.lit()? {
        Lit::Int(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        Lit::Float(number) => (number.base10_digits().to_owned(), number.suffix().to_owned()),
        _ => return None,
    };
    let (unit, tokens) = if suffix.is_empty() { (after, 2) } else { (&*suffix, 1) };
    let (function, unit) = keyword::TIMES.into_iter().find(|(_, known)| *known == unit)?;
    (tokens > 1 || !errors.is_file()).then_some(Time { digits, function, unit, tokens })
}
