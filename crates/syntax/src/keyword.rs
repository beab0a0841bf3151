//! The syntax of keywords, derived from the table of words.

use bt_words::{Family, Param, ParamType, Word, Written};

/// The keyword of a tree over a part of the context. It is not a node, and files cannot use it.
pub const WITHIN: &str = "within";

/// The functions of times, and the units that they mean in files: `500ms`. The first one of each unit is the shortest.
pub(crate) const TIMES: [(&str, &str); 8] = [
    ("secs", "s"),
    ("millis", "ms"),
    ("from_secs", "s"),
    ("from_secs_f64", "s"),
    ("from_secs_f32", "s"),
    ("from_millis", "ms"),
    ("from_micros", "us"),
    ("from_nanos", "ns"),
];

/// Units as they are spoken, and those that are longer: their names, which may be shortened, the unit that is written, and how many of it they are.
const SPOKEN: [(&str, &str, f64); 5] = [
    ("seconds", "s", 1.0),
    ("milliseconds", "ms", 1.0),
    ("minutes", "s", 60.0),
    ("hours", "s", 3600.0),
    ("days", "s", 86_400.0),
];

/// Returns the unit that is written for another one, `min` or `seconds`, and how many of it that is.
pub(crate) fn spoken(unit: &str) -> Option<(&'static str, f64)> {
    let begin = if unit == "m" { "min" } else { unit.trim_end_matches('s') };
    let (_, unit, count) = SPOKEN.into_iter().find(|(name, ..)| !begin.is_empty() && name.starts_with(begin))?;
    Some((unit, count))
}

/// The outcomes of a machine, as targets of transitions. They cannot name states.
pub const OUTCOMES: [&str; 2] = ["success", "failure"];

/// A keyword before a list of children.
pub struct Keyword {
    /// The word. If two words share the name, the word without arguments.
    pub word: Word,
    /// The syntax of its arguments.
    pub form: Form,
}

/// The syntax of the arguments between a keyword and its children.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Nothing.
    Plain,
    /// Nothing. Each child may have a weight before it.
    Weights,
    /// Possibly one option by name. Each child has a score before it.
    Scores(&'static [Param]),
    /// Options by name.
    Options(&'static [Param]),
    /// One expression.
    One(&'static Param),
    /// An optional expression. With it, the keyword means this word.
    Maybe(&'static Param, Word),
    /// A time, and a node that is not a child.
    Action(&'static Param),
}

impl Form {
    /// Returns the argument that is one expression, always or possibly.
    pub(crate) const fn argument(self) -> Option<&'static Param> {
        match self {
            Self::One(param) | Self::Maybe(param, _) | Self::Action(param) => Some(param),
            Self::Plain | Self::Weights | Self::Scores(_) | Self::Options(_) => None,
        }
    }
}

/// Returns the form of a word; `None` if `tree!` has no syntax for its arguments.
pub(crate) fn form(word: Word) -> Option<Form> {
    let params = word.row().params;
    Some(match params {
        [] => Form::Plain,
        [param] if param.ty == ParamType::Weights => Form::Weights,
        [options @ .., scores] if scores.ty == ParamType::Scores => Form::Scores(options),
        [param] if param.ty.written() == Written::Expression => Form::One(param),
        [param, action] if [param.ty.written(), action.ty.written()] == [Written::Expression, Written::Node] => {
            Form::Action(param)
        }
        params if params.iter().all(|param| param.ty.written() == Written::Option) => Form::Options(params),
        _ => return None,
    })
}

/// Returns the words that are written before a list of children.
fn keywords() -> impl Iterator<Item = Word> {
    Word::ALL.iter().copied().filter(|word| word.is_before_children())
}

/// Returns the keyword of this name.
pub fn find(name: &str) -> Option<Keyword> {
    let mut words = Word::named(name).filter(|word| word.is_before_children());
    let word = words.next()?;
    let form = match words.next().map(|other| (other, form(other))) {
        Some((other, Some(Form::One(param)))) => Form::Maybe(param, other),
        _ => form(word)?,
    };
    Some(Keyword { word, form })
}

/// Returns `true` if this is a keyword before a list of children.
pub fn is_keyword(name: &str) -> bool {
    name == WITHIN || find(name).is_some()
}

/// Returns `true` if this keyword has an argument before its children, always or possibly.
pub fn takes_argument(name: &str) -> bool {
    name == WITHIN || find(name).is_some_and(|keyword| keyword.form.argument().is_some())
}

/// Returns `true` for a keyword before one child.
pub(crate) fn takes_one_child(name: &str) -> bool {
    name == WITHIN || find(name).is_some_and(|keyword| keyword.word.row().family == Family::Decorator)
}

/// Returns `true` if the last argument of this keyword is a node.
pub fn takes_action(name: &str) -> bool {
    find(name).is_some_and(|keyword| matches!(keyword.form, Form::Action(_)))
}

/// Returns the names of all keywords.
pub fn names() -> impl Iterator<Item = &'static str> {
    keywords().map(Word::name).chain([WITHIN])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_has_a_form() {
        for word in keywords() {
            assert!(form(word).is_some() && find(word.name()).is_some(), "{}", word.name());
        }
    }
}
