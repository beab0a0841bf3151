//! The arguments of nodes as they are meant: times with units, and names with colons, are reported.

use bt_words::{Family, ParamType, Word};

use super::tokens::is_colon;
use crate::ast::Args;
use crate::errors::Errors;
use crate::keyword::{self, Form};
use crate::tokens::{Ident, Input, TokenStream, Tree};

/// Returns the type of the first argument of a word.
pub(super) fn time(name: &str) -> Option<ParamType> {
    let of_keyword = keyword::find(name).and_then(|keyword| keyword.form.argument());
    let leaf = || Word::named(name).find(|word| word.row().family == Family::Leaf);
    of_keyword.or_else(|| leaf()?.row().params.first()).map(|param| param.ty)
}

/// Returns the arguments of a node. Reports the first time whose unit is not written as here, `5s` in a macro and `5 s` anywhere, or percentage,
/// and the first name with another sign than `=`, such as `meters: 5`.
pub(crate) fn arguments<'t>(word: Option<Ident<'t>>, arguments: Args<'t>, errors: &mut Errors) -> Args<'t> {
    let input = arguments.stream.input();
    let (mut has_unit, mut has_colon, mut is_closure, mut begins) = (false, false, false, true);
    while let Some(token) = input.peek_tree() {
        is_closure |= token.is_punct('|');
        if let Some(Meant { expected, found, help, tokens }) = with_unit(&input, errors).or_else(|| percentage(&input))
        {
            let written = input.take(tokens);
            if !std::mem::replace(&mut has_unit, true) {
                errors.at(written.begin(), format!("expected {expected}, found `{found}`\nhelp: write `{help}`"));
            }
            begins = false;
        } else if begins
            && !is_closure
            && let Some((name, sign)) = named(&input, has_names(word, errors))
        {
            if !std::mem::replace(&mut has_colon, true) {
                sign_after(name, sign, &input, has_names(word, errors), errors);
            }
            begins = false;
        } else {
            begins = token.is_punct(',');
            input.skip(1);
        }
    }
    Args { are_reported: arguments.are_reported || has_unit || has_colon, ..arguments }
}

/// Parses a name and the sign before its value: `:`, `:=`, or `==` if arguments have names.
fn named<'t>(input: &Input<'t>, has_names: bool) -> Option<(Ident<'t>, TokenStream<'t>)> {
    let (ahead, name) = (input.after(), input.peek_word()?);
    let longer = [(":=", true), ("==", has_names)].into_iter().find(|(sign, may_be)| *may_be && ahead.peek(sign));
    let tokens = if longer.is_some() { 2 } else { usize::from(is_colon(&ahead)) };
    ahead.skip(tokens);
    if tokens == 0 || ahead.is_empty() {
        return None;
    }
    input.skip(1);
    Some((name, input.take(tokens)))
}

/// Reports another sign than `=` after the name of an argument. The input begins with its value.
fn sign_after<'t>(name: Ident<'t>, sign: TokenStream<'t>, input: &Input<'t>, has_names: bool, errors: &mut Errors) {
    let value = input.fork().take_before(|input| input.peek(",")).written();
    let found = sign.written();
    if has_names {
        errors
            .at(sign.begin(), format!("expected `=` after `{name}`, found `{found}`\nhelp: write `{name} = {value}`"));
    } else {
        errors.at(
            name.span(),
            format!("expected a value, found a name before it, `{name}{found}`\nhelp: write `{value}`"),
        );
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

/// A time or a probability that is written as elsewhere.
struct Meant {
    expected: &'static str,
    found: String,
    help: String,
    /// The number of its tokens.
    tokens: usize,
}

/// Returns the time that tokens begin with, if its unit is not written as here: possibly with a space before it, and in a macro as in files.
fn with_unit(input: &Input<'_>, errors: &Errors) -> Option<Meant> {
    let mut next = input.rest().trees();
    let Some(Tree::Literal(literal)) = next.next() else { return None };
    let after = match next.next() {
        Some(Tree::Ident(word)) => word.text(),
        _ => "",
    };
    let may_be = |ends: &dyn Fn(&str) -> bool| keyword::TIMES.into_iter().any(|(_, unit)| ends(unit));
    let is_after = may_be(&|unit| after == unit);
    let other = if is_after { None } else { keyword::spoken(after) };
    // To read each number takes longer.
    let is_of_macro = || !errors.is_file() && may_be(&|unit| literal.text().ends_with(unit));
    if !(is_after || other.is_some() || is_of_macro()) {
        return None;
    }
    let (mut digits, suffix, _) = literal.number()?;
    let (mut unit, tokens) = if suffix.is_empty() { (after, 2) } else { (&*suffix, 1) };
    if let Some((known, count)) = other.filter(|_| tokens > 1) {
        (unit, digits) = (known, (digits.parse::<f64>().ok()? * count).to_string());
    }
    let (function, unit) = keyword::TIMES.into_iter().find(|(_, known)| *known == unit)?;
    let of_type = if function.starts_with("from_") { "Duration::" } else { "" };
    let help = if errors.is_file() { format!("{digits}{unit}") } else { format!("{of_type}{function}({digits})") };
    let found = input.fork().take(tokens).written();
    (tokens > 1 || !errors.is_file()).then_some(Meant { expected: "a time", found, help, tokens })
}

/// Returns the percentage that tokens begin with, if it is a whole argument.
fn percentage(input: &Input<'_>) -> Option<Meant> {
    let ahead = input.fork();
    let literal = ahead.literal().filter(|_| ahead.eat("%").is_some())?;
    if !(ahead.is_empty() || ahead.peek(",")) {
        return None;
    }
    let percent: f64 = literal.number()?.0.parse().ok()?;
    let (found, help) = (format!("{}%", literal.text()), format!("{:?}", percent / 100.0));
    Some(Meant { expected: "a probability from 0.0 to 1.0", found, help, tokens: 2 })
}

/// Reports a variable as it is written in files, `var(hp)`, among the arguments of a macro. Returns whether there is one.
pub(super) fn variable(arguments: Args<'_>, errors: &mut Errors) -> bool {
    if errors.is_file() {
        return false;
    }
    let tokens: Vec<_> = arguments.stream.trees().collect();
    let is_end = |token: Option<&Tree<'_>>| token.is_none_or(|token| token.is_punct(','));
    for index in 0..tokens.len() {
        let [Tree::Ident(word), Tree::Group(name), rest @ ..] = &tokens[index..] else { continue };
        let is_alone = is_end(index.checked_sub(1).map(|before| &tokens[before])) && is_end(rest.first());
        let names: Vec<_> = name.stream().trees().collect();
        let [name] = &*names else { continue };
        if *word != "var" || !is_alone {
            continue;
        }
        let name = name.to_string();
        let (name, constant) = (name.trim_matches('"'), name.trim_matches('"').to_uppercase().replace(' ', "_"));
        let help = format!(
            "help: write the key of the variable, `{constant}`, where `const {constant}: Key<_> = Key::new(\"{name}\")`"
        );
        errors.at(word.span(), format!("`var({name})` is only allowed in a file\n{help}"));
        return true;
    }
    false
}
