//! Formats the text of a file: its trees as `tree!` would contain them.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident};

use super::comment::{INDENT, outdented};
use super::item::angles;
use super::{Formatted, Left, NotRust, Plain, Trees, format_some, has_same_tokens, not_rust};
use crate::file;
use crate::lex::{Token, tokens};

/// The text before a tree while it is formatted.
const OPEN: &str = "tree! {";

/// Formats the trees in the text of a file: one node, or `tree name { node }` for each. A tree with unknown syntax stays unchanged.
/// `width` is the maximum number of characters in a line.
///
/// ```
/// let text = bt_syntax::format::format_text("selector{near(10.0),attack ,}", 100).unwrap().text;
/// assert_eq!(text, "selector { near(10.0), attack }\n");
/// ```
///
/// # Errors
///
/// Returns an error if a delimiter or a literal is not closed.
pub fn format_text(source: &str, width: usize) -> Result<Formatted, NotRust> {
    format_trees(source, width, Trees::OfText)
}

/// Formats the trees in a text, also those with errors.
#[cfg(feature = "edit")]
pub(crate) fn format_edited(source: &str, width: usize) -> Result<Formatted, NotRust> {
    format_trees(source, width, Trees::All)
}

/// Returns `true` for the text of a file, also with errors, and `false` for a Rust source and for what is neither.
#[must_use]
pub fn is_text(source: &str) -> bool {
    let plain = Plain::of(source);
    let Ok(tokens) = tokens(&plain.text) else { return false };
    let is_name = |token: &Token| syn::parse_str::<Ident>(&plain.text[token.range()]).is_ok();
    let is_of_head = |token: &Token| match token {
        Token::Leaf { range, .. } => plain.text[range.clone()].starts_with('"'),
        Token::Group { delimiter, .. } => *delimiter == Delimiter::Parenthesis,
    };
    // No item of Rust is a name with braces.
    let is_node = match &tokens[..] {
        [name, head @ .., list] => is_name(name) && head.iter().all(is_of_head) && list.braces().is_some(),
        _ => false,
    };
    let has_names = matches!(&tokens[..], [tree, name, ..] if tree.is(&plain.text, "tree") && is_name(name));
    is_node || has_names || !tokens.is_empty() && file::read(source, |_| None).is_ok()
}

fn format_trees(source: &str, width: usize, which: Trees) -> Result<Formatted, NotRust> {
    let plain = Plain::of(source);
    let tokens = tokens(&plain.text).map_err(|error| not_rust(&plain.text, &error))?;
    let mut formatted = blocks(&plain.text, &tokens, Style { width, which })?;
    if !formatted.text.is_empty() && !formatted.text.ends_with('\n') {
        formatted.text.push('\n');
    }
    formatted.text = plain.restore(formatted.text);
    Ok(formatted)
}

/// Formats the body of each `tree name { node }`, or the whole text.
fn blocks(text: &str, tokens: &[Token], style: Style) -> Result<Formatted, NotRust> {
    let is_named = matches!(tokens, [tree, Token::Leaf { .. }, ..] if tree.is(text, "tree"));
    let mut all = Formatted::default();
    if !is_named {
        let inner = whole(text, style, &mut all.left)?;
        all.text = inner.filter(|inner| has_same_tokens(inner, text)).unwrap_or_else(|| text.to_owned());
        return Ok(all);
    }
    let mut copied = 0;
    for Body { inside: body, is_in_angles } in bodies(tokens, text) {
        all.text.push_str(&text[copied..body.start]);
        let line = text[..body.start].matches('\n').count() + 1;
        // What precedes the delimiter in its line.
        let before = text[..body.start].lines().next_back().unwrap_or_default().trim_end_matches('{').trim_end();
        let before = "a ".repeat(before.chars().count().saturating_sub(OPEN.len() - 2) / 2);
        let inner = inside(&before, &text[body.clone()], style, &mut all.left, line)?;
        let inner = inner.as_deref().unwrap_or(&text[body.clone()]);
        all.text.push_str(if is_in_angles { inner.trim() } else { inner });
        copied = body.end;
    }
    all.text.push_str(&text[copied..]);
    Ok(all)
}

/// How trees are formatted.
#[derive(Clone, Copy)]
struct Style {
    /// The maximum number of characters in a line.
    width: usize,
    which: Trees,
}

