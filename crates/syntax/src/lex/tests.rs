//! The tokens are those of `proc_macro2`, at the same places.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use proptest::prelude::*;

use super::{MAX_DELIMITERS, Token, tokens};
use crate::file::on_a_thread;

/// A token or a delimiter: its text, where it begins, and whether a sign follows at once.
type Flat = (String, usize, bool);

/// The tokens of a text, as this crate reads them.
fn ours(text: &str) -> Option<Vec<Flat>> {
    fn add(tokens: &[Token], text: &str, all: &mut Vec<Flat>) {
        for token in tokens {
            match token {
                Token::Leaf { range, joint } => all.push((text[range.clone()].to_owned(), range.start, *joint)),
                Token::Group { open, close, inner, .. } => {
                    all.push((text[open.clone()].to_owned(), open.start, false));
                    add(inner, text, all);
                    all.push((text[close.clone()].to_owned(), close.start, false));
                }
            }
        }
    }
    let mut all = Vec::new();
    add(&tokens(text).ok()?, text, &mut all);
    Some(all)
}

/// The same of `proc_macro2`, for which a lifetime is two tokens, and documentation an attribute.
fn theirs(text: &str) -> Option<Vec<Flat>> {
    fn add(stream: TokenStream, text: &str, all: &mut Vec<Flat>) {
        for token in stream {
            let range = token.span().byte_range();
            let written = text[range.clone()].to_owned();
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = (group.span_open().byte_range(), group.span_close().byte_range());
                    assert_ne!(group.delimiter(), Delimiter::None);
                    all.push((text[open.clone()].to_owned(), open.start, false));
                    add(group.stream(), text, all);
                    all.push((text[close.clone()].to_owned(), close.start, false));
                }
                TokenTree::Punct(sign) if sign.as_char() == '\'' => all.push((written, range.start, false)),
                TokenTree::Punct(sign) => {
                    all.push((written, range.start, sign.spacing() == proc_macro2::Spacing::Joint));
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) => match all.last_mut() {
                    Some((last, start, _)) if last == "'" && *start + 1 == range.start => last.push_str(&written),
                    _ => all.push((written, range.start, false)),
                },
            }
        }
    }
    // Places are those in the text only where it is the first of its thread.
    on_a_thread(|| {
        let mut all = Vec::new();
        add(text.parse().ok()?, text, &mut all);
        Some(all)
    })
}

/// Documentation is left out: it is one token here.
fn without_documentation(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let is_documentation = ["///", "//!", "/**", "/*!"].iter().any(|sign| line.trim_start().starts_with(sign));
        if is_documentation { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Adds the sources of Rust and the texts of trees in a folder.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path()) {
        let is_read = entry.extension().is_some_and(|extension| extension == "rs" || extension == "bt");
        if entry.is_dir() && !entry.ends_with("target") && !entry.ends_with("node_modules") {
            collect(&entry, found);
        } else if is_read {
            found.push(entry);
        }
    }
}

#[test]
fn the_tokens_of_this_repository_are_those_of_proc_macro2() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["bt-core/src", "crates", "tests/errors", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    assert!(files.len() > 400, "{}", files.len());
    for file in files {
        let text = without_documentation(&fs::read_to_string(&file).expect("the file can be read"));
        assert_eq!(ours(&text), theirs(&text), "{}", file.display());
    }
}

proptest! {
    /// Escapes in texts are checked by the parser that reads their values.
    #[test]
    fn the_tokens_of_any_text_are_those_of_proc_macro2(parts in proptest::collection::vec(part(), 0..12)) {
        let text = parts.concat();
        prop_assume!(!["///", "//!", "/*!", "/**"].iter().any(|sign| text.replace("/**/", " ").contains(sign)));
        let (ours, theirs) = (ours(&text), theirs(&text));
        // For `proc_macro2`, `'r"x"` is a sign and a raw text; for the compiler, a lifetime and a text.
        prop_assume!(!theirs.iter().flatten().any(|(token, ..)| token.starts_with('\'') && token.contains('"')));
        // What `proc_macro2` refuses in addition, the parser reports.
        if theirs.is_some() {
            prop_assert_eq!(&ours, &theirs, "{}", text);
        }
    }

    #[test]
    fn no_text_is_a_panic(text in ".{0,40}") {
        let _ = ours(&text);
    }
}

#[test]
fn a_lifetime_before_a_text_is_one() {
    let tokens = ours("'r\"x\"").expect("it is Rust");
    assert_eq!(tokens.iter().map(|(token, ..)| &**token).collect::<Vec<_>>(), ["'r", "\"x\""]);
}

/// A part of a text.
fn part() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "a",
        "é",
        "r",
        "b",
        "br",
        "c",
        "r#if",
        "_",
        "'a",
        "'a'",
        "'\\''",
        "'\\u{41}'",
        "b'x'",
        "\"t\"",
        "\"\\\"\"",
        "r\"x\"",
        "r#\"a\"b\"#",
        "1",
        "1.5",
        "1.",
        "..",
        "0x1F",
        "0b1",
        "1e5",
        "1e-5",
        "2s",
        "1_000.5f32",
        ".",
        "-",
        ">",
        "=",
        "|",
        "&",
        "<",
        "::",
        "#",
        "!",
        "$",
        "/",
        ",",
        " ",
        "\n",
        "\u{feff}",
        "// c\n",
        "/* c */",
        "/* /* */ */",
        "/**/",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
    ])
}

#[test]
fn what_is_not_closed_is_named_at_its_place() {
    let error = |text: &str| tokens(text).expect_err(text).diagnostic(text).to_string();
    assert_eq!(error("selector {\n  near(10.0 }"), "2:13: expected `)` for the `(` at 2:7, found `}`");
    assert_eq!(error("selector {\n a {"), "2:4: `{` is not closed; help: add `}`");
    assert_eq!(error("a }"), "1:3: `}` closes nothing");
    assert_eq!(error("say(\"hi)"), "1:5: the text is not closed; help: add `\"`");
    assert_eq!(error("a /* b"), "1:3: the comment is not closed; help: add `*/`");
    assert_eq!(error("say('hi')"), "1:5: unexpected `'`; help: write text in double quotes");
    assert_eq!(error("a \\ b"), "1:3: unexpected character `\\\\`");
    let deep = "(".repeat(MAX_DELIMITERS + 1);
    assert!(error(&deep).contains("too deep"), "{}", error(&deep));
}
