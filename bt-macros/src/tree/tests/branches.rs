//! `if` and conditions.

use super::{only_message, syntax};

#[test]
fn an_if_has_a_condition_and_one_or_two_nodes() {
    assert_eq!(syntax("if near { flee }"), "if[<near> <flee>]");
    assert_eq!(syntax("if near(3) { flee } else { sequence { a, b } }"), "if[<near (3)> <flee> sequence[<a> <b>]]");
    assert_eq!(syntax("mem_if near { a } else { b }"), "mem_if[<near> <a> <b>]");
    assert_eq!(syntax("if a { b, } else if c { d } else { e }"), "if[<a> <b> if[<c> <d> <e>]]");
    assert_eq!(syntax("mem_if a { b } else if c { d }"), "mem_if[<a> <b> mem_if[<c> <d>]]");
    assert_eq!(syntax("if near \"label\" { flee }"), "if \"label\"[<near> <flee>]");
    assert_eq!(syntax("selector { if a { b } if c { d } else { e } f }"), "selector[if[<a> <b>] if[<c> <d> <e>] <f>]");
    assert_eq!(syntax("selector < if a { b }, c >"), "selector[if[<a> <b>] <c>]");
    assert_eq!(syntax("machine { state x { if a { b } else { c } } }"), "machine[x[if[<a> <b> <c>]]]");
}

#[test]
fn conditions_are_combined_as_in_rust() {
    assert_eq!(syntax("if a && b || !c && d { e }"), "if[selector[sequence[<a> <b>] sequence[!<c> <d>]] <e>]");
    assert_eq!(syntax("if a && (b || c) { e }"), "if[sequence[<a> selector[<b> <c>]] <e>]");
    assert_eq!(syntax("if !(a && b) { e }"), "if[!sequence[<a> <b>] <e>]");
    assert_eq!(syntax("if ((a)) { e }"), "if[<a> <e>]");
    assert_eq!(syntax("if (a && ((b && (c)))) { e }"), "if[sequence[<a> sequence[<b> <c>]] <e>]");
    assert_eq!(syntax("if (!(a || b)) { e }"), "if[!selector[<a> <b>] <e>]");
    assert_eq!(syntax("if a && b && c { e }"), "if[sequence[<a> <b> <c>] <e>]");
    assert_eq!(syntax("if |n: &N| n.a && n.b < 3 { e }"), "if[<| n : & N | n . a && n . b < 3> <e>]");
    assert_eq!(syntax("if (|n: &N| n.a) && b { e }"), "if[sequence[<| n : & N | n . a> <b>] <e>]");
    assert_eq!(syntax("if self.near { e }"), "if[<self . near> <e>]");
    assert_eq!(syntax("if &near { e }"), "if[<& near> <e>]");
    assert_eq!(syntax("if near!(3) { e }"), "if[<near ! (3)> <e>]");
    assert_eq!(syntax("if sequence { a, b } { e }"), "if[sequence[<a> <b>] <e>]");
    assert_eq!(syntax("if within(|n| n) { a } && b { e }"), "if[sequence[within(| n | n)[<a>] <b>] <e>]");
    assert_eq!(syntax("if (own(3) { a }) { e }"), "if[own(3)[<a>] <e>]");
    assert_eq!(syntax("if (Near { a: 3 }) { e }"), "if[<Near { a : 3 }> <e>]");
    assert_eq!(syntax("if (if x { y } else { z }) { e }"), "if[<if x { y } else { z }> <e>]");
    assert_eq!(syntax("if #[allow(x)] a && b { e }"), "if[sequence[#x<a> <b>] <e>]");
}

#[test]
fn guards_of_transitions_are_combined_too() {
    assert_eq!(
        syntax("machine { state a { x, near && !b || c -> a } }"),
        "machine[a[<x> selector[sequence[<near> !<b>] <c>]->a]]"
    );
    assert_eq!(
        syntax(
            "machine { state a { x, (a || b) && c -> a, !(a && b) -> a, a && (b || !c) -> a, !!d -> a } any { (e) -> a } }"
        ),
        "machine[a[<x> sequence[selector[<a> <b>] <c>]->a !sequence[<a> <b>]->a sequence[<a> selector[<b> !<c>]]->a !!<d>->a] any[<e>->a]]"
    );
    assert_eq!(
        syntax("machine { state a { (Talk { x: 3 }), (f(x + 1)) -> a } }"),
        "machine[a[<Talk { x : 3 }> <f (x + 1)>->a]]"
    );
    assert_eq!(syntax("machine < state a < x, near && b -> a > >"), "machine[a[<x> sequence[<near> <b>]->a]]");
}

#[test]
fn each_mistake_is_one_error() {
    let found = only_message;
    assert_eq!(found("if { a }"), "expected a condition after `if`, found `{…}`\nhelp: write `if near { … }`");
    assert_eq!(found("if"), "expected a condition after `if`, found nothing\nhelp: write `if near { … }`");
    assert_eq!(
        found("if near"),
        "expected `{` after the condition of `if`, found nothing\nhelp: write `if condition { node }`"
    );
    assert_eq!(
        found("selector { if near, flee }"),
        "expected `{` after the condition of `if`, found `,`\nhelp: write `if condition { node }`"
    );
    assert_eq!(found("if near { a } else"), "expected `{` after `else`, found nothing\nhelp: write `else { node }`");
    assert!(found("if near { }").starts_with("expected a node in the braces of `if`, found nothing"));
    assert!(found("if near { a, b }").starts_with("expected one node in the braces of `if`, found 2"));
    assert!(found("if near { a } else { b, c }").starts_with("expected one node in the braces of `else`, found 2"));
    assert!(found("if near { ..a }").starts_with("`..` is only allowed"));
    assert!(found("if near { #[cfg(x)] a }").starts_with("only a node is allowed"));
    assert!(found("if let Some(x) = y { a }").starts_with("expected a condition, found `let`"));
    assert!(found("if a { b } else mem_if c { d }").starts_with("expected `if` after `else`"));
    assert!(found("if (a && b c) { d }").starts_with("expected `&&`, `||` or `)`"));
    for expression in ["n == 3", "n > 3", "npc.hp < 3", "a() + b.c", "npc.hp > 3 && near"] {
        let expected =
            format!("the condition of `if` must be a node, found the expression `{expression}`\nhelp: write a closure");
        assert!(found(&format!("if {expression} {{ d }} else {{ e }}")).starts_with(&expected), "{expression}");
        assert!(found(&format!("s {{ if {expression} {{ d }}, e }}")).starts_with(&expected), "{expression}");
    }
    assert!(found("s { if n <, d }").starts_with("expected `{` after the condition of `if`, found `<`"));
    assert!(
        found("s { if true { d } else { e }, f }")
            .starts_with("expected a condition, found `true`\nhelp: write a closure")
    );
    assert!(found("if a and b { d }").starts_with("expected `&&`, found `and`"));
    assert!(found("if a & b { d }").starts_with("expected `&&`, found `&`"));
    assert!(found("if a or b { d }").starts_with("expected `||`, found `or`"));
    assert!(found("if a | b { d }").starts_with("expected `||`, found `|`"));
    assert_eq!(found("if a { b } elif c { d } else { e }"), "expected `else if`, found `elif`");
    assert!(
        found("machine { state a { x |n: &N| n.y -> b } state b { y } }")
            .starts_with("expected `,` before the next item")
    );
    assert!(found("s { else { a } }").contains("`else` follows the braces of an `if`"));
    assert!(found("if a && { d }").starts_with("expected a condition, found `{…}`"));
}