/// The body of a tree in a text.
struct Body {
    /// The content of its braces, or its angle brackets with their content.
    inside: Range<usize>,
    is_in_angles: bool,
}

/// Returns the body of each tree in a text: `tree name { node }` or `tree name < node >`.
fn bodies(mut tokens: &[Token], text: &str) -> Vec<Body> {
    let mut all = Vec::new();
    while let Some((token, rest)) = tokens.split_first() {
        if let Some(angles) = angles(tokens, text) {
            tokens = angles.rest;
            all.push(Body { inside: angles.open.start..angles.close.end, is_in_angles: true });
            continue;
        }
        tokens = rest;
        if let Some((open, close, _)) = token.braces() {
            all.push(Body { inside: open.end..close.start, is_in_angles: false });
        }
    }
    all
}

/// Formats a text that is one node. Returns `None` if it stays as it is.
fn whole(text: &str, style: Style, left: &mut Vec<Left>) -> Result<Option<String>, NotRust> {
    let of_width =
        |width: usize, left: &mut Vec<Left>| inside("", &format!("\n{text}\n"), Style { width, ..style }, left, 0);
    let inner = of_width(style.width + INDENT, left)?;
    // The braces are no part of the text, and angle brackets are in their lines.
    if inner.as_ref().is_some_and(|inner| inner.starts_with(" <")) {
        let in_line =
            of_width(style.width + OPEN.len() + 3, &mut Vec::new())?.filter(|text| !text.trim().contains('\n'));
        let text = if in_line.is_some() { in_line } else { of_width(style.width, &mut Vec::new())? };
        return Ok(text.map(|text| text.trim().to_owned()));
    }
    Ok(inner.map(|inner| {
        let lines = inner.trim_start_matches('\n').lines().map(outdented);
        lines.collect::<Vec<_>>().join("\n").trim().to_owned()
    }))
}

