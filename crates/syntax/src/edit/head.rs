//! The name of a node, and its arguments.

use bt_behavior3::parts::call;
use bt_words::Word;
use proc_macro2::Delimiter;

use crate::keyword;
use crate::lex::{Token, is_pair, range_of, tokens};

/// A head, taken apart.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// The kind of arguments: of a call, or a part of the syntax.
    pub(super) form: Form,
    /// The name of a node, with the path before it; empty for other Rust.
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
}

/// An argument, with its name if it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Argument {
    pub(super) name: Option<String>,
    pub(super) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// `name`, `name(arguments)`.
    Call,
    /// `if condition`, `match value`, `state name`.
    Keyword,
    /// `condition -> state`.
    Transition,
    /// `enter: action`, `exit: action`.
    Hook,
    /// A closure, or other Rust, which is one argument.
    Rust,
}

const KEYWORDS: [&str; 5] = ["if", "mem_if", "match", "mem_match", "state"];

impl Head {
    /// Takes a head apart.
    pub(super) fn of(head: &str) -> Self {
        let one = |form, name: &str, text: &str| Self {
            form,
            name: name.to_owned(),
            arguments: vec![Argument { name: None, text: text.to_owned() }],
        };
        let rust = || one(Form::Rust, "", head);
        let Ok(all) = tokens(head) else { return rust() };
        let Some(first) = all.first() else { return rust() };
        let word = &head[first.range()];
        if KEYWORDS.contains(&word)
            && all.len() > 1
            && !matches!(all[1], Token::Group { .. } if all.len() == 2 && !word.ends_with("if"))
        {
            return one(Form::Keyword, word, head[first.range().end..].trim());
        }
        if let Some((word @ ("enter" | "exit"), action)) = head.split_once(':')
            && !action.starts_with(':')
        {
            return one(Form::Hook, word, action.trim());
        }
        if let [.., dash, more, to @ Token::Leaf { .. }] = &all[..]
            && dash.is(head, "-")
            && more.is(head, ">")
        {
            let mut of = one(Form::Transition, "->", head[..dash.range().start].trim());
            of.arguments.push(Argument { name: None, text: head[to.range()].to_owned() });
            return of;
        }
        let (path, group) = match &all[..] {
            [path @ .., group @ Token::Group { delimiter: Delimiter::Parenthesis, .. }] => (path, Some(group)),
            path => (path, None),
        };
        let is_path = !path.is_empty()
            && path.iter().all(|token| match token {
                Token::Leaf { range, .. } => {
                    is_part_of_path(&head[range.clone()]) || path.len() == 1 && head[range.clone()].starts_with('"')
                }
                Token::Group { .. } => false,
            });
        if !is_path {
            return rust();
        }
        let end = path.last().map_or(0, |last| last.range().end);
        let arguments = match group {
            Some(Token::Group { inner, .. }) => split(inner, head),
            _ => Vec::new(),
        };
        Self { form: Form::Call, name: head[..end].to_owned(), arguments }
    }

    /// Returns the head as text.
    pub(super) fn text(&self) -> String {
        let argument = |index: usize| self.arguments.get(index).map_or("", |argument| &argument.text);
        match self.form {
            Form::Rust => argument(0).to_owned(),
            Form::Keyword => format!("{} {}", self.name, argument(0)),
            Form::Hook => format!("{}: {}", self.name, argument(0)),
            Form::Transition => format!("{} -> {}", argument(0), argument(1)),
            Form::Call => {
                let argument = |Argument { name, text }: &Argument| match name {
                    Some(name) => format!("{name} = {text}"),
                    None => text.clone(),
                };
                call(&*self.name, self.arguments.iter().map(argument))
            }
        }
    }

    /// Returns its name without a path before it, or quotes around it.
    pub(super) fn last_name(&self) -> &str {
        let name = self.name.rsplit("::").next().unwrap_or_default().trim();
        name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
    }

    /// Returns the argument at an index of the text of a head.
    pub(super) fn argument_at(text: &str, at: usize) -> Option<usize> {
        let mut from = 0;
        Self::of(text).arguments.iter().position(|argument| {
            let begin = text[from..].find(&*argument.text).map_or(from, |found| from + found);
            let name =
                argument.name.as_ref().and_then(|name| text[from..begin].rfind(&**name).map(|found| from + found));
            from = begin + argument.text.len();
            (name.unwrap_or(begin)..from).contains(&at)
        })
    }

