//! Rust expressions in trees, formatted by prettyplease.

use std::cell::RefCell;
use std::collections::HashMap;

use syn::{Expr, File};

use super::Plain;
use super::comment::comments_of;
use crate::lex::{ranges, tokens};

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
    if has_comment(text) {
        return None;
    }
    let _: Expr = syn::parse_str(text).ok()?;
    // As a statement, a closure or a path stands on a line of its own.
    let file: File = syn::parse_str(&format!("fn f() {{ let _ = {text}; }}")).ok()?;
    let formatted = prettyplease::unparse(&file);
    let line = formatted.strip_prefix("fn f() {\n    let _ = ")?.strip_suffix(";\n}\n")?;
    (!line.contains('\n')).then(|| line.to_owned())
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
    for range in ranges(&tokens(text).ok()?).into_iter().chain([end..end]) {
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
    fn comments_are_found_outside_of_literals() {
        assert!(has_comment("a // b") && has_comment("a /* b */ + c"));
        assert!(!has_comment("say(\"// no comment\")"));
    }
}
