//! Broken texts, and texts from macros: the expansion is always an expression, and keeps the user's code.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{messages, sketch, tokens};
use crate::editor::tests::in_editor;
use crate::mutate::{Chance, all_tokens, broken, grouped};
use crate::tree::tree;
use bt_syntax::errors::Errors;
use bt_syntax::parse;

const VALID: [&str; 10] = [
    "machine \"m\" < state st < enter: e(1), x, !near -> su, success -> failure > state su { s < y >, |x: &T| x.z -> st } any < g -> su >>",
    "selector { #[allow(pointless)] service(secs(1), look(2)) \"s\" { a }, #[allow(unreachable, threshold)] parallel(success = 1) { b } }",
    "machine \"m\" { state st { enter: e(1), x, !near -> su, success -> failure } state su { s { y }, |x: &T| x.z -> st } any { g -> su } }",
    "for Npc: selector \"a\" { sequence { near(1, 2), !far }, own(3) < |x: &T| { x.y > z } >, (d), e::f }",
    "mem_parallel(success = all, failure = 2) { timeout(secs(5)) \"t\" { a }, &b, retry(3) { c.d(4) } }",
    "selector<sequence<a, b::<u8>()>, |x: &mut T| -> bool { true }, <T as U>::v>",
    "repeat { tree! { x } }",
    "s { utility_selector(keep = 0.1) \"l\" { a => b, |x: &T| x.y => c, 3 => d } match |x: &T| x.y { A | B if z => e, _ => f {g} } mem_match h { _ => i } }",
    "s { if !near(3) && (far || |x: &T| x.y) \"l\" { a } else if (d(2) { b }) { c } else { e } mem_if f { g } }",
    "s { match g { 0..=3 => a, ..=5 | 7.. => b, _ => c } ..d, ..[e, &f] }",
];

#[test]
fn a_broken_tree_still_expands_to_an_expression_with_errors() {
    // Of texts with two faults, CI tries ten times as many.
    let is_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let step = if is_ci { 17 } else { 170 };
    let mut tried = 0;
    for valid in VALID {
        assert_eq!(messages(valid), [""; 0]);
        let once = broken(&tokens(valid));
        let twice = once.iter().step_by(step).flat_map(broken);
        let groups = grouped(&tokens(valid));
        let twice = twice.chain(groups.iter().step_by(step).flat_map(broken));
        for text in once.iter().chain(&groups).cloned().chain(twice) {
            let shown = text.to_string();
            // Incomplete Rust is passed on, so only the block around it is certainly an expression.
            let expanded = if tried % 2 == 0 { tree(text) } else { in_editor(|| tree(text)) };
            let block: Vec<_> = expanded.into_iter().collect();
            assert!(matches!(block.as_slice(), [TokenTree::Group(_)]), "{shown}");
            tried += 1;
        }
    }
    assert!(tried > if is_ci { 8000 } else { 1000 }, "{tried}");
}

/// `TEXTS` sets the number of texts, for a longer run: `TEXTS=1000000 cargo test --release -p bt-macros at_random`.
#[test]
fn a_text_changed_at_random_still_expands_to_an_expression() {
    let texts = std::env::var("TEXTS").ok().and_then(|texts| texts.parse().ok()).unwrap_or(3000);
    let others: Vec<TokenTree> = VALID.iter().flat_map(|valid| all_tokens(tokens(valid))).collect();
    let mut chance = Chance::new();
    for _ in 0..texts {
        let mut text = tokens(VALID[chance.below(VALID.len())]);
        for _ in 0..=chance.below(5) {
            text = chance.change(text, &others);
        }
        let shown = text.to_string();
        let block: Vec<_> = tree(text).into_iter().collect();
        assert!(matches!(block.as_slice(), [TokenTree::Group(_)]), "{shown}");
    }
}