    /// Returns `true` for a word whose arguments have names.
    pub(super) fn takes_options(&self) -> bool {
        let form = keyword::find(self.last_name()).map(|keyword| keyword.form);
        matches!(form, Some(keyword::Form::Options(_) | keyword::Form::Scores(_)))
    }

    /// Returns the index of the argument of a name, or of the only one. `None` if it is written with its name, or would be.
    pub(super) fn index_of(&self, name: Option<&str>, is_named: bool) -> Result<Option<usize>, String> {
        let Some(name) = name else { return Ok(Some(0)) };
        let is_written = self.arguments.iter().any(|argument| argument.name.as_deref() == Some(name));
        if is_written || is_named && self.arguments.iter().all(|argument| argument.name.is_some()) {
            return Ok(None);
        }
        if self.form != Form::Call && self.arguments.len() == 1 {
            return Ok(Some(0));
        }
        let params = || Word::named(self.last_name()).flat_map(|word| word.row().params);
        let index = params().position(|param| param.name == name);
        let help = "help: write its index, from 0, as in `argument 5 0 secs(3)`";
        let unknown = || format!("which argument of `{}` is `{name}` is not known here; {help}", self.text());
        index.map(Some).ok_or_else(unknown)
    }

    /// Replaces an argument, by its name if it is written with it, or else by its index. `None` removes it. A new one gets its name if `is_named`.
    pub(super) fn set(
        &mut self,
        index: Option<usize>,
        name: Option<&str>,
        value: Option<&str>,
        is_named: bool,
    ) -> Result<(), String> {
        let by_name = |argument: &Argument| name.is_some() && argument.name.as_deref() == name;
        let at_index = |argument: &&Argument| name.is_none() || argument.name.is_none();
        let found = self.arguments.iter().position(by_name);
        let found = found.or(index.filter(|index| self.arguments.get(*index).as_ref().is_some_and(at_index)));
        let count = self.arguments.len();
        match (found, value) {
            (Some(index), Some(value)) => value.trim().clone_into(&mut self.arguments[index].text),
            (Some(index), None) if self.form == Form::Call => _ = self.arguments.remove(index),
            (None, Some(value)) if self.form == Form::Call && (is_named && name.is_some() || index == Some(count)) => {
                let name = name.filter(|_| is_named).map(str::to_owned);
                self.arguments.push(Argument { name, text: value.trim().to_owned() });
            }
            (None, None) if self.form == Form::Call => {}
            (None, Some(_)) if self.form == Form::Call => {
                return Err(format!(
                    "argument {} of `{}`, counted from 0, follows other arguments: write them first",
                    index.unwrap_or(count),
                    self.name
                ));
            }
            (None, Some(_)) => {
                return Err(format!("`{}` has no argument {}, counted from 0", self.text(), index.unwrap_or(count)));
            }
            _ => return Err(format!("a part of `{}` is required and cannot be removed", self.text())),
        }
        Ok(())
    }
}

fn is_part_of_path(text: &str) -> bool {
    text == ":" || text == "&" || text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
}

/// Splits arguments at their commas. One between the bars of a closure, or in the angle brackets of a path, separates nothing.
fn split(tokens: &[Token], text: &str) -> Vec<Argument> {
    let (mut all, mut start, mut in_bars, mut angles) = (Vec::new(), 0, false, 0_usize);
    for (index, token) in tokens.iter().enumerate() {
        let before = &tokens[start..index];
        let is_after = |sign| before.last().is_some_and(|last| last.is(text, sign));
        if token.is(text, "|") {
            in_bars = !in_bars && (before.is_empty() || is_after("=") || is_after("move"));
        } else if token.is(text, "<") && (angles > 0 || in_bars || before.is_empty() || is_after(":")) {
            angles += 1;
        } else if token.is(text, ">") && angles > 0 && !is_after("-") {
            angles -= 1;
        } else if token.is(text, ",") && !in_bars && angles == 0 {
            all.extend(argument(before, text));
            start = index + 1;
        }
    }
    all.extend(argument(&tokens[start..], text));
    all
}