/// Formats the body of a `tree!` after `before` in its line, which is the line `first` of the text. Returns the content of its braces;
/// `None` if the body stays unchanged.
fn inside(
    before: &str,
    body: &str,
    style: Style,
    left: &mut Vec<Left>,
    first: usize,
) -> Result<Option<String>, NotRust> {
    let formatted = format_some(&format!("{before}{OPEN}{body}}}"), style.width, style.which)?;
    left.extend(
        formatted
            .left
            .iter()
            .map(|found| Left { line: (found.line + first).saturating_sub(1).max(1), ..found.clone() }),
    );
    let inner = formatted.text.strip_prefix(before).and_then(|text| text.strip_prefix(OPEN));
    let inner = inner.and_then(|text| text.trim_end().strip_suffix('}'));
    Ok(inner.filter(|_| formatted.left.is_empty()).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::{Left, format_text, is_text};

    fn formatted(text: &str) -> String {
        let formatted = format_text(text, 60).expect("it is closed");
        assert_eq!(formatted.left, [], "{text}");
        let again = format_text(&formatted.text, 60).expect("it is closed");
        assert_eq!(again.text, formatted.text);
        formatted.text
    }

    #[test]
    fn a_text_is_formatted_as_a_tree_in_rust() {
        assert_eq!(formatted("selector{a,b ,}"), "selector { a, b }\n");
        assert_eq!(
            formatted("// The guard.\n\nselector { sequence \"fight\" { near( 10.0 ), attack /* hard */ }\n patrol }"),
            "// The guard.\n\nselector {\n    sequence \"fight\" {\n        near(10.0),\n        attack, /* hard */\n    }\n    patrol,\n}\n"
        );
        assert_eq!(
            formatted("selector{#[disabled]a,b{c}  #[disabled]  d{ e }}"),
            "selector { #[disabled] a, b { c } #[disabled] d { e } }\n"
        );
        assert_eq!(formatted("\u{feff}selector {\r\n a, b }"), "\u{feff}selector { a, b }\r\n");
        assert_eq!(
            formatted("timeout( 1.5s ){ goto(speed=1,place = var( door )) }"),
            "timeout(1.5s) { goto(speed = 1, place = var(door)) }\n"
        );
    }

    #[test]
    fn each_tree_of_a_text_is_formatted() {
        let text = "// All trees.\ntree day { go( door=1 ) } // The first.\n\ntree go(door, to = 2) \"go\" {\nsequence{ a,b }}\n";
        let expected = "// All trees.\ntree day { go(door = 1) } // The first.\n\ntree go(door, to = 2) \"go\" { sequence { a, b } }\n";
        assert_eq!(formatted(text), expected);
        let long = "tree day { sequence { one_leaf, another_leaf, a_third_leaf, and_a_fourth_leaf } }";
        assert_eq!(
            formatted(long),
            "tree day {\n    sequence {\n        one_leaf,\n        another_leaf,\n        a_third_leaf,\n        and_a_fourth_leaf,\n    }\n}\n"
        );
    }

    #[test]
    fn lines_stay_indented_with_tabs() {
        for text in [
            "sequence {\n\ta, // x\n\tb,\n}\n",
            "// c\nsequence {\n\ta,\n\tselector {\n\t\tb, // x\n\t}\n}\n",
            "// c\n<\n\tsequence <\n\t\ta, // x\n\t>\n>\n",
            "tree a {\n\tsequence {\n\t\ta, // x\n\t}\n}\n",
        ] {
            assert_eq!(formatted(text), text);
        }
        assert_eq!(formatted("sequence {\n\t\ta, // x\n  b,\n}\n"), "sequence {\n\ta, // x\n\tb,\n}\n");
    }

    #[test]
    fn a_text_is_known_without_its_name() {
        for text in [
            "sequence{a,b}",
            "// c\n< sequence < a > >",
            "a(x = 1)",
            "if near(10.0) { a } else { b }",
            "tree x { a b }",
            "selector \"s\" { a b }",
            "\u{feff}timeout(5s) {\r\n |npc| a }",
            "tree a(door) { b }\ntree b { c }",
        ] {
            assert!(is_text(text), "{text}");
        }
        for source in [
            "",
            "// only a comment",
            "fn f() { tree! { a } }",
            "tree! { a }",
            "let t = tree! { sequence{a,b} };",
            "mod a;",
            "struct A { b: u8 }",
            "unsafe { a() }",
            "hello, world",
            "{\"root\": \"1\"}",
            "<root><a/></root>",
            "sequence {",
        ] {
            assert!(!is_text(source), "{source}");
        }
    }

    #[test]
    fn angle_brackets_are_around_the_root_or_the_delimiters_of_a_tree() {
        assert_eq!(formatted("<selector<a,b ,>>"), "< selector < a, b > >\n");
        let long = "< selector < one_leaf, another_leaf, a_third_leaf, and_a_fourth_leaf > >";
        let lines = "<\n    selector <\n        one_leaf,\n        another_leaf,\n        a_third_leaf,\n        and_a_fourth_leaf,\n    >\n>\n";
        assert_eq!(formatted(long), lines);
        assert_eq!(formatted(&format!("// All.\n{long}")).lines().next(), Some("// All."));
        assert_eq!(
            formatted(&format!("tree day(door) \"d\" <go(door=1)> // The first.\n\ntree go {long}")),
            format!("tree day(door) \"d\" < go(door = 1) > // The first.\n\ntree go {lines}")
        );
    }

    #[test]
    fn what_stays_is_reported_at_its_line() {
        let comment = "selector {\n    a /* one */, b\n}\n";
        for (text, line) in [
            (comment.to_owned(), 2),
            (format!("// All.\n< {} >", comment.trim_end()), 3),
            (format!("tree day {{ c }}\n\ntree go {{\n{comment}}}\n"), 5),
            (format!("tree go < {comment}>\n"), 2),
        ] {
            let left = format_text(&text, 60).expect("it is closed").left;
            assert!(matches!(*left, [Left { line: found, is_comment: true, .. }] if found == line), "{text}: {left:?}");
        }
    }

    #[test]
    fn what_is_not_known_stays() {
        assert_eq!(formatted("selector { goto({ x: 1 ,y:2 })  }"), "selector { goto({ x: 1 ,y:2 }) }\n");
        assert_eq!(format_text("a  @ b", 60).expect("it is closed").text, "a  @ b\n");
        assert!(format_text("selector {", 60).is_err());
        assert_eq!(format_text("a \"two\n    lines\"", 60).expect("it is closed").text, "a \"two\n    lines\"\n");
    }
}