#[test]
fn an_expression_fragment_of_a_macro_is_one_node() {
    let taken = |text: &str| -> TokenStream {
        let group = Group::new(Delimiter::None, tokens(text));
        tokens("sequence { d, X, b }").into_iter().map(|token| put(token, &group)).collect()
    };
    let read = |text: &str| {
        let mut errors = Errors::default();
        let list = taken(text).into();
        let tree = parse::tree(&list, &mut errors);
        assert_eq!(errors.messages(), [""; 0], "{text}");
        sketch(&tree.root)
    };
    assert_eq!(read("|x: &T| -> bool { x.y } && true"), "sequence[<d> <| x : & T | -> bool { x . y } && true> <b>]");
    assert_eq!(read("|x: &T| x.y && true"), "sequence[<d> <| x : & T | x . y && true> <b>]");
    assert_eq!(read("1 + a(2)"), "sequence[<d> <1 + a (2)> <b>]");
    assert_eq!(read("if x { y } else { z }"), "sequence[<d> if[<x> <y> <z>] <b>]");
    assert_eq!(read("!a::b(3)"), "sequence[<d> !<a :: b (3)> <b>]");
    assert_eq!(read("a"), "sequence[<d> <a> <b>]");
    assert_eq!(read("T::<A, B>::f"), "sequence[<d> <T ::< A , B >:: f> <b>]");
}

/// Replaces each `X` in a token with the group.
fn put(token: TokenTree, group: &Group) -> TokenTree {
    match token {
        TokenTree::Ident(word) if word == "X" => group.clone().into(),
        TokenTree::Group(outer) => {
            let inner = outer.stream().into_iter().map(|token| put(token, group)).collect();
            Group::new(outer.delimiter(), inner).into()
        }
        token => token,
    }
}

/// Returns the words in a text, at any depth.
fn words(tokens: TokenStream) -> Vec<String> {
    let words = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(word) => vec![word.to_string()],
        TokenTree::Group(group) => words(group.stream()),
        _ => Vec::new(),
    });
    words.collect()
}

/// The words of the trees that are Rust: leaves, arguments. (The parser consumes the words of the tree's syntax.)
const RUST: [&str; 19] =
    ["e", "x", "near", "y", "T", "z", "g", "far", "d", "f", "a", "secs", "b", "c", "u8", "U", "v", "look", "own"];

#[test]
fn a_broken_tree_keeps_the_users_words() {
    let (mut kept, mut lost) = (0, Vec::new());
    for valid in VALID {
        for text in broken(&tokens(valid)) {
            let shown = text.to_string();
            let mut expanded = words(in_editor(|| tree(text.clone())));
            for word in words(text).into_iter().filter(|word| RUST.contains(&word.as_str())) {
                match expanded.iter().position(|other| *other == word) {
                    Some(index) => {
                        expanded.swap_remove(index);
                        kept += 1;
                    }
                    None => lost.push(format!("{word} in {shown}")),
                }
            }
        }
    }
    assert!(kept > 2000, "{kept}");
    // Tokens swapped into generic arguments are not Rust.
    assert!(lost.len() * 100 < kept, "{} of {kept}: {lost:#?}", lost.len());
}

#[test]
fn nodes_after_the_one_expected_are_kept_for_the_editor() {
    for text in ["a, second::leaf(word)", "service(secs(1), a, second::leaf(word)) { c }"] {
        let expanded = words(in_editor(|| tree(tokens(text))));
        assert!(["second", "leaf", "word"].iter().all(|word| expanded.iter().any(|other| other == word)), "{text}");
    }
}

#[test]
fn a_valid_tree_expands_to_an_expression_with_the_users_words() {
    for valid in VALID {
        for expanded in [tree(tokens(valid)), in_editor(|| tree(tokens(valid)))] {
            syn::parse2::<syn::Expr>(expanded.clone()).expect("an expression");
            let text = expanded.to_string();
            assert!(!text.contains("compile_error"), "{text}");
        }
    }
}