fn argument(tokens: &[Token], text: &str) -> Option<Argument> {
    let (name, value) = match tokens {
        [name @ Token::Leaf { .. }, equals, value @ ..]
            if equals.is(text, "=") && !value.is_empty() && !is_pair(&tokens[1..], text, "=", "=") =>
        {
            (Some(text[name.range()].to_owned()), value)
        }
        all => (None, all),
    };
    Some(Argument { name, text: text[range_of(value)?].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(head: &str) -> (Form, String, Vec<String>) {
        let of = Head::of(head);
        assert_eq!(of.text(), head);
        let argument = |Argument { name, text }: &Argument| match name {
            Some(name) => format!("{name}={text}"),
            None => text.clone(),
        };
        (of.form, of.name.clone(), of.arguments.iter().map(argument).collect())
    }

    fn expected(form: Form, name: &str, arguments: &[&str]) -> (Form, String, Vec<String>) {
        (form, name.to_owned(), arguments.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn a_head_has_a_name_and_arguments() {
        assert_eq!(parts("wait"), expected(Form::Call, "wait", &[]));
        assert_eq!(
            parts("a::goto(HOME, |a, b| f(a, b), 3.5)"),
            expected(Form::Call, "a::goto", &["HOME", "|a, b| f(a, b)", "3.5"])
        );
        assert_eq!(
            parts("goto(speed = 1, place = var(door))"),
            expected(Form::Call, "goto", &["speed=1", "place=var(door)"])
        );
        assert_eq!(parts("\"walk to\"(x = 1)"), expected(Form::Call, "\"walk to\"", &["x=1"]));
        assert_eq!(parts("if near(3) && !far"), expected(Form::Keyword, "if", &["near(3) && !far"]));
        assert_eq!(parts("match |npc: &Npc| npc.mood"), expected(Form::Keyword, "match", &["|npc: &Npc| npc.mood"]));
        assert_eq!(parts("state idle"), expected(Form::Keyword, "state", &["idle"]));
        assert_eq!(parts("!scared(1) -> fear"), expected(Form::Transition, "->", &["!scared(1)", "fear"]));
        assert_eq!(parts("enter: shout(1)"), expected(Form::Hook, "enter", &["shout(1)"]));
        assert_eq!(parts("|g: &mut G| g.go()"), expected(Form::Rust, "", &["|g: &mut G| g.go()"]));
        assert_eq!(parts("walk(1).fast()"), expected(Form::Rust, "", &["walk(1).fast()"]));
        assert_eq!(parts("state(5)"), expected(Form::Call, "state", &["5"]));
        assert_eq!(Head::of("a::b::goto(1)").last_name(), "goto");
        assert_eq!(Head::of("\"walk to\"").last_name(), "walk to");
    }

    #[test]
    fn an_argument_is_set_by_index_or_name() {
        let set = |head: &str, index, name, value| {
            let mut of = Head::of(head);
            of.set(Some(index), name, value, true).map(|()| of.text())
        };
        assert_eq!(set("wait(secs(1))", 0, None, Some(" secs(2) ")), Ok("wait(secs(2))".into()));
        assert_eq!(set("goto(speed = 1)", 0, Some("speed"), Some("2")), Ok("goto(speed = 2)".into()));
        assert_eq!(set("goto", 0, Some("speed"), Some("2")), Ok("goto(speed = 2)".into()));
        assert_eq!(set("goto(speed = 1)", 0, Some("speed"), None), Ok("goto".into()));
        assert_eq!(set("repeat", 0, None, Some("3")), Ok("repeat(3)".into()));
        assert_eq!(set("if a", 0, None, Some("b && c")), Ok("if b && c".into()));
        assert_eq!(set("a -> b", 1, None, Some("c")), Ok("a -> c".into()));
        assert_eq!(set("goto(1)", 0, Some("speed"), Some("2")), Ok("goto(2)".into()));
        assert_eq!(set("goto(b = 1)", 0, Some("a"), Some("2")), Ok("goto(b = 1, a = 2)".into()));
        assert!(set("repeat", 1, None, Some("3")).is_err() && set("if a", 0, None, None).is_err());
    }
}
