//! `match` and utility selectors.

use super::{only_message, syntax};

#[test]
fn a_match_has_a_function_and_patterns() {
    assert_eq!(syntax("match mood { A => a, B => b }"), "match mood[A => <a> B => <b>]");
    assert_eq!(
        syntax("match |n: &N| n.mood { A { x, .. } | C(..) if x > 3 => s { a } _ => b, }"),
        "match | n : & N | n . mood[A { x , .. } | C (..) if x > 3 => s[<a>] _ => <b>]"
    );
    assert_eq!(syntax("mem_match a::mood \"label\" { \"x\" => a }"), "mem_match a :: mood \"label\"[\"x\" => <a>]");
    assert_eq!(
        syntax("match (f(3)) { 0..=3 => a _ => b }".replace("a _", "a, _").as_str()),
        "match (f (3))[0 ..= 3 => <a> _ => <b>]"
    );
    assert_eq!(
        syntax("s { match mood { A => if x { y } B => match z { _ => w } } c }"),
        "s[match mood[A => if[<x> <y>] B => match z[_ => <w>]] <c>]"
    );
    assert_eq!(
        syntax("match mood { A => { a } B => { s { b } }, _ => { c } }"),
        "match mood[A => <a> B => s[<b>] _ => <c>]"
    );
    assert_eq!(
        syntax("match mood { ..0 => a, ..=5 | 7.. => b, ..A if x => c }"),
        "match mood[.. 0 => <a> ..= 5 | 7 .. => <b> .. A if x => <c>]"
    );
    assert_eq!(syntax("s < match mood { A => a }, b >"), "s[match mood[A => <a>] <b>]");
    assert_eq!(
        syntax("match |n: &N| -> u8 { n.x } { 3 => a, _ => b }"),
        "match | n : & N | -> u8 { n . x }[3 => <a> _ => <b>]"
    );
}

#[test]
fn each_mistake_is_one_error() {
    let found = only_message;
    assert!(found("match { A => a }").starts_with("`match` expects a function of the context, found `{…}`"));
    assert!(found("match 3 { 1 => a, _ => b }").starts_with("`match` expects a function of the context, found `3`"));
    assert!(found("match").starts_with("`match` expects a function of the context, found nothing"));
    assert!(found("match x > 3 { true => a, _ => b }").contains("found `x > 3`"));
    assert!(found("match |a, b| a { _ => b }").starts_with("`match` expects a closure with 1 parameter, found 2"));
    assert!(found("match mood").starts_with("expected `{` after the function of `match`, found nothing"));
    assert!(found("match mood { }").starts_with("`match` expects a pattern and a node, found none"));
    assert!(found("match mood { A, B => b }").starts_with("expected `=>` after a pattern, found `,`"));
    assert!(found("match mood { A = a, B => b }").starts_with("expected `=>` after a pattern, found `=`"));
    assert!(found("match mood { A => , B => b }").starts_with("expected a node after `=>`, found `,`"));
    assert!(found("match mood { A b }").starts_with("expected `=>` after a pattern, found `b`"));
    assert!(found("match mood { 0..=3 a, _ => b }").starts_with("expected `=>` after a pattern, found `a`"));
    assert!(found("match mood { A => }").starts_with("expected a node after `=>`, found nothing"));
    assert!(found("match mood { ..a }").starts_with("expected a pattern, found `.`"));
    assert!(found("match mood { A => a B => b }").starts_with("expected `,` before the next pattern, found `B`"));
    assert!(found("match mood { A => a, ..b }").starts_with("expected a pattern, found `.`"));
    assert!(found("match mood { #[cfg(x)] A => a, _ => b }").starts_with("expected a pattern, found `#`"));
    assert!(found("match mood { A => { a, b } }").starts_with("expected one node in the braces of `=>`, found 2"));
    assert!(found("utility_selector(keep = -0.1) { 1 => a }").starts_with("expected a non-negative number for `keep`"));
    assert!(found("utility_selector { a, b }").starts_with("`utility_selector` expects a score before each child"));
    assert!(
        found("utility_selector { x => a, b }").starts_with("expected an expression before each child, found 1 for 2")
    );
    assert!(found("utility_selector { }").starts_with("`utility_selector` expects at least 1 child, found 0"));
    assert!(found("utility_selector(0.1) { x => a }").starts_with("`utility_selector` expects named options"));
    assert!(found("utility_selector(kep = 0.1) { x => a }").contains("did you mean `keep`?"));
    assert!(
        found("utility_selector(keep) { x => a }").starts_with("option `keep` has no value\nhelp: write `keep = 0.1`")
    );
    assert!(
        found("mem_utility_selector(keep = 0.1) { x => a }").starts_with("`mem_utility_selector` takes no arguments")
    );
    assert!(found("utility_selector { x => ..a }").starts_with("the number of children is not known here"));
    assert!(found("utilty_selector { x => a }").contains("did you mean `utility_selector`?"));
}
