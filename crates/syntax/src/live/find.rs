//! The trees in a source file.

use bt_behavior3::{Diagnostic, Place};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::flat::{body, is, text};
use super::items::Items;
use crate::file;
use crate::location::place;

/// The maximum depth of delimiters around a tree that is found.
const MAX_DEPTH: usize = 400;
/// The maximum number of trees in a file, and of bytes in all of them: a tree in a tree counts twice.
const MAX_TREES: usize = 1000;
const MAX_BYTES: usize = 4 << 20;

/// A `tree!` in a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The text between its delimiters. Lines end with `\n`.
    pub source: String,
    /// The same without spaces and comments, as [`text`] returns it in the compiler.
    pub flat: String,
    /// The beginning of the path of the macro, as `line!()` and `column!()` return it.
    pub place: Place,
    /// Where [`source`](Self::source) begins.
    pub start: Place,
    /// Where its first token is, after the type of its context.
    pub root: Place,
    /// The items around it: `module::Type::function`.
    pub path: String,
    /// The number of trees before this one in the same items.
    pub ordinal: usize,
    /// Whether it is in the definition of a macro, so that its tokens are not those of one tree.
    pub is_in_macro: bool,
}

/// Returns all `tree!` in a Rust file, in order. A tree may contain trees.
///
/// # Errors
///
/// Returns an error with its place if the file is not complete Rust: a delimiter, a text or a comment is not closed. Also returns an error for thousands
/// of trees.
pub fn find(source: &str) -> Result<Vec<Found>, Diagnostic> {
    let source = clean(source);
    file::on_a_thread(|| {
        let stream = file::stream(&source)?;
        let mut finder = Finder { source: &source, found: Vec::new(), bytes: 0, beyond: None };
        finder.find(stream, "", false, 0);
        if let Some(place) = finder.beyond {
            return Err(Diagnostic::at(place, "the file has too many trees to follow".to_owned()));
        }
        finder.found.sort_by_key(|found| found.start);
        let mut trees = finder.found;
        for index in 0..trees.len() {
            trees[index].ordinal = trees[..index].iter().filter(|other| other.path == trees[index].path).count();
        }
        Ok(trees)
    })
}

/// Returns a source as the compiler reads it: without a byte order mark and a first line for the shell, with `\n` at the ends of lines.
fn clean(source: &str) -> String {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source).replace("\r\n", "\n");
    let is_attribute = |rest: &str| rest.trim_start().starts_with('[');
    match source.strip_prefix("#!").filter(|rest| !is_attribute(rest)) {
        Some(rest) => rest.find('\n').map_or_else(String::new, |end| rest[end..].to_owned()),
        None => source,
    }
}

struct Finder<'s> {
    source: &'s str,
    found: Vec<Found>,
    /// The bytes of all of them.
    bytes: usize,
    /// The first tree that is one too many.
    beyond: Option<Place>,
}

impl Finder<'_> {
    fn find(&mut self, stream: TokenStream, path: &str, is_in_macro: bool, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let tokens: Vec<_> = stream.into_iter().collect();
        let mut items = Items::default();
        for (index, token) in tokens.iter().enumerate() {
            let item = items.next(token);
            let TokenTree::Group(group) = token else { continue };
            if let Some(begin) = begin(&tokens[..index])
                && group.delimiter() != Delimiter::None
            {
                self.add(&tokens[begin], group, path, is_in_macro);
            }
            match item {
                Some(item) => {
                    let inside = if path.is_empty() { item.name } else { format!("{path}::{}", item.name) };
                    self.find(group.stream(), &inside, is_in_macro || item.is_macro, depth + 1);
                }
                None => self.find(group.stream(), path, is_in_macro, depth + 1),
            }
        }
    }

    fn add(&mut self, first: &TokenTree, group: &Group, path: &str, is_in_macro: bool) {
        let (open, close) = (group.span_open().byte_range(), group.span_close().byte_range());
        let inside = self.source.get(open.end..close.start).unwrap_or_default();
        self.bytes += inside.len();
        if self.found.len() == MAX_TREES || self.bytes > MAX_BYTES {
            self.beyond.get_or_insert_with(|| place(first.span()));
            return;
        }
        // The place after the delimiter.
        let mut start = place(group.span_open());
        start.column += 1;
        let root = body(group.stream()).into_iter().next().map_or(start, |first| place(first.span()));
        self.found.push(Found {
            source: inside.to_owned(),
            flat: text(group.stream()),
            place: place(first.span()),
            start,
            root,
            path: path.to_owned(),
            ordinal: 0,
            is_in_macro,
        });
    }
}

