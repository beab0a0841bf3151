//! Tests of machines.

use proc_macro2::{TokenStream, TokenTree};

use super::{messages, syntax, tokens};
use crate::editor::tests::in_editor;
use crate::tree::tree;

#[test]
fn machines_have_states_and_transitions() {
    assert_eq!(
        syntax(
            "machine \"m\" { state a { graze(1), !near -> b, success -> failure } state b { exit: c, enter: d, seq { e }, |x: &T| x.y -> a, } any { f::g(3) -> b } }"
        ),
        "machine[a[<graze (1)> !<near>->b <success>->failure] b[seq[<e>] enter:<d> exit:<c> <| x : & T | x . y>->a] any[<f :: g (3)>->b]]"
    );
    assert_eq!(syntax("self::machine { invert { a } }"), "self :: machine[invert[<a>]]", "a custom decorator");
}

#[test]
fn machines_can_use_angle_brackets() {
    let braces = "machine \"m\" { state a { enter: e, graze(1), !near -> b, f::<A, B>(1) -> b, |x: &T| x.y -> b, success -> failure } state b { sequence { c, d }, (x > 3) -> a } any { |x: &T| -> bool { true } -> b } }";
    let angles = braces.replace('{', "<").replace('}', ">").replace("bool < true >", "bool { true }");
    assert_eq!(syntax(&angles), syntax(braces));
    assert_eq!(messages(&angles), [""; 0]);
    assert_eq!(
        syntax("s < machine < state a { x, y -> b }, #[allow(unreachable)] state b < x, y->a >>, c >"),
        "s[machine[a[<x> <y>->b] b[<x> <y>->a]] <c>]"
    );
    let cases = [
        ("machine < >", "`machine` has no states"),
        ("machine < state a < x, y -> b > state b < x >", "unclosed `<`: expected `>` after the last state"),
        ("s { machine < state a < x, y -> a }", "unclosed `<`: expected `>` after the last item"),
        ("machin < state a < x > >", "unknown keyword `machin`\nhelp: did you mean `machine`?"),
        ("machine < state a < x, y -> > >", "expected a state name, `success` or `failure` after `->`, found `>`"),
        (
            "machine < state b < x > stat a < x, y -> b > >",
            "expected `state name { … }` or `any { … }` in a `machine`, found `stat`",
        ),
        ("machine < state < x > >", "expected a state name, found `<`"),
        ("machine < state a < x, 7 -> b > state b < x > >", "expected a node, found `7`"),
        (
            "machine < state a < x, leave: y > >",
            "unknown keyword `leave:` in a state\nnote: expected `enter:` or `exit:`",
        ),
    ];
    for (text, expected) in cases {
        let messages = messages(text);
        assert!(messages.iter().any(|message| message.starts_with(expected)), "{text}: {messages:?}");
    }
}

#[test]
fn errors_in_machines_are_reported() {
    let cases = [
        ("machine {}", "`machine` has no states"),
        ("machine { state a { x, y -> bb } state bbb { z } }", "unknown state `bb`\nhelp: did you mean `bbb`?"),
        ("machine { state a { x, y -> other } }", "unknown state `other`\nnote: the states are `a`"),
        ("machine { state a { x } state a { x } }", "duplicate state `a`"),
        ("machine { state a { x, y -> b, y -> c } state b { x } state c { x } }", "duplicate transition on `y`"),
        ("machine { state a { x } state b { y } }", "unreachable state `b`"),
        (
            "machine { state a { x, |_: &T| true -> b, y -> b } state b { x } }",
            "unreachable transition\nnote: the condition of a transition before it always holds",
        ),
        ("machine { state a { y -> b } state b { x } }", "state `a` has no node"),
        ("machine { state a { x, y } }", "state `a` has more than one node"),
        ("machine { state a { x, y -> a } }", "transition from `a` to itself"),
        ("machine { state success { x } }", "a state cannot be named `success`"),
        ("machine { state a { x y -> a } }", "expected `,` before the next item of the state, found `y`"),
        ("machine { state a { x, y -> } }", "expected a state name, `success` or `failure` after `->`, found nothing"),
        (
            "machine { state a { x, leave: y } }",
            "unknown keyword `leave:` in a state\nnote: expected `enter:` or `exit:`",
        ),
        ("machine { state a { x, enter: y, enter: z } }", "duplicate `enter:`"),
        ("machine { state a { x } any { y } }", "`any` can only contain transitions"),
        ("machine { state a { x } any { y -> a } any { z -> a } }", "duplicate `any`"),
        (
            "machine { state a { x } stat b { x } }",
            "expected `state name { … }` or `any { … }` in a `machine`, found `stat`\nhelp: did you mean `state`?",
        ),
        ("machine { state a { x, entr: y } }", "unknown keyword `entr:` in a state\nhelp: did you mean `enter:`?"),
        ("machine { state a { x } #[allow(unreachable)] any { y -> a } }", "`#[allow(…)]` is not allowed before `any`"),
        ("machine { state { x } }", "expected a state name, found `{…}`"),
        ("machine { state a }", "`state a` has no body"),
        ("machin { state a { x } }", "unknown keyword `machin`\nhelp: did you mean `machine`?"),
        ("machine { 3 }", "expected `state name { … }` or `any { … }` in a `machine`, found `3`"),
        ("machine { walk }", "expected `state name { … }` or `any { … }` in a `machine`, found `walk`"),
        ("machine(3) { state a { x } }", "`machine` takes no arguments"),
    ];
    for (text, expected) in cases {
        let messages = messages(text);
        assert!(messages.iter().any(|message| message.starts_with(expected)), "{text}: {messages:?}");
    }
    for text in ["machine { 3 }", "machine { walk }", "machine { sequence { walk, run } }", "machine < walk >"] {
        assert_eq!(messages(text).len(), 1, "{text}: {:?}", messages(text));
    }
}

/// Returns what an editor gets for each machine: the mentions of states, and the names in the item.
fn states(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(in_editor(|| tree(tokens(text))), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let [
        _,
        _,
        _,
        TokenTree::Group(mentions),
        ..,
        TokenTree::Ident(item),
        TokenTree::Ident(_),
        TokenTree::Group(names),
    ] = tokens.as_slice()
        && item == "enum"
    {
        found.push(format!("{}/{}", words(mentions.stream()), words(names.stream())));
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            collect(group.stream(), found);
        }
    }
}

fn words(tokens: TokenStream) -> String {
    let words = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) if word != "State" => Some(word.to_string()),
        _ => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn an_editor_gets_states_as_an_item_and_targets_as_mentions() {
    assert_eq!(
        states(
            "machine { state a { x, y -> b, success -> failure } state b { x, y -> c, z -> a } any { w -> b, v -> } }"
        ),
        ["b success c a b success/a b success failure"]
    );
    assert_eq!(states("sequence { x, y }"), [""; 0]);
    // Also in a state, and if an error discards the machine.
    let nested = "machine { state a { machine { state b { x } } } }";
    for text in [nested.to_owned(), format!("invert {{ x, {nested} }}"), format!("x, {nested}")] {
        let mut found = states(&text);
        found.sort();
        assert_eq!(found, ["/a success failure", "/b success failure"], "{text}");
    }
    // A word of Rust cannot name an item.
    assert_eq!(
        states("machine { state loop { x, y -> self } state r#type { x, y -> loop } state self { x, y -> r#type } }"),
        ["success success r#type/r#type success failure"]
    );
}
