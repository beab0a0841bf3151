//! Formats the text of a file: its trees as `tree!` would contain them.

use proc_macro2::{Delimiter, Ident};

use super::Plain;
use super::trees::{Formatted, NotRust, Trees, format_some};
use crate::file;
use crate::lex::{Token, tokens};

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
    format_trees(source, width, false)
}

/// Formats the trees in a text, also those with errors.
#[cfg(feature = "edit")]
pub(crate) fn format_edited(source: &str, width: usize) -> Result<Formatted, NotRust> {
    format_trees(source, width, true)
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

fn format_trees(source: &str, width: usize, with_errors: bool) -> Result<Formatted, NotRust> {
    let plain = Plain::of(source);
    let mut formatted = format_some(&plain.text, width, Trees::OfText { with_errors })?;
    let is_formatted = formatted.left.is_empty() || formatted.text != plain.text;
    if is_formatted && !formatted.text.is_empty() && !formatted.text.ends_with('\n') {
        formatted.text.push('\n');
    }
    formatted.text = plain.restore(formatted.text);
    Ok(formatted)
}

#[cfg(test)]
mod tests {
    use super::super::trees::Left;
    use super::{format_text, is_text};

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
    fn what_is_in_no_tree_is_reported() {
        for (text, line) in [("tree a { b }\nfoo\n", 2), ("tree a { b };\n", 1)] {
            let left = format_text(text, 60).expect("it is closed").left;
            assert!(matches!(&*left, [Left { line: found, error: Some(_), .. }] if *found == line), "{text}: {left:?}");
        }
    }

    #[test]
    fn what_is_not_known_stays() {
        assert_eq!(formatted("selector { goto({ x: 1 ,y:2 })  }"), "selector { goto({ x: 1 ,y:2 }) }\n");
        assert_eq!(format_text("a  @ b", 60).expect("it is closed").text, "a  @ b");
        assert!(format_text("selector {", 60).is_err());
        assert_eq!(format_text("a \"two\n    lines\"", 60).expect("it is closed").text, "a \"two\n    lines\"\n");
    }
}