/// Returns the index of the first token of `a::tree !`, which tokens end with.
fn begin(tokens: &[TokenTree]) -> Option<usize> {
    let [before @ .., TokenTree::Ident(name), bang] = tokens else { return None };
    if name != "tree" || !is(bang, '!') {
        return None;
    }
    let mut begin = before.len();
    while begin >= 2 && is(&before[begin - 1], ':') && is(&before[begin - 2], ':') {
        begin -= 2;
        if begin >= 1 && matches!(before[begin - 1], TokenTree::Ident(_)) {
            begin -= 1;
        } else {
            break;
        }
    }
    Some(begin - usize::from(begin >= 1 && is(&before[begin - 1], '$')))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trees: place of the macro, place of its content, items, text.
    fn found(source: &str) -> Vec<String> {
        let of = |tree: Found| {
            let Found { place, start, path, ordinal, is_in_macro, flat, .. } = tree;
            format!("{place} {start} {path}#{ordinal}{} {flat}", if is_in_macro { "!" } else { "" })
        };
        find(source).expect(source).into_iter().map(of).collect()
    }

    #[test]
    fn trees_are_found_with_their_places_and_items() {
        let source = "mod a {\n    fn f() { tree! { a } bt::tree!( b ); ::bt::core::tree![selector {\n c }] }\n}\n\
            impl Npc { fn g() { x.tree(); let tree = !(x); tree != (y); f(|é| tree! { |x| tree! { d } }) } }\n\
            macro_rules! m { ($x:expr) => { $crate::tree! { $x } } }\ntree!{}";
        let expected = [
            "2:14 2:21 a::f#0 a",
            "2:26 2:36 a::f#1 b",
            "2:42 2:60 a::f#2 selector{c}",
            "5:67 5:74 Npc::g#0 |x|tree!{d}",
            "5:79 5:86 Npc::g#1 d",
            "6:33 6:48 m#0! $x",
            "7:1 7:7 #0 ",
        ];
        assert_eq!(found(source), expected);
    }

    #[test]
    fn a_tree_begins_after_the_type_of_its_context() {
        let root = |source| find(source).expect(source)[0].root.to_string();
        assert_eq!(root("tree! { for a::B<'_>, __saved:\n  x }"), "2:3");
        assert_eq!(root("tree! {/**/ x }"), "1:13");
        assert_eq!(root("tree! { }"), "1:8");
    }

    #[test]
    fn marks_and_ends_of_lines_of_editors_do_not_matter() {
        let plain = "fn f() {\n\ttree! {\n\t\tselector { a, \"x\ny\" }\n\t}\n}\n";
        let tree = found(plain);
        assert_eq!(found(&format!("\u{feff}{plain}")), tree);
        assert_eq!(found(&plain.replace('\n', "\r\n")), tree);
        assert_eq!(
            find(plain).map(|trees| trees[0].source.clone()),
            Ok("\n\t\tselector { a, \"x\ny\" }\n\t".to_owned())
        );
        let line = plain.replacen("fn", "#!/usr/bin/env run {\nfn", 1);
        assert_eq!(found(&line)[0].replacen("3:", "2:", 2), tree[0]);
        assert_eq!(found("#![allow(x)] tree! { a }"), ["1:14 1:21 #0 a"]);
        assert_eq!(found("#!/bin/sh"), [""; 0]);
    }

    #[test]
    fn a_file_that_is_being_typed_is_one_error() {
        for (source, error) in [
            ("fn f() {\n  tree! { a \n", "2:9: `{` is not closed; help: add `}`"),
            ("fn f() {\n  \"a", "2:3: the text is not closed; help: add `\"`"),
            ("fn f() {} }", "1:11: `}` closes nothing"),
            ("/* a", "1:1: the comment is not closed; help: add `*/`"),
        ] {
            assert_eq!(find(source).expect_err(source).to_string(), error, "{source}");
        }
    }

    #[test]
    fn a_file_of_too_many_trees_is_an_error() {
        let trees = |count: usize| "tree! { a }\n".repeat(count);
        assert_eq!(found(&trees(MAX_TREES)).len(), MAX_TREES);
        let error = find(&trees(50 * MAX_TREES)).expect_err("there are too many");
        assert_eq!(error.to_string(), "1001:1: the file has too many trees to follow");
        let long = format!("{}{}{}", "tree! { ".repeat(300), "a(5), ".repeat(5_000), "}".repeat(300));
        assert!(find(&long).is_err(), "each tree contains the next");
    }

    #[test]
    fn a_deep_file_is_no_problem() {
        let source = format!("{}tree! {{ a }}{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(found(&source), [""; 0]);
        let source = format!("{}tree! {{ a }}{}", "(".repeat(300), ")".repeat(300));
        assert_eq!(found(&source).len(), 1);
    }
}
