//! Rust expressions in trees, formatted by prettyplease.

use std::cell::RefCell;
use std::collections::HashMap;

use bt_words::is_identifier;
use syn::{Expr, File};

use super::Plain;
use super::comment::comments_of;
use crate::keyword::TIMES;
use crate::lex::ranges;

/// The expressions that were formatted. Each of them is asked for in every level of a tree, and again in every run.
#[derive(Default)]
pub(super) struct Known(RefCell<HashMap<String, Option<String>>>);

impl Known {
    /// Returns an expression in one line, as [`in_one_line`] does.
    pub(super) fn in_one_line(&self, text: &str) -> Option<String> {
        if let Some(known) = self.0.borrow().get(text) {
            return known.clone();
        }
        let line = in_one_line(text);
        self.0.borrow_mut().insert(text.to_owned(), line.clone());
        line
    }
}

/// Returns an expression in one line, or `None` if the text is not an expression, needs several lines, or contains a comment.
fn in_one_line(text: &str) -> Option<String> {
    if is_plain(text) {
        return Some(text.to_owned());
    }
    if has_comment(text) {
        return None;
    }
    parsed(text)
}

/// Returns an expression as prettyplease writes it.
fn parsed(text: &str) -> Option<String> {
    let _: Expr = syn::parse_str(text).ok()?;
    // As a statement, a closure or a path stands on a line of its own.
    let file: File = syn::parse_str(&format!("fn f() {{ let _ = {text}; }}")).ok()?;
    let formatted = prettyplease::unparse(&file);
    let line = formatted.strip_prefix("fn f() {\n    let _ = ")?.strip_suffix(";\n}\n")?;
    (!line.contains('\n')).then(|| line.to_owned())
}

/// Returns `true` for a short name, or a call with names, numbers and texts, as most nodes are: the parser of Rust would return it as it is.
fn is_plain(text: &str) -> bool {
    const MAX: usize = 60;
    let is_number = |text: &str| {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        are_digits(whole) && are_digits(part) && (whole.len() == 1 || !whole.starts_with('0'))
    };
    let is_time = |text: &str| TIMES.iter().any(|(_, unit)| text.strip_suffix(unit).is_some_and(is_number));
    let is_text = |text: &str| {
        let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inside.is_some_and(|inside| !inside.contains(['"', '\\', '\n']))
    };
    let is_value = |text: &str| is_number(text) || is_time(text) || is_text(text) || is_plain(text);
    let is_argument = |text: &str| match text.split_once(" = ") {
        Some((name, value)) => is_identifier(name) && is_value(value),
        None => is_value(text),
    };
    let (name, rest) = text.split_at(text.find('(').unwrap_or(text.len()));
    let are_plain = match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some("") => true,
        Some(arguments) => arguments.split(", ").all(is_argument),
        None => rest.is_empty(),
    };
    text.len() < MAX && name.split("::").all(is_identifier) && are_plain
}

/// Returns `true` if a text is an expression.
pub(super) fn is_expression(text: &str) -> bool {
    syn::parse_str::<Expr>(text).is_ok()
}

/// Returns a text with single spaces instead of line breaks and indentation. Returns `None` if it contains a comment, or a literal of several lines.
pub(super) fn joined(text: &str) -> Option<String> {
    if !text.contains('\n') {
        return Some(text.trim().to_owned());
    }
    if has_comment(text) || text.contains('"') {
        return None;
    }
    let mut line = String::new();
    for part in text.split('\n').map(str::trim).filter(|part| !part.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(part);
    }
    Some(line)
}

/// Returns `true` if the text contains a comment.
pub(super) fn has_comment(text: &str) -> bool {
    comments(text).is_none_or(|comments| !comments.is_empty())
}

/// Returns the number of comments in a text; 0 if the text is not Rust.
pub fn count_comments(text: &str) -> usize {
    let text = &Plain::of(text).text;
    gaps(text).unwrap_or_default().into_iter().filter_map(comments_of).map(|comments| comments.len() - 1).sum()
}

/// Returns the comments of a text, line by line, or `None` if the text is not Rust.
pub(super) fn comments(text: &str) -> Option<Vec<&str>> {
    Some(gaps(text)?.into_iter().flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect())
}

/// Returns what is between the tokens of a text.
fn gaps(text: &str) -> Option<Vec<&str>> {
    let end = text.len();
    let (mut gaps, mut last) = (Vec::new(), 0);
    for range in ranges(text).ok()?.chain(std::iter::once(end..end)) {
        if range.start > last {
            gaps.push(&text[last..range.start]);
        }
        last = range.end;
    }
    Some(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_formatted() {
        assert_eq!(in_one_line("walk( 3 ,4 )").as_deref(), Some("walk(3, 4)"));
        assert_eq!(in_one_line("|n:&mut u32|*n+=1").as_deref(), Some("|n: &mut u32| *n += 1"));
        assert_eq!(in_one_line("walk(3 /* m */)"), None);
        assert_eq!(in_one_line("timeout(secs(5)) \"label\""), None);
    }

    #[test]
    fn what_is_plain_is_returned_as_the_parser_would() {
        for (text, is_plain) in [
            ("attack", true),
            ("guard::attack", true),
            ("wait(secs)", true),
            ("repeat(3, n)", true),
            ("walk()", true),
            ("near(1.5)", true),
            ("wait(secs(2))", true),
            ("wait(2s)", true),
            ("wait(1.5ms)", true),
            ("near(3e)", false),
            ("say(\"a (b), c\")", false),
            ("goto(place = \"a\", speed = 2)", true),
            ("a(b = c = d)", false),
            ("a(1.)", false),
            ("a(b(1, 2))", false),
            ("a()b", false),
            ("a(b)(c)", false),
            ("a(1,2)", false),
            ("a(01)", false),
            ("if", false),
            ("a::if", false),
            ("r#if", false),
            ("a b", false),
        ] {
            assert_eq!(super::is_plain(text), is_plain, "{text}");
            // As the parser would, if it were asked.
            assert!(!is_plain || parsed(text).as_deref() == Some(text), "{text}");
        }
    }

    #[test]
    fn comments_are_found_outside_of_literals() {
        assert!(has_comment("a // b") && has_comment("a /* b */ + c"));
        assert!(!has_comment("say(\"// no comment\")"));
    }
}
